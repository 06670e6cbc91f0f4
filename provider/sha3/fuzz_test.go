package sha3_test

import (
	"bytes"
	"hash"
	"testing"

	"github.com/cloudflare/circl/xof"
)

// Any message, cut anywhere, with any of the functions, against the other libraries. The kernel is
// the one that the policy or PERCORE has chosen.
func FuzzHash(f *testing.F) {
	f.Add([]byte("brekeccakkeccak koax koax"), uint16(3), byte(1))
	f.Add(make([]byte, 500), uint16(136), byte(5))
	f.Fuzz(func(t *testing.T, p []byte, cut uint16, which byte) {
		h := fixeds[int(which)%len(fixeds)]
		ours := h.ours()
		k := int(cut) % (len(p) + 1)
		ours.Write(p[:k])
		ours.Sum(nil)
		got := digest(ours, p[k:])
		if want := digest(h.other(), p); !bytes.Equal(got, want) {
			t.Errorf("%s, cut at %d: got %x, want %x", h.name, k, got, want)
		}
	})
}

// Any message and output cut anywhere.
func FuzzXOF(f *testing.F) {
	f.Add([]byte("koax"), uint16(2), uint16(200), uint16(168), byte(0))
	f.Fuzz(func(t *testing.T, p []byte, cut, length, cutOut uint16, which byte) {
		x := extendables[int(which)%len(extendables)]
		ours := x.ours()
		k := int(cut) % (len(p) + 1)
		ours.Write(p[:k])
		ours.Write(p[k:])
		got := make([]byte, length)
		kOut := int(cutOut) % (len(got) + 1)
		ours.Read(got[:kOut])
		ours.Read(got[kOut:])
		if want := output(x.other(), p, len(got)); !bytes.Equal(got, want) {
			t.Errorf("%s, cut at %d and %d: got %x, want %x", x.name, k, kOut, got, want)
		}
		if id, ok := map[string]xof.ID{"SHAKE128": xof.SHAKE128, "SHAKE256": xof.SHAKE256}[x.name]; ok {
			circl := id.New()
			circl.Write(p)
			want := make([]byte, len(got))
			circl.Read(want)
			if !bytes.Equal(got, want) {
				t.Errorf("%s: got %x, circl has %x", x.name, got, want)
			}
		}
	})
}

// Any bytes as a state: crypto/sha3 takes and refuses the same, and goes on alike.
func FuzzUnmarshal(f *testing.F) {
	for i, x := range extendables {
		b, _ := x.other().(interface{ MarshalBinary() ([]byte, error) }).MarshalBinary()
		f.Add(b, byte(i))
	}
	f.Fuzz(func(t *testing.T, state []byte, which byte) {
		x := extendables[int(which)%len(extendables)]
		ours, other := x.ours(), x.other()
		got, want := ours.(marshaler).UnmarshalBinary(state), other.(marshaler).UnmarshalBinary(state)
		if (got == nil) != (want == nil) || got != nil && got.Error() != want.Error() {
			t.Fatalf("%s: error %v, want %v", x.name, got, want)
		}
		if got != nil {
			return
		}
		for _, f := range []hash.XOF{ours, other} {
			recovered(func() { f.Write(state) })
		}
		a, b := make([]byte, 400), make([]byte, 400)
		ours.Read(a)
		other.Read(b)
		if !bytes.Equal(a, b) {
			t.Errorf("%s: got %x, want %x", x.name, a, b)
		}
	})
}
