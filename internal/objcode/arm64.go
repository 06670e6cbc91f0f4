package objcode

import (
	"encoding/binary"
	"math/bits"
)

// Registers of arm64. Where an encoding's 31 is the stack pointer and not zero, the register is 31 here too.
const (
	r18 = 18
	r28 = 28
	r29 = 29
	r30 = 30
	sp  = 31
)

// Of the registers Go's ABI0 has the callee keep the stack pointer, the frame pointer and R28, which is g also to the handler of a signal that
// comes meanwhile. R18 belongs to some systems. The frame pointer of any function is 8 less than its stack pointer, and the
// word there has its caller's; functions that call none restore it by that rule, not from that word.
var arm64 = processor{
	step:    (*machine).stepARM64,
	sp:      sp,
	redZone: 8,
	fp:      r29,
	kept:    []int{r29},
	steady:  []int{r18, r28},
	enter: func(m *machine) {
		m.registers[r29] = m.stack.address(-8)
		m.registers[r30] = unknown(returnAddress)
	},
}

// A word is an instruction of arm64.
type word uint32

// field returns n bits from bit low on.
func (w word) field(low, n int) int { return int(w >> low & (1<<n - 1)) }

// signed returns the same as a signed number.
func (w word) signed(low, n int) int64 { return int64(int32(w) << (32 - low - n) >> (32 - n)) }

func (w word) d() int { return w.field(0, 5) }
func (w word) n() int { return w.field(5, 5) }
func (w word) m() int { return w.field(16, 5) }
func (w word) a() int { return w.field(10, 5) }

// A pattern is an instruction whose bits under the mask are these.
type pattern struct {
	mask, bits word
	name       string
	run        func(*machine, word)
}

// The instructions that kernels use. All others are unknown.
var patternsARM64 = []pattern{
	{0xFFFFFFFF, 0xD503201F, "NOP", func(m *machine, w word) {}},
	{0xFFFFFFFF, 0xD65F03C0, "RET", func(m *machine, w word) {
		if !m.registers[r30].equal(unknown(returnAddress)) || !m.registers[sp].equal(m.stack.address(0)) {
			fail("a return to somewhere else")
		}
		m.next = 0
	}},
	{0xFC000000, 0x14000000, "B", func(m *machine, w word) { m.jump(true, w.signed(0, 26)) }},
	{0xFF00001F, 0x54000000, "B.EQ", func(m *machine, w word) { m.jump(m.decided().zero, w.signed(5, 19)) }},
	{0xFF00001F, 0x54000001, "B.NE", func(m *machine, w word) { m.jump(!m.decided().zero, w.signed(5, 19)) }},
	{0xFF00001F, 0x5400000C, "B.GT", func(m *machine, w word) {
		f := m.decided()
		m.jump(!f.zero && f.negative == f.overflow, w.signed(5, 19))
	}},
	{0xFF000000, 0xB4000000, "CBZ", func(m *machine, w word) { m.jump(isZero(m.x(w.d())), w.signed(5, 19)) }},
	{0xFF000000, 0xB5000000, "CBNZ", func(m *machine, w word) { m.jump(!isZero(m.x(w.d())), w.signed(5, 19)) }},

	{0x9F000000, 0x90000000, "ADRP", func(m *machine, w word) {
		m.setX(w.d(), constant(m.pc&^0xFFF+uint64(w.signed(5, 19)<<2|int64(w.field(29, 2)))<<12))
	}},
	{0xFF800000, 0x91000000, "ADD imm", func(m *machine, w word) { m.set(w.d(), add(m.registers[w.n()], w.imm12())) }},
	{0xFF800000, 0xD1000000, "SUB imm", func(m *machine, w word) { m.set(w.d(), subtract(m.registers[w.n()], w.imm12())) }},
	{0xFF800000, 0xF1000000, "SUBS imm", func(m *machine, w word) {
		v := m.registers[w.n()]
		m.compare(v, w.imm12())
		if w.d() != 31 {
			m.set(w.d(), subtract(v, w.imm12()))
		}
	}},
	{0xFFE0FC00, 0x8B000000, "ADD", func(m *machine, w word) { m.setX(w.d(), add(m.x(w.n()), m.x(w.m()))) }},
	{0xFFE0FC00, 0xCB000000, "SUB", func(m *machine, w word) { m.setX(w.d(), subtract(m.x(w.n()), m.x(w.m()))) }},
	{0xFFE0FC00, 0xEB000000, "SUBS", func(m *machine, w word) {
		v, u := m.x(w.n()), m.x(w.m())
		m.compare(v, u)
		m.setX(w.d(), subtract(v, u))
	}},

	{0xFFE00000, 0xCAC00000, "EOR ROR", func(m *machine, w word) { m.setX(w.d(), xor(m.x(w.n()), m.rotated(w))) }},
	{0xFFE0FC00, 0xCA000000, "EOR", func(m *machine, w word) { m.setX(w.d(), xor(m.x(w.n()), m.x(w.m()))) }},
	{0xFFE00000, 0x8AE00000, "BIC ROR", func(m *machine, w word) { m.setX(w.d(), and(m.x(w.n()), not(m.rotated(w)))) }},
	{0xFFE0FC00, 0x8A200000, "BIC", func(m *machine, w word) { m.setX(w.d(), and(m.x(w.n()), not(m.x(w.m())))) }},
	{0xFFE00000, 0x93C00000, "ROR", func(m *machine, w word) {
		if w.n() != w.m() {
			fail("EXTR of two registers")
		}
		m.setX(w.d(), m.rotated(w))
	}},
	{0xFF800000, 0xB2000000, "ORR imm", func(m *machine, w word) { m.set(w.d(), or(m.x(w.n()), w.bitmask())) }},
	{0xFF80001F, 0xF200001F, "TST imm", func(m *machine, w word) {
		n, ok := and(m.x(w.n()), w.bitmask()).number()
		m.flags = flags{known: ok, zero: n == 0, negative: int64(n) < 0}
	}},

	{0xFFC00000, 0xF9400000, "LDR", func(m *machine, w word) { m.setX(w.d(), m.load(m.at(w, 8*int64(w.field(10, 12))), 1)[0]) }},
	{0xFFC00000, 0xF9000000, "STR", func(m *machine, w word) { m.store(m.at(w, 8*int64(w.field(10, 12))), m.x(w.d())) }},
	{0xFFE00C00, 0xF8000000, "STUR", func(m *machine, w word) { m.store(m.at(w, w.signed(12, 9)), m.x(w.d())) }},
	{0xFFE00C00, 0xF8000C00, "STR, pre-indexed", func(m *machine, w word) {
		v := m.x(w.d())
		m.set(w.n(), m.at(w, w.signed(12, 9)))
		m.store(m.registers[w.n()], v)
	}},
	{0xFFC00000, 0xA9400000, "LDP", func(m *machine, w word) {
		v := m.load(m.at(w, 8*w.signed(15, 7)), 2)
		m.setX(w.d(), v[0])
		m.setX(w.a(), v[1])
	}},
	{0xFFC00000, 0xA9000000, "STP", func(m *machine, w word) { m.store(m.at(w, 8*w.signed(15, 7)), m.x(w.d()), m.x(w.a())) }},

	{0xFFE00C00, 0x3CC00400, "LDR Q, post-indexed", func(m *machine, w word) {
		m.setVector(w.d(), m.load(m.at(w, 0), 2)...)
		m.set(w.n(), m.at(w, w.signed(12, 9)))
	}},
	{0xFFFF0C00, 0x0C400C00, "LD1 1D", func(m *machine, w word) { m.loadLanes(w) }},
	{0xFFFF0C00, 0x0CDF0C00, "LD1 1D, post-indexed", func(m *machine, w word) { m.set(w.n(), m.at(w, m.loadLanes(w))) }},
	{0xFFFF0C00, 0x0C000C00, "ST1 1D", func(m *machine, w word) { m.storeLanes(w) }},
	{0xFFFF0C00, 0x0C9F0C00, "ST1 1D, post-indexed", func(m *machine, w word) { m.set(w.n(), m.at(w, m.storeLanes(w))) }},
	{0xFFFF0C00, 0x4C400C00, "LD1 2D", func(m *machine, w word) { m.loadLanes(w) }},
	{0xFFFF0C00, 0x4CDF0C00, "LD1 2D, post-indexed", func(m *machine, w word) { m.set(w.n(), m.at(w, m.loadLanes(w))) }},
	{0xFFFF0C00, 0x4C000C00, "ST1 2D", func(m *machine, w word) { m.storeLanes(w) }},
	{0xFFFF0C00, 0x4C9F0C00, "ST1 2D, post-indexed", func(m *machine, w word) { m.set(w.n(), m.at(w, m.storeLanes(w))) }},
	{0xFFE0FC00, 0x4EC03800, "ZIP1 2D", func(m *machine, w word) { m.setVector(w.d(), m.v(w.n())[0], m.v(w.m())[0]) }},
	{0xFFE0FC00, 0x4EC07800, "ZIP2 2D", func(m *machine, w word) { m.setVector(w.d(), m.v(w.n())[1], m.v(w.m())[1]) }},
	{0xFFE0FC00, 0x4E201C00, "AND 16B", func(m *machine, w word) {
		m.setVector(w.d(), each(func(v ...value) value { return and(v[0], v[1]) }, m.v(w.n()), m.v(w.m()))...)
	}},
	{0xFFE0FC00, 0x6E201C00, "EOR 16B", func(m *machine, w word) {
		m.setVector(w.d(), each(func(v ...value) value { return xor(v[0], v[1]) }, m.v(w.n()), m.v(w.m()))...)
	}},
	{0xFFE08000, 0xCE000000, "EOR3", func(m *machine, w word) {
		m.setVector(w.d(), each(func(v ...value) value { return xor(xor(v[0], v[1]), v[2]) }, m.v(w.n()), m.v(w.m()), m.v(w.a()))...)
	}},
	{0xFFE08000, 0xCE200000, "BCAX", func(m *machine, w word) {
		m.setVector(w.d(), each(func(v ...value) value { return xor(v[0], and(v[1], not(v[2]))) }, m.v(w.n()), m.v(w.m()), m.v(w.a()))...)
	}},
	{0xFFE0FC00, 0xCE608C00, "RAX1", func(m *machine, w word) {
		m.setVector(w.d(), each(func(v ...value) value { return xor(v[0], rotl(v[1], 1)) }, m.v(w.n()), m.v(w.m()))...)
	}},
	{0xFFE00000, 0xCE800000, "XAR", func(m *machine, w word) {
		m.setVector(w.d(), each(func(v ...value) value { return rotl(xor(v[0], v[1]), -w.field(10, 6)) }, m.v(w.n()), m.v(w.m()))...)
	}},
}

func (m *machine) stepARM64() (name string, length uint64) {
	w := word(binary.LittleEndian.Uint32(m.code()))
	m.next = m.pc + 4
	for _, p := range patternsARM64 {
		if w&p.mask == p.bits {
			p.run(m, w)
			return p.name, 4
		}
	}
	fail("an instruction that isn't known: %08x", uint32(w))
	return "", 0
}

// x and setX are for operands of which number 31 is zero.
func (m *machine) x(register int) value {
	if register == 31 {
		return value{}
	}
	return m.registers[register]
}

func (m *machine) setX(register int, v value) {
	if register != 31 {
		m.set(register, v)
	}
}

func (m *machine) v(register int) []value { return m.vectors[register][:2] }

// at returns the address of a load or store.
func (m *machine) at(w word, offset int64) value {
	return add(m.registers[w.n()], constant(uint64(offset)))
}

func (m *machine) jump(taken bool, words int64) {
	if taken {
		m.next = m.pc + uint64(4*words)
	}
}

// rotated is the second operand, rotated to the right.
func (m *machine) rotated(w word) value { return rotl(m.x(w.m()), -w.field(10, 6)) }

func (w word) imm12() value { return constant(uint64(w.field(10, 12)) << (12 * w.field(22, 1))) }

// bitmask is the immediate of logical instructions: a run of ones, rotated, in elements of 2 to 64 bits.
func (w word) bitmask() value {
	n, immr, imms := w.field(22, 1), w.field(16, 6), w.field(10, 6)
	size := 1 << (bits.Len(uint(n<<6|^imms&63)) - 1)
	ones := imms&(size-1) + 1
	if size < 2 || ones == size {
		fail("an immediate that isn't known: %08x", uint32(w))
	}
	element := uint64(1)<<ones - 1
	shift := immr & (size - 1)
	element = element>>shift | element<<(size-shift)
	if size < 64 {
		element &= 1<<size - 1
	}
	v := element
	for ; size < 64; size *= 2 {
		v |= v << size
	}
	return constant(v)
}

// lanesOf returns the registers of LD1 and ST1 of one to four.
func lanesOf(w word) (registers []int) {
	count, ok := map[int]int{0b0111: 1, 0b1010: 2, 0b0110: 3, 0b0010: 4}[w.field(12, 4)]
	if !ok {
		fail("an instruction that isn't known: %08x", uint32(w))
	}
	for i := range count {
		registers = append(registers, (w.d()+i)%32)
	}
	return registers
}

// loadLanes and storeLanes return the number of bytes.
func (m *machine) loadLanes(w word) int64 {
	registers, lanes := lanesOf(w), 1+w.field(30, 1)
	loaded := m.load(m.at(w, 0), len(registers)*lanes)
	for i, r := range registers {
		m.setVector(r, loaded[i*lanes:][:lanes]...)
	}
	return 8 * int64(len(loaded))
}

func (m *machine) storeLanes(w word) int64 {
	var stored []value
	for _, r := range lanesOf(w) {
		stored = append(stored, m.vectors[r][:1+w.field(30, 1)]...)
	}
	m.store(m.at(w, 0), stored...)
	return 8 * int64(len(stored))
}
