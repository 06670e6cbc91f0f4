package sha3_test

import (
	"bytes"
	"hash"
	"io"
	"testing"

	"github.com/cloudflare/circl/xof"

	"percore/internal/cryptotest"
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

// Any sequence of calls: what has been written, read, cloned, marshalled and reset is what crypto/sha3's and
// golang.org/x/crypto's hashes give after the same, panics included.
func FuzzCalls(f *testing.F) {
	f.Add([]byte{0, 100, 1, 2, 0, 36, 3, 4, 1, 5}, byte(1))
	f.Add([]byte{0, 136, 6, 0, 2, 200, 5, 2, 3, 4, 0, 1}, byte(5))
	f.Add([]byte{3, 0, 255, 2, 168, 2, 1, 4, 5, 2, 9}, byte(9))
	f.Fuzz(func(t *testing.T, calls []byte, which byte) {
		var pairs [][2]io.Writer
		for _, h := range fixeds {
			pairs = append(pairs, [2]io.Writer{h.ours(), h.other()})
		}
		for _, x := range extendables {
			pairs = append(pairs, [2]io.Writer{x.ours(), x.other()})
		}
		pair := pairs[int(which)%len(pairs)]
		data := cryptotest.Seq(256 * 3)
		for len(calls) > 1 && len(calls) < 200 {
			call, n := calls[0]%6, 3*int(calls[1])
			calls = calls[2:]
			var outs [2][]byte
			var panics [2]any
			for i, h := range pair {
				panics[i] = recovered(func() {
					switch call {
					case 0:
						h.Write(data[:n])
					case 1:
						if h, ok := h.(hash.Hash); ok {
							outs[i] = h.Sum(data[: n%7 : n%7])
						}
					case 2:
						if h, ok := h.(io.Reader); ok {
							outs[i] = make([]byte, n)
							h.Read(outs[i])
						}
					case 3:
						h.(interface{ Reset() }).Reset()
					case 4:
						outs[i], _ = h.(marshaler).MarshalBinary()
						h.(marshaler).UnmarshalBinary(outs[i])
					case 5:
						if _, ok := pair[1].(hash.Cloner); ok { // golang.org/x/crypto's isn't
							clone, err := h.(hash.Cloner).Clone()
							if err != nil {
								panic(err)
							}
							h.Write(data[:n])
							pair[i] = clone
						}
					}
				})
			}
			if (panics[0] == nil) != (panics[1] == nil) {
				t.Fatalf("%T, call %d of %d bytes: panic %v, want %v", pair[0], call, n, panics[0], panics[1])
			}
			if panics[0] != nil {
				return
			}
			if !bytes.Equal(outs[0], outs[1]) && (call != 4 || outs[1] != nil) {
				t.Fatalf("%T, call %d of %d bytes: got %x, want %x", pair[0], call, n, outs[0], outs[1])
			}
		}
	})
}

// Any number of messages of any lengths at once, against the other libraries one after the other.
func FuzzBatch(f *testing.F) {
	f.Add(bytes.Repeat([]byte{64}, 40), byte(0), uint16(32), byte(1))
	f.Add(bytes.Repeat([]byte{200, 9, 3}, 11), byte(4), uint16(170), byte(5))
	f.Add([]byte{0, 255, 1, 136}, byte(11), uint16(1), byte(4))
	const most, times = 60, 12
	data := cryptotest.Random(1, most*255*times)
	f.Fuzz(func(t *testing.T, sizes []byte, factor byte, out uint16, which byte) {
		function := batchFunctions[int(which)%len(batchFunctions)]
		sizes = sizes[:min(len(sizes), most)]
		msgs := split(data, len(sizes), func(i int) int { return int(sizes[i]) * (1 + int(factor)%times) })
		size := function.size
		if size == 0 {
			size = int(out) % 600
		}
		function.check(t, split(make([]byte, len(msgs)*size), len(msgs), func(int) int { return size }), msgs)
	})
}
