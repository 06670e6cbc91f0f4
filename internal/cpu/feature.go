package cpu

import (
	"math/bits"
	"strings"
)

// A Feature is a set of instruction-set features. A feature is in the set of a [CPU] only if the operating
// system saves the registers it works on, so its instructions can be executed.
type Feature uint64

// The features that kernels ask for.
const (
	// amd64. VAES and VPCLMULQDQ are the 256-bit forms, which need no AVX-512: the 512-bit forms are there
	// if AVX512F is in the set too.
	BMI1 Feature = 1 << iota
	BMI2
	AES
	PCLMULQDQ
	AVX
	AVX2
	AVX512F
	AVX512DQ
	AVX512BW
	AVX512VL
	VAES
	VPCLMULQDQ

	// arm64. SHA3 is FEAT_SHA3: EOR3, RAX1, XAR and BCAX as well as what their name says.
	ASIMD
	ARMAES
	ARMPMULL
	SHA3
)

// names has the name of each feature, in the order of the constants.
var names = [...]string{
	"BMI1", "BMI2", "AES", "PCLMULQDQ", "AVX", "AVX2", "AVX512F", "AVX512DQ", "AVX512BW", "AVX512VL", "VAES",
	"VPCLMULQDQ", "ASIMD", "AES", "PMULL", "SHA3",
}

// prerequisites has what a feature is unusable without, in an order such that no feature comes before one of
// its own prerequisites.
//
// BMI1 and BMI2 are absent: they are VEX-encoded, but work on general-purpose registers, and so need nothing
// of AVX and nothing of the operating system.
var prerequisites = [...]struct{ feature, needs Feature }{
	{AVX2, AVX},
	{VAES, AVX2 | AES},
	{VPCLMULQDQ, AVX2 | PCLMULQDQ},
	{AVX512F, AVX2},
	{AVX512DQ, AVX512F},
	{AVX512BW, AVX512F},
	{AVX512VL, AVX512F},
	{ARMAES, ASIMD},
	{ARMPMULL, ASIMD},
	{SHA3, ASIMD},
}

// usable returns f without the features whose prerequisites it lacks. Hypervisors hide features one at a
// time, and so does GODEBUG: neither takes care of what depends on them.
func (f Feature) usable() Feature {
	for _, p := range prerequisites {
		if !f.Has(p.needs) {
			f &^= p.feature
		}
	}
	return f
}

// Has reports whether every feature of want is in f.
func (f Feature) Has(want Feature) bool {
	return f&want == want
}

// String returns the names of the features in f, separated by a space, or "none".
func (f Feature) String() string {
	if f == 0 {
		return "none"
	}
	var list []string
	for ; f != 0; f &= f - 1 {
		list = append(list, names[bits.TrailingZeros64(uint64(f))])
	}
	return strings.Join(list, " ")
}
