// Package percore decides which kernel of SHA-3 and AES-GCM runs on which core, and says why.
//
// A program gets the kernels themselves by importing percore/provider, which installs SHA-3 in
// package crypto, or by calling percore/provider/sha3 and percore/provider/gcm.
package percore
