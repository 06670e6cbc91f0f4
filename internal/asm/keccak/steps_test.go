package keccak

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"percore/internal/cryptotest"
)

// No branch, and no address in a kernel in assembly, depends on a state or a message: all with the same lengths go through the same
// instructions. The standard library's own is left out.
func TestConstantTime(t *testing.T) {
	if testing.Short() || cryptotest.Race {
		t.Skip("takes long, and is about the code without the race detector")
	}
	functions := map[Kernel]string{Generic: "percore/internal/asm/keccak.permuteGeneric", BMI2: "percore/internal/asm/keccak.spongeBMI2",
		AVX512: "percore/internal/asm/keccak.spongeAVX512"}
	listing := kernelListing(t)
	eachKernel(t, func(t *testing.T, k Kernel) {
		if k == Std {
			t.Skip("it is the standard library's, which says itself what it promises")
		}
		for i, rate := range rates {
			if k == Generic && i > 0 {
				break // compiled code, several times as long
			}
			blocks := 1 + i%2
			t.Run(fmt.Sprintf("rate=%d/blocks=%d", rate, blocks), func(t *testing.T) {
				p, out := make([]byte, blocks*rate), make([]byte, blocks*rate)
				var a [25]uint64
				cryptotest.SameSteps(t, listing, functions[k], func(step func(name string, call func())) {
					r := rand.New(rand.NewPCG(11, 12))
					for i := range 3 {
						for j := range a {
							a[j] = []uint64{0, ^uint64(0), r.Uint64()}[i]
						}
						copy(p, cryptotest.Random(uint64(i), len(p)))
						step(fmt.Sprintf("contents %d", i), func() {
							Absorb(k, &a, rate, p)
							Squeeze(k, &a, rate, out)
						})
					}
				})
			})
		}
	})
}
