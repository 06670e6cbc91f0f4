// Package percore tells which kernel of SHA-3 and AES-GCM a program runs on its core, and why. [Selected] is the choice for
// this process, [Default] that for any core.
//
// It is for reports and logs. To hash and to encrypt, import what does it:
//
//   - percore/provider makes crypto.SHA3_256.New and its siblings run on percore, by a blank import;
//   - percore/provider/sha3 stands in for crypto/sha3 and has Ethereum's Keccak-256 too;
//   - percore/provider/gcm stands in for crypto/aes with cipher.NewGCM;
//   - percore/provider/tls13 makes TLS 1.3 of crypto/tls run on percore, by a blank import.
//
// The environment variable PERCORE forces kernels, as in PERCORE=sha3=generic,gcm=std.
package percore
