package wycheproof

import (
	"bytes"
	"crypto/hmac"
	"encoding/binary"
	"fmt"
	"hash"
	"strings"
	"testing"

	"percore/internal/cryptotest"
	_ "percore/provider"
	"percore/provider/sha3"
)

type macGroup struct{ TagSize int } // in bits

type macVector struct {
	vector
	Key, Msg, Tag hexBytes
}

func TestWycheproofHMAC(t *testing.T) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for id, h := range hashes {
			name := "hmac_" + strings.ReplaceAll(strings.ToLower(id.String()), "-", "_")
			eachWycheproof(t, name, func(g macGroup, v macVector) error {
				for _, f := range []func() hash.Hash{h.new, id.New} {
					mac := hmac.New(f, v.Key)
					mac.Write(v.Msg)
					tag := mac.Sum(nil)[:g.TagSize/8]
					if err := v.verdict(bytes.Equal(tag, v.Tag)); err != nil {
						return fmt.Errorf("HMAC over %T: %w", f(), err)
					}
				}
				return nil
			})
		}
	})
}

func TestWycheproofKMAC(t *testing.T) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for name, newCSHAKE := range map[string]func(N, S []byte) *sha3.SHAKE{
			"kmac128_no_customization": sha3.NewCSHAKE128,
			"kmac256_no_customization": sha3.NewCSHAKE256,
		} {
			eachWycheproof(t, name, func(g macGroup, v macVector) error {
				tag := kmac(newCSHAKE([]byte("KMAC"), nil), v.Key, v.Msg, g.TagSize/8)
				return v.verdict(bytes.Equal(tag, v.Tag))
			})
		}
	})
}

// kmac is KMAC without a customization string, SP 800-185, section 4.3, given a cSHAKE whose function
// name is KMAC.
func kmac(x *sha3.SHAKE, key, msg []byte, length int) []byte {
	// bytepad(encode_string(K), rate), sections 2.3.2 and 2.3.3
	padded := append(leftEncode(x.BlockSize()), leftEncode(8*len(key))...)
	padded = append(padded, key...)
	for len(padded)%x.BlockSize() != 0 {
		padded = append(padded, 0)
	}
	x.Write(padded)
	x.Write(msg)
	x.Write(rightEncode(8 * length))
	tag := make([]byte, length)
	x.Read(tag)
	return tag
}

// leftEncode is left_encode(n), SP 800-185, section 2.3.1.
func leftEncode(n int) []byte {
	digits := base256(n)
	return append([]byte{byte(len(digits))}, digits...)
}

// rightEncode is right_encode(n), SP 800-185, section 2.3.1.
func rightEncode(n int) []byte {
	digits := base256(n)
	return append(digits, byte(len(digits)))
}

// base256 returns the digits of n, of which there is at least one.
func base256(n int) []byte {
	digits := bytes.TrimLeft(binary.BigEndian.AppendUint64(nil, uint64(n)), "\x00")
	if len(digits) == 0 {
		return []byte{0}
	}
	return digits
}
