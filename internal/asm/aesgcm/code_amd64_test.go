//go:build !purego

package aesgcm

import (
	"encoding/hex"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"percore/internal/cryptotest"
)

// An instruction is what the assembler makes of a line.
type instruction struct {
	text string
	code []byte
}

// assembled returns the instructions of each function in the file with the kernels, from the listing of Go's assembler.
// A disassembler won't do: Go's own doesn't know these instructions.
func assembled(t *testing.T) map[string][]instruction {
	t.Helper()
	cryptotest.NeedsGo(t)
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Fatal(err)
	}
	include := filepath.Join(strings.TrimSpace(string(root)), "pkg", "include")
	listing, err := exec.Command("go", "tool", "asm", "-S", "-I", include, "-p", "aesgcm", "-o", filepath.Join(t.TempDir(), "o"), "kernels_amd64.s").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, listing)
	}
	var (
		head   = regexp.MustCompile(`^aesgcm\.(\w+) STEXT`)
		line   = regexp.MustCompile(`^\t0x[0-9a-f]+ ([0-9]+) \([^)]*\)\t(.*)`)
		dump   = regexp.MustCompile(`^\t0x[0-9a-f]+ ((?:[0-9a-f]{2} )+)`)
		pseudo = regexp.MustCompile(`^(TEXT|FUNCDATA|PCDATA)\b`)
	)
	functions := map[string][]instruction{}
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
			functions[name] = append(functions[name], instruction{texts[i], code[start:end]})
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
	for _, want := range []string{"expandKey", "powersVAES256", "ghashVAES256", "cryptVAES256", "powersVAES512", "ghashVAES512", "cryptVAES512"} {
		if len(functions[want]) < 50 {
			t.Fatalf("%s has %d instructions in the listing", want, len(functions[want]))
		}
	}
	return functions
}

// The first byte of an instruction that uses the encodings of AVX and AVX2, and of AVX-512.
const (
	vex2 = 0xc5
	vex3 = 0xc4
	evex = 0x62
)

// VAES256, and what both kernels share, run on cores without AVX-512: no instruction may be encoded for it.
func TestNoEVEX(t *testing.T) {
	found := 0
	for name, code := range assembled(t) {
		for _, i := range code {
			if i.code[0] != evex {
				continue
			}
			found++
			if !strings.HasSuffix(name, "VAES512") {
				t.Errorf("%s has %s (%x)", name, i.text, i.code)
			}
		}
	}
	if found < 500 {
		t.Errorf("found only %d such instructions in VAES512", found)
	}
}

// Every way out leaves the upper halves of the vector registers clean, and no instruction before that is
// encoded without VEX, which is slow while they aren't.
func TestVZEROUPPER(t *testing.T) {
	vector := regexp.MustCompile(`\b[XYZ][0-9]`)
	frame := regexp.MustCompile(`^(ADDQ\t\$[0-9]+, SP|POPQ\tBP)$`)
	for name, code := range assembled(t) {
		before, ways := "", 0
		for _, i := range code {
			if i.text == "RET" {
				ways++
				if before != "VZEROUPPER" {
					t.Errorf("%s returns after %s", name, before)
				}
			}
			if vector.MatchString(i.text) && i.code[0] != vex2 && i.code[0] != vex3 && i.code[0] != evex {
				t.Errorf("%s has %s (%x)", name, i.text, i.code)
			}
			// The frame is taken down after it.
			if !frame.MatchString(i.text) {
				before = i.text
			}
		}
		if ways == 0 {
			t.Errorf("%s has no way out", name)
		}
	}
}

// No kernel names the frame pointer, which execution traces and profiles follow, or Go's g.
func TestReservedRegisters(t *testing.T) {
	reserved := regexp.MustCompile(`\b(BP|R14)\b`)
	frame := regexp.MustCompile(`^(PUSHQ\tBP|MOVQ\tSP, BP|POPQ\tBP)$`)
	for name, code := range assembled(t) {
		for _, i := range code {
			if reserved.MatchString(i.text) && !frame.MatchString(i.text) {
				t.Errorf("%s has %s", name, i.text)
			}
		}
	}
}

// A binary that uses percore carries both widths.
func TestSize(t *testing.T) {
	size := 0
	for name, code := range assembled(t) {
		bytes := 0
		for _, i := range code {
			bytes += len(i.code)
		}
		t.Logf("%s: %d bytes", name, bytes)
		size += bytes
	}
	if size > 24<<10 {
		t.Errorf("the kernels have %d bytes of code, want at most 24 KiB", size)
	}
}
