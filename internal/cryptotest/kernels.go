// Package cryptotest holds what the tests of several packages share.
package cryptotest

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"percore"
)

// EachKernel runs f once for every kernel of the algorithm, "sha3", "batch" or "gcm", that this core can run, in
// subtests named kernel=NAME. A process has one kernel, so the test starts its own binary
// again for all but the one that the policy has chosen. With the algorithm in PERCORE there is
// that kernel only.
//
// f sees nothing but the public API. It has to be the only thing that the test does.
func EachKernel(t *testing.T, algorithm string, f func(t *testing.T)) {
	choice := percore.Selected()
	selected := map[string]string{"sha3": choice.SHA3.Kernel, "batch": choice.Batch.Kernel, "gcm": choice.GCM.Kernel}[algorithm]
	t.Run("kernel="+selected, f)
	if strings.Contains(os.Getenv("PERCORE"), algorithm+"=") || choice.Aside != "" {
		return
	}
	for _, kernel := range percore.Kernels(algorithm) {
		if kernel == selected {
			continue
		}
		t.Run("kernel="+kernel, func(t *testing.T) {
			parent := strings.TrimSuffix(t.Name(), "/kernel="+kernel)
			out, err := Again(t, parent, "PERCORE="+algorithm+"="+kernel)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if bytes.Contains(out, []byte("--- SKIP: "+t.Name()+" ")) {
				t.Skipf("%s", out)
			}
			if ran := "--- PASS: " + t.Name() + " "; !bytes.Contains(out, []byte(ran)) {
				t.Fatalf("no line %q in\n%s", ran, out)
			}
		})
	}
}

// Again starts the test's own binary for the tests that the names in run match, with additional
// environment variables, and returns all that it prints. It skips the test where the system doesn't
// start programs of this architecture, as under an emulator that was started by hand.
func Again(t *testing.T, run string, env ...string) ([]byte, error) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-test.v", "-test.run=^"+strings.ReplaceAll(run, "/", "$/^")+"$", fmt.Sprintf("-test.short=%v", testing.Short()))
	cmd.Env = append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skipf("this system starts no program for %s from within one: run the test with %v from outside", runtime.GOARCH, env)
	}
	return out, err
}

// NeedsGo skips the test if it can't run the go command, or if that would make programs for
// another machine than this process is for.
func NeedsGo(t *testing.T) {
	t.Helper()
	out, err := exec.Command("go", "env", "GOHOSTARCH").Output()
	if err != nil || strings.TrimSpace(string(out)) != runtime.GOARCH {
		t.Skip("needs the go command for", runtime.GOARCH)
	}
}
