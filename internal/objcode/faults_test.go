package objcode

import (
	"cmp"
	"debug/elf"
	"encoding/binary"
	"maps"
	"slices"
	"testing"
)

// A change makes a fault of an instruction's bytes, and reports whether it found what it changes.
type change func([]byte) bool

// flip changes one bit, of arm64's instructions counted as the manual does.
func flip(bit int) change {
	return func(b []byte) bool {
		b[bit/8] ^= 1 << (bit % 8)
		return true
	}
}

// flipRegister changes the lowest bit of ModRM.reg, where ModRM comes last because no operand is in memory.
func flipRegister(b []byte) bool {
	b[len(b)-1] ^= 1 << 3
	return b[len(b)-1]>>6 == 3
}

// flipVVVV changes the lowest bit of the field vvvv of VEX, in two or three bytes, or EVEX.
func flipVVVV(b []byte) bool {
	b[map[byte]int{vex2: 1, vex: 2, evex: 2}[b[0]]] ^= 1 << 3
	return true
}

// flipDisplacement changes a displacement by a word, or by the size of a vector if that is what it counts, in an instruction without an immediate.
func flipDisplacement(b []byte) bool {
	modRM, unit := 2, byte(8) // behind a REX prefix
	switch b[0] {
	case vex2:
		modRM = 3
	case vex:
		modRM = 4
	case evex:
		modRM, unit = 5, 1
	}
	switch b[modRM] >> 6 {
	case 1:
		b[len(b)-1] ^= unit
	case 2:
		b[len(b)-4] ^= 8
	default:
		return false
	}
	return true
}

// flipImmediate changes these bits of an immediate, which comes last.
func flipImmediate(bits byte) change {
	return func(b []byte) bool {
		b[len(b)-1] ^= bits
		return true
	}
}

// flipTernary is flipVVVV unless the operands don't matter, where VPTERNLOG makes ones.
func flipTernary(b []byte) bool { return flipVVVV(b) && b[len(b)-1] != 0xFF }

// exchangeANDN exchanges the operands of an ANDN or VPANDN of registers: vvvv, inverted in the third byte, and the field rm with the
// inverted bit B.
func exchangeANDN(b []byte) bool {
	v, rm := ^b[2]>>3&15, b[4]&7|^b[1]>>5&1<<3
	b[2] = b[2]&^(15<<3) | ^rm&15<<3
	b[4] = b[4]&^7 | v&7
	b[1] = b[1]&^(1<<5) | ^v>>3&1<<5
	return v != rm && b[0] == vex && b[4]>>6 == 3
}

// exchangeTernary exchanges b and c in VPTERNLOG's a + ^b·c, and a and b in a + b·c.
func exchangeTernary(b []byte) bool {
	last := &b[len(b)-1]
	exchanged, ok := map[byte]byte{0xD2: 0xB4, 0x78: 0x6C}[*last]
	*last = exchanged
	return ok
}

// exchange exchanges two of an arm64 instruction's fields of five bits.
func exchange(low, high int) change {
	return func(b []byte) bool {
		w := word(binary.LittleEndian.Uint32(b))
		x, y := w.field(low, 5), w.field(high, 5)
		binary.LittleEndian.PutUint32(b, uint32(int(w)&^(31<<low|31<<high)|x<<high|y<<low))
		return x != y
	}
}

// destroy makes an instruction one that no processor has: UD2, or UDF.
func destroy(b []byte) bool {
	copy(b, []byte{0, 0, 0, 0})
	if len(b) != 4 {
		copy(b, []byte{0x0F, 0x0B})
	}
	return len(b) >= 2
}

// faults are changes by the kind of instruction. A word in a table of constants has no name, and * stands for all instructions.
var faults = map[string]map[string]change{
	"rotation": {
		"RORX": flipImmediate(1), "VPROLQ": flipImmediate(1),
		"VPSRLQ": flipImmediate(1), "VPSLLQ": flipImmediate(1), "VPADDQ": flipVVVV,
		"ROR": flip(10), "EOR ROR": flip(10), "BIC ROR": flip(10), "XAR": flip(10),
	},
	"constant": {"": flip(0)},
	"operand": {
		"XOR r/m, r": flipRegister, "VPXORQ": flipVVVV, "VPTERNLOGQ": flipTernary,
		"VPXOR": flipVVVV, "VPAND": flipVVVV, "VPANDQ": flipVVVV, "VPANDN": flipVVVV, "VPOR": flipVVVV,
		"VMOVDQA v/m, v": flipRegister, "VMOVDQA64 v/m, v": flipRegister, "VMOVHPS": flipVVVV,
		"VPUNPCKLQDQ": flipVVVV, "VPUNPCKLQDQ (EVEX)": flipVVVV, "VPUNPCKHQDQ": flipVVVV, "VPUNPCKHQDQ (EVEX)": flipVVVV,
		"VSHUFI64X2": flipImmediate(0x55), "VINSERTI128": flipImmediate(1), "VINSERTI64X4": flipImmediate(1),
		"VEXTRACTI64X4": flipImmediate(1), "VPERMI2Q": flipVVVV,
		"EOR": flip(16), "EOR ROR": flip(16), "BIC ROR": flip(16), "EOR3": flip(16), "BCAX": flip(16),
		"EOR 16B": flip(16), "AND 16B": flip(16), "ZIP1 2D": flip(14), "ZIP2 2D": flip(14),
	},
	"order": {
		"ANDN": exchangeANDN, "VPANDN": exchangeANDN, "VPTERNLOGQ": exchangeTernary,
		"BIC": exchange(5, 16), "BIC ROR": exchange(5, 16), "BCAX": exchange(10, 16),
	},
	"place of a store": {
		"MOV r/m, r": flipDisplacement, "VMOVQ r/m, x": flipDisplacement, "VMOVQ r/m, x (EVEX)": flipDisplacement,
		"VMOVDQU v/m, v": flipDisplacement, "VMOVDQU64 v/m, v": flipDisplacement, "ST1 2D": flip(5), "ST1 2D, post-indexed": flip(0),
		"STR": flip(10), "STP": flip(15), "ST1 1D": flip(5), "ST1 1D, post-indexed": flip(0),
	},
	"place of a load": {
		"MOV r, r/m": flipDisplacement, "VMOVQ x, r/m": flipDisplacement, "VMOVQ x, r/m (EVEX)": flipDisplacement,
		"VMOVDQU v, v/m": flipDisplacement, "VMOVDQU64 v, v/m": flipDisplacement, "VPBROADCASTQ": flipDisplacement, "LD1 2D": flip(5), "LD1 2D, post-indexed": flip(0),
		"LDR": flip(10), "LDP": flip(15), "LD1 1D": flip(5), "LD1 1D, post-indexed": flip(0),
	},
	"branch": {
		"JE imm8": flip(0), "JE imm32": flip(8), "JNE imm8": flip(0), "JNE imm32": flip(8), "JMP imm8": flip(0), "JMP imm32": flip(8), "CMP r/m, imm8": flipImmediate(8),
		"B.EQ": flip(0), "B.NE": flip(0), "CBZ": flip(24), "CBNZ": flip(24),
	},
	"unknown instruction": {"*": destroy},
}

// Every fault is found in every kernel wherever it can be planted, most of them by the proof of one block.
func TestFaults(t *testing.T) {
	stride := 1
	if testing.Short() {
		stride = 23
	}
	eachKernel(t, func(t *testing.T, p *program, f function, k kernel) {
		type site struct {
			name       string
			start, end uint64
			sponge     *sponge
		}
		sites := map[uint64]site{}
		for _, s := range k.sponges() {
			if s.blocks > 1 {
				continue
			}
			if err := prove(p, f, k, s, func(name string, start, end uint64) {
				if _, ok := sites[start]; !ok {
					sites[start] = site{name, start, end, s}
				}
			}); err != nil {
				t.Fatal(err)
			}
		}
		sorted := slices.SortedFunc(maps.Values(sites), func(a, b site) int { return cmp.Compare(a.start, b.start) })
		for _, what := range slices.Sorted(maps.Keys(faults)) {
			t.Run(what, func(t *testing.T) {
				planted, candidates := 0, 0
				for _, s := range sorted {
					plant := faults[what][s.name]
					if plant == nil && s.name != "" {
						plant = faults[what]["*"]
					}
					if plant == nil {
						continue
					}
					kind := elf.STT_FUNC
					if s.name == "" {
						kind = elf.STT_OBJECT
					}
					b := p.bytes(kind, s.start, s.end-s.start)
					before := slices.Clone(b)
					if plant(b) {
						if candidates%stride == 0 {
							planted++
							found := func(s *sponge) bool { return prove(p, f, k, s, nil) != nil }
							if !found(s.sponge) && !slices.ContainsFunc(k.sponges(), found) {
								t.Errorf("not found: %s at +%#x, % x in place of % x", s.name, s.start-f.start, b, before)
							}
						}
						candidates++
					}
					copy(b, before)
				}
				if planted == 0 && k.sponges()[0].blocks > 0 { // a copy doesn't rotate or branch
					t.Error("nothing to plant it in")
				}
				t.Logf("%d planted", planted)
			})
		}
	})
}
