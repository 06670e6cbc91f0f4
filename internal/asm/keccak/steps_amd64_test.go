//go:build !purego

package keccak

import (
	"testing"

	"percore/internal/cryptotest"
)

func kernelListing(t *testing.T) cryptotest.Listing {
	l := cryptotest.Listing{}
	for name, code := range assembled(t) {
		l["percore/internal/asm/keccak."+name] = code
	}
	return l
}
