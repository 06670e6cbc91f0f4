package wycheproof

import (
	"bytes"
	"crypto/cipher"
	"errors"
	"fmt"
	"testing"

	"percore/internal/cryptotest"
	"percore/provider/gcm"
)

func TestWycheproofGCM(t *testing.T) {
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		eachWycheproof(t, "aes_gcm", func(_ struct{}, v gcmVector) error { return checkGCM(v) })

		// GMAC is the tag of an empty plaintext, SP 800-38D, section 3. The message is what
		// GCM calls additional authenticated data.
		eachWycheproof(t, "aes_gmac", func(_ struct{}, v gcmVector) error {
			v.AAD, v.Msg = v.Msg, nil
			return checkGCM(v)
		})
	})
}

func TestACVPGCM(t *testing.T) {
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		type common struct{ Direction, IVGen string }
		type acvp struct {
			gcmVector
			PT         hexBytes
			TestPassed bool
		}
		eachACVP(t, "ACVP-AES-GCM", 36, func(g common, v, want acvp) error {
			if g.IVGen != "external" {
				return fmt.Errorf("unknown ivGen %q", g.IVGen)
			}
			v.Result = "valid"
			switch g.Direction {
			case "encrypt":
				v.Msg, v.CT, v.Tag = v.PT, want.CT, want.Tag
			case "decrypt":
				v.Msg = want.PT
				if !want.TestPassed {
					v.Result = "invalid"
				}
			default:
				return fmt.Errorf("unknown direction %q", g.Direction)
			}
			return checkGCM(v.gcmVector)
		})
	})
}

type gcmVector struct {
	vector
	Key, IV, AAD, Msg, CT, Tag hexBytes
}

// checkGCM runs a vector with every constructor that has its sizes of nonce and tag.
func checkGCM(v gcmVector) error {
	cs := constructors(len(v.IV), len(v.Tag))
	if len(cs) == 0 {
		return fmt.Errorf("no constructor takes both a nonce of %d and a tag of %d bytes", len(v.IV), len(v.Tag))
	}
	sealed := append(bytes.Clone(v.CT), v.Tag...)
	for _, c := range cs {
		aead, err := c.make(v.Key)
		if len(v.IV) == 0 { // SP 800-38D, section 5.2.1.1: a nonce has at least one bit
			err = v.verdict(err == nil)
		} else if err == nil {
			err = checkAEAD(aead, v, sealed)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	if len(v.IV) != 12 || len(v.Tag) != 16 {
		return nil
	}
	if boringcrypto() {
		return nil // it has no random nonces
	}
	aead, err := gcm.NewWithRandomNonce(v.Key)
	if err == nil {
		err = checkOpen(aead, v, nil, append(bytes.Clone(v.IV), sealed...))
	}
	if err != nil {
		return fmt.Errorf("gcm.NewWithRandomNonce: %w", err)
	}
	return nil
}

type constructor struct {
	name string
	make func(key []byte) (cipher.AEAD, error)
}

func constructors(nonceSize, tagSize int) []constructor {
	overCipher := func(f func(cipher.Block) (cipher.AEAD, error)) func(key []byte) (cipher.AEAD, error) {
		return func(key []byte) (cipher.AEAD, error) {
			block, err := gcm.NewCipher(key)
			if err != nil {
				return nil, err
			}
			return f(block)
		}
	}
	var cs []constructor
	if nonceSize == 12 && tagSize == 16 {
		cs = append(cs,
			constructor{"gcm.New", gcm.New},
			constructor{"cipher.NewGCM", overCipher(cipher.NewGCM)})
	}
	if tagSize == 16 {
		cs = append(cs,
			constructor{"gcm.NewWithNonceSize", func(key []byte) (cipher.AEAD, error) {
				return gcm.NewWithNonceSize(key, nonceSize)
			}},
			constructor{"cipher.NewGCMWithNonceSize", overCipher(func(b cipher.Block) (cipher.AEAD, error) {
				return cipher.NewGCMWithNonceSize(b, nonceSize)
			})})
	}
	if nonceSize == 12 {
		cs = append(cs,
			constructor{"gcm.NewWithTagSize", func(key []byte) (cipher.AEAD, error) {
				return gcm.NewWithTagSize(key, tagSize)
			}},
			constructor{"cipher.NewGCMWithTagSize", overCipher(func(b cipher.Block) (cipher.AEAD, error) {
				return cipher.NewGCMWithTagSize(b, tagSize)
			})})
	}
	return cs
}

func checkAEAD(aead cipher.AEAD, v gcmVector, sealed []byte) error {
	if aead.NonceSize() != len(v.IV) || aead.Overhead() != len(v.Tag) {
		return fmt.Errorf("NonceSize is %d, Overhead %d", aead.NonceSize(), aead.Overhead())
	}
	if v.Result == "valid" {
		for _, p := range places(v.Msg) {
			out := aead.Seal(p.dst, v.IV, p.in, v.AAD)
			if err := compare("Seal "+p.name, out, append(bytes.Clone(p.dst), sealed...)); err != nil {
				return err
			}
		}
	}
	return checkOpen(aead, v, v.IV, sealed)
}

// checkOpen is apart from checkAEAD for the AEAD that has the nonce in the ciphertext.
func checkOpen(aead cipher.AEAD, v gcmVector, nonce, sealed []byte) error {
	for _, p := range places(sealed) {
		out, err := aead.Open(p.dst, nonce, p.in, v.AAD)
		if err := v.verdict(err == nil); err != nil {
			return fmt.Errorf("Open %s: %w", p.name, err)
		}
		if err == nil {
			if err := compare("Open "+p.name, out, append(bytes.Clone(p.dst), v.Msg...)); err != nil {
				return err
			}
			continue
		}
		// Where the plaintext would have gone there are zeros, as crypto/cipher leaves it.
		end := min(cap(p.dst), len(p.dst)+len(v.CT))
		if out != nil || len(bytes.Trim(p.dst[len(p.dst):end], "\x00")) > 0 {
			return errors.New("Open " + p.name + " has failed and left something behind")
		}
	}
	return nil
}

// A place is where the result of Seal or Open goes, with the input.
type place struct {
	name    string
	dst, in []byte
}

// places returns the kinds of places that the contract of cipher.AEAD has.
func places(in []byte) []place {
	const prefix, room = "prefix", 32
	shared := append(make([]byte, 0, len(in)+room), in...)
	return []place{
		{"to a new slice", nil, in},
		{"behind a prefix without room", []byte(prefix)[:len(prefix):len(prefix)], in},
		{"behind a prefix with room", append(make([]byte, 0, len(prefix)+len(in)+room), prefix...), in},
		{"in place", shared[:0], shared},
	}
}
