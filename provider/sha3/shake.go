package sha3

import (
	"bytes"
	"crypto/sha3"
	"encoding/binary"
	"errors"
	"math/bits"

	"percore/internal/asm/keccak"
)

// SumSHAKE128 returns length bytes of the SHAKE128 output for data, FIPS 202, section 6.2. It
// panics if length is negative.
func SumSHAKE128(data []byte, length int) []byte {
	// This function is small enough to be inlined, so that up to 32 bytes of output stay on
	// the caller's stack where they don't escape.
	out := make([]byte, 32)
	return sumSHAKE128(out, data, length)
}

func sumSHAKE128(out, data []byte, length int) []byte {
	out = resize(out, length)
	if kernel == keccak.Std {
		x := sha3.NewSHAKE128()
		x.Write(data)
		x.Read(out)
		return out
	}
	s := sponge{rate: rate128, ds: dsSHAKE, kernel: kernel}
	s.write(data)
	s.read(out)
	return out
}

// SumSHAKE256 returns length bytes of the SHAKE256 output for data, FIPS 202, section 6.2. It
// panics if length is negative.
func SumSHAKE256(data []byte, length int) []byte {
	out := make([]byte, 64) // see SumSHAKE128
	return sumSHAKE256(out, data, length)
}

func sumSHAKE256(out, data []byte, length int) []byte {
	out = resize(out, length)
	if kernel == keccak.Std {
		x := sha3.NewSHAKE256()
		x.Write(data)
		x.Read(out)
		return out
	}
	s := sponge{rate: rate256, ds: dsSHAKE, kernel: kernel}
	s.write(data)
	s.read(out)
	return out
}

func resize(out []byte, length int) []byte {
	if len(out) < length {
		return make([]byte, length)
	}
	return out[:length]
}

// SHAKE is an instance of an extendable output function, SHAKE of FIPS 202, section 6.2, or cSHAKE of SP 800-185, section 3. It
// implements [hash.XOF]. The zero value is a usable SHAKE256.
type SHAKE struct {
	s sponge

	// prefix is encode_string(N) || encode_string(S) of SP 800-185, section 3.3, which Reset
	// absorbs again. It is empty for SHAKE.
	prefix []byte
}

// NewSHAKE128 returns a new SHAKE128, FIPS 202, section 6.2.
func NewSHAKE128() *SHAKE {
	return &SHAKE{s: sponge{rate: rate128, ds: dsSHAKE, kernel: kernel}}
}

// NewSHAKE256 returns a new SHAKE256, FIPS 202, section 6.2.
func NewSHAKE256() *SHAKE {
	return &SHAKE{s: sponge{rate: rate256, ds: dsSHAKE, kernel: kernel}}
}

// NewCSHAKE128 returns a new cSHAKE128, SP 800-185, section 3.
//
// N names a function built on cSHAKE and S customizes it. When both are empty it is SHAKE128.
func NewCSHAKE128(N, S []byte) *SHAKE {
	return newCSHAKE(NewSHAKE128(), N, S)
}

// NewCSHAKE256 returns a new cSHAKE256, SP 800-185, section 3.
//
// N names a function built on cSHAKE and S customizes it. When both are empty it is SHAKE256.
func NewCSHAKE256(N, S []byte) *SHAKE {
	return newCSHAKE(NewSHAKE256(), N, S)
}

func newCSHAKE(x *SHAKE, N, S []byte) *SHAKE {
	if len(N) == 0 && len(S) == 0 {
		return x
	}
	x.s.ds = dsCSHAKE
	x.prefix = make([]byte, 0, 9+len(N)+9+len(S))
	x.prefix = appendString(x.prefix, N)
	x.prefix = appendString(x.prefix, S)
	x.absorbPrefix()
	return x
}

// absorbPrefix absorbs bytepad(prefix, rate) of SP 800-185, section 2.3.3.
func (x *SHAKE) absorbPrefix() {
	x.s.write(appendLeftEncoded(make([]byte, 0, 9), uint64(x.s.rate)))
	x.s.write(x.prefix)
	if x.s.n > 0 {
		keccak.Permute(x.s.kernel, &x.s.lanes) // the rest of the block is zeros
		x.s.n = 0
	}
}

// appendString appends encode_string(s) of SP 800-185, section 2.3.2, to b.
func appendString(b, s []byte) []byte {
	return append(appendLeftEncoded(b, 8*uint64(len(s))), s...)
}

// appendLeftEncoded appends left_encode(x) of SP 800-185, section 2.3.1, to b.
func appendLeftEncoded(b []byte, x uint64) []byte {
	n := max(1, (bits.Len64(x)+7)/8)
	b = append(b, byte(n))
	return append(b, binary.BigEndian.AppendUint64(nil, x)[8-n:]...)
}

func (x *SHAKE) init() {
	if x.s.rate == 0 {
		*x = *NewSHAKE256()
	}
}

// Write absorbs more data into the state. It never returns an error. It panics if any output has
// been read.
func (x *SHAKE) Write(p []byte) (n int, err error) {
	x.init()
	x.s.write(p)
	return len(p), nil
}

// Read squeezes more output into p. It never returns an error. A Write after it panics, until Reset.
func (x *SHAKE) Read(p []byte) (n int, err error) {
	x.init()
	x.s.read(p)
	return len(p), nil
}

// Reset resets the function to its initial state, after the N and S of cSHAKE.
func (x *SHAKE) Reset() {
	x.init()
	x.s.reset()
	if len(x.prefix) > 0 {
		x.absorbPrefix()
	}
}

// BlockSize returns the rate in bytes, FIPS 202, section 6.2: 168 for SHAKE128 and cSHAKE128, 136 for SHAKE256 and cSHAKE256.
func (x *SHAKE) BlockSize() int {
	x.init()
	return int(x.s.rate)
}

// MarshalBinary implements [encoding.BinaryMarshaler] in the form of crypto/sha3. The error is always nil.
func (x *SHAKE) MarshalBinary() ([]byte, error) {
	return x.AppendBinary(make([]byte, 0, marshaledSize+len(x.prefix)))
}

// AppendBinary implements [encoding.BinaryAppender] in the form of crypto/sha3. The error is always nil.
func (x *SHAKE) AppendBinary(b []byte) ([]byte, error) {
	x.init()
	return append(x.s.appendBinary(b), x.prefix...), nil
}

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]. It returns an error, and leaves the function as it was, if data
// isn't the state of one with the same rate and of the same kind, SHAKE or cSHAKE. The N and S of cSHAKE come from data.
func (x *SHAKE) UnmarshalBinary(data []byte) error {
	x.init()
	if len(data) < marshaledSize {
		return errors.New("sha3: invalid hash state")
	}
	if err := x.s.unmarshalBinary(data[:marshaledSize]); err != nil {
		return err
	}
	x.prefix = bytes.Clone(data[marshaledSize:])
	return nil
}
