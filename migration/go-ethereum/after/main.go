// Command after hashes as an Ethereum client does, with percore.
package main

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"

	"percore/provider/sha3"
)

func main() {
	topic := common.Hash(sha3.SumLegacyKeccak256([]byte("Transfer(address,address,uint256)")))
	fmt.Println("topic   ", topic)

	owner := common.HexToAddress("0x00000000219ab540356cBB839Cbe05303d7705Fa")
	slot := sha3.SumLegacyKeccak256(append(common.LeftPadBytes(owner[:], 32), make([]byte, 32)...))
	fmt.Printf("slot     0x%x\n", slot)

	// One state for many hashes.
	state := sha3.NewLegacyKeccak256()
	for _, node := range []string{"account", "storage"} {
		fmt.Printf("%-8s %v\n", node, crypto.HashData(state, []byte(node)))
	}
}
