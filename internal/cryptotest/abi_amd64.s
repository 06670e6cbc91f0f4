//go:build !purego

#include "textflag.h"

// func call(pc uintptr, arguments *[7]uintptr, planted, found *[4]uint64)
TEXT ·call(SB), 0, $88-32
	MOVQ arguments+8(FP), SI
	MOVQ 0(SI), AX
	MOVQ AX, 0(SP)
	MOVQ 8(SI), AX
	MOVQ AX, 8(SP)
	MOVQ 16(SI), AX
	MOVQ AX, 16(SP)
	MOVQ 24(SI), AX
	MOVQ AX, 24(SP)
	MOVQ 32(SI), AX
	MOVQ AX, 32(SP)
	MOVQ 40(SI), AX
	MOVQ AX, 40(SP)
	MOVQ 48(SI), AX
	MOVQ AX, 48(SP)

	// The callers' own.
	MOVQ BP, 56(SP)
	MOVQ R14, 64(SP)
	MOVQ R15, 72(SP)

	MOVQ pc+0(FP), AX
	MOVQ planted+16(FP), DX
	MOVQ $0x0123456789abcdef, BP
	MOVQ $0x23456789abcdef01, R14
	MOVQ $0x456789abcdef0123, R15
	MOVQ BP, 0(DX)
	MOVQ R14, 8(DX)
	MOVQ R15, 16(DX)
	MOVQ BP, X15
	CALL AX
	MOVQ found+24(FP), DX
	MOVQ BP, 0(DX)
	MOVQ R14, 8(DX)
	MOVQ R15, 16(DX)

	MOVQ 56(SP), BP
	MOVQ 64(SP), R14
	MOVQ 72(SP), R15
	RET

// func x15() uint64
TEXT ·x15(SB), NOSPLIT, $0-8
	MOVQ  X15, AX
	PSHUFD $0x4e, X15, X15
	MOVQ  X15, CX
	PSHUFD $0x4e, X15, X15
	ORQ   CX, AX
	MOVQ  AX, ret+0(FP)
	RET
