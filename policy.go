package percore

import (
	"fmt"
	"slices"
	"strings"

	"percore/internal/cpu"
)

// CPU is what a core is and what it can do.
type CPU = cpu.CPU

// A Choice is the kernel of each algorithm and why it was chosen.
type Choice struct {
	SHA3, GCM Decision
	Batch     Decision // SHA-3 of many messages at once

	// Aside is why percore leaves everything to the standard library (see Selected), or "".
	Aside string

	// Registry is the package whose SHA-3 package crypto hands out, or more than one separated
	// by commas, or "none". Default leaves it empty.
	Registry string
}

// A Decision is the kernel of one algorithm and why it was chosen.
type Decision struct {
	Kernel string
	Reason string
	Source string   // who found out, or where it can be read
	Passed []string // the kernels that are preferred to Kernel, each with why it can't be it
	From   int      // of a batch: the smallest number of messages for which Kernel is used, or 0
}

// A kernel is one implementation of an algorithm.
type kernel struct {
	algorithm, name string
	goarch          string // where it exists, "" for everywhere
	needs           cpu.Feature
	from            int // of a batch: the smallest number of messages that it is faster for
}

var kernels = []kernel{
	{algorithm: "sha3", name: "std"},
	{algorithm: "sha3", name: "generic"},
	{algorithm: "sha3", name: "gpr", goarch: "arm64"},
	{algorithm: "sha3", name: "plain", goarch: "arm64"},
	{algorithm: "sha3", name: "simd", goarch: "arm64", needs: cpu.SHA3},
	{algorithm: "sha3", name: "bmi2", goarch: "amd64", needs: cpu.BMI1 | cpu.BMI2},
	{algorithm: "sha3", name: "avx512", goarch: "amd64", needs: cpu.AVX512F | cpu.AVX512VL | cpu.BMI1 | cpu.BMI2},
	{algorithm: "batch", name: "single"},
	{algorithm: "batch", name: "avx2", goarch: "amd64", needs: cpu.AVX2, from: 3},
	{algorithm: "batch", name: "avx512", goarch: "amd64", needs: cpu.AVX512F | cpu.AVX512BW | cpu.BMI1 | cpu.BMI2, from: 2},
	{algorithm: "batch", name: "simd", goarch: "arm64", needs: cpu.SHA3, from: 2},
	{algorithm: "gcm", name: "std"},
	{algorithm: "gcm", name: "vaes256", goarch: "amd64", needs: cpu.AVX2 | cpu.VAES | cpu.VPCLMULQDQ},
	{algorithm: "gcm", name: "vaes512", goarch: "amd64", needs: cpu.AVX512F | cpu.AVX512DQ | cpu.AVX512BW | cpu.AVX512VL |
		cpu.VAES | cpu.VPCLMULQDQ | cpu.BMI2},
}

// find returns the kernel of that name, or nil.
func find(algorithm, name string) *kernel {
	i := slices.IndexFunc(kernels, func(k kernel) bool { return k.algorithm == algorithm && k.name == name })
	if i < 0 {
		return nil
	}
	return &kernels[i]
}

// lacks says why c can't run k in this build, or returns "".
func (k *kernel) lacks(c CPU) string {
	switch {
	case k.goarch != "" && k.goarch != c.GOARCH:
		return "it exists on " + k.goarch + " only"
	case k.goarch != "" && purego:
		return "the build has the tag purego"
	case !(c.Features | c.Off).Has(k.needs):
		return fmt.Sprintf("this core lacks the %v instructions", k.needs&^(c.Features|c.Off))
	case !c.Features.Has(k.needs):
		return fmt.Sprintf("GODEBUG turns off the %v instructions", k.needs&^c.Features)
	}
	return ""
}

// A row says which kernels suit some cores, the best first. The last one needs nothing.
type row struct {
	cores          func(CPU) bool
	kernels        []string
	reason, source string
}

// The rows are tried in order.

var sha3Rows = []row{
	{
		both(apple, appleOS), []string{"simd", "std"},
		"Apple's cores run the SHA3 instructions on every vector unit, and the standard library uses them here",
		"OpenJDK JDK-8359256; OpenSSL PR 21398: M1 651 to 891 MB/s; mlkem-native PR 153",
	},
	{
		apple, []string{"simd", "generic"},
		"Apple's cores run the SHA3 instructions on every vector unit",
		"OpenJDK JDK-8359256; OpenSSL PR 21398: M1 651 to 891 MB/s; mlkem-native PR 153",
	},
	{
		anonymousGuest, []string{"simd", "generic"},
		"a nameless arm64 core with the SHA3 instructions is a virtual machine on an Apple host",
		"docker/for-mac issue 6512, cpufetch issue 229; inferred",
	},
	{
		arm("Oryon"), []string{"simd", "generic"},
		"the SHA3 instructions win by up to 15 % here",
		"OpenSSL PR 27503; JDK 26 treats Qualcomm as it does Apple",
	},
	{
		arm("Olympus"), []string{"simd", "generic"},
		"the SHA3 instructions win here",
		"OpenSSL, crypto/armcap.c",
	},
	{
		arm("Neoverse V3", "Neoverse V3AE", "Cortex-X4"), []string{"gpr", "generic"},
		"disputed: four SHA3 pipes, but twice as many for general-purpose registers, which take an estimated 0.8 of the time",
		"llvm-mca 22 on percore's kernels: 367 cycles against 466; AWS-LC takes the same for one state, mlkem-native PR 1784 the other",
	},
	{
		arm("Cortex-A720"), []string{"gpr", "generic"},
		"two SHA3 pipes of latency 2: near a tie, and general-purpose registers never lose much",
		"Arm's optimization guide; inferred",
	},
	{
		arm("Neoverse V2", "Neoverse V1", "Neoverse N2", "Cortex-X2", "Cortex-A710", "Cortex-A715"), []string{"gpr", "generic"},
		"one SHA3 pipe: the SHA3 instructions lose to general-purpose registers by a factor of two",
		"keccak-asm issue 15: Graviton 4, 286 ns against 573 ns; OpenJDK PR 24260",
	},
	{
		arm("Neoverse N1", "Cortex-A76", "Cortex-A77", "Cortex-A78", "Cortex-X1"), []string{"gpr", "generic"},
		"no SHA3 instructions; general-purpose registers gain 28 to 54 % over compiled code",
		"OpenJDK JDK-8337666",
	},
	{
		arm("Cortex-A53", "Cortex-A55", "Cortex-A510"), []string{"gpr", "generic"},
		"rotated operands cost an in-order core nothing: 1418 cycles against 1935 compiled on a Cortex-A55",
		"pqax, the code of IACR eprint 2022/1243",
	},
	{
		arm("Cortex-A72", "Cortex-A57", "ThunderX", "ThunderX2"), []string{"plain", "generic"},
		"rotated operands cost extra here: a kernel with rotations of its own takes an estimated 0.7 of the time of compiled code or less",
		"AWS-LC and mlkem-native (SLOW_BARREL_SHIFTER); llvm-mca 22 for Cortex-A72: 1276 cycles, 1894 or more compiled",
	},
	{
		goarch("arm64"), []string{"gpr", "generic"},
		"nothing is published for this core, or its cores differ: general-purpose registers are the safe side",
		"inferred",
	},
	{
		amd(0x1A), []string{"avx512", "bmi2", "generic"},
		"vector and general-purpose registers together take 0.75 of the time of general-purpose registers alone, and those 0.8 of compiled Go's",
		"`go test -bench Absorb ./internal/asm/keccak` on a Zen 5",
	},
	{
		both(amd(0x19), features(cpu.AVX512F)), []string{"avx512", "bmi2", "std"},
		"AVX-512 wins on Zen 4; percore's kernel, which shares the work with general-purpose registers, was not measured there",
		"keccak-asm PR 18",
	},
	{
		intel(0x8C, 0x8D), []string{"avx512", "bmi2", "std"},
		"AVX-512 gains 20 to 25 % over BMI2 on Tiger Lake; percore's kernel was not measured there",
		"botan PR 5187",
	},
	{
		both(goarch("amd64"), features(cpu.BMI1|cpu.BMI2)), []string{"bmi2", "std"},
		"RORX and ANDN save instructions: 8 to 15 % over older assembly",
		"go-ethereum PR 33879",
	},
	{
		goarch("amd64"), []string{"std"},
		"without BMI2 the standard library's assembly is as good as any",
		"inferred",
	},
	{
		goarch("s390x"), []string{"std"},
		"the standard library uses the machine's own SHA-3 instructions",
		"Go, crypto/internal/fips140/sha3/sha3_s390x.go",
	},
	{
		everywhere, []string{"generic"},
		"compiled Go here and in the standard library; percore's takes runs of blocks in one call",
		"Go, crypto/internal/fips140/sha3/sha3_noasm.go",
	},
}

var gcmRows = []row{
	{
		intel(0x6A, 0x6C, 0x7D, 0x7E, 0x8C, 0x8D, 0x9D), []string{"vaes256", "std"},
		"512-bit vectors lower the clock of Ice Lake and Tiger Lake",
		"Linux, arch/x86/crypto/aesni-intel_glue.c; BoringSSL, crypto/cpu_intel.cc",
	},
	{
		both(goarch("amd64"), features(cpu.AVX512F|cpu.VAES)), []string{"vaes512", "vaes256", "std"},
		"512-bit vectors run at full clock: AES-256-GCM gains 89 to 157 % over AES-NI at 4 KiB and more, on Zen 5 more still",
		"Linux commits b06affb1cb58 and fae3b96ba601: Zen 4, Sapphire Rapids; `go test -bench Seal ./provider/gcm` on a Zen 5",
	},
	{
		both(goarch("amd64"), features(cpu.VAES)), []string{"vaes256", "std"},
		"VAES without AVX-512: 59 to 67 % over AES-NI at 4 KiB and more",
		"Linux commits b06affb1cb58 and fae3b96ba601: Zen 3",
	},
	{
		everywhere, []string{"std"},
		"percore's kernels need VAES, which only amd64 has and this core lacks",
		"percore's list of kernels",
	},
}

var batchRows = []row{
	{
		both(goarch("amd64"), features(cpu.AVX512F|cpu.AVX512BW)), []string{"avx512", "avx2", "single"},
		"eight states in 512-bit vectors, with a rotation in one instruction: more than six times as fast as one after the other on a Zen 5",
		"`go test -bench Batch ./provider/sha3` on a Zen 5; XKCP's eight states for AVX-512",
	},
	{
		both(goarch("amd64"), features(cpu.AVX2)), []string{"avx2", "single"},
		"four states in 256-bit vectors: 1.7 times as fast as one after the other on a Zen 5, whose kernel for one is faster than those of other cores",
		"`go test -bench Batch ./provider/sha3` with PERCORE=batch=avx2 on a Zen 5; circl's four states for AVX2",
	},
	{
		apple, []string{"simd", "single"},
		"a second state in the other halves of the registers costs nothing where the SHA3 instructions win for one",
		"OpenJDK JDK-8359256; mlkem-native PR 153; inferred for two",
	},
	{
		anonymousGuest, []string{"simd", "single"},
		"a nameless arm64 core with the SHA3 instructions is a virtual machine on an Apple host",
		"docker/for-mac issue 6512, cpufetch issue 229; inferred",
	},
	{
		arm("Oryon", "Olympus"), []string{"simd", "single"},
		"a second state in the other halves of the registers costs nothing where the SHA3 instructions win for one",
		"OpenSSL PR 27503, crypto/armcap.c; inferred for two",
	},
	{
		arm("Neoverse V3", "Neoverse V3AE", "Cortex-X4", "Cortex-A720"), []string{"simd", "single"},
		"two or four SHA3 pipes: two states at once take less than twice what general-purpose registers take for one",
		"llvm-mca 22 on percore's kernels, for Neoverse V3: 467 cycles for two, 367 for one; Arm's optimization guide for Cortex-A720",
	},
	{
		goarch("arm64"), []string{"single"},
		"no SHA3 instructions, or one pipe for them, on which two states take as long as one after the other in general-purpose registers",
		"keccak-asm issue 15: Graviton 4, 573 ns for one or two against 286 ns for one",
	},
	{
		everywhere, []string{"single"},
		"no kernel for many states",
		"percore's list of kernels",
	},
}

func everywhere(CPU) bool { return true }

func both(f, g func(CPU) bool) func(CPU) bool {
	return func(c CPU) bool { return f(c) && g(c) }
}

func goarch(name string) func(CPU) bool {
	return func(c CPU) bool { return c.GOARCH == name }
}

// features matches what GODEBUG turns off too: the reason why a kernel can't be it is then that, and not the core.
func features(f cpu.Feature) func(CPU) bool {
	return func(c CPU) bool { return (c.Features | c.Off).Has(f) }
}

func intel(models ...int) func(CPU) bool {
	return func(c CPU) bool {
		return c.Vendor == "GenuineIntel" && c.Family == 6 && slices.Contains(models, c.Model)
	}
}

func amd(family int) func(CPU) bool {
	return func(c CPU) bool { return c.Vendor == "AuthenticAMD" && c.Family == family }
}

// arm matches if every core has one of the names.
func arm(names ...string) func(CPU) bool {
	return func(c CPU) bool {
		return len(c.MIDR) > 0 && !slices.ContainsFunc(c.MIDR, func(m cpu.MIDR) bool {
			return !slices.Contains(names, m.Name())
		})
	}
}

// apple matches Apple's cores under any system, and in virtual machines that show the implementer.
func apple(c CPU) bool { return c.GOARCH == "arm64" && c.Vendor == "Apple" }

// appleOS matches the systems where the standard library uses the SHA3 instructions.
func appleOS(c CPU) bool { return c.GOOS == "darwin" || c.GOOS == "ios" }

// anonymousGuest matches a virtual machine whose host hides what the core is.
func anonymousGuest(c CPU) bool {
	return len(c.MIDR) == 1 && c.MIDR[0].Implementer() == 0 && c.MIDR[0].Part() == 0 && c.Features.Has(cpu.SHA3)
}

// Default returns what the policy says for a core. It looks at nothing but c and the kernels of
// this build.
func Default(c CPU) Choice {
	return Choice{SHA3: decide(sha3Rows, "sha3", c), Batch: decide(batchRows, "batch", c), GCM: decide(gcmRows, "gcm", c)}
}

func decide(rows []row, algorithm string, c CPU) Decision {
	r := rows[slices.IndexFunc(rows, func(r row) bool { return r.cores(c) })]
	d := Decision{Reason: r.reason, Source: r.source}
	for _, name := range r.kernels {
		k := find(algorithm, name)
		lacks := k.lacks(c)
		if lacks == "" {
			d.Kernel, d.From = name, k.from
			break
		}
		d.Passed = append(d.Passed, name+": "+lacks)
	}
	switch {
	case purego && slices.ContainsFunc(kernels, func(k kernel) bool { return k.goarch == c.GOARCH }):
		d.Reason = "the build has the tag purego"
	case len(d.Passed) > 0:
		d.Reason = "it would be " + r.kernels[0] + ": " + r.reason
	}
	return d
}

// String returns the choice as a report of several lines.
func (c Choice) String() string {
	var b strings.Builder
	for _, a := range []struct {
		name string
		Decision
	}{{"sha3", c.SHA3}, {"batch", c.Batch}, {"gcm", c.GCM}} {
		fmt.Fprintf(&b, "%-5s %s", a.name, a.Kernel)
		if a.From > 0 {
			fmt.Fprintf(&b, ", from %d messages on", a.From)
		}
		fmt.Fprintln(&b)
		for _, p := range a.Passed {
			fmt.Fprintf(&b, "      not %s\n", p)
		}
		fmt.Fprintf(&b, "      why: %s\n      source: %s\n", a.Reason, a.Source)
	}
	if c.Registry != "" {
		fmt.Fprintf(&b, "crypto's registry holds the SHA-3 of %s\n", c.Registry)
	}
	return b.String()
}
