//go:build !purego

package cpu

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"
)

// sysFeatures returns the features that golang.org/x/sys/cpu reports, after it has obeyed GODEBUG. It has
// none for VAES and VPCLMULQDQ without AVX-512.
func sysFeatures() Feature {
	var f Feature
	for feature, has := range map[Feature]bool{
		BMI1:      cpu.X86.HasBMI1,
		BMI2:      cpu.X86.HasBMI2,
		AES:       cpu.X86.HasAES,
		PCLMULQDQ: cpu.X86.HasPCLMULQDQ,
		AVX:       cpu.X86.HasAVX,
		AVX2:      cpu.X86.HasAVX2,
		AVX512F:   cpu.X86.HasAVX512F,
		AVX512DQ:  cpu.X86.HasAVX512DQ,
		AVX512BW:  cpu.X86.HasAVX512BW,
		AVX512VL:  cpu.X86.HasAVX512VL,
	} {
		if has {
			f |= feature
		}
	}
	return f
}

// TestObeySys compares Host and Obey with what golang.org/x/sys/cpu makes of the host and of GODEBUG. As it
// does so when a program starts, the test runs itself.
func TestObeySys(t *testing.T) {
	const variable = "PERCORE_TEST_SYS_FEATURES"
	if os.Getenv(variable) != "" {
		fmt.Printf("%d\n", sysFeatures())
		os.Exit(0)
	}
	if runtime.GOOS == "darwin" || runtime.GOOS == "ios" {
		t.Skip("golang.org/x/sys/cpu reports AVX-512 here")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, godebug := range []string{
		"",
		"cpu.bmi1=off",
		"cpu.bmi2=off,cpu.aes=off",
		"cpu.avx=off",
		"cpu.avx2=off",
		"cpu.avx512f=off",
		"cpu.avx512vl=off,cpu.avx512dq=off",
		"cpu.avx2=off,cpu.avx2=on",
		"cpu.avx2=on,cpu.avx2=off",
		"cpu.all=off",
		"cpu.all=off,cpu.aes=on,cpu.bmi2=on",
		"cpu.bmi2=off,cpu.all=on",
		"cpu.bmi2,cpu.bmi2=,cpu.bmi2=OFF,cpu.BMI2=off, cpu.bmi2=off,cpu.bmi2=off=on",
		"cpu.nonesuch=off,cpu.pclmulqdq=off",
	} {
		cmd := exec.Command(exe, "-test.run=^TestObeySys$")
		// The race detector would have each process wait for a second when it ends.
		cmd.Env = append(os.Environ(), variable+"=1", "GODEBUG="+godebug, "GORACE=atexit_sleep_ms=0")
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		var sys Feature
		if _, err := fmt.Sscan(string(out), &sys); err != nil {
			t.Fatalf("%v in %q", err, out)
		}
		got := Host().Obey(godebug).Features &^ (VAES | VPCLMULQDQ)
		if want := sys.usable(); got != want {
			t.Errorf("GODEBUG=%s:\n got %v\nwant %v", godebug, got, want)
		}
	}
}

// TestHostLinux compares the host with what Linux says of it.
func TestHostLinux(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("not Linux")
	}
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		t.Skip(err)
	}
	first, _, _ := strings.Cut(string(b), "\n\n")
	info := make(map[string]string)
	for line := range strings.Lines(first) {
		key, value, _ := strings.Cut(line, ":")
		info[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}

	c := Host()
	if got, want := c.Vendor, info["vendor_id"]; got != want {
		t.Errorf("got vendor %q, want %q", got, want)
	}
	for key, got := range map[string]int{"cpu family": c.Family, "model": c.Model, "stepping": c.Stepping} {
		if want := info[key]; fmt.Sprint(got) != want {
			t.Errorf("got %s %d, want %s", key, got, want)
		}
	}

	flags := make(map[string]bool)
	for _, flag := range strings.Fields(info["flags"]) {
		flags[flag] = true
	}
	for feature, flag := range map[Feature]string{
		BMI1:       "bmi1",
		BMI2:       "bmi2",
		AES:        "aes",
		PCLMULQDQ:  "pclmulqdq",
		AVX:        "avx",
		AVX2:       "avx2",
		AVX512F:    "avx512f",
		AVX512DQ:   "avx512dq",
		AVX512BW:   "avx512bw",
		AVX512VL:   "avx512vl",
		VAES:       "vaes",
		VPCLMULQDQ: "vpclmulqdq",
	} {
		if got, want := c.Features.Has(feature), flags[flag]; got != want {
			t.Errorf("got %v %v, but /proc/cpuinfo has %s %v", feature, got, flag, want)
		}
	}
}
