//go:build !purego

#include "textflag.h"

// func call(pc uintptr, arguments *[7]uintptr, planted, found *[4]uint64)
TEXT ·call(SB), 0, $80-32
	MOVD arguments+8(FP), R0
	LDP  0(R0), (R1, R2)
	LDP  16(R0), (R3, R4)
	LDP  32(R0), (R5, R6)
	MOVD 48(R0), R7
	MOVD R1, 8(RSP)
	MOVD R2, 16(RSP)
	MOVD R3, 24(RSP)
	MOVD R4, 32(RSP)
	MOVD R5, 40(RSP)
	MOVD R6, 48(RSP)
	MOVD R7, 56(RSP)
	MOVD R18_PLATFORM, 64(RSP) // the system's own

	MOVD pc+0(FP), R0
	MOVD planted+16(FP), R1
	MOVD R29, R2
	MOVD $0x0123456789abcdef, R18_PLATFORM
	MOVD R18_PLATFORM, 0(R1)
	MOVD g, 8(R1)
	MOVD R2, 16(R1)
	CALL (R0)
	MOVD found+24(FP), R1
	MOVD R18_PLATFORM, 0(R1)
	MOVD g, 8(R1)
	MOVD R29, 16(R1)

	MOVD 64(RSP), R18_PLATFORM
	RET
