//go:build !purego

package cpu

import (
	"encoding/binary"
	"strconv"
	"syscall"
)

// readMIDR returns the main ID registers that NetBSD shows through sysctl: each is the first field, of 64
// bits, of a structure of ID registers.
func readMIDR() []MIDR {
	var midr []MIDR
	for core := 0; ; core++ {
		s, err := syscall.Sysctl("machdep.cpu" + strconv.Itoa(core) + ".cpu_id")
		if err != nil || len(s) < 8 {
			return midr
		}
		midr = append(midr, MIDR(binary.NativeEndian.Uint64([]byte(s))))
	}
}
