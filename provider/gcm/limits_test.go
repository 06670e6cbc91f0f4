//go:build linux && (amd64 || arm64)

package gcm_test

import (
	"bytes"
	"errors"
	"fmt"
	"runtime"
	"testing"

	"golang.org/x/sys/unix"

	"percore"
	"percore/internal/cryptotest"
	"percore/provider/gcm"
)

// A text of 64 GiB is refused before a byte of it is read: all of it is unreadable here. The limits are the standard
// library's to the byte.
func TestTooLong(t *testing.T) {
	const most = (1<<32 - 2) * 16
	long, err := unix.Mmap(-1, 0, most+64, unix.PROT_NONE, unix.MAP_ANON|unix.MAP_PRIVATE|unix.MAP_NORESERVE)
	if err != nil {
		t.Skip("mmap of 64 GiB:", err)
	}
	defer unix.Munmap(long)
	eachKey(t, func(t *testing.T, key []byte) {
		if percore.Selected().GCM.Kernel == "std" {
			t.Skip("the limits are the standard library's own")
		}
		for _, c := range constructors([]int{16}, []int{12, 16}) {
			ours, want := must(c.ours(key)), must(c.std(key))
			nonce := make([]byte, want.NonceSize())
			tell := func(f func()) (s string) {
				defer func() { s = fmt.Sprint(recover()) }()
				f()
				return
			}
			for _, n := range []int{most + 1, most + 16} {
				// Without room: whoever doesn't refuse this takes 64 GiB of memory. With room he takes a fault.
				got := tell(func() { ours.Seal(long[:0:len(long)], nonce, long[:n], nil) })
				if want := "crypto/cipher: message too large for GCM"; got != want {
					t.Errorf("%s: Seal of %d bytes: %s, want %s", c.name, n, got, want)
				}
			}
			n := most + want.Overhead() + 1
			_, gotErr := ours.Open(long[:0], nonce, long[:n], nil)
			wantErr := errors.New("cipher: message authentication failed")
			if want.NonceSize() > 0 { // with nonces of its choice the standard library moves the text first
				_, wantErr = want.Open(long[:0], nonce, long[:n], nil)
			}
			if fmt.Sprint(gotErr) != fmt.Sprint(wantErr) || wantErr == nil {
				t.Errorf("%s: Open of %d bytes: error %v, want %v", c.name, n, gotErr, wantErr)
			}
		}
	})
}

// From 512 MiB on the number of bits has more than 32 bits, both of text and of additional data.
func TestLengthsOf33Bits(t *testing.T) {
	if testing.Short() || cryptotest.Race {
		t.Skip("takes 512 MiB of memory")
	}
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		key, nonce := cryptotest.Random(1, 16), cryptotest.Random(2, 12)
		ours, want := must(gcm.New(key)), std(key, 12)
		const n = 512<<20 + 33
		buffer := make([]byte, n+16)
		if tag := ours.Seal(nil, nonce, nil, buffer[:n]); !bytes.Equal(tag, want.Seal(nil, nonce, nil, buffer[:n])) {
			t.Error("additional data: wrong tag")
		}
		if _, err := want.Open(buffer[:0], nonce, ours.Seal(buffer[:0], nonce, buffer[:n], nil), nil); err != nil {
			t.Error("text:", err)
		}
	})
}

// The collector doesn't wait long for one who seals, opens or authenticates much, as it would if all of it went into one call of a
// kernel. The best of a few tries, for what else goes on in the system.
func TestPause(t *testing.T) {
	if cryptotest.Race || testing.Short() {
		t.Skip("measures time: not with the race detector, which slows it, or in short mode")
	}
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		if percore.Selected().GCM.Kernel == "std" {
			t.Skip("the standard library makes one call of assembly")
		}
		ours := must(gcm.New(make([]byte, 16)))
		text := make([]byte, 64<<20, 64<<20+16)
		nonce := make([]byte, 12)
		const longest = 0.001 // seconds
		for name, call := range map[string]func(){
			"Seal":            func() { ours.Seal(text[:0], nonce, text, nil) },
			"additional data": func() { ours.Seal(nil, nonce, nil, text) },
		} {
			call()
			best := 1.0
			for try := 0; try < 10 && best > longest; try++ {
				done, stopped := make(chan bool), make(chan bool)
				before := pauses()
				go func() {
					for {
						select {
						case <-done:
							stopped <- true
							return
						default:
							runtime.GC()
						}
					}
				}()
				for range 5 {
					call()
				}
				done <- true
				<-stopped
				after := pauses()
				worst := 0.0
				for i, n := range after.Counts {
					if n > before.Counts[i] {
						worst = after.Buckets[i]
					}
				}
				best = min(best, worst)
			}
			t.Logf("%s: %.0f µs", name, best*1e6)
			if best > longest {
				t.Errorf("%s: the collector waits for %.0f µs", name, best*1e6)
			}
		}
	})
}

// Lengths around the pieces that go into one call of a kernel, with counters that start anywhere.
func TestLongFromAnyCounter(t *testing.T) {
	const piece = 64 << 10
	text := cryptotest.Random(1, 2*piece+1200)
	eachKey(t, func(t *testing.T, key []byte) {
		ours, want := must(gcm.NewWithNonceSize(key, 16)), std(key, 16)
		for n := -600; n <= 1200; n += 5 * step() {
			nonce := cryptotest.Random(uint64(n+600), 16)
			agree(t, ours, want, nonce, text[:piece+n], nil)
			agree(t, ours, want, nonce, text[:2*piece+n], nil)
		}
	})
}
