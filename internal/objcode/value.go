// Package objcode proves kernels right from their machine code.
//
// It takes functions from a program as it was linked, runs them instruction by instruction on symbols in place of numbers, and compares
// the expressions that are left in memory with a definition. An instruction without a model here ends the run, and so does
// what a kernel must not do: a branch or an address that depends on data, an access outside of what it was given, a
// register not restored.
//
// The proof is for all inputs of so many bytes. It takes for granted that instructions do what their models here say, which a
// test tries on numbers, that the memory of different arguments doesn't overlap, and that this package is right, which other tests
// try by planting faults.
package objcode

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
)

// A symbol stands for 64 unknown bits.
type symbol uint32

// An atom is a symbol rotated to the left: the rotation is in the six low bits. There is no atom 0.
type atom uint32

func (a atom) symbol() symbol { return symbol(a >> 6) }

func (a atom) rotl(k int) atom { return a&^63 | (a+atom(k))&63 }

// A product is that of up to two atoms, bit by bit: the larger one first, 0 for one that isn't there. The product of none is 1.
// χ is of degree 2, and whoever goes beyond has left Keccak.
type product [2]atom

func (p product) compare(q product) int {
	return cmp.Or(cmp.Compare(p[0], q[0]), cmp.Compare(p[1], q[1]))
}

// A term is a product in the bits that the mask has.
type term struct {
	product product
	mask    uint64
}

// A value is what a register, a lane of a vector register or a word of memory holds: 64 polynomials over GF(2), one for
// each bit, in algebraic normal form, written as a sum of terms. A bit has one such form only, so two values are equal for
// all inputs exactly if their terms are. The terms have different products, sorted, and no mask is zero.
//
// A value with a base is an address: so many bytes, known, from the start of that region.
type value struct {
	terms []term
	base  *region
}

// A fault is why a run can't go on. It is thrown by panic, and caught in run.
type fault string

func fail(format string, args ...any) { panic(fault(fmt.Sprintf(format, args...))) }

// constant is the value whose bits are known.
func constant(n uint64) value {
	if n == 0 {
		return value{}
	}
	return value{terms: []term{{mask: n}}}
}

// unknown is the value of a symbol.
func unknown(s symbol) value { return value{terms: []term{{product{atom(s) << 6}, ^uint64(0)}}} }

// number returns the bits of a value that is known, and is no address.
func (v value) number() (n uint64, ok bool) {
	switch {
	case v.base != nil:
		return 0, false
	case len(v.terms) == 0:
		return 0, true
	case len(v.terms) == 1 && v.terms[0].product == product{}:
		return v.terms[0].mask, true
	}
	return 0, false
}

// offset returns the distance of an address from the start of its region.
func (v value) offset() int64 {
	n, _ := value{terms: v.terms}.number()
	return int64(n)
}

func (v value) equal(w value) bool { return v.base == w.base && slices.Equal(v.terms, w.terms) }

// lane returns v, which takes part in Keccak: an address doesn't.
func (v value) lane() value {
	if v.base != nil {
		fail("an address in %s takes part in a computation of lanes", v.base.name)
	}
	return v
}

// maxTerms is more than any step of Keccak needs: a lane before χ is the sum of 11 before θ.
const maxTerms = 32

// sum adds terms, of which some may have the same product.
func sum(terms []term) value {
	slices.SortFunc(terms, func(s, t term) int { return s.product.compare(t.product) })
	n := 0
	for _, t := range terms {
		if n > 0 && terms[n-1].product == t.product {
			terms[n-1].mask ^= t.mask
		} else {
			terms[n] = t
			n++
		}
		if terms[n-1].mask == 0 {
			n--
		}
	}
	return bounded(terms[:n])
}

func bounded(terms []term) value {
	if len(terms) > maxTerms {
		fail("an expression of %d terms: this isn't Keccak", len(terms))
	}
	return value{terms: terms}
}

func xor(v, w value) value {
	a, b := v.lane().terms, w.lane().terms
	terms := make([]term, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch c := a[0].product.compare(b[0].product); {
		case c < 0:
			terms, a = append(terms, a[0]), a[1:]
		case c > 0:
			terms, b = append(terms, b[0]), b[1:]
		default:
			if mask := a[0].mask ^ b[0].mask; mask != 0 {
				terms = append(terms, term{a[0].product, mask})
			}
			a, b = a[1:], b[1:]
		}
	}
	return bounded(append(append(terms, a...), b...))
}

func not(v value) value { return xor(v, constant(^uint64(0))) }

func or(v, w value) value { return xor(xor(v, w), and(v, w)) }

func and(v, w value) value {
	var terms []term
	for _, s := range v.lane().terms {
		for _, t := range w.lane().terms {
			if mask := s.mask & t.mask; mask != 0 {
				terms = append(terms, term{multiply(s.product, t.product), mask})
			}
		}
	}
	return sum(terms)
}

func multiply(p, q product) product {
	for _, a := range q {
		switch {
		case a == 0 || a == p[0] || a == p[1]:
		case p[1] != 0:
			fail("a product of three lanes: this isn't Keccak")
		case a > p[0]:
			p = product{a, p[0]}
		default:
			p[1] = a
		}
	}
	return p
}

func rotl(v value, k int) value {
	terms := slices.Clone(v.lane().terms)
	for i := range terms {
		t := &terms[i]
		t.mask = bits.RotateLeft64(t.mask, k)
		for j, a := range t.product {
			if a != 0 {
				t.product[j] = a.rotl(k)
			}
		}
		if t.product[0] < t.product[1] {
			t.product[0], t.product[1] = t.product[1], t.product[0]
		}
	}
	return sum(terms)
}

// shl and shr shift to the left and to the right, with zeros from the other side.
func shl(v value, k int) value { return and(rotl(v, k), constant(^uint64(0)<<k)) }

func shr(v value, k int) value { return and(rotl(v, -k), constant(^uint64(0)>>k)) }

// add adds numbers, or a number to an address.
func add(v, w value) value {
	if v.base == nil {
		v, w = w, v
	}
	base := v.base
	v.base = nil
	m, ok1 := v.number()
	n, ok2 := w.number()
	if !ok1 || !ok2 {
		fail("a sum of numbers depends on data")
	}
	v = constant(m + n)
	v.base = base
	return v
}

// negate returns -v of a number.
func negate(v value) value {
	n, ok := v.number()
	if !ok {
		fail("a difference depends on data or on where memory lies")
	}
	return constant(-n)
}

// subtract subtracts numbers, a number from an address, or two addresses in the same region.
func subtract(v, w value) value {
	if v.base != nil && v.base == w.base {
		v.base, w.base = nil, nil
	}
	return add(v, negate(w))
}
