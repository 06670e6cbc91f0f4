package keccak

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// An instruction is what the assembler makes of a line.
type instruction struct {
	text string
	size int
}

// assembleARM64 returns the instructions of a file of assembly with one function, from the listing of Go's assembler. It
// does so on any machine.
func assembleARM64(t *testing.T, file string) (code []instruction) {
	t.Helper()
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip("needs the go command:", err)
	}
	cmd := exec.Command("go", "tool", "asm", "-S", "-I", filepath.Join(strings.TrimSpace(string(root)), "pkg", "include"),
		"-p", "keccak", "-o", filepath.Join(t.TempDir(), "o"), file)
	cmd.Env = append(os.Environ(), "GOARCH=arm64", "GOOS=linux")
	listing, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, listing)
	}
	line := regexp.MustCompile(`^\t0x[0-9a-f]+ ([0-9]+) \([^)]*\)\t(.*)`)
	size := regexp.MustCompile(`STEXT.* size=([0-9]+)`)
	end, last := 0, 0
	for l := range strings.Lines(string(listing)) {
		if m := size.FindStringSubmatch(l); m != nil {
			end, _ = strconv.Atoi(m[1])
		} else if m := line.FindStringSubmatch(l); m != nil {
			start, err := strconv.Atoi(m[1])
			if err != nil {
				t.Fatal(err)
			}
			if len(code) > 0 {
				code[len(code)-1].size = start - last
			}
			code = append(code, instruction{text: strings.TrimSpace(m[2])})
			last = start
		}
	}
	if len(code) < 100 {
		t.Fatalf("%s: %d instructions in the listing", file, len(code))
	}
	code[len(code)-1].size = end - last
	return code
}

var filesARM64 = []string{"gpr_arm64.s", "plain_arm64.s", "simd_arm64.s"}

// R18 belongs to the system on macOS and Windows, R28 is Go's g, and R29 the frame pointer, which none but the
// assembler's prologue and epilogue may name. Whoever uses R30 loads the return address before RET. R27 is what the assembler
// itself takes for what doesn't fit into one instruction, so nothing but the table's address may take two, and that takes no
// other register.
func TestRegistersARM64(t *testing.T) {
	reserved := regexp.MustCompile(`\b(R18|R18_PLATFORM|R28|g|R29)\b`)
	frame := regexp.MustCompile(`^(MOVD\tR29, -8\(RSP\)|SUB\t\$8, RSP, R29|MOVD\t-8\(RSP\), R29|ADD\t\$[0-9]+, RSP, R29)$`)
	for _, file := range filesARM64 {
		uses30, loads30 := false, false
		for _, i := range assembleARM64(t, file) {
			if regexp.MustCompile(`^(TEXT|FUNCDATA|PCDATA|PCALIGN)`).MatchString(i.text) {
				continue
			}
			if reserved.MatchString(i.text) && !frame.MatchString(i.text) {
				t.Errorf("%s has %s", file, i.text)
			}
			if i.size > 4 && !strings.HasPrefix(i.text, "MOVD\t$constants") && !strings.HasPrefix(i.text, "RET") {
				t.Errorf("%s: %s takes %d bytes", file, i.text, i.size)
			}
			switch {
			case i.text == "MOVD\t(RSP), R30":
				loads30 = true
			case strings.HasPrefix(i.text, "RET"):
				if uses30 && !loads30 {
					t.Errorf("%s returns without its return address", file)
				}
			case strings.Contains(i.text, "R30") && !strings.HasPrefix(i.text, "MOVD.W\tR30, -"):
				uses30, loads30 = true, false
			}
		}
	}
}

// A binary that uses percore carries all three.
func TestSizeARM64(t *testing.T) {
	size := 0
	for _, file := range filesARM64 {
		for _, i := range assembleARM64(t, file) {
			size += i.size
		}
	}
	if size > 8<<10 {
		t.Errorf("the kernels have %d bytes of code, want at most 8 KiB", size)
	}
}
