//go:build !purego

package cpu

import (
	"slices"
	"testing"
	"testing/fstest"

	"golang.org/x/sys/cpu"
)

func TestHostLinux(t *testing.T) {
	c := Host()
	for feature, want := range map[Feature]bool{
		ASIMD:    cpu.ARM64.HasASIMD,
		ARMAES:   cpu.ARM64.HasAES,
		ARMPMULL: cpu.ARM64.HasPMULL,
		SHA3:     cpu.ARM64.HasSHA3,
	} {
		if got := c.Features.Has(feature); got != want {
			t.Errorf("got %v %v, want %v", feature, got, want)
		}
	}
	if !cpu.ARM64.HasCPUID {
		t.Skip("the main ID register can't be read")
	}
	if here := MIDR(midrEL1()); !slices.Contains(c.MIDR, here) {
		t.Errorf("got MIDR %v, without %v, that of the core that runs this", c.MIDR, here)
	}
}

func TestSysfsMIDR(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	sysfs := fstest.MapFS{
		"cpu0/regs/identification/midr_el1":  file("0x00000000412fd050\n"),
		"cpu1/topology/core_id":              file("1\n"), // offline
		"cpu2/regs/identification/midr_el1":  file("\n"),
		"cpu3/regs/identification/midr_el1":  file("0x0000000000000000\n"),
		"cpu10/regs/identification/midr_el1": file("0x00000000414fd0b0\n"),
		"cpufreq/boost":                      file("1\n"),
		"online":                             file("0,2-10\n"),
	}
	got := sysfsMIDR(sysfs)
	slices.Sort(got)
	if want := []MIDR{0, 0x412FD050, 0x414FD0B0}; !slices.Equal(got, want) {
		t.Errorf("got %#x, want %#x", got, want)
	}
	if got := sysfsMIDR(fstest.MapFS{}); len(got) != 0 {
		t.Errorf("got %#x from nothing", got)
	}
}
