//go:build !purego && (amd64 || arm64)

package keccak

import (
	"slices"
	"testing"

	"percore"
	"percore/internal/cryptotest"
)

// Every kernel in assembly keeps the registers that it has to.
func TestABI(t *testing.T) {
	var names []string
	for _, f := range assemblyFunctions {
		names = append(names, cryptotest.NameOf(f.function))
	}
	for _, f := range batchFunctions {
		names = append(names, cryptotest.NameOf(f.function))
	}
	slices.Sort(names)
	if all := cryptotest.InAssembly(t); !slices.Equal(names, all) {
		t.Errorf("the test calls %v, and there are %v", names, all)
	}
	for _, f := range assemblyFunctions {
		t.Run(cryptotest.NameOf(f.function), func(t *testing.T) {
			if !slices.Contains(percore.Kernels("sha3"), f.kernel.String()) {
				t.Skip("this core can't run it")
			}
			var a [25]uint64
			var p [2 * maxRate]byte
			for _, rate := range rates {
				cryptotest.KeepsRegisters(t, f.function, &a, &p, (*byte)(nil), rate, f.n(rate, 2))
				cryptotest.KeepsRegisters(t, f.function, &a, (*byte)(nil), &p, rate, f.n(rate, 2))
				cryptotest.KeepsRegisters(t, f.function, &a, (*byte)(nil), (*byte)(nil), rate, f.n(rate, 1))
			}
		})
	}
	for _, f := range batchFunctions {
		t.Run(cryptotest.NameOf(f.function), func(t *testing.T) {
			if !slices.Contains(percore.Kernels("batch"), f.kernel.String()) {
				t.Skip("this core can't run it")
			}
			b := NewBatch()
			var p [2 * maxRate]byte
			for i := range MaxLanes {
				b.Blocks[i], b.Rests[i], b.Left[i] = &p[0], &p[0], i
			}
			for _, rate := range rates {
				cryptotest.KeepsRegisters(t, f.function, f.arguments(b, rate)...)
			}
		})
	}
}
