package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

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
		m.hashData = m.scratch // until the tail
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
