package cpu

import (
	"encoding/binary"
	"maps"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// all has every feature of one architecture.
const (
	allAMD64 = BMI1 | BMI2 | AES | PCLMULQDQ | AVX | AVX2 | AVX512F | AVX512DQ | AVX512BW | AVX512VL | VAES | VPCLMULQDQ
	allARM64 = ASIMD | ARMAES | ARMPMULL | SHA3
)

func TestFeatureString(t *testing.T) {
	tests := map[Feature]string{
		0:                        "none",
		AVX512F | VAES:           "AVX512F VAES",
		ARMAES | ARMPMULL | SHA3: "AES PMULL SHA3",
		allAMD64:                 "BMI1 BMI2 AES PCLMULQDQ AVX AVX2 AVX512F AVX512DQ AVX512BW AVX512VL VAES VPCLMULQDQ",
		allARM64:                 "ASIMD AES PMULL SHA3",
	}
	for f, want := range tests {
		if got := f.String(); got != want {
			t.Errorf("Feature(%#x).String() = %q, want %q", uint64(f), got, want)
		}
	}
}

func TestFeatureHas(t *testing.T) {
	f := AVX | AVX2
	for want, has := range map[Feature]bool{
		0: true, AVX: true, AVX | AVX2: true, VAES: false, AVX | VAES: false, allAMD64: false,
	} {
		if f.Has(want) != has {
			t.Errorf("(%v).Has(%v) = %v", f, want, !has)
		}
	}
}

func TestSignature(t *testing.T) {
	tests := []struct {
		name                    string
		eax                     uint32
		family, model, stepping int
	}{
		{"Pentium", 0x00000543, 5, 4, 3},
		{"K6, extended model unused", 0x000F0580, 5, 8, 0},
		{"Westmere", 0x000206C2, 6, 0x2C, 2},
		{"Sapphire Rapids", 0x000806F8, 6, 0x8F, 8},
		{"Sapphire Rapids, extended family unused", 0x0FF806F8, 6, 0x8F, 8},
		{"Pentium 4", 0x00000F43, 15, 4, 3},
		{"Zen 2", 0x00870F10, 0x17, 0x71, 0},
		{"Zen 5", 0x00B00F21, 0x1A, 2, 1},
		{"Diamond Rapids", 0x00400F10, 0x13, 1, 0},
		{"Zhaoxin KX-6000", 0x000307B0, 7, 0x3B, 0},
	}
	for _, test := range tests {
		family, model, stepping := signature(test.eax)
		if family != test.family || model != test.model || stepping != test.stepping {
			t.Errorf("%s: signature(%#08x) = %#x, %#x, %d, want %#x, %#x, %d", test.name, test.eax,
				family, model, stepping, test.family, test.model, test.stepping)
		}
	}
}

// TestOperatingSystemState gives every combination of the states of XCR0 to a core that has everything.
func TestOperatingSystemState(t *testing.T) {
	const (
		noState  = BMI1 | BMI2 | AES | PCLMULQDQ
		ymmState = noState | AVX | AVX2 | VAES | VPCLMULQDQ
	)
	for _, goos := range []string{"linux", "windows", "darwin", "ios"} {
		for xcr0 := range uint64(0x400) {
			want := noState
			if xcr0&0x06 == 0x06 {
				want = ymmState
				if xcr0&0xe0 == 0xe0 && goos != "darwin" && goos != "ios" {
					want = allAMD64
				}
			}
			c := ParseX86(goos, everything, func() uint64 { return xcr0 })
			if c.Features != want {
				t.Fatalf("%s, XCR0 %#x:\n got %v\nwant %v", goos, xcr0, c.Features, want)
			}
		}
	}
}

// everything is a CPUID with all bits set, which has the text "\xff" for vendor.
func everything(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32) {
	const ones = 1<<32 - 1
	return ones, ones, ones, ones
}

// TestParseX86Bits clears one bit at a time of a core that has everything.
func TestParseX86Bits(t *testing.T) {
	features := map[[3]int]Feature{ // leaf, register, bit
		{1, 2, 1}:  PCLMULQDQ,
		{1, 2, 25}: AES,
		{1, 2, 28}: AVX,
		{7, 1, 3}:  BMI1,
		{7, 1, 5}:  AVX2,
		{7, 1, 8}:  BMI2,
		{7, 1, 16}: AVX512F,
		{7, 1, 17}: AVX512DQ,
		{7, 1, 30}: AVX512BW,
		{7, 1, 31}: AVX512VL,
		{7, 2, 9}:  VAES,
		{7, 2, 10}: VPCLMULQDQ,

		{1, 2, 27}: AVX, // OSXSAVE
	}
	for _, leaf := range []int{1, 7} {
		for register := range 4 {
			for bit := range 32 {
				cpuid := func(l, subleaf uint32) (eax, ebx, ecx, edx uint32) {
					r := [4]uint32{1<<32 - 1, 1<<32 - 1, 1<<32 - 1, 1<<32 - 1}
					if int(l) == leaf {
						r[register] &^= 1 << bit
					}
					return r[0], r[1], r[2], r[3]
				}
				got := ParseX86("linux", cpuid, func() uint64 { return 0xe7 }).Features
				want := (allAMD64 &^ features[[3]int{leaf, register, bit}]).usable()
				if got != want {
					t.Errorf("leaf %d, register %d without bit %d:\n got %v\nwant %v", leaf, register, bit, got, want)
				}
			}
		}
	}
}

func TestParseX86Text(t *testing.T) {
	word := func(s string) uint32 { return binary.LittleEndian.Uint32([]byte(s)) }
	cpuid := func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32) {
		switch leaf {
		case 0:
			return 0, word("  Sh"), word("ai  "), word("angh")
		case 0x8000_0000:
			return 0x8000_0004, 0, 0, 0
		case 0x8000_0002:
			return word("   A"), word("  br"), word("and "), word("  of")
		case 0x8000_0003:
			return word("thre"), word("e le"), word("aves"), word("    ")
		case 0x8000_0004:
			return word("  \x00g"), word("arba"), word("ge, "), word("here")
		}
		t.Errorf("leaf %#x is above the maximum", leaf)
		return
	}
	c := ParseX86("linux", cpuid, func() uint64 { t.Error("XGETBV without OSXSAVE"); return 0 })
	if want := "Shanghai (A brand ofthree leaves)"; c.String() != want {
		t.Errorf("got %q, want %q", c, want)
	}
	if c.Features != 0 || c.Family != 0 {
		t.Errorf("got family %d, features %v without leaf 1", c.Family, c.Features)
	}
}

func TestObey(t *testing.T) {
	const avx512 = AVX512F | AVX512DQ | AVX512BW | AVX512VL
	tests := []struct {
		godebug string
		off     Feature // of allAMD64 and allARM64
	}{
		{"", 0},
		{"cpu.bmi1=off", BMI1},
		{"cpu.bmi2=off", BMI2},
		{"cpu.avx=off", AVX | AVX2 | avx512 | VAES | VPCLMULQDQ},
		{"cpu.avx2=off", AVX2 | avx512 | VAES | VPCLMULQDQ},
		{"cpu.avx512f=off", avx512}, // VAES and VPCLMULQDQ have 256-bit forms
		{"cpu.avx512=off", avx512},
		{"cpu.avx512dq=off", AVX512DQ},
		{"cpu.avx512bw=off", AVX512BW},
		{"cpu.avx512vl=off", AVX512VL},
		{"cpu.pclmulqdq=off", PCLMULQDQ | VPCLMULQDQ},
		{"cpu.vaes=off", VAES},
		{"cpu.avx512vaes=off", VAES},
		{"cpu.vpclmulqdq=off", VPCLMULQDQ},
		{"cpu.avx512vpclmulqdq=off", VPCLMULQDQ},
		{"cpu.aes=off", AES | VAES | ARMAES},
		{"cpu.asimd=off", allARM64},
		{"cpu.pmull=off", ARMPMULL},
		{"cpu.sha3=off", SHA3},
		{"cpu.all=off", allAMD64 | allARM64},
		{"madvdontneed=1,cpu.avx512vl=off,cpu.bmi2=off,gctrace=1", AVX512VL | BMI2},

		// The last entry for a name wins, and dependencies are looked at in the end.
		{"cpu.avx2=off,cpu.avx2=on", 0},
		{"cpu.avx2=on,cpu.avx2=off", AVX2 | avx512 | VAES | VPCLMULQDQ},
		{"cpu.all=off,cpu.all=on", 0},
		{"cpu.bmi2=off,cpu.all=on", 0},
		{"cpu.all=off,cpu.bmi2=on,cpu.sha3=on,cpu.avx2=on", (allAMD64 | allARM64) &^ BMI2},
		{"cpu.vpclmulqdq=off,cpu.avx512vpclmulqdq=on", VPCLMULQDQ},

		// What makes no sense is skipped, without harm to the rest.
		{"cpu.avx2", 0},
		{"cpu.avx2=", 0},
		{"cpu.avx2=0", 0},
		{"cpu.avx2=OFF", 0},
		{"cpu.avx2=off=on", 0},
		{"cpu.AVX2=off", 0},
		{" cpu.avx2=off", 0},
		{"cpu.avx2=off ", 0},
		{"cpuavx2=off", 0},
		{"avx2=off", 0},
		{"cpu.=off,cpu.nonesuch=off,cpu,=,,cpu.bmi1=off", BMI1},
	}
	for _, test := range tests {
		for _, f := range []Feature{allAMD64, allARM64} {
			got := CPU{Features: f}.Obey(test.godebug)
			if want := f &^ test.off; got.Features != want || got.Off != f&test.off {
				t.Errorf("%v.Obey(%q):\n got %v, off %v\nwant %v, off %v", f, test.godebug, got.Features, got.Off, want, f&test.off)
			}
		}
	}

	// Nothing turns on what isn't there.
	if got := (CPU{Features: AVX}).Obey("cpu.all=on,cpu.avx2=on").Features; got != AVX {
		t.Errorf("got %v, want AVX", got)
	}
	// All else stays.
	c := CPU{GOOS: "linux", GOARCH: "amd64", Vendor: "AuthenticAMD", Name: "a name", Family: 26, Model: 2, Stepping: 1}
	if got := c.Obey("cpu.all=off"); got.String() != c.String() || got.GOOS != c.GOOS || got.GOARCH != c.GOARCH ||
		got.Stepping != c.Stepping {
		t.Errorf("got %+v, want %+v", got, c)
	}
}

// TestUsable compares usable, which goes over the prerequisites once, with going over them until nothing
// changes, for every set of features of amd64 together with some of arm64.
func TestUsable(t *testing.T) {
	for f := range allAMD64 + 1 {
		f |= f * ASIMD & allARM64
		want := f
		for before := ^want; before != want; {
			before = want
			for _, p := range prerequisites {
				if want&p.needs != p.needs {
					want &^= p.feature
				}
			}
		}
		if got := f.usable(); got != want {
			t.Fatalf("(%v).usable() = %v, want %v", f, got, want)
		}
	}
}

func TestMIDR(t *testing.T) {
	m := MIDR(0x413FD0C1)
	if m.Implementer() != 0x41 || m.Part() != 0xD0C || m.Name() != "Neoverse N1" || m.String() != "0x41/0xD0C" {
		t.Errorf("got %#x, %#x, %q, %q", m.Implementer(), m.Part(), m.Name(), m)
	}
	// A number means nothing without its implementer.
	if m := MIDR(0x613FD0C1); m.Name() != "" {
		t.Errorf("%v.Name() = %q", m, m.Name())
	}
}

func TestParseARM64(t *testing.T) {
	midr := []MIDR{0x414FD0B0, 0x412FD050, 0x414FD0B1, 0x414FD0B0}
	argument := slices.Clone(midr)
	c := ParseARM64("linux", allARM64, argument)
	if want := []MIDR{0x412FD050, 0x414FD0B0, 0x414FD0B1}; !slices.Equal(c.MIDR, want) {
		t.Errorf("got MIDR %#x, want %#x", c.MIDR, want)
	}
	if want := "Cortex-A55 + Cortex-A76"; c.Name != want {
		t.Errorf("got name %q, want %q", c.Name, want)
	}
	if !slices.Equal(argument, midr) {
		t.Errorf("the argument became %#x", argument)
	}
	if c := ParseARM64("linux", SHA3|ARMAES, nil); c.Features != 0 {
		t.Errorf("got %v without ASIMD", c.Features)
	}
}

func TestHost(t *testing.T) {
	c := Host()
	t.Logf("%s/%s, %v, %v", c.GOOS, c.GOARCH, c, c.Features)
	if c.GOOS != runtime.GOOS || c.GOARCH != runtime.GOARCH {
		t.Errorf("got %s/%s, want %s/%s", c.GOOS, c.GOARCH, runtime.GOOS, runtime.GOARCH)
	}
	if c.Features != c.Features.usable() {
		t.Errorf("%v have not all that they need", c.Features)
	}
}

// FuzzParseX86 feeds a CPUID of arbitrary values. A record of 4 bytes for the leaf and 4 for each of the
// registers gives the result for a leaf; others are 0.
func FuzzParseX86(f *testing.F) {
	record := func(leaf, eax, ebx, ecx, edx uint32) []byte {
		var b []byte
		for _, v := range []uint32{leaf, eax, ebx, ecx, edx} {
			b = binary.LittleEndian.AppendUint32(b, v)
		}
		return b
	}
	f.Add("linux", uint64(0xe7), slices.Concat(
		record(0, 0xd, 0x68747541, 0x444d4163, 0x69746e65),
		record(1, 0x00b00f21, 0x75fe0800, 0xfed83203, 0x178bfbff),
		record(7, 1, 0xf1bb03a9, 0x18005f42, 0x110),
		record(0x8000_0000, 0x8000_0004, 0, 0, 0)))
	f.Add("darwin", uint64(7), record(0, 0, 0, 0, 0))

	f.Fuzz(func(t *testing.T, goos string, xcr0 uint64, data []byte) {
		leaves := make(map[uint32][4]uint32)
		for record := range slices.Chunk(data, 20) {
			if len(record) < 20 {
				break
			}
			var r [5]uint32
			for i := range r {
				r[i] = binary.LittleEndian.Uint32(record[4*i:])
			}
			leaves[r[0]] = [4]uint32(r[1:])
		}
		asked := make(map[uint32]bool)
		c := ParseX86(goos,
			func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32) {
				asked[leaf] = true
				l := leaves[leaf]
				return l[0], l[1], l[2], l[3]
			},
			func() uint64 {
				if leaves[1][2]&leaf1OSXSAVE == 0 {
					t.Error("XGETBV without OSXSAVE")
				}
				return xcr0
			})

		if c.Features != c.Features.usable() {
			t.Errorf("%v have not all that they need", c.Features)
		}
		if !allAMD64.Has(c.Features) {
			t.Errorf("%v aren't all of amd64", c.Features)
		}
		for leaf := range maps.Keys(asked) {
			base := leaf & 0x8000_0000
			if leaf != base && leaf > leaves[base][0] {
				t.Errorf("leaf %#x is above the maximum, %#x", leaf, leaves[base][0])
			}
		}
		if strings.Contains(c.String(), "\n") {
			t.Errorf("%q isn't one line", c)
		}
	})
}
