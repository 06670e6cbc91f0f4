// Package keccak holds the kernels of Keccak-f[1600], FIPS 202, section 3, and dispatches to
// them.
//
// A state is 25 lanes, lane (x, y) in a[x+5y], each an integer of the machine: only the bytes of
// messages and outputs are little-endian (FIPS 202, section B.1). A rate is given in bytes and is
// one of 72, 104, 136, 144 and 168.
package keccak

import "unsafe"

//go:generate sh -c "cd _asm && GOWORK=off go run ./arm64 gpr ../gpr_arm64.s && GOWORK=off go run ./arm64 plain ../plain_arm64.s"
//go:generate sh -c "cd _asm && GOWORK=off go run ./amd64 -kernel bmi2 -out ../bmi2_amd64.s"
//go:generate sh -c "cd _asm && GOWORK=off go run ./amd64 -kernel avx512 -out ../avx512_amd64.s"
//go:generate sh -c "cd _asm && GOWORK=off go run ./amd64 -kernel batchavx2 -out ../batch_avx2_amd64.s"
//go:generate sh -c "cd _asm && GOWORK=off go run ./amd64 -kernel batchavx512 -out ../batch_avx512_amd64.s"

// A Kernel is one implementation of the permutation and of absorbing and squeezing whole blocks.
// The zero Kernel is Generic.
type Kernel uint8

const (
	Generic Kernel = iota // portable Go, the oracle of the others
	Std                   // the standard library's, see std.go
	GPR                   // arm64: general-purpose registers, rotations on shifted operands
	Plain                 // arm64: the same for cores where a shifted operand takes longer
	SIMD                  // arm64: the SHA3 instructions
	BMI2                  // amd64: general-purpose registers
	AVX512                // amd64: vector and general-purpose registers together
	numKernels
)

var names = [numKernels]string{Generic: "generic", Std: "std", GPR: "gpr", Plain: "plain", SIMD: "simd", BMI2: "bmi2", AVX512: "avx512"}

// String returns the name that PERCORE has for k.
func (k Kernel) String() string { return names[k] }

// Kernels returns the kernels of this build, whether or not the core at hand can run them.
func Kernels() []Kernel { return append([]Kernel{Generic, Std}, asmKernels...) }

// Find returns the kernel of that name, and whether this build has it.
func Find(name string) (Kernel, bool) {
	for _, k := range Kernels() {
		if k.String() == name {
			return k, true
		}
	}
	return Generic, false
}

const maxRate = 168

// pieceBlocks is the most that goes into one call of assembly, which Go can't preempt: some microseconds' worth.
const pieceBlocks = 16

// Permute applies Keccak-f[1600] to a.
func Permute(k Kernel, a *[25]uint64) {
	switch k {
	case Generic:
		permuteGeneric(a)
	case Std:
		permuteStd(a)
	default:
		spongeAsm(k, a, nil, nil, maxRate, 1)
	}
}

// Absorb adds each block of rate bytes of p to a and applies the permutation.
// The length of p is a multiple of rate.
func Absorb(k Kernel, a *[25]uint64, rate int, p []byte) {
	switch k {
	case Generic:
		absorbGeneric(a, rate, p)
	case Std:
		absorbStd(a, rate, p)
	default:
		for len(p) > 0 {
			n := min(len(p), pieceBlocks*rate)
			spongeAsm(k, a, unsafe.SliceData(p), nil, rate, n/rate)
			p = p[n:]
		}
	}
}

// Squeeze applies the permutation to a before each block of rate bytes of out and writes the
// block. The length of out is a multiple of rate.
func Squeeze(k Kernel, a *[25]uint64, rate int, out []byte) {
	switch k {
	case Generic:
		squeezeGeneric(a, rate, out)
	case Std:
		squeezeStd(a, rate, out)
	default:
		for len(out) > 0 {
			n := min(len(out), pieceBlocks*rate)
			spongeAsm(k, a, nil, unsafe.SliceData(out), rate, n/rate)
			out = out[n:]
		}
	}
}
