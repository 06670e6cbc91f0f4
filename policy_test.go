package percore

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"percore/internal/cpu/recorded"
)

// What runs on each recorded core once every kernel of the table exists.
var wantKernels = map[string][2]string{ // sha3, gcm
	"Westmere":        {"std", "std"},
	"Sandy Bridge":    {"std", "std"},
	"Haswell":         {"bmi2", "std"},
	"Knights Landing": {"bmi2", "std"},
	"Skylake-X":       {"bmi2", "std"},
	"Ice Lake":        {"bmi2", "vaes256"},
	"Ice Lake-SP":     {"bmi2", "vaes256"},
	"Ice Lake-D":      {"bmi2", "vaes256"},
	"Tiger Lake":      {"avx512", "vaes256"},
	"Rocket Lake":     {"bmi2", "vaes512"},
	"Alder Lake":      {"bmi2", "vaes256"},
	"Sapphire Rapids": {"bmi2", "vaes512"},
	"Granite Rapids":  {"bmi2", "vaes512"},
	"Zen 2":           {"bmi2", "std"},
	"Zen 3":           {"bmi2", "vaes256"},
	"Zen 4":           {"avx512", "vaes512"},
	"Zen 5":           {"avx512", "vaes512"},

	"Ice Lake, macOS":                   {"bmi2", "vaes256"},
	"Sapphire Rapids without ZMM state": {"bmi2", "vaes256"},
	"Sapphire Rapids without YMM state": {"bmi2", "std"},
	"Ice Lake-SP, Hyper-V":              {"bmi2", "std"},
	"Haswell without BMI2":              {"std", "std"},
	"Zen 3 without VPCLMULQDQ":          {"bmi2", "std"},
	"Zen 4 without AVX512F":             {"bmi2", "vaes256"},
	"Tiger Lake without XSAVE":          {"bmi2", "std"},
	"Tiger Lake with CPUID limited":     {"std", "std"},

	"Cortex-A53":          {"gpr", "std"},
	"Cortex-A55":          {"gpr", "std"},
	"Cortex-A72":          {"plain", "std"},
	"Raspberry Pi 4":      {"plain", "std"},
	"Cortex-A76":          {"gpr", "std"},
	"Neoverse N1":         {"gpr", "std"},
	"Neoverse N2":         {"gpr", "std"},
	"Neoverse V1":         {"gpr", "std"},
	"Neoverse V2":         {"gpr", "std"},
	"Neoverse V3":         {"gpr", "std"},
	"Cobalt 100":          {"gpr", "std"},
	"Cobalt 100, Windows": {"gpr", "std"},
	"Oryon":               {"simd", "std"},
	"Olympus":             {"simd", "std"},
	"M1":                  {"simd", "std"},
	"M1, Asahi Linux":     {"simd", "std"},
	"M1, Docker":          {"simd", "std"},
	"M3, Docker":          {"simd", "std"},
	"iPhone":              {"simd", "std"},

	"Cortex-A55 and A76":       {"gpr", "std"},
	"Cortex-A55 and Exynos M3": {"gpr", "std"},
	"Cortex-X4, A720 and A520": {"gpr", "std"},
	"unknown implementer":      {"gpr", "std"},
	"Linux 4.4":                {"gpr", "std"},
	"OpenBSD":                  {"gpr", "std"},

	"386":     {"generic", "std"},
	"ppc64le": {"generic", "std"},
	"riscv64": {"generic", "std"},
	"s390x":   {"std", "std"},
	"wasm":    {"generic", "std"},
}

// Many messages at once: the cores on which they are not one after the other.
var wantBatch = map[string]string{
	"Skylake-X":       "avx512",
	"Ice Lake":        "avx512",
	"Ice Lake-SP":     "avx512",
	"Ice Lake-D":      "avx512",
	"Tiger Lake":      "avx512",
	"Rocket Lake":     "avx512",
	"Sapphire Rapids": "avx512",
	"Granite Rapids":  "avx512",
	"Zen 4":           "avx512",
	"Zen 5":           "avx512",

	"Haswell":         "avx2",
	"Knights Landing": "avx2",
	"Alder Lake":      "avx2",
	"Zen 2":           "avx2",
	"Zen 3":           "avx2",

	"Ice Lake, macOS":                   "avx2",
	"Ice Lake-SP, Hyper-V":              "avx512",
	"Haswell without BMI2":              "avx2",
	"Zen 3 without VPCLMULQDQ":          "avx2",
	"Zen 4 without AVX512F":             "avx2",
	"Sapphire Rapids without ZMM state": "avx2",

	"Neoverse V3":     "simd",
	"Oryon":           "simd",
	"Olympus":         "simd",
	"M1":              "simd",
	"M1, Asahi Linux": "simd",
	"M1, Docker":      "simd",
	"M3, Docker":      "simd",
	"iPhone":          "simd",
}

func TestBatchPolicy(t *testing.T) {
	for _, core := range recorded.Cores {
		want := wantBatch[core.Name]
		if want == "" || purego {
			want = "single"
		}
		got := Default(core.CPU).Batch
		if got.Kernel != want {
			t.Errorf("%s: got %s, want %s", core.Name, got.Kernel, want)
		}
		if k := find("batch", got.Kernel); got.From != k.from || (got.From == 0) != (got.Kernel == "single") {
			t.Errorf("%s: %s from %d messages on", core.Name, got.Kernel, got.From)
		}
	}
}

// A batch's kernel can be forced like others, and then takes as few messages as where it was chosen.
func TestForceBatch(t *testing.T) {
	if purego {
		t.Skip("the build has the tag purego")
	}
	noBatch := func(instead string) string {
		return `PERCORE=batch=nope: there is no kernel "nope" for batch, and this core can run single, avx2, avx512; ` + instead + " runs instead"
	}
	for _, c := range []struct{ core, aside, env, kernel, warning string }{
		{"Zen 5", "", "batch=avx2", "avx2", ""},
		{"Zen 5", "", "sha3=bmi2,batch=single", "single", ""},
		{"Zen 5", "", "sha3=std", "single", ""}, // all that is percore's own is out
		{"Zen 5", "", " batch=avx2 , sha3=generic ", "avx2", ""},
		// An entry that can't be obeyed is as if it weren't there.
		{"Zen 5", "", "sha3=std,batch=nope", "single", noBatch("single")},
		{"Zen 5", "", "batch=nope,sha3=std", "single", noBatch("single")},
		{"Zen 5", "", "batch=avx2,batch=nope", "avx2", noBatch("avx2")},
		{"Zen 5", "", "sha3=nope,batch=nope", "avx512",
			`PERCORE=sha3=nope: there is no kernel "nope" for sha3, and this core can run std, generic, bmi2, avx512; avx512 runs instead` + "\n" + noBatch("avx512")},
		{"Zen 5", "", "batch=nope", "avx512", noBatch("avx512")},
		{"Zen 5", "", "sha3=gpr", "avx512", "PERCORE=sha3=gpr: it exists on arm64 only; avx512 runs instead"},
		{"Zen 3", "", "batch=avx512", "avx2", "PERCORE=batch=avx512: this core lacks the AVX512F AVX512BW instructions; avx2 runs instead"},
		{"Zen 5", "", "batch=simd", "avx512", "PERCORE=batch=simd: it exists on arm64 only; avx512 runs instead"},
		{"Neoverse V2", "", "batch=simd", "simd", ""},
		{"Neoverse N1", "", "batch=simd", "single", "PERCORE=batch=simd: this core lacks the SHA3 instructions; single runs instead"},
		{"Zen 5", "FIPS 140 mode is on", "", "single", ""},
		{"Zen 5", "FIPS 140 mode is on", "batch=avx2", "single", "PERCORE=batch=avx2: FIPS 140 mode is on; single runs instead"},
	} {
		choice, warnings := choose(core(t, c.core), c.aside, c.env)
		if got := strings.Join(warnings, "\n"); choice.Batch.Kernel != c.kernel || got != c.warning || choice.Batch.From != find("batch", c.kernel).from {
			t.Errorf("%s, PERCORE=%s: %s from %d, %q, want %s, %q", c.core, c.env, choice.Batch.Kernel, choice.Batch.From, got, c.kernel, c.warning)
		}
	}
}

func TestPolicy(t *testing.T) {
	for _, core := range recorded.Cores {
		want, ok := wantKernels[core.Name]
		if !ok {
			t.Errorf("no expectation for the recorded core %q", core.Name)
			continue
		}
		if purego {
			want = [2]string{Default(core.CPU).SHA3.Kernel, "std"}
		}
		choice := Default(core.CPU)
		got := [2]string{choice.SHA3.Kernel, choice.GCM.Kernel}
		if got != want {
			t.Errorf("%s: got %v, want %v", core.Name, got, want)
		}
	}
}

// Whatever the core has or lacks, some kernel runs there, and the report says which, and why not
// those that are preferred.
func TestDefault(t *testing.T) {
	var cpus []CPU
	for _, core := range recorded.Cores {
		// All features, none, and each missing alone, as a hypervisor or GODEBUG may have it.
		cpus = append(cpus, core.CPU)
		for bit := range 64 {
			c := core.CPU
			c.Features &^= 1 << bit
			cpus = append(cpus, c)
		}
		c := core.CPU
		c.Features = 0
		cpus = append(cpus, c)
	}
	for _, c := range cpus {
		choice := Default(c)
		report := choice.String()
		for algorithm, d := range map[string]Decision{"sha3": choice.SHA3, "batch": choice.Batch, "gcm": choice.GCM} {
			k := find(algorithm, d.Kernel)
			if k == nil || k.lacks(c) != "" {
				t.Fatalf("%v, %v: %s runs %q", c, c.Features, algorithm, d.Kernel)
			}
			if d.Reason == "" || d.Source == "" {
				t.Errorf("%v: no reason or source for %s", c, algorithm)
			}
			for _, s := range append(d.Passed, d.Kernel, d.Reason, d.Source) {
				if !strings.Contains(report, s) {
					t.Errorf("%v: the report lacks %q:\n%s", c, s, report)
				}
			}
		}
	}
}

// The table names only kernels that are in the list, and ends each row with one that runs anywhere.
func TestRows(t *testing.T) {
	for algorithm, rows := range map[string][]row{"sha3": sha3Rows, "batch": batchRows, "gcm": gcmRows} {
		for _, r := range rows {
			for _, name := range r.kernels {
				if find(algorithm, name) == nil {
					t.Errorf("%q: no kernel %s", r.reason, name)
				}
			}
			last := find(algorithm, r.kernels[len(r.kernels)-1])
			if last.goarch != "" || last.needs != 0 {
				t.Errorf("%q ends with %s, which not every core can run", r.reason, last.name)
			}
		}
	}
}

func TestChoose(t *testing.T) {
	zen5 := core(t, "Zen 5")
	n1 := core(t, "Neoverse N1")
	def := Default(zen5)
	known := strings.Join(runnable(zen5, "sha3"), ", ")
	for _, c := range []struct {
		cpu       CPU
		aside     string
		env       string
		sha3, gcm string
		warnings  []string
	}{
		{cpu: zen5, env: "", sha3: def.SHA3.Kernel, gcm: def.GCM.Kernel},
		{cpu: zen5, env: ",", sha3: def.SHA3.Kernel, gcm: def.GCM.Kernel},
		{cpu: zen5, env: "sha3=std", sha3: "std", gcm: def.GCM.Kernel},
		{cpu: zen5, env: "sha3=generic,gcm=std", sha3: "generic", gcm: "std"},
		{cpu: zen5, env: "gcm=std,,sha3=std,sha3=generic", sha3: "generic", gcm: "std"},
		{cpu: zen5, env: "sha3=nope,sha3=std", sha3: "std", gcm: def.GCM.Kernel,
			warnings: []string{`PERCORE=sha3=nope: there is no kernel "nope" for sha3, and this core can run ` + known + "; std runs instead"}},
		{cpu: zen5, env: "sha3=std,sha3=nope", sha3: "std", gcm: def.GCM.Kernel,
			warnings: []string{`PERCORE=sha3=nope: there is no kernel "nope" for sha3, and this core can run ` + known + "; std runs instead"}},
		{cpu: zen5, env: "sha3=nope", sha3: def.SHA3.Kernel, gcm: def.GCM.Kernel,
			warnings: []string{`PERCORE=sha3=nope: there is no kernel "nope" for sha3, and this core can run ` + known + "; " + def.SHA3.Kernel + " runs instead"}},
		{cpu: zen5, env: "sha3", sha3: def.SHA3.Kernel, gcm: def.GCM.Kernel,
			warnings: []string{"PERCORE=sha3: this names no kernel; write it as in PERCORE=sha3=std,gcm=std"}},
		{cpu: zen5, env: "sha3=vaes512", sha3: def.SHA3.Kernel, gcm: def.GCM.Kernel,
			warnings: []string{`PERCORE=sha3=vaes512: there is no kernel "vaes512" for sha3, and this core can run ` + known + "; " + def.SHA3.Kernel + " runs instead"}},
		{cpu: zen5, env: "sha2=gpr,sha3=std", sha3: "std", gcm: def.GCM.Kernel,
			warnings: []string{`PERCORE=sha2=gpr: there is no algorithm "sha2", only sha3, batch and gcm`}},
		{cpu: zen5, env: "sha3=simd", sha3: def.SHA3.Kernel, gcm: def.GCM.Kernel,
			warnings: []string{"PERCORE=sha3=simd: it exists on arm64 only; " + def.SHA3.Kernel + " runs instead"}},
		{cpu: n1, env: "gcm=vaes256", sha3: Default(n1).SHA3.Kernel, gcm: "std",
			warnings: []string{"PERCORE=gcm=vaes256: it exists on amd64 only; std runs instead"}},
		{cpu: zen5, aside: "FIPS 140 mode is on", sha3: "std", gcm: "std"},
		{cpu: zen5, aside: "FIPS 140 mode is on", env: "sha3=std", sha3: "std", gcm: "std"},
		{cpu: zen5, aside: "FIPS 140 mode is on", env: "sha3=generic", sha3: "std", gcm: "std",
			warnings: []string{"PERCORE=sha3=generic: FIPS 140 mode is on; std runs instead"}},
	} {
		choice, warnings := choose(c.cpu, c.aside, c.env)
		if choice.SHA3.Kernel != c.sha3 || choice.GCM.Kernel != c.gcm || !slices.Equal(warnings, c.warnings) {
			t.Errorf("PERCORE=%s %s: got %s, %s, %q, want %s, %s, %q", c.env, c.aside,
				choice.SHA3.Kernel, choice.GCM.Kernel, warnings, c.sha3, c.gcm, c.warnings)
		}
		if choice.Aside != c.aside {
			t.Errorf("Aside = %q, want %q", choice.Aside, c.aside)
		}
	}
}

// Each kernel of arm64 can be forced where the core has its instructions. The warning where it hasn't names those and not
// the kernel's absence.
func TestForceARM64(t *testing.T) {
	for _, c := range []struct{ core, env, kernel, warning string }{
		{"Neoverse N1", "sha3=gpr", "gpr", ""},
		{"Neoverse N1", "sha3=plain", "plain", ""},
		{"Neoverse N1", "sha3=generic", "generic", ""},
		{"Neoverse N1", "sha3=simd", "gpr", "PERCORE=sha3=simd: this core lacks the SHA3 instructions; gpr runs instead"},
		{"Raspberry Pi 4", "sha3=simd", "plain", "PERCORE=sha3=simd: this core lacks the SHA3 instructions; plain runs instead"},
		{"Raspberry Pi 4", "sha3=gpr", "gpr", ""},
		{"Neoverse V2", "sha3=simd", "simd", ""},
		{"M1", "sha3=gpr", "gpr", ""},
		{"M1, Docker", "", "simd", ""},
		{"M1, Asahi Linux", "sha3=generic", "generic", ""},
	} {
		if purego {
			t.Skip("the build has the tag purego")
		}
		choice, warnings := choose(core(t, c.core), "", c.env)
		if got := strings.Join(warnings, "\n"); choice.SHA3.Kernel != c.kernel || got != c.warning {
			t.Errorf("%s, PERCORE=%s: %s, %q, want %s, %q", c.core, c.env, choice.SHA3.Kernel, got, c.kernel, c.warning)
		}
	}
}

// A core without the instructions is refused for just that, and GODEBUG for what it turns off.
func TestLacks(t *testing.T) {
	for _, c := range []struct {
		core, godebug   string
		algorithm, name string
		want            string
	}{
		{"Neoverse N1", "", "sha3", "simd", "this core lacks the SHA3 instructions"},
		{"Neoverse V2", "", "sha3", "simd", ""},
		{"Neoverse V2", "cpu.sha3=off", "sha3", "simd", "GODEBUG turns off the SHA3 instructions"},
		{"Zen 3", "", "gcm", "vaes512", "this core lacks the AVX512F AVX512DQ AVX512BW AVX512VL instructions"},
		{"Zen 3", "", "gcm", "vaes256", ""},
		{"Zen 5", "cpu.avx512f=off", "gcm", "vaes512", "GODEBUG turns off the AVX512F AVX512DQ AVX512BW AVX512VL instructions"},
		{"Zen 5", "cpu.avx512f=off", "gcm", "vaes256", ""},
		{"Zen 5", "cpu.avx2=off", "gcm", "vaes256", "GODEBUG turns off the AVX2 VAES VPCLMULQDQ instructions"},
		{"Zen 3", "cpu.all=off", "gcm", "vaes512", "this core lacks the AVX512F AVX512DQ AVX512BW AVX512VL instructions"},
		{"Westmere", "", "sha3", "bmi2", "this core lacks the BMI1 BMI2 instructions"},
	} {
		k := find(c.algorithm, c.name)
		want := c.want
		if purego {
			want = "the build has the tag purego"
		}
		if got := k.lacks(core(t, c.core).Obey(c.godebug)); got != want {
			t.Errorf("%s, GODEBUG=%s: %s is refused with %q, want %q", c.core, c.godebug, c.name, got, want)
		}
	}
}

// What GODEBUG turns off is given as the reason, and what runs is what runs on a core that lacks it.
func TestTurnedOff(t *testing.T) {
	for _, core := range recorded.Cores {
		for _, off := range []string{"bmi1", "bmi2", "aes", "pclmulqdq", "avx", "avx2", "avx512f", "avx512bw", "vaes", "vpclmulqdq", "sha3", "all"} {
			c := core.CPU.Obey("cpu." + off + "=off")
			lacking := c
			lacking.Off = 0
			got, want := Default(c), Default(lacking)
			if got.SHA3.Kernel != want.SHA3.Kernel || got.Batch.Kernel != want.Batch.Kernel || got.GCM.Kernel != want.GCM.Kernel {
				t.Errorf("%s without %s:\n%vwant\n%v", core.Name, off, got, want)
			}
			if anonymousGuest(core.CPU) {
				continue // without the SHA3 instructions nothing tells what it is
			}
			was := Default(core.CPU)
			for _, d := range [][2]Decision{{was.SHA3, got.SHA3}, {was.Batch, got.Batch}, {was.GCM, got.GCM}} {
				if d[0].Kernel != d[1].Kernel && !strings.Contains(strings.Join(d[1].Passed, "\n"), d[0].Kernel+": GODEBUG turns off the ") {
					t.Errorf("%s without %s: %s instead of %s, and not because of GODEBUG: %q", core.Name, off, d[1].Kernel, d[0].Kernel, d[1].Passed)
				}
			}
		}
	}
}

func core(t *testing.T, name string) CPU {
	i := slices.IndexFunc(recorded.Cores, func(c recorded.Core) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no recorded core %q", name)
	}
	return recorded.Cores[i].CPU
}

// The tables of the README name kernels that exist, and the one of kernels has all of them.
func TestReadmeKernels(t *testing.T) {
	text, err := os.ReadFile("README.md")
	if err != nil {
		t.Skip("the sources are not here:", err)
	}
	code := regexp.MustCompile("`([a-z0-9]+)`")
	listed := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "|") {
			continue
		}
		for _, m := range code.FindAllStringSubmatch(line, -1) {
			algorithm := "sha3"
			switch cells := strings.Split(line, "|"); {
			case strings.HasPrefix(cells[1], " AES"):
				algorithm = "gcm"
			case strings.Contains(cells[1], "messages"):
				algorithm = "batch"
			}
			if find(algorithm, m[1]) == nil {
				t.Errorf("there is no kernel %s of %s: %s", m[1], algorithm, line)
			}
			listed[algorithm+"="+m[1]] = true
		}
	}
	for _, k := range kernels {
		if !listed[k.algorithm+"="+k.name] {
			t.Errorf("kernel %s of %s is in no table", k.name, k.algorithm)
		}
	}
}
