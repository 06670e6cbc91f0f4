package objcode

import "slices"

// Registers of amd64 by their numbers in the encoding.
const (
	rsp = 4
	rbp = 5
	r14 = 14
	r15 = 15
)

// Of the registers Go's ABI0 has the callee keep the stack pointer and the frame pointer alone. The kernels keep two more that others may use:
// R14 is g in Go's own code, and R15 has an address in position-independent code.
var amd64 = processor{
	step:  (*machine).stepAMD64,
	sp:    rsp,
	fp:    rbp,
	kept:  []int{rbp, r14, r15},
	enter: func(m *machine) { m.stack.words[0] = unknown(returnAddress) },
}

// A key says which instruction it is: the manuals' EVEX.66.0F.W1 72 /1 is {evex, 1, 0x0F, 1, 0x72, 1}.
type key struct {
	space     byte
	prefix    byte // as VEX and EVEX count them: none, 66, F3, F2
	opcodeMap byte // as they count them too: none, 0F, 0F38, 0F3A
	w         byte
	opcode    byte
	digit     int8 // in the field reg of ModRM, or noDigit
}

const (
	legacy = 0
	vex    = 0xC4
	vex2   = 0xC5 // the same in two bytes
	evex   = 0x62

	noDigit = -1
)

// layout is what follows an opcode, and how the operands are found.
type layout uint8

const (
	modRM  layout = 1 << iota // ModRM and what belongs to it
	imm8                      // an immediate byte
	imm32                     // four immediate bytes
	second                    // VEX's or EVEX's field vvvv names an operand
	vector                    // the operands are whole vectors, of any length
	half                      // but the one in memory is half of one
)

// A form is an instruction in one of its encodings.
type form struct {
	name   string
	layout layout
	run    func(*machine, *instruction)
}

// An instruction is a form with its operands.
type instruction struct {
	form
	reg, second, rm int   // numbers of registers
	memory          bool  // instead of rm
	address         value // there
	lanes           int   // of a vector
	broadcast       bool  // one lane in memory stands for all
	immediate       int64
}

// The forms that kernels use. All others are unknown.
var formsAMD64 = map[key]form{
	{legacy, 0, 0, 0, 0x55, noDigit}: {"PUSH BP", 0, func(m *machine, i *instruction) {
		m.registers[rsp] = subtract(m.registers[rsp], constant(8))
		m.store(m.registers[rsp], m.registers[rbp])
	}},
	{legacy, 0, 0, 0, 0x5D, noDigit}: {"POP BP", 0, func(m *machine, i *instruction) {
		m.set(rbp, m.pop())
	}},
	{legacy, 0, 0, 0, 0xC3, noDigit}: {"RET", 0, func(m *machine, i *instruction) {
		if sp := m.registers[rsp]; !m.pop().equal(unknown(returnAddress)) || !sp.equal(m.stack.address(0)) {
			fail("a return to somewhere else")
		}
		m.next = 0
	}},
	{legacy, 0, 0, 0, 0x74, noDigit}: {"JE imm8", imm8, func(m *machine, i *instruction) { m.branch(m.decided().zero, i.immediate) }},
	{legacy, 0, 1, 0, 0x84, noDigit}: {"JE imm32", imm32, func(m *machine, i *instruction) { m.branch(m.decided().zero, i.immediate) }},
	{legacy, 0, 0, 0, 0x75, noDigit}: {"JNE imm8", imm8, func(m *machine, i *instruction) { m.branch(!m.decided().zero, i.immediate) }},
	{legacy, 0, 1, 0, 0x85, noDigit}: {"JNE imm32", imm32, func(m *machine, i *instruction) { m.branch(!m.decided().zero, i.immediate) }},
	{legacy, 0, 0, 0, 0xEB, noDigit}: {"JMP imm8", imm8, func(m *machine, i *instruction) { m.branch(true, i.immediate) }},
	{legacy, 0, 0, 0, 0xE9, noDigit}: {"JMP imm32", imm32, func(m *machine, i *instruction) { m.branch(true, i.immediate) }},
	{legacy, 0, 1, 0, 0x18, 0}: {"PREFETCHNTA", modRM, func(m *machine, i *instruction) {
		if !i.memory { // which may be anywhere, as nothing comes of it
			fail("PREFETCHNTA of a register")
		}
	}},

	{legacy, 0, 0, 1, 0x89, noDigit}: {"MOV r/m, r", modRM, func(m *machine, i *instruction) { m.setRM(i, m.registers[i.reg]) }},
	{legacy, 0, 0, 1, 0x8B, noDigit}: {"MOV r, r/m", modRM, func(m *machine, i *instruction) { m.set(i.reg, m.rm(i)) }},
	{legacy, 0, 0, 1, 0x8D, noDigit}: {"LEA r, m", modRM, func(m *machine, i *instruction) {
		if !i.memory {
			fail("LEA of a register")
		}
		m.set(i.reg, i.address)
	}},
	{legacy, 0, 0, 1, 0x31, noDigit}: {"XOR r/m, r", modRM, func(m *machine, i *instruction) {
		m.setRM(i, xor(m.rm(i), m.registers[i.reg]))
		m.flags = flags{}
	}},
	{legacy, 0, 0, 0, 0x31, noDigit}: {"XOR r32, r32", modRM, func(m *machine, i *instruction) {
		if i.memory || i.rm != i.reg {
			fail("XOR of two operands of 32 bits")
		}
		m.set(i.reg, value{})
		m.flags = flags{}
	}},
	{legacy, 0, 0, 1, 0x33, noDigit}: {"XOR r, r/m", modRM, func(m *machine, i *instruction) {
		m.set(i.reg, xor(m.registers[i.reg], m.rm(i)))
		m.flags = flags{}
	}},
	{legacy, 0, 0, 1, 0x01, noDigit}: {"ADD r/m, r", modRM, func(m *machine, i *instruction) { m.add(i, m.registers[i.reg]) }},
	{legacy, 0, 0, 1, 0x83, 0}:       {"ADD r/m, imm8", modRM | imm8, func(m *machine, i *instruction) { m.add(i, i.constant()) }},
	{legacy, 0, 0, 1, 0x81, 0}:       {"ADD r/m, imm32", modRM | imm32, func(m *machine, i *instruction) { m.add(i, i.constant()) }},
	{legacy, 0, 0, 1, 0x83, 5}:       {"SUB r/m, imm8", modRM | imm8, func(m *machine, i *instruction) { m.add(i, negate(i.constant())) }},
	{legacy, 0, 0, 1, 0x81, 5}:       {"SUB r/m, imm32", modRM | imm32, func(m *machine, i *instruction) { m.add(i, negate(i.constant())) }},
	{legacy, 0, 0, 1, 0xFF, 1}: {"DEC r/m", modRM, func(m *machine, i *instruction) {
		v := m.rm(i)
		m.compare(v, constant(1))
		m.setRM(i, subtract(v, constant(1)))
	}},
	{legacy, 0, 0, 1, 0x39, noDigit}: {"CMP r/m, r", modRM, func(m *machine, i *instruction) { m.compare(m.rm(i), m.registers[i.reg]) }},
	{legacy, 0, 0, 1, 0x83, 7}:       {"CMP r/m, imm8", modRM | imm8, func(m *machine, i *instruction) { m.compare(m.rm(i), i.constant()) }},
	{legacy, 0, 0, 1, 0x81, 7}:       {"CMP r/m, imm32", modRM | imm32, func(m *machine, i *instruction) { m.compare(m.rm(i), i.constant()) }},
	{legacy, 0, 0, 1, 0x85, noDigit}: {"TEST r/m, r", modRM, func(m *machine, i *instruction) {
		if i.memory || i.rm != i.reg {
			fail("TEST of two operands")
		}
		m.flags = flags{known: true, zero: isZero(m.registers[i.reg])}
	}},

	{vex, 3, 3, 1, 0xF0, noDigit}: {"RORX", modRM | imm8, func(m *machine, i *instruction) { m.set(i.reg, rotl(m.rm(i), -int(i.immediate&63))) }},
	{vex, 0, 2, 1, 0xF2, noDigit}: {"ANDN", modRM | second, func(m *machine, i *instruction) {
		m.set(i.reg, and(not(m.registers[i.second]), m.rm(i)))
		m.flags = flags{}
	}},

	{vex, 0, 1, 0, 0x77, noDigit}: {"VZEROUPPER", 0, func(m *machine, i *instruction) {
		for r := range 16 {
			m.setVector(r, m.vectors[r][:2]...)
		}
	}},
	{vex, 1, 1, 1, 0x6E, noDigit}:  {"VMOVQ x, r/m", modRM, func(m *machine, i *instruction) { m.setVector(i.reg, m.rm(i)) }},
	{evex, 1, 1, 1, 0x6E, noDigit}: {"VMOVQ x, r/m (EVEX)", modRM, func(m *machine, i *instruction) { m.setVector(i.reg, m.rm(i)) }},
	{vex, 1, 1, 1, 0x7E, noDigit}:  {"VMOVQ r/m, x", modRM, func(m *machine, i *instruction) { m.setRM(i, m.vectors[i.reg][0]) }},
	{evex, 1, 1, 1, 0x7E, noDigit}: {"VMOVQ r/m, x (EVEX)", modRM, func(m *machine, i *instruction) { m.setRM(i, m.vectors[i.reg][0]) }},
	{vex, 0, 1, 0, 0x16, noDigit}: {"VMOVHPS", modRM | second, func(m *machine, i *instruction) {
		if !i.memory {
			fail("VMOVLHPS")
		}
		m.setVector(i.reg, m.vectors[i.second][0], m.rm(i))
	}},
	{vex, 1, 1, 0, 0x7F, noDigit}:  {"VMOVDQA v/m, v", modRM | vector, moveVector},
	{evex, 1, 1, 1, 0x7F, noDigit}: {"VMOVDQA64 v/m, v", modRM | vector, moveVector},
	{vex, 2, 1, 0, 0x6F, noDigit}:  {"VMOVDQU v, v/m", modRM | vector, loadVector},
	{evex, 2, 1, 1, 0x6F, noDigit}: {"VMOVDQU64 v, v/m", modRM | vector, loadVector},
	{vex, 2, 1, 0, 0x7F, noDigit}:  {"VMOVDQU v/m, v", modRM | vector, storeVector},
	{evex, 2, 1, 1, 0x7F, noDigit}: {"VMOVDQU64 v/m, v", modRM | vector, storeVector},
	{vex, 1, 2, 0, 0x59, noDigit}: {"VPBROADCASTQ", modRM | vector, func(m *machine, i *instruction) {
		source := m.vectors[i.rm][0]
		if i.memory {
			source = m.load(i.address, 1)[0]
		}
		m.setVector(i.reg, repeat(source, i.lanes)...)
	}},

	{vex, 1, 1, 0, 0xEF, noDigit}:  {"VPXOR", modRM | second | vector, lanewise(xor)},
	{evex, 1, 1, 1, 0xEF, noDigit}: {"VPXORQ", modRM | second | vector, lanewise(xor)},
	{vex, 1, 1, 0, 0xDB, noDigit}:  {"VPAND", modRM | second | vector, lanewise(and)},
	{evex, 1, 1, 1, 0xDB, noDigit}: {"VPANDQ", modRM | second | vector, lanewise(and)},
	{vex, 1, 1, 0, 0xDF, noDigit}:  {"VPANDN", modRM | second | vector, lanewise(func(v, w value) value { return and(not(v), w) })},
	{vex, 1, 1, 0, 0xEB, noDigit}:  {"VPOR", modRM | second | vector, lanewise(or)},
	{vex, 1, 1, 0, 0xD4, noDigit}: {"VPADDQ", modRM | second | vector, lanewise(func(v, w value) value {
		if !v.equal(w) {
			fail("a sum of two lanes")
		}
		return shl(v, 1)
	})},
	{vex, 1, 1, 0, 0x76, noDigit}: {"VPCMPEQD", modRM | second | vector, lanewise(func(v, w value) value {
		if !v.equal(w) {
			fail("a comparison of two lanes")
		}
		return constant(^uint64(0))
	})},
	{vex, 1, 1, 0, 0x73, 2}: {"VPSRLQ", modRM | imm8 | second | vector, shift(shr)},
	{vex, 1, 1, 0, 0x73, 6}: {"VPSLLQ", modRM | imm8 | second | vector, shift(shl)},
	{evex, 1, 1, 1, 0x72, 1}: {"VPROLQ", modRM | imm8 | second | vector, func(m *machine, i *instruction) {
		m.setVector(i.second, each(func(v ...value) value { return rotl(v[0], int(i.immediate&63)) }, m.vectorRM(i))...)
	}},

	{vex, 1, 2, 0, 0x00, noDigit}: {"VPSHUFB", modRM | second | vector, func(m *machine, i *instruction) {
		from, indices := m.vector(i, i.second), m.vectorRM(i)
		result := make([]value, i.lanes)
		for lane := range result {
			n, ok := indices[lane].number()
			if !ok {
				fail("a shuffle depends on data")
			}
			result[lane] = bytesOf(from[lane&^1:][:2], n)
		}
		m.setVector(i.reg, result...)
	}},
	{vex, 1, 1, 0, 0x6C, noDigit}:  {"VPUNPCKLQDQ", modRM | second | vector, interleave(0)},
	{evex, 1, 1, 1, 0x6C, noDigit}: {"VPUNPCKLQDQ (EVEX)", modRM | second | vector, interleave(0)},
	{vex, 1, 1, 0, 0x6D, noDigit}:  {"VPUNPCKHQDQ", modRM | second | vector, interleave(1)},
	{evex, 1, 1, 1, 0x6D, noDigit}: {"VPUNPCKHQDQ (EVEX)", modRM | second | vector, interleave(1)},
	{evex, 1, 3, 1, 0x43, noDigit}: {"VSHUFI64X2", modRM | imm8 | second | vector, func(m *machine, i *instruction) {
		if i.lanes != 8 {
			fail("VSHUFI64X2 of %d lanes", i.lanes)
		}
		a, b := m.vector(i, i.second), m.vectorRM(i)
		var result []value
		for quarter, from := range [][]value{a, a, b, b} {
			result = append(result, from[i.immediate>>(2*quarter)&3*2:][:2]...)
		}
		m.setVector(i.reg, result...)
	}},
	{vex, 1, 3, 0, 0x38, noDigit}:  {"VINSERTI128", modRM | imm8 | second | vector, func(m *machine, i *instruction) { m.insert(i, 4) }},
	{evex, 1, 3, 1, 0x3A, noDigit}: {"VINSERTI64X4", modRM | imm8 | second | vector | half, func(m *machine, i *instruction) { m.insert(i, 8) }},
	{evex, 1, 3, 1, 0x3B, noDigit}: {"VEXTRACTI64X4", modRM | imm8 | vector | half, func(m *machine, i *instruction) {
		if i.lanes != 8 || !i.memory || i.broadcast {
			fail("VEXTRACTI64X4 of %d lanes, of one, or to a register", i.lanes)
		}
		m.store(i.address, m.vectors[i.reg][i.immediate&1*4:][:4]...)
	}},
	{evex, 1, 2, 1, 0x76, noDigit}: {"VPERMI2Q", modRM | second | vector, func(m *machine, i *instruction) {
		both := slices.Concat(m.vector(i, i.second), m.vectorRM(i))
		m.setVector(i.reg, each(func(index ...value) value {
			n, ok := index[0].number()
			if !ok {
				fail("a permutation depends on data")
			}
			return both[n%uint64(len(both))]
		}, m.vector(i, i.reg))...)
	}},
	{evex, 1, 3, 1, 0x25, noDigit}: {"VPTERNLOGQ", modRM | imm8 | second | vector, func(m *machine, i *instruction) {
		table := byte(i.immediate)
		operation := func(v ...value) value { return ternary(table, v[0], v[1], v[2]) }
		m.setVector(i.reg, each(operation, m.vector(i, i.reg), m.vector(i, i.second), m.vectorRM(i))...)
	}},
}

// lanewise is an instruction that computes each lane from those of two operands.
func lanewise(operation func(v, w value) value) func(*machine, *instruction) {
	return func(m *machine, i *instruction) {
		m.setVector(i.reg, each(func(v ...value) value { return operation(v[0], v[1]) }, m.vector(i, i.second), m.vectorRM(i))...)
	}
}

func loadVector(m *machine, i *instruction) {
	if i.broadcast {
		fail("%s of one lane", i.name)
	}
	m.setVector(i.reg, m.vectorRM(i)...)
}

func storeVector(m *machine, i *instruction) {
	if i.broadcast || !i.memory {
		fail("%s of one lane, or to a register", i.name)
	}
	m.store(i.address, m.vector(i, i.reg)...)
}

// moveVector moves between registers.
func moveVector(m *machine, i *instruction) {
	if i.memory {
		fail("an access that needs alignment")
	}
	m.setVector(i.rm, m.vector(i, i.reg)...)
}

// shift is an instruction that shifts lanes by an immediate.
func shift(operation func(v value, k int) value) func(*machine, *instruction) {
	return func(m *machine, i *instruction) {
		if i.memory {
			fail("%s of memory", i.name)
		}
		m.setVector(i.second, each(func(v ...value) value { return operation(v[0], int(uint8(i.immediate))) }, m.vector(i, i.rm))...)
	}
}

// interleave is an instruction that takes the lower or the upper lane out of each 128 bits of two operands.
func interleave(upper int) func(*machine, *instruction) {
	return func(m *machine, i *instruction) {
		a, b := m.vector(i, i.second), m.vectorRM(i)
		var result []value
		for pair := 0; pair < i.lanes; pair += 2 {
			result = append(result, a[pair+upper], b[pair+upper])
		}
		m.setVector(i.reg, result...)
	}
}

// insert puts half a vector into the lower or upper half of a vector.
func (m *machine) insert(i *instruction, lanes int) {
	if i.lanes != lanes || i.broadcast {
		fail("%s of %d lanes, or of one", i.name, i.lanes)
	}
	inserted := m.vectors[i.rm][:lanes/2]
	if i.memory {
		inserted = m.load(i.address, lanes/2)
	}
	result := slices.Clone(m.vector(i, i.second))
	copy(result[int(i.immediate&1)*lanes/2:], inserted)
	m.setVector(i.reg, result...)
}

// bytesOf returns bytes of two lanes, by their indices.
func bytesOf(lanes []value, indices uint64) (result value) {
	for to := range 8 {
		if index := int(indices >> (8 * to) & 0xFF); index < 0x80 { // others make a zero
			index &= 15
			result = xor(result, and(rotl(lanes[index/8], 8*(to-index)), constant(0xFF<<(8*to))))
		}
	}
	return result
}

// ternary returns the function of three bits a, b, c whose value is bit 4a+2b+c of the table.
func ternary(table byte, a, b, c value) value {
	operands := [3]value{c, b, a}
	var result value
	// The coefficient of a product is the sum of the function's values where all other bits are 0.
	for factors := range byte(8) {
		coefficient := 0
		for point := range byte(8) {
			if point&^factors == 0 {
				coefficient ^= int(table >> point & 1)
			}
		}
		if coefficient == 0 {
			continue
		}
		product := constant(^uint64(0))
		for j, v := range operands {
			if factors>>j&1 == 1 {
				product = and(product, v)
			}
		}
		result = xor(result, product)
	}
	return result
}

func (i *instruction) constant() value { return constant(uint64(i.immediate)) }

func (m *machine) branch(taken bool, distance int64) {
	if taken {
		m.next += uint64(distance)
	}
}

func (m *machine) pop() value {
	v := m.load(m.registers[rsp], 1)[0]
	m.registers[rsp] = add(m.registers[rsp], constant(8))
	return v
}

// add doesn't say what flags are: nobody asks after an addition.
func (m *machine) add(i *instruction, v value) {
	m.setRM(i, add(m.rm(i), v))
	m.flags = flags{}
}

func (m *machine) rm(i *instruction) value {
	if i.memory {
		return m.load(i.address, 1)[0]
	}
	return m.registers[i.rm]
}

func (m *machine) setRM(i *instruction, v value) {
	if i.memory {
		m.store(i.address, v)
	} else {
		m.set(i.rm, v)
	}
}

func (m *machine) vector(i *instruction, register int) []value { return m.vectors[register][:i.lanes] }

func (m *machine) vectorRM(i *instruction) []value {
	switch {
	case i.broadcast:
		return repeat(m.load(i.address, 1)[0], i.lanes)
	case i.memory:
		return m.load(i.address, i.lanes)
	}
	return m.vector(i, i.rm)
}

func repeat(v value, lanes int) []value { return slices.Repeat([]value{v}, lanes) }

func (m *machine) stepAMD64() (name string, length uint64) {
	i := m.decode()
	length = m.next - m.pc
	i.run(m, i)
	return i.name, length
}

// decode takes the instruction at pc apart and sets next to what follows it.
func (m *machine) decode() *instruction {
	// No instruction is longer. Zeros stand for what lies behind the function, where none goes on.
	code := make([]byte, 15)
	copy(code, m.code())
	position := 0
	take := func(n int) (v uint64) {
		for i := range n {
			v |= uint64(code[position+i]) << (8 * i)
		}
		position += n
		return v
	}
	i := &instruction{}
	k := key{digit: noDigit}
	var r, x, b, r2, v2, lengths, mask byte // extensions of fields, as bits that are not inverted
	switch first := byte(take(1)); first {
	case vex2, vex:
		k.space = vex
		p := byte(take(1))
		r = ^p >> 7 & 1
		k.opcodeMap = 1
		if first == vex {
			x, b, k.opcodeMap = ^p>>6&1, ^p>>5&1, p&31
			p = byte(take(1))
			k.w = p >> 7
		}
		i.second, lengths, k.prefix = int(^p>>3&15), p>>2&1, p&3
		k.opcode = byte(take(1))
	case evex:
		k.space = evex
		p0, p1, p2 := byte(take(1)), byte(take(1)), byte(take(1))
		r, x, b, r2, k.opcodeMap = ^p0>>7&1, ^p0>>6&1, ^p0>>5&1, ^p0>>4&1, p0&15
		k.w, i.second, k.prefix = p1>>7, int(^p1>>3&15), p1&3
		if p1&4 == 0 {
			fail("no EVEX")
		}
		mask, lengths, i.broadcast, v2 = p2>>7<<3|p2&7, p2>>5&3, p2>>4&1 == 1, ^p2>>3&1
		i.second |= int(v2) << 4
		k.opcode = byte(take(1))
	default:
		if first&0xF0 == 0x40 {
			k.w, r, x, b = first>>3&1, first>>2&1, first>>1&1, first&1
			first = byte(take(1))
		}
		if first == 0x0F {
			k.opcodeMap, first = 1, byte(take(1))
		}
		k.opcode = first
	}

	ok := false
	if i.form, ok = formsAMD64[k]; !ok {
		k.digit = int8(code[position] >> 3 & 7)
		if i.form, ok = formsAMD64[k]; !ok {
			fail("an instruction that isn't known: % x", code[:position+1])
		}
	}
	i.lanes = 2 << lengths
	switch {
	case i.layout&vector == 0 && (lengths != 0 || i.broadcast), lengths == 3, mask != 0:
		fail("%s with a length, a mask or a rounding that isn't known", i.name)
	case i.layout&second == 0 && i.second != 0:
		fail("%s with an operand too many", i.name)
	}

	relative := false // to what follows
	if i.layout&modRM != 0 {
		modrm := byte(take(1))
		mod, reg, rm := modrm>>6, modrm>>3&7, modrm&7
		i.reg = int(reg | r<<3 | r2<<4)
		i.memory = mod != 3
		switch {
		case !i.memory:
			i.rm = int(rm | b<<3 | x<<4)
		case mod == 0 && rm == 5:
			relative = true
			i.address = constant(uint64(int32(take(4))))
		default:
			base := rm | b<<3
			var index value
			if rm == 4 {
				sib := byte(take(1))
				base = sib&7 | b<<3
				if n := sib>>3&7 | x<<3; n != rsp {
					index = m.registers[n]
				}
				if sib>>6 != 0 || mod == 0 && sib&7 == 5 {
					fail("%s with a scale, or no base", i.name)
				}
			}
			var displacement int64
			switch mod {
			case 1:
				displacement = int64(int8(take(1)))
				if k.space == evex {
					// In EVEX a byte counts what the instruction accesses.
					displacement *= 8
					if i.layout&vector != 0 && !i.broadcast {
						displacement *= int64(i.lanes)
					}
					if i.layout&half != 0 {
						displacement /= 2
					}
				}
			case 2:
				displacement = int64(int32(take(4)))
			}
			i.address = add(add(m.registers[base], index), constant(uint64(displacement)))
		}
		if i.broadcast && !i.memory {
			fail("%s with a rounding", i.name)
		}
		if i.layout&vector == 0 && i.rm > 15 || k.digit != noDigit && i.reg > 7 {
			fail("%s of a register that isn't there", i.name)
		}
	}
	switch {
	case i.layout&imm8 != 0:
		i.immediate = int64(int8(take(1)))
	case i.layout&imm32 != 0:
		i.immediate = int64(int32(take(4)))
	}
	m.next = m.pc + uint64(position)
	if relative {
		i.address = add(i.address, constant(m.next))
	}
	return i
}
