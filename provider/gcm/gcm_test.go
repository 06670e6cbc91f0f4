package gcm_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"reflect"
	"testing"

	"percore"
	"percore/internal/cryptotest"
	"percore/provider/gcm"
)

// eachKey runs f for every kernel and size of key.
func eachKey(t *testing.T, f func(t *testing.T, key []byte)) {
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		for _, size := range []int{16, 24, 32} {
			t.Run(fmt.Sprintf("key=%d", 8*size), func(t *testing.T) { f(t, cryptotest.Random(uint64(size), size)) })
		}
	})
}

// step is by how much a loop over all lengths advances: by a prime, to meet every residue.
func step() int {
	if testing.Short() || cryptotest.Race {
		return 7
	}
	return 1
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A mode makes an AEAD of a block cipher.
type mode func(cipher.Block) (cipher.AEAD, error)

func withNonceSize(size int) mode {
	return func(b cipher.Block) (cipher.AEAD, error) { return cipher.NewGCMWithNonceSize(b, size) }
}

func withTagSize(size int) mode {
	return func(b cipher.Block) (cipher.AEAD, error) { return cipher.NewGCMWithTagSize(b, size) }
}

// over makes the mode of newCipher's result.
func (m mode) over(newCipher func(key []byte) (cipher.Block, error)) func(key []byte) (cipher.AEAD, error) {
	return func(key []byte) (cipher.AEAD, error) {
		b, err := newCipher(key)
		if err != nil {
			return nil, err
		}
		return m(b)
	}
}

// std returns the standard library's AEAD with nonces of that size.
func std(key []byte, nonceSize int) cipher.AEAD {
	return must(withNonceSize(nonceSize).over(aes.NewCipher)(key))
}

// A constructor makes an AEAD with a kernel of ours, and the same in the standard library.
type constructor struct {
	name      string
	ours, std func(key []byte) (cipher.AEAD, error)
}

// constructors returns each way to an AEAD, with each of the sizes where the way takes one.
func constructors(nonceSizes, tagSizes []int) []constructor {
	var cs []constructor
	add := func(name string, ours func(key []byte) (cipher.AEAD, error), m mode) {
		cs = append(cs, constructor{"gcm." + name, ours, m.over(aes.NewCipher)})
		cs = append(cs, constructor{"cipher." + name, m.over(gcm.NewCipher), m.over(aes.NewCipher)})
	}
	add("New", gcm.New, cipher.NewGCM)
	for _, size := range nonceSizes {
		add(fmt.Sprintf("NewWithNonceSize(%d)", size),
			func(key []byte) (cipher.AEAD, error) { return gcm.NewWithNonceSize(key, size) }, withNonceSize(size))
	}
	for _, size := range tagSizes {
		add(fmt.Sprintf("NewWithTagSize(%d)", size),
			func(key []byte) (cipher.AEAD, error) { return gcm.NewWithTagSize(key, size) }, withTagSize(size))
	}
	// Not over our NewCipher: TestRandomNonceOfBlock.
	random := mode(cipher.NewGCMWithRandomNonce)
	return append(cs, constructor{"gcm.NewWithRandomNonce", gcm.NewWithRandomNonce, random.over(aes.NewCipher)})
}

func TestContract(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		for _, c := range constructors([]int{1, 7, 8, 11, 12, 13, 16, 17, 60, 255, 300}, []int{12, 13, 14, 15, 16}) {
			t.Run(c.name, func(t *testing.T) {
				ours, err := c.ours(key)
				want, wantErr := c.std(key)
				sameError(t, ours, err, wantErr)
				if err == nil { // boringcrypto has no random nonces
					cryptotest.AEAD(t, ours, want)
				}
			})
		}
	})
}

// sameError compares errors with their types, and wants no AEAD or Block beside one.
func sameError(t *testing.T, v any, got, want error) {
	t.Helper()
	if g, w := fmt.Sprintf("%T %[1]v", got), fmt.Sprintf("%T %[1]v", want); g != w {
		t.Errorf("error %s, want %s", g, w)
	}
	if (got == nil) != (v != nil) {
		t.Errorf("%v beside the error %v", v, got)
	}
}

func TestConstructorErrors(t *testing.T) {
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		for _, c := range constructors([]int{-1, 0, 1, 12}, []int{-1, 0, 11, 12, 16, 17}) {
			t.Run(c.name, func(t *testing.T) {
				for _, key := range [][]byte{nil, {}, make([]byte, 1), make([]byte, 15), make([]byte, 16), make([]byte, 17),
					make([]byte, 23), make([]byte, 24), make([]byte, 31), make([]byte, 32), make([]byte, 33), make([]byte, 64)} {
					ours, err := c.ours(key)
					_, want := c.std(key)
					sameError(t, ours, err, want)
				}
			})
		}
	})
}

// Kernel std is the standard library's AEAD, and no other is. Package crypto/cipher makes the same
// ones out of our Block.
func TestKernel(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		ours := reflect.TypeOf(must(gcm.New(key)))
		isStd := ours == reflect.TypeOf(std(key, 12))
		if kernel := percore.Selected().GCM.Kernel; isStd != (kernel == "std") {
			t.Errorf("with the kernel %s, gcm.New returns a %v", kernel, ours)
		}
		if other := reflect.TypeOf(must(mode(cipher.NewGCM).over(gcm.NewCipher)(key))); other != ours {
			t.Errorf("cipher.NewGCM returns a %v, gcm.New a %v", other, ours)
		}
	})
}

// Nonces of the AEAD's own choice differ, and each is as good as any other.
func TestRandomNonce(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		ours, err := gcm.NewWithRandomNonce(key)
		if err != nil {
			t.Skip(err)
		}
		fixed := std(key, 12)
		seen := map[string]bool{}
		for n := range 500 {
			text, aad := cryptotest.Random(1, n), cryptotest.Random(2, n%50)
			sealed := ours.Seal(nil, nil, text, aad)
			nonce := sealed[:12]
			if seen[string(nonce)] {
				t.Fatalf("nonce %x comes twice", nonce)
			}
			seen[string(nonce)] = true
			if want := fixed.Seal(nil, nonce, text, aad); !bytes.Equal(sealed[12:], want) {
				t.Fatalf("%d bytes with the nonce %x: got %x, want %x", n, nonce, sealed[12:], want)
			}
		}
	})
}

// agree checks that ours seals as want does and opens it again.
func agree(t *testing.T, ours, want cipher.AEAD, nonce, text, aad []byte) {
	t.Helper()
	sealed := want.Seal(nil, nonce, text, aad)
	if got := ours.Seal(nil, nonce, text, aad); !bytes.Equal(got, sealed) {
		t.Fatalf("nonce %d, text %d, aad %d bytes: Seal's result differs from byte %d on",
			len(nonce), len(text), len(aad), common(got, sealed))
	}
	opened, err := ours.Open(nil, nonce, sealed, aad)
	if err != nil || !bytes.Equal(opened, text) {
		t.Fatalf("nonce %d, text %d, aad %d bytes: Open's result differs from byte %d on, error %v",
			len(nonce), len(text), len(aad), common(opened, text), err)
	}
}

// common is how many bytes a and b have in common before they differ.
func common(a, b []byte) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

// From 2304 and 4608 bytes on the kernels seal two chunks ahead of the hash, with any rest.
func TestEveryLength(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		ours, want := must(gcm.New(key)), std(key, 12)
		for n := 0; n <= 5200; n += step() {
			if 2600 < n && n < 4600 {
				continue
			}
			agree(t, ours, want, cryptotest.Random(uint64(n), 12), cryptotest.Random(1, n), cryptotest.Random(2, n%67))
		}
	})
}

func TestEveryAAD(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		ours, want := must(gcm.New(key)), std(key, 12)
		for a := 0; a <= 1100; a += step() {
			for _, n := range []int{0, 1, 16, 100, 1040} {
				agree(t, ours, want, cryptotest.Random(uint64(a), 12), cryptotest.Random(1, n), cryptotest.Random(2, a))
			}
		}
	})
}

func TestEveryNonce(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		for size := 1; size <= 1100; size += step() {
			ours, want := must(gcm.NewWithNonceSize(key, size)), std(key, size)
			for _, n := range []int{0, 100, 1040} {
				agree(t, ours, want, cryptotest.Random(3, size), cryptotest.Random(1, n), cryptotest.Random(2, 3))
			}
		}
	})
}

// Lengths that a kernel takes in more than one piece, and where a counter from 1 on carries into
// its second and third byte.
func TestLong(t *testing.T) {
	const most = 1<<20 + 5000
	text := cryptotest.Random(1, most)
	eachKey(t, func(t *testing.T, key []byte) {
		ours, want := must(gcm.New(key)), std(key, 12)
		nonce := cryptotest.Random(2, 12)
		for n := 4096; n <= most; n = n*9/8 + 1 {
			whole := n / 256 * 256
			for _, n := range []int{whole - 1, whole, whole + 1, n} {
				agree(t, ours, want, nonce, text[:n], text[:n%100])
			}
			agree(t, ours, want, nonce, text[:n%100], text[:n])
		}
		for _, size := range []int{1 << 16, 1<<18 + 1, most} {
			agree(t, must(gcm.NewWithNonceSize(key, size)), std(key, size), text[:size], text[:100], nil)
		}
	})
}

// Texts under a block between long ones must not disturb one another (openjdk PR 9635).
func TestShortBetweenLong(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		ours, want := must(gcm.New(key)), std(key, 12)
		for i := range 300 {
			for _, n := range []int{1 + i%15, 500 + 37*i} {
				seed := uint64(n)
				agree(t, ours, want, cryptotest.Random(seed, 12), cryptotest.Random(seed+1, n), cryptotest.Random(seed+2, i%20))
			}
		}
	})
}
