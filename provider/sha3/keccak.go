package sha3

import "hash"

// Keccak is an instance of the hash function Keccak as submitted to the SHA-3 competition in 2011: SHA-3 but for the
// padding, which FIPS 202, section 6.1, changed. It implements [hash.Hash], [hash.Cloner] and, with
// Read, [hash.XOF]. The zero value is a usable Keccak-256 hash.
//
// It behaves as the type behind golang.org/x/crypto/sha3.NewLegacyKeccak256 does, including the
// Read that go-ethereum uses to take a digest without the copy that Sum makes.
type Keccak struct {
	s sponge
}

// NewLegacyKeccak256 returns a new Keccak-256 hash, of 32 bytes.
//
// Use it only for systems that are bound to it, such as Ethereum; all others use [New256].
func NewLegacyKeccak256() *Keccak {
	return &Keccak{sponge{rate: rate256, size: 32, ds: dsKeccak, kernel: kernel}}
}

// NewLegacyKeccak512 returns a new Keccak-512 hash, of 64 bytes.
//
// Use it only for systems that are bound to it; all others use [New512].
func NewLegacyKeccak512() *Keccak {
	return &Keccak{sponge{rate: rate512, size: 64, ds: dsKeccak, kernel: kernel}}
}

// SumLegacyKeccak256 returns the Keccak-256 hash of data, 32 bytes.
//
// Use it only for systems that are bound to it, such as Ethereum; all others use [Sum256].
func SumLegacyKeccak256(data []byte) [32]byte {
	var out [32]byte
	s := sponge{rate: rate256, size: 32, ds: dsKeccak, kernel: kernel}
	s.write(data)
	s.read(out[:])
	return out
}

func (h *Keccak) init() {
	if h.s.rate == 0 {
		*h = *NewLegacyKeccak256()
	}
}

// Write absorbs more data into the hash's state. It never returns an error. It panics if any
// output has been read.
func (h *Keccak) Write(p []byte) (n int, err error) {
	h.init()
	h.s.write(p)
	return len(p), nil
}

// Read squeezes output into p, the digest first and then as much as is asked for. It never
// returns an error. A Write or a Sum after it panics, until Reset.
func (h *Keccak) Read(p []byte) (n int, err error) {
	h.init()
	h.s.read(p)
	return len(p), nil
}

// Sum appends the hash of what has been written to b and returns the resulting slice. It does not
// change the hash's state. It panics if any output has been read.
func (h *Keccak) Sum(b []byte) []byte {
	h.init()
	return h.s.sum(b)
}

// Reset resets the hash to its initial state.
func (h *Keccak) Reset() {
	h.init()
	h.s.reset()
}

// Size returns the number of bytes that Sum appends: 32 or 64.
func (h *Keccak) Size() int {
	h.init()
	return int(h.s.size)
}

// BlockSize returns the rate in bytes: 136 for Keccak-256 and 72 for Keccak-512.
func (h *Keccak) BlockSize() int {
	h.init()
	return int(h.s.rate)
}

// MarshalBinary implements [encoding.BinaryMarshaler] in the form of golang.org/x/crypto/sha3. The error is
// always nil.
func (h *Keccak) MarshalBinary() ([]byte, error) {
	return h.AppendBinary(make([]byte, 0, marshaledSize))
}

// AppendBinary implements [encoding.BinaryAppender] in the form of golang.org/x/crypto/sha3. The error is
// always nil.
func (h *Keccak) AppendBinary(b []byte) ([]byte, error) {
	h.init()
	return h.s.appendBinary(b), nil
}

// UnmarshalBinary implements [encoding.BinaryUnmarshaler]. It returns an error, and leaves the hash as it was, if data isn't
// the state of the same function.
func (h *Keccak) UnmarshalBinary(data []byte) error {
	h.init()
	return h.s.unmarshalBinary(data)
}

// Clone implements [hash.Cloner]. The error is always nil.
func (h *Keccak) Clone() (hash.Cloner, error) {
	c := *h
	return &c, nil
}
