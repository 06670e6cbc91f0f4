//go:build !purego

// Keccak-f[1600] with the SHA3 instructions of Armv8.2: EOR3, RAX1, XAR and BCAX.
//
// A vector register holds one lane in its low half. The steps work on both halves.
//
// No lane is ever moved for its own sake. Lane (x, y) of π's result, bxy, is in V(x+5y). In a row of it χ can put three
// lanes in the places of those that they replace, but the first two have to stay until the last is done, so the new ones go
// elsewhere: those of row 0 to V25 and V26, those of row 2 to where row 0's were, and so on in the order 0, 2, 1, 3, 4. At
// the end V20 and V21 are free. ρ and π then bring all lanes back, each to a place that the one before has left, along two paths
// that start at V20 and V21 and end at V25 and V26. (In most orders of the rows there are circles besides, and each would take one
// more register or instruction.)
//
//	     x = 0       1       2       3       4
//	y = 0:   V25     V26     V2      V3      V4
//	y = 1:   V10     V11     V7      V8      V9
//	y = 2:   V0      V1      V12     V13     V14
//	y = 3:   V5      V6      V17     V18     V19
//	y = 4:   V15     V16     V22     V23     V24
//
// Of the other registers c0 and c4 are the two that are free, and V27 to V31 start as c1, c2, c3 and end as d0 to d4.

#include "textflag.h"

#define a00 V25
#define a10 V26
#define a20 V2
#define a30 V3
#define a40 V4

#define a01 V10
#define a11 V11
#define a21 V7
#define a31 V8
#define a41 V9

#define a02 V0
#define a12 V1
#define a22 V12
#define a32 V13
#define a42 V14

#define a03 V5
#define a13 V6
#define a23 V17
#define a33 V18
#define a43 V19

#define a04 V15
#define a14 V16
#define a24 V22
#define a34 V23
#define a44 V24

#define c0 V20
#define c1 V27
#define c2 V28
#define c3 V29
#define c4 V21

#define d0 V30
#define d1 V31
#define d2 V27
#define d3 V28
#define d4 V29

#define b00 V0
#define b10 V1
#define b20 V2
#define b30 V3
#define b40 V4

#define b01 V5
#define b11 V6
#define b21 V7
#define b31 V8
#define b41 V9

#define b02 V10
#define b12 V11
#define b22 V12
#define b32 V13
#define b42 V14

#define b03 V15
#define b13 V16
#define b23 V17
#define b33 V18
#define b43 V19

#define b04 V20
#define b14 V21
#define b24 V22
#define b34 V23
#define b44 V24

// When RHO_PI is done: the sum of the round constant and b00.
#define b00rc V27

// c = a0 ^ a1 ^ a2 ^ a3 ^ a4, the parity of a column.
#define PARITY(a0, a1, a2, a3, a4, c) \
	VEOR3 a0.B16, a1.B16, a2.B16, c.B16; \
	VEOR3 a3.B16, a4.B16, c.B16, c.B16

// d = before ^ rotl(next, 1), what θ adds to a column between two others.
#define SUM(before, next, d) VRAX1 next.D2, before.D2, d.D2

// Of θ all but the addition of d to the lanes.
#define THETA \
	PARITY(a00, a02, a01, a03, a04, c0); \
	PARITY(a10, a12, a11, a13, a14, c1); \
	PARITY(a20, a22, a21, a23, a24, c2); \
	PARITY(a30, a32, a31, a33, a34, c3); \
	PARITY(a40, a42, a41, a43, a44, c4); \
	SUM(c4, c1, d0); \
	SUM(c0, c2, d1); \
	SUM(c1, c3, d2); \
	SUM(c2, c4, d3); \
	SUM(c3, c0, d4)

// b = rotl(a ^ d, offset), the rest of θ with ρ and π for one lane. XAR rotates to the right.
#define MOVE(a, d, offset, b) VXAR $(64-offset), d.D2, a.D2, b.D2

#define RHO_PI \
	MOVE(a20, d2, 62, b04); \
	MOVE(a22, d2, 43, b20); \
	MOVE(a32, d3, 25, b22); \
	MOVE(a43, d4,  8, b32); \
	MOVE(a34, d3, 56, b43); \
	MOVE(a03, d0, 41, b34); \
	MOVE(a30, d3, 28, b01); \
	MOVE(a33, d3, 21, b30); \
	MOVE(a23, d2, 15, b33); \
	MOVE(a12, d1, 10, b23); \
	MOVE(a11, d1, 44, b10); \
	MOVE(a21, d2,  6, b12); \
	MOVE(a02, d0,  3, b21); \
	VEOR a00.B16, d0.B16, b00.B16; \
	MOVE(a31, d3, 55, b14); \
	MOVE(a13, d1, 45, b31); \
	MOVE(a41, d4, 20, b11); \
	MOVE(a24, d2, 61, b41); \
	MOVE(a42, d4, 39, b24); \
	MOVE(a04, d0, 18, b42); \
	MOVE(a40, d4, 27, b03); \
	MOVE(a44, d4, 14, b40); \
	MOVE(a14, d1,  2, b44); \
	MOVE(a01, d0, 36, b13); \
	MOVE(a10, d1,  1, b02)

// ι: the next constant isn't added to the new lane (0, 0), which the next round waits for, but to the b00 that goes into it.
// After RHO_PI a00 and d0 are still there.
#define IOTA \
	FMOVQ.P 16(next), F27; \
	VEOR3 a00.B16, d0.B16, b00rc.B16, b00rc.B16

// The same for both halves.
#define IOTA2 \
	VLD1.P 16(next), [b00rc.D2]; \
	VEOR3 a00.B16, d0.B16, b00rc.B16, b00rc.B16

// χ for a row: a = b ^ (b2 &^ b1) with b1 and b2 to the right of b, but a0 starts with first. a0 and a1 aren't in the places of b0
// and b1, the others are in those of b2, b3 and b4.
#define ROW(first, b0, b1, b2, b3, b4, a0, a1, a2, a3, a4) \
	VBCAX b1.B16, b2.B16, first.B16, a0.B16; \
	VBCAX b2.B16, b3.B16, b1.B16, a1.B16; \
	VBCAX b3.B16, b4.B16, b2.B16, a2.B16; \
	VBCAX b4.B16, b0.B16, b3.B16, a3.B16; \
	VBCAX b0.B16, b1.B16, b4.B16, a4.B16

#define CHI \
	ROW(b00rc, b00, b10, b20, b30, b40, a00, a10, a20, a30, a40); \
	ROW(b02, b02, b12, b22, b32, b42, a02, a12, a22, a32, a42); \
	ROW(b01, b01, b11, b21, b31, b41, a01, a11, a21, a31, a41); \
	ROW(b03, b03, b13, b23, b33, b43, a03, a13, a23, a33, a43); \
	ROW(b04, b04, b14, b24, b34, b44, a04, a14, a24, a34, a44)

// The round constants, for both halves.
DATA constantsSIMD<>+0(SB)/8, $0x0000000000000001
DATA constantsSIMD<>+8(SB)/8, $0x0000000000000001
DATA constantsSIMD<>+16(SB)/8, $0x0000000000008082
DATA constantsSIMD<>+24(SB)/8, $0x0000000000008082
DATA constantsSIMD<>+32(SB)/8, $0x800000000000808A
DATA constantsSIMD<>+40(SB)/8, $0x800000000000808A
DATA constantsSIMD<>+48(SB)/8, $0x8000000080008000
DATA constantsSIMD<>+56(SB)/8, $0x8000000080008000
DATA constantsSIMD<>+64(SB)/8, $0x000000000000808B
DATA constantsSIMD<>+72(SB)/8, $0x000000000000808B
DATA constantsSIMD<>+80(SB)/8, $0x0000000080000001
DATA constantsSIMD<>+88(SB)/8, $0x0000000080000001
DATA constantsSIMD<>+96(SB)/8, $0x8000000080008081
DATA constantsSIMD<>+104(SB)/8, $0x8000000080008081
DATA constantsSIMD<>+112(SB)/8, $0x8000000000008009
DATA constantsSIMD<>+120(SB)/8, $0x8000000000008009
DATA constantsSIMD<>+128(SB)/8, $0x000000000000008A
DATA constantsSIMD<>+136(SB)/8, $0x000000000000008A
DATA constantsSIMD<>+144(SB)/8, $0x0000000000000088
DATA constantsSIMD<>+152(SB)/8, $0x0000000000000088
DATA constantsSIMD<>+160(SB)/8, $0x0000000080008009
DATA constantsSIMD<>+168(SB)/8, $0x0000000080008009
DATA constantsSIMD<>+176(SB)/8, $0x000000008000000A
DATA constantsSIMD<>+184(SB)/8, $0x000000008000000A
DATA constantsSIMD<>+192(SB)/8, $0x000000008000808B
DATA constantsSIMD<>+200(SB)/8, $0x000000008000808B
DATA constantsSIMD<>+208(SB)/8, $0x800000000000008B
DATA constantsSIMD<>+216(SB)/8, $0x800000000000008B
DATA constantsSIMD<>+224(SB)/8, $0x8000000000008089
DATA constantsSIMD<>+232(SB)/8, $0x8000000000008089
DATA constantsSIMD<>+240(SB)/8, $0x8000000000008003
DATA constantsSIMD<>+248(SB)/8, $0x8000000000008003
DATA constantsSIMD<>+256(SB)/8, $0x8000000000008002
DATA constantsSIMD<>+264(SB)/8, $0x8000000000008002
DATA constantsSIMD<>+272(SB)/8, $0x8000000000000080
DATA constantsSIMD<>+280(SB)/8, $0x8000000000000080
DATA constantsSIMD<>+288(SB)/8, $0x000000000000800A
DATA constantsSIMD<>+296(SB)/8, $0x000000000000800A
DATA constantsSIMD<>+304(SB)/8, $0x800000008000000A
DATA constantsSIMD<>+312(SB)/8, $0x800000008000000A
DATA constantsSIMD<>+320(SB)/8, $0x8000000080008081
DATA constantsSIMD<>+328(SB)/8, $0x8000000080008081
DATA constantsSIMD<>+336(SB)/8, $0x8000000000008080
DATA constantsSIMD<>+344(SB)/8, $0x8000000000008080
DATA constantsSIMD<>+352(SB)/8, $0x0000000080000001
DATA constantsSIMD<>+360(SB)/8, $0x0000000080000001
DATA constantsSIMD<>+368(SB)/8, $0x8000000080008008
DATA constantsSIMD<>+376(SB)/8, $0x8000000080008008
GLOBL constantsSIMD<>(SB), NOPTR|RODATA, $384

#define state R0
#define src   R1 // the block
#define dst   R2
#define bytes R3 // the rate
#define left  R4
#define next  R5 // round constant
#define rounds R6

// Adds a lane of the block, which is in w, to that of the state.
#define ADD1(w, a) VEOR w.B16, a.B16, a.B16

// Adds four lanes from src on. Their registers are free before θ.
#define ADD4(w, x, y, z) \
	VLD1.P 32(src), [V27.D1, V28.D1, V29.D1, V30.D1]; \
	ADD1(V27, w); \
	ADD1(V28, x); \
	ADD1(V29, y); \
	ADD1(V30, z)

// func blocksSIMD(a *[25]uint64, in, out *byte, rate, n int)
TEXT ·blocksSIMD(SB), NOSPLIT, $0-40
	MOVD a+0(FP), state
	MOVD in+8(FP), src
	MOVD out+16(FP), dst
	MOVD rate+24(FP), bytes
	MOVD n+32(FP), left

	VLD1.P 16(state), [a00.D1, a10.D1]
	VLD1.P 24(state), [a20.D1, a30.D1, a40.D1]
	VLD1.P 16(state), [a01.D1, a11.D1]
	VLD1.P 24(state), [a21.D1, a31.D1, a41.D1]
	VLD1.P 16(state), [a02.D1, a12.D1]
	VLD1.P 24(state), [a22.D1, a32.D1, a42.D1]
	VLD1.P 16(state), [a03.D1, a13.D1]
	VLD1.P 24(state), [a23.D1, a33.D1, a43.D1]
	VLD1.P 16(state), [a04.D1, a14.D1]
	VLD1   (state), [a24.D1, a34.D1, a44.D1]
	SUB    $176, state

block:
	CBZ    src, permute
	ADD4(a00, a10, a20, a30)
	ADD4(a40, a01, a11, a21)
	VLD1.P 8(src), [V27.D1]
	ADD1(V27, a31)
	CMP    $72, bytes
	BEQ    permute
	ADD4(a41, a02, a12, a22)
	CMP    $104, bytes
	BEQ    permute
	ADD4(a32, a42, a03, a13)
	CMP    $136, bytes
	BEQ    permute
	VLD1.P 8(src), [V27.D1]
	ADD1(V27, a23)
	CMP    $144, bytes
	BEQ    permute
	VLD1.P 24(src), [V27.D1, V28.D1, V29.D1]
	ADD1(V27, a33)
	ADD1(V28, a43)
	ADD1(V29, a04)

permute:
	MOVD $constantsSIMD<>(SB), next
	MOVD $24, rounds

round:
	THETA
	RHO_PI
	IOTA
	CHI
	SUBS $1, rounds
	BNE  round

	CBZ    dst, done
	VST1.P [a00.D1, a10.D1], 16(dst)
	VST1.P [a20.D1, a30.D1, a40.D1], 24(dst)
	VST1.P [a01.D1, a11.D1], 16(dst)
	VST1.P [a21.D1, a31.D1], 16(dst)
	CMP    $72, bytes
	BEQ    done
	VST1.P [a41.D1], 8(dst)
	VST1.P [a02.D1, a12.D1], 16(dst)
	VST1.P [a22.D1], 8(dst)
	CMP    $104, bytes
	BEQ    done
	VST1.P [a32.D1, a42.D1], 16(dst)
	VST1.P [a03.D1, a13.D1], 16(dst)
	CMP    $136, bytes
	BEQ    done
	VST1.P [a23.D1], 8(dst)
	CMP    $144, bytes
	BEQ    done
	VST1.P [a33.D1, a43.D1], 16(dst)
	VST1.P [a04.D1], 8(dst)

done:
	SUBS bytes, left
	BNE  block

	VST1.P [a00.D1, a10.D1], 16(state)
	VST1.P [a20.D1, a30.D1, a40.D1], 24(state)
	VST1.P [a01.D1, a11.D1], 16(state)
	VST1.P [a21.D1, a31.D1, a41.D1], 24(state)
	VST1.P [a02.D1, a12.D1], 16(state)
	VST1.P [a22.D1, a32.D1, a42.D1], 24(state)
	VST1.P [a03.D1, a13.D1], 16(state)
	VST1.P [a23.D1, a33.D1, a43.D1], 24(state)
	VST1.P [a04.D1, a14.D1], 16(state)
	VST1   [a24.D1, a34.D1, a44.D1], (state)
	RET

// The kernel of two states at once: one in each half of a register. A state's lanes lie next to those of the other, as they do in a
// register.

#define in0 R7 // a block of each state
#define in1 R8
#define mask R9

// Adds two lanes of the blocks to those of the states, from in0 and in1 on.
#define ADD2(x, y) \
	VLD1.P 16(in0), [V27.D2]; \
	VLD1.P 16(in1), [V28.D2]; \
	VZIP1  V28.D2, V27.D2, V29.D2; \
	VZIP2  V28.D2, V27.D2, V30.D2; \
	VEOR   V29.B16, x.B16, x.B16; \
	VEOR   V30.B16, y.B16, y.B16

#define ADD1OF2(x) \
	VLD1.P 8(in0), [V27.D1]; \
	VLD1.P 8(in1), [V28.D1]; \
	VZIP1  V28.D2, V27.D2, V29.D2; \
	VEOR   V29.B16, x.B16, x.B16

// Clears the lanes of a state that begins: its half of V31 is 0, that of the other all ones.
#define KEEP(v, w, x, y, z) \
	VAND V31.B16, v.B16, v.B16; \
	VAND V31.B16, w.B16, w.B16; \
	VAND V31.B16, x.B16, x.B16; \
	VAND V31.B16, y.B16, y.B16; \
	VAND V31.B16, z.B16, z.B16

// func absorbBatchSIMD(a, keep *uint64, in **byte, rate, blocks int)
TEXT ·absorbBatchSIMD(SB), NOSPLIT, $0-40
	MOVD a+0(FP), state
	MOVD keep+8(FP), mask
	MOVD in+16(FP), src
	MOVD rate+24(FP), bytes
	MOVD blocks+32(FP), left
	MOVD (src), in0
	MOVD 8(src), in1

	VLD1.P 32(state), [a00.D2, a10.D2]
	VLD1.P 48(state), [a20.D2, a30.D2, a40.D2]
	VLD1.P 32(state), [a01.D2, a11.D2]
	VLD1.P 48(state), [a21.D2, a31.D2, a41.D2]
	VLD1.P 32(state), [a02.D2, a12.D2]
	VLD1.P 48(state), [a22.D2, a32.D2, a42.D2]
	VLD1.P 32(state), [a03.D2, a13.D2]
	VLD1.P 48(state), [a23.D2, a33.D2, a43.D2]
	VLD1.P 32(state), [a04.D2, a14.D2]
	VLD1   (state), [a24.D2, a34.D2, a44.D2]
	SUB    $352, state

	CBZ  mask, block
	VLD1 (mask), [V31.D2]
	KEEP(a00, a10, a20, a30, a40)
	KEEP(a01, a11, a21, a31, a41)
	KEEP(a02, a12, a22, a32, a42)
	KEEP(a03, a13, a23, a33, a43)
	KEEP(a04, a14, a24, a34, a44)

block:
	ADD2(a00, a10)
	ADD2(a20, a30)
	ADD2(a40, a01)
	ADD2(a11, a21)
	ADD1OF2(a31)
	CMP $72, bytes
	BEQ permute
	ADD2(a41, a02)
	ADD2(a12, a22)
	CMP $104, bytes
	BEQ permute
	ADD2(a32, a42)
	ADD2(a03, a13)
	CMP $136, bytes
	BEQ permute
	ADD1OF2(a23)
	CMP $144, bytes
	BEQ permute
	ADD2(a33, a43)
	ADD1OF2(a04)

permute:
	MOVD $constantsSIMD<>(SB), next
	MOVD $24, rounds

round:
	THETA
	RHO_PI
	IOTA2
	CHI
	SUBS $1, rounds
	BNE  round

	SUBS $1, left
	BNE  block

	VST1.P [a00.D2, a10.D2], 32(state)
	VST1.P [a20.D2, a30.D2, a40.D2], 48(state)
	VST1.P [a01.D2, a11.D2], 32(state)
	VST1.P [a21.D2, a31.D2, a41.D2], 48(state)
	VST1.P [a02.D2, a12.D2], 32(state)
	VST1.P [a22.D2, a32.D2, a42.D2], 48(state)
	VST1.P [a03.D2, a13.D2], 32(state)
	VST1.P [a23.D2, a33.D2, a43.D2], 48(state)
	VST1.P [a04.D2, a14.D2], 32(state)
	VST1   [a24.D2, a34.D2, a44.D2], (state)
	RET
