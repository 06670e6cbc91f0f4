package main

import (
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"percore"
	"percore/provider/tls13"
)

// The processor's time counts, which a busy machine leaves much as it is: not with the race detector, and not where short tests run, such
// as under emulators.
func TestReportTime(t *testing.T) {
	if testing.Short() || raceDetector() {
		t.Skip("needs the program at full speed: not with -short, as under emulators, or the race detector")
	}
	cmd := exec.Command(must(os.Executable()))
	cmd.Env = append(os.Environ(), commandName+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if took := cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(); took >= 2*time.Second {
		t.Errorf("it took %v, want less than 2 s", took)
	}
}

func TestReport(t *testing.T) {
	r := do("")
	if r.status != 0 || r.stderr != "" {
		t.Errorf("status %d, stderr %q, want 0 and nothing", r.status, r.stderr)
	}
	choice := percore.Selected()
	wants := []string{
		runtime.Version(),
		percore.Host().String(),
		percore.Host().Features.String(),
		"sha3  " + choice.SHA3.Kernel + "\n",
		"batch " + choice.Batch.Kernel,
		"gcm   " + choice.GCM.Kernel + "\n",
		choice.SHA3.Reason, choice.SHA3.Source,
		choice.Batch.Reason, choice.Batch.Source,
		choice.GCM.Reason, choice.GCM.Source,
		"crypto's registry holds the SHA-3 of " + choice.Registry + "\n",
	}
	if err := tls13.Installed(); err != nil {
		wants = append(wants, "percore/provider/tls13 leaves crypto/tls as it is: "+err.Error()+"\n")
	} else {
		wants = append(wants, "percore/provider/tls13 makes TLS 1.3 run on percore's AES-GCM\n")
	}
	for _, k := range hashAnswers {
		wants = append(wants, k.algorithm+strings.Repeat(" ", 13-len(k.algorithm))+"ok\n")
	}
	for _, k := range gcmAnswers {
		wants = append(wants, k.name+"  ok\n")
	}
	for _, want := range wants {
		if !strings.Contains(r.stdout, want) {
			t.Errorf("the report lacks %q", want)
		}
	}
	if t.Failed() {
		t.Log(r.stdout)
	}
	_, speeds, _ := strings.Cut(r.stdout, "\nspeed")
	if got, want := strings.Count(speeds, "\n"), 2+len(hashAnswers)+len(gcmAnswers); got != want {
		t.Errorf("%d lines of speed, want %d:\n%s", got, want, speeds)
	}
}

// raceDetector returns whether the test runs with the race detector, which makes it many times slower.
func raceDetector() bool {
	info, ok := debug.ReadBuildInfo()
	return ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"})
}

func TestReportGODEBUG(t *testing.T) {
	features := percore.Host().Features.String()
	name, _, _ := strings.Cut(features, " ")
	for _, n := range strings.Fields(features) {
		if n == "AVX2" || n == "SHA3" {
			name = n
		}
	}
	t.Setenv("GODEBUG", "cpu."+strings.ToLower(name)+"=off")
	off := percore.Host().Obey("cpu." + strings.ToLower(name) + "=off").Off
	if off == 0 {
		t.Skip("GODEBUG can't turn off", name)
	}
	var b strings.Builder
	describe(&b)
	if want := "off by GODEBUG: " + off.String() + "\n"; !strings.Contains(b.String(), want) {
		t.Errorf("no %q in\n%s", want, b.String())
	}
}

// What GODEBUG turns off is nowhere said to be lacking.
func TestReportTurnedOff(t *testing.T) {
	needsColumns(t)
	if !slices.Contains(percore.Kernels("gcm"), "vaes256") {
		t.Skip("this core can't run vaes256: it lacks AVX2, VAES or VPCLMULQDQ, or they are off")
	}
	cmd := exec.Command(must(os.Executable()))
	cmd.Env = append(os.Environ(), commandName+"=1", "GODEBUG=cpu.avx2=off", "PERCORE=gcm=vaes256")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	const why = "vaes256: GODEBUG turns off the AVX2 VAES VPCLMULQDQ instructions"
	for _, want := range []string{
		"percore: PERCORE=gcm=vaes256: GODEBUG turns off the AVX2 VAES VPCLMULQDQ instructions; std runs instead\n",
		"\n      not " + why + "\n",
		"percore/provider/tls13 leaves crypto/tls as it is: AES-GCM is the standard library's here: ",
		"; " + why + "\n",
	} {
		if !strings.Contains(string(out), want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
}
