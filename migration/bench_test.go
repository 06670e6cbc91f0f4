package migration_test

import (
	"fmt"
	"testing"

	"github.com/ethereum/go-ethereum/crypto"

	"percore"
	"percore/provider/sha3"
)

// BenchmarkKeccak takes a Keccak-256 as an Ethereum client does, with go-ethereum's own state, which isn't that of
// golang.org/x/crypto any more, and with percore's.
func BenchmarkKeccak(b *testing.B) {
	for _, size := range []int{32, 136, 200, 1024, 16384} {
		p := make([]byte, size)
		for _, c := range []struct {
			kernel string
			state  crypto.KeccakState
		}{
			{percore.Selected().SHA3.Kernel, sha3.NewLegacyKeccak256()},
			{"go-ethereum", crypto.NewKeccakState()},
		} {
			b.Run(fmt.Sprintf("size=%d/kernel=%s", size, c.kernel), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					crypto.HashData(c.state, p)
				}
			})
		}
	}
}
