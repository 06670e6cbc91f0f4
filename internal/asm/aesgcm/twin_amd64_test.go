//go:build !purego

package aesgcm

import (
	"bytes"
	"crypto/aes"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"testing"

	"percore"
)

// eachKernel runs f for each kernel that this core can run.
func eachKernel(t *testing.T, f func(t *testing.T, kernel Kernel)) {
	for _, kernel := range Kernels() {
		t.Run("kernel="+kernel.String(), func(t *testing.T) {
			if !slices.Contains(percore.Kernels("gcm"), kernel.String()) {
				t.Skipf("this core can't run %v: its features are %v", kernel, percore.Host().Features)
			}
			f(t, kernel)
		})
	}
}

// An element is a block as an element of the field of SP 800-38D, section 6.3: the coefficient of
// x^0 is its first bit, the upper one of hi.
type element struct{ hi, lo uint64 }

func toElement(b []byte) element {
	return element{binary.BigEndian.Uint64(b), binary.BigEndian.Uint64(b[8:])}
}

// reversed returns the bytes of a block in the order in which the kernels have them.
func (e element) reversed() (b [16]byte) {
	binary.LittleEndian.PutUint64(b[:], e.lo)
	binary.LittleEndian.PutUint64(b[8:], e.hi)
	return b
}

func (e element) add(f element) element { return element{e.hi ^ f.hi, e.lo ^ f.lo} }

// timesX is a shift, after which x^128 = x^7 + x^2 + x + 1.
func (e element) timesX() element {
	return element{e.hi>>1 ^ e.lo&1*(0xe1<<56), e.lo>>1 | e.hi<<63}
}

// overX undoes timesX.
func (e element) overX() element {
	carry := e.hi >> 63
	e.hi ^= carry * (0xe1 << 56)
	return element{e.hi<<1 | e.lo>>63, e.lo<<1 | carry}
}

func (e element) times(f element) (product element) {
	for i := range 128 {
		if e.bit(i) {
			product = product.add(f)
		}
		f = f.timesX()
	}
	return product
}

func (e element) bit(i int) bool {
	if i < 64 {
		return e.hi>>(63-i)&1 == 1
	}
	return e.lo>>(127-i)&1 == 1
}

// ghash is GHASH of SP 800-38D, section 6.4, from y on, with the last block filled up with zeros.
func ghash(h, y element, p []byte) element {
	for len(p) > 0 {
		var block [16]byte
		p = p[copy(block[:], p):]
		y = y.add(toElement(block[:])).times(h)
	}
	return y
}

// inverse is e^(2^128 - 2), the product of e^2, e^4 up to e^(2^127).
func (e element) inverse() element {
	product := element{hi: 1 << 63}
	for range 127 {
		e = e.times(e)
		product = product.times(e)
	}
	return product
}

// nonceFor returns the nonce of 16 bytes with zeros in J0 but for the counter: J0 = (nonce·H + 128)·H, so
// nonce = (J0/H + 128)/H.
func nonceFor(inverse element, counter uint32) []byte {
	e := element{lo: uint64(counter)}.times(inverse).add(element{lo: 128}).times(inverse)
	return binary.BigEndian.AppendUint64(binary.BigEndian.AppendUint64(nil, e.hi), e.lo)
}

func random(n int) []byte {
	r := rand.NewChaCha8([32]byte{byte(n), byte(n >> 8)})
	p := make([]byte, n)
	r.Read(p)
	return p
}

// hashKey is H.
func hashKey(key []byte) element {
	b, err := aes.NewCipher(key)
	if err != nil {
		panic(err)
	}
	var h [16]byte
	b.Encrypt(h[:], h[:])
	return toElement(h[:])
}

func TestTwin(t *testing.T) {
	one := element{hi: 1 << 63}
	e := toElement(random(16))
	if e.times(one) != e || one.times(e) != e {
		t.Error("x^0 isn't the one of the field")
	}
	if e.timesX().overX() != e || e.overX().timesX() != e {
		t.Error("overX doesn't undo timesX")
	}
	if e.times(e.inverse()) != one {
		t.Error("inverse isn't what it says")
	}
	if e.times(element{hi: 1 << 62}) != e.timesX() {
		t.Error("timesX isn't the product with x^1")
	}
}

// The powers of H and the sums of their halves, for all sizes of keys.
func TestInit(t *testing.T) {
	eachKernel(t, func(t *testing.T, kernel Kernel) {
		lanes := 2
		if kernel == VAES512 {
			lanes = 4
		}
		for _, size := range []int{16, 24, 32} {
			key := random(size)
			var k Key
			k.Init(kernel, key)
			if want := uint32(size/4 + 6); k.rounds != want {
				t.Errorf("%d bytes: %d rounds, want %d", size, k.rounds, want)
			}
			h := hashKey(key)
			power := element{hi: 1 << 63}
			for i := 1; i <= len(k.powers); i++ {
				power = power.times(h)
				if i == len(k.powers) && kernel == VAES256 {
					break // which never needs that
				}
				if got, want := k.powers[len(k.powers)-i], power.overX().reversed(); got != want {
					t.Errorf("%d bytes, H^%d: got %x, want %x", size, i, got, want)
				}
				if i == len(k.powers) {
					break
				}
				// Vectors count from the highest powers; a pair has one vector of sums.
				vector, lane := (32-i)/lanes, (32-i)%lanes
				at := vector/2*16*lanes + lane*16 + vector%2*8
				e := power.overX()
				if got := binary.LittleEndian.Uint64(k.middles[at:]); got != e.hi^e.lo {
					t.Errorf("%d bytes, sum of the halves of H^%d: got %x, want %x", size, i, got, e.hi^e.lo)
				}
			}
		}
	})
}

// The kernel of a name is the one that runs: only VAES512 makes a 33rd power of H. Nothing else
// but the speed would tell.
func TestKernelOfName(t *testing.T) {
	eachKernel(t, func(t *testing.T, want Kernel) {
		kernel, ok := Find(want.String())
		if !ok || kernel != want {
			t.Fatalf("Find(%q) = %v, %v", want, kernel, ok)
		}
		var k Key
		k.Init(kernel, make([]byte, 16))
		if wide := k.powers[0] != [16]byte{}; wide != (want == VAES512) {
			t.Errorf("%v: 33 powers of H: %v", want, wide)
		}
	})
}

// GHASH alone, of every length up to several chunks and of more than a piece, from any state on.
func TestGHASH(t *testing.T) {
	eachKernel(t, func(t *testing.T, kernel Kernel) {
		key := random(16)
		h := hashKey(key)
		var k Key
		k.Init(kernel, key)
		var lengths []int
		for n := range 1200 {
			lengths = append(lengths, n)
		}
		for _, n := range append(lengths, pieceSize-1, pieceSize, pieceSize+1, pieceSize+700) {
			p := random(n)
			start := toElement(random(16))
			got := start.reversed()
			k.ghash(&got, p)
			if want := ghash(h, start, p).reversed(); got != want {
				t.Fatalf("%d bytes: got %x, want %x", n, got, want)
			}
		}
	})
}

// A message against AES and GHASH as SP 800-38D, section 7.1, puts them together.
func TestSealOpen(t *testing.T) {
	eachKernel(t, func(t *testing.T, kernel Kernel) {
		for _, size := range []int{16, 24, 32} {
			key := random(size)
			block, err := aes.NewCipher(key)
			if err != nil {
				t.Fatal(err)
			}
			h := hashKey(key)
			var k Key
			k.Init(kernel, key)
			for n := 0; n < 1700; n += 1 + n/100 {
				nonce, text, aad := random(1+n%40), random(n), random(n%90)
				var j0 [16]byte
				if len(nonce) == 12 {
					copy(j0[:], nonce)
					j0[15] = 1
				} else {
					var lengths [16]byte
					binary.BigEndian.PutUint64(lengths[8:], 8*uint64(len(nonce)))
					b := ghash(h, ghash(h, element{}, nonce), lengths[:]).reversed()
					slices.Reverse(b[:])
					j0 = b
				}
				want := make([]byte, n, n+16)
				counter := j0
				for i := 0; i < n; i += 16 {
					binary.BigEndian.PutUint32(counter[12:], binary.BigEndian.Uint32(counter[12:])+1)
					var stream [16]byte
					block.Encrypt(stream[:], counter[:])
					for j := i; j < min(i+16, n); j++ {
						want[j] = text[j] ^ stream[j-i]
					}
				}
				var lengths, mask [16]byte
				binary.BigEndian.PutUint64(lengths[:], 8*uint64(len(aad)))
				binary.BigEndian.PutUint64(lengths[8:], 8*uint64(n))
				tag := ghash(h, ghash(h, ghash(h, element{}, aad), want), lengths[:])
				block.Encrypt(mask[:], j0[:])
				b := tag.add(toElement(mask[:])).reversed()
				slices.Reverse(b[:])
				want = append(want, b[:]...)

				got := make([]byte, n+16)
				k.Seal(got, nonce, text, aad)
				if !bytes.Equal(got, want) {
					t.Fatalf("key of %d bytes, nonce of %d, text of %d, additional data of %d:\ngot  %x\nwant %x",
						size, len(nonce), n, len(aad), got, want)
				}
				opened := make([]byte, n)
				if !k.Open(opened, nonce, want, aad) || !bytes.Equal(opened, text) {
					t.Fatalf("key of %d bytes, nonce of %d, text of %d, additional data of %d: Open gives %x, want %x",
						size, len(nonce), n, len(aad), opened, text)
				}
				want[len(want)-1-n%16] ^= 1
				if k.Open(opened, nonce, want, aad) {
					t.Fatalf("text of %d: a wrong tag passed", n)
				}
			}
		}
	})
}
