// Command arm64 generates Keccak kernels for general-purpose registers of arm64.
//
// It knows the permutation from package fips202 alone. Rotations: an EOR or BIC of arm64 rotates one of its operands on
// the way, so ρ is never carried out. Each value of 64 bits instead comes with the rotation that it is still to get
// (see lazy), and wherever two values meet, the shifted operand gets the difference. That is the technique of Becker and
// Kannwischer, "Hybrid scalar/vector implementations of Keccak and SPHINCS+ on AArch64", IACR eprint 2022/1243. A plan (see
// lazyPlan) settles which operands are the shifted ones, so that a round ends with the rotations that it starts with.
//
// The stages: round writes the rounds down with any number of values; schedule puts them in an order for cores that
// keep to it; allocate finds the registers; check runs the result against FIPS 202; only then print writes it out.
package main

import (
	"bytes"
	"fmt"
	"os"
)

func main() {
	kernels := map[string]func() *kernel{"gpr": gpr, "plain": plain}
	if len(os.Args) != 3 || kernels[os.Args[1]] == nil {
		fmt.Fprintln(os.Stderr, "usage: arm64 gpr|plain FILE")
		os.Exit(2)
	}
	k := kernels[os.Args[1]]()
	err := k.check()
	if err == nil {
		var file bytes.Buffer
		k.print(&file)
		err = os.WriteFile(os.Args[2], file.Bytes(), 0o666)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "arm64:", err)
		os.Exit(1)
	}
}

// gpr is the kernel for cores where a shifted operand costs nothing.
func gpr() *kernel {
	between := lazyPlan()
	first := plan{carry: between.carry, fromNext: between.fromNext}
	return newKernel("GPR", first, between, settled(between, 2))
}

// plain is the kernel for cores where an instruction with a shifted operand takes two cycles and one unit of three, as
// on Cortex-A57 and A72. No rotation outlives its round, and most are instructions of their own, which any unit runs.
func plain() *kernel {
	p := settled(plan{}, 1)
	return newKernel("Plain", p, p, p)
}

// settled returns p for a round at whose end no rotation is left to be done. It leaves that of shifted of the lanes of
// each row to shifted operands: no more than two neighbors, so that each instruction of χ has an operand that it can take
// without a shift.
func settled(p plan, shifted int) plan {
	p.settle = true
	for y := range 5 {
		for x := range 5 - shifted {
			p.explicit[x][y] = true
		}
	}
	return p
}
