//go:build !purego

package keccak

// asmKernels are the kernels in assembly of this build.
var asmKernels = []Kernel{GPR, Plain, SIMD}

//go:noescape
func blocksGPR(a *[25]uint64, in, out *byte, rate, n int)

//go:noescape
func blocksPlain(a *[25]uint64, in, out *byte, rate, n int)

//go:noescape
func blocksSIMD(a *[25]uint64, in, out *byte, rate, n int)

// spongeAsm adds each block of input to a, applies the permutation and writes each block of output.
// Either pointer may be nil. There is at least one block, and not more than fit into one call of assembly.
//
// It isn't inlined for the look at preemption that a Go function starts with: between two calls of assembly there has
// to be one.
//
//go:noinline
func spongeAsm(k Kernel, a *[25]uint64, in, out *byte, rate, blocks int) {
	n := rate * blocks
	switch k {
	case GPR:
		blocksGPR(a, in, out, rate, n)
	case Plain:
		blocksPlain(a, in, out, rate, n)
	default:
		blocksSIMD(a, in, out, rate, n)
	}
}

var asmBatchKernels = []BatchKernel{BatchSIMD}

//go:noescape
func absorbBatchSIMD(a, keep *uint64, in **byte, rate, blocks int)

func absorbBatchAsm(_ BatchKernel, b *Batch, keep *uint64, in **byte, rate, blocks, _ int) {
	absorbBatchSIMD(&b.states[0], keep, in, rate, blocks)
}

func padBatchAsm(*Batch, uint, int, byte, [][]byte) {}

func digestsBatchAsm(*Batch, *byte) {}
