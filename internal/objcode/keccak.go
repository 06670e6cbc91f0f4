package objcode

import "sync"

// round is a round of Keccak-f[1600] as FIPS 202, section 3.2, words it, on lanes (x, y) in a[x+5y].
func round(a [25]value, constant value) [25]value {
	a = chi(linear(a))
	a[0] = xor(a[0], constant)
	return a
}

// linear is θ, ρ and π.
func linear(a [25]value) (b [25]value) {
	var c, d [5]value
	for i := range a {
		c[i%5] = xor(c[i%5], a[i])
	}
	for x := range d {
		d[x] = xor(c[(x+4)%5], rotl(c[(x+1)%5], 1))
	}
	for i := range a {
		x, y := i%5, i/5
		b[y+5*((2*x+3*y)%5)] = rotl(xor(a[i], d[x]), offsets[i])
	}
	return b
}

func chi(b [25]value) (a [25]value) {
	for i := range a {
		row := i / 5 * 5
		a[i] = xor(b[i], and(not(b[row+(i+1)%5]), b[row+(i+2)%5]))
	}
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
	state int // of several that a kernel works on side by side
	round int // counted from the first permutation's first
	place int // x+5y
	stage stage
}

// A stage is a time in a round.
type stage int

const (
	atTheta     stage = iota
	atChi             // after θ, ρ and π
	beforeInput       // that precedes the round
	beforeMask        // that clears or keeps it, before all input
)

func (l lane) symbol() symbol {
	return symbol(1<<24 | l.state<<16 | l.round<<7 | l.place<<2 | int(l.stage))
}

func laneOf(s symbol) (l lane, ok bool) {
	return lane{int(s >> 16 & 0xFF), int(s >> 7 & 0x1FF), int(s >> 2 & 31), stage(s & 3)}, s>>24 == 1
}

// masks are the symbols of the words that say of each state whether it begins: the kernel has to take the bits of a mask from all lanes of
// the state before it adds the first block.
const masks symbol = 3 << 24

// A sponge is what a kernel has to do: permutations of each state. Before each a block of input is added, or after each a block of output
// is written, or neither if the rate is 0. Without blocks, the first lanes of each state are written and nothing else is done.
//
// Its symbols are the lanes in the two stages of each round. A lane to which a block adds a word has two: what it is before that, and the sum. The word is
// the sum of both. As the sum takes all values, so does the word, and it doesn't matter in which order a kernel adds words and
// lanes. Where there are masks, what memory has is another symbol, and the lane's is its product with the mask.
type sponge struct {
	blocks    int
	rate      int // in lanes
	absorbing bool
	sets      int  // of states, of kernels for many
	masked    bool // whether there are masks
}

// stored is what a kernel finds in memory.
func (s *sponge) stored(state, place int) value {
	if s.masked {
		return unknown(lane{state: state, place: place, stage: beforeMask}.symbol())
	}
	return s.after(state, 0, place)
}

// input is a word of a block of input.
func (s *sponge) input(state, block, word int) value {
	l := lane{state: state, round: rounds * block, place: word}
	sum := unknown(l.symbol())
	l.stage = beforeInput
	return xor(sum, unknown(l.symbol()))
}

// after is a lane after so many rounds, before the next block of input is added.
func (s *sponge) after(state, round, place int) value {
	l := lane{state: state, round: round, place: place}
	if s.absorbing && round%rounds == 0 && round < rounds*s.blocks && place < s.rate {
		l.stage = beforeInput
	}
	return unknown(l.symbol())
}

// An expression is the products that a value is the sum of, in the symbols of round 0 of state 0. It has as many as what gets a symbol of its own:
// 3 of a lane after χ, 11 of one before.
type expression [11]product

// expressionOf also returns which round of which state the value's symbols are of, and the constant that is added to the products.
func expressionOf(v value) (e expression, of lane, added value, ok bool) {
	terms := v.terms
	if len(terms) > 0 && terms[0].product == (product{}) {
		added, terms = constant(terms[0].mask), terms[1:]
	}
	if v.base != nil || len(terms) < 3 || len(terms) > len(e) {
		return e, of, added, false
	}
	l, ok := laneOf(terms[len(terms)-1].product[0].symbol())
	of = lane{state: l.state, round: l.round}
	less := atom(of.symbol()-lane{}.symbol()) << 6
	for i, t := range terms {
		if t.mask != ^uint64(0) {
			return e, of, added, false
		}
		for j, a := range t.product {
			if a != 0 {
				e[i][j] = a - less
			}
		}
	}
	return e, of, added, ok
}

// A rotatedLane is a lane of a state, rotated to the left.
type rotatedLane struct {
	lane
	rotation int
}

// definitions has the lanes before χ as expressions in those before θ, and the lanes after χ as expressions in those
// before it, without the round's constant, in every rotation.
var definitions = sync.OnceValue(func() map[expression]rotatedLane {
	m := map[expression]rotatedLane{}
	define := func(operation func([25]value) [25]value, from lane, to lane) {
		var a [25]value
		for i := range a {
			from.place = i
			a[i] = unknown(from.symbol())
		}
		for i, v := range operation(a) {
			to.place = i
			for k := range 64 {
				e, _, _, _ := expressionOf(rotl(v, k))
				m[e] = rotatedLane{to, k}
			}
		}
	}
	define(linear, lane{stage: atTheta}, lane{stage: atChi})
	define(chi, lane{stage: atChi}, lane{round: 1})
	return m
})

// recognise puts the symbol of a lane in the place of the lane's expression in those before: by the symbol's definition they are equal. The
// lane may be rotated, and a constant added. So expressions don't grow from step to step.
func (s *sponge) recognise(v value) value {
	v = s.recogniseMasked(v)
	e, of, added, ok := expressionOf(v)
	if !ok {
		return v
	}
	r, ok := definitions()[e]
	if !ok {
		return v
	}
	if r.stage == atChi {
		r.state, r.round = of.state, of.round
		return xor(rotl(unknown(r.symbol()), r.rotation), added)
	}
	if r.place == 0 {
		added = xor(added, rotl(constant(roundConstants[of.round%rounds]), r.rotation))
	}
	return xor(rotl(s.after(of.state, of.round+1, r.place), r.rotation), added)
}

// recogniseMasked does so with a lane's product with its mask, which may be one of several terms. It is the last one, as no symbols are above the masks.
func (s *sponge) recogniseMasked(v value) value {
	if len(v.terms) == 0 {
		return v
	}
	last := v.terms[len(v.terms)-1]
	l, ok := laneOf(last.product[1].symbol())
	if !ok || l.stage != beforeMask || last.product != multiply(product{atom(masks+symbol(l.state)) << 6}, product{atom(l.symbol()) << 6}) {
		return v
	}
	kept := s.after(l.state, 0, l.place).terms[0]
	kept.mask = last.mask
	return xor(v, value{terms: []term{kept, last}})
}
