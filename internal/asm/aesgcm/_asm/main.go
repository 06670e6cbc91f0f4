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
// What was measured on a Zen 5 (AES instructions 2 a cycle; a product without carries takes 3 of the 8 slots that the vector units
// have in 2 cycles): the products by Karatsuba save 4 to 5 % over four products, at the end of a text too; to have the counters
// of the next chunk ready without shuffles 1 to 5 %, most where a text is opened; the sums of two vectors' halves in one register
// 2 %. All that was hashed emitted before, behind or in the middle of the rounds of AES is slower than spread evenly, by up to
// 13 %. To load each power once for two products, instead of twice, gained nothing.
package main

import (
	"slices"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
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

// polynomial returns the constant of the reduction.
func (m machine) polynomial() Op {
	if m.evex() {
		return zmm[poly]
	}
	return polyData
}

// reversed sets dst to the blocks of src with their bytes reversed.
func (m machine) reversed(src, dst int) {
	if m.evex() {
		VPSHUFB(zmm[swap], zmm[src], zmm[dst])
	} else {
		VPSHUFB(reverse, ymm[src], ymm[dst])
	}
}

// reverseBlock reverses the bytes of the block in lane 0 and clears the other lanes.
func (m machine) reverseBlock(r int) { VPSHUFB(reverse, xmm[r], xmm[r]) }

// ret leaves a function with the upper halves of the registers clean.
func ret() {
	VZEROUPPER()
	RET()
}

// An op emits an instruction or a few that go together.
type op func()

// hashChunk hashes the chunk at p by Karatsuba, two vectors at a time. After it come so many vectors before the
// reduction: if none do, it makes that too. Only the first chunk after a reduction sets the sums. The first block, to which the
// hash so far is added, comes last, since it is the only one that has to wait for that.
func (m machine) hashChunk(p Mem, after int, first bool) []op {
	var ops []op
	for n, i := range []int{2, 4, 6, 0} {
		ops = append(ops, m.loadForHash(p, i+1, data2)...)
		ops = append(ops, m.loadForHash(p, i, data)...)
		fromEnd := after + chunk - i
		h := mem(key, keyPowersEnd-fromEnd*m.width)
		h2 := h.Offset(m.width)
		middles := mem(key, keyMiddles+keyMiddlesSize-fromEnd/2*m.width)
		sum := func(sum int, x, y product) []op {
			switch {
			case first && n == 0:
				return []op{func() { x(sum) }, func() { y(tmp) }, func() { m.xor(m.v(tmp), sum, sum) }}
			case m.evex():
				return []op{func() { x(tmp) }, func() { y(tmp2) }, func() { m.xor3(tmp, tmp2, sum) }}
			default:
				return []op{
					func() { x(tmp) }, func() { m.xor(m.v(tmp), sum, sum) },
					func() { y(tmp) }, func() { m.xor(m.v(tmp), sum, sum) },
				}
			}
		}
		ops = append(ops, sum(lo,
			func(dst int) { m.mul(data, 0, h, 0, dst) },
			func(dst int) { m.mul(data2, 0, h2, 0, dst) })...)
		ops = append(ops, sum(hi,
			func(dst int) { m.mul(data, 1, h, 1, dst) },
			func(dst int) { m.mul(data2, 1, h2, 1, dst) })...)
		// The sums of the halves, of one vector in the lower and of the other in the upper halves, as
		// those of the powers are.
		ops = append(ops,
			func() { VPUNPCKLQDQ(m.v(data2), m.v(data), m.v(tmp)) },
			func() { VPUNPCKHQDQ(m.v(data2), m.v(data), m.v(data)) },
			func() { m.xor(m.v(tmp), data, data) })
		ops = append(ops, sum(mi,
			func(dst int) { m.mul(data, 0, middles, 0, dst) },
			func(dst int) { m.mul(data, 1, middles, 1, dst) })...)
	}
	if after > 0 {
		return append(ops, func() { VPXOR(xmm[hash], xmm[hash], xmm[hash]) })
	}
	return append(ops, m.reduce()...)
}

// loadForHash loads vector i of the chunk at p, reverses its bytes and, in the first one, adds the hash so far.
func (m machine) loadForHash(p Mem, i, to int) []op {
	ops := []op{
		func() { m.load(p.Offset(i*m.width), m.v(to)) },
		func() { m.reversed(to, to) },
	}
	if i == 0 {
		ops = append(ops, func() { m.xor(m.v(hash), to, to) })
	}
	return ops
}

// hashStates adds the products of the blocks in some states, which it overwrites, with the powers for
// those vectors from power on. The hash so far goes into the first block of vector 0.
func (m machine) hashStates(states ...int) {
	for _, i := range states {
		m.reversed(i, i)
		if i == 0 {
			m.xor(m.v(hash), i, i)
		}
	}
	h := []int{data, data2}
	for n, i := range states {
		m.load(mem(power, i*m.width), m.v(h[n]))
	}
	products := func(up uint8) []product {
		var ps []product
		for n, i := range states {
			ps = append(ps, func(dst int) { m.mul(i, up, m.v(h[n]), up, dst) })
		}
		return ps
	}
	m.add(lo, products(0))
	m.add(hi, products(1))
	for n, i := range states {
		m.halves(i, tmp)
		m.xor(m.v(tmp), i, i)
		m.halves(h[n], tmp)
		m.xor(m.v(tmp), h[n], h[n])
	}
	m.add(mi, products(0))
}

// A product sets a register to a product.
type product func(dst int)

// add adds products to a sum, two at a time where that takes fewer instructions.
func (m machine) add(sum int, products []product) {
	for len(products) > 0 {
		products[0](tmp)
		if m.evex() && len(products) > 1 {
			products[1](tmp2)
			m.xor3(tmp, tmp2, sum)
			products = products[2:]
			continue
		}
		m.xor(m.v(tmp), sum, sum)
		products = products[1:]
	}
}

// reduceLanes reduces the sums in each lane to one block, in hi. What Karatsuba leaves out of mi is there already.
func (m machine) reduceLanes() []op {
	return []op{
		func() { m.mul(lo, 0, m.polynomial(), 0, tmp) },
		func() { m.halves(lo, lo) },
		func() { m.xor3(lo, tmp, mi) },
		func() { m.mul(mi, 0, m.polynomial(), 0, tmp) },
		func() { m.halves(mi, mi) },
		func() { m.xor3(mi, tmp, hi) },
	}
}

// reduce reduces the sums and adds up the lanes, to lane 0 of hash, with the others clear.
func (m machine) reduce() []op {
	ops := append([]op{func() { m.xor3(lo, hi, mi) }}, m.reduceLanes()...)
	if m.evex() {
		ops = append(ops,
			func() { VEXTRACTI64X4(Imm(1), zmm[hi], ymm[tmp]) },
			func() { VPXOR(ymm[tmp], ymm[hi], ymm[hi]) })
	}
	return append(ops,
		func() { VEXTRACTI128(Imm(1), ymm[hi], xmm[tmp]) },
		func() { m.xorBlock(xmm[tmp], hi, hash) })
}

// emit emits ops, one after the other.
func emit(ops []op) {
	for _, op := range ops {
		op()
	}
}

// multiply sets dst to the product of x and y in each lane.
func (m machine) multiply(x, y, dst int) {
	m.mul(x, 0, m.v(y), 0, lo)
	m.mul(x, 1, m.v(y), 0, mi)
	m.mul(x, 0, m.v(y), 1, tmp)
	m.xor(m.v(tmp), mi, mi)
	m.mul(x, 1, m.v(y), 1, hi)
	emit(m.reduceLanes())
	if m.evex() {
		VMOVDQA64(zmm[hi], zmm[dst])
	} else {
		VMOVDQA(ymm[hi], ymm[dst])
	}
}

// firstPower sets power to the power for the first of the blocks that rest bytes fill, if so many come after them.
func (m machine) firstPower(after int) {
	// power = end - 16·(ceil(rest/16) + after)
	LEAQ(mem(rest, 15+16*after), power)
	ANDQ(I8(-16), power)
	NEGQ(power)
	LEAQ(Mem{Base: key, Index: power, Scale: 1, Disp: keyPowersEnd}, power)
}

// loadKey loads the pointer to the last round key and, where there are registers for them, the last round keys.
func (m machine) loadKey() {
	MOVL(mem(key, keyRounds), lastKey.As32())
	SHLQ(Imm(4), lastKey)
	LEAQ(Mem{Base: key, Index: lastKey, Scale: 1, Disp: keyRoundKeys}, lastKey)
	if m.evex() {
		for i := -commonRounds; i <= 0; i++ {
			m.broadcast(mem(lastKey, 16*i), rkeyLast+i)
		}
	}
}

// commonRounds is the number of rounds of AES between the first and the last key that all sizes of keys have.
const commonRounds = 9

// lastRoundKey is the register that aes leaves with the last round key.
func (m machine) lastRoundKey() int {
	if m.evex() {
		return rkeyLast
	}
	return rkey
}

// whiten adds the nonce and round key 0 to the counters in some states.
func (m machine) whiten(states []int) {
	for _, s := range states {
		m.xor(m.base(), s, s)
	}
}

// round is one round of AES. It calls between after each state.
func (m machine) round(key int, states []int, between func()) {
	for _, s := range states {
		VAESENC(m.v(key), m.v(s), m.v(s))
		between()
	}
}

// aes does all rounds of AES but the last one. It spreads ops over the rounds that all sizes of keys have.
func (m machine) aes(name string, states []int, ops []op) {
	nothing := func() {}
	common := power
	if ops == nil && !m.evex() {
		common = lastKey // all in the loop
	} else {
		LEAQ(mem(lastKey, -commonRounds*16), common)
	}
	LEAQ(mem(key, keyRoundKeys+16), a)
	JMP(LabelRef(name + "Rounds"))
	Label(name + "Round")
	m.broadcast(mem(a, 0), rkey)
	m.round(rkey, states, nothing)
	ADDQ(Imm(16), a)
	Label(name + "Rounds")
	CMPQ(a, common)
	JNE(LabelRef(name + "Round"))
	if common != lastKey {
		done, slot, slots := 0, 0, commonRounds*len(states)
		for i := commonRounds; i > 0; i-- {
			k := rkey
			if m.evex() {
				k = rkeyLast - i
			} else {
				m.broadcast(mem(lastKey, -16*i), rkey)
			}
			m.round(k, states, func() {
				slot++
				for ; done < len(ops)*slot/slots; done++ {
					ops[done]()
				}
			})
		}
	}
	if !m.evex() {
		m.broadcast(mem(lastKey, 0), rkey)
	}
}

// counters makes the next counters, big-endian and without the nonce, in the registers given.
func (m machine) counters(to []int) {
	for _, r := range to {
		VPSHUFB(toCounter, m.v(m.ctr()), m.v(r))
		VPADDD(stepData[m.width], m.v(m.ctr()), m.v(m.ctr()))
	}
}

// states returns the registers of the first n states.
func states(n int) []int {
	var s []int
	for i := range n {
		s = append(s, state0+i)
	}
	return s
}

// The states of a chunk. With a nonce of 12 bytes the first counter is 2, so that the first counter of each chunk is 2 more than
// a multiple of a chunk's blocks. What is added to it within that multiple changes only bits that are the same in each
// chunk: the whitened state of a vector is that of the first vector plus a constant, without carries. That is one
// instruction, where to make counters and to whiten them takes three. The last two blocks of a chunk are beyond the multiple, and are
// made like that of the first vector of the next chunk, which is made ahead.
//
// With nonces of other sizes the first counter comes out of GHASH, and nothing that takes time may depend on it.

// constantDeltas returns the constants that make the vectors of a chunk.
func (m machine) constantDeltas() Mem {
	const first = 2
	lanes := m.width / 16
	p := GLOBL(label("delta%d", lanes), attrRODATA)
	for i := range chunk {
		for lane := range lanes {
			from, to := first+lane, first+lane+i*lanes
			if to >= chunk*lanes-2 {
				from, to = first+lane%2, to%(chunk*lanes)
			}
			DATA(i*m.width+16*lane, U64(0))
			DATA(i*m.width+16*lane+8, U64(uint64(from^to)<<56))
		}
	}
	return p
}

// counterState sets a register to the whitened counters of the next vector.
func (m machine) counterState(to int) {
	VPSHUFB(toCounter, m.v(m.ctr()), m.v(to))
	m.xor(m.base(), to, to)
}

// firstStates makes what chunkStates finds of the vector that comes first.
func (m machine) firstStates() {
	if m.evex() {
		m.counterState(next)
		return
	}
	m.counterState(data)
	m.store(m.v(data), m.nextData)
}

// chunkStates sets the states to those of the next chunk.
func (m machine) chunkStates(name string) {
	m.loadCounters()
	CMPB(mem(msg, msgStandard), U8(0))
	JNE(LabelRef(name + "Standard"))
	m.counters(states(chunk))
	m.whiten(states(chunk))
	JMP(LabelRef(name + "States"))

	Label(name + "Standard")
	delta := func(i int) Mem { return deltaData[m.width].Offset(i * m.width) }
	const last = state0 + chunk - 1
	if !m.evex() {
		m.load(m.nextData, m.v(state0))
	} else {
		VMOVDQA64(zmm[next], zmm[state0])
	}
	for i := 1; i < chunk-1; i++ {
		m.xor(delta(i), state0, state0+i)
	}
	VPADDD(leapData[m.width], m.v(m.ctr()), m.v(m.ctr()))
	if m.evex() {
		m.counterState(next)
		VSHUFI64X2(Imm(0x44), zmm[next], zmm[state0], zmm[last]) // the lower two lanes of each
	} else {
		m.counterState(last)
		m.store(m.v(last), m.nextData)
	}
	m.xor(delta(chunk-1), last, last)
	Label(name + "States")
	m.storeCounters()
}

// loadCounters loads ctr from where storeCounters keeps it if chunks need the register.
func (m machine) loadCounters() {
	if !m.evex() {
		m.load(m.ctrData, m.v(m.ctr()))
	}
}

func (m machine) storeCounters() {
	if !m.evex() {
		m.store(m.v(m.ctr()), m.ctrData)
	}
}

// endChunk adds the states, which only lack the last round of AES, to the chunk at src, and stores that to dst.
func (m machine) endChunk() {
	for i := range chunk {
		m.xor(mem(src, i*m.width), m.lastRoundKey(), data)
		VAESENCLAST(m.v(data), m.v(state0+i), m.v(state0+i))
		m.store(m.v(state0+i), mem(dst, i*m.width))
	}
	ADDQ(I32(m.chunkBytes()), src)
	ADDQ(I32(m.chunkBytes()), dst)
}

// crypt is a function that hashes additional data, encrypts or decrypts text and hashes the
// ciphertext, all of a message or a piece of it.
func (m *machine) crypt() {
	TEXT("crypt"+m.name, NOSPLIT, "func(k, m uintptr)")
	m.allocScratch()
	Load(Param("k"), key)
	Load(Param("m"), msg)
	m.start()
	m.loadBlock(mem(msg, msgHash), hash)
	m.loadKey()

	Comment("Additional data of up to one vector.")
	MOVQ(mem(msg, msgAADLen), rest)
	TESTQ(rest, rest)
	JZ(LabelRef("counters"))
	MOVQ(mem(msg, msgAAD), src)
	m.enterTail("aad")
	m.firstPower(0)
	m.clearSums()
	m.loadTail(1)
	m.hashStates(0)
	emit(m.reduce())

	Label("counters")
	m.firstCounters()
	MOVQ(mem(msg, msgSrc), src)
	MOVQ(mem(msg, msgDst), dst)
	MOVQ(mem(msg, msgChunks), left)
	MOVQ(mem(msg, msgRest), rest)
	TESTQ(left, left)
	JZ(LabelRef("tail"))
	m.chunks()

	Label("tail")
	m.tail()
}

// firstCounters sets base to the nonce and round key 0 added, which is what all counter blocks have in
// common when AES starts, and ctr to the first counters.
func (m machine) firstCounters() {
	VMOVQ(mem(msg, msgIV), xmm[data])
	VPINSRD(Imm(2), mem(msg, msgIV+8), xmm[data], xmm[data])
	VPXOR(mem(key, keyRoundKeys), xmm[data], xmm[data])
	if m.evex() {
		m.spread(data, base)
	} else {
		m.spread(data, data)
		m.store(m.v(data), m.baseData)
	}
	VPBROADCASTD(mem(msg, msgCounter), m.v(m.ctr()))
	VPADDD(laneData, m.v(m.ctr()), m.v(m.ctr()))
}

// base returns what firstCounters has set.
func (m machine) base() Op {
	if m.evex() {
		return zmm[base]
	}
	return m.baseData
}

func (m machine) chunkBytes() int { return chunk * m.width }

// chunks encrypts or decrypts whole chunks. It does the rounds of AES for one chunk while it hashes another: the same one if a
// message is opened, the one before if it is sealed. So the rounds for the end of a sealed text belong here too.
//
// Without EVEX two chunks take turns, with one reduction for both.
func (m machine) chunks() {
	turns := []string{"chunk"}
	if !m.evex() {
		turns = []string{"chunk1", "chunk2"}
	}
	m.storeCounters()
	m.firstStates()
	XORL(last.As32(), last.As32())
	MOVQ(src, hashed)
	CMPB(mem(msg, msgSeal), U8(0))
	JE(LabelRef("turns"))

	Comment("The first chunk to seal, and J0.")
	m.chunkStates("first")
	m.counter0()
	m.aes("first", append(states(chunk), lo), nil)
	m.encryptedCounter0()
	MOVQ(dst, hashed)
	m.endChunk()
	Comment("If the end of the text is here, it is one more to the loop, which it leaves before the others.")
	TESTQ(rest, rest)
	JZ(LabelRef("noEnd"))
	ADDQ(I32(m.chunkBytes()), left)
	MOVL(U32(m.chunkBytes()), last.As32())
	Label("noEnd")
	SUBQ(I32(m.chunkBytes()), left)
	JZ(LabelRef("hashChunk"))

	Label("turns")
	if !m.evex() {
		TESTL(U32(m.chunkBytes()), left.As32())
		JZ(LabelRef(turns[0]))
		m.clearSums()
		JMP(LabelRef(turns[1]))
	}
	for i, turn := range turns {
		Label(turn)
		m.chunkStates(turn)
		m.aes(turn, states(chunk), m.hashChunk(mem(hashed, 0), (len(turns)-1-i)*chunk, i == 0))
		ADDQ(I32(m.chunkBytes()), hashed)
		if i == len(turns)-1 {
			CMPQ(left, last)
			JE(LabelRef("end"))
		}
		m.endChunk()
		SUBQ(I32(m.chunkBytes()), left)
	}
	JNZ(LabelRef(turns[0]))

	m.loadCounters()
	CMPB(mem(msg, msgSeal), U8(0))
	JE(LabelRef("opened"))
	Label("hashChunk")
	emit(m.hashChunk(mem(hashed, 0), 0, true))
	JMP(LabelRef("store"))
	Label("end")
	m.enterTail("end")
	for _, n := range sizes[:len(sizes)-1] {
		CMPQ(rest, I32(n*m.width))
		JBE(LabelRef(label("end%d", n)))
	}
	JMP(LabelRef(label("end%d", chunk)))

	Label("opened")
	TESTQ(rest, rest)
	JZ(LabelRef("store"))
}

// sizes are the numbers of vectors that there is code for at the end of a text. What is over is
// empty: it costs time, but no code.
var sizes = []int{1, 2, 4, 8}

// eachSize dispatches on how many vectors rest bytes fill, with a place of its own for none.
func (m machine) eachSize(name string, none func(), some func(n int)) {
	TESTQ(rest, rest)
	JZ(LabelRef(name + "0"))
	for i, n := range sizes {
		over := label("%sOver%d", name, n)
		if i < len(sizes)-1 {
			CMPQ(rest, I32(n*m.width))
			JA(LabelRef(over))
		}
		some(n)
		JMP(LabelRef(name + "Done"))
		if i < len(sizes)-1 {
			Label(over)
		}
	}
	Label(name + "0")
	none()
	Label(name + "Done")
}

// tail encrypts and hashes the last bytes, or hashes and decrypts them. In the last piece of a message it hashes the lengths and
// makes the tag.
func (m machine) tail() {
	m.enterTail("text")
	CMPB(mem(msg, msgSeal), U8(0))
	JNE(LabelRef("crypt"))

	Comment("The ciphertext to open.")
	m.eachSize("load", func() {}, m.loadTail)
	JMP(LabelRef("hash"))

	Label("crypt")
	m.eachSize("crypt", func() {
		m.counter0()
		m.aes("crypt0", []int{lo}, nil)
		m.encryptedCounter0()
	}, func(n int) {
		m.counters(states(n))
		m.whiten(states(n))
		m.counter0()
		m.aes(label("crypt%d", n), append(states(n), lo), nil)
		m.encryptedCounter0()
		Label(label("end%d", n))
		m.cryptTail(n)
	})
	CMPB(mem(msg, msgSeal), U8(0))
	JE(LabelRef("tag"))

	Label("hash")
	m.firstPower(1)
	m.clearSums()
	TESTQ(rest, rest)
	JZ(LabelRef("hash0"))
	for _, n := range sizes[:len(sizes)-1] {
		CMPQ(rest, I32(n*m.width))
		JBE(LabelRef(label("hash%d", n)))
	}
	for n := chunk; n > 0; {
		if n < chunk && slices.Contains(sizes, n) {
			Label(label("hash%d", n))
		}
		if m.evex() && n > 2 {
			m.hashStates(n-1, n-2)
			n -= 2
		} else {
			m.hashStates(n - 1)
			n--
		}
	}
	Label("hash0")
	m.hashLengths()
	CMPB(mem(msg, msgSeal), U8(0))
	JE(LabelRef("crypt"))

	Label("tag")
	m.reverseBlock(hash)
	m.xorBlock(mem(msg, msgHash), hash, hash)
	Label("store")
	m.storeBlock(hash, mem(msg, msgHash))
	m.leaveTail()
	m.wipe()
	ret()
}

// counter0 makes the block that masks the tag, J0, whitened, in lo.
func (m machine) counter0() {
	VMOVD(mem(msg, msgCounter0), xmm[lo])
	VPSHUFB(toCounter, xmm[lo], xmm[lo])
	m.xor(m.base(), lo, lo)
}

// encryptedCounter0 ends the encryption of J0 and keeps it in memory, where the hash was.
func (m machine) encryptedCounter0() {
	VAESENCLAST(xmm[m.lastRoundKey()], xmm[lo], xmm[lo])
	VMOVDQU(xmm[lo], mem(msg, msgHash))
}

func (m machine) clearSums() {
	for _, sum := range []int{lo, mi, hi} {
		VPXOR(xmm[sum], xmm[sum], xmm[sum])
	}
}

// hashLengths goes on to the last block of GHASH, the bits of additional data and of text, and reduces the
// sums. If there was no text, the hash so far goes into this block.
func (m machine) hashLengths() {
	VMOVQ(mem(msg, msgTextBits), xmm[data])
	VPINSRQ(Imm(1), mem(msg, msgAADBits), xmm[data], xmm[data])
	TESTQ(rest, rest)
	JNZ(LabelRef("lengths"))
	m.xorBlock(xmm[hash], data, data)
	Label("lengths")
	// What stands after h[1] meets lanes that are clear.
	block := func(up uint8) []product {
		return []product{func(dst int) { m.mul(data, up, mem(key, keyPowersEnd-16), up, dst) }}
	}
	m.add(lo, block(0))
	m.add(hi, block(1))
	m.halves(data, tmp)
	m.xor(m.v(tmp), data, data)
	// The sum of h[1]'s halves is the last one, in upper halves.
	m.add(mi, []product{func(dst int) { m.mul(data, 0, mem(key, keyMiddles+keyMiddlesSize-16), 1, dst) }})
	emit(m.reduce())
}

// The end of a text, of rest bytes, is in several vectors, of which the code knows that those of the first half
// are full. The others may be full, end somewhere or be empty. With EVEX each has a mask. Without,
// what is in the one that ends somewhere goes through a scratch area on the stack, and so do
// the loads and stores of the empty ones; masks come from a table.

// scratchSize is the room for what goes in, for what comes out, and for what has no register.
const scratchSize = 160

// allocScratch makes that room.
func (m *machine) allocScratch() {
	if !m.evex() {
		m.scratch = AllocLocal(scratchSize)
		m.baseData = m.scratch.Offset(64)
		m.nextData = m.scratch.Offset(96)
		m.ctrData = m.scratch.Offset(128)
	}
}

// wipe leaves nothing of the text or of the key in the frame.
func (m machine) wipe() {
	if m.evex() {
		return
	}
	VPXOR(ymm[tmp], ymm[tmp], ymm[tmp])
	for i := 0; i < scratchSize; i += m.width {
		m.store(ymm[tmp], m.scratch.Offset(i))
	}
}

// enterTail comes once before the code for the numbers of vectors.
func (m machine) enterTail(name string) {
	if m.evex() {
		return
	}
	LEAQ(maskData, masks)
	SUBQ(rest, masks)
	LEAQ(m.scratch, scratch)
	m.loadPart(name)
	m.store(ymm[data], mem(scratch, 0))
}

// loadPart loads the last bytes of rest, modulo 32, from src on into data, with zeros after them. It begins at the end
// and puts them together in registers: to load what several stores have written takes until all of them are done.
func (m machine) loadPart(name string) {
	c := power
	LEAQ(Mem{Base: src, Index: rest, Scale: 1}, a)
	XORL(b.As32(), b.As32())
	for _, n := range []int{1, 2, 4, 8, 16} {
		next := LabelRef(label("%sIn%d", name, n))
		if n == 8 {
			VMOVQ(b, xmm[data])
		}
		TESTB(U8(n), rest.As8())
		JZ(next)
		SUBQ(Imm(uint64(n)), a)
		switch n {
		case 1:
			MOVBLZX(mem(a, 0), b.As32())
		case 2:
			SHLQ(Imm(16), b)
			MOVWLZX(mem(a, 0), c.As32())
			ORQ(c, b)
		case 4:
			SHLQ(Imm(32), b)
			MOVL(mem(a, 0), c.As32())
			ORQ(c, b)
		case 8:
			VMOVQ(mem(a, 0), xmm[tmp])
			VPUNPCKLQDQ(xmm[data], xmm[tmp], xmm[data])
		case 16:
			VMOVDQU(mem(a, 0), xmm[tmp])
			VINSERTI128(Imm(1), xmm[data], ymm[tmp], ymm[data])
		}
		Label(string(next))
	}
}

// leaveTail comes once after it.
func (m machine) leaveTail() {
	if m.evex() {
		return
	}
	MOVQ(rest, a)
	ANDQ(I8(-32), a)
	ADDQ(dst, a)
	LEAQ(mem(scratch, 32), scratch)
	for _, n := range []int{16, 8, 4, 2, 1} {
		next := LabelRef(label("out%d", n))
		TESTB(U8(n), rest.As8())
		JZ(next)
		switch n {
		case 16:
			VMOVDQU(mem(scratch, 0), xmm[data])
			VMOVDQU(xmm[data], mem(a, 0))
		case 8:
			MOVQ(mem(scratch, 0), b)
			MOVQ(b, mem(a, 0))
		case 4:
			MOVL(mem(scratch, 0), b.As32())
			MOVL(b.As32(), mem(a, 0))
		case 2:
			MOVW(mem(scratch, 0), b.As16())
			MOVW(b.As16(), mem(a, 0))
		case 1:
			MOVB(mem(scratch, 0), b.As8())
			MOVB(b.As8(), mem(a, 0))
		}
		if n > 1 {
			ADDQ(Imm(uint64(n)), scratch)
			ADDQ(Imm(uint64(n)), a)
		}
		Label(string(next))
	}
}

// masksFor sets the masks for the second half of n vectors.
func (m machine) masksFor(n int) {
	if !m.evex() {
		return
	}
	for i := n / 2; i < n; i++ {
		MOVQ(rest, a)
		if i > n/2 {
			// The vector may be empty. BZHI takes what is negative for more than enough.
			SUBQ(I32(i*m.width), a)
			SBBQ(b, b)
			NOTQ(b)
		} else {
			MOVQ(I32(-1), b)
			if i > 0 {
				SUBQ(I32(i*m.width), a)
			}
			if n == chunk {
				// BZHI takes 256 for 0.
				MOVL(U32(64), power.As32())
				CMPQ(a, power)
				CMOVQGT(power, a)
			}
		}
		BZHIQ(a, b, b)
		KMOVQ(b, mask(i, n))
	}
}

// mask is the mask of vector i of n, in the second half.
func mask(i, n int) reg.Register { return []reg.Register{reg.K1, reg.K2, reg.K3, reg.K4}[i-n/2] }

// place sets a to where vector i is, from p on if it is full, and in the scratch area if not.
func (m machine) place(i int, p, scratch reg.Register) {
	LEAQ(mem(p, i*m.width), a)
	CMPQ(rest, I32((i+1)*m.width))
	CMOVQCS(scratch, a)
}

// loadTail loads n vectors from src into the states, with zeros after the end.
func (m machine) loadTail(n int) {
	m.masksFor(n)
	for i := range n {
		m.loadVector(i, n, state0+i)
	}
}

func (m machine) loadVector(i, n, to int) {
	switch {
	case i < n/2:
		m.load(mem(src, i*m.width), m.v(to))
	case m.evex():
		VMOVDQU8_Z(mem(src, i*m.width), mask(i, n), zmm[to])
	default:
		m.place(i, src, scratch)
		m.load(mem(a, 0), m.v(to))
		m.clear(i, n, to)
	}
}

// clear clears what is after the end in vector i of n.
func (m machine) clear(i, n, register int) {
	switch {
	case i < n/2:
	case m.evex():
		VMOVDQU8_Z(zmm[register], mask(i, n), zmm[register])
	default:
		VPAND(mem(masks, i*m.width), ymm[register], ymm[register])
	}
}

// cryptTail does the last round of AES for n states, adds them to the text from src on and stores the result to dst.
// It leaves the result in the states too, with zeros after the end.
func (m machine) cryptTail(n int) {
	m.masksFor(n)
	for i := range n {
		m.loadVector(i, n, data)
		m.xor(m.v(data), m.lastRoundKey(), data)
		VAESENCLAST(m.v(data), m.v(state0+i), m.v(state0+i))
	}
	if !m.evex() {
		LEAQ(mem(scratch, 32), b)
	}
	for i := n - 1; i >= 0; i-- { // the last one first, so that an empty one doesn't overwrite what isn't
		switch {
		case i < n/2:
			m.store(m.v(state0+i), mem(dst, i*m.width))
		case m.evex():
			VMOVDQU8(zmm[state0+i], mask(i, n), mem(dst, i*m.width))
		default:
			m.place(i, dst, b)
			m.store(m.v(state0+i), mem(a, 0))
		}
		m.clear(i, n, state0+i)
	}
}

// ghash is a function that hashes bytes, filled up with zeros to a whole block.
func (m *machine) ghash() {
	TEXT("ghash"+m.name, NOSPLIT, "func(k, hash, p uintptr, n int)")
	m.allocScratch()
	Load(Param("k"), key)
	Load(Param("hash"), msg)
	Load(Param("p"), src)
	Load(Param("n"), rest)
	m.start()
	m.loadBlock(mem(msg, 0), hash)
	SUBQ(I32(m.chunkBytes()), rest)
	JB(LabelRef("tail"))
	Label("chunk")
	chunk := mem(src, 0)
	emit(m.hashChunk(chunk, 0, true))
	ADDQ(I32(m.chunkBytes()), src)
	SUBQ(I32(m.chunkBytes()), rest)
	JAE(LabelRef("chunk"))
	Label("tail")
	ADDQ(I32(m.chunkBytes()), rest)
	Comment("Two vectors at a time.")
	Label("two")
	CMPQ(rest, I32(2*m.width))
	JBE(LabelRef("last"))
	LEAQ(mem(key, keyPowersEnd-2*m.width), power)
	m.clearSums()
	for i := range 2 {
		m.load(mem(src, i*m.width), m.v(state0+i))
		m.hashStates(i)
	}
	emit(m.reduce())
	ADDQ(I32(2*m.width), src)
	SUBQ(I32(2*m.width), rest)
	JMP(LabelRef("two"))
	Label("last")
	TESTQ(rest, rest)
	JZ(LabelRef("done"))
	m.enterTail("rest")
	m.firstPower(0)
	m.clearSums()
	CMPQ(rest, I32(m.width))
	JBE(LabelRef("one"))
	m.loadTail(2)
	m.hashStates(1)
	m.hashStates(0)
	JMP(LabelRef("reduce"))
	Label("one")
	m.loadTail(1)
	m.hashStates(0)
	Label("reduce")
	emit(m.reduce())
	Label("done")
	m.storeBlock(hash, mem(msg, 0))
	ret()
}
