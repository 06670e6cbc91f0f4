package gcm_test

import (
	"testing"

	"percore/internal/cryptotest"
)

// Any message with any of the constructors, sealed and opened to any place of the memory that
// holds it, with any bit of it flipped. The kernel is the one that the policy or PERCORE has chosen.
func FuzzAEAD(f *testing.F) {
	f.Add([]byte("key"), []byte("a nonce of 12"), []byte("text"), []byte("additional data"), byte(0), byte(0), uint16(0), uint16(0), uint16(0), uint32(0))
	f.Add([]byte(""), []byte("12 bytes now"), make([]byte, 300), make([]byte, 20), byte(1), byte(1), uint16(100), uint16(5), uint16(400), uint32(4000))
	f.Add([]byte(""), []byte(""), make([]byte, 2000), []byte(""), byte(2), byte(4), uint16(250), uint16(9), uint16(9), uint32(1))
	f.Fuzz(func(t *testing.T, keyBytes, nonce, text, aad []byte, keySize, which byte, at, length, room uint16, flip uint32) {
		key := make([]byte, 16+8*(keySize%3))
		copy(key, keyBytes)
		all := constructors([]int{max(1, len(nonce))}, []int{12, 13, 14, 15, 16})
		c := all[int(which)%len(all)]
		want, err := c.std(key)
		if err != nil {
			t.Skip(err)
		}
		ours := must(c.ours(key))
		// As many bytes of nonce as this constructor takes.
		nonce = append(nonce, make([]byte, want.NonceSize())...)[:want.NonceSize()]
		for _, open := range []bool{false, true} {
			call := cryptotest.NewCall(want, open, nonce, text, aad)
			call.Compare(t, ours, want)
			size := len(call.Memory) - 16 // room to spill, see cryptotest.Spills
			call.Dst.At = int(at) % size
			call.Dst.Len = int(length) % (size - call.Dst.At)
			call.Room = int(room) % (size - call.Dst.At - call.Dst.Len)
			call.Memory[int(flip/8)%size] ^= 1 << (flip % 8)
			call.Compare(t, ours, want)
		}
	})
}
