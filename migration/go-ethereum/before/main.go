// Command before hashes as an Ethereum client does, with go-ethereum's crypto package.
package main

import (
	"fmt"

	"github.com/ethereum/go-ethereum/common"
	"github.com/ethereum/go-ethereum/crypto"
)

func main() {
	topic := crypto.Keccak256Hash([]byte("Transfer(address,address,uint256)"))
	fmt.Println("topic   ", topic)

	owner := common.HexToAddress("0x00000000219ab540356cBB839Cbe05303d7705Fa")
	slot := crypto.Keccak256(common.LeftPadBytes(owner[:], 32), make([]byte, 32))
	fmt.Printf("slot     0x%x\n", slot)

	// One state for many hashes.
	state := crypto.NewKeccakState()
	for _, node := range []string{"account", "storage"} {
		fmt.Printf("%-8s %v\n", node, crypto.HashData(state, []byte(node)))
	}
}
