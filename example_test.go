package percore_test

import (
	"crypto"
	"fmt"

	"percore"
	_ "percore/provider"
)

func Example() {
	h := crypto.SHA3_256.New()
	h.Write([]byte("abc"))
	fmt.Printf("%x\n", h.Sum(nil))
	// Output: 3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532
}

// The policy can be asked about any core.
func ExampleDefault() {
	fmt.Println(percore.Default(percore.CPU{GOOS: "linux", GOARCH: "riscv64"}))
	// Output:
	// sha3  generic
	//       why: compiled Go here and in the standard library; percore's takes runs of blocks in one call
	//       source: Go, crypto/internal/fips140/sha3/sha3_noasm.go
	// batch single
	//       why: no kernel for many states
	//       source: percore's list of kernels
	// gcm   std
	//       why: percore's kernels need VAES, which only amd64 has and this core lacks
	//       source: percore's list of kernels
}
