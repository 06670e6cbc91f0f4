//go:build !purego

package keccak

import "math/bits"

// asmKernels are the kernels in assembly of this build.
var asmKernels = []Kernel{BMI2, AVX512}

//go:noescape
func spongeBMI2(a *[25]uint64, in, out *byte, rate, blocks int)

//go:noescape
func spongeAVX512(a *[25]uint64, in, out *byte, rate, blocks int)

// spongeAsm adds each block of input to a, applies the permutation and writes each block of output.
// Either pointer may be nil. There is at least one block, and not more than fit into one call of assembly.
//
// It isn't inlined for the look at preemption that a Go function starts with: between two calls of assembly there has
// to be one.
//
//go:noinline
func spongeAsm(k Kernel, a *[25]uint64, in, out *byte, rate, blocks int) {
	switch k {
	case AVX512:
		spongeAVX512(a, in, out, rate, blocks)
	default:
		spongeBMI2(a, in, out, rate, blocks)
	}
}

// asmBatchKernels are those for many states.
var asmBatchKernels = []BatchKernel{BatchAVX2, BatchAVX512}

//go:noescape
func absorbBatchAVX2(a, keep *uint64, in **byte, rate, blocks, sets int)

//go:noescape
func absorbBatchAVX512(a, keep *uint64, in **byte, rate, blocks, sets int)

func absorbBatchAsm(k BatchKernel, b *Batch, keep *uint64, in **byte, rate, blocks, sets int) {
	switch k {
	case BatchAVX512:
		absorbBatchAVX512(&b.states[0], keep, in, rate, blocks, sets)
	default:
		absorbBatchAVX2(&b.states[0], keep, in, rate, blocks, sets)
	}
}

//go:noescape
func padBatchAVX512(blocks *byte, rests **byte, left *int, lanes uint, rate, ds int, ahead *[]byte)

func padBatchAsm(b *Batch, lanes uint, rate int, ds byte, ahead [][]byte) {
	var first *[]byte
	if len(ahead) >= bits.OnesCount(lanes) {
		first = &ahead[0]
	}
	padBatchAVX512(&b.last[0][0], &b.Rests[0], &b.Left[0], lanes, rate, int(ds), first)
}

//go:noescape
func digestsBatchAVX512(a *uint64, digests *byte)

func digestsBatchAsm(b *Batch, digests *byte) { digestsBatchAVX512(&b.states[0], digests) }
