// Package sha3 hashes with SHA-3, SHAKE, cSHAKE and Ethereum's Keccak-256, on the kernel that suits the core at hand. To move
// a program that calls crypto/sha3, change its import to this package.
//
// Every exported name of crypto/sha3 is here and behaves the same: the SHA-3 hash functions and
// SHAKE of FIPS 202, and cSHAKE of SP 800-185. Marshalled states can be exchanged with crypto/sha3 both
// ways. Beside them stands [Keccak], the function submitted to the competition, which Ethereum
// uses, with states that can be exchanged with golang.org/x/crypto/sha3.
//
// A hash must not be used by several goroutines at once. None of its methods returns an error but UnmarshalBinary. Writing to
// one whose output has been read panics.
//
// Importing this package registers nothing with package crypto; importing percore/provider does.
package sha3

import (
	"crypto/sha3"
	"hash"

	"percore"
	"percore/internal/asm/keccak"
)

// Importing crypto/sha3 also has its init run before that of percore/provider, which
// therefore finds its registrations made, and can replace them.

var selected = percore.Selected()

// kernel is what this process hashes with.
var kernel, _ = keccak.Find(selected.SHA3.Kernel)

// The rates in bytes: 200 less twice the security strength, FIPS 202, section 6.
const (
	rate128 = 168
	rate224 = 144
	rate256 = 136
	rate384 = 104
	rate512 = 72
)

// Sum224 returns the SHA3-224 hash of data, 28 bytes, FIPS 202, section 6.1.
func Sum224(data []byte) [28]byte {
	if kernel == keccak.Std {
		return sha3.Sum224(data)
	}
	var out [28]byte
	s := sponge{rate: rate224, size: 28, ds: dsSHA3, kernel: kernel}
	s.write(data)
	s.read(out[:])
	return out
}

// Sum256 returns the SHA3-256 hash of data, 32 bytes, FIPS 202, section 6.1.
func Sum256(data []byte) [32]byte {
	if kernel == keccak.Std {
		return sha3.Sum256(data)
	}
	var out [32]byte
	s := sponge{rate: rate256, size: 32, ds: dsSHA3, kernel: kernel}
	s.write(data)
	s.read(out[:])
	return out
}

// Sum384 returns the SHA3-384 hash of data, 48 bytes, FIPS 202, section 6.1.
func Sum384(data []byte) [48]byte {
	if kernel == keccak.Std {
		return sha3.Sum384(data)
	}
	var out [48]byte
	s := sponge{rate: rate384, size: 48, ds: dsSHA3, kernel: kernel}
	s.write(data)
	s.read(out[:])
	return out
}

// Sum512 returns the SHA3-512 hash of data, 64 bytes, FIPS 202, section 6.1.
func Sum512(data []byte) [64]byte {
	if kernel == keccak.Std {
		return sha3.Sum512(data)
	}
	var out [64]byte
	s := sponge{rate: rate512, size: 64, ds: dsSHA3, kernel: kernel}
	s.write(data)
	s.read(out[:])
	return out
}

// SHA3 is an instance of a SHA-3 hash, FIPS 202, section 6.1. It implements [hash.Hash] and
// [hash.Cloner]. The zero value is a usable SHA3-256 hash.
type SHA3 struct {
	s sponge
}

// New224 returns a new SHA3-224 hash, of 28 bytes, FIPS 202, section 6.1.
func New224() *SHA3 {
	return &SHA3{sponge{rate: rate224, size: 28, ds: dsSHA3, kernel: kernel}}
}

// New256 returns a new SHA3-256 hash, of 32 bytes, FIPS 202, section 6.1.
func New256() *SHA3 {
	return &SHA3{sponge{rate: rate256, size: 32, ds: dsSHA3, kernel: kernel}}
}

// New384 returns a new SHA3-384 hash, of 48 bytes, FIPS 202, section 6.1.
func New384() *SHA3 {
	return &SHA3{sponge{rate: rate384, size: 48, ds: dsSHA3, kernel: kernel}}
}

// New512 returns a new SHA3-512 hash, of 64 bytes, FIPS 202, section 6.1.
func New512() *SHA3 {
	return &SHA3{sponge{rate: rate512, size: 64, ds: dsSHA3, kernel: kernel}}
}

func (h *SHA3) init() {
	if h.s.rate == 0 {
		*h = *New256()
	}
}

// Write absorbs more data into the hash's state. It never returns an error.
func (h *SHA3) Write(p []byte) (n int, err error) {
	h.init()
	h.s.write(p)
	return len(p), nil
}

// Sum appends the hash of what has been written to b and returns the resulting slice. It does not
// change the hash's state.
func (h *SHA3) Sum(b []byte) []byte {
	h.init()
	return h.s.sum(b)
}

// Reset resets the hash to its initial state.
func (h *SHA3) Reset() {
	h.init()
	h.s.reset()
}

// Size returns the number of bytes that Sum appends: 28, 32, 48 or 64.
func (h *SHA3) Size() int {
	h.init()
	return int(h.s.size)
}

// BlockSize returns the rate in bytes, FIPS 202, section 6.1: 144 for SHA3-224, 136 for SHA3-256, 104 for SHA3-384 and 72 for
// SHA3-512.
func (h *SHA3) BlockSize() int {
	h.init()
	return int(h.s.rate)
}

// MarshalBinary implements [encoding.BinaryMarshaler] in the form of crypto/sha3. The error is always nil.
func (h *SHA3) MarshalBinary() ([]byte, error) {
	return h.AppendBinary(make([]byte, 0, marshaledSize))
}

// AppendBinary implements [encoding.BinaryAppender] in the form of crypto/sha3. The error is always nil.
func (h *SHA3) AppendBinary(b []byte) ([]byte, error) {
	h.init()
	return h.s.appendBinary(b), nil
}

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]. It returns an error, and leaves the hash as it was, if data isn't
// the state of the same function.
func (h *SHA3) UnmarshalBinary(data []byte) error {
	h.init()
	return h.s.unmarshalBinary(data)
}

// Clone implements [hash.Cloner]. The error is always nil.
func (h *SHA3) Clone() (hash.Cloner, error) {
	c := *h
	return &c, nil
}
