//go:build !amd64 || purego

package aesgcm

// Kernels returns the kernels of this build: none.
func Kernels() []Kernel { return nil }

// A Key can't be made here, so none of its methods is ever called.
type Key struct{}

const noKernel = "aesgcm: this build has no kernel"

// Init panics.
func (*Key) Init(Kernel, []byte) { panic(noKernel) }

// Seal panics.
func (*Key) Seal(out, nonce, plaintext, aad []byte) { panic(noKernel) }

// Open panics.
func (*Key) Open(out, nonce, ciphertext, aad []byte) bool { panic(noKernel) }
