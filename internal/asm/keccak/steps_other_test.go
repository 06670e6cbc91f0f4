//go:build !amd64 || purego

package keccak

import (
	"testing"

	"percore/internal/cryptotest"
)

func kernelListing(*testing.T) cryptotest.Listing { return nil }
