//go:build !purego && (freebsd || linux)

#include "textflag.h"

// func midrEL1() uint64
TEXT ·midrEL1(SB), NOSPLIT, $0-8
	MRS  MIDR_EL1, R0
	MOVD R0, ret+0(FP)
	RET
