// Package keccak holds the kernels of Keccak-f[1600], FIPS 202, section 3, and dispatches to
// them.
//
// A state is 25 lanes, lane (x, y) in a[x+5y], each an integer of the machine: only the bytes of
// messages and outputs are little-endian (FIPS 202, section B.1). A rate is given in bytes and is
// one of 72, 104, 136, 144 and 168.
package keccak

import "unsafe"

//go:generate sh -c "cd _asm && GOWORK=off go run ./arm64 gpr ../gpr_arm64.s && GOWORK=off go run ./arm64 plain ../plain_arm64.s"

// A Kernel is one implementation of the permutation and of absorbing and squeezing whole blocks.
// The zero Kernel is Generic.
type Kernel uint8

const (
	Generic Kernel = iota // portable Go, the oracle of the others
	Std                   // the standard library's, see std.go
	GPR                   // arm64: general-purpose registers, rotations on shifted operands
	Plain                 // arm64: the same for cores where a shifted operand takes longer
	SIMD                  // arm64: the SHA3 instructions
	numKernels
)

var names = [numKernels]string{Generic: "generic", Std: "std", GPR: "gpr", Plain: "plain", SIMD: "simd"}

func (k Kernel) String() string { return names[k] }

// Find returns the kernel of that name, and whether this build has it.
func Find(name string) (Kernel, bool) {
	for _, k := range Kernels() {
		if k.String() == name {
			return k, true
		}
	}
	return Generic, false
}

// Permute applies Keccak-f[1600] to a.
func Permute(k Kernel, a *[25]uint64) {
	switch k {
	case Generic:
		permuteGeneric(a)
	case Std:
		permuteStd(a)
	default:
		piece(k, a, nil, nil, maxRate, maxRate)
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
			piece(k, a, unsafe.SliceData(p), nil, rate, n)
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
			piece(k, a, nil, unsafe.SliceData(out), rate, n)
			out = out[n:]
		}
	}
}

const maxRate = 168

// pieceBlocks is the most that goes into one call of assembly, which Go can't preempt: some
// microseconds' worth.
const pieceBlocks = 16

// piece calls the kernel. It isn't inlined for the look at preemption that a Go function starts with: between two
// calls of assembly there has to be one.
//
// A kernel of assembly keeps the state in registers for n bytes, a multiple of rate. For each block it adds rate bytes from
// in on to the state unless in is nil, applies the permutation, and writes rate bytes of the state from out on unless out is
// nil. It touches nothing else.
//
//go:noinline
func piece(k Kernel, a *[25]uint64, in, out *byte, rate, n int) {
	assembly(k, a, in, out, rate, n)
}
