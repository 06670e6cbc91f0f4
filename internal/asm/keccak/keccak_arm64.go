//go:build !purego

package keccak

// Kernels returns the kernels of this build, whether or not the core at hand can run them.
func Kernels() []Kernel { return []Kernel{Generic, Std, GPR, Plain, SIMD} }

//go:noescape
func blocksGPR(a *[25]uint64, in, out *byte, rate, n int)

//go:noescape
func blocksPlain(a *[25]uint64, in, out *byte, rate, n int)

//go:noescape
func blocksSIMD(a *[25]uint64, in, out *byte, rate, n int)

func assembly(k Kernel, a *[25]uint64, in, out *byte, rate, n int) {
	switch k {
	case GPR:
		blocksGPR(a, in, out, rate, n)
	case Plain:
		blocksPlain(a, in, out, rate, n)
	case SIMD:
		blocksSIMD(a, in, out, rate, n)
	}
}
