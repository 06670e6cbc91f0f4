//go:build !purego

package cpu

import (
	"io/fs"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/cpu"
)

// readMIDR returns the main ID registers of the cores that are online. Where sysfs is missing, as in some
// containers, there is only the register of the core that runs this. Linux emulates the instruction that
// reads it, and says so in HWCAP: before 4.11 the instruction faults.
func readMIDR() []MIDR {
	midr := sysfsMIDR(os.DirFS("/sys/devices/system/cpu"))
	if len(midr) == 0 && cpu.ARM64.HasCPUID {
		midr = []MIDR{MIDR(midrEL1())}
	}
	return midr
}

// sysfsMIDR reads the registers from a folder that has a folder for each core.
func sysfsMIDR(sysfs fs.FS) []MIDR {
	cores, _ := fs.Glob(sysfs, "cpu[0-9]*")
	var midr []MIDR
	for _, core := range cores {
		b, err := fs.ReadFile(sysfs, core+"/regs/identification/midr_el1")
		if err != nil {
			continue // the core is offline
		}
		v, err := strconv.ParseUint(strings.TrimSpace(string(b)), 0, 64)
		if err != nil {
			continue
		}
		midr = append(midr, MIDR(v))
	}
	return midr
}
