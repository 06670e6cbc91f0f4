package keccak

import (
	"encoding/binary"
	"math/bits"
)

// roundConstants are the constants that ι adds to lane (0, 0), FIPS 202, section 3.2.5.
var roundConstants = [24]uint64{
	0x0000000000000001, 0x0000000000008082, 0x800000000000808A, 0x8000000080008000,
	0x000000000000808B, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
	0x000000000000008A, 0x0000000000000088, 0x0000000080008009, 0x000000008000000A,
	0x000000008000808B, 0x800000000000008B, 0x8000000000008089, 0x8000000000008003,
	0x8000000000008002, 0x8000000000000080, 0x000000000000800A, 0x800000008000000A,
	0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
}

func absorbGeneric(a *[25]uint64, rate int, p []byte) {
	for len(p) > 0 {
		for i := range rate / 8 {
			a[i] ^= binary.LittleEndian.Uint64(p[8*i:])
		}
		permuteGeneric(a)
		p = p[rate:]
	}
}

func squeezeGeneric(a *[25]uint64, rate int, out []byte) {
	for len(out) > 0 {
		permuteGeneric(a)
		store(out[:rate], a)
		out = out[rate:]
	}
}

// store writes the first len(out)/8 lanes to out.
func store(out []byte, a *[25]uint64) {
	for i := range len(out) / 8 {
		binary.LittleEndian.PutUint64(out[8*i:], a[i])
	}
}

// permuteGeneric is Keccak-f[1600], FIPS 202, section 3.3, with lane (x, y) in a[x+5y].
//
// A round computes, for each row y' of the new state,
//
//	b[x'] = rotl(a[x, y] ^ d[x], r[x, y])   where x' = y and y' = 2x + 3y   (θ, ρ, π)
//	new[x', y'] = b[x'] ^ (^b[x'+1] & b[x'+2])                              (χ)
//
// with indices modulo 5. The five lanes that go into one new row come from five columns, and
// no other row needs them, so the row can take their place: each new lane goes where the old
// lane of its column was. That needs no second state and keeps every column's lanes in places
// that are x modulo 5, but it moves the rows; after four rounds all are back in theirs. Hence four
// rounds for each turn of the loop, in which only the places differ.
func permuteGeneric(a *[25]uint64) {
	for round := 0; round < 24; round += 4 {
		c0 := a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20]
		c1 := a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21]
		c2 := a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22]
		c3 := a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23]
		c4 := a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24]
		d0 := c4 ^ bits.RotateLeft64(c1, 1)
		d1 := c0 ^ bits.RotateLeft64(c2, 1)
		d2 := c1 ^ bits.RotateLeft64(c3, 1)
		d3 := c2 ^ bits.RotateLeft64(c4, 1)
		d4 := c3 ^ bits.RotateLeft64(c0, 1)
		b0 := a[0] ^ d0
		b1 := bits.RotateLeft64(a[6]^d1, 44)
		b2 := bits.RotateLeft64(a[12]^d2, 43)
		b3 := bits.RotateLeft64(a[18]^d3, 21)
		b4 := bits.RotateLeft64(a[24]^d4, 14)
		a[0] = b0 ^ (b2 &^ b1) ^ roundConstants[round]
		a[6] = b1 ^ (b3 &^ b2)
		a[12] = b2 ^ (b4 &^ b3)
		a[18] = b3 ^ (b0 &^ b4)
		a[24] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[3]^d3, 28)
		b1 = bits.RotateLeft64(a[9]^d4, 20)
		b2 = bits.RotateLeft64(a[10]^d0, 3)
		b3 = bits.RotateLeft64(a[16]^d1, 45)
		b4 = bits.RotateLeft64(a[22]^d2, 61)
		a[10] = b0 ^ (b2 &^ b1)
		a[16] = b1 ^ (b3 &^ b2)
		a[22] = b2 ^ (b4 &^ b3)
		a[3] = b3 ^ (b0 &^ b4)
		a[9] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[1]^d1, 1)
		b1 = bits.RotateLeft64(a[7]^d2, 6)
		b2 = bits.RotateLeft64(a[13]^d3, 25)
		b3 = bits.RotateLeft64(a[19]^d4, 8)
		b4 = bits.RotateLeft64(a[20]^d0, 18)
		a[20] = b0 ^ (b2 &^ b1)
		a[1] = b1 ^ (b3 &^ b2)
		a[7] = b2 ^ (b4 &^ b3)
		a[13] = b3 ^ (b0 &^ b4)
		a[19] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[4]^d4, 27)
		b1 = bits.RotateLeft64(a[5]^d0, 36)
		b2 = bits.RotateLeft64(a[11]^d1, 10)
		b3 = bits.RotateLeft64(a[17]^d2, 15)
		b4 = bits.RotateLeft64(a[23]^d3, 56)
		a[5] = b0 ^ (b2 &^ b1)
		a[11] = b1 ^ (b3 &^ b2)
		a[17] = b2 ^ (b4 &^ b3)
		a[23] = b3 ^ (b0 &^ b4)
		a[4] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[2]^d2, 62)
		b1 = bits.RotateLeft64(a[8]^d3, 55)
		b2 = bits.RotateLeft64(a[14]^d4, 39)
		b3 = bits.RotateLeft64(a[15]^d0, 41)
		b4 = bits.RotateLeft64(a[21]^d1, 2)
		a[15] = b0 ^ (b2 &^ b1)
		a[21] = b1 ^ (b3 &^ b2)
		a[2] = b2 ^ (b4 &^ b3)
		a[8] = b3 ^ (b0 &^ b4)
		a[14] = b4 ^ (b1 &^ b0)

		c0 = a[0] ^ a[10] ^ a[20] ^ a[5] ^ a[15]
		c1 = a[6] ^ a[16] ^ a[1] ^ a[11] ^ a[21]
		c2 = a[12] ^ a[22] ^ a[7] ^ a[17] ^ a[2]
		c3 = a[18] ^ a[3] ^ a[13] ^ a[23] ^ a[8]
		c4 = a[24] ^ a[9] ^ a[19] ^ a[4] ^ a[14]
		d0 = c4 ^ bits.RotateLeft64(c1, 1)
		d1 = c0 ^ bits.RotateLeft64(c2, 1)
		d2 = c1 ^ bits.RotateLeft64(c3, 1)
		d3 = c2 ^ bits.RotateLeft64(c4, 1)
		d4 = c3 ^ bits.RotateLeft64(c0, 1)
		b0 = a[0] ^ d0
		b1 = bits.RotateLeft64(a[16]^d1, 44)
		b2 = bits.RotateLeft64(a[7]^d2, 43)
		b3 = bits.RotateLeft64(a[23]^d3, 21)
		b4 = bits.RotateLeft64(a[14]^d4, 14)
		a[0] = b0 ^ (b2 &^ b1) ^ roundConstants[round+1]
		a[16] = b1 ^ (b3 &^ b2)
		a[7] = b2 ^ (b4 &^ b3)
		a[23] = b3 ^ (b0 &^ b4)
		a[14] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[18]^d3, 28)
		b1 = bits.RotateLeft64(a[9]^d4, 20)
		b2 = bits.RotateLeft64(a[20]^d0, 3)
		b3 = bits.RotateLeft64(a[11]^d1, 45)
		b4 = bits.RotateLeft64(a[2]^d2, 61)
		a[20] = b0 ^ (b2 &^ b1)
		a[11] = b1 ^ (b3 &^ b2)
		a[2] = b2 ^ (b4 &^ b3)
		a[18] = b3 ^ (b0 &^ b4)
		a[9] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[6]^d1, 1)
		b1 = bits.RotateLeft64(a[22]^d2, 6)
		b2 = bits.RotateLeft64(a[13]^d3, 25)
		b3 = bits.RotateLeft64(a[4]^d4, 8)
		b4 = bits.RotateLeft64(a[15]^d0, 18)
		a[15] = b0 ^ (b2 &^ b1)
		a[6] = b1 ^ (b3 &^ b2)
		a[22] = b2 ^ (b4 &^ b3)
		a[13] = b3 ^ (b0 &^ b4)
		a[4] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[24]^d4, 27)
		b1 = bits.RotateLeft64(a[10]^d0, 36)
		b2 = bits.RotateLeft64(a[1]^d1, 10)
		b3 = bits.RotateLeft64(a[17]^d2, 15)
		b4 = bits.RotateLeft64(a[8]^d3, 56)
		a[10] = b0 ^ (b2 &^ b1)
		a[1] = b1 ^ (b3 &^ b2)
		a[17] = b2 ^ (b4 &^ b3)
		a[8] = b3 ^ (b0 &^ b4)
		a[24] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[12]^d2, 62)
		b1 = bits.RotateLeft64(a[3]^d3, 55)
		b2 = bits.RotateLeft64(a[19]^d4, 39)
		b3 = bits.RotateLeft64(a[5]^d0, 41)
		b4 = bits.RotateLeft64(a[21]^d1, 2)
		a[5] = b0 ^ (b2 &^ b1)
		a[21] = b1 ^ (b3 &^ b2)
		a[12] = b2 ^ (b4 &^ b3)
		a[3] = b3 ^ (b0 &^ b4)
		a[19] = b4 ^ (b1 &^ b0)

		c0 = a[0] ^ a[20] ^ a[15] ^ a[10] ^ a[5]
		c1 = a[16] ^ a[11] ^ a[6] ^ a[1] ^ a[21]
		c2 = a[7] ^ a[2] ^ a[22] ^ a[17] ^ a[12]
		c3 = a[23] ^ a[18] ^ a[13] ^ a[8] ^ a[3]
		c4 = a[14] ^ a[9] ^ a[4] ^ a[24] ^ a[19]
		d0 = c4 ^ bits.RotateLeft64(c1, 1)
		d1 = c0 ^ bits.RotateLeft64(c2, 1)
		d2 = c1 ^ bits.RotateLeft64(c3, 1)
		d3 = c2 ^ bits.RotateLeft64(c4, 1)
		d4 = c3 ^ bits.RotateLeft64(c0, 1)
		b0 = a[0] ^ d0
		b1 = bits.RotateLeft64(a[11]^d1, 44)
		b2 = bits.RotateLeft64(a[22]^d2, 43)
		b3 = bits.RotateLeft64(a[8]^d3, 21)
		b4 = bits.RotateLeft64(a[19]^d4, 14)
		a[0] = b0 ^ (b2 &^ b1) ^ roundConstants[round+2]
		a[11] = b1 ^ (b3 &^ b2)
		a[22] = b2 ^ (b4 &^ b3)
		a[8] = b3 ^ (b0 &^ b4)
		a[19] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[23]^d3, 28)
		b1 = bits.RotateLeft64(a[9]^d4, 20)
		b2 = bits.RotateLeft64(a[15]^d0, 3)
		b3 = bits.RotateLeft64(a[1]^d1, 45)
		b4 = bits.RotateLeft64(a[12]^d2, 61)
		a[15] = b0 ^ (b2 &^ b1)
		a[1] = b1 ^ (b3 &^ b2)
		a[12] = b2 ^ (b4 &^ b3)
		a[23] = b3 ^ (b0 &^ b4)
		a[9] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[16]^d1, 1)
		b1 = bits.RotateLeft64(a[2]^d2, 6)
		b2 = bits.RotateLeft64(a[13]^d3, 25)
		b3 = bits.RotateLeft64(a[24]^d4, 8)
		b4 = bits.RotateLeft64(a[5]^d0, 18)
		a[5] = b0 ^ (b2 &^ b1)
		a[16] = b1 ^ (b3 &^ b2)
		a[2] = b2 ^ (b4 &^ b3)
		a[13] = b3 ^ (b0 &^ b4)
		a[24] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[14]^d4, 27)
		b1 = bits.RotateLeft64(a[20]^d0, 36)
		b2 = bits.RotateLeft64(a[6]^d1, 10)
		b3 = bits.RotateLeft64(a[17]^d2, 15)
		b4 = bits.RotateLeft64(a[3]^d3, 56)
		a[20] = b0 ^ (b2 &^ b1)
		a[6] = b1 ^ (b3 &^ b2)
		a[17] = b2 ^ (b4 &^ b3)
		a[3] = b3 ^ (b0 &^ b4)
		a[14] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[7]^d2, 62)
		b1 = bits.RotateLeft64(a[18]^d3, 55)
		b2 = bits.RotateLeft64(a[4]^d4, 39)
		b3 = bits.RotateLeft64(a[10]^d0, 41)
		b4 = bits.RotateLeft64(a[21]^d1, 2)
		a[10] = b0 ^ (b2 &^ b1)
		a[21] = b1 ^ (b3 &^ b2)
		a[7] = b2 ^ (b4 &^ b3)
		a[18] = b3 ^ (b0 &^ b4)
		a[4] = b4 ^ (b1 &^ b0)

		c0 = a[0] ^ a[15] ^ a[5] ^ a[20] ^ a[10]
		c1 = a[11] ^ a[1] ^ a[16] ^ a[6] ^ a[21]
		c2 = a[22] ^ a[12] ^ a[2] ^ a[17] ^ a[7]
		c3 = a[8] ^ a[23] ^ a[13] ^ a[3] ^ a[18]
		c4 = a[19] ^ a[9] ^ a[24] ^ a[14] ^ a[4]
		d0 = c4 ^ bits.RotateLeft64(c1, 1)
		d1 = c0 ^ bits.RotateLeft64(c2, 1)
		d2 = c1 ^ bits.RotateLeft64(c3, 1)
		d3 = c2 ^ bits.RotateLeft64(c4, 1)
		d4 = c3 ^ bits.RotateLeft64(c0, 1)
		b0 = a[0] ^ d0
		b1 = bits.RotateLeft64(a[1]^d1, 44)
		b2 = bits.RotateLeft64(a[2]^d2, 43)
		b3 = bits.RotateLeft64(a[3]^d3, 21)
		b4 = bits.RotateLeft64(a[4]^d4, 14)
		a[0] = b0 ^ (b2 &^ b1) ^ roundConstants[round+3]
		a[1] = b1 ^ (b3 &^ b2)
		a[2] = b2 ^ (b4 &^ b3)
		a[3] = b3 ^ (b0 &^ b4)
		a[4] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[8]^d3, 28)
		b1 = bits.RotateLeft64(a[9]^d4, 20)
		b2 = bits.RotateLeft64(a[5]^d0, 3)
		b3 = bits.RotateLeft64(a[6]^d1, 45)
		b4 = bits.RotateLeft64(a[7]^d2, 61)
		a[5] = b0 ^ (b2 &^ b1)
		a[6] = b1 ^ (b3 &^ b2)
		a[7] = b2 ^ (b4 &^ b3)
		a[8] = b3 ^ (b0 &^ b4)
		a[9] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[11]^d1, 1)
		b1 = bits.RotateLeft64(a[12]^d2, 6)
		b2 = bits.RotateLeft64(a[13]^d3, 25)
		b3 = bits.RotateLeft64(a[14]^d4, 8)
		b4 = bits.RotateLeft64(a[10]^d0, 18)
		a[10] = b0 ^ (b2 &^ b1)
		a[11] = b1 ^ (b3 &^ b2)
		a[12] = b2 ^ (b4 &^ b3)
		a[13] = b3 ^ (b0 &^ b4)
		a[14] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[19]^d4, 27)
		b1 = bits.RotateLeft64(a[15]^d0, 36)
		b2 = bits.RotateLeft64(a[16]^d1, 10)
		b3 = bits.RotateLeft64(a[17]^d2, 15)
		b4 = bits.RotateLeft64(a[18]^d3, 56)
		a[15] = b0 ^ (b2 &^ b1)
		a[16] = b1 ^ (b3 &^ b2)
		a[17] = b2 ^ (b4 &^ b3)
		a[18] = b3 ^ (b0 &^ b4)
		a[19] = b4 ^ (b1 &^ b0)
		b0 = bits.RotateLeft64(a[22]^d2, 62)
		b1 = bits.RotateLeft64(a[23]^d3, 55)
		b2 = bits.RotateLeft64(a[24]^d4, 39)
		b3 = bits.RotateLeft64(a[20]^d0, 41)
		b4 = bits.RotateLeft64(a[21]^d1, 2)
		a[20] = b0 ^ (b2 &^ b1)
		a[21] = b1 ^ (b3 &^ b2)
		a[22] = b2 ^ (b4 &^ b3)
		a[23] = b3 ^ (b0 &^ b4)
		a[24] = b4 ^ (b1 &^ b0)
	}
}
