package gcm_test

import (
	"crypto/cipher"
	"crypto/rand"
	"fmt"
	"log"

	"percore/provider/gcm"
)

func ExampleNew() {
	key := make([]byte, 32)
	rand.Read(key)
	aead, err := gcm.New(key)
	if err != nil {
		log.Fatal(err)
	}

	// A nonce must never come twice with the same key.
	nonce := make([]byte, aead.NonceSize())
	rand.Read(nonce)
	sealed := aead.Seal(nil, nonce, []byte("attack at dawn"), []byte("to: Bob"))

	text, err := aead.Open(nil, nonce, sealed, []byte("to: Bob"))
	fmt.Printf("%s, %v\n", text, err)
	text, err = aead.Open(nil, nonce, sealed, []byte("to: Eve"))
	fmt.Printf("%s, %v\n", text, err)
	// Output:
	// attack at dawn, <nil>
	// , cipher: message authentication failed
}

// Code that is written for aes.NewCipher changes in one place.
func ExampleNewCipher() {
	key := make([]byte, 16)
	rand.Read(key)
	block, err := gcm.NewCipher(key) // in place of aes.NewCipher
	if err != nil {
		log.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(block.BlockSize(), aead.NonceSize(), aead.Overhead())
	// Output: 16 12 16
}
