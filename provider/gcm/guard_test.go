package gcm_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"runtime/debug"
	"testing"

	"percore"
	"percore/internal/cryptotest"
	"percore/provider/gcm"
)

// guardedLengths end in every place of a block and of a vector, also behind long texts.
func guardedLengths() []int {
	var lengths []int
	for _, r := range [][2]int{{0, 80}, {767, 769}, {1791, 1809}} {
		for n := r[0]; n <= r[1]; n++ {
			lengths = append(lengths, n)
		}
	}
	for n := 0; n < 48; n += 3 {
		lengths = append(lengths, 256<<10+n)
	}
	return lengths
}

// A guarded is a buffer with an unreadable page behind and another with one before.
type guarded struct{ end, start []byte }

func newGuarded(t *testing.T, n int) (g guarded) {
	g.end, g.start = cryptotest.Guarded(t, n)
	return g
}

// put returns two copies of p, flush against the page behind and the page before.
func (g guarded) put(p []byte) (end, start []byte) {
	end, start = g.end[len(g.end)-len(p):], g.start[:len(p):len(p)]
	copy(end, p)
	copy(start, p)
	return end, start
}

// No byte outside a slice is read or written: nonce, text, additional data and result all lie
// against an unreadable page, first with their ends, then with their starts.
func TestGuardPages(t *testing.T) {
	const most = 256<<10 + 100
	text, aad := cryptotest.Random(1, most), cryptotest.Random(2, most)
	eachKey(t, func(t *testing.T, key []byte) {
		nonces, inputs, aads, results := newGuarded(t, 300), newGuarded(t, most), newGuarded(t, most), newGuarded(t, most)

		// check seals and opens at both places.
		check := func(t *testing.T, ours, want cipher.AEAD, n, a int) {
			t.Helper()
			nonce := cryptotest.Random(3, want.NonceSize())
			sealed := want.Seal(make([]byte, 0, n+2*16), nonce, text[:n], aad[:a]) // with room to spill
			for _, c := range []struct {
				name     string
				in, want []byte
				call     func(dst, nonce, in, aad []byte) ([]byte, error)
			}{
				{"Seal", text[:n], sealed, func(dst, nonce, in, aad []byte) ([]byte, error) {
					return ours.Seal(dst, nonce, in, aad), nil
				}},
				{"Open", sealed, text[:n], ours.Open},
			} {
				nonceEnd, nonceStart := nonces.put(nonce)
				inEnd, inStart := inputs.put(c.in)
				aadEnd, aadStart := aads.put(aad[:a])
				dstEnd, dstStart := results.put(make([]byte, len(c.want)))
				for _, place := range []struct {
					name                string
					dst, nonce, in, aad []byte
				}{
					{"ends", dstEnd, nonceEnd, inEnd, aadEnd},
					{"starts", dstStart, nonceStart, inStart, aadStart},
				} {
					at := fmt.Sprintf("%s, %s guarded, nonce %d, text %d, aad %d bytes", c.name, place.name, len(nonce), n, a)
					got, err := faultless(t, at, func() ([]byte, error) {
						return c.call(place.dst[:0], place.nonce, place.in, place.aad)
					})
					if err != nil || !bytes.Equal(got, c.want) || !bytes.Equal(place.dst, c.want) {
						t.Fatalf("%s: differs from byte %d on, error %v", at, common(got, c.want), err)
					}
				}
			}
		}

		t.Run("texts", func(t *testing.T) {
			ours, want := must(gcm.New(key)), std(key, 12)
			for _, n := range guardedLengths() {
				check(t, ours, want, n, n%61)
			}
		})
		t.Run("additional data", func(t *testing.T) {
			ours, want := must(gcm.New(key)), std(key, 12)
			for _, a := range guardedLengths() {
				check(t, ours, want, a%61, a)
			}
		})
		t.Run("nonces", func(t *testing.T) {
			for size := 1; size <= 300; size += step() {
				check(t, must(gcm.NewWithNonceSize(key, size)), std(key, size), size%61, size%7)
			}
		})
		t.Run("tags", func(t *testing.T) {
			if aside := percore.Selected().Aside; aside != "" && cryptotest.Spills() {
				t.Skip("the standard library at hand reads and writes behind short tags, and ", aside)
			}
			for size := 12; size <= 16; size++ {
				ours, want := must(gcm.NewWithTagSize(key, size)), must(withTagSize(size).over(aes.NewCipher)(key))
				for _, n := range guardedLengths() {
					check(t, ours, want, n, n%61)
				}
			}
		})
	})
}

// faultless runs f, and fails the test if that touches an unreadable page.
func faultless(t *testing.T, at string, f func() ([]byte, error)) ([]byte, error) {
	t.Helper()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		t.Helper()
		if v := recover(); v != nil {
			t.Fatalf("%s: %v", at, v)
		}
	}()
	return f()
}
