//go:build !purego

package cpu

import (
	"strings"
	"syscall"
)

// readName returns what the system calls the processor, such as "M1", or "" where a sandbox hides it.
func readName() string {
	name, _ := syscall.Sysctl("machdep.cpu.brand_string")
	return strings.TrimPrefix(name, "Apple ")
}
