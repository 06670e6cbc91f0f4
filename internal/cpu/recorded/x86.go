package recorded

import "maps"

// Values of extended control register 0.
const (
	noXSAVE  = 0
	sseState = 0x3
	ymmState = 0x7
	zmmState = 0xe7
)

// Results of leaf 0x8000_0000, the maximum extended leaf.
var (
	intelBrand = registers{0x8000_0008}
	noBrand    = registers{0x8000_0001}
)

// intel and amd return the result of leaf 0, the maximum basic leaf and the vendor.
func intel(maxLeaf uint32) registers {
	return registers{maxLeaf, 0x756e6547, 0x6c65746e, 0x49656e69}
}

func amd(maxLeaf uint32) registers {
	return registers{maxLeaf, 0x68747541, 0x444d4163, 0x69746e65}
}

// with returns a copy of l in which one leaf differs.
func (l leaves) with(leaf uint32, r registers) leaves {
	l = maps.Clone(l)
	l[leaf] = r
	return l
}

// without returns a copy of l in which some bits of a register are clear.
func (l leaves) without(leaf uint32, register int, bits uint32) leaves {
	r := l[leaf]
	r[register] &^= bits
	return l.with(leaf, r)
}

// Registers, in the order of CPUID.
const (
	ebx = 1
	ecx = 2
)

// Dumps of real cores, most of them from the collections that accompany InstLatx64 and libcpuid. The first
// core of a machine stands for all.
var (
	westmere = leaves{ // Xeon X5650
		0:           intel(0xb),
		1:           {0x000206c2, 0x00200800, 0x029ee3ff, 0xbfebfbff},
		7:           {},
		0x8000_0000: intelBrand,
		0x8000_0002: {0x65746e49, 0x2952286c, 0x6f655820, 0x2952286e},
		0x8000_0003: {0x55504320, 0x20202020, 0x20202020, 0x58202020},
		0x8000_0004: {0x30353635, 0x20402020, 0x37362e32, 0x007a4847},
	}
	sandyBridge = leaves{ // Core i7-2600K
		0:           intel(0xd),
		1:           {0x000206a7, 0x00100800, 0x1f9ae3bf, 0xbfebfbff},
		7:           {},
		0x8000_0000: intelBrand,
		0x8000_0002: {0x20202020, 0x49202020, 0x6c65746e, 0x20295228},
		0x8000_0003: {0x65726f43, 0x294d5428, 0x2d376920, 0x30303632},
		0x8000_0004: {0x5043204b, 0x20402055, 0x30342e33, 0x007a4847},
	}
	haswell = leaves{ // Core i7-4710MQ
		0:           intel(0xd),
		1:           {0x000306c3, 0x03100800, 0x7fdafbbf, 0xbfebfbff},
		7:           {0x00000000, 0x000027ab, 0x00000000, 0x00000000},
		0x8000_0000: intelBrand,
		0x8000_0002: {0x65746e49, 0x2952286c, 0x726f4320, 0x4d542865},
		0x8000_0003: {0x37692029, 0x3137342d, 0x20514d30, 0x20555043},
		0x8000_0004: {0x2e322040, 0x48473035, 0x0000007a, 0x00000000},
	}
	skylakeX = leaves{ // Core i7-7800X
		0:           intel(0x16),
		1:           {0x00050654, 0x0a100800, 0x7ffefbbf, 0xbfebfbff},
		7:           {0x00000000, 0xd39ffffb, 0x00000000, 0x0c000000},
		0x8000_0000: intelBrand,
		0x8000_0002: {0x65746e49, 0x2952286c, 0x726f4320, 0x4d542865},
		0x8000_0003: {0x37692029, 0x3038372d, 0x43205830, 0x40205550},
		0x8000_0004: {0x352e3320, 0x7a484730, 0x00000000, 0x00000000},
	}
	iceLakeD = leaves{ // Xeon D-1718T
		0:           intel(0x1b),
		1:           {0x000606c1, 0x00200800, 0xfffaf387, 0xbfebfbff},
		7:           {0x00000000, 0xf3bfbfb9, 0x00415f46, 0xbc000410},
		0x8000_0000: intelBrand,
		0x8000_0002: {0x65746e49, 0x2952286c, 0x6f655820, 0x2952286e},
		0x8000_0003: {0x312d4420, 0x54383137, 0x55504320, 0x32204020},
		0x8000_0004: {0x4730362e, 0x00007a48, 0x00000000, 0x00000000},
	}
	iceLakeGuest = leaves{ // Xeon Platinum 8370C, of which Hyper-V hides VAES and VPCLMULQDQ
		0:           intel(0x15),
		1:           {0x000606a6, 0x00400800, 0xfeda3223, 0x1f8bfbff},
		7:           {0x00000000, 0xd09f2fb9, 0x00000000, 0x00000400},
		0x8000_0000: intelBrand,
		0x8000_0002: {0x65746e49, 0x2952286c, 0x6f655820, 0x2952286e},
		0x8000_0003: {0x616c5020, 0x756e6974, 0x3338206d, 0x20433037},
		0x8000_0004: {0x20555043, 0x2e322040, 0x48473038, 0x0000007a},
	}
	tigerLake = leaves{ // Core i5-1135G7
		0:           intel(0x1b),
		1:           {0x000806c1, 0x03100800, 0x7ffafbbf, 0xbfebfbff},
		7:           {0x00000000, 0xf3bfa7eb, 0x18c05fde, 0xfc100510},
		0x8000_0000: intelBrand,
		0x8000_0002: {0x68743131, 0x6e654720, 0x746e4920, 0x52286c65},
		0x8000_0003: {0x6f432029, 0x54286572, 0x6920294d, 0x31312d35},
		0x8000_0004: {0x37473533, 0x32204020, 0x4730342e, 0x00007a48},
	}
	rocketLake = leaves{ // Core i7-11700KF
		0:           intel(0x1b),
		1:           {0x000a0671, 0x00100800, 0x7ffafbbf, 0xbfebfbff},
		7:           {0x00000000, 0xf2bf67eb, 0x00405f4e, 0xbc000410},
		0x8000_0000: intelBrand,
		0x8000_0002: {0x68743131, 0x6e654720, 0x746e4920, 0x52286c65},
		0x8000_0003: {0x6f432029, 0x54286572, 0x6920294d, 0x31312d37},
		0x8000_0004: {0x4b303037, 0x20402046, 0x30362e33, 0x007a4847},
	}
	alderLake = leaves{ // Core i9-12900K
		0:           intel(0x20),
		1:           {0x00090672, 0x00800800, 0x7ffafbff, 0xbfebfbff},
		7:           {0x00000001, 0x239ca7eb, 0x98c027ac, 0xfc1cc410},
		0x8000_0000: intelBrand,
		0x8000_0002: {0x68743231, 0x6e654720, 0x746e4920, 0x52286c65},
		0x8000_0003: {0x6f432029, 0x54286572, 0x6920294d, 0x32312d39},
		0x8000_0004: {0x4b303039, 0x00000000, 0x00000000, 0x00000000},
	}
	graniteRapids = leaves{ // Xeon 6985P-C; the dump lacks what isn't leaf 1 or 7
		0:           intel(0x23),
		1:           {0x000a06d1, 0x00ff0800, 0x7ffefbff, 0xbfebfbff},
		7:           {0x00000002, 0xf3bfbfff, 0xfb417ffe, 0xffdd4432},
		0x8000_0000: noBrand,
	}

	zen2 = leaves{ // Ryzen 9 PRO 3900
		0:           amd(0x10),
		1:           {0x00870f10, 0x00180800, 0x7ed8320b, 0x178bfbff},
		7:           {0x00000000, 0x219c91a9, 0x00400004, 0x00000000},
		0x8000_0000: amd(0x8000_0020),
		0x8000_0002: {0x20444d41, 0x657a7952, 0x2039206e, 0x204f5250},
		0x8000_0003: {0x30303933, 0x2d323120, 0x65726f43, 0x6f725020},
		0x8000_0004: {0x73736563, 0x2020726f, 0x20202020, 0x00202020},
	}
	zen3 = leaves{ // EPYC 7713
		0:           amd(0x10),
		1:           {0x00a00f11, 0x00800800, 0x7eda320b, 0x178bfbff},
		7:           {0x00000000, 0x219c97a9, 0x0040068c, 0x00000010},
		0x8000_0000: amd(0x8000_0023),
		0x8000_0002: {0x20444d41, 0x43595045, 0x31373720, 0x34362033},
		0x8000_0003: {0x726f432d, 0x72502065, 0x7365636f, 0x20726f73},
		0x8000_0004: {0x20202020, 0x20202020, 0x20202020, 0x00202020},
	}
	zen4 = leaves{ // EPYC 9124
		0:           amd(0x10),
		1:           {0x00a10f11, 0x00200800, 0x7efa320b, 0x178bfbff},
		7:           {0x00000001, 0xf1bf97a9, 0x00415fce, 0x10000010},
		0x8000_0000: amd(0x8000_0028),
		0x8000_0002: {0x20444d41, 0x43595045, 0x32313920, 0x36312034},
		0x8000_0003: {0x726f432d, 0x72502065, 0x7365636f, 0x20726f73},
		0x8000_0004: {0x20202020, 0x20202020, 0x20202020, 0x00202020},
	}
	zen5 = leaves{ // EPYC 9005 under a hypervisor, read by this package, without the hypervisor's brand string
		0:           amd(0xd),
		1:           {0x00b00f21, 0x75fe0800, 0xfed83203, 0x178bfbff},
		7:           {0x00000001, 0xf1bb03a9, 0x18005f42, 0x00000110},
		0x8000_0000: amd(0x8000_0000),
	}
)

// Composed cores: the signature and the feature bits are documented, the rest is not of interest.
var (
	knightsLanding = leaves{ // AVX-512 without the extensions that later cores have
		0:           intel(0xd),
		1:           {0x00050671, 0x00100800, 0x7ff8f3bf, 0xbfebfbff},
		7:           {0x00000000, 0x1c0d23ab, 0x00000000, 0x00000000},
		0x8000_0000: noBrand,
	}
	iceLakeClient = tigerLake.
			with(1, registers{0x000706e5, 0x00100800, 0x7ffafbbf, 0xbfebfbff}).
			with(0x8000_0000, noBrand)
	iceLakeSP = iceLakeD.
			with(1, registers{0x000606a6, 0x00800800, 0x7ffefbff, 0xbfebfbff}).
			with(0x8000_0000, noBrand)
	sapphireRapids = graniteRapids.
			with(1, registers{0x000806f8, 0x48400800, 0x7ffefbff, 0xbfebfbff})
)

// Bits of leaf 1, ECX, and of leaf 7, EBX and ECX.
const (
	osxsave    = 1 << 27
	bmi2       = 1 << 8
	avx512f    = 1 << 16
	vpclmulqdq = 1 << 10
)

func x86Cores() []Core {
	return []Core{
		x86("Westmere", "linux", westmere, noXSAVE),
		x86("Sandy Bridge", "linux", sandyBridge, ymmState),
		x86("Haswell", "linux", haswell, ymmState),
		x86("Knights Landing", "linux", knightsLanding, zmmState),
		x86("Skylake-X", "linux", skylakeX, zmmState),
		x86("Ice Lake", "linux", iceLakeClient, zmmState),
		x86("Ice Lake-SP", "linux", iceLakeSP, zmmState),
		x86("Ice Lake-D", "windows", iceLakeD, zmmState),
		x86("Tiger Lake", "linux", tigerLake, zmmState),
		x86("Rocket Lake", "linux", rocketLake, zmmState),
		x86("Alder Lake", "linux", alderLake, ymmState),
		x86("Sapphire Rapids", "linux", sapphireRapids, zmmState),
		x86("Granite Rapids", "linux", graniteRapids, zmmState),
		x86("Zen 2", "linux", zen2, ymmState),
		x86("Zen 3", "linux", zen3, ymmState),
		x86("Zen 4", "linux", zen4, zmmState),
		x86("Zen 5", "linux", zen5, zmmState),

		// Darwin shows these bits of XCR0 once a thread has used AVX-512.
		x86("Ice Lake, macOS", "darwin", iceLakeClient, zmmState),

		// What hypervisors, emulators and boot options make of them.
		x86("Ice Lake-SP, Hyper-V", "linux", iceLakeGuest, zmmState),
		x86("Haswell without BMI2", "linux", haswell.without(7, ebx, bmi2), ymmState),
		x86("Zen 3 without VPCLMULQDQ", "linux", zen3.without(7, ecx, vpclmulqdq), ymmState),
		x86("Zen 4 without AVX512F", "linux", zen4.without(7, ebx, avx512f), zmmState),
		x86("Sapphire Rapids without ZMM state", "linux", sapphireRapids, ymmState),
		x86("Sapphire Rapids without YMM state", "linux", sapphireRapids, sseState),
		x86("Tiger Lake without XSAVE", "windows", tigerLake.without(1, ecx, osxsave), noXSAVE),
		x86("Tiger Lake with CPUID limited", "windows", tigerLake.with(0, intel(3)), zmmState),
	}
}
