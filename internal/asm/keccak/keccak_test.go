package keccak

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"percore"
	"percore/internal/cryptotest"
)

var rates = []int{72, 104, 136, 144, 168}

// reference is Keccak-f[1600] as FIPS 202, section 3.2, words it, tables derived: ρ's offsets by
// the walk of algorithm 2, ι's constants by the shift register of algorithm 5.
func reference(a *[25]uint64) {
	lfsr := byte(1)
	for range 24 {
		var c [5]uint64
		for i := range a {
			c[i%5] ^= a[i]
		}
		for i := range a {
			a[i] ^= c[(i+4)%5] ^ bits.RotateLeft64(c[(i+1)%5], 1)
		}
		x, y := 1, 0
		for t := range 24 {
			a[x+5*y] = bits.RotateLeft64(a[x+5*y], (t+1)*(t+2)/2)
			x, y = y, (2*x+3*y)%5
		}
		var b [25]uint64
		for i := range b {
			x, y := i%5, i/5
			b[i] = a[(x+3*y)%5+5*x]
		}
		for i := range a {
			x, y := i%5, i/5
			a[i] = b[i] ^ ^b[(x+1)%5+5*y]&b[(x+2)%5+5*y]
		}
		for j := range 7 {
			a[0] ^= uint64(lfsr&1) << (1<<j - 1)
			carry := lfsr >> 7
			lfsr = lfsr<<1 ^ carry*0x71
		}
	}
}

func eachKernel(t *testing.T, f func(t *testing.T, k Kernel)) {
	for _, k := range Kernels() {
		t.Run("kernel="+k.String(), func(t *testing.T) {
			if !slices.Contains(percore.Kernels("sha3"), k.String()) {
				t.Skip("this core can't run it")
			}
			f(t, k)
		})
	}
}

func randomState(r *rand.Rand) (a [25]uint64) {
	for i := range a {
		a[i] = r.Uint64()
	}
	return a
}

// The state that Keccak-f makes of zeros, from the Keccak team's KeccakF-1600-IntermediateValues.
func TestReference(t *testing.T) {
	var a [25]uint64
	reference(&a)
	if a[0] != 0xF1258F7940E1DDE7 || a[24] != 0xEAF1FF7B5CECA249 {
		t.Errorf("Keccak-f(0) = %#x", a)
	}
}

func TestPermute(t *testing.T) {
	eachKernel(t, func(t *testing.T, k Kernel) {
		r := rand.New(rand.NewPCG(1, 2))
		var got [25]uint64
		for i := range 200 {
			want := got
			reference(&want)
			Permute(k, &got)
			if got != want {
				t.Fatalf("permutation %d: got %#x, want %#x", i, got, want)
			}
			if i%10 == 9 {
				got = randomState(r)
			}
		}
	})
}

func TestAbsorb(t *testing.T) {
	eachKernel(t, func(t *testing.T, k Kernel) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, rate := range rates {
			for blocks := range 10 {
				p := make([]byte, blocks*rate)
				for i := range p {
					p[i] = byte(r.Uint32())
				}
				got := randomState(r)
				want := got
				for q := p; len(q) > 0; q = q[rate:] {
					for i := range rate / 8 {
						want[i] ^= binary.LittleEndian.Uint64(q[8*i:])
					}
					reference(&want)
				}
				Absorb(k, &got, rate, p)
				if got != want {
					t.Errorf("rate %d, %d blocks: got %#x, want %#x", rate, blocks, got, want)
				}
			}
		}
	})
}

func TestSqueeze(t *testing.T) {
	eachKernel(t, func(t *testing.T, k Kernel) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, rate := range rates {
			for blocks := range 10 {
				got := randomState(r)
				want := got
				var wantOut []byte
				for range blocks {
					reference(&want)
					for i := range rate / 8 {
						wantOut = binary.LittleEndian.AppendUint64(wantOut, want[i])
					}
				}
				out := make([]byte, blocks*rate)
				Squeeze(k, &got, rate, out)
				if got != want || string(out) != string(wantOut) {
					t.Errorf("rate %d, %d blocks: got %x, want %x", rate, blocks, out, wantOut)
				}
			}
		}
	})
}

// Any number of blocks, at any offset, gives what one block after the other does, reads and writes nothing
// outside the slices, and leaves the input alone. The buffers lie directly before and behind unreadable pages.
func TestBoundaries(t *testing.T) {
	const maxBlocks, offsets = 40, 64
	n := maxBlocks*rates[len(rates)-1] + offsets
	end, start := cryptotest.Guarded(t, n)
	eachKernel(t, func(t *testing.T, k Kernel) {
		r := rand.New(rand.NewPCG(7, 8))
		input := make([]byte, n+rates[len(rates)-1])
		for i := range input {
			input[i] = byte(r.Uint32())
		}
		for _, rate := range rates {
			a := randomState(r)
			absorbed, squeezed := a, a // by one block after the other
			var out []byte
			for blocks := range maxBlocks + 1 {
				size := blocks * rate
				for offset := range offsets {
					// All offsets with few blocks; many blocks at few of them.
					if blocks > 3 && (offset+blocks)%16 != 0 {
						continue
					}
					for _, p := range [][]byte{end[n-size-offset : n-offset : n-offset], start[offset : offset+size : offset+size]} {
						copy(p, input)
						got := a
						Absorb(k, &got, rate, p)
						if got != absorbed {
							t.Fatalf("rate %d, %d blocks at offset %d: wrong state", rate, blocks, offset)
						}
						if !bytes.Equal(p, input[:size]) {
							t.Fatalf("rate %d, %d blocks at offset %d: the input has changed", rate, blocks, offset)
						}
						got = a
						Squeeze(k, &got, rate, p)
						if got != squeezed || !bytes.Equal(p, out) {
							t.Fatalf("rate %d, %d blocks at offset %d: wrong output", rate, blocks, offset)
						}
					}
				}
				for i := range rate / 8 {
					absorbed[i] ^= binary.LittleEndian.Uint64(input[size+8*i:])
				}
				reference(&absorbed)
				reference(&squeezed)
				for i := range rate / 8 {
					out = binary.LittleEndian.AppendUint64(out, squeezed[i])
				}
			}
		}
	})
}

// Output has neighbours that have to stay as they are.
func TestSqueezeWritesNothingElse(t *testing.T) {
	eachKernel(t, func(t *testing.T, k Kernel) {
		var a [25]uint64
		for _, rate := range rates {
			const before, blocks = 32, 3
			buf := bytes.Repeat([]byte{0xA5}, before+blocks*rate+32)
			Squeeze(k, &a, rate, buf[before:before+blocks*rate])
			if bytes.Count(buf[:before], []byte{0xA5}) != before || bytes.Count(buf[before+blocks*rate:], []byte{0xA5}) != 32 {
				t.Errorf("rate %d: bytes beside the output have changed", rate)
			}
		}
	})
}

func TestAllocations(t *testing.T) {
	eachKernel(t, func(t *testing.T, k Kernel) {
		var a [25]uint64
		for _, rate := range rates {
			p := make([]byte, 3*rate)
			if n := testing.AllocsPerRun(10, func() {
				Absorb(k, &a, rate, p)
				Squeeze(k, &a, rate, p)
				Permute(k, &a)
			}); n != 0 {
				t.Errorf("rate %d: %v allocations", rate, n)
			}
		}
	})
}

func TestFind(t *testing.T) {
	eachKernel(t, func(t *testing.T, k Kernel) {
		if got, ok := Find(k.String()); got != k || !ok {
			t.Errorf("Find(%q) = %v, %v", k, got, ok)
		}
	})
	if k, ok := Find("none"); ok {
		t.Errorf("Find of an unknown name = %v", k)
	}
}

func BenchmarkAbsorb(b *testing.B) {
	for _, blocks := range []int{1, 120} {
		for _, name := range percore.Kernels("sha3") {
			k, _ := Find(name)
			b.Run(fmt.Sprintf("blocks=%d/kernel=%v", blocks, k), func(b *testing.B) {
				const rate = 136
				var a [25]uint64
				p := make([]byte, blocks*rate)
				b.SetBytes(int64(len(p)))
				for b.Loop() {
					Absorb(k, &a, rate, p)
				}
			})
		}
	}
}
