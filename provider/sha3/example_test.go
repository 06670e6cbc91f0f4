package sha3_test

import (
	"fmt"
	"io"
	"log"
	"strings"

	"percore/provider/sha3"
)

func ExampleSum256() {
	fmt.Printf("%x\n", sha3.Sum256([]byte("abc")))
	// Output: 3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532
}

// A message that comes in pieces.
func ExampleNew512() {
	h := sha3.New512()
	if _, err := io.Copy(h, strings.NewReader("abc")); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", h.Sum(nil)[:16])
	// Output: b751850b1a57168a5693cd924b6b096e
}

func ExampleSHAKE() {
	x := sha3.NewSHAKE128()
	x.Write([]byte("a seed"))
	var first, second [8]byte
	x.Read(first[:])
	x.Read(second[:])
	fmt.Printf("%x %x\n", first, second)
	fmt.Printf("%x\n", sha3.SumSHAKE128([]byte("a seed"), 16))
	// Output:
	// e15c54a941806b68 ceadfe81dab20bbc
	// e15c54a941806b68ceadfe81dab20bbc
}

// Ethereum's hash, taken with Read, which makes no copy of the state.
func ExampleKeccak() {
	h := sha3.NewLegacyKeccak256()
	var digest [32]byte
	for _, event := range []string{"Transfer(address,address,uint256)", "Approval(address,address,uint256)"} {
		h.Reset()
		h.Write([]byte(event))
		h.Read(digest[:])
		fmt.Printf("%x\n", digest)
	}
	// Output:
	// ddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef
	// 8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925
}
