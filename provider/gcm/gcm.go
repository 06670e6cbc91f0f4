// Package gcm is AES-GCM, NIST SP 800-38D, on the kernel that is fastest on the core at hand.
//
// The AEADs behave as those of crypto/cipher do: the same bytes, errors and panics, the same rules
// for buffers that overlap. They can be used from several goroutines at once. Where the choice is
// the kernel std (see percore.Selected) they are those of crypto/cipher.
package gcm

import (
	"crypto/aes"
	"crypto/cipher"
)

// New returns an AEAD with nonces of 12 bytes and tags of 16 bytes, as cipher.NewGCM does. The
// key is of 16, 24 or 32 bytes, for AES-128, AES-192 or AES-256; any other size is an
// [aes.KeySizeError]. In FIPS 140-only mode there is no such AEAD, and New returns
// cipher.NewGCM's error.
func New(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// NewWithNonceSize is like [New], with nonces of size bytes, as cipher.NewGCMWithNonceSize does. It
// returns an error if size isn't positive.
//
// Only use it for systems that are bound to nonces of another size: those of 12 bytes are
// faster, and safer than all that are longer.
func NewWithNonceSize(key []byte, size int) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithNonceSize(block, size)
}

// NewWithTagSize is like [New], with tags of tagSize bytes, as cipher.NewGCMWithTagSize does. It
// returns an error if tagSize isn't between 12 and 16.
//
// Only use it for systems that are bound to shorter tags.
func NewWithTagSize(key []byte, tagSize int) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithTagSize(block, tagSize)
}

// NewWithRandomNonce is like [New], with a random nonce of 12 bytes that Seal puts before the
// ciphertext and Open takes from there, as cipher.NewGCMWithRandomNonce does: NonceSize is 0 and
// Overhead 28. The nonces given to Seal and Open must be empty, or they panic.
//
// One key must not seal more than 2^32 messages (SP 800-38D, section 8.3).
func NewWithRandomNonce(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
