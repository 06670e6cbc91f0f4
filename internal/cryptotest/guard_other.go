//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || solaris)

package cryptotest

import (
	"runtime"
	"testing"
)

// Guarded skips the test: there are no guard pages on this system.
func Guarded(t testing.TB, n int) (end, start []byte) {
	t.Skip("no guard pages on " + runtime.GOOS)
	return nil, nil
}
