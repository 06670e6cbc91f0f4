// Command _asm generates the kernels of AES-GCM on VAES.
//
// GHASH. SP 800-38D takes the first bit of a block for the coefficient of x^0. With the bytes of
// a block reversed, bit 127-i of the integer is the coefficient of x^i, and the product without
// carries of two such integers has x^i in bit 254-i. As a 256-bit number with x^i in bit 255-i it is
// therefore the product times x. Each power of H is kept divided by x to make up for that:
//
//	h[i] = H^i / x, so that block · h[i] in this arithmetic is block · H^i
//
// and h[i] · h[1] = h[i+1]. Dividing by x is a shift to the left by one; a bit that leaves at
// the top, x^-1, is x^127 + x^6 + x + 1, the constant 0xc2…01.
//
// Several products are added up before one reduction. Of their sum, in limbs of 64 bits p3 p2 p1 p0
// with x^0 at the top, the field's polynomial times x^127 and so on clears p0 and then p1 from below. It
// has its terms at bits 0, 121, 126, 127 and 128, so a limb p is cleared by adding p · 0xc2<<56 one limb higher
// and p itself two limbs higher. With the sum in the overlapping parts lo, mi and hi, at limbs 0, 1
// and 2:
//
//	mi += swap(lo) + lo[0] · 0xc2<<56
//	hi += swap(mi) + mi[0] · 0xc2<<56
//
// where swap exchanges the limbs of a part, and hi is the result.
//
// The products by Karatsuba, for d = d1 d0 and h = h1 h0:
//
//	lo = d0 · h0, hi = d1 · h1, mi = (d0+d1) · (h0+h1) + lo + hi
//
// For whole chunks h0+h1 comes from a table of its own, two to a lane; lo and hi are added to mi once, to
// the sums.
//
// What was measured on a Zen 5. AES instructions run 2 a cycle, products without carries one in 2 cycles, at 256 and at 512 bits,
// additions 4 a cycle, as do VPSHUFD and VPUNPCK, and VPSHUFB 2. Of the 4 places for vector instructions in a cycle a product takes 3.
// It is dispatched alone: to dispatch 8 other instructions and a product takes 2 cycles, and 9 others and a product 3. See spread.
//
// A chunk of 8 vectors has 80 AES instructions, 25 or 26 products and, of VAES256, 67 additions and shuffles: 222 places, or
// 55.5 cycles. The loops take 59 or 60 cycles a chunk. Without regard to how products are dispatched they took 63 and 67.
// Round keys from memory for each AES instruction take 10 cycles more. Spread over the last round and the stores too, or in runs of 4
// products, the hash is no faster, nor are tens of thousands of random changes of the order by more than 2 %.
package main

import (
	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

const attrRODATA = attr.RODATA | attr.NOPTR

// The layout of a Key; the package's Go code checks it.
const (
	keyRounds    = 0
	keyPowersEnd = 576 // the powers of H stand before it, h[1] last
	keyMiddles   = 576 // h0+h1 for the last 32 powers, one vector in the low and one in the high halves
	keyRoundKeys = 832

	keyMiddlesSize = keyRoundKeys - keyMiddles
)

// The layout of a message.
const (
	msgHash     = 0 // first, since Go clears a message by 16 bytes at a time and a load across two stores stalls
	msgIV       = 16
	msgCounter0 = 28
	msgCounter  = 32
	msgSeal     = 36
	msgStandard = 37
	msgDst      = 40
	msgSrc      = 48
	msgChunks   = 56
	msgRest     = 64
	msgAAD      = 72
	msgAADLen   = 80
	msgTextBits = 88
	msgAADBits  = 96
)

var (
	reverse   Mem // the shuffle that reverses the bytes of a block, in two lanes
	polyData  Mem
	maskData  Mem             // ones and then zeros, a chunk of VAES256 each: points between
	toCounter Mem             // the shuffle that makes a big-endian counter, in the last word of a block, of its first word
	laneData  Mem             // 0, 1, 2, 3 in the lanes, to be added to a counter
	stepData  = map[int]Mem{} // by width of a vector: its blocks, to be added to a counter
	leapData  = map[int]Mem{} // the blocks of a chunk
	deltaData = map[int]Mem{} // see chunkStates
	oneOverX  Mem
)

func main() {
	ConstraintExpr("!purego")

	reverse = constant("reverse", 2, 0x08090a0b0c0d0e0f, 0x0001020304050607)
	polyData = constant("poly", 4, 0xc200000000000000, 0xc200000000000000)
	maskData = constantMasks()
	toCounter = constant("toCounter", 4, 0x8080808080808080, 0x0001020380808080)
	oneOverX = constant("oneOverX", 1, 1, 0xc200000000000000)
	laneData = constant("lane", 1, 0, 0, 1, 0, 2, 0, 3, 0)
	expandKey()
	for _, m := range machines {
		blocks := m.width / 16
		stepData[m.width] = constant(label("step%d", blocks), blocks, uint64(blocks), 0)
		leapData[m.width] = constant(label("leap%d", blocks), blocks, uint64(chunk*blocks), 0)
		deltaData[m.width] = m.constantDeltas()
		m.powers()
		m.ghash()
		m.crypt()
	}
	Generate()
}

// start loads what every function of a message needs.
func (m machine) start() {
	if m.evex() {
		m.broadcast(reverse, swap)
		m.load(polyData, zmm[poly])
	}
}

// ret leaves a function with the upper halves of the registers clean.
func ret() {
	VZEROUPPER()
	RET()
}

// An op emits an instruction, a product or another one.
type op struct {
	emit    func()
	product bool
}

// instruction returns an op that isn't a product.
func instruction(emit func()) op { return op{emit: emit} }

// emit emits ops, one after the other.
func emit(ops []op) {
	for _, op := range ops {
		op.emit()
	}
}
