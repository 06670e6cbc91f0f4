//go:build !purego

package aesgcm

import (
	"bytes"
	"crypto/aes"
	"encoding/binary"
	"fmt"
	"slices"
	"testing"

	"percore/internal/cryptotest"
)

// mostBlocks is more than the blocks of a text of 2048 bytes, its additional data and the lengths.
const mostBlocks = 200

// step is by how much a loop over all lengths advances: by a prime, to meet every residue.
func step() int {
	if testing.Short() || cryptotest.Race {
		return 7
	}
	return 1
}

// Each block of additional data and of ciphertext goes into the tag once, with the power of H that its place says. GHASH is
// linear, so that of two messages of the same lengths the difference of the tags is the sum of all differences of blocks, each
// times H to the number of blocks from there to the end, that of the lengths among them. Here one block differs at a time.
//
// It is tried on what Seal writes and on what Open reads, which the kernels hash in different places.
func TestStructure(t *testing.T) {
	eachKernel(t, func(t *testing.T, kernel Kernel) {
		key := random(16)
		h := hashKey(key)
		var k Key
		k.Init(kernel, key)
		powers := [mostBlocks]element{{hi: 1 << 63}}
		for i := 1; i < len(powers); i++ {
			powers[i] = powers[i-1].times(h)
		}
		var out [2048]byte
		nonce := random(12)
		tag := func(seal bool, src, aad []byte) element {
			m := message{seal: seal}
			k.crypt(&m, out[:len(src)], nonce, src, aad)
			b := m.hash
			return toElement(b[:])
		}
		check := func(n, a int, seal bool) {
			text, aad := random(n), random(a)
			before := tag(seal, text, aad)
			blocks, aadBlocks := (n+15)/16, (a+15)/16
			for i := range aadBlocks + blocks {
				p, at := aad, 16*i
				if i >= aadBlocks {
					p, at = text, 16*(i-aadBlocks)
				}
				p = p[at:min(at+16, len(p))]
				var change [16]byte
				copy(change[:], random(1000 + i)[:len(p)])
				change[0] |= 1
				for j := range p {
					p[j] ^= change[j]
				}
				difference := tag(seal, text, aad).add(before)
				for j := range p {
					p[j] ^= change[j]
				}
				if want := toElement(change[:]).times(powers[aadBlocks+blocks-i+1]); difference != want {
					t.Fatalf("seal %v, %d bytes of text, %d of additional data: block %d of %d hashed, change %x: the tag differs by %x, want %x",
						seal, n, a, i, aadBlocks+blocks, change, difference, want)
				}
			}
		}
		for _, seal := range []bool{false, true} {
			for n := 0; n <= 2048; n += step() {
				check(n, n%3*13, seal)
			}
			for _, vector := range []int{16, 32, 64, 128, 256, 512} {
				for a := vector - 17; a <= vector+17; a++ {
					for _, n := range []int{0, 1, 16, 100, 600} {
						check(n, max(a, 0), seal)
					}
				}
			}
		}
	})
}

// Every bit of every block, with all that a kernel has for a text of several chunks and its end.
func TestStructureOfBits(t *testing.T) {
	eachKernel(t, func(t *testing.T, kernel Kernel) {
		key, nonce := random(32), random(12)
		h := hashKey(key)
		var k Key
		k.Init(kernel, key)
		for _, n := range []int{16, 250, 1350, 2048, 5500, 6144} {
			text, out := random(n), make([]byte, n)
			tag := func() element {
				var m message
				k.crypt(&m, out, nonce, text, nil)
				return toElement(m.hash[:])
			}
			before := tag()
			power := h.times(h)
			for i := (n+15)/16 - 1; i >= 0; i-- {
				want := power
				for bit := range 8 * min(16, n-16*i) {
					text[16*i+bit/8] ^= 0x80 >> (bit % 8)
					if difference := tag().add(before); difference != want {
						t.Fatalf("%d bytes: bit %d of block %d: the tag differs by %x, want %x", n, bit, i, difference, want)
					}
					text[16*i+bit/8] ^= 0x80 >> (bit % 8)
					want = want.timesX()
				}
				power = power.times(h)
			}
		}
	})
}

// The blocks that the text is added to are the encryptions of J0 + 1, J0 + 2 and so on, modulo 2^32 in the last word, without a
// gap or a repetition. They are what zeros seal and open to, and decrypting them gives the counters. The mask of the tag is
// the encryption of J0.
func TestCounters(t *testing.T) {
	most := 2*pieceSize + 1200
	zeros, out := make([]byte, most), make([]byte, most)
	eachKernel(t, func(t *testing.T, kernel Kernel) {
		for _, keySize := range []int{16, 24, 32} {
			key := random(keySize)
			block, err := aes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			h := hashKey(key)
			inverse := h.inverse()
			var k Key
			k.Init(kernel, key)
			check := func(name string, nonce []byte, n int, seal bool) {
				j0 := append(bytes.Clone(nonce), 0, 0, 0, 1)
				if len(nonce) != 12 {
					var lengths [16]byte
					binary.BigEndian.PutUint64(lengths[8:], 8*uint64(len(nonce)))
					b := ghash(h, ghash(h, element{}, nonce), lengths[:]).reversed()
					slices.Reverse(b[:])
					j0 = b[:]
				}
				m := message{seal: seal}
				k.crypt(&m, out[:n], nonce, zeros[:n], nil)
				var got [16]byte
				for i := 0; i+16 <= n; i += 16 {
					block.Decrypt(got[:], out[i:])
					counter := binary.BigEndian.Uint32(j0[12:]) + 1 + uint32(i/16)
					if !bytes.Equal(got[:12], j0[:12]) || binary.BigEndian.Uint32(got[12:]) != counter {
						t.Fatalf("seal %v, %s, %d bytes: block %d is the encryption of %x, want %x %08x", seal, name, n, i/16, got, j0[:12], counter)
					}
				}
				if n%16 > 0 { // the end of a block has no inverse, so it is compared
					at := n &^ 15
					last := bytes.Clone(j0)
					binary.BigEndian.PutUint32(last[12:], binary.BigEndian.Uint32(j0[12:])+1+uint32(at/16))
					block.Encrypt(last, last)
					if !bytes.Equal(last[:n-at], out[at:n]) {
						t.Fatalf("seal %v, %s, %d bytes: the last %d are wrong", seal, name, n, n-at)
					}
				}
				if n == 0 { // the tag is the mask alone: all that is hashed are lengths of 0
					block.Decrypt(got[:], m.hash[:])
					if !bytes.Equal(got[:], j0) {
						t.Fatalf("seal %v, %s: the tag is masked with the encryption of %x, want %x", seal, name, got, j0)
					}
				}
			}
			for _, seal := range []bool{true, false} {
				for n := 0; n <= 2048; n += step() {
					check("12 bytes of nonce", random(12), n, seal)
					size := 1 + n%70
					check(fmt.Sprintf("%d bytes of nonce", size), random(size), n, seal)
					counter := counters[n%len(counters)] - uint32(n/16%140)
					check(fmt.Sprintf("counter from %#x on", counter), nonceFor(inverse, counter), n, seal)
				}
				for _, n := range []int{pieceSize - 1, pieceSize, pieceSize + 1, pieceSize + 600, 2*pieceSize - 255, 2 * pieceSize, most} {
					check("12 bytes of nonce", random(12), n, seal)
					for _, counter := range []uint32{0, 0xffff_ffff, 1<<32 - pieceSize/16, 0xffff_f003, 0xff_f0ff} {
						check(fmt.Sprintf("counter from %#x on", counter), nonceFor(inverse, counter), n, seal)
					}
				}
			}
		}
	})
}
