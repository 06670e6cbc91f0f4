package cpu

import (
	"encoding/binary"
	"strings"
)

// Bits of CPUID leaf 1, ECX.
const (
	leaf1PCLMULQDQ = 1 << 1
	leaf1AES       = 1 << 25
	leaf1OSXSAVE   = 1 << 27
	leaf1AVX       = 1 << 28
)

// Bits of CPUID leaf 7, subleaf 0, EBX and ECX.
const (
	leaf7BMI1     = 1 << 3
	leaf7AVX2     = 1 << 5
	leaf7BMI2     = 1 << 8
	leaf7AVX512F  = 1 << 16
	leaf7AVX512DQ = 1 << 17
	leaf7AVX512BW = 1 << 30
	leaf7AVX512VL = 1 << 31

	leaf7VAES       = 1 << 9
	leaf7VPCLMULQDQ = 1 << 10
)

// Register state that the operating system saves, as extended control register 0 has it.
const (
	xcr0AVX    = 1<<1 | 1<<2                  // XMM registers, upper halves of YMM registers
	xcr0AVX512 = xcr0AVX | 1<<5 | 1<<6 | 1<<7 // and masks, upper halves of ZMM0 to 15, ZMM16 to 31
)

// ParseX86 returns the amd64 core on which, under the operating system goos, the instructions CPUID and
// XGETBV give the results that cpuid and xgetbv return. As with the instructions, cpuid is called for no leaf
// above the maximum that it reports, and xgetbv, which returns extended control register 0, only if CPUID
// allows it.
func ParseX86(goos string, cpuid func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32), xgetbv func() uint64) CPU {
	c := CPU{GOOS: goos, GOARCH: "amd64"}

	maxLeaf, ebx, ecx, edx := cpuid(0, 0)
	c.Vendor = registerString(ebx, edx, ecx)

	if maxExt, _, _, _ := cpuid(0x8000_0000, 0); maxExt >= 0x8000_0004 {
		var brand []uint32
		for leaf := uint32(0x8000_0002); leaf <= 0x8000_0004; leaf++ {
			eax, ebx, ecx, edx := cpuid(leaf, 0)
			brand = append(brand, eax, ebx, ecx, edx)
		}
		c.Name = registerString(brand...)
	}

	if maxLeaf < 1 {
		return c
	}
	eax, _, ecx, _ := cpuid(1, 0)
	c.Family, c.Model, c.Stepping = signature(eax)

	var f Feature
	set := func(feature Feature, register, bit uint32) {
		if register&bit != 0 {
			f |= feature
		}
	}
	set(AES, ecx, leaf1AES)
	set(PCLMULQDQ, ecx, leaf1PCLMULQDQ)
	set(AVX, ecx, leaf1AVX)
	if maxLeaf >= 7 {
		_, ebx, ecx, _ := cpuid(7, 0)
		set(BMI1, ebx, leaf7BMI1)
		set(BMI2, ebx, leaf7BMI2)
		set(AVX2, ebx, leaf7AVX2)
		set(AVX512F, ebx, leaf7AVX512F)
		set(AVX512DQ, ebx, leaf7AVX512DQ)
		set(AVX512BW, ebx, leaf7AVX512BW)
		set(AVX512VL, ebx, leaf7AVX512VL)
		set(VAES, ecx, leaf7VAES)
		set(VPCLMULQDQ, ecx, leaf7VPCLMULQDQ)
	}

	// What is wider than SSE depends on the operating system.
	var xcr0 uint64
	if ecx&leaf1OSXSAVE != 0 {
		xcr0 = xgetbv()
	}
	if xcr0&xcr0AVX != xcr0AVX {
		f &^= AVX
	}
	// Darwin turns the state on when a thread first uses it, and may lose the mask registers of a thread that
	// gets a signal: golang.org/issue/49233. XCR0 can't tell, so don't trust it there.
	if xcr0&xcr0AVX512 != xcr0AVX512 || goos == "darwin" || goos == "ios" {
		f &^= AVX512F
	}
	c.Features = f.usable()
	return c
}

// signature takes apart the EAX of CPUID leaf 1. Only the base fields that have run out of values are
// extended: the family when it is 15, the model from family 6 on.
func signature(eax uint32) (family, model, stepping int) {
	family = int(eax >> 8 & 0xf)
	if family == 0xf {
		family += int(eax >> 20 & 0xff)
	}
	model = int(eax >> 4 & 0xf)
	if family >= 6 {
		model |= int(eax >> 16 & 0xf << 4)
	}
	return family, model, int(eax & 0xf)
}

// registerString returns the text in the registers, which ends at the first NUL, if any, without the spaces
// that pad it.
func registerString(registers ...uint32) string {
	var b []byte
	for _, r := range registers {
		b = binary.LittleEndian.AppendUint32(b, r)
	}
	s, _, _ := strings.Cut(string(b), "\x00")
	return strings.Join(strings.Fields(s), " ")
}
