//go:build !purego

package aesgcm

import (
	"regexp"
	"strings"
	"testing"

	"percore/internal/cryptotest"
)

// assembled returns the instructions of the kernels.
func assembled(t *testing.T) map[string][]cryptotest.Instruction {
	t.Helper()
	functions := cryptotest.Assembled(t, "kernels_amd64.s")
	for _, want := range []string{"expandKey", "powersVAES256", "ghashVAES256", "cryptVAES256", "powersVAES512", "ghashVAES512", "cryptVAES512"} {
		if len(functions[want]) < 50 {
			t.Fatalf("%s has %d instructions in the listing", want, len(functions[want]))
		}
	}
	return functions
}

// VAES256, and what both kernels share, run on cores without AVX-512: no instruction may be encoded for it.
func TestNoEVEX(t *testing.T) {
	found := 0
	for name, code := range assembled(t) {
		for _, i := range code {
			if i.Code[0] != cryptotest.EVEX {
				continue
			}
			found++
			if !strings.HasSuffix(name, "VAES512") {
				t.Errorf("%s has %s (%x)", name, i.Text, i.Code)
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
			if i.Text == "RET" {
				ways++
				if before != "VZEROUPPER" {
					t.Errorf("%s returns after %s", name, before)
				}
			}
			if vector.MatchString(i.Text) && i.Code[0] != cryptotest.VEX2 && i.Code[0] != cryptotest.VEX3 && i.Code[0] != cryptotest.EVEX {
				t.Errorf("%s has %s (%x)", name, i.Text, i.Code)
			}
			// The frame is taken down after it.
			if !frame.MatchString(i.Text) {
				before = i.Text
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
			if reserved.MatchString(i.Text) && !frame.MatchString(i.Text) {
				t.Errorf("%s has %s", name, i.Text)
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
			bytes += len(i.Code)
		}
		t.Logf("%s: %d bytes", name, bytes)
		size += bytes
	}
	if size > 24<<10 {
		t.Errorf("the kernels have %d bytes of code, want at most 24 KiB", size)
	}
}
