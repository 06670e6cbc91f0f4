package objcode

import (
	"encoding/binary"
	"sync"
)

// round is a round of Keccak-f[1600] as FIPS 202, section 3.2, words it, on lanes (x, y) in a[x+5y].
func round(a [25]value, constant value) [25]value {
	var c, d [5]value
	for i := range a {
		c[i%5] = xor(c[i%5], a[i])
	}
	for x := range d {
		d[x] = xor(c[(x+4)%5], rotl(c[(x+1)%5], 1))
	}
	var b [25]value
	for i := range a {
		x, y := i%5, i/5
		b[y+5*((2*x+3*y)%5)] = rotl(xor(a[i], d[x]), offsets[i])
	}
	for i := range a {
		row := i / 5 * 5
		a[i] = xor(b[i], and(not(b[row+(i+1)%5]), b[row+(i+2)%5]))
	}
	a[0] = xor(a[0], constant)
	return a
}

// offsets are those of ρ, by the walk of algorithm 2.
var offsets = func() (offsets [25]int) {
	x, y := 1, 0
	for t := range 24 {
		offsets[x+5*y] = (t + 1) * (t + 2) / 2 % 64
		x, y = y, (2*x+3*y)%5
	}
	return
}()

const rounds = 24

// roundConstants are those of ι, by algorithms 5 and 6: the shift register's bits in places 2^j-1.
var roundConstants = func() (constants [rounds]uint64) {
	register := uint(1)
	for r := range constants {
		for j := range 7 {
			constants[r] |= uint64(register&1) << (1<<j - 1)
			register <<= 1
			if register>>8 == 1 {
				register ^= 0x171 // x⁸ + x⁶ + x⁵ + x⁴ + 1
			}
		}
	}
	return
}()

// A lane is a place in a state at some time. Its symbol, all that is known of it, has these numbers in it.
type lane struct {
	state  int  // of several that a kernel works on side by side
	round  int  // before this round, counted from the first permutation's first
	place  int  // x+5y
	before bool // before the input that precedes the round is added
}

func (l lane) symbol() symbol {
	s := 1<<24 | l.state<<16 | l.round<<6 | l.place<<1
	if l.before {
		s |= 1
	}
	return symbol(s)
}

func laneOf(s symbol) (l lane, ok bool) {
	return lane{int(s >> 16 & 0xFF), int(s >> 6 & 0x3FF), int(s >> 1 & 31), s&1 == 1}, s>>24 == 1
}

// A sponge is what a kernel has to do: permutations of a state. Before each a block of input is added, or after each a block of output
// is written, or neither if the rate is 0.
//
// Its symbols are the lanes before each round. A lane to which a block adds a word has two: what it is before that, and the sum. The word is
// the sum of both. As the sum takes all values, so does the word, and it doesn't matter in which order a kernel adds words and
// lanes.
type sponge struct {
	blocks    int
	rate      int // in lanes
	absorbing bool
}

// input is a word of a block of input.
func (s *sponge) input(state, block, word int) value {
	l := lane{state: state, round: rounds * block, place: word}
	sum := unknown(l.symbol())
	l.before = true
	return xor(sum, unknown(l.symbol()))
}

// after is a lane after so many rounds, before the next block of input is added.
func (s *sponge) after(state, round, place int) value {
	before := s.absorbing && round%rounds == 0 && round < rounds*s.blocks && place < s.rate
	return unknown(lane{state, round, place, before}.symbol())
}

// A rotatedLane is a lane of the state, rotated to the left.
type rotatedLane struct {
	place, rotation int
}

// afterRound has the lanes after a round without its constant, in every rotation, as expressions in the lanes before round 0 of state
// 0, by their terms.
var afterRound = sync.OnceValue(func() map[string]rotatedLane {
	var a [25]value
	for i := range a {
		a[i] = unknown(lane{place: i}.symbol())
	}
	m := map[string]rotatedLane{}
	for i, v := range round(a, value{}) {
		for k := range 64 {
			m[terms(rotl(v, k), 0)] = rotatedLane{i, k}
		}
	}
	return m
})

// terms writes down all terms but the constant, less subtracted from each symbol.
func terms(v value, less symbol) string {
	b := make([]byte, 0, 16*len(v.terms))
	for _, t := range v.terms {
		if t.product == (product{}) {
			continue
		}
		for _, a := range t.product {
			if a != 0 {
				a -= atom(less) << 6
			}
			b = binary.LittleEndian.AppendUint32(b, uint32(a))
		}
		b = binary.LittleEndian.AppendUint64(b, t.mask)
	}
	return string(b)
}

// recognise puts the symbol of a lane after a round in the place of the lane's expression in the lanes before: by the symbol's definition they
// are equal. The lane may be rotated, and a constant added. So expressions don't grow from round to round.
func (s *sponge) recognise(v value) value {
	const fewest = 100 // a lane after a round has more terms
	if v.base != nil || len(v.terms) < fewest {
		return v
	}
	l, ok := laneOf(v.terms[len(v.terms)-1].product[0].symbol())
	if !ok {
		return v
	}
	first := lane{state: l.state, round: l.round}
	r, ok := afterRound()[terms(v, first.symbol()-lane{}.symbol())]
	if !ok {
		return v
	}
	var added value
	if t := v.terms[0]; t.product == (product{}) {
		added = constant(t.mask)
	}
	if r.place == 0 {
		added = xor(added, rotl(constant(roundConstants[l.round%rounds]), r.rotation))
	}
	return xor(rotl(s.after(l.state, l.round+1, r.place), r.rotation), added)
}
