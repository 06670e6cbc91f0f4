package gcm

import (
	"crypto/aes"
	"crypto/cipher"
	"errors"

	"percore"
)

// NewCipher returns an AES block cipher, FIPS 197, as aes.NewCipher does. The key is of 16, 24 or
// 32 bytes, for AES-128, AES-192 or AES-256; any other size is an [aes.KeySizeError].
//
// With the result, cipher.NewGCM, cipher.NewGCMWithNonceSize and cipher.NewGCMWithTagSize return
// the AEADs of this package, and CTR and CBC are those of the standard library.
//
// cipher.NewGCMWithRandomNonce takes only the result of aes.NewCipher and returns an error for any
// other: use [NewWithRandomNonce] instead. In FIPS 140 mode and with a boringcrypto toolchain the
// result is that of aes.NewCipher.
func NewCipher(key []byte) (cipher.Block, error) {
	std, err := aes.NewCipher(key)
	if err != nil || percore.Selected().Aside != "" {
		return std, err
	}
	b := &block{Block: std}
	b.key = append(b.keyArray[:0], key...)
	return b, nil
}

// A block has the methods that crypto/cipher looks for in a Block that it doesn't know.
type block struct {
	cipher.Block // from aes.NewCipher

	key      []byte // for our AEADs
	keyArray [32]byte
}

// NewGCM is called by cipher.NewGCM and its siblings. It returns their errors.
func (b *block) NewGCM(nonceSize, tagSize int) (cipher.AEAD, error) {
	switch {
	case ours(len(b.key), nonceSize, tagSize):
		return newAEAD(b.key, nonceSize, tagSize), nil
	case tagSize == standardTagSize:
		return cipher.NewGCMWithNonceSize(b.Block, nonceSize)
	case nonceSize == standardNonceSize:
		return stdWithTagSize(b.Block, tagSize)
	}
	return nil, errors.New("gcm: the nonce is of 12 bytes or the tag of 16")
}

// NewCTR is called by cipher.NewCTR.
func (b *block) NewCTR(iv []byte) cipher.Stream { return cipher.NewCTR(b.Block, iv) }

// NewCBCEncrypter is called by cipher.NewCBCEncrypter.
func (b *block) NewCBCEncrypter(iv []byte) cipher.BlockMode {
	return cipher.NewCBCEncrypter(b.Block, iv)
}

// NewCBCDecrypter is called by cipher.NewCBCDecrypter.
func (b *block) NewCBCDecrypter(iv []byte) cipher.BlockMode {
	return cipher.NewCBCDecrypter(b.Block, iv)
}
