// Package fips202 derives the tables of Keccak-f[1600] from their definitions, so that no generator
// has them typed in, and has the permutation as FIPS 202, section 3, words it, to check kernels against.
//
// Lane (x, y) of a state is a[x+5y].
package fips202

import "math/bits"

// Rounds is the number of rounds of Keccak-f[1600].
const Rounds = 24

// Offsets returns ρ's rotation to the left for each lane, in [x][y]: section 3.2.2.
func Offsets() (r [5][5]int) {
	x, y := 1, 0
	for t := range 24 {
		r[x][y] = (t + 1) * (t + 2) / 2 % 64
		x, y = y, (2*x+3*y)%5
	}
	return r
}

// Constants returns what ι adds to lane (0, 0) in each round: section 3.2.5. Bit 2^j-1 of a round's constant
// is the output of a shift register whose feedback is x^8 + x^6 + x^5 + x^4 + 1.
func Constants() (c [Rounds]uint64) {
	register := 1
	for round := range c {
		for j := range 7 {
			c[round] |= uint64(register&1) << (1<<j - 1)
			register <<= 1
			if register>>8 == 1 {
				register ^= 0x171
			}
		}
	}
	return c
}

// Pi returns where π takes lane (x, y): section 3.2.3.
func Pi(x, y int) (x2, y2 int) { return y, (2*x + 3*y) % 5 }

// Permute applies Keccak-f[1600], one step mapping after the other.
func Permute(a *[25]uint64) {
	offsets, constants := Offsets(), Constants()
	for round := range Rounds {
		// θ
		var c [5]uint64
		for i := range a {
			c[i%5] ^= a[i]
		}
		for i := range a {
			a[i] ^= c[(i+4)%5] ^ bits.RotateLeft64(c[(i+1)%5], 1)
		}
		// ρ and π
		var b [25]uint64
		for i := range a {
			x, y := Pi(i%5, i/5)
			b[x+5*y] = bits.RotateLeft64(a[i], offsets[i%5][i/5])
		}
		// χ
		for i := range a {
			row := i / 5 * 5
			a[i] = b[i] ^ ^b[row+(i+1)%5]&b[row+(i+2)%5]
		}
		// ι
		a[0] ^= constants[round]
	}
}
