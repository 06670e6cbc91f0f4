package sha3_test

import (
	"bytes"
	stdsha3 "crypto/sha3"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"unsafe"

	xsha3 "golang.org/x/crypto/sha3"

	"percore/internal/cryptotest"
	"percore/provider/sha3"
)

// A batchFunction is one of those for many messages, and the same of others for one.
type batchFunction struct {
	name string
	size int // of its outputs, 0 for any
	rate int
	many func(outs, msgs [][]byte) // of outs that lie in a row where there is a size
	one  func(out, msg []byte)
}

var batchFunctions = []batchFunction{
	fixedSize("Sum224Batch", 144, sha3.Sum224Batch, stdsha3.Sum224),
	fixedSize("Sum256Batch", 136, sha3.Sum256Batch, stdsha3.Sum256),
	fixedSize("Sum384Batch", 104, sha3.Sum384Batch, stdsha3.Sum384),
	fixedSize("Sum512Batch", 72, sha3.Sum512Batch, stdsha3.Sum512),
	fixedSize("SumLegacyKeccak256Batch", 136, sha3.SumLegacyKeccak256Batch, func(msg []byte) (sum [32]byte) {
		h := xsha3.NewLegacyKeccak256()
		h.Write(msg)
		h.Sum(sum[:0])
		return sum
	}),
	{"SumSHAKE128Batch", 0, 168, sha3.SumSHAKE128Batch, func(out, msg []byte) { copy(out, stdsha3.SumSHAKE128(msg, len(out))) }},
	{"SumSHAKE256Batch", 0, 136, sha3.SumSHAKE256Batch, func(out, msg []byte) { copy(out, stdsha3.SumSHAKE256(msg, len(out))) }},
}

func fixedSize[D [28]byte | [32]byte | [48]byte | [64]byte](name string, rate int, many func([]D, [][]byte), one func([]byte) D) batchFunction {
	var d D
	return batchFunction{name, len(d), rate,
		func(outs, msgs [][]byte) {
			var sums []D
			if len(outs) > 0 {
				sums = unsafe.Slice((*D)(unsafe.Pointer(&outs[0][0])), len(outs))
			}
			many(sums, msgs)
		},
		func(out, msg []byte) {
			sum := one(msg)
			copy(out, unsafe.Slice((*byte)(unsafe.Pointer(&sum)), len(sum)))
		}}
}

// split returns n slices of p of the given sizes, one after the other.
func split(p []byte, n int, size func(i int) int) (parts [][]byte) {
	for i := range n {
		m := size(i)
		parts = append(parts, p[:m:m])
		p = p[m:]
	}
	return parts
}

// outputs returns n outputs, in a row, and room for them.
func (f batchFunction) outputs(r *rand.Rand, n int) [][]byte {
	size := func(int) int { return f.size }
	if f.size == 0 {
		longest := 1 + r.IntN(600)
		size = func(int) int { return r.IntN(longest) }
	}
	return split(make([]byte, n*600+64), n, size)
}

// check compares a batch with one message after the other.
func (f batchFunction) check(t *testing.T, outs, msgs [][]byte) {
	t.Helper()
	f.many(outs, msgs)
	for i, msg := range msgs {
		want := make([]byte, len(outs[i]))
		if f.one(want, msg); !bytes.Equal(outs[i], want) {
			t.Fatalf("%s of %d messages: number %d, of %d bytes: got %x, want %x", f.name, len(msgs), i, len(msg), outs[i], want)
		}
	}
}

// Any number of messages of any lengths, the functions in turns, as they have the same memory one after the other.
func TestBatch(t *testing.T) {
	cryptotest.EachKernel(t, "batch", func(t *testing.T) {
		r := rand.New(rand.NewPCG(1, 2))
		p := cryptotest.Random(3, 100*2500)
		turns := 400
		if testing.Short() {
			turns = 60
		}
		for range turns {
			n := r.IntN(1 + r.IntN(80))
			longest := 1 + r.IntN(2500)
			for _, f := range batchFunctions {
				sizes := map[string]func(int) int{
					"random":  func(int) int { return r.IntN(longest) },
					"equal":   func(int) int { return longest },
					"blocks":  func(int) int { return f.rate*(longest/f.rate) + r.IntN(f.rate) },
					"one":     func(i int) int { return longest * (1 - min(1, i)) },
					"at rate": func(int) int { return max(0, r.IntN(5)*f.rate+r.IntN(3)-1) },
				}
				for _, size := range sizes {
					f.check(t, f.outputs(r, n), split(p, n, size))
				}
			}
		}
	})
}

// All numbers of messages up to a few more than there are states, of all lengths up to two blocks.
func TestBatchLengths(t *testing.T) {
	cryptotest.EachKernel(t, "batch", func(t *testing.T) {
		r := rand.New(rand.NewPCG(4, 5))
		p := cryptotest.Random(6, 40*400)
		for _, f := range batchFunctions {
			for n := range 36 {
				f.check(t, f.outputs(r, n), split(p, n, func(i int) int { return i }))
			}
			for length := range 2*f.rate + 2 {
				f.check(t, f.outputs(r, 33), split(p, 33, func(int) int { return length }))
			}
		}
	})
}

// Nothing beside a message is read, and nothing beside an output is written.
func TestBatchGuarded(t *testing.T) {
	const n = 19
	cryptotest.EachKernel(t, "batch", func(t *testing.T) {
		var ends, starts [n][]byte
		for i := range n {
			ends[i], starts[i] = cryptotest.Guarded(t, 500)
			copy(ends[i], cryptotest.Random(uint64(i), 500))
			copy(starts[i], ends[i])
		}
		outEnd, outStart := cryptotest.Guarded(t, n*64)
		for _, f := range batchFunctions {
			for length := range 500 {
				if testing.Short() && length%7 != 0 {
					continue
				}
				var atEnd, atStart [][]byte
				for i := range n {
					m := (length + i*i) % 500
					atEnd = append(atEnd, ends[i][500-m:])
					atStart = append(atStart, starts[i][:m:m])
				}
				size := f.size
				if size == 0 {
					size = 1 + length%64
				}
				same := func(int) int { return size }
				f.check(t, split(outEnd[n*(64-size):], n, same), atEnd)
				f.check(t, split(outStart[:n*size:n*size], n, same), atStart)
				// As many messages of one length as the largest batch has.
				var equal [][]byte
				for i := range 16 {
					equal = append(equal, ends[i][500-length:])
				}
				f.check(t, split(outEnd[n*64-len(equal)*size:], len(equal), same), equal)
				f.check(t, split(outStart[:len(equal)*size:len(equal)*size], len(equal), same), equal)
				if f.size == 0 {
					// Outputs that have a page each.
					var outs [][]byte
					for i := range n {
						outs = append(outs, ends[(i+1)%n][500-size:])
					}
					for i := range n {
						m := (length + i*i) % 500
						atStart[i] = starts[i][:m:m]
					}
					f.check(t, outs, atStart)
				}
			}
		}
	})
}

// Outputs that share memory with messages, or with each other, end up as if one message came after the other.
func TestBatchAliases(t *testing.T) {
	cryptotest.EachKernel(t, "batch", func(t *testing.T) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, f := range batchFunctions {
			for range 200 {
				n := 1 + r.IntN(40)
				got := cryptotest.Random(r.Uint64(), n*100)
				want := bytes.Clone(got)
				views := func(p []byte) (outs, msgs [][]byte) {
					r := rand.New(rand.NewPCG(9, uint64(n)))
					at := r.IntN(100)
					for i := range n {
						if f.size > 0 {
							outs = append(outs, p[i*f.size:][:f.size])
						} else {
							from := r.IntN(len(p))
							outs = append(outs, p[from:from+r.IntN(len(p)-from+1)/4])
						}
						from := (at + i*70) % len(p)
						msgs = append(msgs, p[from:from+r.IntN(len(p)-from+1)/2])
					}
					return outs, msgs
				}
				f.many(views(got))
				outs, msgs := views(want)
				for i, msg := range msgs {
					f.one(outs[i], bytes.Clone(msg))
				}
				if !bytes.Equal(got, want) {
					t.Fatalf("%s of %d messages: not as one after the other", f.name, n)
				}
			}
		}
	})
}

func TestBatchEmpty(t *testing.T) {
	cryptotest.EachKernel(t, "batch", func(t *testing.T) {
		r := rand.New(rand.NewPCG(10, 11))
		for _, f := range batchFunctions {
			f.many(nil, nil)
			f.many([][]byte{}, [][]byte{})
			for n := range 40 {
				f.check(t, f.outputs(r, n), make([][]byte, n))
				f.check(t, f.outputs(r, n), slices.Repeat([][]byte{{}}, n))
			}
			if f.size == 0 {
				f.check(t, make([][]byte, 30), split(cryptotest.Random(1, 30*99), 30, func(i int) int { return 3 * i }))
			}
		}
	})
}

// Another number of outputs than of messages panics before anything is written.
func TestBatchMismatch(t *testing.T) {
	cryptotest.EachKernel(t, "batch", func(t *testing.T) {
		for _, f := range batchFunctions {
			for _, c := range [][2]int{{0, 1}, {1, 0}, {20, 21}, {21, 20}} {
				size := max(f.size, 1)
				room := make([]byte, c[0]*size)
				got := recovered(func() { f.many(split(room, c[0], func(int) int { return size }), make([][]byte, c[1])) })
				if got == nil || bytes.Count(room, []byte{0}) != len(room) {
					t.Errorf("%s of %d outputs and %d messages: panic %v, wrote %x", f.name, c[0], c[1], got, room)
				}
			}
		}
	})
}

func TestBatchConcurrent(t *testing.T) {
	cryptotest.EachKernel(t, "batch", func(t *testing.T) {
		var wg sync.WaitGroup
		for g := range 8 {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(12, uint64(g)))
				p := cryptotest.Random(uint64(g), 50*1000)
				for i := range 70 {
					n := r.IntN(50)
					f := batchFunctions[(g+i)%len(batchFunctions)]
					outs, msgs := f.outputs(r, n), split(p, n, func(int) int { return r.IntN(1000) })
					f.many(outs, msgs)
					for i, msg := range msgs {
						want := make([]byte, len(outs[i]))
						if f.one(want, msg); !bytes.Equal(outs[i], want) {
							t.Errorf("%s: wrong output of message %d", f.name, i)
							return
						}
					}
				}
			})
		}
		wg.Wait()
	})
}

// No message costs an allocation. A batch may cost some, where the memory that is kept between batches has been given back.
func TestBatchAllocations(t *testing.T) {
	if cryptotest.Race {
		t.Skip("the race detector allocates")
	}
	cryptotest.EachKernel(t, "batch", func(t *testing.T) {
		r := rand.New(rand.NewPCG(13, 14))
		for _, f := range batchFunctions {
			const n = 500
			outs := f.outputs(r, n)
			msgs := split(cryptotest.Random(1, n*300), n, func(int) int { return r.IntN(300) })
			if got := testing.AllocsPerRun(20, func() { f.many(outs, msgs) }); got > 2 {
				t.Errorf("%s of %d messages: %v allocations", f.name, n, got)
			}
		}
	})
}

func ExampleSum256Batch() {
	// The root of a Merkle tree: each node is the hash of its two children, each leaf that of a record. Each level is a batch.
	var records [][]byte
	for i := range 1000 {
		records = append(records, fmt.Appendf(nil, "record %d", i))
	}
	level := make([][32]byte, len(records))
	sha3.Sum256Batch(level, records)
	for len(level) > 1 {
		if len(level)%2 == 1 {
			level = append(level, level[len(level)-1])
		}
		pairs := make([][]byte, len(level)/2)
		for i := range pairs {
			pairs[i] = slices.Concat(level[2*i][:], level[2*i+1][:])
		}
		level = make([][32]byte, len(pairs))
		sha3.Sum256Batch(level, pairs)
	}
	fmt.Printf("%x\n", level[0])
	// Output: 63beb60359b7815ebbc73c4446fdd3a5a1606ccb0c6c643044c92f2fb19332e8
}
