//go:build (!amd64 && !arm64) || purego

package keccak

var asmKernels []Kernel

func spongeAsm(k Kernel, a *[25]uint64, in, out *byte, rate, blocks int) {
	panic("keccak: this build has no kernel " + k.String())
}
