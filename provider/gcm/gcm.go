// Package gcm encrypts and authenticates with AES-GCM, NIST SP 800-38D, on the kernel that suits the core at hand. [New] stands
// in for aes.NewCipher with cipher.NewGCM; [NewCipher] stands in for aes.NewCipher alone, in code that keeps the rest.
//
// The AEADs behave as those of crypto/cipher do: the same bytes, errors and panics, the same rules
// for buffers that overlap. They can be used from several goroutines at once. Where the choice is
// the kernel std (see percore.Selected) they are those of crypto/cipher.
//
// Sizes are in bytes. One message has at most 2^36 - 32 bytes (section 5.2.1.1), and a nonce must never come twice with one
// key (section 8). Seal panics if the nonce isn't of NonceSize bytes, if the message is too long, and if dst overlaps the
// message otherwise than exactly or the additional data at all; so does Open, but for a message that is too long or too
// short, or isn't authentic: then it returns an error, and has wiped what it wrote of the plaintext.
package gcm

import (
	"crypto/aes"
	"crypto/cipher"

	"percore"
	"percore/internal/asm/aesgcm"
)

// kernel is what this process seals and opens with, or 0 if that is the standard library.
var kernel, _ = aesgcm.Find(percore.Selected().GCM.Kernel)

const (
	blockSize         = 16
	standardNonceSize = 12
	standardTagSize   = 16
	minTagSize        = 12
)

// ours says whether there is an AEAD of ours for such sizes. Wrong ones are left to the standard library, and so to
// its errors; so are a nonce and a tag that both aren't of the standard size, which it has no AEAD for.
func ours(keySize, nonceSize, tagSize int) bool {
	return kernel != 0 && (keySize == 16 || keySize == 24 || keySize == 32) &&
		(nonceSize == standardNonceSize && minTagSize <= tagSize && tagSize <= standardTagSize ||
			nonceSize > 0 && tagSize == standardTagSize)
}

// New returns AES-GCM, SP 800-38D, section 7, with nonces of 12 bytes and tags of 16 bytes, as cipher.NewGCM does. The
// key is of 16, 24 or 32 bytes, for AES-128, AES-192 or AES-256; any other size is an
// [aes.KeySizeError]. In FIPS 140-only mode there is no such AEAD, and New returns
// cipher.NewGCM's error.
func New(key []byte) (cipher.AEAD, error) {
	if ours(len(key), standardNonceSize, standardTagSize) {
		return newAEAD(key, standardNonceSize, standardTagSize), nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// NewWithNonceSize is like [New], with nonces of size bytes (SP 800-38D, section 7.1, step 2), as cipher.NewGCMWithNonceSize
// does. It returns an error if size isn't positive.
//
// Only use it for systems that are bound to nonces of another size: those of 12 bytes are
// faster, and safer than all that are longer.
func NewWithNonceSize(key []byte, size int) (cipher.AEAD, error) {
	if ours(len(key), size, standardTagSize) {
		return newAEAD(key, size, standardTagSize), nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithNonceSize(block, size)
}

// NewWithTagSize is like [New], with tags of tagSize bytes (SP 800-38D, section 5.2.1.2), as cipher.NewGCMWithTagSize does. It
// returns an error if tagSize isn't between 12 and 16.
//
// Only use it for systems that are bound to shorter tags.
func NewWithTagSize(key []byte, tagSize int) (cipher.AEAD, error) {
	if ours(len(key), standardNonceSize, tagSize) {
		return newAEAD(key, standardNonceSize, tagSize), nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return stdWithTagSize(block, tagSize)
}

// NewWithRandomNonce is like [New], with a random nonce of 12 bytes that Seal puts before the
// ciphertext and Open takes from there, as cipher.NewGCMWithRandomNonce does: NonceSize is 0 and
// Overhead 28. The nonces given to Seal and Open must be empty, or they panic.
//
// One key must not seal more than 2^32 messages (SP 800-38D, section 8.3).
func NewWithRandomNonce(key []byte) (cipher.AEAD, error) {
	if ours(len(key), standardNonceSize, standardTagSize) {
		r := &randomNonce{}
		r.key.Init(kernel, key)
		return r, nil
	}
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
