package main

import (
	"fmt"
	"math/bits"

	"percore/internal/asm/keccak/_asm/fips202"
)

// A kernel has the sections of the permutation: a first round, then the loop, which is left in its middle after five turns, and
// the last round.
//
//	first; for { even; if that was round 22 { break }; odd }; last
type kernel struct {
	name                   string
	first, even, odd, last *section

	table [fips202.Rounds]uint64 // the round constants with the rotation that lane (0, 0) is to get where each is added
}

func (k *kernel) sections() []*section { return []*section{k.first, k.even, k.odd, k.last} }

const loopRounds = 4

// newKernel returns a kernel that goes by one plan in the first round, by one in the last and by one in all between.
func newKernel(name string, first, between, last plan) *kernel {
	k := &kernel{name: name, first: newSection(lanes{}), even: newSection(between.rotations()), odd: newSection(between.rotations()), last: newSection(between.rotations())}

	k.table = fips202.Constants()
	for i := range k.table[:fips202.Rounds-1] {
		k.table[i] = bits.RotateLeft64(k.table[i], between.rotations()[0][0].by)
	}

	k.first.out = k.first.round(k.first.in, first, 0)
	a := k.even.round(k.even.in, between, 1)
	k.even.out = k.even.round(a, between, 2, func(_, constant value) {
		k.even.emit(test, constant, none, k.lastTurn(), "whether this was the last turn")
	})
	a = k.odd.round(k.odd.in, between, 3)
	k.odd.out = k.odd.round(a, between, 4, func(pointer, _ value) {
		next := k.odd.emit(add, pointer, none, 8*loopRounds, "the table's next part")
		k.odd.emit(store, next, none, framePointer, "")
	})
	k.last.out = k.last.round(k.last.in, last, 3)

	for _, s := range k.sections() {
		s.schedule()
	}
	k.allocate()
	return k
}

// lastTurn returns a bit that is clear in the round constant before the loop is left and set in those of the other turns.
func (k *kernel) lastTurn() int {
	const leave = fips202.Rounds - 2
	for bit := range 64 {
		set := true
		for i := leave - loopRounds; i > 0; i -= loopRounds {
			set = set && k.table[i]>>bit&1 == 1
		}
		if set && k.table[leave]>>bit&1 == 0 {
			return bit
		}
	}
	panic("no bit tells the last turn from the others")
}

// newSection returns a section that starts with lanes which are to get the given rotations.
func newSection(rotations lanes) *section {
	s := &section{in: rotations}
	for x := range 5 {
		for y := range 5 {
			s.in[x][y].v = value(s.values)
			s.values++
		}
	}
	return s
}

// check runs the code as it stands, registers and all, on states that it must treat as FIPS 202 does: several times in
// a row, as it happens from block to block.
func (k *kernel) check() error {
	m := machine{table: k.table}
	var state [25]uint64
	for run := range 100 {
		if run%3 == 0 {
			for i := range state {
				state[i] = splitMix(uint64(25*run + i))
			}
			k.first.in.each(func(i int, v value) { m.registers[k.first.where[v]] = state[i] })
		}
		m.frame[framePointer] = 0
		m.run(k.first)
		for m.run(k.even); m.set; m.run(k.even) {
			m.run(k.odd)
		}
		m.run(k.last)
		fips202.Permute(&state)
		for i, l := range state {
			x, y := i%5, i/5
			if m.registers[k.last.where[k.last.out[x][y].v]] != l || m.registers[k.first.where[k.first.in[x][y].v]] != l {
				return fmt.Errorf("permutation %d: lane (%d, %d) is wrong", run, x, y)
			}
		}
	}
	return nil
}

// splitMix returns one of the outputs of the generator of that name.
func splitMix(n uint64) uint64 {
	n = (n + 1) * 0x9e3779b97f4a7c15
	n = (n ^ n>>30) * 0xbf58476d1ce4e5b9
	n = (n ^ n>>27) * 0x94d049bb133111eb
	return n ^ n>>31
}

// A machine runs sections.
type machine struct {
	registers [len(registerNames)]uint64
	frame     [frameSize]uint64 // at the offsets of its words
	table     [fips202.Rounds]uint64
	set       bool // the bit of the last test
}

func (m *machine) run(s *section) {
	for _, i := range s.code {
		var a, b, result uint64
		if i.a != none {
			a = m.registers[s.where[i.a]]
		}
		if i.b != none {
			b = m.registers[s.where[i.b]]
		}
		switch i.op {
		case eor:
			result = a ^ bits.RotateLeft64(b, -i.by)
		case bic:
			result = a &^ bits.RotateLeft64(b, -i.by)
		case ror:
			result = bits.RotateLeft64(a, -i.by)
		case load:
			result = m.frame[i.by]
		case store:
			m.frame[i.by] = a
		case fetch:
			result = m.table[(a+uint64(i.by))/8]
		case add:
			result = a + uint64(i.by)
		case test:
			m.set = a>>i.by&1 == 1
		}
		if i.dst != none {
			m.registers[s.where[i.dst]] = result
		}
	}
}
