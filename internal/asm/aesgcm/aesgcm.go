// Package aesgcm holds the kernels of AES-GCM, NIST SP 800-38D, and dispatches to them.
//
// The generator in _asm derives the arithmetic and has the tables of registers.
package aesgcm

// A Kernel is one implementation. The zero Kernel is none.
type Kernel uint8

const (
	VAES256 Kernel = 1 + iota // AVX2, VAES and VPCLMULQDQ: vectors of 256 bits
	VAES512                   // AVX-512, VAES and VPCLMULQDQ: vectors of 512 bits
)

// String returns the name that PERCORE has for k.
func (k Kernel) String() string { return [...]string{"none", "vaes256", "vaes512"}[k] }

// Find returns the kernel of that name, and whether this build has it.
func Find(name string) (Kernel, bool) {
	for _, k := range Kernels() {
		if k.String() == name {
			return k, true
		}
	}
	return 0, false
}
