package cryptotest

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"

	"percore"
)

// AEAD checks that ours behaves as std does, which is the standard library's AEAD for the same
// key and sizes. If they choose their nonces themselves, NonceSize being 0, what they seal is
// compared after it is opened.
func AEAD(t *testing.T, ours, std cipher.AEAD) {
	if got, want := ours.NonceSize(), std.NonceSize(); got != want {
		t.Fatalf("NonceSize is %d, want %d", got, want)
	}
	if got, want := ours.Overhead(), std.Overhead(); got != want {
		t.Fatalf("Overhead is %d, want %d", got, want)
	}
	c := contract{ours, std}
	t.Run("places", c.places)
	t.Run("aligned", c.aligned)
	t.Run("overlap", c.overlap)
	t.Run("nonce", c.nonce)
	t.Run("truncated", c.truncated)
	t.Run("corrupted", c.corrupted)
}

type contract struct{ ours, std cipher.AEAD }

// Lengths around the blocks, vectors and rounds of a wide kernel, and odd ones.
var (
	textLengths = []int{0, 1, 15, 16, 17, 33, 63, 64, 65, 127, 128, 129, 191, 255, 256, 257, 300, 511, 512, 513,
		767, 768, 769, 1023, 1024, 1025, 1350, 1791, 1792, 1793, 2048, 2060}
	aadLengths = []int{0, 1, 8, 13, 16, 20, 63, 64, 65, 128, 255, 256, 257, 300, 512, 777}
)

// random returns a call with random contents.
func (c contract) random(open bool, text, aad int) Call {
	return NewCall(c.std, open, Random(1, c.std.NonceSize()), Random(2, text), Random(3, aad))
}

// both runs f for Seal and for Open.
func both(f func(open bool)) {
	f(false)
	f(true)
}

// Wherever the result goes.
func (c contract) places(t *testing.T) {
	const prefix = 5
	both(func(open bool) {
		for i, n := range textLengths {
			for j, a := range aadLengths {
				if (i+j)%thin(5) != 0 {
					continue
				}
				apart := c.random(open, n, a)
				result := apart.result(c.std)
				for _, place := range []func(*Call){
					func(*Call) {},
					func(c *Call) { c.Dst = Span{At: Nil} },
					func(c *Call) { c.Dst.Len, c.Room = prefix, result },
					func(c *Call) { c.Dst.Len, c.Room = prefix, max(0, result-1) },
					func(c *Call) { c.Dst = Span{c.In.At, 0} },
					func(c *Call) { c.Dst = Span{c.In.At - prefix, prefix} },
					func(c *Call) { c.Dst = c.Nonce },                      // Seal(nonce, nonce, ...) is common
					func(c *Call) { c.Dst = Span{c.Nonce.At - prefix, 0} }, // over the nonce
				} {
					call := apart
					place(&call)
					call.Compare(t, c.ours, c.std)
				}
			}
		}
	})
}

// Every offset of each slice from a multiple of 64.
func (c contract) aligned(t *testing.T) {
	both(func(open bool) {
		for _, n := range []int{1, 47, 300, 1350} {
			for offset := 0; offset < 64; offset += thin(5) {
				for moved := range 5 {
					call := c.random(open, n, 77)
					for i, s := range []*Span{&call.AAD, &call.In, &call.Nonce, &call.Dst} {
						if moved == i || moved == 4 {
							copy(call.Memory[s.At+offset:], call.Memory[s.At:][:s.Len])
							s.At += offset
						}
					}
					call.Compare(t, c.ours, c.std)
				}
			}
		}
	})
}

// Every distance of dst from the input and from the additional data, from before to behind.
func (c contract) overlap(t *testing.T) {
	both(func(open bool) {
		for _, n := range []int{0, 1, 16, 33} {
			apart := c.random(open, n, 20)
			result := apart.result(c.std)
			for _, s := range []Span{apart.In, apart.AAD} {
				for at := s.At - result - 1; at <= s.At+s.Len+1; at++ {
					call := apart
					call.Dst, call.Room = Span{at, 0}, result
					call.Compare(t, c.ours, c.std)
				}
			}
		}
	})
}

// Every length of a nonce around the right one.
func (c contract) nonce(t *testing.T) {
	size := c.std.NonceSize()
	both(func(open bool) {
		call := c.random(open, 33, 20)
		for n := max(0, size-20); n < size+20; n++ {
			call.Nonce.Len = n
			call.Compare(t, c.ours, c.std)
		}
		call.Nonce = Span{At: Nil}
		call.Compare(t, c.ours, c.std)
	})
}

// Ciphertexts too short for a tag, and others that have lost their end.
func (c contract) truncated(t *testing.T) {
	for _, n := range []int{0, 1, 40, 1350} {
		call := c.random(true, n, 20)
		whole := call.In.Len
		for call.In.Len = range min(whole, c.std.Overhead()+40) {
			call.Compare(t, c.ours, c.std)
		}
		call.In.Len = whole - 1
		call.Compare(t, c.ours, c.std)
	}
}

// One bit flipped in each byte of nonce, ciphertext with tag, and additional data.
func (c contract) corrupted(t *testing.T) {
	for _, n := range []int{0, 1, 16, 100, 300, 1100} {
		apart := c.random(true, n, 100+n/4)
		inPlace := apart
		inPlace.Dst = Span{apart.In.At, 0}
		fresh := apart
		fresh.Dst = Span{At: Nil}
		for _, s := range []Span{apart.Nonce, apart.In, apart.AAD} {
			for i := 0; i < s.Len; i += thin(7) {
				b := &apart.Memory[s.At+i]
				*b ^= 1 << (i % 8)
				for _, call := range []Call{apart, inPlace, fresh} {
					if call.Compare(t, c.ours, c.std) {
						t.Fatalf("%v: a bit of byte %d of %v is flipped, and Open took it", call, i, s)
					}
				}
				*b ^= 1 << (i % 8)
			}
		}
	}
}

// thin returns by how much a loop that goes over everything advances.
func thin(short int) int {
	if testing.Short() || Race {
		return short
	}
	return 1
}

// A Call is a call of Seal or Open with all its slices in one piece of memory, so that they can
// overlap and so that whatever the call writes anywhere can be seen.
type Call struct {
	Open           bool
	Memory         []byte
	Dst            Span
	Room           int // how much capacity Dst has behind its length
	Nonce, In, AAD Span

	copies [2][]byte // of Memory, which Compare writes to
}

// A Span is Len bytes of memory from the one at At on, or a nil slice.
type Span struct{ At, Len int }

// Nil is the At of a nil slice.
const Nil = -1

func (s Span) of(memory []byte, room int) []byte {
	if s.At == Nil {
		return nil
	}
	return memory[s.At : s.At+s.Len : s.At+s.Len+room]
}

// String tells the sizes and where the slices lie.
func (c Call) String() string {
	name := "Seal"
	if c.Open {
		name = "Open"
	}
	return fmt.Sprintf("%s(dst %v with room for %d, nonce %v, in %v, aad %v)", name, c.Dst, c.Room, c.Nonce, c.In, c.AAD)
}

// gap is how far the slices of a new Call lie apart: more than 64 to have them moved, and more
// than the results that are moved across others.
const gap = 96

// NewCall returns a Seal of the text, or the Open that gives the text, with slices that lie apart.
// Dst is empty, with room for the result and more.
func NewCall(std cipher.AEAD, open bool, nonce, text, aad []byte) Call {
	in := text
	if open {
		in = std.Seal(make([]byte, 0, len(text)+2*16), nonce, text, aad) // with room to spill
	}
	c := Call{Open: open}
	noise := Random(4, gap+len(in)+std.Overhead())
	put := func(p []byte) Span {
		c.Memory = append(c.Memory, noise[:gap]...)
		at := len(c.Memory)
		c.Memory = append(c.Memory, p...)
		return Span{at, len(p)}
	}
	c.Nonce = put(nonce)
	dst := put(noise[gap:][:len(text)+std.Overhead()])
	c.In = put(in)
	c.AAD = put(aad)
	put(noise[:gap])
	c.Dst, c.Room = Span{dst.At, 0}, dst.Len+gap/2
	c.copies = [2][]byte{bytes.Clone(c.Memory), bytes.Clone(c.Memory)}
	return c
}

// result is the length of what the call appends to dst.
func (c Call) result(std cipher.AEAD) int {
	if c.Open {
		return c.In.Len - std.Overhead()
	}
	return c.In.Len + std.Overhead()
}

// Compare makes the call with both AEADs, each on its own copy of the memory. All that can be seen
// has to be the same: the result and whether it is in dst, the error, the panic, all bytes of the
// memory. It returns whether the call succeeds. Seals that the standard library can't make without
// damage are left out (see Spills).
func (c Call) Compare(t testing.TB, ours, std cipher.AEAD) (ok bool) {
	t.Helper()
	spills := !c.Open && std.Overhead() < 16 && Spills()
	if spills && (c.Dst.At == Nil || c.Room < c.result(std)) {
		return false // it would spill into whatever lies behind the new slice
	}
	got, want := c.run(ours, c.copies[0]), c.run(std, c.copies[1])
	if got.failure != want.failure {
		t.Fatalf("%v: %s, want %s", c, got.failure, want.failure)
	}
	if behind := c.Dst.At + len(want.out); spills && want.inDst && percore.Selected().Aside == "" {
		copy(want.memory[behind:], c.Memory[behind:])
	}
	if std.NonceSize() == 0 && !c.Open && want.failure == succeeded {
		c.unseal(t, std, got)
		c.unseal(t, std, want)
	}
	if d := difference(got.out, want.out); d != "" {
		t.Fatalf("%v: the result: %s", c, d)
	}
	if got.inDst != want.inDst {
		t.Fatalf("%v: the result is in the memory of dst: %v, want %v", c, got.inDst, want.inDst)
	}
	if d := difference(got.memory, want.memory); d != "" {
		t.Fatalf("%v: the memory: %s", c, d)
	}
	return want.failure == succeeded
}

// Spills says whether the standard library writes up to 3 bytes behind what it seals with a tag of
// fewer than 16 bytes, and reads as many behind what it opens. Go 1.26 does (golang/go 80288).
// percore must not, unless it steps aside.
var Spills = sync.OnceValue(func() bool {
	block, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		panic(err)
	}
	aead, err := cipher.NewGCMWithTagSize(block, 12)
	if err != nil {
		panic(err)
	}
	memory := bytes.Repeat([]byte{0x55}, 64)
	behind := memory[len(aead.Seal(memory[:0], make([]byte, 12), make([]byte, 1), nil)):]
	return len(bytes.Trim(behind, "\x55")) > 0
})

// unseal checks what was sealed with a random nonce, and puts zeros in its place, which can be
// compared.
func (c Call) unseal(t testing.TB, std cipher.AEAD, o outcome) {
	t.Helper()
	sealed := o.out[c.Dst.Len:]
	text, err := std.Open(nil, nil, sealed, c.AAD.of(c.Memory, 0))
	if err != nil || !bytes.Equal(text, c.In.of(c.Memory, 0)) {
		t.Fatalf("%v: what was sealed opens as %x, %v", c, text, err)
	}
	clear(sealed)
}

// An outcome is all that can be seen of a call.
type outcome struct {
	out     []byte
	inDst   bool
	failure string
	memory  []byte
}

const succeeded = "success"

func (c Call) run(aead cipher.AEAD, memory []byte) (o outcome) {
	copy(memory, c.Memory)
	dst := c.Dst.of(memory, c.Room)
	nonce, in, aad := c.Nonce.of(memory, 0), c.In.of(memory, 0), c.AAD.of(memory, 0)
	o = outcome{failure: succeeded, memory: memory}
	defer func() {
		if v := recover(); v != nil {
			o.failure = fmt.Sprintf("a panic: %v", v)
		}
	}()
	if c.Open {
		var err error
		if o.out, err = aead.Open(dst, nonce, in, aad); err != nil {
			o.failure = fmt.Sprintf("the error: %v", err)
		}
	} else {
		o.out = aead.Seal(dst, nonce, in, aad)
	}
	o.inDst = cap(dst) > 0 && cap(o.out) > 0 && &dst[:1][0] == &o.out[:1][0]
	return o
}

// difference says where two slices differ, or returns "".
func difference(got, want []byte) string {
	switch {
	case len(got) != len(want):
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want))
	case (got == nil) != (want == nil):
		return fmt.Sprintf("nil is %v, want %v", got == nil, want == nil)
	case bytes.Equal(got, want):
		return ""
	}
	i := 0
	for got[i] == want[i] {
		i++
	}
	return fmt.Sprintf("byte %d of %d is %#02x, want %#02x", i, len(got), got[i], want[i])
}

// Seq returns n bytes, i modulo 256 at i.
func Seq(n int) []byte {
	p := make([]byte, n)
	for i := range p {
		p[i] = byte(i)
	}
	return p
}

// Random returns n bytes that depend on seed.
func Random(seed uint64, n int) []byte {
	p := make([]byte, n)
	rand.NewChaCha8([32]byte(binary.BigEndian.AppendUint64(make([]byte, 24), seed))).Read(p)
	return p
}
