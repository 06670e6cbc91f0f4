package sha3_test

import (
	"bytes"
	stdsha3 "crypto/sha3"
	"fmt"
	"hash"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/cloudflare/circl/xof"
	xsha3 "golang.org/x/crypto/sha3"

	"percore/internal/cryptotest"
	"percore/provider/sha3"
)

// A fixed is a hash function here and, from somebody else, the same.
type fixed struct {
	name  string
	ours  func() hash.Hash
	other func() hash.Hash
	sum   func([]byte) []byte // one shot, ours; nil if there is none
}

var fixeds = []fixed{
	{"SHA3-224", func() hash.Hash { return sha3.New224() }, func() hash.Hash { return stdsha3.New224() },
		func(p []byte) []byte { d := sha3.Sum224(p); return d[:] }},
	{"SHA3-256", func() hash.Hash { return sha3.New256() }, func() hash.Hash { return stdsha3.New256() },
		func(p []byte) []byte { d := sha3.Sum256(p); return d[:] }},
	{"SHA3-384", func() hash.Hash { return sha3.New384() }, func() hash.Hash { return stdsha3.New384() },
		func(p []byte) []byte { d := sha3.Sum384(p); return d[:] }},
	{"SHA3-512", func() hash.Hash { return sha3.New512() }, func() hash.Hash { return stdsha3.New512() },
		func(p []byte) []byte { d := sha3.Sum512(p); return d[:] }},
	{"SHA3-zero", func() hash.Hash { return new(sha3.SHA3) }, func() hash.Hash { return new(stdsha3.SHA3) }, nil},
	{"Keccak-256", func() hash.Hash { return sha3.NewLegacyKeccak256() }, xsha3.NewLegacyKeccak256,
		func(p []byte) []byte { d := sha3.SumLegacyKeccak256(p); return d[:] }},
	{"Keccak-512", func() hash.Hash { return sha3.NewLegacyKeccak512() }, xsha3.NewLegacyKeccak512, nil},
	{"Keccak-zero", func() hash.Hash { return new(sha3.Keccak) }, xsha3.NewLegacyKeccak256, nil},
}

// An extendable is an extendable output function here and, from somebody else, the same.
type extendable struct {
	name  string
	ours  func() hash.XOF
	other func() hash.XOF
	sum   func(p []byte, n int) []byte // one shot, ours; nil if there is none
}

var extendables = []extendable{
	{"SHAKE128", func() hash.XOF { return sha3.NewSHAKE128() }, func() hash.XOF { return stdsha3.NewSHAKE128() }, sha3.SumSHAKE128},
	{"SHAKE256", func() hash.XOF { return sha3.NewSHAKE256() }, func() hash.XOF { return stdsha3.NewSHAKE256() }, sha3.SumSHAKE256},
	{"SHAKE-zero", func() hash.XOF { return new(sha3.SHAKE) }, func() hash.XOF { return new(stdsha3.SHAKE) }, nil},
	{"cSHAKE128", func() hash.XOF { return sha3.NewCSHAKE128([]byte("N"), []byte("custom")) },
		func() hash.XOF { return stdsha3.NewCSHAKE128([]byte("N"), []byte("custom")) }, nil},
	{"cSHAKE256", func() hash.XOF { return sha3.NewCSHAKE256([]byte("N"), []byte("custom")) },
		func() hash.XOF { return stdsha3.NewCSHAKE256([]byte("N"), []byte("custom")) }, nil},
	{"cSHAKE128-empty", func() hash.XOF { return sha3.NewCSHAKE128(nil, nil) }, func() hash.XOF { return stdsha3.NewCSHAKE128(nil, nil) }, nil},
	{"cSHAKE256-empty", func() hash.XOF { return sha3.NewCSHAKE256(nil, nil) }, func() hash.XOF { return stdsha3.NewCSHAKE256(nil, nil) }, nil},
	{"Keccak-256", func() hash.XOF { return sha3.NewLegacyKeccak256() }, func() hash.XOF { return xsha3.NewLegacyKeccak256().(hash.XOF) }, nil},
	{"Keccak-512", func() hash.XOF { return sha3.NewLegacyKeccak512() }, func() hash.XOF { return xsha3.NewLegacyKeccak512().(hash.XOF) }, nil},
}

func eachFixed(t *testing.T, f func(t *testing.T, h fixed)) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for _, h := range fixeds {
			t.Run(h.name, func(t *testing.T) { f(t, h) })
		}
	})
}

func eachExtendable(t *testing.T, f func(t *testing.T, x extendable)) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for _, x := range extendables {
			t.Run(x.name, func(t *testing.T) { f(t, x) })
		}
	})
}

func digest(h hash.Hash, p []byte) []byte {
	h.Write(p)
	return h.Sum(nil)
}

func output(x hash.XOF, p []byte, n int) []byte {
	x.Write(p)
	out := make([]byte, n)
	x.Read(out)
	return out
}

func TestEveryLength(t *testing.T) {
	p := cryptotest.Random(1, 1500)
	eachFixed(t, func(t *testing.T, h fixed) {
		for n := range p {
			want := digest(h.other(), p[:n])
			if got := digest(h.ours(), p[:n]); !bytes.Equal(got, want) {
				t.Fatalf("%d bytes: got %x, want %x", n, got, want)
			}
			if h.sum == nil {
				continue
			}
			if got := h.sum(p[:n]); !bytes.Equal(got, want) {
				t.Fatalf("%d bytes in one shot: got %x, want %x", n, got, want)
			}
		}
	})
}

func TestEveryLengthXOF(t *testing.T) {
	p := cryptotest.Random(2, 700)
	eachExtendable(t, func(t *testing.T, x extendable) {
		for n := range p {
			for _, length := range []int{0, 1, 32, 135, 136, 137, 167, 168, 169, 600, n} {
				want := output(x.other(), p[:n], length)
				if got := output(x.ours(), p[:n], length); !bytes.Equal(got, want) {
					t.Fatalf("%d bytes in, %d out: got %x, want %x", n, length, got, want)
				}
				if x.sum == nil {
					continue
				}
				if got := x.sum(p[:n], length); !bytes.Equal(got, want) {
					t.Fatalf("%d bytes in, %d out in one shot: got %x, want %x", n, length, got, want)
				}
			}
		}
	})
}

// The same input in pieces, at every alignment, with sums taken on the way.
func TestPieces(t *testing.T) {
	p := cryptotest.Random(3, 64+3000)
	eachFixed(t, func(t *testing.T, h fixed) {
		r := rand.New(rand.NewPCG(4, 4))
		for offset := range 64 {
			ours, other := h.ours(), h.other()
			for p := p[offset:]; len(p) > 0; {
				n := min(len(p), r.IntN(1+r.IntN(400)))
				if k, err := ours.Write(p[:n]); k != n || err != nil {
					t.Fatalf("Write of %d bytes = %d, %v", n, k, err)
				}
				other.Write(p[:n])
				p = p[n:]
				prefix := cryptotest.Seq(n % 5)
				if got, want := ours.Sum(prefix), other.Sum(prefix); !bytes.Equal(got, want) {
					t.Fatalf("offset %d, %d bytes left: got %x, want %x", offset, len(p), got, want)
				}
			}
			ours.Reset()
			other.Reset()
			if got, want := digest(ours, p[:offset]), digest(other, p[:offset]); !bytes.Equal(got, want) {
				t.Fatalf("after Reset: got %x, want %x", got, want)
			}
		}
	})
}

// Output read in pieces of every size, and after Reset.
func TestReadPieces(t *testing.T) {
	const total = 1000
	eachExtendable(t, func(t *testing.T, x extendable) {
		want := output(x.other(), cryptotest.Seq(1000), total)
		ours := x.ours()
		for size := 1; size <= 400; size++ {
			ours.Reset()
			ours.Write(cryptotest.Seq(1000))
			var got []byte
			for len(got) < total {
				piece := make([]byte, min(size, total-len(got)))
				if n, err := ours.Read(piece); n != len(piece) || err != nil {
					t.Fatalf("Read of %d bytes = %d, %v", len(piece), n, err)
				}
				got = append(got, piece...)
				ours.Read(nil)
			}
			if !bytes.Equal(got, want) {
				t.Fatalf("pieces of %d bytes: got %x, want %x", size, got, want)
			}
		}
	})
}

// Against circl, which shares no code with crypto/sha3.
func TestCircl(t *testing.T) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for n := range 500 {
			p := cryptotest.Random(uint64(n), n)
			for _, x := range []struct {
				name string
				ours func() *sha3.SHAKE
				id   xof.ID
			}{{"SHAKE128", sha3.NewSHAKE128, xof.SHAKE128}, {"SHAKE256", sha3.NewSHAKE256, xof.SHAKE256}} {
				want := make([]byte, 500)
				circl := x.id.New()
				circl.Write(p)
				circl.Read(want)
				if got := output(x.ours(), p, 500); !bytes.Equal(got, want) {
					t.Fatalf("%s of %d bytes: got %x, circl has %x", x.name, n, got, want)
				}
			}
		}
	})
}

func TestVectors(t *testing.T) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		check := func(name string, got []byte, want string) {
			t.Helper()
			if fmt.Sprintf("%x", got) != want {
				t.Errorf("%s: got %x, want %s", name, got, want)
			}
		}
		// A custom string that ends with the block took an extra block elsewhere (tiny-keccak 63).
		check("cSHAKE128, S of 161 zeros", output(sha3.NewCSHAKE128(nil, make([]byte, 161)), []byte("hello"), 32),
			"dea803c5fcfd9d31669f57888e7d45ee9942823a009a185f28ae787183734083")
		check("cSHAKE256, S of 129 zeros", output(sha3.NewCSHAKE256(nil, make([]byte, 129)), []byte("hello"), 32),
			"9e17982a0449bcee6acdaef9e8ca73d3f7e64c4742e9b33424b61cbe6be56194")
		// The block after the first was skipped elsewhere (RUSTSEC-2026-0074).
		check("SHAKE128(cryptotest.Seq(1000)), bytes 168 to 175", output(sha3.NewSHAKE128(), cryptotest.Seq(1000), 176)[168:], "be9464db167a63b8")
		// Published by Ethereum: the hash of nothing.
		check("Keccak-256 of nothing", digest(sha3.NewLegacyKeccak256(), nil),
			"c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470")
	})
}

// N and S of every length around the block.
func TestCSHAKEPrefix(t *testing.T) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for n := range 180 {
			for _, s := range []int{0, 1, 100, 129, 130, 161, 162, 180 - n, 400} {
				N, S := cryptotest.Seq(n), cryptotest.Seq(s)
				for _, x := range []struct{ ours, other hash.XOF }{
					{sha3.NewCSHAKE128(N, S), stdsha3.NewCSHAKE128(N, S)},
					{sha3.NewCSHAKE256(N, S), stdsha3.NewCSHAKE256(N, S)},
				} {
					if got, want := output(x.ours, N, 200), output(x.other, N, 200); !bytes.Equal(got, want) {
						t.Fatalf("N of %d bytes, S of %d: got %x, want %x", n, s, got, want)
					}
					x.ours.Reset()
					x.other.Reset()
					if got, want := output(x.ours, S, 200), output(x.other, S, 200); !bytes.Equal(got, want) {
						t.Fatalf("N of %d bytes, S of %d, after Reset: got %x, want %x", n, s, got, want)
					}
				}
			}
		}
	})
}

func TestSizes(t *testing.T) {
	eachFixed(t, func(t *testing.T, h fixed) {
		ours, other := h.ours(), h.other()
		if ours.Size() != other.Size() || ours.BlockSize() != other.BlockSize() {
			t.Errorf("Size, BlockSize = %d, %d, want %d, %d", ours.Size(), ours.BlockSize(), other.Size(), other.BlockSize())
		}
	})
	eachExtendable(t, func(t *testing.T, x extendable) {
		if ours, other := x.ours(), x.other(); ours.BlockSize() != other.BlockSize() {
			t.Errorf("BlockSize = %d, want %d", ours.BlockSize(), other.BlockSize())
		}
	})
}

// Sum appends: within the capacity given and beyond it.
func TestSumAppends(t *testing.T) {
	eachFixed(t, func(t *testing.T, h fixed) {
		ours := h.ours()
		ours.Write([]byte{0xcc})
		want := digest(h.other(), []byte{0xcc})
		for _, capacity := range []int{3, 3 + len(want) - 1, 3 + len(want), 200} {
			buf := make([]byte, 3, capacity)
			backing := buf[:capacity]
			got := ours.Sum(buf)
			if !bytes.Equal(got, append(make([]byte, 3), want...)) {
				t.Errorf("capacity %d: got %x, want 000000%x", capacity, got, want)
			}
			if fits := capacity >= len(got); fits != (&backing[0] == &got[0]) {
				t.Errorf("capacity %d: reallocated = %v", capacity, fits)
			}
		}
	})
}

// A clone and its original go separate ways, and so do copies of the value.
func TestClone(t *testing.T) {
	eachFixed(t, func(t *testing.T, h fixed) {
		p := cryptotest.Random(5, 1000)
		for n := 0; n < len(p); n += 7 {
			original := h.ours()
			original.Write(p[:n])
			clone, err := original.(hash.Cloner).Clone()
			if err != nil {
				t.Fatal(err)
			}
			original.Write([]byte("something else"))
			if got, want := digest(clone, p[n:]), digest(h.other(), p); !bytes.Equal(got, want) {
				t.Fatalf("clone after %d bytes: got %x, want %x", n, got, want)
			}
			if got, want := original.Sum(nil), digest(h.other(), append(p[:n:n], "something else"...)); !bytes.Equal(got, want) {
				t.Fatalf("original after a clone at %d bytes: got %x, want %x", n, got, want)
			}
		}
	})
	t.Run("copy", func(t *testing.T) {
		original := sha3.New256()
		original.Write(cryptotest.Seq(200))
		c := *original
		c.Write([]byte("more"))
		if got, want := original.Sum(nil), digest(stdsha3.New256(), cryptotest.Seq(200)); !bytes.Equal(got, want) {
			t.Errorf("got %x, want %x", got, want)
		}
	})
}

// recovered returns what f panics with.
func recovered(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return nil
}

func TestPanics(t *testing.T) {
	eachExtendable(t, func(t *testing.T, x extendable) {
		for name, op := range map[string]func(x hash.XOF){
			"Write":       func(x hash.XOF) { x.Read(nil); x.Write(cryptotest.Seq(1)) },
			"empty Write": func(x hash.XOF) { x.Read(nil); x.Write(nil) },
			"io.Copy":     func(x hash.XOF) { x.Read(make([]byte, 500)); io.Copy(x, bytes.NewReader(cryptotest.Seq(9))) },
			"Sum": func(x hash.XOF) {
				x.Read(nil)
				if h, ok := x.(hash.Hash); ok {
					h.Sum(nil)
				}
			},
		} {
			got, want := recovered(func() { op(x.ours()) }), recovered(func() { op(x.other()) })
			if got != want {
				t.Errorf("%s after Read: panic %v, want %v", name, got, want)
			}
			if got == nil && name != "Sum" {
				t.Errorf("%s after Read: no panic", name)
			}
		}
	})
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		got := fmt.Sprint(recovered(func() { sha3.SumSHAKE128(nil, -1) }))
		if want := fmt.Sprint(recovered(func() { stdsha3.SumSHAKE128(nil, -1) })); got != want {
			t.Errorf("SumSHAKE128(nil, -1): panic %v, want %v", got, want)
		}
	})
}
