package keccak

import (
	"crypto/sha3"
	"encoding/binary"
)

// The kernel Std leaves every permutation to crypto/sha3, for where the standard library has to
// do the work (FIPS 140) or has instructions that nobody else reaches (s390x). Its types can't
// hold a state of ours, so the state travels there and back in their marshalled form:
// magic, rate, state, bytes used of the block, direction.
type stdBlob [len(magicSHA3) + 1 + 200 + 1 + 1]byte

const (
	magicSHA3   = "sha\x08"
	magicSHAKE  = "sha\x09"
	stdStateOff = len(magicSHA3) + 1
)

func absorbStd(a *[25]uint64, rate int, p []byte) {
	var blob stdBlob
	if rate == 168 {
		h := sha3.NewSHAKE128()
		blob.set(magicSHAKE, rate, a)
		must(h.UnmarshalBinary(blob[:]))
		h.Write(p)
		_, err := h.AppendBinary(blob[:0])
		must(err)
	} else {
		h := newStd(rate)
		blob.set(magicSHA3, rate, a)
		must(h.UnmarshalBinary(blob[:]))
		h.Write(p)
		_, err := h.AppendBinary(blob[:0])
		must(err)
	}
	blob.state(a)
}

// newStd returns a value, not the pointer, to keep it off the heap.
func newStd(rate int) sha3.SHA3 {
	switch rate {
	case 144:
		return *sha3.New224()
	case 136:
		return *sha3.New256()
	case 104:
		return *sha3.New384()
	case 72:
		return *sha3.New512()
	}
	panic("keccak: crypto/sha3 has no hash of this rate")
}

// permuteStd absorbs a block of zeros, which leaves the permutation alone.
func permuteStd(a *[25]uint64) {
	var zeros [136]byte
	absorbStd(a, len(zeros), zeros[:])
}

func squeezeStd(a *[25]uint64, rate int, out []byte) {
	for len(out) > 0 {
		permuteStd(a)
		store(out[:rate], a)
		out = out[rate:]
	}
}

func (b *stdBlob) set(magic string, rate int, a *[25]uint64) {
	copy(b[:], magic)
	b[len(magic)] = byte(rate)
	store(b[stdStateOff:stdStateOff+200], a)
}

func (b *stdBlob) state(a *[25]uint64) {
	for i := range a {
		a[i] = binary.LittleEndian.Uint64(b[stdStateOff+8*i:])
	}
}

// must says that crypto/sha3 no longer reads or writes the form that it had from Go 1.24 on.
func must(err error) {
	if err != nil {
		panic("keccak: the state of crypto/sha3 has changed its form: " + err.Error())
	}
}
