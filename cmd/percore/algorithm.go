package main

import (
	stdsha3 "crypto/sha3"
	"io"
	"strings"

	"percore/provider/sha3"
)

// A hasher is what the commands need of a hash.Hash.
type hasher interface {
	io.Writer
	Sum(b []byte) []byte
	Reset()
}

// An algorithm is a function that sum offers and report tests and measures.
type algorithm struct {
	name string
	size int                   // bytes of digest, of a SHAKE unless another number is asked for
	xof  bool                  // whether another number can be asked for
	new  func(size int) hasher // percore's
	std  func(size int) hasher // the standard library's, or nil
}

var algorithms = []algorithm{
	{
		name: "sha3-224", size: 28,
		new: func(int) hasher { return sha3.New224() },
		std: func(int) hasher { return stdsha3.New224() },
	},
	{
		name: "sha3-256", size: 32,
		new: func(int) hasher { return sha3.New256() },
		std: func(int) hasher { return stdsha3.New256() },
	},
	{
		name: "sha3-384", size: 48,
		new: func(int) hasher { return sha3.New384() },
		std: func(int) hasher { return stdsha3.New384() },
	},
	{
		name: "sha3-512", size: 64,
		new: func(int) hasher { return sha3.New512() },
		std: func(int) hasher { return stdsha3.New512() },
	},
	{
		name: "shake128", size: 32, xof: true,
		new: func(size int) hasher { return shake{sha3.NewSHAKE128(), size} },
		std: func(size int) hasher { return shake{stdsha3.NewSHAKE128(), size} },
	},
	{
		name: "shake256", size: 64, xof: true,
		new: func(size int) hasher { return shake{sha3.NewSHAKE256(), size} },
		std: func(size int) hasher { return shake{stdsha3.NewSHAKE256(), size} },
	},
	{
		name: "keccak-256", size: 32,
		new: func(int) hasher { return sha3.NewLegacyKeccak256() },
	},
}

// find returns the algorithm of that name.
func find(name string) (algorithm, bool) {
	for _, a := range algorithms {
		if a.name == name {
			return a, true
		}
	}
	return algorithm{}, false
}

// names returns the names of all algorithms, for people to read.
func names() string {
	var names []string
	for _, a := range algorithms {
		names = append(names, a.name)
	}
	return strings.Join(names, ", ")
}

// shake gives an extendable output function a digest of size bytes.
type shake struct {
	xof interface {
		io.ReadWriter
		Reset()
	}
	size int
}

func (s shake) Write(p []byte) (int, error) { return s.xof.Write(p) }

func (s shake) Reset() { s.xof.Reset() }

// Sum can be called once, and no Write can follow, until Reset.
func (s shake) Sum(b []byte) []byte {
	digest := make([]byte, s.size)
	s.xof.Read(digest)
	return append(b, digest...)
}
