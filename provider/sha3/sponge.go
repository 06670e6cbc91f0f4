package sha3

import (
	"encoding/binary"
	"errors"

	"percore/internal/asm/keccak"
)

// The bits that set the functions apart, with the first bit of the padding 10*1, all in
// little-endian order: FIPS 202, section B.2, and SP 800-185, section 3.3.
const (
	dsSHA3   = 0x06
	dsSHAKE  = 0x1f
	dsCSHAKE = 0x04
	dsKeccak = 0x01 // the padding alone, as in the submission of 2011
)

// A sponge is the construction of FIPS 202, section 4.
type sponge struct {
	lanes     [25]uint64
	n         int // bytes of the current block already absorbed or squeezed, at most rate
	rate      uint8
	size      uint8 // of the digest, none for an XOF
	ds        uint8
	squeezing bool
	kernel    keccak.Kernel
}

func (s *sponge) reset() {
	s.lanes = [25]uint64{}
	s.n = 0
	s.squeezing = false
}

func (s *sponge) write(p []byte) {
	if s.squeezing {
		panic("sha3: Write after Read")
	}
	if len(p) == 0 {
		return
	}
	rate := int(s.rate)
	if s.n > 0 {
		k := min(rate-s.n, len(p))
		s.xor(p[:k])
		p = p[k:]
		if s.n == rate {
			keccak.Permute(s.kernel, &s.lanes)
			s.n = 0
		}
	}
	if len(p) >= rate {
		whole := len(p) - len(p)%rate
		keccak.Absorb(s.kernel, &s.lanes, rate, p[:whole])
		p = p[whole:]
	}
	s.xor(p)
}

// xor adds p, which fits into the block, to the lanes from byte n on.
func (s *sponge) xor(p []byte) {
	n := uint(s.n)
	s.n += len(p)
	for ; n%8 != 0 && len(p) > 0; n++ {
		s.lanes[n/8] ^= uint64(p[0]) << (8 * (n % 8))
		p = p[1:]
	}
	for ; len(p) >= 8; n += 8 {
		s.lanes[n/8] ^= binary.LittleEndian.Uint64(p)
		p = p[8:]
	}
	for i, b := range p {
		s.lanes[n/8] ^= uint64(b) << (8 * i)
	}
}

// pad ends the message: domain bits and padding, FIPS 202, section 5.1.
func (s *sponge) pad() {
	s.lanes[s.n/8] ^= uint64(s.ds) << (8 * (s.n % 8))
	s.lanes[s.rate/8-1] ^= 1 << 63
	keccak.Permute(s.kernel, &s.lanes)
	s.n = 0
	s.squeezing = true
}

func (s *sponge) read(out []byte) {
	if !s.squeezing {
		s.pad()
	}
	rate := int(s.rate)
	k := min(rate-s.n, len(out))
	s.copyTo(out[:k])
	out = out[k:]
	if len(out) >= rate {
		whole := len(out) - len(out)%rate
		keccak.Squeeze(s.kernel, &s.lanes, rate, out[:whole])
		out = out[whole:]
	}
	if len(out) > 0 {
		keccak.Permute(s.kernel, &s.lanes)
		s.n = 0
		s.copyTo(out)
	}
}

// copyTo fills out, which the rest of the block suffices for, from byte n on.
func (s *sponge) copyTo(out []byte) {
	n := uint(s.n)
	s.n += len(out)
	for ; n%8 != 0 && len(out) > 0; n++ {
		out[0] = byte(s.lanes[n/8] >> (8 * (n % 8)))
		out = out[1:]
	}
	for ; len(out) >= 8; n += 8 {
		binary.LittleEndian.PutUint64(out, s.lanes[n/8])
		out = out[8:]
	}
	for i := range out {
		out[i] = byte(s.lanes[n/8] >> (8 * i))
	}
}

// sum appends the digest to b and leaves s as it is.
func (s *sponge) sum(b []byte) []byte {
	if s.squeezing {
		panic("sha3: Sum after Read")
	}
	dup := *s
	var digest [64]byte
	dup.read(digest[:dup.size])
	return append(b, digest[:dup.size]...)
}

// The marshalled form is that of crypto/sha3: magic, rate, lanes, n, direction.
const (
	magicLen      = len("sha\x08")
	marshaledSize = magicLen + 1 + 200 + 1 + 1
)

func (s *sponge) magic() string {
	switch s.ds {
	case dsSHA3:
		return "sha\x08"
	case dsSHAKE:
		return "sha\x09"
	case dsCSHAKE:
		return "sha\x0a"
	default:
		return "sha\x0b"
	}
}

func (s *sponge) appendBinary(b []byte) []byte {
	b = append(b, s.magic()...)
	b = append(b, s.rate)
	for _, lane := range s.lanes {
		b = binary.LittleEndian.AppendUint64(b, lane)
	}
	var direction byte
	if s.squeezing {
		direction = 1
	}
	return append(b, byte(s.n), direction)
}

func (s *sponge) unmarshalBinary(b []byte) error {
	if len(b) != marshaledSize {
		return errors.New("sha3: invalid hash state")
	}
	if string(b[:magicLen]) != s.magic() {
		return errors.New("sha3: invalid hash state identifier")
	}
	b = b[magicLen:]
	if b[0] != s.rate {
		return errors.New("sha3: invalid hash state function")
	}
	b = b[1:]
	n, direction := b[200], b[201]
	if n > s.rate || direction > 1 {
		return errors.New("sha3: invalid hash state")
	}
	for i := range s.lanes {
		s.lanes[i] = binary.LittleEndian.Uint64(b[8*i:])
	}
	s.n = int(n)
	s.squeezing = direction == 1
	return nil
}
