package provider_test

import (
	"crypto"
	"crypto/hmac"
	"fmt"

	_ "percore/provider"
)

// The import alone makes HMAC run on percore's SHA-3.
func Example() {
	mac := hmac.New(crypto.SHA3_256.New, []byte("a key"))
	mac.Write([]byte("a message"))
	fmt.Printf("%x\n", mac.Sum(nil))
	// Output: 6e26b2a07129ce8f4b08ecefc7847a00fbd8d14d1d539d1fec80afec367d5bae
}
