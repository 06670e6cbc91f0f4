//go:build !go1.27

package gcm

import (
	"crypto/cipher"

	"percore"
)

// stdWithTagSize is cipher.NewGCMWithTagSize without what golang/go 80288 says of Go 1.26: with a tag of less than 16
// bytes, Seal writes zeros behind its result and Open reads behind the ciphertext.
func stdWithTagSize(block cipher.Block, tagSize int) (cipher.AEAD, error) {
	std, err := cipher.NewGCMWithTagSize(block, tagSize)
	if err != nil || tagSize == standardTagSize || percore.Selected().Aside != "" {
		return std, err
	}
	return shortTag{std}, nil
}

// A shortTag gives the standard library's AEAD room for as many bytes as the tag lacks.
type shortTag struct{ cipher.AEAD }

func (a shortTag) lacks() int { return standardTagSize - a.Overhead() }

func (a shortTag) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	n := len(plaintext) + a.Overhead()
	if end := len(dst) + n; end+a.lacks() <= cap(dst) {
		behind := dst[end : end+a.lacks()]
		var before [standardTagSize - minTagSize]byte
		copy(before[:], behind)
		ret := a.AEAD.Seal(dst, nonce, plaintext, additionalData)
		copy(behind, before[:])
		return ret
	}
	sealed := a.AEAD.Seal(make([]byte, 0, n+a.lacks()), nonce, plaintext, additionalData)
	ret, out := extend(dst, n)
	if inexact(out, plaintext) {
		panic(overlapInput)
	}
	if overlap(out, additionalData) {
		panic(overlapData)
	}
	copy(out, sealed)
	return ret
}

func (a shortTag) Open(dst, nonce, ciphertext, additionalData []byte) ([]byte, error) {
	if len(ciphertext)+a.lacks() <= cap(ciphertext) {
		return a.AEAD.Open(dst, nonce, ciphertext, additionalData)
	}
	roomy := append(make([]byte, 0, len(ciphertext)+a.lacks()), ciphertext...)
	if n := len(ciphertext) - a.Overhead(); n >= 0 && len(dst)+n <= cap(dst) && inexact(dst[len(dst):len(dst)+n], ciphertext) {
		panic(overlapInput)
	}
	return a.AEAD.Open(dst, nonce, roomy, additionalData)
}
