//go:build purego || !(amd64 || arm64)

package cpu

import "runtime"

// detect says no more than Go itself does: with purego, or on an architecture that has no kernels, nothing
// depends on the core.
func detect() CPU {
	return CPU{GOOS: runtime.GOOS, GOARCH: runtime.GOARCH}
}
