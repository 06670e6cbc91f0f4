//go:build !purego

package cryptotest

import "encoding/binary"

// Only R18 is planted with something. R28 is g, which signal handlers use, and functions without calls restore R29
// from the stack pointer.
var keptRegisters = []string{"R18", "R28", "R29"}

// x15 is for amd64: here Go code has no register with zero in it but the machine's own.
func x15() uint64 { return 0 }

const callAlignment = 4

// callTarget returns what an instruction at pc calls if it is a BL.
func callTarget(pc uintptr, code *[5]byte) uintptr {
	w := binary.LittleEndian.Uint32(code[:])
	if w>>26 != 0b100101 {
		return 0
	}
	return pc + uintptr(int32(w<<6)>>4)
}
