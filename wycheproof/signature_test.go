package wycheproof

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/x509"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/c2sp/wycheproof"

	"percore"
	"percore/internal/cryptotest"
	"percore/provider/sha3"
)

// TestRegistry makes sure that the tests over package crypto's registry test percore.
func TestRegistry(t *testing.T) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		installed := percore.Selected().SHA3.Kernel != "std"
		for h := crypto.SHA3_224; h <= crypto.SHA3_512; h++ {
			if _, ours := h.New().(*sha3.SHA3); ours != installed {
				t.Errorf("%v is %T, with the kernel %s", h, h.New(), percore.Selected().SHA3.Kernel)
			}
		}
	})
}

func TestWycheproofSignatures(t *testing.T) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		// The curves that end in k1 are those that Go doesn't have.
		for pattern, files := range map[string]int{"rsa_signature_*_sha3_*_test.json": 7, "ecdsa_secp*r1_sha3_*_test.json": 8} {
			names, err := fs.Glob(wycheproof.TestVectors, pattern)
			if err != nil || len(names) != files {
				t.Fatalf("%s: %d files, want %d (%v)", pattern, len(names), files, err)
			}
			if boringcrypto() && strings.HasPrefix(pattern, "rsa") {
				continue // its RSA has no SHA-3
			}
			for _, name := range names {
				eachWycheproof(t, strings.TrimSuffix(name, "_test.json"), checkSignature)
			}
		}
	})
}

type signatureGroup struct {
	PublicKeyDER hexBytes
	SHA          string
}

type signatureVector struct {
	vector
	Msg, Sig hexBytes
}

// checkSignature verifies RSASSA-PKCS1-v1_5, RFC 8017, section 8.2.2, and ECDSA, FIPS 186-5,
// section 6.4.2, with the signature in ASN.1.
func checkSignature(g signatureGroup, v signatureVector) error {
	key, err := x509.ParsePKIXPublicKey(g.PublicKeyDER)
	if err != nil {
		return err
	}
	id := crypto.SHA3_224
	for id.String() != g.SHA {
		if id++; id > crypto.SHA3_512 {
			return fmt.Errorf("unknown hash %q", g.SHA)
		}
	}
	h := id.New()
	h.Write(v.Msg)
	digest := h.Sum(nil)
	switch key := key.(type) {
	case *rsa.PublicKey:
		return v.verdict(rsa.VerifyPKCS1v15(key, id, digest, v.Sig) == nil)
	case *ecdsa.PublicKey:
		return v.verdict(ecdsa.VerifyASN1(key, digest, v.Sig))
	}
	return fmt.Errorf("unknown key type %T", key)
}
