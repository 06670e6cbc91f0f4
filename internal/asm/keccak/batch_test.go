package keccak

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"testing"
	"time"

	"percore"
	"percore/internal/cryptotest"
)

// eachBatchKernel runs f for all kernels for many states that the core at hand can run. Some have the same name as one for a single state.
func eachBatchKernel(t *testing.T, f func(t *testing.T, k BatchKernel)) {
	for _, name := range percore.Kernels("batch") {
		k, ok := FindBatch(name)
		if !ok || k.String() != name {
			t.Fatalf("this build lacks %s", name)
		}
		if k != NoBatch {
			t.Run("kernel=batch-"+name, func(t *testing.T) { f(t, k) })
		}
	}
}

// Any number of blocks to states that begin, in all combinations of a few, and to others. The blocks lie directly before and behind
// unreadable pages.
func TestBatchAbsorb(t *testing.T) {
	eachBatchKernel(t, func(t *testing.T, k BatchKernel) {
		r := rand.New(rand.NewPCG(1, 2))
		width, sets := k.Lanes()
		var ends, starts [MaxLanes][]byte
		for i := range width * sets {
			ends[i], starts[i] = cryptotest.Guarded(t, MaxBlocks*168)
			copy(ends[i], cryptotest.Random(uint64(i), len(ends[i])))
			copy(starts[i], ends[i])
		}
		b := NewBatch()
		var want [MaxLanes][25]uint64
		for turn := range 300 {
			for _, rate := range rates {
				used, blocks := 1+r.IntN(sets), 1+r.IntN(3)
				if turn%50 == 0 {
					blocks = MaxBlocks
				}
				all := turn%3 == 0
				if all {
					used = sets
					b.BeginAll()
				}
				var in [MaxLanes][]byte
				for i := range width * used {
					if in[i] = ends[i][len(ends[i])-blocks*rate:]; r.IntN(2) == 0 {
						in[i] = starts[i]
					}
					b.Blocks[i] = &in[i][0]
					if begins := all || turn == 0 || turn%3 == 1 && r.IntN(2) == 0; begins {
						want[i] = [25]uint64{}
						if !all {
							b.Begin(i)
						}
					}
				}
				b.Absorb(k, &b.Blocks, rate, blocks, used)
				for i := range width * sets {
					if i < width*used {
						for block := range blocks {
							for j := range rate / 8 {
								want[i][j] ^= binary.LittleEndian.Uint64(in[i][block*rate+8*j:])
							}
							reference(&want[i])
						}
					}
					if got := b.State(k, i); got != want[i] {
						t.Fatalf("rate %d, %d blocks, state %d of %d sets: got %#x, want %#x", rate, blocks, i, used, got, want[i])
					}
					out := make([]byte, r.IntN(201))
					b.CopyTo(out, k, i)
					var all [200]byte
					store(all[:], &want[i])
					if !bytes.Equal(out, all[:len(out)]) {
						t.Fatalf("state %d: got %x, want %x", i, out, all[:len(out)])
					}
				}
				digests := make([]byte, 32*width*sets)
				b.CopyDigests(digests, k)
				for i := range width * sets {
					var all [200]byte
					store(all[:], &want[i])
					if got := digests[32*i:][:32]; !bytes.Equal(got, all[:32]) {
						t.Fatalf("digest %d: got %x, want %x", i, got, all[:32])
					}
				}
				if from, to := r.IntN(width*sets), r.IntN(width*sets); turn%5 == 0 {
					b.Move(k, from, to)
					want[to] = want[from]
				}
			}
		}
	})
}

// The last block of a message is made from no other bytes, wherever in its pages it ends, and whatever was there before.
func TestBatchPad(t *testing.T) {
	eachBatchKernel(t, func(t *testing.T, k BatchKernel) {
		width, sets := k.Lanes()
		page := os.Getpagesize()
		buffer := cryptotest.Random(1, 2*page)
		end, start := cryptotest.Guarded(t, 168)
		copy(end, buffer)
		copy(start, buffer)
		r := rand.New(rand.NewPCG(3, 4))
		b := NewBatch()
		for _, rate := range rates {
			for n := range rate {
				for _, p := range [][]byte{end[168-n:], start[:n], buffer[r.IntN(page):][:n], buffer[page-n/2:][:n], nil} {
					lanes := uint(1+r.IntN(1<<(width*sets)-1)) & (1<<(width*sets) - 1)
					for i := range width * sets {
						if b.last[i] = [3 * 64]byte{}; lanes>>i&1 != 0 {
							copy(b.last[i][:], buffer)
						}
						b.Rests[i], b.Left[i] = nil, 0
						if len(p) > 0 {
							b.Rests[i], b.Left[i] = &p[0], len(p)
						}
					}
					b.Pad(k, lanes, rate, 0x1f, [][]byte{nil, p, p[:0]})
					want := make([]byte, rate)
					copy(want, p)
					want[len(p)] |= 0x1f
					want[rate-1] |= 0x80
					for i := range width * sets {
						if lanes>>i&1 == 0 {
							if b.last[i] != [3 * 64]byte{} {
								t.Fatalf("lane %d has a block and was not asked to", i)
							}
							continue
						}
						if got := b.last[i][:rate]; !bytes.Equal(got, want) {
							t.Fatalf("rate %d, %d bytes, lane %d: got %x, want %x", rate, n, i, got, want)
						}
					}
				}
			}
		}
	})
}

// The longest call, in which Go can't stop the goroutine.
func TestBatchCall(t *testing.T) {
	if testing.Short() {
		t.Skip("measures time, which short tests have no quiet core for")
	}
	eachBatchKernel(t, func(t *testing.T, k BatchKernel) {
		b := NewBatch()
		p := make([]byte, MaxBlocks*168)
		for i := range b.Blocks {
			b.Blocks[i] = &p[0]
		}
		_, sets := k.Lanes()
		best := time.Hour
		for range 100 {
			start := time.Now()
			b.Absorb(k, &b.Blocks, 168, MaxBlocks, sets)
			best = min(best, time.Since(start))
		}
		t.Logf("%v", best)
		if best > 100*time.Microsecond {
			t.Errorf("a call takes %v", best)
		}
	})
}

func BenchmarkBatchAbsorb(b *testing.B) {
	for _, name := range percore.Kernels("batch") {
		k, _ := FindBatch(name)
		_, most := k.Lanes()
		for sets := 1; sets <= most; sets++ {
			b.Run(fmt.Sprintf("sets=%d/kernel=%v", sets, k), func(b *testing.B) {
				x := NewBatch()
				var p [MaxLanes][168]byte
				for i := range x.Blocks {
					x.Blocks[i] = &p[i][0]
				}
				for b.Loop() {
					x.Absorb(k, &x.Blocks, 136, 1, sets)
				}
			})
		}
	}
}
