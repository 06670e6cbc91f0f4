package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A machine emits code for one width of vectors. Its methods are the operations that the kernels are written in;
// where the two instruction sets differ, they differ here and nowhere else.
type machine struct {
	width int    // of a vector in bytes: 32 or 64
	name  string // suffix of its functions

	scratch                               Mem // in the frame of the function at hand: see enterTail
	baseData, nextData, ctrData, hashData Mem // there, what has a register of its name with EVEX
}

var machines = []machine{{width: 32, name: "VAES256"}, {width: 64, name: "VAES512"}}

// evex says whether there are EVEX instructions: masks, three-input logic, registers from 16 on.
func (m machine) evex() bool { return m.width == 64 }

// The vector registers. The xmm, ymm and zmm registers of one number are one register;
// instructions on the narrower clear the rest.
const (
	state0 = 0 // to state0+7: counter blocks on the way to key stream
	rkey   = 8 // a round key in each lane
	lo     = 9 // sums of products, see the derivation
	mi     = 10
	hi     = 11
	data   = 12
	tmp    = 13
	data2  = 14 // the second of two vectors that are hashed together
	hash   = 15 // GHASH so far, byte-reversed, in lane 0; the other lanes are clear

	// With EVEX only.
	swap     = 16 // the shuffle that reverses the bytes of a block
	poly     = 17 // the constant of the reduction
	base     = 18 // the nonce and round key 0
	next     = 19 // the whitened first state of the next chunk
	tmp2     = 20
	ctr      = 21 // the next counters, in the first word of each lane
	rkeyLast = 31 // the last round key in each lane, and those before it in the registers before this one, from 22 on
)

// ctr returns the register of the next counters. Without EVEX data2 has it too: see loadCounters.
func (m machine) ctr() int {
	if m.evex() {
		return ctr
	}
	return data2
}

// chunk is the number of vectors that the main loop takes at a time: enough for the latency of
// the AES instructions, which is 4 cycles or less at 2 a cycle.
const chunk = 8

var (
	xmm = []reg.VecPhysical{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7, reg.X8, reg.X9, reg.X10, reg.X11, reg.X12, reg.X13, reg.X14, reg.X15,
		reg.X16, reg.X17, reg.X18, reg.X19, reg.X20, reg.X21, reg.X22, reg.X23, reg.X24, reg.X25, reg.X26, reg.X27, reg.X28, reg.X29, reg.X30, reg.X31}
	ymm = []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15}
	zmm = []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}
)

func (m machine) v(i int) reg.VecPhysical {
	if m.evex() {
		return zmm[i]
	}
	return ymm[i]
}

// The general-purpose registers.
var (
	key     = reg.RAX // the Key
	lastKey = reg.RBX // its last round key
	msg     = reg.RCX // the message
	scratch = reg.RDX // see enterTail
	src     = reg.RSI
	dst     = reg.RDI
	left    = reg.R8  // bytes of whole chunks still to be done
	rest    = reg.R9  // bytes after them
	power   = reg.R10 // the power of H for the first block
	a       = reg.R11
	b       = reg.R12
	masks   = reg.R13 // see enterTail
	last    = reg.R12 // see chunks
	hashed  = reg.R13 // the chunk to hash
)

func mem(base reg.Register, disp int) Mem { return Mem{Base: base, Disp: disp} }

func (m machine) load(p Mem, dst reg.VecPhysical) {
	if m.evex() {
		VMOVDQU64(p, dst)
	} else {
		VMOVDQU(p, dst)
	}
}

func (m machine) store(src reg.VecPhysical, p Mem) {
	if m.evex() {
		VMOVDQU64(src, p)
	} else {
		VMOVDQU(src, p)
	}
}

// broadcast loads a block into each lane.
func (m machine) broadcast(p Mem, dst int) {
	if m.evex() {
		VBROADCASTI32X4(p, zmm[dst])
	} else {
		VBROADCASTI128(p, ymm[dst])
	}
}

// spread copies lane 0 of src to each lane of dst.
func (m machine) spread(src, dst int) {
	if m.evex() {
		VSHUFI64X2(Imm(0), zmm[src], zmm[src], zmm[dst])
	} else {
		VINSERTI128(Imm(1), xmm[src], ymm[src], ymm[dst])
	}
}

// xor computes dst = x ^ y.
func (m machine) xor(x Op, y, dst int) {
	if m.evex() {
		VPXORQ(x, zmm[y], zmm[dst])
	} else {
		VPXOR(x, ymm[y], ymm[dst])
	}
}

// xor3 computes dst ^= x ^ y.
func (m machine) xor3(x, y, dst int) {
	if m.evex() {
		VPTERNLOGQ(Imm(0x96), zmm[x], zmm[y], zmm[dst])
	} else {
		VPXOR(ymm[x], ymm[dst], ymm[dst])
		VPXOR(ymm[y], ymm[dst], ymm[dst])
	}
}

// xorBlock computes dst = x ^ y in lane 0 and clears the other lanes of dst.
func (m machine) xorBlock(x Op, y, dst int) { VPXOR(x, xmm[y], xmm[dst]) }

func (m machine) loadBlock(p Mem, dst int) { VMOVDQU(p, xmm[dst]) }

func (m machine) storeBlock(src int, p Mem) { VMOVDQU(xmm[src], p) }

// halves swaps the halves of each lane.
func (m machine) halves(src, dst int) { VPSHUFD(Imm(0x4e), m.v(src), m.v(dst)) }

// mul multiplies, without carries, a half of each lane of x by a half of the same lane of y: the
// lower ones, or the upper one of x with xUp = 1, of y with yUp = 1.
func (m machine) mul(x int, xUp uint8, y Op, yUp uint8, dst int) {
	VPCLMULQDQ(Imm(uint64(xUp|yUp<<4)), y, m.v(x), m.v(dst))
}

// constant defines read-only data of so many copies of a block, the quarters of which are given
// the first byte first.
func constant(name string, copies int, words ...uint64) Mem {
	p := GLOBL(name, attrRODATA)
	offset := 0
	for range copies {
		for _, w := range words {
			DATA(offset, U64(w))
			offset += 8
		}
	}
	return p
}

// constantMasks returns the end of a chunk's worth of ones that a chunk's worth of zeros follows.
func constantMasks() Mem {
	const chunkBytes = chunk * 32
	p := GLOBL("masks", attrRODATA)
	for i := range chunkBytes / 8 {
		DATA(8*i, U64(1<<64-1))
	}
	for i := range chunkBytes / 8 {
		DATA(chunkBytes+8*i, U64(0))
	}
	return p.Offset(chunkBytes)
}

func label(format string, args ...any) string { return fmt.Sprintf(format, args...) }
