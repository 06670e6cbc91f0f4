// Package wycheproof holds percore against public test vectors: those of Wycheproof, and those that
// NIST's Automated Cryptographic Validation Protocol gave to Go's FIPS 140 module. It has tests only,
// in a module of its own, so that nobody who imports percore downloads the vectors.
package wycheproof
