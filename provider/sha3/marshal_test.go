package sha3_test

import (
	"bytes"
	stdsha3 "crypto/sha3"
	"encoding"
	"fmt"
	"hash"
	"testing"

	"percore/internal/cryptotest"
	"percore/provider/sha3"
)

type marshaler interface {
	encoding.BinaryMarshaler
	encoding.BinaryAppender
	encoding.BinaryUnmarshaler
}

// States of hashes, at every fill of the block, cross-load both ways and are the same bytes.
func TestMarshalHash(t *testing.T) {
	p := cryptotest.Random(6, 600)
	eachFixed(t, func(t *testing.T, h fixed) {
		want := digest(h.other(), p)
		for n := range 300 {
			ours, other := h.ours(), h.other()
			ours.Write(p[:n])
			other.Write(p[:n])
			ourState, otherState := state(t, ours), state(t, other)
			if !bytes.Equal(ourState, otherState) {
				t.Fatalf("state after %d bytes:\ngot  %x\nwant %x", n, ourState, otherState)
			}
			ours, other = h.ours(), h.other()
			ours.Write([]byte("to be overwritten"))
			load(t, ours, otherState)
			load(t, other, ourState)
			if got := digest(ours, p[n:]); !bytes.Equal(got, want) {
				t.Fatalf("ours, loaded after %d bytes: got %x, want %x", n, got, want)
			}
			if got := digest(other, p[n:]); !bytes.Equal(got, want) {
				t.Fatalf("theirs, loaded after %d bytes: got %x, want %x", n, got, want)
			}
		}
	})
}

// The same for extendable output functions, also while they squeeze.
func TestMarshalXOF(t *testing.T) {
	eachExtendable(t, func(t *testing.T, x extendable) {
		for n := range 400 {
			for _, squeezing := range []bool{false, true} {
				ours, other := x.ours(), x.other()
				for _, f := range []hash.XOF{ours, other} {
					if squeezing {
						f.Write(cryptotest.Seq(77))
						f.Read(make([]byte, n))
					} else {
						f.Write(cryptotest.Seq(n))
					}
				}
				ourState, otherState := state(t, ours), state(t, other)
				if !bytes.Equal(ourState, otherState) {
					t.Fatalf("state at %d, squeezing %v:\ngot  %x\nwant %x", n, squeezing, ourState, otherState)
				}
				want := make([]byte, 300)
				other.Read(want)
				got := make([]byte, 300)
				ours, other = x.ours(), x.other()
				load(t, ours, otherState)
				ours.Read(got)
				if !bytes.Equal(got, want) {
					t.Fatalf("ours, loaded at %d, squeezing %v: got %x, want %x", n, squeezing, got, want)
				}
				load(t, other, ourState)
				other.Read(got)
				if !bytes.Equal(got, want) {
					t.Fatalf("theirs, loaded at %d, squeezing %v: got %x, want %x", n, squeezing, got, want)
				}
				// Reset goes back to N and S as loaded.
				ours.Reset()
				other.Reset()
				if got, want := output(ours, nil, 32), output(other, nil, 32); !bytes.Equal(got, want) {
					t.Fatalf("after Reset: got %x, want %x", got, want)
				}
			}
		}
	})
}

// cSHAKE takes N and S from the state.
func TestMarshalOtherPrefix(t *testing.T) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		from := stdsha3.NewCSHAKE128([]byte("another N"), []byte("another S"))
		from.Write(cryptotest.Seq(500))
		to := sha3.NewCSHAKE128([]byte("N"), []byte("S"))
		load(t, to, state(t, from))
		to.Reset()
		from.Reset()
		if got, want := output(to, cryptotest.Seq(9), 99), output(from, cryptotest.Seq(9), 99); !bytes.Equal(got, want) {
			t.Errorf("got %x, want %x", got, want)
		}
	})
}

// Wrong states give the standard library's errors and change nothing.
func TestUnmarshalErrors(t *testing.T) {
	eachExtendable(t, func(t *testing.T, x extendable) {
		good := state(t, x.other())
		const rate, n, direction = 4, 205, 206
		mutate := func(at int, to byte) []byte {
			b := bytes.Clone(good)
			b[at] = to
			return b
		}
		bad := [][]byte{nil, good[:1], good[:206], mutate(0, 'S'), mutate(3, 0x0c), mutate(rate, 200), mutate(rate, 0),
			mutate(n, good[rate]+1), mutate(n, 255), mutate(direction, 2), mutate(direction, 255)}
		if _, ok := x.ours().(*sha3.Keccak); ok {
			bad = append(bad, append(bytes.Clone(good), 1))
		}
		for _, f := range extendables {
			if f.name[:4] != x.name[:4] || f.ours().BlockSize() != x.ours().BlockSize() {
				bad = append(bad, state(t, f.other()))
			}
		}
		for _, b := range bad {
			ours := x.ours()
			ours.Write(cryptotest.Seq(5))
			before := state(t, ours)
			got, want := ours.(marshaler).UnmarshalBinary(b), x.other().(marshaler).UnmarshalBinary(b)
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Errorf("%x: error %v, want %v", b, got, want)
			}
			if got != nil && !bytes.Equal(state(t, ours), before) {
				t.Errorf("%x: the state changed in spite of the error", b)
			}
		}
		// A full block is a state of its own on some machines.
		full := mutate(n, good[rate])
		ours, other := x.ours(), x.other()
		load(t, ours, full)
		load(t, other, full)
		ours.Write(nil)
		other.Write(nil)
		if got, want := output(ours, cryptotest.Seq(1), 32), output(other, cryptotest.Seq(1), 32); !bytes.Equal(got, want) {
			t.Errorf("after a full block: got %x, want %x", got, want)
		}
		load(t, ours, full)
		load(t, other, full)
		if got, want := output(ours, nil, 32), output(other, nil, 32); !bytes.Equal(got, want) {
			t.Errorf("ending with a full block: got %x, want %x", got, want)
		}
	})
}

// state marshals v and checks that both ways of doing so agree.
func state(t *testing.T, v any) []byte {
	t.Helper()
	b, err := v.(marshaler).MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	appended, err := v.(marshaler).AppendBinary([]byte("prefix"))
	if err != nil {
		t.Fatal(err)
	}
	if string(appended) != "prefix"+string(b) {
		t.Fatalf("AppendBinary gave %x, MarshalBinary %x", appended, b)
	}
	return b
}

func load(t *testing.T, v any, b []byte) {
	t.Helper()
	if err := v.(marshaler).UnmarshalBinary(b); err != nil {
		t.Fatal(err)
	}
}
