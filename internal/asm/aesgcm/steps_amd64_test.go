//go:build !purego

package aesgcm

import (
	"bytes"
	"fmt"
	"testing"

	"percore/internal/cryptotest"
)

// No branch, and no address in a kernel, depends on a key, a nonce, a text, additional data, a tag, or on whether the tag is
// right: all calls with the same lengths go through the same instructions. That goes for the counter of a nonce that isn't of
// 12 bytes too, since it is made with H: so the nonces are chosen to give counters about to carry.
func TestConstantTime(t *testing.T) {
	if testing.Short() || cryptotest.Race {
		t.Skip("takes long, and is about the code without the race detector")
	}
	listing := cryptotest.Listing{}
	for name, code := range assembled(t) {
		listing["percore/internal/asm/aesgcm."+name] = code
	}
	eachKernel(t, func(t *testing.T, kernel Kernel) {
		for _, c := range []struct{ key, nonce, text, aad int }{
			{16, 12, 0, 0}, {16, 12, 1, 13}, {16, 12, 300, 70}, {16, 12, 1350, 13}, {16, 7, 100, 0}, {16, 16, 0, 300}, {16, 16, 700, 40},
			{24, 12, 700, 0}, {32, 12, 700, 0},
		} {
			t.Run(fmt.Sprintf("key=%d/nonce=%d/text=%d/aad=%d", 8*c.key, c.nonce, c.text, c.aad), func(t *testing.T) {
				sameSteps(t, listing, kernel, c.key, c.nonce, c.text, c.aad)
			})
		}
	})
}

func sameSteps(t *testing.T, listing cryptotest.Listing, kernel Kernel, keySize, nonceSize, textSize, aadSize int) {
	var k Key
	key, nonce, aad := make([]byte, keySize), make([]byte, nonceSize), make([]byte, aadSize)
	text, sealed, opened := make([]byte, textSize), make([]byte, textSize+16), make([]byte, textSize)
	seal := func() {
		k.Init(kernel, key)
		k.Seal(sealed, nonce, text, aad)
	}
	open := func() { k.Open(opened, nonce, sealed, aad) }
	function := map[Kernel]string{VAES256: "percore/internal/asm/aesgcm.cryptVAES256", VAES512: "percore/internal/asm/aesgcm.cryptVAES512"}[kernel]

	t.Run("Seal", func(t *testing.T) {
		cryptotest.SameSteps(t, listing, function, func(step func(name string, call func())) {
			for i, fill := range fills {
				for _, p := range [][]byte{key, nonce, text, aad} {
					fill(p)
				}
				step(fmt.Sprintf("contents %d", i), seal)
			}
			if nonceSize == 16 {
				inverse := hashKey(key).inverse()
				for _, counter := range counters {
					copy(nonce, nonceFor(inverse, counter))
					step(fmt.Sprintf("counter %#x", counter), seal)
				}
			}
		})
	})
	t.Run("Open", func(t *testing.T) {
		cryptotest.SameSteps(t, listing, function, func(step func(name string, call func())) {
			for i, fill := range fills[1:] {
				for _, p := range [][]byte{key, nonce, text, aad} {
					fill(p)
				}
				seal()
				step(fmt.Sprintf("contents %d", i), open)
			}
			for _, at := range []int{0, 15} {
				sealed[textSize+at] ^= 0x80
				step(fmt.Sprintf("byte %d of the tag wrong", at), open)
			}
			fills[0](sealed[textSize:])
			step("all of the tag wrong", open)
		})
	})
}

// fills are contents of slices that have little in common.
var fills = []func(p []byte){
	func(p []byte) { clear(p) },
	func(p []byte) { copy(p, bytes.Repeat([]byte{0xff}, len(p))) },
	func(p []byte) { copy(p, random(len(p))) },
}

// counters are the last words of J0: of them some carry out of one byte or more with each of the next blocks.
var counters = []uint32{0, 1, 0xfb, 0xff, 0xfffa, 0xffffff, 0xfffffff9, 0xffffffff}
