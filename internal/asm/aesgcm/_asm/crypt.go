package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

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

// long is the number of chunks from which on it pays to seal two chunks before the first is hashed.
const long = 8

func (m machine) chunkBytes() int { return chunk * m.width }

// chunks encrypts or decrypts whole chunks. It does the rounds of AES for one chunk while it hashes another: the same one if a
// message is opened, the one before if it is sealed. So the rounds for the end of a sealed text belong here too.
//
// Without EVEX two chunks take turns, with one reduction for both.
//
// A long text is sealed two chunks ahead of the hash: what is hashed then never has to wait for AES.
func (m machine) chunks() {
	turns := []string{"chunk"}
	if !m.evex() {
		turns = []string{"chunk1", "chunk2"}
	}
	m.storeCounters()
	if !m.evex() {
		emit([]op{m.storeHash()})
	}
	m.firstStates()
	XORL(last.As32(), last.As32())
	MOVQ(src, hashed)
	CMPB(mem(msg, msgSeal), U8(0))
	JE(LabelRef("turns"))

	Comment("The first chunk to seal, and J0.")
	MOVQ(dst, hashed)
	Label("ahead")
	m.chunkStates("first")
	m.counter0()
	m.aes("first", append(states(chunk), lo), nil)
	m.encryptedCounter0()
	m.endChunk()
	SUBQ(I32(m.chunkBytes()), left)
	Comment("Of a long text one more, and J0 once more with it.")
	CMPQ(left, I32(long*m.chunkBytes()))
	JB(LabelRef("started"))
	LEAQ(mem(hashed, m.chunkBytes()), a)
	CMPQ(a, dst)
	JE(LabelRef("ahead"))
	Label("started")
	Comment("If the end of the text is here, it is one more to the loop, which it leaves before the others.")
	TESTQ(rest, rest)
	JZ(LabelRef("noEnd"))
	ADDQ(I32(m.chunkBytes()), left)
	MOVL(U32(m.chunkBytes()), last.As32())
	Label("noEnd")
	TESTQ(left, left)
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
		var ops []op
		switch {
		case m.evex():
			ops = m.hashOneChunk()
		case i == 0:
			ops = m.hashChunk(mem(hashed, 0), chunk, true, m.hashData, hash)
			ops = append(ops, instruction(func() { VPXOR(xmm[hash], xmm[hash], xmm[hash]) }), m.storeHash())
		default:
			ops = m.hashChunk(mem(hashed, 0), 0, false, m.hashData, hash)
			ops = append(ops, m.storeHash())
		}
		m.aes(turn, states(chunk), ops)
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
	emit(m.hashOneChunk())
	ADDQ(I32(m.chunkBytes()), hashed)
	Label("end")
	CMPQ(hashed, dst)
	JNE(LabelRef("hashChunk"))
	TESTL(last.As32(), last.As32())
	JZ(LabelRef("store"))
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

// hashOneChunk hashes the chunk at hashed, with a reduction. It leaves the states alone.
func (m machine) hashOneChunk() []op {
	if m.evex() {
		return m.hashChunk(mem(hashed, 0), 0, true, zmm[hash], tmp2)
	}
	return append(m.hashChunk(mem(hashed, 0), 0, true, m.hashData, hash), m.storeHash())
}

// storeHash keeps the hash where it doesn't take a register.
func (m machine) storeHash() op {
	return instruction(func() { m.store(m.v(hash), m.hashData) })
}
