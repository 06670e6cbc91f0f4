// Command before expands a seed with circl.
package main

import (
	"fmt"

	"github.com/cloudflare/circl/xof"
)

func main() {
	x := xof.SHAKE128.New()
	x.Write([]byte("a seed"))
	y := x.Clone()
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
