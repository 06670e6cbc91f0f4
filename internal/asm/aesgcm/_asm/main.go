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
	keyMiddles   = 576 // h0+h1 for the powers of a chunk, one vector in the low and one in the high halves
	keyRoundKeys = 832
)

// The layout of a message.
const (
	msgHash     = 0 // first, since Go clears a message by 16 bytes at a time and a load across two stores stalls
	msgIV       = 16
	msgCounter0 = 28
	msgCounter  = 32
	msgLast     = 36
	msgSeal     = 37
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
	maskData  Mem // ones and then zeros, a chunk of VAES256 each: points between
	toCounter Mem // the shuffle that makes a big-endian counter, in the last word of a block, of its first word
	stepData  = map[int]Mem{}
	laneData  Mem // 0, 1, 2, 3 in the lanes, to be added to a counter
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
	stepData[32] = constant("step2", 2, 2, 0)
	stepData[64] = constant("step4", 4, 4, 0)

	expandKey()
	for _, m := range machines {
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

// hashChunk hashes the chunk at p, or that in the states if p is nil, by Karatsuba. The first block, to which the
// hash so far is added, comes last, since it is the only one that has to wait for that.
func (m machine) hashChunk(p *Mem) []op {
	if m.evex() {
		return m.hashChunkByTwo(p)
	}
	var ops []op
	for n, i := range []int{1, 2, 3, 4, 5, 6, 7, 0} {
		h := mem(key, keyPowersEnd-(chunk-i)*m.width)
		ops = append(ops, m.loadForHash(p, i, data)...)
		sum := func(sum int, p product) op {
			return func() {
				if n == 0 {
					p(sum)
				} else {
					m.add(sum, []product{p})
				}
			}
		}
		ops = append(ops,
			sum(lo, func(dst int) { m.mul(data, 0, h, 0, dst) }),
			sum(hi, func(dst int) { m.mul(data, 1, h, 1, dst) }),
			func() { m.halves(data, tmp) },
			func() { m.xor(m.v(tmp), data, data) },
			sum(mi, func(dst int) { m.mul(data, 0, mem(key, keyMiddles+i/2*m.width), uint8(i%2), dst) }))
	}
	return append(ops, m.reduce()...)
}

// hashChunkByTwo is hashChunk for two vectors at a time, which takes fewer instructions.
func (m machine) hashChunkByTwo(p *Mem) []op {
	var ops []op
	for n, i := range []int{2, 4, 6, 0} {
		ops = append(ops, m.loadForHash(p, i+1, data2)...)
		ops = append(ops, m.loadForHash(p, i, data)...)
		h := mem(key, keyPowersEnd-(chunk-i)*m.width)
		h2 := h.Offset(m.width)
		middles := mem(key, keyMiddles+i/2*m.width)
		sum := func(sum int, x, y product) []op {
			if n == 0 {
				return []op{func() { x(sum) }, func() { y(tmp) }, func() { m.xor(m.v(tmp), sum, sum) }}
			}
			return []op{func() { x(tmp) }, func() { y(tmp2) }, func() { m.xor3(tmp, tmp2, sum) }}
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
	return append(ops, m.reduce()...)
}

// loadForHash loads vector i of the chunk at p, or of that in the states, reverses its bytes and, in the first one, adds the hash so
// far.
func (m machine) loadForHash(p *Mem, i, to int) []op {
	from := to
	var ops []op
	if p == nil {
		from = state0 + i
	} else {
		ops = append(ops, func() { m.load(p.Offset(i*m.width), m.v(to)) })
	}
	ops = append(ops, func() { m.reversed(from, to) })
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

// firstPower sets power to the power for the first of the blocks that rest bytes fill, if none come after them.
func (m machine) firstPower() {
	// power = end - 16·ceil(rest/16)
	LEAQ(mem(rest, 15), power)
	ANDQ(I8(-16), power)
	NEGQ(power)
	LEAQ(Mem{Base: key, Index: power, Scale: 1, Disp: keyPowersEnd}, power)
}

// loadKey loads the pointers into the round keys.
func (m machine) loadKey() {
	MOVL(mem(key, keyRounds), lastKey.As32())
	SHLQ(Imm(4), lastKey)
	LEAQ(Mem{Base: key, Index: lastKey, Scale: 1, Disp: keyRoundKeys}, lastKey)
}

// whiten adds the nonce and round key 0 to the counters in some states.
func (m machine) whiten(states []int) {
	for _, s := range states {
		m.xor(m.base(), s, s)
	}
}

// round is one round of AES, with the round key at p. It calls between after each state.
func (m machine) round(p Mem, states []int, between func()) {
	m.broadcast(p, rkey)
	for _, s := range states {
		VAESENC(m.v(rkey), m.v(s), m.v(s))
		between()
	}
}

// aesRounds does all rounds of AES but the last one, for which it leaves the key in rkey.
func (m machine) aesRounds(name string, states []int) {
	LEAQ(mem(key, keyRoundKeys+16), a)
	Label(name + "Round")
	m.round(mem(a, 0), states, func() {})
	ADDQ(Imm(16), a)
	CMPQ(a, lastKey)
	JNE(LabelRef(name + "Round"))
	m.broadcast(mem(lastKey, 0), rkey)
}

// aesRoundsWith is aesRounds without loops, and with ops spread over the rounds that all sizes of keys
// have.
func (m machine) aesRoundsWith(name string, states []int, ops []op) {
	nothing := func() {}
	LEAQ(mem(key, keyRoundKeys+12*16), a)
	CMPQ(a, lastKey)
	JA(LabelRef(name + "128"))
	JE(LabelRef(name + "192"))
	m.round(mem(lastKey, -13*16), states, nothing)
	m.round(mem(lastKey, -12*16), states, nothing)
	Label(name + "192")
	m.round(mem(lastKey, -11*16), states, nothing)
	m.round(mem(lastKey, -10*16), states, nothing)
	Label(name + "128")
	done, slot, slots := 0, 0, 9*len(states)
	for i := -9; i < 0; i++ {
		m.round(mem(lastKey, 16*i), states, func() {
			slot++
			for ; done < len(ops)*slot/slots; done++ {
				ops[done]()
			}
		})
	}
	m.broadcast(mem(lastKey, 0), rkey)
}

// counters makes the next counters, big-endian and without the nonce, in the registers given.
func (m machine) counters(to []int) {
	for _, r := range to {
		VPSHUFB(toCounter, m.v(ctr), m.v(r))
		VPADDD(stepData[m.width], m.v(ctr), m.v(ctr))
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

// With EVEX there are registers for the whitened states of the next chunk, which are made of those of this one. A
// chunk has 32 blocks, and its first counter is 2 more than a multiple of that, as it always is with nonces of 12 bytes: all
// blocks but the last two have the same in the upper bits of their counters, and from chunk to chunk these bits change
// by one addition. What is added without carries is the same for all of those blocks; for the last two, which
// are ahead, it is what it will be for the others a chunk later. That is one instruction for a vector, where making its
// counters and whitening them takes three.
//
// With nonces of other sizes the counter comes out of GHASH, so that no time may depend on it: such a message never has chunks.

// firstStates makes the whitened states of the first chunk, and what nextStates needs.
func (m machine) firstStates() {
	var next []int
	for i := range chunk {
		next = append(next, next0+i)
	}
	m.counters(next)
	m.whiten(next)
	MOVL(mem(msg, msgCounter), count.As32())
	SUBL(Imm(2), count.As32())
	Comment("K1: the last word of each lane. K2: of the last two.")
	MOVL(U32(0x8888), a.As32())
	KMOVW(a.As32(), reg.K1)
	MOVL(U32(0x8800), a.As32())
	KMOVW(a.As32(), reg.K2)
}

// nextStates makes the whitened states of the next chunk.
func (m machine) nextStates() []op {
	// change sets the words that mask names to what a counter's upper bits change by in the next chunk, and goes on to that.
	change := func(mask reg.Register, to int) {
		MOVL(count.As32(), a.As32())
		ADDL(Imm(32), count.As32())
		XORL(count.As32(), a.As32())
		BSWAPL(a.As32())
		VPBROADCASTD(a.As32(), mask, zmm[to])
	}
	ops := []op{
		func() { VPXORQ(zmm[changeAll], zmm[changeAll], zmm[changeAll]) },
		func() { change(reg.K1, changeAll) },
		func() { VMOVDQA64(zmm[changeAll], zmm[changeLast]) },
		func() { change(reg.K2, changeLast) },
		func() { SUBL(Imm(32), count.As32()) },
	}
	for i := range chunk {
		by := changeAll
		if i == chunk-1 {
			by = changeLast
		}
		ops = append(ops, func() { m.xor(m.v(by), next0+i, next0+i) })
	}
	return ops
}

// loadStates sets the states to those of the chunk.
func (m machine) loadStates() {
	if !m.evex() {
		m.counters(states(chunk))
		m.whiten(states(chunk))
		return
	}
	for i := range chunk {
		VMOVDQA64(zmm[next0+i], zmm[state0+i])
	}
}

// countersAfterChunks sets ctr to what it would be if it had been used.
func (m machine) countersAfterChunks() {
	MOVQ(mem(msg, msgChunks), a)
	SHRQ(Imm(4), a)
	ADDL(mem(msg, msgCounter), a.As32())
	VPBROADCASTD(a.As32(), zmm[ctr])
	VPADDD(laneData, zmm[ctr], zmm[ctr])
}

// cryptChunk encrypts or decrypts a chunk at src to dst. It spreads ops over the rounds of AES.
func (m machine) cryptChunk(name string, ops []op) {
	s := states(chunk)
	m.loadStates()
	if ops != nil {
		m.aesRoundsWith(name, s, ops)
	} else {
		m.aesRounds(name, s)
	}
	for i := range chunk {
		m.xor(mem(src, i*m.width), rkey, data)
		VAESENCLAST(m.v(data), m.v(state0+i), m.v(state0+i))
		m.store(m.v(state0+i), mem(dst, i*m.width))
	}
}

// withNextStates spreads those of nextStates, where they are of use, over ops.
func (m machine) withNextStates(ops []op) []op {
	if !m.evex() {
		return ops
	}
	next := m.nextStates()
	var both []op
	for i, op := range ops {
		both = append(both, op)
		both = append(both, next[len(next)*i/len(ops):len(next)*(i+1)/len(ops)]...)
	}
	return both
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
	m.firstPower()
	m.clearSums()
	m.loadTail(1)
	m.hashStates(0)
	emit(m.reduce())

	Label("counters")
	m.loadCounters()
	MOVQ(mem(msg, msgSrc), src)
	MOVQ(mem(msg, msgDst), dst)
	MOVQ(mem(msg, msgChunks), left)
	MOVQ(mem(msg, msgRest), rest)
	TESTQ(left, left)
	JZ(LabelRef("tail"))
	if m.evex() {
		m.firstStates()
	}
	CMPB(mem(msg, msgSeal), U8(0))
	JE(LabelRef("open"))
	m.sealChunks()
	JMP(LabelRef("chunksDone"))
	Label("open")
	m.openChunks()
	Label("chunksDone")
	if m.evex() {
		m.countersAfterChunks()
	}

	Label("tail")
	CMPB(mem(msg, msgLast), U8(0))
	JNE(LabelRef("last"))
	TESTQ(rest, rest)
	JNZ(LabelRef("last"))
	m.storeBlock(hash, mem(msg, msgHash))
	m.wipe()
	ret()

	Label("last")
	m.tail()
}

// loadCounters sets base to the nonce and round key 0 added, which is what all counter blocks have in
// common when AES starts, and ctr to the counters.
func (m machine) loadCounters() {
	VMOVQ(mem(msg, msgIV), xmm[data])
	VPINSRD(Imm(2), mem(msg, msgIV+8), xmm[data], xmm[data])
	VPXOR(mem(key, keyRoundKeys), xmm[data], xmm[data])
	if m.evex() {
		m.spread(data, base)
	} else {
		m.spread(data, data)
		m.store(m.v(data), m.baseData)
	}
	VPBROADCASTD(mem(msg, msgCounter), m.v(ctr))
	VPADDD(laneData, m.v(ctr), m.v(ctr))
}

// base returns what loadCounters has set.
func (m machine) base() Op {
	if m.evex() {
		return zmm[base]
	}
	return m.baseData
}

func (m machine) chunkBytes() int { return chunk * m.width }

// advance goes on to the next chunk, if there is one.
func (m machine) advance(loop string) {
	ADDQ(I32(m.chunkBytes()), src)
	ADDQ(I32(m.chunkBytes()), dst)
	SUBQ(I32(m.chunkBytes()), left)
	JNZ(LabelRef(loop))
}

// sealChunks encrypts whole chunks. While it encrypts one it hashes the ciphertext of the one before.
func (m machine) sealChunks() {
	before := mem(dst, -m.chunkBytes())
	m.cryptChunk("first", nil)
	m.advance("second")
	JMP(LabelRef("hashLast"))
	Label("second")
	if m.evex() {
		emit(m.nextStates())
	}
	Label("sealChunk")
	m.cryptChunk("sealChunk", m.withNextStates(m.hashChunk(&before)))
	m.advance("sealChunk")
	Label("hashLast")
	emit(m.hashChunk(nil))
}

// openChunks decrypts whole chunks and hashes them at the same time.
func (m machine) openChunks() {
	Label("openChunk")
	p := mem(src, 0)
	m.cryptChunk("openChunk", m.withNextStates(m.hashChunk(&p)))
	m.advance("openChunk")
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
		m.aesRounds("crypt0", []int{lo})
		m.encryptedCounter0()
	}, func(n int) {
		m.counters(states(n))
		m.whiten(states(n))
		m.counter0()
		m.aesRounds(label("crypt%d", n), append(states(n), lo))
		m.encryptedCounter0()
		m.cryptTail(n)
	})
	CMPB(mem(msg, msgSeal), U8(0))
	JE(LabelRef("tag"))

	Label("hash")
	m.firstPower()
	MOVBLZX(mem(msg, msgLast), a.As32())
	SHLL(Imm(4), a.As32())
	SUBQ(a, power) // the lengths come after
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
	CMPB(mem(msg, msgLast), U8(0))
	JE(LabelRef("store"))
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
	VAESENCLAST(xmm[rkey], xmm[lo], xmm[lo])
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
	CMPB(mem(msg, msgLast), U8(0))
	JE(LabelRef("reduce"))
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
	m.add(mi, []product{func(dst int) { m.mul(data, 0, mem(key, keyMiddles+chunk/2*m.width-16), 1, dst) }})
	Label("reduce")
	emit(m.reduce())
}

// The end of a text, of rest bytes, is in several vectors, of which the code knows that those of the first half
// are full. The others may be full, end somewhere or be empty. With EVEX each has a mask. Without,
// what is in the one that ends somewhere goes through a scratch area on the stack, and so do
// the loads and stores of the empty ones; masks come from a table.

// allocScratch makes room for what goes in, for what comes out, and for base.
func (m *machine) allocScratch() {
	if !m.evex() {
		m.scratch = AllocLocal(96)
		m.baseData = m.scratch.Offset(64)
	}
}

// wipe leaves nothing of the text or of the key in the frame.
func (m machine) wipe() {
	if m.evex() {
		return
	}
	VPXOR(ymm[tmp], ymm[tmp], ymm[tmp])
	for i := 0; i < 96; i += 32 {
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
	MOVQ(rest, a)
	ANDQ(I8(-32), a)
	ADDQ(src, a)
	LEAQ(m.scratch, scratch)
	m.copyPart(name+"In", a, scratch)
	LEAQ(m.scratch, scratch)
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
	m.copyPart("out", scratch, a)
}

// copyPart copies rest modulo 32 bytes, and changes both pointers.
func (m machine) copyPart(name string, from, to reg.GPPhysical) {
	for _, n := range []int{16, 8, 4, 2, 1} {
		next := LabelRef(label("%s%d", name, n))
		TESTB(U8(n), rest.As8())
		JZ(next)
		switch n {
		case 16:
			VMOVDQU(mem(from, 0), xmm[data])
			VMOVDQU(xmm[data], mem(to, 0))
		case 8:
			MOVQ(mem(from, 0), b)
			MOVQ(b, mem(to, 0))
		case 4:
			MOVL(mem(from, 0), b.As32())
			MOVL(b.As32(), mem(to, 0))
		case 2:
			MOVW(mem(from, 0), b.As16())
			MOVW(b.As16(), mem(to, 0))
		case 1:
			MOVB(mem(from, 0), b.As8())
			MOVB(b.As8(), mem(to, 0))
		}
		if n > 1 {
			ADDQ(Imm(uint64(n)), from)
			ADDQ(Imm(uint64(n)), to)
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
		m.xor(m.v(data), rkey, data)
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
	emit(m.hashChunk(&chunk))
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
	m.firstPower()
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
