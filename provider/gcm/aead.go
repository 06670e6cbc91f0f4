package gcm

import (
	"crypto/rand"
	"errors"
	"unsafe"

	"percore/internal/asm/aesgcm"
)

var errOpen = errors.New("cipher: message authentication failed")

// maxPlaintext is the most bytes that a counter of 32 bits suffices for: SP 800-38D, section 5.2.1.1.
const maxPlaintext = (1<<32 - 2) * blockSize

// An aead is AES-GCM on one of our kernels.
type aead struct {
	key       aesgcm.Key
	nonceSize int
	tagSize   int
}

func newAEAD(key []byte, nonceSize, tagSize int) *aead {
	a := &aead{nonceSize: nonceSize, tagSize: tagSize}
	a.key.Init(kernel, key)
	return a
}

func (a *aead) NonceSize() int { return a.nonceSize }

func (a *aead) Overhead() int { return a.tagSize }

func (a *aead) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if len(nonce) != a.nonceSize {
		panic("crypto/cipher: incorrect nonce length given to GCM")
	}
	if uint64(len(plaintext)) > maxPlaintext {
		panic("crypto/cipher: message too large for GCM")
	}
	ret, out := extend(dst, len(plaintext)+a.tagSize)
	if inexact(out, plaintext) {
		panic(overlapInput)
	}
	if overlap(out, additionalData) {
		panic(overlapData)
	}
	a.key.Seal(out, nonce, plaintext, additionalData)
	return ret
}

func (a *aead) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(nonce) != a.nonceSize {
		panic("crypto/cipher: incorrect nonce length given to GCM")
	}
	if len(ciphertext) < a.tagSize || uint64(len(ciphertext)) > maxPlaintext+uint64(a.tagSize) {
		return nil, errOpen
	}
	ret, out := extend(dst, len(ciphertext)-a.tagSize)
	if inexact(out, ciphertext) {
		panic(overlapInput)
	}
	if overlap(out, additionalData) {
		panic(overlapData)
	}
	if !a.key.Open(out, nonce, ciphertext, additionalData) {
		clear(out) // nobody may see what isn't authentic
		return nil, errOpen
	}
	return ret, nil
}

// A randomNonce is AES-GCM that chooses its nonces, and puts them before the ciphertext.
type randomNonce struct {
	key aesgcm.Key
}

func (*randomNonce) NonceSize() int { return 0 }

func (*randomNonce) Overhead() int { return standardNonceSize + standardTagSize }

func (r *randomNonce) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	if len(nonce) != 0 {
		panic("crypto/cipher: non-empty nonce passed to GCMWithRandomNonce")
	}
	if uint64(len(plaintext)) > maxPlaintext {
		panic("crypto/cipher: message too large for GCM")
	}
	ret, out := extend(dst, standardNonceSize+len(plaintext)+standardTagSize)
	if inexact(out, plaintext) {
		panic(overlapInput)
	}
	if overlap(out, additionalData) {
		panic(overlapData)
	}
	nonce, out = out[:standardNonceSize], out[standardNonceSize:]
	if overlap(ret[len(dst):], plaintext) {
		// In place, which is not where the ciphertext goes: the nonce stands there.
		copy(out, plaintext)
		plaintext = out[:len(plaintext)]
	}
	rand.Read(nonce)
	r.key.Seal(out, nonce, plaintext, additionalData)
	return ret
}

func (r *randomNonce) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(nonce) != 0 {
		panic("crypto/cipher: non-empty nonce passed to GCMWithRandomNonce")
	}
	if len(ciphertext) < r.Overhead() || uint64(len(ciphertext)) > maxPlaintext+uint64(r.Overhead()) {
		return nil, errOpen
	}
	ret, out := extend(dst, len(ciphertext)-r.Overhead())
	if inexact(out, ciphertext) {
		panic(overlapInput)
	}
	if overlap(out, additionalData) {
		panic(overlapData)
	}
	nonce, sealed := ciphertext[:standardNonceSize], ciphertext[standardNonceSize:]
	if overlap(out, ciphertext) {
		// In place: move the ciphertext to where the plaintext goes. Like crypto/cipher, panic if dst
		// hasn't the capacity for it.
		nonce = append(make([]byte, 0, standardNonceSize), nonce...)
		sealed = out[:len(ciphertext)][:copy(out[:len(ciphertext)], sealed)]
	}
	if !r.key.Open(out, nonce, sealed, additionalData) {
		clear(out)
		return nil, errOpen
	}
	return ret, nil
}

// extend returns dst with n bytes more, and these bytes. It allocates if there is no room.
func extend(dst []byte, n int) (whole, more []byte) {
	if size := len(dst) + n; size <= cap(dst) {
		whole = dst[:size]
	} else {
		whole = make([]byte, size)
		copy(whole, dst)
	}
	return whole, whole[len(dst):]
}

// The panics of crypto/cipher where what is written overlaps what is read.
const (
	overlapInput = "crypto/cipher: invalid buffer overlap of output and input"
	overlapData  = "crypto/cipher: invalid buffer overlap of output and additional data"
)

// inexact returns whether x and y share memory and don't start at the same byte.
func inexact(x, y []byte) bool { return overlap(x, y) && &x[0] != &y[0] }

// overlap returns whether x and y share memory.
func overlap(x, y []byte) bool {
	return len(x) > 0 && len(y) > 0 &&
		uintptr(unsafe.Pointer(&x[0])) <= uintptr(unsafe.Pointer(&y[len(y)-1])) &&
		uintptr(unsafe.Pointer(&y[0])) <= uintptr(unsafe.Pointer(&x[len(x)-1]))
}
