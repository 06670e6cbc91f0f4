//go:build !purego

package cryptotest

import "encoding/binary"

var keptRegisters = []string{"BP", "R14", "R15"}

// x15 returns the bits that are set in either half of X15, which Go code has zero in.
func x15() uint64

const callAlignment = 1

// callTarget returns what an instruction at pc calls if it is a CALL.
func callTarget(pc uintptr, code *[5]byte) uintptr {
	if code[0] != 0xE8 {
		return 0
	}
	return pc + 5 + uintptr(int32(binary.LittleEndian.Uint32(code[1:])))
}
