// Package provider makes all that hashes through package crypto run on percore's SHA-3, FIPS 202: HMAC, HKDF, PBKDF2 and
// signatures that are given crypto.SHA3_256 or one of its siblings. It is imported for that effect and has no names:
//
//	import _ "percore/provider"
//
// From then on crypto.SHA3_224, crypto.SHA3_256, crypto.SHA3_384 and crypto.SHA3_512 give hashes
// of percore/provider/sha3, unless the standard library's are the better ones on this core, FIPS 140 mode
// is on, or the toolchain has boringcrypto: percore.Selected says so.
//
// Calls of crypto/sha3 and of AES-GCM stay as they are: see percore/provider/sha3 and percore/provider/gcm.
package provider

import (
	"crypto"
	"hash"

	"percore"
	"percore/provider/sha3"
)

func init() {
	percore.RegisterHash(crypto.SHA3_224, func() hash.Hash { return sha3.New224() })
	percore.RegisterHash(crypto.SHA3_256, func() hash.Hash { return sha3.New256() })
	percore.RegisterHash(crypto.SHA3_384, func() hash.Hash { return sha3.New384() })
	percore.RegisterHash(crypto.SHA3_512, func() hash.Hash { return sha3.New512() })
}
