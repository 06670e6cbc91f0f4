package percore_test

import (
	"bytes"
	"crypto"
	"crypto/cipher"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/fips140"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha3"
	"encoding"
	"encoding/hex"
	"hash"
	"reflect"
	"strings"
	"sync"
	"testing"

	"percore"
	"percore/internal/cryptotest"
	_ "percore/provider"
	"percore/provider/gcm"
)

// This file is the drop-in contract: programs against the API of the standard library, whose
// results must be those that they have without percore.

// registered pairs each hash in crypto's registry with the standard library's.
var registered = []struct {
	id  crypto.Hash
	std func() hash.Hash
}{
	{crypto.SHA3_224, func() hash.Hash { return sha3.New224() }},
	{crypto.SHA3_256, func() hash.Hash { return sha3.New256() }},
	{crypto.SHA3_384, func() hash.Hash { return sha3.New384() }},
	{crypto.SHA3_512, func() hash.Hash { return sha3.New512() }},
}

// eachHash runs f for each kernel and each hash in crypto's registry.
func eachHash(t *testing.T, f func(t *testing.T, id crypto.Hash, std func() hash.Hash)) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for _, r := range registered {
			t.Run(r.id.String(), func(t *testing.T) { f(t, r.id, r.std) })
		}
	})
}

var message = bytes.Repeat([]byte("brekeccakkeccak koax koax "), 50)

func TestRegistered(t *testing.T) {
	eachHash(t, func(t *testing.T, id crypto.Hash, std func() hash.Hash) {
		want := "percore/provider/sha3"
		if percore.Selected().SHA3.Kernel == "std" {
			want = "crypto/sha3"
		}
		if got := reflect.TypeOf(id.New()).Elem().PkgPath(); got != want {
			t.Errorf("the hash comes from %s, want %s", got, want)
		}
		if got := percore.Selected().Registry; got != want {
			t.Errorf("Selected says that it comes from %s, want %s", got, want)
		}
	})
}

func TestHash(t *testing.T) {
	eachHash(t, func(t *testing.T, id crypto.Hash, std func() hash.Hash) {
		ours, theirs := id.New(), std()
		if ours.Size() != id.Size() || ours.BlockSize() != theirs.BlockSize() {
			t.Errorf("Size, BlockSize = %d, %d, want %d, %d", ours.Size(), ours.BlockSize(), id.Size(), theirs.BlockSize())
		}
		ours.Write(message)
		theirs.Write(message)
		same(t, "Sum", ours.Sum(nil), theirs.Sum(nil))

		clone, err := ours.(hash.Cloner).Clone()
		if err != nil {
			t.Fatal(err)
		}
		ours.Write(message)
		same(t, "Sum of a clone", clone.Sum(nil), theirs.Sum(nil))
		theirs.Write(message)
		same(t, "Sum after a clone", ours.Sum(nil), theirs.Sum(nil))

		blob, err := ours.(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		stdBlob, err := theirs.(encoding.BinaryMarshaler).MarshalBinary()
		if err != nil {
			t.Fatal(err)
		}
		same(t, "state", blob, stdBlob)
		ours.Reset()
		theirs.Reset()
		if err := ours.(encoding.BinaryUnmarshaler).UnmarshalBinary(stdBlob); err != nil {
			t.Fatal(err)
		}
		if err := theirs.(encoding.BinaryUnmarshaler).UnmarshalBinary(blob); err != nil {
			t.Fatal(err)
		}
		same(t, "Sum of an exchanged state", ours.Sum(nil), theirs.Sum(nil))
	})
}

func TestHMAC(t *testing.T) {
	eachHash(t, func(t *testing.T, id crypto.Hash, std func() hash.Hash) {
		for _, size := range []int{14, 32, 64, 72, 136, 144, 300} {
			key := message[:size]
			ours, theirs := hmac.New(id.New, key), hmac.New(std, key)
			for range 3 { // Reset takes another way the second time
				ours.Write(message)
				theirs.Write(message)
				same(t, "HMAC", ours.Sum(nil), theirs.Sum(nil))
				ours.Reset()
				theirs.Reset()
			}
			ours.Write(message)
			theirs.Write(message)
			// With the standard library's SHA-3, HMAC has no Clone in Go 1.26; with ours it has.
			if clone, err := ours.(hash.Cloner).Clone(); err == nil {
				same(t, "HMAC of a clone", clone.Sum(nil), theirs.Sum(nil))
			} else if percore.Selected().SHA3.Kernel != "std" {
				t.Error(err)
			}
		}
	})
}

func TestKeyDerivation(t *testing.T) {
	eachHash(t, func(t *testing.T, id crypto.Hash, std func() hash.Hash) {
		got, err := hkdf.Key(id.New, message[:32], message[:20], "info", 100)
		if err != nil {
			t.Fatal(err)
		}
		want, err := hkdf.Key(std, message[:32], message[:20], "info", 100)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "HKDF", got, want)

		got, err = pbkdf2.Key(id.New, "a password of some length", message[:16], 1000, 100)
		if err != nil {
			t.Fatal(err)
		}
		want, err = pbkdf2.Key(std, "a password of some length", message[:16], 1000, 100)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "PBKDF2", got, want)
	})
}

var rsaKey = sync.OnceValue(func() *rsa.PrivateKey {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		panic(err)
	}
	return key
})

func TestRSA(t *testing.T) {
	if strings.Contains(percore.Selected().Aside, "boringcrypto") {
		t.Skip("the RSA of boringcrypto knows no SHA-3")
	}
	eachHash(t, func(t *testing.T, id crypto.Hash, std func() hash.Hash) {
		key := rsaKey()
		h := std()
		h.Write(message)
		digest := h.Sum(nil)

		pss := &rsa.PSSOptions{SaltLength: rsa.PSSSaltLengthEqualsHash, Hash: id}
		sig, err := crypto.SignMessage(key, rand.Reader, message, pss)
		if err != nil {
			t.Fatal(err)
		}
		if err := rsa.VerifyPSS(&key.PublicKey, id, digest, sig, pss); err != nil {
			t.Error("PSS:", err)
		}
		digest[0] ^= 1
		if rsa.VerifyPSS(&key.PublicKey, id, digest, sig, pss) == nil {
			t.Error("PSS: the signature of another digest passed")
		}
		digest[0] ^= 1

		got, err := crypto.SignMessage(key, nil, message, id)
		if err != nil {
			t.Fatal(err)
		}
		if err := rsa.VerifyPKCS1v15(&key.PublicKey, id, digest, got); err != nil {
			t.Error("PKCS #1 v1.5:", err)
		}

		for _, c := range []struct{ encrypt, decrypt hash.Hash }{{id.New(), std()}, {std(), id.New()}} {
			ciphertext, err := rsa.EncryptOAEP(c.encrypt, rand.Reader, &key.PublicKey, message[:32], []byte("label"))
			if err != nil {
				t.Fatal(err)
			}
			plaintext, err := rsa.DecryptOAEP(c.decrypt, nil, key, ciphertext, []byte("label"))
			if err != nil {
				t.Fatal(err)
			}
			same(t, "OAEP", plaintext, message[:32])
		}
		ciphertext, err := rsa.EncryptOAEP(std(), rand.Reader, &key.PublicKey, message[:32], nil)
		if err != nil {
			t.Fatal(err)
		}
		plaintext, err := key.Decrypt(nil, ciphertext, &rsa.OAEPOptions{Hash: id})
		if err != nil {
			t.Fatal(err)
		}
		same(t, "OAEP through crypto.Decrypter", plaintext, message[:32])
	})
}

// RFC 6979 runs the hash inside HMAC: signatures of the standard library, made with Go 1.26.
var deterministicECDSA = map[crypto.Hash]string{
	crypto.SHA3_224: "30450220432aa8b54ee58b0afa2310dca8862bc25eced6b9c80953b6f9eeea9aac18aee90221008b65b83fcafcba7d18b32702a93c75359544c1ce7fc1818f2ec028ec33c390ac",
	crypto.SHA3_256: "3045022100ce3a0ab478a635a5b2a3587eb688c8b86e14830ba928b761ba74e0177b07fad30220029345435e2a494700e1d9044ed0b10d4c7222a2404a01ba148bc82b35f71b94",
	crypto.SHA3_384: "304502205f2e66c7f79622d9823a6d4d66d20fc74f5071c1943bef7f6f3f5edb948b734e02210080b7deebf945fedeb9e1c96cd538ebb27bbda3becead1c92ff9894daa18b66f3",
	crypto.SHA3_512: "3045022100dc507092d0b8b0c47f1fb0d9959b20687a159c5895571451d477e7dc9ec2cb97022051dd7f8418c907d93653b37739de4ebafaf580a9c9c679b09ba9fdaf3ac06684",
}

func TestECDSA(t *testing.T) {
	eachHash(t, func(t *testing.T, id crypto.Hash, std func() hash.Hash) {
		key, err := ecdsa.ParseRawPrivateKey(elliptic.P256(), bytes.Repeat([]byte{7}, 32))
		if err != nil {
			t.Fatal(err)
		}
		sig, err := crypto.SignMessage(key, nil, message, id)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(sig); got != deterministicECDSA[id] {
			t.Errorf("got %s, want %s", got, deterministicECDSA[id])
		}
		h := std()
		h.Write(message)
		if !ecdsa.VerifyASN1(&key.PublicKey, h.Sum(nil), sig) {
			t.Error("the signature doesn't verify")
		}
	})
}

func TestGCM(t *testing.T) {
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		block, err := gcm.NewCipher(message[:32])
		if err != nil {
			t.Fatal(err)
		}
		nonce := message[:12]
		// The tags are the standard library's, Go 1.26.
		for name, c := range map[string]struct {
			aead func() (cipher.AEAD, error)
			want string
		}{
			"NewGCM":              {func() (cipher.AEAD, error) { return cipher.NewGCM(block) }, "393f9893bfd579031680222997c0e4e2"},
			"NewGCMWithNonceSize": {func() (cipher.AEAD, error) { return cipher.NewGCMWithNonceSize(block, 12) }, "393f9893bfd579031680222997c0e4e2"},
			"NewGCMWithTagSize":   {func() (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(block, 13) }, "393f9893bfd579031680222997"},
		} {
			aead, err := c.aead()
			if fips140.Enforced() {
				if err == nil {
					t.Errorf("%s: no error in FIPS 140-only mode", name)
				}
				continue
			}
			if err != nil {
				t.Fatal(name, err)
			}
			sealed := aead.Seal(nil, nonce, message, []byte("aad"))
			if got := hex.EncodeToString(sealed[len(message):]); got != c.want {
				t.Errorf("%s: tag %s, want %s", name, got, c.want)
			}
			opened, err := aead.Open(nil, nonce, sealed, []byte("aad"))
			if err != nil {
				t.Fatal(name, err)
			}
			same(t, name, opened, message)
		}
		iv := message[:16]
		stream, back := make([]byte, len(message)), make([]byte, len(message))
		cipher.NewCTR(block, iv).XORKeyStream(stream, message)
		cipher.NewCTR(block, iv).XORKeyStream(back, stream)
		same(t, "CTR", back, message)
		whole := message[:len(message)/16*16]
		cipher.NewCBCEncrypter(block, iv).CryptBlocks(stream, whole)
		cipher.NewCBCDecrypter(block, iv).CryptBlocks(back, stream[:len(whole)])
		same(t, "CBC", back[:len(whole)], whole)
	})
}

func same(t *testing.T, what string, got, want []byte) {
	t.Helper()
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got %x, want %x", what, got, want)
	}
}

// The whole contract holds in the FIPS 140 modes, where percore registers nothing.
func TestFIPS140(t *testing.T) {
	if fips140.Enabled() {
		return // this is one of the processes below
	}
	for _, mode := range []string{"on", "only"} {
		t.Run(mode, func(t *testing.T) {
			out, err := cryptotest.Again(t, "Test(Registered|Hash|HMAC|KeyDerivation|RSA|ECDSA|GCM|FIPS140)", "GODEBUG=fips140="+mode)
			if bytes.Contains(out, []byte("FIPS 140-3 mode is incompatible")) {
				t.Skipf("this build has no FIPS 140 mode: %s", out)
			}
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			if n := strings.Count(string(out), "/kernel=std/SHA3-256"); n < 6 {
				t.Errorf("%d tests ran with the kernel std:\n%s", n, out)
			}
		})
	}
}
