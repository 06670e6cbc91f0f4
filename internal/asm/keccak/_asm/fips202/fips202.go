// Package fips202 derives the tables of Keccak-f[1600] from their definitions in FIPS 202, for the generators.
package fips202

// Rotations returns by how much ρ rotates lane (x, y), at x+5y: section 3.2.2, algorithm 2.
func Rotations() [25]int {
	var r [25]int
	x, y := 1, 0
	for t := range 24 {
		r[x+5*y] = (t + 1) * (t + 2) / 2 % 64
		x, y = y, (2*x+3*y)%5
	}
	return r
}

// RoundConstants returns what ι adds to lane (0, 0) in each round: section 3.2.5, algorithms 5 and 6.
func RoundConstants() [24]uint64 {
	var rc [24]uint64
	lfsr := uint(1) // rc(t) is the lowest bit after t steps
	for round := range rc {
		for j := range 7 {
			rc[round] |= uint64(lfsr&1) << (1<<j - 1)
			lfsr <<= 1
			if lfsr>>8 != 0 {
				lfsr ^= 0x171 // x^8 + x^6 + x^5 + x^4 + 1
			}
		}
	}
	return rc
}
