// Command before seals and opens a message with crypto/aes and crypto/cipher.
package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"log"
)

func newAEAD(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

func main() {
	// The same bytes at each run, so that the output can be compared. A real key is random.
	key := bytes.Repeat([]byte{7}, 32)
	aead, err := newAEAD(key)
	if err != nil {
		log.Fatal(err)
	}

	nonce := make([]byte, aead.NonceSize()) // a real one never comes twice
	sealed := aead.Seal(nil, nonce, []byte("attack at dawn"), []byte("to: Bob"))
	fmt.Printf("%x\n", sealed)

	text, err := aead.Open(nil, nonce, sealed, []byte("to: Bob"))
	fmt.Printf("%s, %v\n", text, err)
	_, err = aead.Open(nil, nonce, sealed, []byte("to: Eve"))
	fmt.Println(err)
	_, err = newAEAD(key[:31])
	fmt.Println(err)
}
