//go:build !purego

package aesgcm

import (
	"crypto/subtle"
	"encoding/binary"
	"unsafe"
)

//go:generate sh -c "cd _asm && GOWORK=off go run . -out ../kernels_amd64.s"

// Kernels returns the kernels of this build, whether or not the core at hand can run them.
func Kernels() []Kernel { return []Kernel{VAES256, VAES512} }

// A Key is an expanded AES key with the powers of H. The kernels know its layout.
type Key struct {
	rounds    uint32 // of AES: 10, 12 or 14
	kernel    Kernel
	_         [43]byte
	powers    [33][16]byte // powers[33-i] is H^i / x, byte-reversed; VAES256 has no 33rd
	middles   [256]byte    // the sums of their halves, see the generator
	roundKeys [15][16]byte
}

// A message is what a kernel needs to know of a message, or of a piece of it. The kernels know its
// layout.
type message struct {
	hash     [16]byte // GHASH so far, byte-reversed; after the last piece the tag
	iv       [12]byte // what all counter blocks start with
	counter0 uint32   // of the block that masks the tag
	counter  uint32   // of the first block of text
	seal     bool
	standard bool // whether the nonce has 12 bytes, so that the text's counters start with 2
	dst, src *byte
	chunks   int // bytes of text, a multiple of 8 vectors
	rest     int // bytes of text after them: at most 8 vectors, and 0 in all pieces but the last or if there is no text at all
	aad      *byte
	aadLen   int // at most a vector
	textBits uint64
	aadBits  uint64
}

//go:noescape
func expandKey(k *Key, key *byte, n int)

//go:noescape
func powersVAES256(k *Key)

//go:noescape
func powersVAES512(k *Key)

//go:noescape
func ghashVAES256(k *Key, hash *[16]byte, p *byte, n int)

//go:noescape
func ghashVAES512(k *Key, hash *[16]byte, p *byte, n int)

//go:noescape
func cryptVAES256(k *Key, m *message)

//go:noescape
func cryptVAES512(k *Key, m *message)

// Init expands a key of 16, 24 or 32 bytes for a kernel that the core can run.
func (k *Key) Init(kernel Kernel, key []byte) {
	k.kernel = kernel
	expandKey(k, unsafe.SliceData(key), len(key))
	if kernel == VAES512 {
		powersVAES512(k)
	} else {
		powersVAES256(k)
	}
}

// Seal encrypts plaintext to out and puts the tag behind it, from 12 to 16 bytes, as many as out has room for.
// Plaintext starts where out does or doesn't overlap it. The nonce isn't empty.
func (k *Key) Seal(out, nonce, plaintext, aad []byte) {
	var m message
	m.seal = true
	k.crypt(&m, out, nonce, plaintext, aad)
	if tag := out[len(plaintext):]; len(tag) == len(m.hash) {
		*(*[16]byte)(tag) = m.hash // without a call, unlike copy
	} else {
		copy(tag, m.hash[:])
	}
}

// Open decrypts all of ciphertext to out but for the tag at its end, which is shorter by that, and returns whether
// the tag is right. If it isn't, out has the plaintext all the same. Ciphertext starts where out does or
// doesn't overlap it. The nonce isn't empty.
func (k *Key) Open(out, nonce, ciphertext, aad []byte) bool {
	var m message
	k.crypt(&m, out, nonce, ciphertext[:len(out)], aad)
	tag := ciphertext[len(out):]
	if len(tag) == len(m.hash) {
		return (binary.NativeEndian.Uint64(tag)^binary.NativeEndian.Uint64(m.hash[:]))|
			(binary.NativeEndian.Uint64(tag[8:])^binary.NativeEndian.Uint64(m.hash[8:])) == 0
	}
	return subtle.ConstantTimeCompare(tag, m.hash[:len(tag)]) == 1
}

// pieceSize is the most that goes into one call of a kernel, which Go can't preempt: some
// microseconds' worth.
const pieceSize = 64 << 10

// crypt encrypts or decrypts src to dst, which is at least as long, and leaves the tag in m.hash.
func (k *Key) crypt(m *message, dst, nonce, src, aad []byte) {
	m.textBits = 8 * uint64(len(src))
	m.aadBits = 8 * uint64(len(aad))
	vector := 32
	if k.kernel == VAES512 {
		vector = 64
	}
	if len(aad) <= vector {
		m.aad = unsafe.SliceData(aad)
		m.aadLen = len(aad)
	} else {
		k.ghash(&m.hash, aad)
	}
	if len(nonce) == 12 {
		m.iv = [12]byte(nonce)
		m.counter0 = 1
		m.standard = true
	} else {
		k.deriveCounter(m, nonce)
	}
	m.counter = m.counter0 + 1
	for len(src) > pieceSize {
		m.dst, m.src = unsafe.SliceData(dst), unsafe.SliceData(src)
		m.chunks = pieceSize
		k.cryptPiece(m)
		dst, src = dst[pieceSize:], src[pieceSize:]
		m.counter += pieceSize / 16
		m.aadLen, m.chunks = 0, 0
	}
	m.dst, m.src = unsafe.SliceData(dst), unsafe.SliceData(src)
	if chunk := 8 * vector; len(src) > chunk {
		m.chunks = (len(src) - 1) &^ (chunk - 1)
	}
	m.rest = len(src) - m.chunks
	k.cryptPiece(m)
}

// cryptPiece calls the kernel. It isn't inlined for the look at preemption that a Go function starts with: between two
// calls of assembly there has to be one.
//
//go:noinline
func (k *Key) cryptPiece(m *message) {
	if k.kernel == VAES512 {
		cryptVAES512(k, m)
	} else {
		cryptVAES256(k, m)
	}
}

// ghash goes on with GHASH over p, filled up with zeros to whole blocks.
func (k *Key) ghash(hash *[16]byte, p []byte) {
	for len(p) > 0 {
		n := min(len(p), pieceSize)
		k.ghashPiece(hash, p[:n])
		p = p[n:]
	}
}

// ghashPiece isn't inlined for the same reason as cryptPiece.
//
//go:noinline
func (k *Key) ghashPiece(hash *[16]byte, p []byte) {
	if k.kernel == VAES512 {
		ghashVAES512(k, hash, unsafe.SliceData(p), len(p))
	} else {
		ghashVAES256(k, hash, unsafe.SliceData(p), len(p))
	}
}

// deriveCounter makes the block J0 of a nonce that isn't of 12 bytes: SP 800-38D, section 7.1, step 2.
func (k *Key) deriveCounter(m *message, nonce []byte) {
	var hash, lengths [16]byte
	binary.BigEndian.PutUint64(lengths[8:], 8*uint64(len(nonce)))
	k.ghash(&hash, nonce)
	k.ghash(&hash, lengths[:])
	for i := range m.iv {
		m.iv[i] = hash[15-i]
	}
	m.counter0 = binary.LittleEndian.Uint32(hash[:])
}
