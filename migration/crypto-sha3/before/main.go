// Command before hashes and authenticates a message with crypto/sha3.
package main

import (
	"crypto/hmac"
	"crypto/sha3"
	"fmt"
	"hash"
	"io"
	"strings"
)

const message = "the quick brown fox jumps over the lazy dog, again and again"

func main() {
	fmt.Printf("SHA3-256 %x\n", sha3.Sum256([]byte(message)))

	h := sha3.New512()
	io.Copy(h, strings.NewReader(message))
	fmt.Printf("SHA3-512 %x\n", h.Sum(nil))

	mac := hmac.New(func() hash.Hash { return sha3.New256() }, []byte("key"))
	mac.Write([]byte(message))
	fmt.Printf("HMAC     %x\n", mac.Sum(nil))

	fmt.Printf("SHAKE128 %x\n", sha3.SumSHAKE128([]byte(message), 40))

	x := sha3.NewCSHAKE256(nil, []byte("session"))
	x.Write([]byte(message))
	key := make([]byte, 32)
	x.Read(key)
	fmt.Printf("cSHAKE   %x\n", key)
}
