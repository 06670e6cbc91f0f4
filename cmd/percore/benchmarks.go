package main

import (
	"crypto/cipher"
	stdsha3 "crypto/sha3"
	"encoding/binary"
	"io"
	"slices"
	"strings"

	"github.com/cloudflare/circl/xof"
	xsha3 "golang.org/x/crypto/sha3"

	"percore"
	"percore/provider/gcm"
	"percore/provider/sha3"
)

// Units of what a benchmark finds out.
const (
	megabytes   = "MB/s"
	nanoseconds = "ns"
)

// goLibrary is the standard library among the implementations. It can't be named std: so is a kernel of SHA-3,
// whose sponge is percore's.
const goLibrary = "go"

// A benchmark is an operation whose cost depends on a size.
type benchmark struct {
	name      string
	algorithm string // as PERCORE has it
	unit      string
	sizes     []int // in bytes of a message, or in bits of a key
	messages  int   // that one call takes
	ours      operation
	libraries []library // what percore is compared with, the first by ratios
}

// An operation returns the function to measure for a size.
type operation func(size int) func()

// A library is another implementation.
type library struct {
	name string
	op   operation
}

var (
	textSizes    = []int{16, 64, 256, 512, 1024, 1500, 2048, 4096, 8192, 16384, 32768, 65536}
	messageSizes = []int{32, 64, 136, 200, 512, 1024, 4096, 16384}
)

var benchmarks = []benchmark{
	aesGCM("aes-128-gcm seal", 128, seal),
	aesGCM("aes-128-gcm open", 128, open),
	aesGCM("aes-256-gcm seal", 256, seal),
	aesGCM("aes-256-gcm open", 256, open),
	{
		name: "key set-up by bits", algorithm: "gcm", unit: nanoseconds, sizes: []int{128, 256},
		ours:      keySetUp(gcm.New),
		libraries: []library{{goLibrary, keySetUp(stdGCM)}},
	},
	hash("sha3-256", each(func(p []byte) { sha3.Sum256(p) }),
		library{goLibrary, each(func(p []byte) { stdsha3.Sum256(p) })}),
	hash("sha3-512", each(func(p []byte) { sha3.Sum512(p) }),
		library{goLibrary, each(func(p []byte) { stdsha3.Sum512(p) })}),
	hash("shake128", each(func(p []byte) { sha3.SumSHAKE128(p, 32) }),
		library{goLibrary, each(func(p []byte) { stdsha3.SumSHAKE128(p, 32) })},
		library{"circl", reading(func() reader { return xof.SHAKE128.New() })}),
	hash("keccak-256", reading(func() reader { return sha3.NewLegacyKeccak256() }),
		library{"x/crypto", reading(func() reader { return xsha3.NewLegacyKeccak256().(reader) })}),
	{
		name: "sha3-256 of many", algorithm: "batch", unit: megabytes, sizes: []int{64, 200, 1024, 4096}, messages: many,
		ours: batch(sha3.Sum256Batch),
		libraries: []library{{goLibrary, batch(func(sums [][32]byte, msgs [][]byte) {
			for i, msg := range msgs {
				sums[i] = stdsha3.Sum256(msg)
			}
		})}},
	},
}

// aesGCM returns a benchmark of sealing or opening texts.
func aesGCM(name string, bits int, op func(aead cipher.AEAD, size int) func()) benchmark {
	key := make([]byte, bits/8)
	with := func(newAEAD func(key []byte) (cipher.AEAD, error)) operation {
		return func(size int) func() { return op(must(newAEAD(key)), size) }
	}
	return benchmark{
		name: name, algorithm: "gcm", unit: megabytes, sizes: textSizes, messages: 1,
		ours:      with(gcm.New),
		libraries: []library{{goLibrary, with(stdGCM)}},
	}
}

// dataSize is that of the additional data of TLS 1.2.
const dataSize = 13

// seal returns a function that seals texts, each with a nonce of its own. The nonce isn't allocated behind the data: a load of 64 bytes from
// there, of which a kernel takes the data alone, would have to wait for the nonce that was just written.
func seal(aead cipher.AEAD, size int) func() {
	nonce := make([]byte, aead.NonceSize())
	text, data := make([]byte, size), make([]byte, dataSize)
	dst := make([]byte, 0, size+aead.Overhead())
	return func() {
		binary.LittleEndian.PutUint64(nonce, binary.LittleEndian.Uint64(nonce)+1)
		aead.Seal(dst, nonce, text, data)
	}
}

// open returns a function that opens texts with a nonce each, but no more than stay in the core's own caches.
func open(aead cipher.AEAD, size int) func() {
	nonce := make([]byte, aead.NonceSize())
	text, data := make([]byte, size), make([]byte, dataSize)
	sealed := make([][]byte, min(64, max(1, 128<<10/size)))
	for i := range sealed {
		nonce[0] = byte(i)
		sealed[i] = aead.Seal(nil, nonce, text, data)
	}
	i := 0
	return func() {
		nonce[0] = byte(i)
		must(aead.Open(text[:0], nonce, sealed[i], data))
		i = (i + 1) % len(sealed)
	}
}

// aeadSink keeps the compiler from leaving an AEAD on the stack.
var aeadSink cipher.AEAD

// keySetUp returns the operation that makes an AEAD of a key.
func keySetUp(newAEAD func(key []byte) (cipher.AEAD, error)) operation {
	return func(bits int) func() {
		key := make([]byte, bits/8)
		f := func() { aeadSink = must(newAEAD(key)) }
		// The first use of the heap's pages costs more than the key. This goes once through the heap.
		for range 1 << 13 {
			f()
		}
		return f
	}
}

// hash returns a benchmark of a hash function, one message at a time.
func hash(name string, ours operation, libraries ...library) benchmark {
	return benchmark{
		name: name, algorithm: "sha3", unit: megabytes, sizes: messageSizes, messages: 1,
		ours: ours, libraries: libraries,
	}
}

// each returns the operation that calls f with a message.
func each(f func(p []byte)) operation {
	return func(size int) func() {
		p := make([]byte, size)
		return func() { f(p) }
	}
}

// many is how many messages a batch has.
const many = 64

// batch returns the operation that calls f with that many messages.
func batch(f func(sums [][32]byte, msgs [][]byte)) operation {
	return func(size int) func() {
		sums, msgs := make([][32]byte, many), make([][]byte, many)
		for i := range msgs {
			msgs[i] = make([]byte, size)
		}
		return func() { f(sums, msgs) }
	}
}

// A reader is a hash that gives its digest without the copy that Sum makes.
type reader interface {
	io.ReadWriter
	Reset()
}

// reading returns the operation that takes a digest from a kept hash, as go-ethereum does.
func reading(newHash func() reader) operation {
	return func(size int) func() {
		h := newHash()
		p, digest := make([]byte, size), make([]byte, 32)
		return func() {
			h.Reset()
			h.Write(p)
			h.Read(digest)
		}
	}
}

// must returns v, for what has no reason to fail.
func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// A column is one implementation of an algorithm. Processes of its own measure it.
type column struct {
	algorithm string
	name      string // of a library or of a kernel
	kernel    bool
}

func (c column) String() string { return c.algorithm + "=" + c.name }

// columns returns all that this core can run, libraries first.
func columns() []column {
	var list []column
	for _, b := range benchmarks {
		for _, l := range b.libraries {
			list = append(list, column{b.algorithm, l.name, false})
		}
	}
	for _, b := range benchmarks {
		for _, kernel := range kernels(b.algorithm) {
			list = append(list, column{b.algorithm, kernel, true})
		}
	}
	slices.SortStableFunc(list, func(a, b column) int { return strings.Compare(a.algorithm, b.algorithm) })
	var once []column
	for _, c := range list {
		if !slices.Contains(once, c) {
			once = append(once, c)
		}
	}
	return once
}

// kernels returns the kernels that are worth measuring: kernel std of AES-GCM is the standard library's own object.
func kernels(algorithm string) []string {
	list := percore.Kernels(algorithm)
	if algorithm == "gcm" {
		list = slices.DeleteFunc(list, func(name string) bool { return name == "std" })
	}
	return list
}

// in returns what c has for b, or nil.
func (b benchmark) in(c column) operation {
	if c.algorithm != b.algorithm {
		return nil
	}
	if c.kernel {
		return b.ours
	}
	for _, l := range b.libraries {
		if l.name == c.name {
			return l.op
		}
	}
	return nil
}

// cells returns how many figures c has.
func (c column) cells() int {
	n := 0
	for _, b := range benchmarks {
		if b.in(c) != nil {
			n += len(b.sizes)
		}
	}
	return n
}
