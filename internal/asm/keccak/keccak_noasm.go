//go:build (!amd64 && !arm64) || purego

package keccak

var asmKernels []Kernel

func spongeAsm(k Kernel, a *[25]uint64, in, out *byte, rate, blocks int) {
	panic("keccak: this build has no kernel " + k.String())
}

var asmBatchKernels []BatchKernel

func absorbBatchAsm(k BatchKernel, b *Batch, keep *uint64, in **byte, rate, blocks, sets int) {
	panic("keccak: this build has no batch kernel " + k.String())
}

func padBatchAsm(b *Batch, lanes uint, rate int, ds byte, ahead [][]byte) {}

func digestsBatchAsm(*Batch, *byte) {}
