//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris

package cryptotest

import (
	"os"
	"testing"

	"golang.org/x/sys/unix"
)

// Guarded returns two buffers of n bytes that lie apart: an unreadable page follows directly after
// the last byte of end, and precedes the first of start. Whoever reads or writes across takes a
// fault. A shorter buffer is end[i:] or start[:i:i]. Both are gone when the test is over.
func Guarded(t testing.TB, n int) (end, start []byte) {
	t.Helper()
	page := os.Getpagesize()
	size := 2 * (n/page + 1) * page
	m, err := unix.Mmap(-1, 0, page+size+page, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
	if err != nil {
		t.Fatal("mmap:", err)
	}
	t.Cleanup(func() {
		if err := unix.Munmap(m); err != nil {
			t.Error("munmap:", err)
		}
	})
	for _, guard := range [][]byte{m[:page], m[page+size:]} {
		if err := unix.Mprotect(guard, unix.PROT_NONE); err != nil {
			t.Fatal("mprotect:", err)
		}
	}
	last := page + size
	return m[last-n : last : last], m[page : page+n : page+n]
}
