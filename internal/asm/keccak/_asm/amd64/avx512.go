package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// AVX512: one state, half in vector and half in general-purpose registers.
//
// With a lane in each vector register a round is about 95 instructions: a three-input exclusive or or χ is one, and
// so is a rotation. On a Zen 5 these have a latency of 2 cycles, and of 3 from two of the inputs of a VPTERNLOGQ, which
// makes the way from χ through the next round's θ to χ take 14 cycles, in which few other instructions are left to be
// done. However they were ordered, a round took 33 cycles. But the general-purpose registers have units of their own,
// with a latency of 1, and VMOVQ between the two sides takes up neither's. So the rows in scalarRows are made there and
// the others in vector registers.
//
// All instructions on vectors are 128 bits wide and clear the rest of their register, so the upper halves are never in
// use; VZEROUPPER at the end costs next to nothing and also holds for what a caller may have left there. It leaves registers 16
// to 31 alone, which no SSE instruction can name and which therefore slow none down.
//
// Of the 25 lanes that a round begins with, those of scalarRows are the product of that side in the round before. Lane
// (x, y) goes into row 2x+3y. It stays on its side or changes over:
//
//   - lanes that stay vector, and all that change over, have a vector register each ("home" and "arrival");
//   - lanes that stay scalar have a general-purpose register each.
//
// C of θ is made on the vector side, from three vector rows and the sum of the two scalar ones. Both sides make
// their own D of it: to wait for the other's would take longer.
//
// What was measured on a Zen 5, in cycles for a permutation, against a bound of 540 for 90 vector instructions a round at 4
// a cycle:
//
//	850-1030  lanes in vector registers, one step after the other, by the order of the rows
//	     790  the same, the best of some thousand orders of the instructions; libgcrypt's kernel takes as long
//	     785  the same with a shorter way through θ: D from the sums of four rows and what the last one adds
//	     920  a plane in each vector register, C from pairs of lanes of the columns that χ leaves: the latencies of a round
//	          add up to 24 cycles, but it takes 38
//	     875  general-purpose registers alone
//	     736  two rows on the scalar side, D brought over from the vector side
//	     695  C brought over instead
//	     645  and lanes go from the scalar to the vector side through the frame, as one VMOVQ a cycle does not suffice
//
// Of the last, neither other scalar rows nor other orders of the instructions change more than 1 %, nor does χ with 9 fewer
// moves. It takes some 160 instructions a round, 27 cycles at the 6 a cycle that the core was seen to take in.

// A vector is the vector side. The registers of one number are one register, whatever the width: a kernel
// for a state in each lane of a wider register has the same rounds, all rows on this side.
type vector struct{ regs []reg.VecPhysical }

var xmm = []reg.VecPhysical{reg.X0, reg.X1, reg.X2, reg.X3, reg.X4, reg.X5, reg.X6, reg.X7, reg.X8, reg.X9, reg.X10, reg.X11, reg.X12, reg.X13, reg.X14, reg.X15,
	reg.X16, reg.X17, reg.X18, reg.X19, reg.X20, reg.X21, reg.X22, reg.X23, reg.X24, reg.X25, reg.X26, reg.X27, reg.X28, reg.X29, reg.X30, reg.X31}

// xor computes dst = x + y.
func (v vector) xor(x, y, dst int) { VPXORQ(v.regs[x], v.regs[y], v.regs[dst]) }

// xor3 computes dst = dst + x + y.
func (v vector) xor3(x, y, dst int) { VPTERNLOGQ(Imm(0x96), v.regs[x], v.regs[y], v.regs[dst]) }

// chi computes dst = x + ^y · z.
func (v vector) chi(x, y, z, dst int) {
	v.move(x, dst)
	VPTERNLOGQ(Imm(0xd2), v.regs[z], v.regs[y], v.regs[dst])
}

// rotate computes dst = rotl(x, n).
func (v vector) rotate(n, x, dst int) { VPROLQ(Imm(uint64(n)), v.regs[x], v.regs[dst]) }

func (v vector) move(x, dst int) { VMOVDQA64(v.regs[x], v.regs[dst]) }

// The rows of a state by the side that makes them.
var (
	scalarRows = []int{4, 0} // in the order in which they are made
	vectorRows = []int{1, 2, 3}
)

// The vector registers.
const (
	home0    = 0  // to 14: lane (x, y) of vectorRows[i] at 5i+x
	arrival0 = 15 // to 20: the lanes of scalar rows that go into vector rows
	c0       = 21 // to 25: C
	vtemp0   = 26 // to 31
)

// The registers of the vector side's D, by x: one temporary, and where C was.
var vectorD = [5]int{vtemp0, c0 + 2, c0 + 3, c0 + 4, c0}

// Where B is while the home of its lane takes a new row: a temporary or, as θ is over by then, that of C[1].
var vectorTemps = []int{c0 + 1, vtemp0 + 1, vtemp0 + 2, vtemp0 + 3, vtemp0 + 4, vtemp0 + 5}

// The general-purpose registers: all but BP, the frame pointer. Go's g and the register after it are saved in the frame.
var (
	scalarC     = [5]reg.GPPhysical{reg.RAX, reg.RBX, reg.RCX, reg.RDX, reg.RSI}
	scalarStay  = []reg.GPPhysical{reg.RDI, reg.R8, reg.R9, reg.R10} // the lanes that stay scalar
	scalarTemps = []reg.GPPhysical{reg.R11, reg.R12, reg.R13, reg.R14, reg.R15}
)

// orderC is the order in which D can be made in the place of C: D[x] takes the place of C[x+1].
var orderC = []int{0, 3, 1, 4, 2}

// A hybrid emits rounds.
type hybrid struct {
	vector
	scratch  func(int) Mem // the frame
	constant Mem           // points to that of the round

	vec             [25]int            // the vector register of a lane at the beginning of a round
	stay            [25]reg.GPPhysical // the general-purpose register, of a lane that stays scalar
	arrivals, stays []int
}

func newHybrid(scratch func(int) Mem, constant Mem) *hybrid {
	m := &hybrid{vector: vector{xmm}, scratch: scratch, constant: constant}
	for i, y := range vectorRows {
		for x := range 5 {
			m.vec[x+5*y] = home0 + 5*i + x
		}
	}
	// The lanes that stay scalar in the order of the rows they go into, for the first row to have its registers back first.
	for _, to := range scalarRows {
		for i := range 5 {
			if from := source(i, to); slices.Contains(scalarRows, from/5) {
				m.stay[from] = scalarStay[len(m.stays)]
				m.stays = append(m.stays, from)
			}
		}
	}
	for _, y := range []int{0, 1, 2, 3, 4} {
		for x := range 5 {
			if i := x + 5*y; slices.Contains(scalarRows, y) && !slices.Contains(m.stays, i) {
				m.vec[i] = arrival0 + len(m.arrivals)
				m.arrivals = append(m.arrivals, i)
			}
		}
	}
	return m
}

// avx512 is the kernel. It needs AVX-512 F and VL, BMI1 and BMI2.
func avx512() {
	TEXT("spongeAVX512", NOSPLIT, signature)
	frame := AllocLocal(8 * 13)
	slot := func(i int) Mem { return frame.Offset(8 * i) }
	var (
		in       = slot(6)
		out      = slot(7)
		rate     = slot(8)
		blocks   = slot(9)
		constant = slot(10)
		saved    = []Mem{slot(11), slot(12)}
	)
	a, p, n, t := reg.RAX, reg.RBX, reg.RCX, reg.RDX
	m := newHybrid(slot, constant)

	for i, r := range []reg.GPPhysical{reg.R14, reg.R15} {
		MOVQ(r, saved[i])
	}
	for name, to := range params(in, out, rate, blocks) {
		Load(Param(name), t)
		MOVQ(t, to)
	}

	Load(Param("a"), a)
	m.load(a)

	Label("block")
	MOVQ(in, p)
	TESTQ(p, p)
	JZ(LabelRef("permute"))
	MOVQ(rate, n)
	m.absorb(p, n)
	ADDQ(n, p)
	MOVQ(p, in)

	Label("permute")
	LEAQ(roundConstants, t)
	MOVQ(t, constant)
	Label("round")
	m.emit()
	MOVQ(constant, t)
	ADDQ(Imm(8), t)
	MOVQ(t, constant)
	LEAQ(roundConstants.Offset(8*24), n)
	CMPQ(t, n)
	JNE(LabelRef("round"))

	MOVQ(out, p)
	TESTQ(p, p)
	JZ(LabelRef("next"))
	MOVQ(rate, n)
	eachLane(n, "squeezed", func(i int) { m.store(i, p) })
	Label("squeezed")
	ADDQ(n, p)
	MOVQ(p, out)
	Label("next")
	DECQ(blocks)
	JNZ(LabelRef("block"))

	Load(Param("a"), a)
	for i := range 25 {
		m.store(i, a)
	}
	for i, r := range []reg.GPPhysical{reg.R14, reg.R15} {
		MOVQ(saved[i], r)
	}
	VZEROUPPER()
	RET()
}

// load loads the state at a and sums up its columns.
func (m *hybrid) load(a reg.Register) {
	for i := range 25 {
		if m.stay[i] == nil {
			VMOVQ(mem(a, 8*i), xmm[m.vec[i]])
		}
	}
	Comment("C[x] = A[x, 0] + A[x, 1] + A[x, 2] + A[x, 3] + A[x, 4]")
	for x := range 5 {
		VMOVQ(mem(a, 8*x), xmm[c0+x])
		for y := 1; y < 5; y++ {
			r := m.vec[x+5*y]
			if m.stay[x+5*y] != nil {
				r = vtemp0
				VMOVQ(mem(a, 8*(x+5*y)), xmm[r])
			}
			m.xor(r, c0+x, c0+x)
		}
	}
	for _, i := range m.stays {
		MOVQ(mem(a, 8*i), m.stay[i])
	}
}

// absorb adds the block at p, of n bytes, to the state. The columns of the block are summed up first, since that needn't wait
// for C.
func (m *hybrid) absorb(p, n reg.Register) {
	const lane, sum0 = vtemp0, vtemp0 + 1
	eachLane(n, "absorbed", func(i int) {
		r := lane
		if i < 5 {
			r = sum0 + i
		}
		VMOVQ(mem(p, 8*i), xmm[r])
		if m.stay[i] != nil {
			XORQ(mem(p, 8*i), m.stay[i])
		} else {
			m.xor(r, m.vec[i], m.vec[i])
		}
		if i >= 5 {
			m.xor(r, sum0+i%5, sum0+i%5)
		}
	})
	Label("absorbed")
	for x := range 5 {
		m.xor(sum0+x, c0+x, c0+x)
	}
}

// store stores lane i of the state that starts at p, whose register is none of those that hold lanes.
func (m *hybrid) store(i int, p reg.Register) {
	if m.stay[i] != nil {
		MOVQ(m.stay[i], mem(p, 8*i))
	} else {
		VMOVQ(xmm[m.vec[i]], mem(p, 8*i))
	}
}

// emit emits one round, from lanes and C to lanes and C in the same registers.
func (m *hybrid) emit() {
	Comment("C for the scalar side")
	for _, x := range orderC {
		VMOVQ(xmm[c0+(x+1)%5], scalarC[(x+1)%5])
	}
	s := scalarRound{hybrid: m, free: slices.Clone(scalarTemps)}
	s.fetch()

	Comment("D[x] = C[x-1] + rotl(C[x+1], 1)")
	for _, x := range orderC {
		m.rotate(1, c0+(x+1)%5, vectorD[x])
		m.xor(c0+(x+4)%5, vectorD[x], vectorD[x])
	}

	s.theta()
	for _, y := range scalarRows {
		s.chi(y)
	}

	temps := vectorTemps
	var b [25]int // B of the vector rows
	for i, y := range vectorRows {
		Commentf("B[x, %d] = rotl(A[x', y'] + D[x'], r[x', y'])", y)
		for x := range 5 {
			from := source(x, y)
			// In its place, unless a row goes there before this one has been made.
			r := m.vec[from]
			if slices.Contains(vectorRows[:i+1], from/5) {
				r, temps = temps[0], temps[1:]
			}
			m.xor(m.vec[from], vectorD[from%5], r)
			m.rotate(rotations[from], r, r)
			b[x+5*y] = r
		}
	}
	row := func(y int) {
		Commentf("A[x, %d] = B[x, %d] + ^B[x+1, %d] · B[x+2, %d]", y, y, y, y)
		for x := range 5 {
			m.chi(b[x+5*y], b[(x+1)%5+5*y], b[(x+2)%5+5*y], m.vec[x+5*y])
		}
	}
	row(vectorRows[0])
	s.leave()
	row(vectorRows[1])
	Comment("C = the sum of the scalar rows + the vector rows")
	for x := range 5 {
		m.xor3(m.vec[x+5*vectorRows[0]], m.vec[x+5*vectorRows[1]], c0+x)
	}
	row(vectorRows[2])
	for x := range 5 {
		m.xor(m.vec[x+5*vectorRows[2]], c0+x, c0+x)
	}
	Comment("The lanes that go from the scalar to the vector side")
	for i, l := range m.arrivals {
		VMOVQ(m.scratch(i), xmm[m.vec[l]])
	}
}

// A scalarRound is the scalar side of a round.
type scalarRound struct {
	*hybrid
	free []reg.GPPhysical
	d    [5]reg.GPPhysical
	reg  [25]reg.GPPhysical // of a lane: A, then B, then the new A
}

func (s *scalarRound) take() reg.GPPhysical {
	r := s.free[0]
	s.free = s.free[1:]
	return r
}

func (s *scalarRound) give(r ...reg.GPPhysical) { s.free = append(s.free, r...) }

// fetch gets the lanes of the first scalar row from the vector side.
func (s *scalarRound) fetch() {
	s.d[orderC[0]] = s.take()
	for _, x := range orderC[1:] {
		s.d[x] = scalarC[(x+1)%5]
	}
	Commentf("A[x', y'] of row %d", scalarRows[0])
	for x := range 5 {
		from := source(x, scalarRows[0])
		if s.reg[x+5*scalarRows[0]] = s.stay[from]; s.stay[from] == nil {
			r := s.take()
			VMOVQ(xmm[s.vec[from]], r)
			s.reg[x+5*scalarRows[0]] = r
		}
	}
}

// theta makes B of both scalar rows, that of the second one in the place of D.
func (s *scalarRound) theta() {
	Comment("D[x], scalar")
	for _, x := range orderC {
		RORXQ(Imm(63), scalarC[(x+1)%5], s.d[x])
		XORQ(scalarC[(x+4)%5], s.d[x])
	}
	s.give(scalarC[(orderC[0]+1)%5])
	first, second := scalarRows[0], scalarRows[1]
	Commentf("B[x, %d]", first)
	for x := range 5 {
		from := source(x, first)
		r := s.reg[x+5*first]
		XORQ(s.d[from%5], r)
		rotateScalar(rotations[from], r)
	}
	Commentf("B[x, %d]", second)
	for x := range 5 {
		from := source(x, second)
		d := s.d[from%5]
		if r := s.stay[from]; r != nil {
			XORQ(r, d)
			s.give(r)
		} else {
			r := s.take()
			VMOVQ(xmm[s.vec[from]], r)
			XORQ(r, d)
			s.give(r)
		}
		rotateScalar(rotations[from], d)
		s.reg[x+5*second] = d
	}
}

func rotateScalar(n int, r reg.GPPhysical) {
	if n != 0 {
		RORXQ(Imm(uint64(64-n)), r, r)
	}
}

// chi makes a row: two lanes in new registers, as B is still needed, and three in the place of B.
func (s *scalarRound) chi(y int) {
	Commentf("A[x, %d] = B[x, %d] + ^B[x+1, %d] · B[x+2, %d]", y, y, y, y)
	b := [5]reg.GPPhysical(s.reg[5*y : 5*y+5])
	x0, x1, t := s.take(), s.take(), s.take()
	ANDNQ(b[2], b[1], x0)
	XORQ(b[0], x0)
	if y == 0 {
		MOVQ(s.constant, t)
		XORQ(mem(t, 0), x0)
	}
	ANDNQ(b[3], b[2], x1)
	XORQ(b[1], x1)
	for x := 2; x < 5; x++ {
		ANDNQ(b[(x+2)%5], b[(x+1)%5], t)
		XORQ(t, b[x])
	}
	s.reg[5*y], s.reg[5*y+1] = x0, x1
	s.give(t, b[0], b[1])
}

// leave hands the sums of the scalar rows and the lanes that change over to the vector side, and puts those that stay where
// the next round expects them.
func (s *scalarRound) leave() {
	Comment("The sum of the scalar rows")
	for _, c := range orderC {
		x := (c + 1) % 5
		t := s.take()
		MOVQ(s.reg[x+5*scalarRows[0]], t)
		XORQ(s.reg[x+5*scalarRows[1]], t)
		VMOVQ(t, xmm[c0+x])
		s.give(t)
	}
	for i, l := range s.arrivals {
		MOVQ(s.reg[l], s.scratch(i))
	}
	moves := map[reg.GPPhysical]reg.GPPhysical{} // from, by to
	for _, l := range s.stays {
		if s.reg[l] != s.stay[l] {
			moves[s.stay[l]] = s.reg[l]
		}
	}
	for len(moves) > 0 {
		n := len(moves)
		for _, to := range scalarStay {
			from, ok := moves[to]
			if !ok {
				continue
			}
			read := false
			for _, r := range moves {
				read = read || r == to
			}
			if !read {
				MOVQ(from, to)
				delete(moves, to)
			}
		}
		if len(moves) == n {
			panic("the lanes that stay go round in a circle")
		}
	}
}
