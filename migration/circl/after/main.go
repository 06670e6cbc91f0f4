// Command after expands a seed with percore.
package main

import (
	"fmt"

	"percore/provider/sha3"
)

func main() {
	x := sha3.NewSHAKE128()
	x.Write([]byte("a seed"))
	y := clone(x)
	y.Write([]byte(", and more"))

	out := make([]byte, 200)
	x.Read(out)
	fmt.Printf("%x\n", out)
	y.Read(out)
	fmt.Printf("%x\n", out)

	x.Reset()
	x.Write([]byte("another seed"))
	x.Read(out[:16])
	fmt.Printf("%x\n", out[:16])
}

// clone copies x by way of its state, as with crypto/sha3, whose SHAKE has no Clone either.
func clone(x *sha3.SHAKE) *sha3.SHAKE {
	state, err := x.MarshalBinary()
	if err != nil {
		panic(err)
	}
	y := sha3.NewSHAKE128()
	if err := y.UnmarshalBinary(state); err != nil {
		panic(err)
	}
	return y
}
