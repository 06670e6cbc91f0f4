package cpu

import "strings"

// options maps the names that GODEBUG has for features to the features. The standard library and
// golang.org/x/sys/cpu differ in the names of some: both are taken. A name that two architectures share
// stands for the features of both, as no core has more than one of them.
var options = map[string]Feature{
	"bmi1":             BMI1,
	"bmi2":             BMI2,
	"aes":              AES | ARMAES,
	"pclmulqdq":        PCLMULQDQ,
	"avx":              AVX,
	"avx2":             AVX2,
	"avx512":           AVX512F,
	"avx512f":          AVX512F,
	"avx512dq":         AVX512DQ,
	"avx512bw":         AVX512BW,
	"avx512vl":         AVX512VL,
	"vaes":             VAES,
	"avx512vaes":       VAES,
	"vpclmulqdq":       VPCLMULQDQ,
	"avx512vpclmulqdq": VPCLMULQDQ,

	"asimd": ASIMD,
	"pmull": ARMPMULL,
	"sha3":  SHA3,
}

// Obey returns c without the features that godebug, a value of the environment variable GODEBUG, turns off,
// and without those that can't be used then. They are in Off. As in Go's runtime, the last entry for a name wins, an entry
// that makes no sense is skipped, and none turns on what the core lacks.
func (c CPU) Obey(godebug string) CPU {
	all := c.Features
	off := make(map[string]bool)
	for field := range strings.SplitSeq(godebug, ",") {
		option, ok := strings.CutPrefix(field, "cpu.")
		if !ok {
			continue
		}
		name, value, _ := strings.Cut(option, "=")
		if value != "on" && value != "off" {
			continue
		}
		if name == "all" {
			for name := range options {
				off[name] = value == "off"
			}
		} else {
			off[name] = value == "off"
		}
	}
	for name, feature := range options {
		if off[name] {
			c.Features &^= feature
		}
	}
	c.Features = c.Features.usable()
	c.Off |= all &^ c.Features
	return c
}
