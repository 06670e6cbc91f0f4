package main

import (
	"fmt"

	"percore/internal/asm/keccak/_asm/fips202"
)

// A value is the result of one instruction, or a lane that a section of code starts with.
type value int

const none value = -1

type opcode int

const (
	eor   opcode = iota // dst = a ^ b ror by
	bic                 // dst = a &^ b ror by
	ror                 // dst = a ror by
	load                // dst = what is in the frame at by
	store               // the frame at by = a
	fetch               // dst = the round constant at a + by
	add                 // dst = a + by
	test                // flags = a & 1<<by
)

type instruction struct {
	op        opcode
	dst, a, b value
	by        int
	note      string // what dst is, for the reader of the code
}

// A lazy value v stands for v ror by: that is the rotation which it is still to get.
type lazy struct {
	v  value
	by int
}

type lanes [5][5]lazy // in [x][y]

// A section is code without a branch inside, first in the order of the derivation.
type section struct {
	code   []instruction
	values int // how many
	in     lanes
	out    lanes

	// See allocate.
	dies   [][]value
	free   []int
	choice []int
	where  []register
}

// emit appends an instruction. What it computes is named by note, in the manner of fmt.Sprintf.
func (s *section) emit(op opcode, a, b value, by int, note string, args ...any) value {
	i := instruction{op: op, dst: none, a: a, b: b, by: by, note: fmt.Sprintf(note, args...)}
	if op != store && op != test {
		i.dst = value(s.values)
		s.values++
	}
	s.code = append(s.code, i)
	return i.dst
}

func mod64(n int) int { return n & 63 }

// with returns x op y, which is to get the rotation that x is to get.
func (s *section) with(op opcode, x, y lazy, note string, args ...any) lazy {
	return lazy{s.emit(op, x.v, y.v, mod64(y.by-x.by), note, args...), x.by}
}

// rotate returns x with the rotation by still to be done.
func (s *section) rotate(x lazy, by int, note string, args ...any) lazy {
	if x.by == by {
		return x
	}
	return lazy{s.emit(ror, x.v, none, mod64(x.by-by), note, args...), by}
}

// A plan says which rotations are left to shifted operands.
type plan struct {
	// carry has the rotation that a lane of column x is to get when θ is done.
	carry [5]int
	// base has the lane of each column that its parity starts with: the parity is to get the rotation of that lane.
	base [5]int
	// fromNext says for each column that the parity of the next column stays as it is in the sum of θ, not that of the
	// column before.
	fromNext [5]bool
	// settle says that no rotation is left when the round is over. At least three neighbors of each row have to have theirs
	// explicit for that.
	settle bool
	// explicit says for each lane, after π, that ρ is done by an instruction of its own.
	explicit [5][5]bool
}

func mod5(n int) int { return (n + 5) % 5 }

// round appends one round and returns the lanes after it. The round constant is that at index constant of the table's part
// where the pointer in the frame shows; with that comes what else has to be done with it, if anything.
//
//	θ: c[x] = a[x, 0] ^ … ^ a[x, 4]
//	   d[x] = c[x-1] ^ rotl(c[x+1], 1)
//	   a[x, y] ^= d[x]
//	ρ: a[x, y] = rotl(a[x, y], r[x, y])
//	π: b[y, 2x+3y] = a[x, y]
//	χ: a[x, y] = b[x, y] ^ (b[x+2, y] &^ b[x+1, y])
//	ι: a[0, 0] ^= the constant
//
// 25 lanes and three more values fit into the registers. In θ that is one too few: d[2] takes c[1] and c[3] and they are still
// needed, yet no column can have its d[x] before c[2] is known too. So c[3] waits in the frame.
func (s *section) round(a lanes, p plan, constant int, also ...func(pointer, constant value)) lanes {
	column := func(x int) lazy {
		c := a[x][p.base[x]]
		for y := range 5 {
			if y != p.base[x] {
				c = s.with(eor, c, a[x][y], "c%d += a%d%d", x, x, y)
			}
		}
		return c
	}
	sum := func(x int, before, next lazy) (d lazy) {
		next.by = mod64(next.by - 1)
		if p.fromNext[x] {
			d = s.with(eor, next, before, "d%d", x)
		} else {
			d = s.with(eor, before, next, "d%d", x)
		}
		return s.rotate(d, p.carry[x], "d%d", x)
	}
	apply := func(x int, d lazy) {
		for y := range 5 {
			a[x][y] = s.with(eor, d, a[x][y], "a%d%d += d%d", x, y, x)
		}
	}
	c1 := column(1)
	c3 := column(3)
	d2 := sum(2, c1, c3)
	s.emit(store, c3.v, none, frameParity, "c3")
	c2 := column(2)
	apply(2, d2)
	c4 := column(4)
	d0 := sum(0, c4, c1)
	d3 := sum(3, c2, c4)
	apply(3, d3)
	c0 := column(0)
	apply(0, d0)
	d1 := sum(1, c0, c2)
	apply(1, d1)
	c3.v = s.emit(load, none, none, frameParity, "c3")
	d4 := sum(4, c3, c0)
	apply(4, d4)

	var b lanes
	offsets := fips202.Offsets()
	for x := range 5 {
		for y := range 5 {
			x2, y2 := fips202.Pi(x, y)
			b[x2][y2] = lazy{a[x][y].v, mod64(a[x][y].by - offsets[x][y])}
		}
	}
	for y := range 5 {
		row := func(x int) *lazy { return &b[mod5(x)][y] }
		for x := range 5 {
			if p.explicit[x][y] {
				*row(x) = s.rotate(*row(x), 0, "b%d%d", x, y)
			}
		}
		and := func(x int) lazy {
			return s.with(bic, *row(x + 2), *row(x + 1), "b%d%d &^ b%d%d", mod5(x+2), y, mod5(x+1), y)
		}
		lane := func(x int, and lazy) {
			if b := *row(x); p.settle && b.by == 0 {
				a[x][y] = s.with(eor, b, and, "a%d%d", x, y)
			} else {
				a[x][y] = s.with(eor, and, b, "a%d%d", x, y)
			}
		}
		// In the order in which three registers besides the row's suffice.
		and0, and1 := and(0), and(1)
		lane(2, and(2))
		lane(3, and(3))
		lane(4, and(4))
		lane(0, and0)
		lane(1, and1)
		if y == 0 {
			pointer := s.emit(load, none, none, framePointer, "the table's part")
			// The table has the constants with the rotation that they are to get.
			iota := s.emit(fetch, pointer, none, 8*constant, "the round constant")
			for _, f := range also {
				f(pointer, iota)
			}
			a[0][0].v = s.emit(eor, a[0][0].v, iota, 0, "a00 += the round constant")
		}
	}
	return a
}
