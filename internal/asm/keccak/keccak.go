// Package keccak holds the kernels of Keccak-f[1600], FIPS 202, section 3, and dispatches to
// them.
//
// A state is 25 lanes, lane (x, y) in a[x+5y], each an integer of the machine: only the bytes of
// messages and outputs are little-endian (FIPS 202, section B.1). A rate is given in bytes and is
// one of 72, 104, 136, 144 and 168.
package keccak

// A Kernel is one implementation of the permutation and of absorbing and squeezing whole blocks.
// The zero Kernel is Generic.
type Kernel uint8

const (
	Generic Kernel = iota // portable Go, the oracle of the others
	Std                   // the standard library's, see std.go
	numKernels
)

var names = [numKernels]string{Generic: "generic", Std: "std"}

func (k Kernel) String() string { return names[k] }

// Kernels returns the kernels of this build, whether or not the core at hand can run them.
func Kernels() []Kernel { return []Kernel{Generic, Std} }

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
	case Std:
		permuteStd(a)
	default:
		permuteGeneric(a)
	}
}

// Absorb adds each block of rate bytes of p to a and applies the permutation.
// The length of p is a multiple of rate.
func Absorb(k Kernel, a *[25]uint64, rate int, p []byte) {
	switch k {
	case Std:
		absorbStd(a, rate, p)
	default:
		absorbGeneric(a, rate, p)
	}
}

// Squeeze applies the permutation to a before each block of rate bytes of out and writes the
// block. The length of out is a multiple of rate.
func Squeeze(k Kernel, a *[25]uint64, rate int, out []byte) {
	switch k {
	case Std:
		squeezeStd(a, rate, out)
	default:
		squeezeGeneric(a, rate, out)
	}
}
