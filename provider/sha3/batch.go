package sha3

import (
	"cmp"
	"math/bits"
	"slices"
	"sync"
	"unsafe"

	"percore/internal/asm/keccak"
)

// batchKernel is what this process hashes many messages at once with, and batchFrom is how many it takes for that.
var (
	batchKernel, _ = keccak.FindBatch(selected.Batch.Kernel)
	batchFrom      = selected.Batch.From
)

// Sum224Batch sets each of sums to the SHA3-224 hash, FIPS 202, section 6.1, of the message with the same index, as [Sum224] does
// for one.
//
// Where the core has a kernel for it (see percore.Selected) many messages at once take a fraction of the time, whatever their
// lengths. The result is that of one message after the other, even if sums share memory with messages. It
// panics if there aren't as many sums as messages, before it writes anything.
func Sum224Batch(sums [][28]byte, msgs [][]byte) {
	sumBatch(sums, msgs, rate224, dsSHA3, Sum224)
}

// Sum256Batch sets each of sums to the SHA3-256 hash, FIPS 202, section 6.1, of the message with the same index, as [Sum256] does for one, and
// otherwise is like [Sum224Batch]. It panics if there aren't as many sums as messages.
func Sum256Batch(sums [][32]byte, msgs [][]byte) {
	sumBatch(sums, msgs, rate256, dsSHA3, Sum256)
}

// Sum384Batch sets each of sums to the SHA3-384 hash, FIPS 202, section 6.1, of the message with the same index, as [Sum384] does for one, and
// otherwise is like [Sum224Batch]. It panics if there aren't as many sums as messages.
func Sum384Batch(sums [][48]byte, msgs [][]byte) {
	sumBatch(sums, msgs, rate384, dsSHA3, Sum384)
}

// Sum512Batch sets each of sums to the SHA3-512 hash, FIPS 202, section 6.1, of the message with the same index, as [Sum512] does for one, and
// otherwise is like [Sum224Batch]. It panics if there aren't as many sums as messages.
func Sum512Batch(sums [][64]byte, msgs [][]byte) {
	sumBatch(sums, msgs, rate512, dsSHA3, Sum512)
}

// SumLegacyKeccak256Batch sets each of sums to the Keccak-256 hash of the message with the same index, as [SumLegacyKeccak256] does for
// one, and otherwise is like [Sum224Batch]. It panics if there aren't as many sums as messages.
func SumLegacyKeccak256Batch(sums [][32]byte, msgs [][]byte) {
	sumBatch(sums, msgs, rate256, dsKeccak, SumLegacyKeccak256)
}

// SumSHAKE128Batch fills each of outs with SHAKE128 output, FIPS 202, section 6.2, for the message with the same index.
// Otherwise it is like [Sum224Batch]. It panics if there aren't as many outputs as messages.
func SumSHAKE128Batch(outs, msgs [][]byte) { sumSHAKEBatch(outs, msgs, rate128) }

// SumSHAKE256Batch fills each of outs with SHAKE256 output, FIPS 202, section 6.2, for the message with the same index.
// Otherwise it is like [Sum224Batch]. It panics if there aren't as many outputs as messages.
func SumSHAKE256Batch(outs, msgs [][]byte) { sumSHAKEBatch(outs, msgs, rate256) }

func checkBatch(outs, msgs int) {
	if outs != msgs {
		panic("sha3: a batch has another number of outputs than of messages")
	}
}

func sumBatch[D [28]byte | [32]byte | [48]byte | [64]byte](sums []D, msgs [][]byte, rate int, ds byte, one func([]byte) D) {
	checkBatch(len(sums), len(msgs))
	if len(msgs) >= batchFrom && batchKernel != keccak.NoBatch {
		size := len(*new(D))
		all := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(sums))), size*len(sums))
		if !slices.ContainsFunc(msgs, func(msg []byte) bool { return share(all, msg) }) {
			sideBySide(outputs{all: all, size: size}, msgs, rate, ds)
			return
		}
	}
	for i, msg := range msgs {
		sums[i] = one(msg)
	}
}

func sumSHAKEBatch(outs, msgs [][]byte, rate int) {
	checkBatch(len(outs), len(msgs))
	if len(msgs) >= batchFrom && batchKernel != keccak.NoBatch && !anyShare(outs, msgs) {
		sideBySide(outputs{each: outs}, msgs, rate, dsSHAKE)
		return
	}
	for i, msg := range msgs {
		s := sponge{rate: uint8(rate), ds: dsSHAKE, kernel: kernel}
		s.write(msg)
		s.read(outs[i])
	}
}

func sideBySide(outs outputs, msgs [][]byte, rate int, ds byte) {
	b := batches.Get().(*batch)
	b.run(outs, msgs, rate, ds)
	batches.Put(b)
}

// share says whether two slices have memory in common.
func share(x, y []byte) bool {
	return len(x) > 0 && len(y) > 0 &&
		uintptr(unsafe.Pointer(&x[0])) <= uintptr(unsafe.Pointer(&y[len(y)-1])) &&
		uintptr(unsafe.Pointer(&y[0])) <= uintptr(unsafe.Pointer(&x[len(x)-1]))
}

// anyShare says whether two outputs, or an output and a message, have memory in common.
func anyShare(outs, msgs [][]byte) bool {
	address := func(p []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(p))) }
	byAddress := func(p, q []byte) int { return cmp.Compare(address(p), address(q)) }
	empty := func(p []byte) bool { return len(p) == 0 }
	if !slices.IsSortedFunc(outs, byAddress) || slices.ContainsFunc(outs, empty) {
		outs = slices.DeleteFunc(slices.Clone(outs), empty)
		slices.SortFunc(outs, byAddress)
	}
	for i := 1; i < len(outs); i++ {
		if share(outs[i-1], outs[i]) {
			return true
		}
	}
	for _, msg := range msgs {
		// The last output that begins before the message ends is the only one that may.
		i, _ := slices.BinarySearchFunc(outs, address(msg)+uintptr(len(msg)), func(p []byte, end uintptr) int { return cmp.Compare(address(p), end) })
		if i > 0 && share(outs[i-1], msg) {
			return true
		}
	}
	return false
}

// outputs are the places of the results: all in a row, or one by one.
type outputs struct {
	all  []byte
	size int
	each [][]byte
}

func (o *outputs) at(i int) []byte {
	if o.each != nil {
		return o.each[i]
	}
	return o.all[i*o.size:][:o.size]
}

// from returns the outputs from that of message i on.
func (o outputs) from(i int) outputs {
	if o.each != nil {
		return outputs{each: o.each[i:]}
	}
	return outputs{all: o.all[i*o.size:], size: o.size}
}

// A batch hashes messages side by side. A lane that is done takes the next message.
type batch struct {
	*keccak.Batch
	msg [keccak.MaxLanes][]byte // what isn't absorbed yet
	out [keccak.MaxLanes][]byte // what isn't squeezed yet
}

var batches = sync.Pool{New: func() any { return &batch{Batch: keccak.NewBatch()} }}

var zeros [rate128]byte

// run hashes messages. A set of lanes is a bit for each.
func (b *batch) run(outs outputs, msgs [][]byte, rate int, ds byte) {
	width, sets := batchKernel.Lanes()
	all := uint(1)<<(width*sets) - 1
	msgs, outs = b.together(outs, msgs, rate, ds)
	var absorbing, squeezing uint // a lane that is neither is idle
	next := 0
	for {
		for m := all &^ absorbing &^ squeezing; m != 0 && next < len(msgs); m &= m - 1 {
			i := lane(m)
			b.msg[i], b.out[i] = msgs[next], outs.at(next)
			b.Begin(i)
			absorbing |= 1 << i
			next++
		}
		live := absorbing | squeezing
		if bits.OnesCount(live) < batchFrom {
			break
		}
		if first := uint(1)<<width - 1; live > first && bits.OnesCount(live) <= width {
			// All into the first set, as what is left doesn't fill it.
			for m := live &^ first; m != 0; m &= m - 1 {
				from, to := lane(m), lane(^live)
				b.Move(batchKernel, from, to)
				b.msg[to], b.out[to] = b.msg[from], b.out[from]
				for _, set := range []*uint{&live, &absorbing, &squeezing} {
					*set |= *set >> from & 1 << to
					*set &^= 1 << from
				}
			}
		}

		blocks := keccak.MaxBlocks
		var last uint // the lanes whose last block this is
		for m := absorbing; m != 0; m &= m - 1 {
			i := lane(m)
			p, n := unsafe.SliceData(b.msg[i]), len(b.msg[i])
			if n < rate {
				last |= 1 << i
				b.Rests[i], b.Left[i], b.Blocks[i] = p, n, b.Last[i]
			} else {
				b.Blocks[i] = p
				if n < blocks*rate {
					blocks = n / rate
				}
			}
		}
		for m := squeezing; m != 0; m &= m - 1 {
			b.Blocks[lane(m)] = &zeros[0] // adds nothing
		}
		if last != 0 {
			b.Pad(batchKernel, last, rate, ds, msgs[next:])
		}
		absorbing &^= last
		squeezing |= last
		if squeezing != 0 {
			blocks = 1
		}
		for m := all &^ live; m != 0; m &= m - 1 {
			b.Blocks[lane(m)] = b.Blocks[lane(live)] // as good as any
		}

		b.Absorb(batchKernel, &b.Blocks, rate, blocks, (bits.Len(live)+width-1)/width)

		for m := absorbing; m != 0; m &= m - 1 {
			i := lane(m)
			b.msg[i] = b.msg[i][blocks*rate:]
		}
		for m := squeezing; m != 0; m &= m - 1 {
			i := lane(m)
			n := min(len(b.out[i]), rate)
			b.CopyTo(b.out[i][:n], batchKernel, i)
			if b.out[i] = b.out[i][n:]; len(b.out[i]) == 0 {
				squeezing &^= 1 << i
			}
		}
	}
	// So few that one after the other is faster.
	for m := absorbing | squeezing; m != 0; m &= m - 1 {
		i := lane(m)
		s := sponge{lanes: b.State(batchKernel, i), rate: uint8(rate), ds: ds, kernel: kernel}
		if squeezing>>i&1 != 0 {
			s.squeezing, s.n = true, rate
		} else {
			s.write(b.msg[i])
		}
		s.read(b.out[i])
	}
	// Nothing of the caller's stays alive.
	b.msg, b.out = [keccak.MaxLanes][]byte{}, [keccak.MaxLanes][]byte{}
	b.Reset()
}

// together hashes messages as long as those for all lanes have the same number of blocks, as the leaves of a tree have, and outputs of at
// most a block: then no lane has to be looked after on its own. It returns what is left.
func (b *batch) together(outs outputs, msgs [][]byte, rate int, ds byte) ([][]byte, outputs) {
	width, sets := batchKernel.Lanes()
	lanes := width * sets
	for len(msgs) >= lanes {
		group := msgs[:lanes]
		blocks := len(group[0]) / rate
		for i, msg := range group {
			left := len(msg) - blocks*rate
			if uint(left) >= uint(rate) || outs.size > rate || outs.each != nil && len(outs.each[i]) > rate {
				return msgs, outs
			}
			b.Rests[i], b.Left[i] = unsafe.SliceData(msg), left
		}
		b.BeginAll()
		for done := 0; done < blocks; {
			// Before the kernel and not behind it, where Pad would wait for it.
			for i, msg := range group {
				b.Blocks[i], b.Rests[i] = unsafe.SliceData(msg[done*rate:]), unsafe.SliceData(msg[blocks*rate:])
			}
			n := min(keccak.MaxBlocks, blocks-done)
			b.Absorb(batchKernel, &b.Blocks, rate, n, sets)
			done += n
		}
		msgs = msgs[lanes:]
		b.Pad(batchKernel, 1<<lanes-1, rate, ds, msgs)
		b.Absorb(batchKernel, &b.Last, rate, 1, sets)
		if outs.size == 32 {
			b.CopyDigests(outs.all[:32*lanes], batchKernel)
		} else {
			for i := range lanes {
				b.CopyTo(outs.at(i), batchKernel, i)
			}
		}
		outs = outs.from(lanes)
	}
	return msgs, outs
}

// lane returns the lowest lane of a set that isn't empty.
func lane(set uint) int { return bits.TrailingZeros(set) % keccak.MaxLanes }
