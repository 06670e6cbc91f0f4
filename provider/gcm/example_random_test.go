//go:build !boringcrypto

package gcm_test

import (
	"crypto/rand"
	"fmt"
	"log"

	"percore/provider/gcm"
)

// Where nobody keeps count of nonces, Seal can choose them.
func ExampleNewWithRandomNonce() {
	key := make([]byte, 32)
	rand.Read(key)
	aead, err := gcm.NewWithRandomNonce(key)
	if err != nil {
		log.Fatal(err)
	}
	sealed := aead.Seal(nil, nil, []byte("attack at dawn"), nil)
	text, err := aead.Open(nil, nil, sealed, nil)
	fmt.Printf("%s, %v, %d bytes more\n", text, err, len(sealed)-len(text))
	// Output: attack at dawn, <nil>, 28 bytes more
}
