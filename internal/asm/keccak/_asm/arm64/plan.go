package main

import "percore/internal/asm/keccak/_asm/fips202"

// lazyPlan returns the plan for a round that leaves all rotations to shifted operands and starts and ends with the same
// rotations still to be done, so that a loop can consist of such rounds. Of those plans it is the one that has the
// most operands which need no shift.
//
// χ leaves a lane with the rotation of the second lane after it in the row, carry[s] less ρ's offset, and the parities and sums
// of θ take over that of one lane. So the plan makes each carry[x] the carry of another column less a constant, and goes on
// round after round if the constants add up to 0 around each circle of columns.
func lazyPlan() plan {
	var best plan
	most := -1
	for choice := range 5 * 5 * 5 * 5 * 5 << 5 {
		var p plan
		n := choice
		for x := range 5 {
			p.fromNext[x] = n&1 == 1
			n >>= 1
		}
		for x := range 5 {
			p.base[x] = n % 5
			n /= 5
		}
		// d[0] and d[3] have to wait for c[4], and d[1] for c[0]: those parities aren't the shifted operands.
		if p.fromNext[0] || p.fromNext[1] || !p.fromNext[3] || !p.solve() {
			continue
		}
		var s section
		s.round(p.rotations(), p, 0)
		unshifted := 0
		for _, i := range s.code {
			if i.by == 0 && i.op <= ror {
				unshifted++
			}
		}
		if unshifted > most {
			best, most = p, unshifted
		}
	}
	return best
}

// source says that carry[x] is that of column s less by.
func (p *plan) source(x int) (s, by int) {
	neighbor := mod5(x - 1)
	if p.fromNext[x] {
		neighbor = mod5(x + 1)
		by = 1
	}
	// Lane (neighbor, base) has the rotation of this one after π, which comes from (s, b).
	b, y := mod5(neighbor+2), p.base[neighbor]
	for s := range 5 {
		if _, y2 := fips202.Pi(s, b); y2 == y {
			return s, by + fips202.Offsets()[s][b]
		}
	}
	panic("π is onto")
}

// solve sets carry and returns whether it can.
func (p *plan) solve() bool {
	known := [5]bool{}
	var follow func(x int, path []int) bool
	follow = func(x int, path []int) bool {
		if known[x] {
			return true
		}
		for _, before := range path {
			if before == x { // a circle: one of its carries is free
				known[x] = true
				return true
			}
		}
		s, by := p.source(x)
		if !follow(s, append(path, x)) {
			return false
		}
		carry := mod64(p.carry[s] - by)
		if known[x] {
			return carry == p.carry[x]
		}
		p.carry[x], known[x] = carry, true
		return true
	}
	for x := range 5 {
		if !follow(x, nil) {
			return false
		}
	}
	return true
}

// rotations returns lanes with the rotations that a lazy round starts and ends with.
func (p *plan) rotations() lanes {
	var s section
	var zero lanes
	return s.round(zero, *p, 0)
}
