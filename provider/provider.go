// Package provider installs percore's SHA-3 in package crypto. It is imported for that effect:
//
//	import _ "percore/provider"
//
// From then on crypto.SHA3_224, crypto.SHA3_256, crypto.SHA3_384 and crypto.SHA3_512 give hashes
// of percore/provider/sha3, unless the standard library's are the better ones on this core, FIPS 140 mode
// is on, or the toolchain has boringcrypto: percore.Selected says so.
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
