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

// Whatever room dst has, nothing behind what Seal and Open append to it changes, be it within its capacity or beyond, for each
// size of tag: those of fewer than 16 bytes are where the standard library of Go 1.26 writes zeros (golang/go 80288).
func TestNothingBehindTheResult(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		if aside := percore.Selected().Aside; aside != "" && cryptotest.Spills() {
			t.Skip("the standard library at hand writes behind short tags, and ", aside)
		}
		const before, behind = 24, 48
		for _, c := range constructors([]int{1, 16}, []int{12, 13, 14, 15, 16}) {
			want, err := c.std(key)
			if err != nil {
				continue // boringcrypto has no random nonces
			}
			ours := must(c.ours(key))
			nonce := cryptotest.Random(3, want.NonceSize())
			for _, n := range []int{0, 1, 15, 16, 17, 63, 64, 65, 500, 513} {
				text := cryptotest.Random(1, n)
				sealed := want.Seal(make([]byte, 0, n+4*16), nonce, text, nil)
				forged := append(bytes.Clone(sealed[:len(sealed)-1]), ^sealed[len(sealed)-1])
				for name, call := range map[string]struct {
					size int
					f    func(dst []byte)
				}{
					"Seal":         {len(sealed), func(dst []byte) { ours.Seal(dst, nonce, text, nil) }},
					"Open":         {n, func(dst []byte) { ours.Open(dst, nonce, sealed, nil) }},
					"Open, forged": {n, func(dst []byte) { ours.Open(dst, nonce, forged, nil) }},
				} {
					for room := max(0, call.size-2); room <= call.size+17; room++ {
						memory := bytes.Repeat([]byte{0xa5}, before+call.size+behind)
						call.f(memory[before : before : before+room])
						changed := bytes.Trim(memory[:before], "\xa5")
						if room < call.size {
							changed = append(changed, bytes.Trim(memory[before:], "\xa5")...)
						}
						changed = append(changed, bytes.Trim(memory[before+call.size:], "\xa5")...)
						if len(changed) > 0 {
							t.Fatalf("%s, %s, %d bytes, room for %d: bytes outside of the result are %x", c.name, name, n, room, changed)
						}
					}
				}
			}
		}
	})
}
