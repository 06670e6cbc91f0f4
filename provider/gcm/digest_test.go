package gcm_test

import (
	"crypto/sha256"
	"fmt"
	"testing"

	"percore/internal/cryptotest"
	"percore/provider/gcm"
)

// Runs of lengths with digests of all that is sealed, computed with Go 1.26's crypto/cipher. They
// don't depend on the standard library at hand.
func TestDigests(t *testing.T) {
	seq := cryptotest.Seq
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		for _, c := range []struct {
			name    string
			keySize int
			to      int
			message func(n int) (nonce, text, aad []byte)
			want    string
		}{
			// Others lost ciphertext from 1792 bytes on (openssl PR 31633).
			{"texts", 16, 2400, texts, "dd0ce3b556bff27553f8a5852b52fbf5f69031d0d99c8d458f0a8a05d74a66fa"},
			{"texts", 24, 2400, texts, "8583c3f52b5432a3132cd660ff72f0484e8f820db566de7f1355c816f3dac877"},
			{"texts", 32, 2400, texts, "bb23641a95a3d8e7c49f1a39c2918a4a179ec54c3845d1c121b90523dfb52ade"},
			// Others failed for lengths that are no multiple of 8, or that are one of 16 (wolfssl PR 10439).
			{"additional data", 16, 1100, func(n int) (nonce, text, aad []byte) { return seq(12), seq(33), seq(n) },
				"fafe511b5f8b39234381af878326881aa15e350c602d98b8d0a9da5829c2d5de"},
			// Others never tried a long nonce (openssl PR 31633).
			{"nonces", 16, 1100, func(n int) (nonce, text, aad []byte) { return seq(n), seq(100), seq(3) },
				"2145bf59714a3943612c5682f2db3607013d15604eb2e4533ec4183c7444e0c0"},
		} {
			t.Run(fmt.Sprintf("%s,key=%d", c.name, 8*c.keySize), func(t *testing.T) {
				all := sha256.New()
				for n := range c.to + 1 {
					nonce, text, aad := c.message(n)
					if len(nonce) == 0 {
						continue
					}
					all.Write(must(gcm.NewWithNonceSize(seq(c.keySize), len(nonce))).Seal(nil, nonce, text, aad))
				}
				if got := fmt.Sprintf("%x", all.Sum(nil)); got != c.want {
					t.Errorf("got %s, want %s", got, c.want)
				}
			})
		}
	})
}

func texts(n int) (nonce, text, aad []byte) {
	return cryptotest.Seq(12), cryptotest.Seq(n), cryptotest.Seq(n % 67)
}

func TestTags(t *testing.T) {
	seq := cryptotest.Seq
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		for _, c := range []struct {
			name             string
			nonce, text, aad []byte
			want             string
		}{
			{"10007 bytes of additional data", seq(12), nil, seq(10007), "1697200ce0ce1ac539e5c26398f7eef0"},
			{"a counter that wraps in the text", []byte("\x48\x0e\x7b\x83\x50\xbf\xe7\x70\x28\x6e\xe6\xdb\xc8\x6b\xdc\x38"),
				seq(4109), []byte("aad"), "b0d85e9ea6346ff95aafa9ebdf755367"},
		} {
			sealed := must(gcm.NewWithNonceSize(seq(16), len(c.nonce))).Seal(nil, c.nonce, c.text, c.aad)
			if got := fmt.Sprintf("%x", sealed[len(c.text):]); got != c.want {
				t.Errorf("%s: tag %s, want %s", c.name, got, c.want)
			}
		}
	})
}
