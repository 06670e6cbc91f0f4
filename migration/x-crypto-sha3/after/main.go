// Command after hashes a message with percore.
package main

import (
	"fmt"

	"percore/provider/sha3"
)

const message = "the quick brown fox jumps over the lazy dog, again and again"

func main() {
	h := sha3.New256()
	h.Write([]byte(message))
	fmt.Printf("SHA3-256   %x\n", h.Sum(nil))

	k := sha3.NewLegacyKeccak256()
	k.Write([]byte(message))
	fmt.Printf("Keccak-256 %x\n", k.Sum(nil))

	out := sha3.SumSHAKE128([]byte(message), 40)
	fmt.Printf("SHAKE128   %x\n", out)

	x := sha3.NewSHAKE256()
	x.Write([]byte(message))
	x.Read(out)
	fmt.Printf("SHAKE256   %x\n", out)

	c := sha3.NewCSHAKE128(nil, []byte("session"))
	c.Write([]byte(message))
	c.Read(out)
	fmt.Printf("cSHAKE128  %x\n", out)
}
