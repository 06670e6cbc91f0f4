//go:build !purego

package keccak

import (
	"regexp"
	"strings"
	"testing"

	"percore/internal/cryptotest"
)

// assembled returns the instructions of each kernel.
func assembled(t *testing.T) map[string][]cryptotest.Instruction {
	t.Helper()
	kernels := map[string][]cryptotest.Instruction{}
	for file, names := range map[string][]string{
		"bmi2_amd64.s":         {"spongeBMI2"},
		"avx512_amd64.s":       {"spongeAVX512"},
		"batch_avx2_amd64.s":   {"absorbBatchAVX2"},
		"batch_avx512_amd64.s": {"absorbBatchAVX512", "padBatchAVX512", "digestsBatchAVX512"},
	} {
		functions := cryptotest.Assembled(t, file)
		for _, name := range names {
			if len(functions[name]) < 50 {
				t.Fatalf("%s has %d instructions in the listing", name, len(functions[name]))
			}
			kernels[name] = functions[name]
		}
	}
	return kernels
}

var vectorRegister = regexp.MustCompile(`\b[XYZ][0-9]`)

// BMI2 runs on cores, and under systems, without any vector state of their own.
func TestNoVectors(t *testing.T) {
	for _, i := range assembled(t)["spongeBMI2"] {
		if vectorRegister.MatchString(i.Text) || i.Code[0] == cryptotest.EVEX {
			t.Errorf("%s (%x)", i.Text, i.Code)
		}
	}
}

// The way out leaves the upper halves of the vector registers clean, and no instruction on vectors is encoded without VEX, which is slow
// while they aren't.
func TestVZEROUPPER(t *testing.T) {
	for name, code := range assembled(t) {
		if name == "spongeBMI2" {
			continue
		}
		exits := 0
		for n, i := range code {
			if vectorRegister.MatchString(i.Text) && i.Code[0] != cryptotest.VEX2 && i.Code[0] != cryptotest.VEX3 && i.Code[0] != cryptotest.EVEX {
				t.Errorf("%s: %s (%x)", name, i.Text, i.Code)
			}
			if i.Text != "RET" {
				continue
			}
			exits++
			for n--; code[n].Text != "VZEROUPPER"; n-- {
				if vectorRegister.MatchString(code[n].Text) || n == 0 {
					t.Fatalf("%s: %s before a RET without VZEROUPPER", name, code[n].Text)
				}
			}
		}
		if exits != 1 {
			t.Errorf("%s has %d exits", name, exits)
		}
	}
}

// Registers 16 to 31, which would turn AVX2 into AVX-512 without a word, are not among those of the kernel for AVX2.
func TestAVX2(t *testing.T) {
	for _, i := range assembled(t)["absorbBatchAVX2"] {
		if i.Code[0] == cryptotest.EVEX {
			t.Errorf("%s (%x)", i.Text, i.Code)
		}
	}
}

// No kernel names the frame pointer, which execution traces and profiles follow. Go's g, in R14, and R15, which
// belongs to the linker in plugins, are saved before they are written and restored from the same place at the end.
func TestReservedRegisters(t *testing.T) {
	framePointer := regexp.MustCompile(`\bBP\b`)
	frame := regexp.MustCompile(`^(PUSHQ\tBP|MOVQ\tSP, BP|POPQ\tBP)$`)
	for name, code := range assembled(t) {
		for _, i := range code {
			if framePointer.MatchString(i.Text) && !frame.MatchString(i.Text) {
				t.Errorf("%s has %s", name, i.Text)
			}
		}
		for _, r := range []string{"R14", "R15"} {
			named := regexp.MustCompile(`\b` + r + `\b`)
			save := regexp.MustCompile(`^MOVQ\t` + r + `, (.*\(SP\))$`)
			restore := regexp.MustCompile(`^MOVQ\t(.*\(SP\)), ` + r + `$`)
			var uses []string
			for _, i := range code {
				if named.MatchString(i.Text) {
					uses = append(uses, i.Text)
				}
			}
			if len(uses) == 0 {
				continue
			}
			saved, restored := save.FindStringSubmatch(uses[0]), restore.FindStringSubmatch(uses[len(uses)-1])
			if saved == nil || restored == nil || saved[1] != restored[1] {
				t.Errorf("%s: first use of %s is %q, last %q", name, r, uses[0], uses[len(uses)-1])
				continue
			}
			place := regexp.MustCompile(`(^|[^0-9])` + regexp.QuoteMeta(saved[1]))
			n := 0
			for _, i := range code {
				if place.MatchString(i.Text) {
					n++
				}
			}
			if n != 2 {
				t.Errorf("%s: %s, where %s is saved, is named %d times", name, saved[1], r, n)
			}
		}
	}
}

func TestSize(t *testing.T) {
	for name, code := range assembled(t) {
		bytes := 0
		for _, i := range code {
			bytes += len(i.Code)
		}
		t.Logf("%s: %d bytes", name, bytes)
		most := 6 << 10
		if strings.HasPrefix(name, "absorbBatch") {
			most = 16 << 10 // four rounds of one or two sets of states
		}
		if bytes > most {
			t.Errorf("%s has %d bytes of code, want at most %d", name, bytes, most)
		}
	}
}
