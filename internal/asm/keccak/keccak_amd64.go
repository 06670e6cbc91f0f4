//go:build !purego

package keccak

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
