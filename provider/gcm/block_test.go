//lint:file-ignore SA1019 OFB and CFB have to work for as long as crypto/cipher has them

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

// same runs f with our Block and with aes.NewCipher's, each with a copy of the memory, and
// compares what it leaves there and what it panics with.
func same(t *testing.T, key, memory []byte, f func(b cipher.Block, memory []byte)) {
	t.Helper()
	run := func(b cipher.Block) (after []byte, panicked string) {
		after = bytes.Clone(memory)
		defer func() { panicked = fmt.Sprint(recover()) }()
		f(b, after)
		return after, ""
	}
	got, gotPanic := run(must(gcm.NewCipher(key)))
	want, wantPanic := run(must(aes.NewCipher(key)))
	if gotPanic != wantPanic {
		t.Fatalf("panic %s, want %s", gotPanic, wantPanic)
	}
	if !bytes.Equal(got, want) {
		t.Fatalf("got %x, want %x", got, want)
	}
}

// cryptBlock is Encrypt or Decrypt.
type cryptBlock func(b cipher.Block, dst, src []byte)

var directions = []cryptBlock{cipher.Block.Encrypt, cipher.Block.Decrypt}

func TestBlock(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		for _, crypt := range directions {
			for i := range 100 {
				memory := cryptotest.Random(uint64(i), 32)
				same(t, key, memory, func(b cipher.Block, m []byte) { crypt(b, m[16:], m) })
				same(t, key, memory, func(b cipher.Block, m []byte) { crypt(b, m, m) })
			}
		}
		if size := must(gcm.NewCipher(key)).BlockSize(); size != aes.BlockSize {
			t.Errorf("BlockSize is %d", size)
		}
	})
}

// Slices too short, and every distance between slices that overlap.
func TestBlockPanics(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		for _, crypt := range directions {
			memory := cryptotest.Random(1, 80)
			for n := range 18 {
				same(t, key, memory, func(b cipher.Block, m []byte) { crypt(b, m[:n], m[40:]) })
				same(t, key, memory, func(b cipher.Block, m []byte) { crypt(b, m, m[40:][:n]) })
			}
			for at := range 40 {
				same(t, key, memory, func(b cipher.Block, m []byte) { crypt(b, m[at:], m[20:][:16]) })
			}
		}
	})
}

func TestNewCipherErrors(t *testing.T) {
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		for size := range 70 {
			ours, err := gcm.NewCipher(make([]byte, size))
			_, want := aes.NewCipher(make([]byte, size))
			sameError(t, ours, err, want)
		}
		ours, err := gcm.NewCipher(nil)
		sameError(t, ours, err, aes.KeySizeError(0))
	})
}

// A streamMode is one of those of crypto/cipher.
type streamMode struct {
	name string
	make func(b cipher.Block, iv []byte) cipher.Stream
}

var streamModes = []streamMode{
	{"CTR", cipher.NewCTR},
	{"OFB", cipher.NewOFB},
	{"CFB encrypter", cipher.NewCFBEncrypter},
	{"CFB decrypter", cipher.NewCFBDecrypter},
}

func eachStreamMode(t *testing.T, f func(t *testing.T, key []byte, mode streamMode)) {
	eachKey(t, func(t *testing.T, key []byte) {
		for _, mode := range streamModes {
			t.Run(mode.name, func(t *testing.T) { f(t, key, mode) })
		}
	})
}

// Every cut of a text in two, with an IV that overflows after a few blocks, in place and not.
func TestStreams(t *testing.T) {
	eachStreamMode(t, func(t *testing.T, key []byte, mode streamMode) {
		const n = 300
		iv := append(bytes.Repeat([]byte{0xff}, 15), 0xfa)
		memory := cryptotest.Random(1, 2*n)
		for cut := range n + 1 {
			for _, from := range []int{0, n} {
				same(t, key, memory, func(b cipher.Block, m []byte) {
					s := mode.make(b, iv)
					s.XORKeyStream(m[:cut], m[from:][:cut])
					s.XORKeyStream(m[cut:n], m[from:][cut:n])
				})
			}
		}
	})
}

func TestStreamPanics(t *testing.T) {
	eachStreamMode(t, func(t *testing.T, key []byte, mode streamMode) {
		memory := cryptotest.Random(1, 100)
		for n := range 34 {
			same(t, key, memory, func(b cipher.Block, m []byte) { mode.make(b, m[:n]) })
			same(t, key, memory, func(b cipher.Block, m []byte) { mode.make(b, m[:16]).XORKeyStream(m[:n], m[50:70]) })
		}
		for at := range 60 {
			same(t, key, memory, func(b cipher.Block, m []byte) { mode.make(b, m[:16]).XORKeyStream(m[at:], m[30:50]) })
		}
	})
}

// cbc makes the two directions of CBC.
var cbc = []func(b cipher.Block, iv []byte) cipher.BlockMode{cipher.NewCBCEncrypter, cipher.NewCBCDecrypter}

func TestCBC(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		for _, newMode := range cbc {
			const n = 320
			memory := cryptotest.Random(1, 2*n)
			for cut := 0; cut <= n; cut += 16 {
				for _, from := range []int{0, n} {
					same(t, key, memory, func(b cipher.Block, m []byte) {
						mode := newMode(b, key[:16])
						mode.CryptBlocks(m[:cut], m[from:][:cut])
						mode.CryptBlocks(m[cut:n], m[from:][cut:n])
					})
				}
			}
		}
	})
}

func TestCBCPanics(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		for _, newMode := range cbc {
			memory := cryptotest.Random(1, 200)
			for n := range 50 {
				same(t, key, memory, func(b cipher.Block, m []byte) { newMode(b, m[:n]) })
				same(t, key, memory, func(b cipher.Block, m []byte) { newMode(b, m[:16]).CryptBlocks(m[100:], m[:n]) })
				same(t, key, memory, func(b cipher.Block, m []byte) { newMode(b, m[:16]).CryptBlocks(m[:n], m[100:148]) })
			}
			for at := range 120 {
				same(t, key, memory, func(b cipher.Block, m []byte) { newMode(b, m[:16]).CryptBlocks(m[at:], m[60:108]) })
			}
		}
	})
}

// CTR and CBC are as fast as they were: they are the standard library's own for AES.
func TestModesAreStandard(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		iv := key[:16]
		for name, build := range map[string]func(b cipher.Block) any{
			"CTR":           func(b cipher.Block) any { return cipher.NewCTR(b, iv) },
			"CBC encrypter": func(b cipher.Block) any { return cipher.NewCBCEncrypter(b, iv) },
			"CBC decrypter": func(b cipher.Block) any { return cipher.NewCBCDecrypter(b, iv) },
		} {
			got, want := reflect.TypeOf(build(must(gcm.NewCipher(key)))), reflect.TypeOf(build(must(aes.NewCipher(key))))
			if got != want {
				t.Errorf("%s is a %v, want %v", name, got, want)
			}
		}
	})
}

// cipher.NewGCMWithRandomNonce refuses our Block as it refuses any that isn't its own, unless
// percore stands aside.
func TestRandomNonceOfBlock(t *testing.T) {
	eachKey(t, func(t *testing.T, key []byte) {
		block := must(aes.NewCipher(key))
		if percore.Selected().Aside == "" {
			block = struct{ cipher.Block }{block}
		}
		_, want := cipher.NewGCMWithRandomNonce(block)
		aead, err := cipher.NewGCMWithRandomNonce(must(gcm.NewCipher(key)))
		sameError(t, aead, err, want)
		if err == nil && percore.Selected().Aside == "" {
			t.Error("no error")
		}
	})
}

// The method that crypto/cipher calls takes one size that isn't the usual one, not two.
func TestNewGCMMethod(t *testing.T) {
	if percore.Selected().Aside != "" {
		t.Skip("the Block is the standard library's")
	}
	eachKey(t, func(t *testing.T, key []byte) {
		block := must(gcm.NewCipher(key)).(interface {
			NewGCM(nonceSize, tagSize int) (cipher.AEAD, error)
		})
		for _, sizes := range [][2]int{{12, 16}, {13, 16}, {12, 15}, {13, 15}, {0, 16}, {12, 17}} {
			aead, err := block.NewGCM(sizes[0], sizes[1])
			if ok := sizes[0] > 0 && sizes[1] <= 16 && (sizes[0] == 12 || sizes[1] == 16); ok != (err == nil) || ok != (aead != nil) {
				t.Errorf("NewGCM(%d, %d) = %v, %v", sizes[0], sizes[1], aead, err)
			}
		}
	})
}
