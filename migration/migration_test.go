package migration_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"percore"
	"percore/internal/cryptotest"
)

// A pair is a program before and after it moved.
type pair struct {
	before, after string
	algorithm     string
	calls         []string // functions of percore that the second program has to reach
}

var pairs = []pair{
	{"crypto-sha3/before", "crypto-sha3/after", "sha3", []string{"Sum256", "New512", "New256", "SumSHAKE128", "NewCSHAKE256", "sponge.write", "sponge.read"}},
	{"x-crypto-sha3/before", "x-crypto-sha3/after", "sha3", []string{"New256", "NewLegacyKeccak256", "SumSHAKE128", "NewSHAKE256", "NewCSHAKE128", "sponge.write", "sponge.read"}},
	{"crypto-aes/before", "crypto-aes/after", "gcm", []string{"New"}},
	{"crypto-aes/before", "crypto-aes/after-cipher", "gcm", []string{"NewCipher"}},
	{"go-ethereum/before", "go-ethereum/after", "sha3", []string{"SumLegacyKeccak256", "NewLegacyKeccak256", "sponge.write", "sponge.read"}},
	{"circl/before", "circl/after", "sha3", []string{"NewSHAKE128", "SHAKE.MarshalBinary", "SHAKE.UnmarshalBinary", "sponge.write", "sponge.read"}},
}

// After the move a program prints what it printed before, whatever the kernel, and it does so with percore.
func TestPrograms(t *testing.T) {
	cryptotest.NeedsGo(t)
	for _, p := range pairs {
		t.Run(p.after, func(t *testing.T) {
			want := run(t, build(t, p.before))
			if len(want) == 0 {
				t.Fatalf("%s prints nothing", p.before)
			}
			// What the coverage of percore's package says ran, did run. The program's own is what writes the counters.
			after := build(t, p.after, "-cover", "-coverpkg=./"+p.after+",percore/provider/"+p.algorithm)
			for _, kernel := range percore.Kernels(p.algorithm) {
				if percore.Selected().Aside != "" && kernel != "std" {
					continue
				}
				counters := t.TempDir()
				got := run(t, after, "PERCORE="+p.algorithm+"="+kernel, "GOCOVERDIR="+counters)
				if !bytes.Equal(got, want) {
					t.Errorf("kernel %s: got\n%swant\n%s", kernel, got, want)
				}
				ran := functions(t, counters)
				calls := p.calls
				if p.algorithm == "gcm" && kernel != "std" {
					calls = append([]string{"aead.Seal", "aead.Open"}, calls...)
				}
				for _, f := range calls {
					// The standard library does what a call does at once.
					if !slices.Contains(ran, f) && !(kernel == "std" && strings.HasPrefix(f, "sponge.")) {
						t.Errorf("kernel %s: %s didn't run, only %s", kernel, f, strings.Join(ran, " "))
					}
				}
			}
		})
	}
}

// build returns the program in a folder.
func build(t *testing.T, folder string, flags ...string) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "program")
	args := append([]string{"build", "-o", program}, flags...)
	if out, err := exec.Command("go", append(args, "./"+folder)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return program
}

// run returns what a program prints. It must print nothing on standard error, such as that a kernel is refused.
func run(t *testing.T, program string, env ...string) []byte {
	t.Helper()
	cmd := exec.Command(program)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("%v\n%s", err, &stderr)
	}
	return out
}

// functions returns the names of the functions that ran, from what a program left in dir.
func functions(t *testing.T, dir string) []string {
	t.Helper()
	out, err := exec.Command("go", "tool", "covdata", "func", "-i="+dir).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	var names []string
	for line := range strings.Lines(string(out)) {
		if f := strings.Fields(line); len(f) == 3 && f[2] != "0.0%" {
			names = append(names, strings.TrimPrefix(f[1], "*"))
		}
	}
	return names
}

// The README shows just what changes between the programs, but for empty lines.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]string{}
	for _, m := range regexp.MustCompile("(?s)```diff\n--- migration/(.*?)/main.go\n\\+\\+\\+ migration/(.*?)/main.go\n(.*?)```").FindAllStringSubmatch(string(readme), -1) {
		shown[m[1]+" "+m[2]] = m[3]
	}
	for _, p := range pairs {
		got, want := lines(t, p.before), lines(t, p.after)
		for line := range strings.Lines(shown[p.before+" "+p.after]) {
			switch {
			case strings.HasPrefix(line, "+"):
				got = append(got, line[1:])
			case slices.Contains(got, line[1:]):
				i := slices.Index(got, line[1:])
				got = slices.Delete(got, i, i+1)
			default:
				t.Errorf("%s: this isn't in it: %s", p.before, line)
			}
		}
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s after the changes in the README is %q, want %q", p.before, got, want)
		}
	}
}

// lines returns those of a program without the empty ones and the comment before the package.
func lines(t *testing.T, folder string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(folder, "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, code, _ := strings.Cut(string(text), "\n")
	return slices.DeleteFunc(slices.Collect(strings.Lines(code)), func(line string) bool { return line == "\n" })
}
