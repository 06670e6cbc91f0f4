package main

import (
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// The best of some thousand choices, by the number of sets that have states.
//
// Of each set the lanes (x, y), at x+5y, that have a register from the row they are made in to the one they go into.
var kept = [][][]int{
	{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 14, 15, 18, 21, 24}},
	{{1, 2, 4, 5, 8, 9}, {1, 2, 4, 5, 8, 10}},
}

// By row, the first made being 0, the x of lanes that C doesn't get until the next row: one VPTERNLOGQ for both.
var deferred = [][5][]int{
	{1: {0, 2}, 2: {1, 3}},
	{1: {2}, 3: {1, 2, 4}},
}

// A value is in a register until it has been read so many times.
type value struct{ reg, reads int }

// value returns a new value in a free register, that of another if there is one and it is free.
func (m *batch) value(reads int, place *value) *value {
	r := slices.Index(m.used, false)
	if place != nil && !m.used[place.reg] {
		r = place.reg
	}
	if r < 0 {
		panic("no register is free")
	}
	m.used[r] = true
	return &value{r, reads}
}

func (m *batch) read(v *value) int {
	if v.reads--; v.reads == 0 {
		m.used[v.reg] = false
	}
	return v.reg
}

// replace returns a new value in the place of another one that is read for the last time.
func (m *batch) replace(v *value, reads int) *value {
	if v.reads != 1 {
		panic("the value is needed later on")
	}
	v.reads = 0
	return &value{v.reg, reads}
}

// A rowSet is a set between two rows.
type rowSet struct {
	set         int
	lanes, next [25]*value // at the beginning of the round and so far at its end; nil for those in memory
	c, pending  [5]*value  // the sums so far, and what has still to be added
}

// A row is a step: how one set comes to have one row more.
type row struct {
	*rowSet
	round, i, y int
	made        [5]*value // B, then the lanes
}

// memory is where a lane is in memory before a round, or after one.
func (m *batch) memory(set, lane int, odd bool) Mem {
	p := m.home(set, lane)
	if odd {
		p = p.Offset(25 * m.sets * m.width)
	}
	return p
}

// startRows returns the first sets with C and what else has registers between two rounds; which ones doesn't depend on the round.
func (m *batch) startRows(sets int) (s []*rowSet) {
	m.used = make([]bool, len(m.v))
	for set := range sets {
		s = append(s, &rowSet{set: set})
		for x := range 5 {
			r := m.c(sets-1-set, x)
			m.used[r] = true
			s[set].c[x] = &value{r, 2}
		}
	}
	for set := range sets {
		for _, lane := range m.kept[set] {
			s[set].lanes[lane] = m.value(1, nil)
		}
	}
	return s
}

// emitRows emits four rounds of the first sets, from C to C. For the core to have something else to do at any time, the lanes of a row are
// stored and added to C during the next one, and D of a set is made in the last row of the other.
func (m *batch) emitRows(sets int) {
	s, start := m.startRows(sets), m.startRows(sets)
	var rows []*row
	for round := range unroll {
		for set := range sets {
			for i, y := range rowOrder {
				rows = append(rows, &row{rowSet: s[set], round: round, i: i, y: y})
			}
		}
	}
	var d [5]*value
	var before *row // whose lanes have still to be stored and added
	for i, r := range rows {
		if i == 0 || sets == 1 && r.i == 0 {
			m.finishRow(before, start)
			before = nil
			d = m.rotateC(r.rowSet)
			m.addC(r.rowSet, &d)
		}
		ahead := sets > 1 && r.i == 4 && i+1 < len(rows)
		var next [5]*value
		if ahead {
			next = m.rotateC(rows[i+1].rowSet)
		}
		m.addD(r, d)
		if ahead {
			m.addC(rows[i+1].rowSet, &next)
			d = next
		}
		m.storeRow(before)
		for x := range 5 {
			b := r.made[x].reg
			m.rotate(rotations[source(x, r.y)], b, b)
		}
		m.sumRow(before, start)
		m.chiRow(r, start)
		before = r
	}
	m.finishRow(before, start)

	Comment("Back to the registers of the beginning")
	var from, to []int
	for set := range sets {
		for x := range 5 {
			from, to = append(from, s[set].c[x].reg), append(to, start[set].c[x].reg)
		}
		for _, lane := range m.kept[set] {
			from, to = append(from, s[set].lanes[lane].reg), append(to, start[set].lanes[lane].reg)
		}
	}
	m.moves(from, to)
}

// moves moves all registers at once.
func (m *batch) moves(from, to []int) {
	for {
		stuck := -1
		moved := false
		for i := range from {
			if from[i] == to[i] {
				continue
			}
			stuck = i
			if !slices.Contains(from, to[i]) {
				m.move(from[i], to[i])
				from[i], moved = to[i], true
			}
		}
		if stuck < 0 {
			return
		}
		if !moved { // a circle
			free := 0
			for slices.Contains(from, free) || slices.Contains(to, free) {
				free++
			}
			m.move(from[stuck], free)
			from[stuck] = free
		}
	}
}

// rotateC and addC make D of a set.
func (m *batch) rotateC(s *rowSet) (d [5]*value) {
	Commentf("Set %d: D[x] = C[x-1] + rotl(C[x+1], 1)", s.set)
	for x := range 5 {
		c := m.read(s.c[(x+1)%5])
		d[x] = m.value(1, nil)
		m.rotate(1, c, d[x].reg)
	}
	return d
}

func (m *batch) addC(s *rowSet, d *[5]*value) {
	for x := range 5 {
		c, r := m.read(s.c[(x+4)%5]), m.read(d[x])
		d[x] = m.value(5, nil)
		m.xor(m.v[c], r, d[x].reg)
	}
}

// addD makes B of a row, but for the rotations.
func (m *batch) addD(r *row, d [5]*value) {
	Commentf("Set %d, round %d of %d: B[x, %d] = rotl(A[x', y'] + D[x'], r[x', y'])", r.set, r.round, unroll, r.y)
	for x := range 5 {
		from := source(x, r.y)
		var lane Op = m.memory(r.set, from, r.round%2 == 1)
		if v := r.lanes[from]; v != nil {
			lane = m.v[m.read(v)]
		}
		c := m.read(d[from%5])
		r.made[x] = m.value(3, nil)
		m.xor(lane, c, r.made[x].reg)
	}
}

// chiRow makes the lanes of a row from B. Those of x = 4 and 3 can't take the place of anything yet; from then on no other needs B[x+2].
func (m *batch) chiRow(r *row, start []*rowSet) {
	Commentf("A[x, %d] = B[x, %d] + ^B[x+1, %d] · B[x+2, %d]", r.y, r.y, r.y, r.y)
	b := r.made
	for x := 4; x >= 0; x-- {
		const reads = 2 // for the sum, and a store or the next round
		if x >= 3 {
			var place *value
			if r.round == unroll-1 {
				place = start[r.set].lanes[x+5*r.y]
			}
			r.made[x] = m.value(reads, place)
			m.move(m.read(b[x]), r.made[x].reg)
			VPTERNLOGQ(Imm(0xd2), m.v[m.read(b[(x+2)%5])], m.v[m.read(b[(x+1)%5])], m.v[r.made[x].reg])
		} else {
			r.made[x] = m.replace(b[x+2], reads)
			VPTERNLOGQ(Imm(0x9c), m.v[m.read(b[x+1])], m.v[m.read(b[x])], m.v[r.made[x].reg])
		}
	}
	if r.y == 0 {
		m.iota(r.round, r.made[0].reg)
	}
}

// storeRow stores the lanes of a row that have no registers.
func (m *batch) storeRow(r *row) {
	if r == nil {
		return
	}
	for x := 4; x >= 0; x-- {
		if i := x + 5*r.y; slices.Contains(m.kept[r.set], i) {
			r.next[i] = r.made[x]
		} else {
			m.store(m.read(r.made[x]), m.memory(r.set, i, r.round%2 == 0))
		}
	}
	if r.i == 4 {
		r.lanes = r.next
	}
}

func (m *batch) finishRow(r *row, start []*rowSet) {
	m.storeRow(r)
	m.sumRow(r, start)
}

// sumRow adds a row to C.
func (m *batch) sumRow(r *row, start []*rowSet) {
	if r == nil {
		return
	}
	Commentf("Set %d: C[x] = the sum so far", r.set)
	for x := 4; x >= 0; x-- {
		lane, c, pending := r.made[x], r.c[x], r.pending[x]
		reads, place := 1, (*value)(nil)
		if r.i == 4 {
			reads = 2 // D
			if r.round == unroll-1 {
				place = start[r.set].c[x]
			}
		}
		switch {
		case r.i == 0:
			r.c[x] = lane
		case pending != nil:
			three := []*value{c, pending, lane}
			i := slices.IndexFunc(three, func(v *value) bool { return v.reads == 1 })
			r.c[x] = m.replace(three[i], reads)
			VPTERNLOGQ(Imm(0x96), m.v[m.read(three[(i+1)%3])], m.v[m.read(three[(i+2)%3])], m.v[r.c[x].reg])
			r.pending[x] = nil
		case slices.Contains(m.deferred[r.i], x):
			r.pending[x] = lane
		default:
			a, b := m.read(c), m.read(lane)
			r.c[x] = m.value(reads, place)
			m.xor(m.v[a], b, r.c[x].reg)
		}
	}
}
