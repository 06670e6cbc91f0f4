package main

import (
	"fmt"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A batch is many states at once: lane (x, y) of each in one element of a vector. The rounds are plain: what takes the place
// of a rotation or of a row is the same instruction for all states.
//
// With AVX2 all lanes are in memory. Each new row takes the place of the five lanes it was made from, so that four rounds bring all lanes home.
//
// With AVX-512 the states are in two sets of eight that take turns round by round: in one set alone, from the last row of one
// round to the first of the next, there isn't enough to do while the sums of θ are made. Some lanes of each set have registers; the others
// are in memory, in one place before a round and in another after it.
//
// A round of one set is 101 instructions on vectors. A Zen 5 does 4 a cycle, of rotations 2. What it can't do is a VPTERNLOGQ
// of three registers beside a store of 512 bits: n of the one and s of the other, well mixed, take n/2 + s cycles, which for the 25
// of χ and 25 lanes is 37. So lanes that stay in registers matter more than instructions. Beyond that the order makes the
// difference: of the rows, each step of which waits for the one before, two at a time; of the lanes in a row, and which of its
// inputs a VPTERNLOGQ overwrites.
//
// Measured in cycles for a round of one set, all in one run, among them 0.9 for C at the beginning, which addBlocks makes now:
//
//	27.1  as it is
//	29.8  one row after the other, in order of x, and 5 lanes of each set in registers
//	28.6  D not ahead of the other set's last row
//	27.9  a row's lanes stored and added to C at once, not in the next row
//	28.7  χ in order of x, the result in the place of B[x]
//	27.8  only χ of x = 0 in the place of B[0] instead of B[2]
//	27.8  no C by VPTERNLOGQ
//	36.4  all C by VPTERNLOGQ, 95 instructions: registers are left for 2 lanes of each set
//	30.4  4 lanes of each set in registers instead of 6; 33.2 with 2 and 34.9 with none
//	28.2  ANDN with an exclusive or for a fifth of χ's VPTERNLOGQ
//	44    D not made, but its two parts added to lanes by VPTERNLOGQ
//	32.6  one set as it is, with 18 lanes in registers
//	31.0  the same and χ of a row after the next row's rotations, its sums even later
//	32.4  one set with all lanes in registers, the best of a hundred thousand orders
//
// In other runs: 1.4 cycles more where the next round and C add the round's constant instead of an instruction of its own, 2 more
// with loads as instructions of their own; no difference from the order of the rows or 12 rounds in a turn of the loop.
type batch struct {
	name  string
	width int // of a vector in bytes
	sets  int
	v     []reg.VecPhysical
	begun [5]bool // whether C[x] has a lane

	// AVX-512: rows.go
	kept     [][]int  // for the number of sets at hand
	deferred [5][]int // for it
	used     []bool   // whether a register has a value

	// AVX2
	d     [5]int // D of θ
	b     [5]int // B of a row
	temps []int
}

// The general-purpose registers.
var (
	batchA         = reg.RAX // the states
	batchIn        = reg.RBX // the pointers to the input
	batchRate      = reg.RCX
	batchBlocks    = reg.RDX
	batchSets      = reg.RSI // how many have states
	batchConstants = reg.RDI
	batchOffset    = reg.R8 // from the pointers to the block
	batchSet       = reg.R9 // the states of a set
	batchSetIn     = reg.R10
	batchLeft      = reg.R11 // sets still to be done
	batchKeep      = reg.R12
	batchP         = reg.R13
)

var batches = map[string]*batch{
	"batchavx512": {name: "AVX512", width: 64, sets: 2, v: zmm},
	"batchavx2": {
		name: "AVX2", width: 32, sets: 1, v: ymm,
		d: [5]int{5, 6, 7, 8, 9}, b: [5]int{10, 11, 12, 13, 14}, temps: []int{15},
	},
}

var (
	ymm = []reg.VecPhysical{reg.Y0, reg.Y1, reg.Y2, reg.Y3, reg.Y4, reg.Y5, reg.Y6, reg.Y7, reg.Y8, reg.Y9, reg.Y10, reg.Y11, reg.Y12, reg.Y13, reg.Y14, reg.Y15}
	zmm = []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
		reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20, reg.Z21, reg.Z22, reg.Z23, reg.Z24, reg.Z25, reg.Z26, reg.Z27, reg.Z28, reg.Z29, reg.Z30, reg.Z31}
)

func (m *batch) evex() bool { return m.width == 64 }

func (m *batch) load(p Mem, dst int) {
	if m.evex() {
		VMOVDQU64(p, m.v[dst])
	} else {
		VMOVDQU(p, m.v[dst])
	}
}

func (m *batch) store(src int, p Mem) {
	if m.evex() {
		VMOVDQU64(m.v[src], p)
	} else {
		VMOVDQU(m.v[src], p)
	}
}

func (m *batch) move(src, dst int) {
	if m.evex() {
		VMOVDQA64(m.v[src], m.v[dst])
	} else {
		VMOVDQA(m.v[src], m.v[dst])
	}
}

// xor computes dst = x + y.
func (m *batch) xor(x Op, y, dst int) {
	if m.evex() {
		VPXORQ(x, m.v[y], m.v[dst])
	} else {
		VPXOR(x, m.v[y], m.v[dst])
	}
}

// rotate computes dst = rotl(src, n).
func (m *batch) rotate(n, src, dst int) {
	if m.evex() {
		if n != 0 {
			VPROLQ(Imm(uint64(n)), m.v[src], m.v[dst])
		}
		return
	}
	t := m.temps[0]
	switch n {
	case 0:
	case 8, 56: // whole bytes
		VPSHUFB(rotateBytes[n], m.v[src], m.v[dst])
	case 1:
		VPSRLQ(Imm(63), m.v[src], m.v[t])
		VPADDQ(m.v[src], m.v[src], m.v[dst])
		VPOR(m.v[t], m.v[dst], m.v[dst])
	default:
		VPSRLQ(Imm(uint64(64-n)), m.v[src], m.v[t])
		VPSLLQ(Imm(uint64(n)), m.v[src], m.v[dst])
		VPOR(m.v[t], m.v[dst], m.v[dst])
	}
}

// rotateBytes has the shuffles that rotate each element by whole bytes.
var rotateBytes map[int]Mem

// constantRotations defines them.
func constantRotations() map[int]Mem {
	m := map[int]Mem{}
	for _, n := range []int{8, 56} {
		p := GLOBL(label("rotate%d", n), attr.RODATA|attr.NOPTR)
		for i := range 32 {
			DATA(i, U8(i&^7|(i-n/8)&7))
		}
		m[n] = p
	}
	return m
}

// home is where a place is in memory at the beginning and at the end.
func (m *batch) home(set, place int) Mem { return mem(batchA, (25*set+place)*m.width) }

// absorb is the kernel of a batch.
func (m *batch) absorb() {
	TEXT("absorbBatch"+m.name, NOSPLIT, "func(a, keep, in uintptr, rate, blocks, sets int)")
	Load(Param("a"), batchA)
	Load(Param("in"), batchIn)
	Load(Param("rate"), batchRate)
	Load(Param("blocks"), batchBlocks)
	Load(Param("sets"), batchSets)

	Load(Param("keep"), batchKeep)
	XORL(batchOffset.As32(), batchOffset.As32())
	Label("block")
	m.addBlocks()
	ADDQ(batchRate, batchOffset)
	m.permute()
	DECQ(batchBlocks)
	JNZ(LabelRef("block"))
	VZEROUPPER()
	RET()
}

// addBlocks adds a block to each state, and to the first one of a call clears the states that begin. It leaves C of θ in the registers that
// rounds takes it from.
func (m *batch) addBlocks() {
	words := m.width / 8
	MOVQ(batchA, batchSet)
	MOVQ(batchIn, batchSetIn)
	MOVQ(batchSets, batchLeft)
	Label("set")
	for set := m.sets - 1; set > 0; set-- {
		for x := range 5 {
			m.move(m.c(set-1, x), m.c(set, x))
		}
	}
	m.ones(m.keep())
	TESTQ(batchKeep, batchKeep)
	JZ(LabelRef("kept"))
	m.load(mem(batchKeep, 0), m.keep())
	ADDQ(I32(m.width), batchKeep)
	Comment("The lanes that the rate leaves alone, from the last one down")
	for i := 24; i >= 72/8; i-- {
		p, r := mem(batchSet, i*m.width), m.word(i%8)
		m.and(p, m.keep(), r)
		m.store(r, p)
		switch i {
		case 168 / 8, 144 / 8, 136 / 8, 104 / 8:
			CMPQ(batchRate, I32(8*i))
			JE(LabelRef("kept"))
		}
	}
	Label("kept")
	done := words + 1
	m.begun = [5]bool{}
	m.addWords(0, 0)
	for _, rate := range []int{72, 104, 136, 144, 168} {
		lanes := rate / 8
		for ; done+words <= lanes; done += words {
			m.addWords(done, done)
		}
		over := label("over%d", rate)
		if rate < 168 {
			CMPQ(batchRate, I32(rate))
			JNE(LabelRef(over))
		}
		if done < lanes {
			m.addWords(lanes-words, done)
		}
		JMP(LabelRef(label("rest%d", rate)))
		if rate < 168 {
			Label(over)
		}
	}
	Comment("C[x] = the sum of the other lanes too")
	for i := 72 / 8; i < 25; i++ {
		switch i {
		case 72 / 8, 104 / 8, 136 / 8, 144 / 8, 168 / 8:
			Label(label("rest%d", 8*i))
		}
		m.xor(mem(batchSet, i*m.width), m.c(0, i%5), m.c(0, i%5))
	}
	ADDQ(I32(25*m.width), batchSet)
	ADDQ(I32(8*words), batchSetIn)
	DECQ(batchLeft)
	JNZ(LabelRef("set"))
	XORL(batchKeep.As32(), batchKeep.As32())
}

// c is the register of C[x] between addBlocks and rounds, of the last set and of those before it.
func (m *batch) c(before, x int) int { return 5*before + x }

// word is a register of those that addBlocks works with.
func (m *batch) word(i int) int { return m.c(m.sets, 0) + i }

// keep is the register of the mask that clears the states that begin.
func (m *batch) keep() int { return len(m.v) - 1 }

func (m *batch) ones(r int) {
	if m.evex() {
		VPTERNLOGQ(Imm(0xff), m.v[r], m.v[r], m.v[r])
	} else {
		VPCMPEQD(m.v[r], m.v[r], m.v[r])
	}
}

// and computes dst = p · y.
func (m *batch) and(p Mem, y, dst int) {
	if m.evex() {
		VPANDQ(p, m.v[y], m.v[dst])
	} else {
		VPAND(p, m.v[y], m.v[dst])
	}
}

// addWords adds words of the blocks to the lanes from the given one on. To get at them it transposes so many words of each block as there are
// states, from the first one on; where they are the last ones of the block, lanes that were added before are among them. The first ones
// come with the word behind them, as rates are odd numbers of words.
//
// A vector begins as half of them from each of two states. Half of it comes from memory as it is and the other half with a blend, where
// a shuffle of whole vectors would need one of two pipes.
func (m *batch) addWords(first, from int) {
	n := m.width / 8
	wanted := func(word int) bool { return first+word >= from }
	pairs, behind, lanes := m.word(0), m.word(n/4), m.word(n/4+n/2+n) // the first of n/4, n/2 and 2
	vector := func(half, i int) int { return m.word(n/4 + n/2 + n/2*half + i) }
	next := batchConstants // from the pointers to the next block
	if first == 0 {
		LEAQ(Mem{Base: batchOffset, Index: batchRate, Scale: 1}, next)
	}
	for i := range n {
		state := i&^3 + i%4/2 + i%2*2 // 0, 2, 1, 3, 4 and so on
		MOVQ(mem(batchSetIn, 8*state), batchP)
		block := Mem{Base: batchP, Index: batchOffset, Scale: 1}
		for half := range 2 {
			if wanted(n/2*(half+1) - 1) {
				m.loadHalf(i%2, block.Offset(8*(first+n/2*half)), vector(half, i/2))
			}
		}
		if first == 0 {
			if r := xmm[behind+state/2]; i%4 < 2 {
				VMOVQ(block.Offset(8*n), r)
			} else {
				VMOVHPS(block.Offset(8*n), r, r)
			}
			// The next block's lines but the first, which mostly is the last one of this block.
			for _, line := range []int{64, 128} {
				prefetch(Mem{Base: batchP, Index: next, Scale: 1, Disp: line})
			}
		}
	}
	for half := range 2 {
		for odd := range 2 {
			if !wanted(n/2*(half+1) - 2 + odd) {
				continue
			}
			// The even or the odd words of states 0 and 1, 2 and 3 and so on.
			for i := range n / 4 {
				unpack := VPUNPCKLQDQ
				if odd == 1 {
					unpack = VPUNPCKHQDQ
				}
				unpack(m.v[vector(half, 2*i+1)], m.v[vector(half, 2*i)], m.v[pairs+i])
			}
			word := n/2*half + odd
			if !m.evex() {
				m.addLane(first+word, pairs)
				continue
			}
			for i, quarters := range []uint64{0x88, 0xdd} { // 0 and 2, 1 and 3
				if word := word + 2*i; wanted(word) {
					VSHUFI64X2(Imm(quarters), m.v[pairs+1], m.v[pairs], m.v[lanes+i])
					m.addLane(first+word, lanes+i)
				}
			}
		}
	}
	if first == 0 {
		for i := 0; i < n/2; i += 2 {
			VINSERTI128(Imm(1), xmm[behind+i+1], ymm[behind+i], ymm[behind+i])
		}
		if m.evex() {
			VINSERTI64X4(Imm(1), ymm[behind+2], m.v[behind], m.v[behind])
		}
		m.addLane(n, behind)
	}
}

// prefetch asks for a line of a message, which is read once: in the second-level cache it would only take the place of something else, perhaps
// of states and of this code, whose use that cache doesn't see. Measured on a Zen 5, a megabyte of messages: 2 % less time
// than with PREFETCHT0, and the same for whoever reads the messages afterwards.
func prefetch(p Mem) { PREFETCHNTA(p) }

// loadHalf loads the lower or the upper half of a vector. The lower one comes first, as it clears the other.
func (m *batch) loadHalf(half int, p Mem, dst int) {
	switch {
	case half == 0 && m.evex():
		VMOVDQU64(p, m.v[dst].AsY())
	case half == 0:
		VMOVDQU(p, m.v[dst].AsX())
	case m.evex():
		VINSERTI64X4(Imm(1), p, m.v[dst], m.v[dst])
	default:
		VINSERTI128(Imm(1), p, m.v[dst], m.v[dst])
	}
}

// addLane adds a register, which it changes, to a lane of the set, and the lane to C.
func (m *batch) addLane(lane, r int) {
	p := mem(batchSet, lane*m.width)
	if m.evex() {
		VPTERNLOGQ(Imm(0x78), p, m.v[m.keep()], m.v[r])
	} else {
		t := m.keep() - 1
		m.and(p, m.keep(), t)
		m.xor(m.v[t], r, r)
	}
	m.store(r, p)
	if c := m.c(0, lane%5); m.begun[lane%5] {
		m.xor(m.v[r], c, c)
	} else {
		m.move(r, c)
		m.begun[lane%5] = true
	}
}

// permute permutes all sets.
func (m *batch) permute() {
	if m.sets > 1 {
		CMPQ(batchSets, Imm(1))
		JE(LabelRef("rounds1"))
		m.rounds(2)
		JMP(LabelRef("permuted"))
		Label("rounds1")
	}
	m.rounds(1)
	Label("permuted")
}

// rounds permutes the first sets.
func (m *batch) rounds(sets int) {
	m.kept = [][]int{nil}
	if m.evex() {
		m.kept, m.deferred = kept[sets-1], deferred[sets-1]
	}
	start := m.startRows(sets)
	for _, s := range start {
		for i, v := range s.lanes {
			if v != nil {
				m.load(m.home(s.set, i), v.reg)
			}
		}
	}
	loop := label("rounds%dOf", sets)
	LEAQ(roundConstants, batchConstants)
	Label(loop)
	if m.evex() {
		m.emitRows(sets)
	} else {
		lanes := home()
		for i := range unroll {
			lanes = m.round(i, lanes)
		}
	}
	ADDQ(Imm(8*unroll), batchConstants)
	LEAQ(roundConstants.Offset(8*24), batchP)
	CMPQ(batchConstants, batchP)
	JNE(LabelRef(loop))
	for _, s := range start {
		for i, v := range s.lanes {
			if v != nil {
				m.store(v.reg, m.home(s.set, i))
			}
		}
	}
}

// round is a round of AVX2, from C to C. It takes and returns where lane (x, y) is, at x+5y.
func (m *batch) round(round int, lanes [25]int) [25]int {
	Commentf("Round %d of %d: D[x] = C[x-1] + rotl(C[x+1], 1)", round, unroll)
	for x := range 5 {
		m.rotate(1, m.c(0, (x+1)%5), m.d[x])
	}
	for x := range 5 {
		m.xor(m.v[m.c(0, (x+4)%5)], m.d[x], m.d[x])
	}
	next := lanes
	for i, y := range rowOrder {
		Commentf("B[x, %d] = rotl(A[x', y'] + D[x'], r[x', y'])", y)
		for x := range 5 {
			from := source(x, y)
			m.xor(m.home(0, lanes[from]), m.d[from%5], m.b[x])
			next[x+5*y] = lanes[sameColumn(x, y)]
		}
		for x := range 5 {
			m.rotate(rotations[source(x, y)], m.b[x], m.b[x])
		}
		Commentf("A[x, %d] = B[x, %d] + ^B[x+1, %d] · B[x+2, %d], and C[x] = the sum so far", y, y, y, y)
		for x := range 5 {
			r := m.temps[0]
			VPANDN(m.v[m.b[(x+2)%5]], m.v[m.b[(x+1)%5]], m.v[r])
			m.xor(m.v[m.b[x]], r, r)
			if x == 0 && y == 0 {
				m.iota(round, r)
			}
			m.store(r, m.home(0, next[x+5*y]))
			if i == 0 {
				m.move(r, m.c(0, x))
			} else {
				m.xor(m.v[r], m.c(0, x), m.c(0, x))
			}
		}
	}
	return next
}

// iota adds a round's constant.
func (m *batch) iota(round, r int) {
	p := mem(batchConstants, 8*round)
	if m.evex() {
		VPXORQ_BCST(p, m.v[r], m.v[r])
		return
	}
	t := m.d[0] // row 0 is the last one, so D is done with
	VPBROADCASTQ(p, m.v[t])
	m.xor(m.v[t], r, r)
}

// pad makes last blocks: FIPS 202, section 5.1. Go would write them by bytes and words, and a load of 64 bytes has to wait until all stores that it takes
// bytes from have left the core.
func (m *batch) pad() {
	const (
		position = 0 // to 2: the index of each byte in a block, in three vectors
		end      = 3 // to 5: the last bit of the padding
		ds       = 6
		n        = 7
		block    = 8 // to 10
	)
	var (
		blocks = reg.RAX
		rests  = reg.RBX
		left   = reg.RCX
		lanes  = reg.RDX
		ahead  = reg.RSI
		lane   = reg.RDI
		to     = reg.R8
		from   = reg.R9
		length = reg.R10
		p      = reg.R11
		shift  = reg.R12
		bytes  = reg.R13
	)
	const page = 4096 // or a multiple of it
	masks := [3]reg.OpmaskPhysical{reg.K1, reg.K2, reg.K3}
	positions := GLOBL("positions", attr.RODATA|attr.NOPTR)
	for i := range 3 * 64 {
		DATA(i, U8(i))
	}
	TEXT("padBatch"+m.name, NOSPLIT, "func(blocks, rests, left uintptr, lanes uint, rate, ds int, ahead uintptr)")
	Load(Param("blocks"), blocks)
	Load(Param("rests"), rests)
	Load(Param("left"), left)
	Load(Param("lanes"), lanes)
	Load(Param("rate"), length)
	Load(Param("ahead"), ahead)
	DECQ(length)
	VPBROADCASTB(length.As32(), m.v[n])
	MOVL(U32(0x80), p.As32())
	VPBROADCASTB(p.As32(), m.v[ds])
	for i := range 3 {
		VMOVDQU64(positions.Offset(64*i), m.v[position+i])
		VPCMPEQB(m.v[n], m.v[position+i], reg.K1)
		VMOVDQU8_Z(m.v[ds], reg.K1, m.v[end+i])
	}
	Load(Param("ds"), p)
	VPBROADCASTB(p.As32(), m.v[ds])

	Label("lane")
	TZCNTQ(lanes, lane)
	IMUL3Q(U32(3*64), lane, to)
	ADDQ(blocks, to)
	MOVQ(Mem{Base: rests, Index: lane, Scale: 8}, from)
	MOVQ(Mem{Base: left, Index: lane, Scale: 8}, length)
	TESTQ(length, length)
	CMOVQEQ(to, from)
	VPBROADCASTB(length.As32(), m.v[n])
	for i := range 3 {
		VPCMPUB(Imm(1), m.v[n], m.v[position+i], masks[i]) // position < n
	}
	MOVL(from.As32(), shift.As32())
	ANDL(U32(page-1), shift.As32())
	CMPL(shift.As32(), U32(page-3*64))
	JA(LabelRef("pageEnd"))
	rest := func(i int, p Mem) {
		m.move(end+i, block+i)
		VMOVDQU8(p, masks[i], m.v[block+i])
	}
	for i := range 3 {
		rest(i, mem(from, 64*i))
	}
	Label("loaded")
	for i := range 3 {
		VPCMPEQB(m.v[n], m.v[position+i], reg.K4)
		VPADDB(m.v[ds], m.v[block+i], reg.K4, m.v[block+i]) // to a zero or to the last bit
		VMOVDQU64(m.v[block+i], mem(to, 64*i))
	}
	TESTQ(ahead, ahead)
	JZ(LabelRef("next"))
	MOVQ(mem(ahead, 0), p)
	for i := range 3 {
		prefetch(mem(p, 64*i))
	}
	ADDQ(Imm(24), ahead)
	Label("next")
	BLSRQ(lanes, lanes)
	JNZ(LabelRef("lane"))
	VZEROUPPER()
	RET()

	// A load that goes on to the next page, or is of it, takes some hundred cycles if that is none of the process's, though it takes no byte
	// from there.
	Label("pageEnd")
	for i := range 3 {
		whole, loaded := label("whole%d", i), label("loaded%d", i)
		Commentf("Bytes %d to %d", 64*i, 64*i+63)
		LEAQ(mem(from, 64*i), p)
		CMPQ(length, I32(64*i))
		CMOVQLE(to, p)
		MOVL(p.As32(), shift.As32())
		ANDL(U32(page-1), shift.As32())
		CMPL(shift.As32(), U32(page-64))
		JBE(LabelRef(whole))
		LEAQ(Mem{Base: length, Index: shift, Scale: 1, Disp: -64 * i}, bytes)
		CMPQ(bytes, U32(page))
		JA(LabelRef(whole))
		Comment("The message ends in this page: load and store it as the last of 64 bytes.")
		SUBL(U32(page-64), shift.As32())
		SUBQ(shift, p)
		KMOVQ(masks[i], bytes)
		SHLXQ(shift, bytes, bytes)
		KMOVQ(bytes, reg.K4)
		VMOVDQU8_Z(mem(p, 0), reg.K4, m.v[block+i])
		MOVQ(to, p)
		SUBQ(shift, p)
		VMOVDQU8(m.v[block+i], reg.K4, mem(p, 64*i))
		rest(i, mem(to, 64*i))
		JMP(LabelRef(loaded))
		Label(whole)
		rest(i, mem(p, 0))
		Label(loaded)
	}
	JMP(LabelRef("loaded"))
}

// digests writes the first four lanes of all states, a state after the other.
func (m *batch) digests() {
	const (
		low  = 0 // the indices that bring the quarters 0 and 1 of two vectors together, alternating
		high = 1 // and 2 and 3
	)
	var indices [2]Mem
	for i := range indices {
		indices[i] = GLOBL(label("quarters%d", i), attr.RODATA|attr.NOPTR)
		for j, lane := range []int{0, 1, 8, 9, 2, 3, 10, 11} {
			DATA(8*j, U64(lane+4*i))
		}
	}
	TEXT("digestsBatch"+m.name, NOSPLIT, "func(a, digests uintptr)")
	Load(Param("a"), batchA)
	to := batchP
	Load(Param("digests"), to)
	m.load(indices[0], low)
	m.load(indices[1], high)
	for set := range m.sets {
		lanes, pairs, states := 2, 6, 10
		for i := range 4 {
			m.load(m.home(set, i), lanes+i)
		}
		Comment("Lanes 0 and 1 of the even states and of the odd ones, then lanes 2 and 3")
		for i := range 2 {
			first, second := m.v[lanes+2*i], m.v[lanes+2*i+1]
			VPUNPCKLQDQ(second, first, m.v[pairs+2*i])
			VPUNPCKHQDQ(second, first, m.v[pairs+2*i+1])
		}
		for parity := range 2 {
			for half := range 2 {
				// States 4·half+parity and 4·half+parity+2
				r := states + 2*half + parity
				m.move(low+half, r)
				VPERMI2Q(m.v[pairs+2+parity], m.v[pairs+parity], m.v[r])
				p := func(state int) Mem { return mem(to, 32*(8*set+4*half+parity+state)) }
				VMOVDQU(ymm[r], p(0))
				VEXTRACTI64X4(Imm(1), m.v[r], p(2))
			}
		}
	}
	VZEROUPPER()
	RET()
}

func label(format string, args ...any) string { return fmt.Sprintf(format, args...) }
