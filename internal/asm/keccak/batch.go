package keccak

import (
	"encoding/binary"
	"math/bits"
	"unsafe"
)

// A BatchKernel is one implementation of absorbing into many states at once. The zero BatchKernel is none.
type BatchKernel uint8

const (
	NoBatch     BatchKernel = iota // one state after the other
	BatchAVX2                      // amd64, four states
	BatchAVX512                    // amd64, two sets of eight states
	BatchSIMD                      // arm64 with the SHA3 instructions, two states
	numBatchKernels
)

var batchNames = [numBatchKernels]string{NoBatch: "single", BatchAVX2: "avx2", BatchAVX512: "avx512", BatchSIMD: "simd"}

// String returns the name that PERCORE has for k.
func (k BatchKernel) String() string { return batchNames[k] }

// BatchKernels returns the kernels of this build, whether or not the core at hand can run them.
func BatchKernels() []BatchKernel { return append([]BatchKernel{NoBatch}, asmBatchKernels...) }

// FindBatch returns the kernel of that name, and whether this build has it.
func FindBatch(name string) (BatchKernel, bool) {
	for _, k := range BatchKernels() {
		if k.String() == name {
			return k, true
		}
	}
	return NoBatch, false
}

// Lanes returns how many states there are in a vector, and how many vectors' worth in a batch.
func (k BatchKernel) Lanes() (width, sets int) {
	switch k {
	case BatchAVX2:
		return 4, 1
	case BatchAVX512:
		return 8, 2
	case BatchSIMD:
		return 2, 1
	}
	return 0, 0
}

// The most of a batch: states, and blocks for each in one call, which Go can't preempt.
const (
	MaxLanes  = 16
	MaxBlocks = pieceBlocks
)

// A Batch is the states of a batch kernel and what it needs to go on with them.
type Batch struct {
	*lanes
	Blocks [MaxLanes]*byte  // what comes next, for each state
	Last   [MaxLanes]*byte  // the last block of each message, which Pad makes
	Rests  [MaxLanes]*byte  // for Pad: the rest of each message
	Left   [MaxLanes]int    // and its length
	keep   [MaxLanes]uint64 // 0 for a state that begins, all ones for one that goes on
	fresh  bool             // whether there is a 0
	all    bool             // all states begin, whatever keep says
}

// The sizes are such that all vectors lie in one cache line each: Go gives what has this size and no pointers an address that is a multiple
// of 64. Vectors that lie across two take half as long again.
type lanes struct {
	states [25 * MaxLanes]uint64
	spare  [25 * MaxLanes]uint64  // where AVX-512 has lanes after odd rounds
	last   [MaxLanes][3 * 64]byte // the last block of each message
}

// NewBatch returns a Batch of no messages.
func NewBatch() *Batch {
	b := &Batch{lanes: new(lanes)}
	b.Reset()
	return b
}

// Reset forgets all messages.
func (b *Batch) Reset() {
	*b = Batch{lanes: b.lanes}
	for i := range b.last {
		b.Last[i] = &b.last[i][0]
	}
	b.begun()
}

// begun says that no state begins with the next block.
func (b *Batch) begun() {
	for i := range b.keep {
		b.keep[i] = 1<<64 - 1
	}
	b.fresh = false
}

// Begin says that a state begins with the next block.
func (b *Batch) Begin(lane int) { b.keep[lane], b.fresh = 0, true }

// BeginAll says that all states begin with the next block.
func (b *Batch) BeginAll() { b.all = true }

// clearAll is keep for that. What has just been written there by words would have to leave the core before it could be loaded as a vector.
var clearAll [MaxLanes]uint64

// Absorb adds so many blocks of rate bytes to each state of the first sets, and permutes it after
// each block. There has to be a pointer to that many blocks for each state, in Blocks or Last.
//
// It isn't inlined for the same reason as spongeAsm.
//
//go:noinline
func (b *Batch) Absorb(k BatchKernel, in *[MaxLanes]*byte, rate, blocks, sets int) {
	switch {
	case b.all:
		absorbBatchAsm(k, b, &clearAll[0], &in[0], rate, blocks, sets)
		b.all = false
	case b.fresh:
		absorbBatchAsm(k, b, &b.keep[0], &in[0], rate, blocks, sets)
		b.begun()
	default:
		absorbBatchAsm(k, b, nil, &in[0], rate, blocks, sets)
	}
}

// Pad makes the last block of each message of the given lanes, a bit each, from its rest, the bits that end it, zeros and the last
// bit: FIPS 202, section 5.1. The messages of ahead are those that will be begun next.
func (b *Batch) Pad(k BatchKernel, lanes uint, rate int, ds byte, ahead [][]byte) {
	if k == BatchAVX512 {
		padBatchAsm(b, lanes, rate, ds, ahead)
		return
	}
	for m := lanes; m != 0; m &= m - 1 {
		i := bits.TrailingZeros(m) % MaxLanes
		block := b.last[i][:rate]
		n := copy(block, unsafe.Slice(b.Rests[i], b.Left[i]))
		clear(block[n:])
		block[n] = ds
		block[rate-1] |= 0x80
	}
}

// place returns where in states a state begins, and how far its lanes are apart.
func (k BatchKernel) place(lane int) (at, step int) {
	switch k {
	case BatchAVX2:
		return lane, 4
	case BatchSIMD:
		return lane, 2
	default:
		return lane/8*200 + lane%8, 8
	}
}

// CopyTo fills out, which isn't longer than a state, with the beginning of a state.
func (b *Batch) CopyTo(out []byte, k BatchKernel, lane int) {
	at, step := k.place(lane)
	if len(out) == 32 {
		binary.LittleEndian.PutUint64(out, b.states[at])
		binary.LittleEndian.PutUint64(out[8:], b.states[at+step])
		binary.LittleEndian.PutUint64(out[16:], b.states[at+2*step])
		binary.LittleEndian.PutUint64(out[24:], b.states[at+3*step])
		return
	}
	for ; len(out) >= 8; at += step {
		binary.LittleEndian.PutUint64(out, b.states[at])
		out = out[8:]
	}
	for i := range out {
		out[i] = byte(b.states[at] >> (8 * i))
	}
}

// CopyDigests fills digests, as many as k has lanes, with the first 32 bytes of each state.
func (b *Batch) CopyDigests(digests []byte, k BatchKernel) {
	if k == BatchAVX512 {
		digestsBatchAsm(b, &digests[:32*MaxLanes][0])
		return
	}
	for lane := 0; len(digests) > 0; lane++ {
		b.CopyTo(digests[:32], k, lane)
		digests = digests[32:]
	}
}

// State returns a state.
func (b *Batch) State(k BatchKernel, lane int) (a [25]uint64) {
	if b.keep[lane] == 0 {
		return a
	}
	at, step := k.place(lane)
	for i := range a {
		a[i] = b.states[at+i*step]
	}
	return a
}

// Move puts a state into another lane.
func (b *Batch) Move(k BatchKernel, from, to int) {
	at, step := k.place(from)
	dst, _ := k.place(to)
	for i := range 25 {
		b.states[dst+i*step] = b.states[at+i*step]
	}
	b.keep[to] = b.keep[from]
}
