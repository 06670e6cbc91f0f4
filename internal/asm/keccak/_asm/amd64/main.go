// Command amd64 generates the kernels of Keccak-f[1600] for amd64.
//
// All do the same thing, one function each: for every block, add it to the state if there is input, permute, and write
// a block of the state if there is output. That is absorbing, squeezing and, with neither, the permutation alone, on
// one copy of the rounds.
//
// Lanes, rows and the steps θ, ρ, π, χ and ι are those of FIPS 202, section 3.2. In comments + is exclusive or.
package main

import (
	"flag"
	"iter"
	"log"

	"github.com/mmcloughlin/avo/attr"
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"percore/internal/asm/keccak/_asm/fips202"
)

// signature is that of every kernel. The rate is in bytes. Without input, or without output, its pointer is nil.
const signature = "func(a, in, out uintptr, rate, blocks int)"

var (
	rotations      = rotationsOfLanes()
	roundConstants Mem
)

func main() {
	kernel := flag.String("kernel", "", "the kernel to generate: bmi2, avx512, batchavx2 or batchavx512")
	flag.Parse()
	ConstraintExpr("!purego")
	roundConstants = GLOBL("roundConstants", attr.RODATA|attr.NOPTR)
	for i, rc := range fips202.Constants() {
		DATA(8*i, U64(rc))
	}
	switch *kernel {
	case "bmi2":
		bmi2()
	case "avx512":
		avx512()
	case "batchavx2":
		rotateBytes = constantRotations()
		batches[*kernel].absorb()
	case "batchavx512":
		batches[*kernel].absorb()
		batches[*kernel].pad()
		batches[*kernel].digests()
	default:
		log.Fatalf("there is no kernel %q", *kernel)
	}
	Generate()
}

// rotationsOfLanes returns by how much ρ rotates lane (x, y), at x+5y.
func rotationsOfLanes() (r [25]int) {
	for x, column := range fips202.Offsets() {
		for y, n := range column {
			r[x+5*y] = n
		}
	}
	return r
}

// source returns the lane of the old state, as an index, that ρ and π bring to (x, y): π, section 3.2.3.
func source(x, y int) int { return (x+3*y)%5 + 5*x }

// params goes over the parameters of a kernel other than a, in order.
func params(in, out, rate, blocks Mem) iter.Seq2[string, Mem] {
	return func(yield func(string, Mem) bool) {
		_ = yield("in", in) && yield("out", out) && yield("rate", rate) && yield("blocks", blocks)
	}
}

// eachLane emits body for each lane of a block and has it end at the rate, a jump to done for all but the largest one.
func eachLane(rate reg.Register, done string, body func(lane int)) {
	for i := range 168 / 8 {
		switch i {
		case 72 / 8, 104 / 8, 136 / 8, 144 / 8:
			CMPQ(rate, I32(8*i))
			JE(LabelRef(done))
		}
		body(i)
	}
}

func mem(base reg.Register, disp int) Mem { return Mem{Base: base, Disp: disp} }
