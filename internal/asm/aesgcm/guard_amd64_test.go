//go:build !purego

package aesgcm

import (
	"bytes"
	"runtime/debug"
	"testing"
	"unsafe"

	"percore/internal/cryptotest"
)

// at returns a T that begins where b does.
func at[T any](b []byte) *T { return (*T)(unsafe.Pointer(unsafe.SliceData(b))) }

// No kernel reads or writes outside of a key, an expanded key, a message's description, a state of GHASH, additional data, text
// and result. All of them lie against an unreadable page, first with their ends, then with their starts. What goes through Go
// slices of the public API is in provider/gcm; here are the pointers that it doesn't show, and lengths that
// it doesn't hand to these functions.
func TestGuarded(t *testing.T) {
	const most = 2100
	type places struct{ key, expanded, message, hash, nonce, aad, src, dst []byte }
	var ends, starts places
	for _, p := range []struct {
		end, start *[]byte
		n          int
	}{
		{&ends.key, &starts.key, 32}, {&ends.expanded, &starts.expanded, int(unsafe.Sizeof(Key{}))},
		{&ends.message, &starts.message, int(unsafe.Sizeof(message{}))}, {&ends.hash, &starts.hash, 16},
		{&ends.nonce, &starts.nonce, 16}, {&ends.aad, &starts.aad, most}, {&ends.src, &starts.src, most}, {&ends.dst, &starts.dst, most},
	} {
		*p.end, *p.start = cryptotest.Guarded(t, p.n)
	}
	eachKernel(t, func(t *testing.T, kernel Kernel) {
		defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // for the name of the test
		for _, size := range []int{16, 24, 32} {
			key := random(size)
			var want Key
			want.Init(kernel, key)
			for i, p := range []places{ends, starts} {
				// cut takes n bytes of b at the guarded end.
				cut := func(b []byte, n int) []byte { return [][]byte{b[len(b)-n:], b[:n:n]}[i] }
				k := at[Key](p.expanded)
				copy(cut(p.key, size), key)
				clear(p.expanded)
				k.Init(kernel, cut(p.key, size))
				if *k != want {
					t.Fatalf("%d bytes of key: the expanded key is wrong", size)
				}
				for n := range most + 1 {
					if n > 80 && n%61 > 2 {
						continue
					}
					aad := cut(p.aad, n)
					copy(aad, random(n))
					hash := at[[16]byte](p.hash)
					clear(p.hash)
					k.ghash(hash, aad)
					if ghash(hashKey(key), element{}, aad).reversed() != *hash {
						t.Fatalf("GHASH of %d bytes is wrong", n)
					}
					nonce := cut(p.nonce, 12+n%5)
					copy(nonce, random(len(nonce)))
					for _, seal := range []bool{true, false} {
						m := at[message](p.message)
						*m = message{seal: seal}
						plain := message{seal: seal}
						src, dst := cut(p.src, n), cut(p.dst, n)
						copy(src, random(n+1))
						wantDst := make([]byte, n)
						want.crypt(&plain, wantDst, bytes.Clone(nonce), bytes.Clone(src), bytes.Clone(aad[:n%100]))
						short := cut(p.aad, n%100)
						copy(short, random(n))
						k.crypt(m, dst, nonce, src, short)
						if m.hash != plain.hash || !bytes.Equal(dst, wantDst) {
							t.Fatalf("seal %v, %d bytes: the result is wrong", seal, n)
						}
					}
				}
			}
		}
	})
}
