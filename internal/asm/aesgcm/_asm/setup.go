package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// expandKey is the key expansion of FIPS 197, section 5.2. Each step makes four words of the
// schedule from the last ones: w[i] = w[i-Nk] ^ w[i-1], with a function of w[i-1] once in Nk words.
func expandKey() {
	TEXT("expandKey", NOSPLIT, "func(k, key uintptr, n int)")
	Load(Param("k"), key)
	Load(Param("key"), src)
	Load(Param("n"), rest)
	const w0, w1, f, t = 0, 1, 2, 3
	at := keyRoundKeys
	put := func(r int) {
		VMOVDQU(xmm[r], mem(key, at))
		at += 16
	}
	// running adds to each word all that are before it in the register.
	running := func(r int) {
		VPSLLDQ(Imm(4), xmm[r], xmm[t])
		VPXOR(xmm[t], xmm[r], xmm[r])
		VPSLLDQ(Imm(8), xmm[r], xmm[t])
		VPXOR(xmm[t], xmm[r], xmm[r])
	}
	// step makes the next words in r from its old ones and the word of from that shuffle picks after the function.
	step := func(r, from int, rcon uint64, shuffle uint64) {
		VAESKEYGENASSIST(Imm(rcon), xmm[from], xmm[f])
		VPSHUFD(Imm(shuffle), xmm[f], xmm[f])
		running(r)
		VPXOR(xmm[f], xmm[r], xmm[r])
	}
	const rotated, plain = 0xff, 0xaa // of the last word: SubWord(RotWord(w)) ^ rcon, and SubWord(w)
	rcon := []uint64{0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0x1b, 0x36}

	VMOVDQU(mem(src, 0), xmm[w0])
	CMPQ(rest, U8(24))
	JE(LabelRef("key192"))
	JA(LabelRef("key256"))

	MOVL(U32(10), mem(key, keyRounds))
	put(w0)
	for _, c := range rcon {
		step(w0, w0, c, rotated)
		put(w0)
	}
	ret()

	Label("key256")
	at = keyRoundKeys
	MOVL(U32(14), mem(key, keyRounds))
	VMOVDQU(mem(src, 16), xmm[w1])
	put(w0)
	put(w1)
	for i, c := range rcon[:7] {
		step(w0, w1, c, rotated)
		put(w0)
		if i < 6 {
			step(w1, w0, 0, plain)
			put(w1)
		}
	}
	ret()

	// Six words at a time: those of w0 and the lower two of w1. They fill round keys by turns of
	// three.
	Label("key192")
	at = keyRoundKeys
	MOVL(U32(12), mem(key, keyRounds))
	VMOVQ(mem(src, 16), xmm[w1])
	put(w0)
	for i, c := range rcon[:8] {
		VMOVQ(xmm[w1], mem(key, at))
		at += 8
		step(w0, w1, c, 0x55) // the function of word 1 of w1
		if i < 7 {
			// w1: its word 0 is added to the last of w0, and its word 1 to that.
			VPSHUFD(Imm(0xff), xmm[w0], xmm[f])
			VPSLLDQ(Imm(4), xmm[w1], xmm[t])
			VPXOR(xmm[t], xmm[w1], xmm[w1])
			VPXOR(xmm[f], xmm[w1], xmm[w1])
		}
		put(w0)
	}
	ret()
}

// powers is a function that makes the powers of H in a Key, whose round keys are there already.
func (m machine) powers() {
	TEXT("powers"+m.name, NOSPLIT, "func(k uintptr)")
	Load(Param("k"), key)
	m.loadKey()
	m.start()

	Comment("H, the encryption of zeros, byte-reversed.")
	const h = state0 + chunk - 1 // the vector with h[1] in its last lane, the last one of a chunk
	m.loadBlock(mem(key, keyRoundKeys), h)
	m.aes("h", []int{h}, nil)
	VAESENCLAST(xmm[m.lastRoundKey()], xmm[h], xmm[h])
	m.reverseBlock(h)

	Comment("h[1] = H / x: a shift to the left by one, and what leaves at the top comes back as a constant.")
	VPSRLQ(Imm(63), xmm[h], xmm[tmp])
	VPSLLDQ(Imm(8), xmm[tmp], xmm[tmp])
	VPSHUFD(Imm(0xff), xmm[h], xmm[data])
	VPSRAD(Imm(31), xmm[data], xmm[data])
	VPAND(oneOverX, xmm[data], xmm[data])
	VPSLLQ(Imm(1), xmm[h], xmm[h])
	VPXOR(xmm[tmp], xmm[h], xmm[h])
	VPXOR(xmm[data], xmm[h], xmm[h])
	VMOVDQU(xmm[h], mem(key, keyPowersEnd-16))

	Comment("The last vector of powers: from h[1] to h[2] h[1] to h[4] h[3] h[2] h[1].")
	const other = state0
	m.multiply(h, h, other)
	VINSERTI128(Imm(1), xmm[h], ymm[other], ymm[h])
	if m.evex() {
		VINSERTI128(Imm(1), xmm[other], ymm[other], ymm[other])
		m.multiply(h, other, other)
		VINSERTI64X4(Imm(1), ymm[h], zmm[other], zmm[h])
	}

	// A vector's first lane has its highest power, say h[j]. Times h[j], each lane goes j up: so does each of
	// several vectors.
	for done := 1; done < chunk; done *= 2 {
		Commentf("The next %d.", done)
		m.spread(h-done+1, hash)
		for i := range done {
			m.multiply(h-i, hash, h-done-i)
		}
	}
	m.storePowers(0)

	if m.evex() {
		Comment("One power more than a chunk has blocks.")
		VMOVDQU(mem(key, keyPowersEnd-16), xmm[hash])
		m.multiply(state0, hash, data)
		VMOVDQU(xmm[data], mem(key, keyPowersEnd-chunk*m.width-16))
	} else {
		Comment("The powers for one chunk more.")
		m.spread(state0, hash)
		for i := range chunk {
			m.multiply(state0+i, hash, state0+i)
		}
		m.storePowers(chunk)
	}
	ret()
}

// storePowers stores the powers in the states, after which come those of so many vectors, and the sums of their halves.
func (m machine) storePowers(after int) {
	for i := 0; i < chunk; i += 2 {
		fromEnd := after + chunk - i
		for j, sum := range []int{data, data2} {
			m.store(m.v(state0+i+j), mem(key, keyPowersEnd-(fromEnd-j)*m.width))
			m.halves(state0+i+j, tmp)
			m.xor(m.v(tmp), state0+i+j, sum)
		}
		VPUNPCKLQDQ(m.v(data2), m.v(data), m.v(data))
		m.store(m.v(data), mem(key, keyMiddles+keyMiddlesSize-fromEnd/2*m.width))
	}
}
