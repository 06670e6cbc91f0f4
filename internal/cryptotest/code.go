package cryptotest

import (
	"encoding/hex"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// An Instruction is what the assembler makes of a line.
type Instruction struct {
	Text string
	Code []byte
}

// Assembled returns the instructions of each function in an assembly file of the package at hand, from the listing of Go's assembler.
// A disassembler won't do: Go's own doesn't know these instructions.
func Assembled(t *testing.T, file string) map[string][]Instruction {
	t.Helper()
	NeedsGo(t)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	include := filepath.Join(strings.TrimSpace(string(root)), "pkg", "include")
	listing, err := exec.Command("go", "tool", "asm", "-S", "-I", include, "-p", "p", "-o", filepath.Join(t.TempDir(), "o"), file).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, listing)
	}
	var (
		head   = regexp.MustCompile(`^p\.(\w+) STEXT`)
		line   = regexp.MustCompile(`^\t0x[0-9a-f]+ ([0-9]+) \([^)]*\)\t(.*)`)
		dump   = regexp.MustCompile(`^\t0x[0-9a-f]+ ((?:[0-9a-f]{2} )+)`)
		pseudo = regexp.MustCompile(`^(TEXT|FUNCDATA|PCDATA)\b`)
	)
	functions := map[string][]Instruction{}
	var name string
	var texts []string
	var starts []int
	var code []byte
	finish := func() {
		for i, start := range starts {
			end := len(code)
			if i+1 < len(starts) {
				end = starts[i+1]
			}
			functions[name] = append(functions[name], Instruction{texts[i], code[start:end]})
		}
		texts, starts, code = nil, nil, nil
	}
	for l := range strings.Lines(string(listing)) {
		if m := head.FindStringSubmatch(l); m != nil {
			finish()
			name = m[1]
		} else if m := line.FindStringSubmatch(l); m != nil && !pseudo.MatchString(m[2]) {
			start, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			texts, starts = append(texts, strings.TrimSpace(m[2])), append(starts, start)
		} else if m := dump.FindStringSubmatch(l); m != nil && name != "" {
			b, err := hex.DecodeString(strings.ReplaceAll(m[1], " ", ""))
			if err != nil {
				t.Fatal(err)
			}
			code = append(code, b...)
		} else if strings.Contains(l, "SRODATA") {
			finish()
			name = "" // no code from here on
		}
	}
	finish()
	return functions
}

// The first byte of an instruction that uses the encodings of AVX and AVX2, and of AVX-512.
const (
	VEX2 = 0xc5
	VEX3 = 0xc4
	EVEX = 0x62
)
