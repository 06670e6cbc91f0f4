// Command before hashes a message with golang.org/x/crypto/sha3.
package main

import (
	"fmt"

	"golang.org/x/crypto/sha3"
)

const message = "the quick brown fox jumps over the lazy dog, again and again"

func main() {
	h := sha3.New256()
	h.Write([]byte(message))
	fmt.Printf("SHA3-256   %x\n", h.Sum(nil))

	k := sha3.NewLegacyKeccak256()
	k.Write([]byte(message))
	fmt.Printf("Keccak-256 %x\n", k.Sum(nil))

	out := make([]byte, 40)
	sha3.ShakeSum128(out, []byte(message))
	fmt.Printf("SHAKE128   %x\n", out)

	x := sha3.NewShake256()
	x.Write([]byte(message))
	x.Read(out)
	fmt.Printf("SHAKE256   %x\n", out)

	c := sha3.NewCShake128(nil, []byte("session"))
	c.Write([]byte(message))
	c.Read(out)
	fmt.Printf("cSHAKE128  %x\n", out)
}
