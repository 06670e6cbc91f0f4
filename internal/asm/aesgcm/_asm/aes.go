package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

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

// round is one round of AES.
func (m machine) round(key int, states []int) []op {
	var ops []op
	for _, s := range states {
		ops = append(ops, instruction(func() { VAESENC(m.v(key), m.v(s), m.v(s)) }))
	}
	return ops
}

// aes does all rounds of AES but the last one. It spreads ops over the rounds that all sizes of keys have.
func (m machine) aes(name string, states []int, ops []op) {
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
	emit(m.round(rkey, states))
	ADDQ(Imm(16), a)
	Label(name + "Rounds")
	CMPQ(a, common)
	JNE(LabelRef(name + "Round"))
	if common != lastKey {
		var rounds []op
		for i := commonRounds; i > 0; i-- {
			if m.evex() {
				rounds = append(rounds, m.round(rkeyLast-i, states)...)
			} else {
				rounds = append(rounds, instruction(func() { m.broadcast(mem(lastKey, -16*i), rkey) }))
				rounds = append(rounds, m.round(rkey, states)...)
			}
		}
		spread(ops, rounds)
	}
	if !m.evex() {
		m.broadcast(mem(lastKey, 0), rkey)
	}
}

// dispatchWidth is the number of instructions that a Zen 5 dispatches in a cycle. A product without carries has a cycle to
// itself.
const dispatchWidth = 8

// spread emits ops evenly among others, but keeps products that follow each other together, and puts a multiple of
// dispatchWidth of other instructions between them and the products before. With one instruction more than that, these take a cycle
// more.
func spread(ops, others []op) {
	n, done, between := len(ops), 0, 0
	for i, other := range others {
		other.emit()
		between++
		for run := false; done < n*(i+1)/len(others); done++ {
			if ops[done].product {
				if !run && between%dispatchWidth != 0 {
					break
				}
				run, between = true, 0
			} else {
				run = false
				between++
			}
			ops[done].emit()
		}
	}
	emit(ops[done:])
}

// counters makes the next counters, big-endian and without the nonce, in the registers given. It leaves ctr at the last of them.
func (m machine) counters(to []int) {
	for i, r := range to {
		if i > 0 {
			m.stepCounters()
		}
		VPSHUFB(toCounter, m.v(m.ctr()), m.v(r))
	}
}

// stepCounters goes on to the counters of the next vector.
func (m machine) stepCounters() { VPADDD(stepData[m.width], m.v(m.ctr()), m.v(m.ctr())) }

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
			if to >= chunk*lanes {
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
	m.stepCounters()
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
