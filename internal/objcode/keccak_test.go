package objcode

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"percore/internal/asm/keccak"
	"percore/internal/cryptotest"
)

const keccakPackage = "percore/internal/asm/keccak"

// kernels are all of Keccak's in assembly. One that isn't called like those here gets a function of its own that says what its arguments are,
// and where it has its states.
var kernels = []kernel{
	{"bmi2", "amd64", "spongeBMI2", oneState(countBlocks), sponges},
	{"avx512", "amd64", "spongeAVX512", oneState(countBlocks), sponges},
	{"gpr", "arm64", "blocksGPR", oneState(countBytes), sponges},
	{"plain", "arm64", "blocksPlain", oneState(countBytes), sponges},
	{"simd", "arm64", "blocksSIMD", oneState(countBytes), sponges},
	{"batch-avx2", "amd64", "absorbBatchAVX2", manyStates(keccak.BatchAVX2), batches(keccak.BatchAVX2)},
	{"batch-avx512", "amd64", "absorbBatchAVX512", manyStates(keccak.BatchAVX512), batches(keccak.BatchAVX512)},
	{"batch-simd", "arm64", "absorbBatchSIMD", manyStates(keccak.BatchSIMD), batches(keccak.BatchSIMD)},
	{"batch-avx512-digests", "amd64", "digestsBatchAVX512", copyDigests, func() []*sponge { return []*sponge{{rate: 4, sets: 2}} }},
}

type kernel struct {
	name, arch string
	function   string
	call       func(*sponge) *call
	sponges    func() []*sponge // what it is looked at for
}

// A call is what a kernel is called with, and where it finds and leaves what.
type call struct {
	arguments []value
	lanes     [][25]place // of each state
	input     [][]place   // of each state the words of all blocks
	output    [][]place
	masks     []place // of each state
	others    []place // which the kernel leaves alone
}

// A place is a word of memory.
type place struct {
	*region
	offset int64
}

// places are the words of a region.
func (r *region) places() (places []place) {
	for offset := int64(0); offset < r.size; offset += 8 {
		places = append(places, place{r, offset})
	}
	return places
}

// oneState calls kernels of the form (a *[25]uint64, in, out *byte, rate, n int).
func oneState(count func(rate, blocks int) int) func(*sponge) *call {
	return func(s *sponge) *call {
		state := newRegion("the state", 25)
		c := &call{lanes: [][25]place{[25]place(state.places())}}
		var in, out value
		buffer := newRegion("the buffer", s.blocks*s.rate)
		rate := 8 * s.rate
		switch {
		case s.absorbing:
			buffer.readOnly = true
			in, c.input = buffer.address(0), [][]place{buffer.places()}
		case s.rate > 0:
			out, c.output = buffer.address(0), [][]place{buffer.places()}
		default:
			rate = 168 // as a lone permutation has it
		}
		c.arguments = []value{state.address(0), in, out, constant(uint64(rate)), constant(uint64(count(rate, s.blocks)))}
		return c
	}
}

// What n counts.
func countBlocks(rate, blocks int) int { return blocks }

func countBytes(rate, blocks int) int { return rate * blocks }

// manyStates calls kernels of the form (a, keep *uint64, in **byte, rate, blocks, sets int), of which one has no sets. Each block has memory of its
// own. Where pointers are equal a kernel finds the same words as in blocks with equal contents, since it can't write there.
func manyStates(k keccak.BatchKernel) func(*sponge) *call {
	return func(s *sponge) *call {
		width, most := k.Lanes()
		states := newRegion("the states", 25*width*most)
		if k == keccak.BatchAVX512 {
			states.size *= 2 // as it has room behind them for lanes after odd rounds
		}
		pointers := newRegion("the pointers", width*s.sets)
		pointers.readOnly = true
		c := &call{others: states.places()[25*width*s.sets : 25*width*most]}
		for state := range width * s.sets {
			block := newRegion("a block", s.blocks*s.rate)
			block.readOnly = true
			pointers.words[8*int64(state)] = block.address(0)
			c.lanes, c.input = append(c.lanes, lanesOfMany(states, width, state)), append(c.input, block.places())
		}
		var keep value
		if s.masked {
			masks := newRegion("the masks", width*s.sets)
			masks.readOnly = true
			keep, c.masks = masks.address(0), masks.places()
		}
		c.arguments = []value{states.address(0), keep, pointers.address(0), constant(uint64(8 * s.rate)), constant(uint64(s.blocks))}
		if k != keccak.BatchSIMD {
			c.arguments = append(c.arguments, constant(uint64(s.sets)))
		}
		return c
	}
}

// lanesOfMany are those of a state: each lies next to the same lane of the other states of a set, so many.
func lanesOfMany(states *region, width, state int) (lanes [25]place) {
	set, element := state/width, state%width
	for i := range lanes {
		lanes[i] = place{states, 8 * int64((25*set+i)*width+element)}
	}
	return lanes
}

// copyDigests calls digestsBatchAVX512(a *uint64, digests *byte).
func copyDigests(s *sponge) *call {
	width, sets := keccak.BatchAVX512.Lanes()
	states, digests := newRegion("the states", 25*width*sets), newRegion("the digests", s.rate*width*sets)
	states.readOnly = true
	c := &call{arguments: []value{states.address(0), digests.address(0)}}
	for state := range width * sets {
		c.lanes = append(c.lanes, lanesOfMany(states, width, state))
		c.output = append(c.output, digests.places()[s.rate*state:][:s.rate])
	}
	return c
}

// String is the operation's name for subtests.
func (s *sponge) String() string {
	switch {
	case s.blocks == 0:
		return "copy"
	case s.rate == 0:
		return "permute"
	case s.sets > 0:
		return fmt.Sprintf("absorb/rate=%d/blocks=%d/sets=%d/masked=%v", 8*s.rate, s.blocks, s.sets, s.masked)
	case s.absorbing:
		return fmt.Sprintf("absorb/rate=%d/blocks=%d", 8*s.rate, s.blocks)
	}
	return fmt.Sprintf("squeeze/rate=%d/blocks=%d", 8*s.rate, s.blocks)
}

// eachSize calls f for the rates and the numbers of blocks that each kernel is looked at for. Two blocks lead from a block to the next in every way that
// there is, and 16 are as many as any call has.
func eachSize(f func(rate, blocks int)) {
	for _, rate := range []int{72, 104, 136, 144, 168} {
		for _, blocks := range []int{1, 2, 16} {
			if blocks <= 2 || !testing.Short() {
				f(rate/8, blocks)
			}
		}
	}
}

func sponges() []*sponge {
	all := []*sponge{{blocks: 1}}
	eachSize(func(rate, blocks int) {
		all = append(all, &sponge{blocks: blocks, rate: rate, absorbing: true}, &sponge{blocks: blocks, rate: rate})
	})
	return all
}

// batches are sponges of kernels for many states. With masks that are symbols any states may begin, and others not.
func batches(k keccak.BatchKernel) func() []*sponge {
	return func() (all []*sponge) {
		_, most := k.Lanes()
		eachSize(func(rate, blocks int) {
			for sets := 1; sets <= most; sets++ {
				for _, masked := range []bool{false, true} {
					all = append(all, &sponge{blocks: blocks, rate: rate, absorbing: true, sets: sets, masked: masked})
				}
			}
		})
		return all
	}
}

// prove runs a kernel on symbols and compares what it leaves with the definition.
func prove(p *program, f function, k kernel, s *sponge, seen func(name string, start, end uint64)) error {
	c := k.call(s)
	for state, lanes := range c.lanes {
		for i, l := range lanes {
			l.words[l.offset] = s.stored(state, i)
		}
	}
	for state, mask := range c.masks {
		mask.words[mask.offset] = unknown(masks + symbol(state))
	}
	for state, words := range c.input {
		for i, w := range words {
			w.words[w.offset] = s.input(state, i/s.rate, i%s.rate)
		}
	}
	m := newMachine(p, f, c.arguments...)
	m.recognise, m.seen = s.recognise, seen
	if err := m.run(); err != nil {
		return err
	}
	for state, lanes := range c.lanes {
		for i, l := range lanes {
			if !l.words[l.offset].equal(s.after(state, rounds*s.blocks, i)) {
				return fmt.Errorf("lane (%d, %d) of state %d at the end isn't Keccak's", i%5, i/5, state)
			}
		}
	}
	for _, l := range c.others {
		if _, ok := l.words[l.offset]; ok {
			return fmt.Errorf("a write to another's memory, at %d of %s", l.offset, l.name)
		}
	}
	for state, words := range c.output {
		for i, w := range words {
			if !w.words[w.offset].equal(s.after(state, rounds*min(s.blocks, i/s.rate+1), i%s.rate)) {
				return fmt.Errorf("word %d of the output of state %d isn't Keccak's", i, state)
			}
		}
	}
	return nil
}

// compute runs a kernel on random numbers and compares what it leaves with the generic kernel.
func compute(p *program, f function, k kernel, s *sponge, r *rand.Rand) error {
	c := k.call(s)
	fill := func(places []place) (numbers []uint64) {
		for _, l := range places {
			n := r.Uint64()
			l.words[l.offset] = constant(n)
			numbers = append(numbers, n)
		}
		return numbers
	}
	compare := func(what string, places []place, want []uint64) error {
		for i, l := range places {
			if !l.words[l.offset].equal(constant(want[i])) {
				return fmt.Errorf("word %d of the %s is wrong", i, what)
			}
		}
		return nil
	}
	var states, inputs [][]uint64
	for state := range c.lanes {
		states = append(states, fill(c.lanes[state][:]))
		if s.absorbing {
			inputs = append(inputs, fill(c.input[state]))
		}
	}
	kept := fill(c.masks)
	if err := newMachine(p, f, c.arguments...).run(); err != nil {
		return err
	}
	for state := range c.lanes {
		a := [25]uint64(states[state])
		for i := range a {
			if s.masked {
				a[i] &= kept[state]
			}
		}
		buffer := make([]byte, 8*s.rate*s.blocks)
		switch {
		case s.blocks == 0:
			if err := compare("output", c.output[state], a[:]); err != nil {
				return err
			}
		case s.absorbing:
			for i, n := range inputs[state] {
				binary.LittleEndian.PutUint64(buffer[8*i:], n)
			}
			keccak.Absorb(keccak.Generic, &a, 8*s.rate, buffer)
		case s.rate > 0:
			keccak.Squeeze(keccak.Generic, &a, 8*s.rate, buffer)
			var want []uint64
			for i := range s.rate * s.blocks {
				want = append(want, binary.LittleEndian.Uint64(buffer[8*i:]))
			}
			if err := compare("output", c.output[state], want); err != nil {
				return err
			}
		default:
			keccak.Permute(keccak.Generic, &a)
		}
		if err := compare("state", c.lanes[state][:], a[:]); err != nil {
			return err
		}
	}
	return nil
}

// programs are the linked kernels of each architecture.
var programs = map[string]func() (*program, error){}

func init() {
	for arch := range processors {
		programs[arch] = sync.OnceValues(func() (*program, error) {
			// This test's own program has none of the kernels. Without a look at their files the go command would show a result from its cache after
			// they have changed.
			if _, err := os.ReadDir("../asm/keccak"); err != nil {
				return nil, err
			}
			return build(arch, keccakPackage)
		})
	}
}

// eachKernel runs f for every kernel, whatever machine it is for.
func eachKernel(t *testing.T, f func(*testing.T, *program, function, kernel)) {
	cryptotest.NeedsGo(t)
	if cryptotest.Race {
		t.Skip("takes long with the race detector, which has nothing to find here")
	}
	for _, k := range kernels {
		t.Run("kernel="+k.name, func(t *testing.T) {
			p, err := programs[k.arch]()
			if err != nil {
				t.Fatal(err)
			}
			code, err := p.find(keccakPackage + "." + k.function)
			if err != nil {
				t.Fatal(err)
			}
			f(t, p, code, k)
		})
	}
}

// What makes last blocks takes single bytes, and branches on where in a page they lie. Here words are the least, and addresses have no numbers.
// Its tests have every length of a last block, at the ends of pages too.
var notProved = []string{"padBatchAVX512"}

// No other function in assembly is left out.
func TestEveryKernel(t *testing.T) {
	cryptotest.NeedsGo(t)
	for arch, program := range programs {
		p, err := program()
		if err != nil {
			t.Fatal(err)
		}
		var want, got []string
		for _, k := range kernels {
			if k.arch == arch {
				want = append(want, k.function)
			}
		}
		for _, s := range p.symbols {
			name, ours := strings.CutPrefix(s.Name, keccakPackage+".")
			if name, assembly := strings.CutSuffix(name, ".abi0"); ours && assembly && !slices.Contains(notProved, name) {
				got = append(got, name)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s has %v, and the proof is for %v", arch, got, want)
		}
	}
}

// The machine code of every kernel computes what FIPS 202 defines, for all states and all inputs, in no memory but what it is given. No
// branch and no address depends on data, and what belongs to callers is kept. That holds on processors whose instructions
// do what the models here say.
func TestProof(t *testing.T) {
	eachKernel(t, func(t *testing.T, p *program, f function, k kernel) {
		for _, s := range k.sponges() {
			t.Run(s.String(), func(t *testing.T) {
				if err := prove(p, f, k, s, nil); err != nil {
					t.Error(err)
				}
			})
		}
	})
}

// With the models of the instructions, on numbers, the kernels' machine code computes what the generic kernel does. What the proof does to
// expressions has no part in this.
func TestModels(t *testing.T) {
	eachKernel(t, func(t *testing.T, p *program, f function, k kernel) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, s := range k.sponges() {
			t.Run(s.String(), func(t *testing.T) {
				if err := compute(p, f, k, s, r); err != nil {
					t.Error(err)
				}
			})
		}
	})
}

// Every model of an instruction is in use by some kernel: otherwise nothing has tried it.
func TestNoModelIsIdle(t *testing.T) {
	used := map[string]map[string]bool{"amd64": {}, "arm64": {}}
	eachKernel(t, func(t *testing.T, p *program, f function, k kernel) {
		for _, s := range k.sponges() {
			if s.blocks <= 1 {
				if err := prove(p, f, k, s, func(name string, _, _ uint64) { used[k.arch][name] = true }); err != nil {
					t.Error(err)
				}
			}
		}
	})
	for _, form := range formsAMD64 {
		if len(used["amd64"]) > 0 && !used["amd64"][form.name] {
			t.Errorf("no kernel has an instruction %s", form.name)
		}
	}
	for _, p := range patternsARM64 {
		if len(used["arm64"]) > 0 && !used["arm64"][p.name] {
			t.Errorf("no kernel has an instruction %s", p.name)
		}
	}
}

// The definition that the proof takes for Keccak's gives what the generic kernel computes.
func TestDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		var want [25]uint64
		var a [25]value
		for i := range want {
			want[i] = r.Uint64()
			a[i] = constant(want[i])
		}
		keccak.Permute(keccak.Generic, &want)
		for _, c := range roundConstants {
			a = round(a, constant(c))
		}
		for i := range a {
			if !a[i].equal(constant(want[i])) {
				t.Fatalf("lane %d is wrong", i)
			}
		}
	}
}
