//go:build go1.27

package gcm

import "crypto/cipher"

// stdWithTagSize is for what releases of Go before 1.27 do: see there.
func stdWithTagSize(block cipher.Block, tagSize int) (cipher.AEAD, error) {
	return cipher.NewGCMWithTagSize(block, tagSize)
}
