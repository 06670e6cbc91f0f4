package main

import (
	"math"
	"math/rand/v2"
)

// A register is an index into registerNames.
type register int

// lanePlaces has the registers of the lanes, lane (x, y) at x+5y.
type lanePlaces [25]register

// each calls f with every lane's place in places and its value.
func (l *lanes) each(f func(i int, v value)) {
	for y := range 5 {
		for x := range 5 {
			f(x+5*y, l[x][y].v)
		}
	}
}

// allocate assigns a register to each value in the order of the code, given those of the lanes that it starts with, and
// returns those of the lanes that it ends with. Wherever several registers are free, s.choice says which is taken.
//
// Another choice at one place does nothing but exchange two registers in all that comes after it: the order of the free ones doesn't
// depend on their numbers.
func (s *section) allocate(in lanePlaces) (out lanePlaces) {
	taken := make([]bool, len(registerNames))
	s.in.each(func(i int, v value) {
		s.where[v] = in[i]
		taken[in[i]] = true
	})
	free := make([]register, 0, len(registerNames))
	for r := range taken {
		if !taken[r] {
			free = append(free, register(r))
		}
	}
	for n, i := range s.code {
		for _, v := range s.dies[n] {
			free = append(free, s.where[v])
		}
		if i.dst != none {
			last := len(free) - 1
			s.free[n] = len(free)
			c := last - s.choice[n]
			s.where[i.dst] = free[c]
			free[c] = free[last]
			free = free[:last]
		}
	}
	s.out.each(func(i int, v value) { out[i] = s.where[v] })
	return out
}

// lifetimes sets dies: the values that each instruction is the last to use.
func (s *section) lifetimes() {
	uses := s.uses()
	s.dies = make([][]value, len(s.code))
	for n, i := range s.code {
		for _, v := range i.operands() {
			if uses[v]--; uses[v] == 0 {
				s.dies[n] = append(s.dies[n], v)
			}
		}
	}
	s.free = make([]int, len(s.code))
	s.where = make([]register, s.values)
	s.choice = make([]int, len(s.code))
}

// allocate assigns registers so that the loop ends with each lane where it starts, and the permutation too, without a single
// move. Choices are made at random: one that leaves more lanes in the wrong place is the less often kept the more there are
// of them, by simulated annealing.
func (k *kernel) allocate() {
	sections := k.sections()
	for _, s := range sections {
		s.lifetimes()
	}
	var start lanePlaces
	for i := range start {
		start[i] = register(i)
	}
	misplaced := func() (n int) {
		loop := k.first.allocate(start)
		middle := k.even.allocate(loop)
		again := k.odd.allocate(middle)
		end := k.last.allocate(middle)
		for i := range start {
			if again[i] != loop[i] {
				n++
			}
			if end[i] != start[i] {
				n++
			}
		}
		return n
	}
	misplaced() // for the numbers of free registers
	// Where there is a choice.
	type place struct {
		choice *int
		free   int
	}
	var places []place
	for _, s := range sections {
		for n, free := range s.free {
			if free > 1 {
				places = append(places, place{&s.choice[n], free})
			}
		}
	}
	random := rand.New(rand.NewPCG(24, 1600))
	for range 20 {
		now := misplaced()
		for temperature := 0.32; temperature > 0.15; temperature *= 1 - 1e-6 {
			if now == 0 {
				return
			}
			p := places[random.IntN(len(places))]
			before := *p.choice
			*p.choice = random.IntN(p.free)
			if then := misplaced(); then <= now || random.Float64() < math.Exp(float64(now-then)/temperature) {
				now = then
			} else {
				*p.choice = before
			}
		}
	}
	panic("no allocation without moves")
}
