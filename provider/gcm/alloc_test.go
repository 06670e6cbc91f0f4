package gcm_test

import (
	"bytes"
	"crypto/cipher"
	"fmt"
	"testing"

	"percore/internal/cryptotest"
	"percore/provider/gcm"
)

var sink []byte

// Nothing is allocated where dst has room, and the result alone where it hasn't, as in the
// standard library.
func TestAllocations(t *testing.T) {
	if cryptotest.Race {
		t.Skip("the race detector allocates")
	}
	eachKey(t, func(t *testing.T, key []byte) {
		for _, nonceSize := range []int{12, 16} {
			ours, other := must(gcm.NewWithNonceSize(key, nonceSize)), std(key, nonceSize)
			for _, n := range []int{0, 1, 64, 1350, 100_000} {
				text, nonce, aad := make([]byte, n), make([]byte, nonceSize), make([]byte, 13)
				sealed := other.Seal(nil, nonce, text, aad)
				room := make([]byte, 0, len(sealed))
				forged := bytes.Clone(sealed)
				forged[len(forged)-1] ^= 1
				for _, c := range []struct {
					name string
					call func(a cipher.AEAD)
				}{
					{"Seal with room", func(a cipher.AEAD) { a.Seal(room, nonce, text, aad) }},
					{"Open with room", func(a cipher.AEAD) { a.Open(room, nonce, sealed, aad) }},
					{"Open with room, forged", func(a cipher.AEAD) { a.Open(room, nonce, forged, aad) }},
					{"Seal to nil", func(a cipher.AEAD) { sink = a.Seal(nil, nonce, text, aad) }},
					{"Open to nil", func(a cipher.AEAD) { sink, _ = a.Open(nil, nonce, sealed, aad) }},
				} {
					t.Run(fmt.Sprintf("nonce=%d,size=%d,%s", nonceSize, n, c.name), func(t *testing.T) {
						got := testing.AllocsPerRun(20, func() { c.call(ours) })
						if want := testing.AllocsPerRun(20, func() { c.call(other) }); got > want {
							t.Errorf("%v allocations, the standard library has %v", got, want)
						}
					})
				}
			}
		}
	})
}
