//go:build !race

package cryptotest

// Race says whether the race detector is on: it allocates, and slows everything down.
const Race = false
