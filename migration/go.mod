module percore/migration

go 1.26.0

require (
	github.com/cloudflare/circl v1.6.5
	github.com/ethereum/go-ethereum v1.17.10
	golang.org/x/crypto v0.59.0
	percore v0.0.0
)

require (
	github.com/ProjectZKM/Ziren/crates/go-runtime/zkvm_runtime v0.0.0-20251001021608-1fe7b43fc4d6 // indirect
	github.com/decred/dcrd/dcrec/secp256k1/v4 v4.0.1 // indirect
	github.com/holiman/uint256 v1.3.2 // indirect
	golang.org/x/sys v0.50.0 // indirect
)

replace percore => ..
