package main

import "slices"

// The code is scheduled for a core with two instructions a cycle in their order, one of them with memory, as Cortex-A53 and
// A55 have it. Others find an order for themselves.

func (i instruction) memory() bool { return i.op == load || i.op == store || i.op == fetch }

// latency returns after how many cycles others can use the result.
func (i instruction) latency() int {
	switch i.op {
	case ror, load, fetch:
		return 3
	}
	return 1
}

// shift returns how many cycles earlier a shifted operand has to be there.
func (i instruction) shift() int {
	if i.by != 0 && (i.op == eor || i.op == bic) {
		return 1
	}
	return 0
}

func (i instruction) operands() []value {
	switch {
	case i.a == none:
		return nil
	case i.b == none:
		return []value{i.a}
	}
	return []value{i.a, i.b}
}

// needs returns, for each instruction, how many others it comes after, and those that come after it.
func (s *section) needs() (count []int, after [][]int) {
	count, after = make([]int, len(s.code)), make([][]int, len(s.code))
	made := make([]int, s.values)
	for v := range made {
		made[v] = -1
	}
	order := func(i, j int) {
		if i >= 0 {
			after[i] = append(after[i], j)
			count[j]++
		}
	}
	lastStore, loads := map[int]int{}, map[int][]int{}
	for j, i := range s.code {
		for _, v := range i.operands() {
			order(made[v], j)
		}
		switch i.op {
		case load:
			if store, ok := lastStore[i.by]; ok {
				order(store, j)
			}
			loads[i.by] = append(loads[i.by], j)
		case store:
			for _, l := range loads[i.by] {
				order(l, j)
			}
			loads[i.by] = nil
			lastStore[i.by] = j
		}
		if i.dst != none {
			made[i.dst] = j
		}
	}
	return count, after
}

// uses returns how often each value is used, the use after the section included.
func (s *section) uses() []int {
	uses := make([]int, s.values)
	for _, i := range s.code {
		for _, v := range i.operands() {
			uses[v]++
		}
	}
	for _, column := range s.out {
		for _, l := range column {
			uses[l.v]++
		}
	}
	return uses
}

// schedule puts the code in an order that keeps such a core busy. It starts from the order of the derivation,
// in which the registers suffice. Each time it takes the first instruction that can go, unless the registers then wouldn't suffice
// for all that remains in its old order: so it can't end where nothing can go.
func (s *section) schedule() {
	before, after := s.needs()
	uses := s.uses()
	live := 25
	ready := make([]int, s.values) // the cycle from which on a value can be used
	left := make([]int, s.values)
	remaining := make([]int, len(s.code))
	for i := range remaining {
		remaining[i] = i
	}
	// step counts an instruction in and returns whether the registers suffice.
	step := func(i int, live *int, uses []int) bool {
		for _, v := range s.code[i].operands() {
			if uses[v]--; uses[v] == 0 {
				*live--
			}
		}
		if s.code[i].dst != none {
			*live++
		}
		return *live <= len(registerNames)
	}
	fits := func(k int) bool {
		copy(left, uses)
		live := live
		if !step(remaining[k], &live, left) {
			return false
		}
		for i, r := range remaining {
			if i != k && !step(r, &live, left) {
				return false
			}
		}
		return true
	}
	var code []instruction
	for cycle := 0; len(remaining) > 0; cycle++ {
		if cycle > len(s.code)*4 {
			panic("the registers don't suffice for the order of the derivation")
		}
		memory := false
		for range 2 {
			pick := -1
			for k, r := range remaining {
				i := s.code[r]
				if before[r] == 0 && !(memory && i.memory()) && (i.a == none || ready[i.a] <= cycle) &&
					(i.b == none || ready[i.b]+i.shift() <= cycle) && fits(k) {
					pick = k
					break
				}
			}
			if pick < 0 {
				break
			}
			r := remaining[pick]
			remaining = slices.Delete(remaining, pick, pick+1)
			i := s.code[r]
			step(r, &live, uses)
			for _, j := range after[r] {
				before[j]--
			}
			if i.dst != none {
				ready[i.dst] = cycle + i.latency()
			}
			memory = memory || i.memory()
			code = append(code, i)
		}
	}
	s.code = code
}
