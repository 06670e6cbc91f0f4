package gcm_test

import (
	"bytes"
	"crypto/aes"
	"encoding/binary"
	"testing"

	"percore/internal/cryptotest"
	"percore/provider/gcm"
)

// The counter of a block of text has 32 bits and wraps without a carry into the other 96. With
// nonces of 12 bytes that would take 64 GiB; with those of 16 it starts anywhere. Every byte of it
// overflows here in each block of a few vectors. The expected ciphertext is the standard library's
// AES on counters that the test makes itself.
func TestCounterWraps(t *testing.T) {
	const blocks = 140
	text := cryptotest.Random(1, 16*(blocks+64)+5)
	eachKey(t, func(t *testing.T, key []byte) {
		block := must(aes.NewCipher(key))
		ours, want := must(gcm.NewWithNonceSize(key, 16)), std(key, 16)
		h := make([]byte, 16)
		block.Encrypt(h, h)
		inverse := elementOf(h).inverse()
		for _, high := range [][]byte{bytes.Repeat([]byte{0xff}, 12), cryptotest.Random(2, 12)} {
			for _, overflow := range []uint64{1 << 32, 1 << 31, 1 << 24, 1 << 16, 1 << 8} {
				for at := 0; at < blocks; at += step() {
					j0 := binary.BigEndian.AppendUint32(bytes.Clone(high), uint32(overflow)-1-uint32(at))
					nonce := nonceFor(j0, inverse)
					agree(t, ours, want, nonce, text, nil)
					got := ours.Seal(nil, nonce, text, nil)[:len(text)]

					counter, mask := bytes.Clone(j0), make([]byte, 16)
					for i := range got {
						if i%16 == 0 {
							low := counter[12:]
							binary.BigEndian.PutUint32(low, binary.BigEndian.Uint32(low)+1)
							block.Encrypt(mask, counter)
						}
						if got[i] != text[i]^mask[i%16] {
							t.Fatalf("counter from %x on: byte %d is wrong", j0, i)
						}
					}
				}
			}
		}
	})
}

// nonceFor returns the nonce of 16 bytes whose first counter block is j0: with the hash key H,
// SP 800-38D says that J0 = (N·H ⊕ len)·H, so N = (J0·H⁻¹ ⊕ len)·H⁻¹.
func nonceFor(j0 []byte, inverse element) []byte {
	n := elementOf(j0).times(inverse)
	n.low ^= 128
	n = n.times(inverse)
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, n.high), n.low)
}

// An element is one of GF(2^128) as SP 800-38D, section 6.3, writes it: the topmost bit of high
// is the coefficient of x^0, the lowest of low that of x^127.
type element struct{ high, low uint64 }

func elementOf(b []byte) element {
	return element{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

func (a element) times(b element) (product element) {
	for range 128 {
		if a.high>>63 == 1 {
			product.high ^= b.high
			product.low ^= b.low
		}
		a.high, a.low = a.high<<1|a.low>>63, a.low<<1
		carry := b.low & 1
		b.high, b.low = b.high>>1^carry*0xe1<<56, b.low>>1|b.high<<63 // b·x
	}
	return product
}

// inverse is a to the power of 2^128 - 2, the product of its powers of 2^1 to 2^127.
func (a element) inverse() element {
	power := a.times(a)
	product := power
	for range 126 {
		power = power.times(power)
		product = product.times(power)
	}
	return product
}
