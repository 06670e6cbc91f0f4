package recorded

import (
	"testing"

	"percore/internal/cpu"
)

// TestCores compares what the parsers made of each record with what is known of the core.
func TestCores(t *testing.T) {
	const (
		crypto  = cpu.AES | cpu.PCLMULQDQ
		bmi     = cpu.BMI1 | cpu.BMI2
		avx2    = crypto | bmi | cpu.AVX | cpu.AVX2
		avx512  = avx2 | cpu.AVX512F | cpu.AVX512DQ | cpu.AVX512BW | cpu.AVX512VL
		vaes256 = avx2 | cpu.VAES | cpu.VPCLMULQDQ
		vaes512 = avx512 | vaes256

		armAES  = cpu.ASIMD | cpu.ARMAES | cpu.ARMPMULL
		armSHA3 = armAES | cpu.SHA3
	)
	// The line is what CPU.String makes of vendor, family, model, main ID registers and name.
	tests := map[string]struct {
		line     string
		features cpu.Feature
	}{
		"Westmere":        {"GenuineIntel family 6 model 44 (Intel(R) Xeon(R) CPU X5650 @ 2.67GHz)", crypto},
		"Sandy Bridge":    {"GenuineIntel family 6 model 42 (Intel(R) Core(TM) i7-2600K CPU @ 3.40GHz)", crypto | cpu.AVX},
		"Haswell":         {"GenuineIntel family 6 model 60 (Intel(R) Core(TM) i7-4710MQ CPU @ 2.50GHz)", avx2},
		"Knights Landing": {"GenuineIntel family 6 model 87", avx2 | cpu.AVX512F},
		"Skylake-X":       {"GenuineIntel family 6 model 85 (Intel(R) Core(TM) i7-7800X CPU @ 3.50GHz)", avx512},
		"Ice Lake":        {"GenuineIntel family 6 model 126", vaes512},
		"Ice Lake-SP":     {"GenuineIntel family 6 model 106", vaes512},
		"Ice Lake-D":      {"GenuineIntel family 6 model 108 (Intel(R) Xeon(R) D-1718T CPU @ 2.60GHz)", vaes512},
		"Tiger Lake":      {"GenuineIntel family 6 model 140 (11th Gen Intel(R) Core(TM) i5-1135G7 @ 2.40GHz)", vaes512},
		"Rocket Lake":     {"GenuineIntel family 6 model 167 (11th Gen Intel(R) Core(TM) i7-11700KF @ 3.60GHz)", vaes512},
		"Alder Lake":      {"GenuineIntel family 6 model 151 (12th Gen Intel(R) Core(TM) i9-12900K)", vaes256},
		"Sapphire Rapids": {"GenuineIntel family 6 model 143", vaes512},
		"Granite Rapids":  {"GenuineIntel family 6 model 173", vaes512},
		"Zen 2":           {"AuthenticAMD family 23 model 113 (AMD Ryzen 9 PRO 3900 12-Core Processor)", avx2},
		"Zen 3":           {"AuthenticAMD family 25 model 1 (AMD EPYC 7713 64-Core Processor)", vaes256},
		"Zen 4":           {"AuthenticAMD family 25 model 17 (AMD EPYC 9124 16-Core Processor)", vaes512},
		"Zen 5":           {"AuthenticAMD family 26 model 2", vaes512},

		"Ice Lake, macOS": {"GenuineIntel family 6 model 126", vaes256},

		"Ice Lake-SP, Hyper-V": {
			"GenuineIntel family 6 model 106 (Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz)", avx512},
		"Haswell without BMI2": {
			"GenuineIntel family 6 model 60 (Intel(R) Core(TM) i7-4710MQ CPU @ 2.50GHz)", avx2 &^ cpu.BMI2},
		"Zen 3 without VPCLMULQDQ": {
			"AuthenticAMD family 25 model 1 (AMD EPYC 7713 64-Core Processor)", vaes256 &^ cpu.VPCLMULQDQ},
		"Zen 4 without AVX512F": {
			"AuthenticAMD family 25 model 17 (AMD EPYC 9124 16-Core Processor)", vaes256},
		"Sapphire Rapids without ZMM state": {"GenuineIntel family 6 model 143", vaes256},
		"Sapphire Rapids without YMM state": {"GenuineIntel family 6 model 143", crypto | bmi},
		"Tiger Lake without XSAVE": {
			"GenuineIntel family 6 model 140 (11th Gen Intel(R) Core(TM) i5-1135G7 @ 2.40GHz)", crypto | bmi},
		"Tiger Lake with CPUID limited": {
			"GenuineIntel family 6 model 140 (11th Gen Intel(R) Core(TM) i5-1135G7 @ 2.40GHz)", crypto | cpu.AVX},

		"Cortex-A53":     {"Arm MIDR 0x41/0xD03 (Cortex-A53)", armAES},
		"Cortex-A55":     {"Arm MIDR 0x41/0xD05 (Cortex-A55)", armAES},
		"Cortex-A72":     {"Arm MIDR 0x41/0xD08 (Cortex-A72)", armAES},
		"Raspberry Pi 4": {"Arm MIDR 0x41/0xD08 (Cortex-A72)", cpu.ASIMD},
		"Cortex-A76":     {"Arm MIDR 0x41/0xD0B (Cortex-A76)", armAES},
		"Neoverse N1":    {"Arm MIDR 0x41/0xD0C (Neoverse N1)", armAES},
		"Neoverse N2":    {"Arm MIDR 0x41/0xD49 (Neoverse N2)", armSHA3},
		"Neoverse V1":    {"Arm MIDR 0x41/0xD40 (Neoverse V1)", armSHA3},
		"Neoverse V2":    {"Arm MIDR 0x41/0xD4F (Neoverse V2)", armSHA3},
		"Neoverse V3":    {"Arm MIDR 0x41/0xD84 (Neoverse V3)", armSHA3},
		"Cobalt 100":     {"Microsoft MIDR 0x6D/0xD49 (Neoverse N2)", armSHA3},
		"Oryon":          {"Qualcomm MIDR 0x51/0x001 (Oryon)", armSHA3},
		"Olympus":        {"NVIDIA MIDR 0x4E/0x010 (Olympus)", armSHA3},

		"Cobalt 100, Windows": {"Microsoft MIDR 0x6D/0xD49 (Neoverse N2)", armSHA3},

		"M1":              {"Apple (M1)", armSHA3},
		"M1, Asahi Linux": {"Apple MIDR 0x61/0x022 0x61/0x023", armSHA3},
		"M1, Docker":      {"MIDR 0x00/0x000", armSHA3},
		"M3, Docker":      {"Apple MIDR 0x61/0x000", armSHA3},
		"iPhone":          {"Apple", armSHA3},

		"Cortex-A55 and A76":       {"Arm MIDR 0x41/0xD05 0x41/0xD0B (Cortex-A55 + Cortex-A76)", armAES},
		"Cortex-A55 and Exynos M3": {"MIDR 0x41/0xD05 0x53/0x002 (Cortex-A55)", armAES},
		"Cortex-X4, A720 and A520": {"Arm MIDR 0x41/0xD80 0x41/0xD81 0x41/0xD82 " +
			"(Cortex-A520 + Cortex-A720 + Cortex-X4)", armSHA3},

		"unknown implementer": {"MIDR 0x99/0x123", armSHA3},
		"Linux 4.4":           {"unknown arm64", armAES},
		"OpenBSD":             {"unknown arm64", armAES},

		"386":     {"unknown 386", 0},
		"ppc64le": {"unknown ppc64le", 0},
		"riscv64": {"unknown riscv64", 0},
		"s390x":   {"unknown s390x", 0},
		"wasm":    {"unknown wasm", 0},
	}
	for _, core := range Cores {
		want, ok := tests[core.Name]
		if !ok {
			t.Errorf("%s: not in the table, or twice in Cores", core.Name)
			continue
		}
		delete(tests, core.Name)
		if got := core.CPU.String(); got != want.line {
			t.Errorf("%s:\n got %s\nwant %s", core.Name, got, want.line)
		}
		if got := core.CPU.Features; got != want.features {
			t.Errorf("%s:\n got features %v\nwant features %v", core.Name, got, want.features)
		}
	}
	for name := range tests {
		t.Errorf("%s: not in Cores", name)
	}
}
