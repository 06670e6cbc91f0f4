//go:build !arm64 || purego

package keccak

// Kernels returns the kernels of this build, whether or not the core at hand can run them.
func Kernels() []Kernel { return []Kernel{Generic, Std} }

func assembly(k Kernel, _ *[25]uint64, _, _ *byte, _, _ int) {
	panic("keccak: this build has no kernel " + k.String())
}
