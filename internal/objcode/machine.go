package objcode

import (
	"debug/elf"
	"fmt"
)

// A region is memory that a function was given, or the stack. Nothing lies beside it: no address in it reaches another.
type region struct {
	name     string
	size     int64           // in bytes; of the stack, those from the stack pointer at the entry upwards
	words    map[int64]value // by offset; a word that isn't there hasn't been written
	readOnly bool
}

func newRegion(name string, words int) *region {
	return &region{name: name, size: 8 * int64(words), words: map[int64]value{}}
}

func (r *region) address(offset int64) value {
	v := constant(uint64(offset))
	v.base = r
	return v
}

// flags are those of the last instruction that sets them. They are unknown where it worked on lanes.
type flags struct{ known, zero, negative, overflow bool }

// A machine runs one function, called by the rules of Go's ABI0: the arguments are on the stack.
type machine struct {
	program   *program
	f         function
	text      []byte
	registers [32]value
	entry     [32]value    // what was in them
	vectors   [32][8]value // in lanes of 64 bits; arm64 has two of them
	flags     flags
	stack     *region
	*processor

	pc   uint64
	next uint64 // where the function goes on, 0 after its return

	// seen, unless nil, is told where an instruction is, or the first word that is loaded from a table, which has no name.
	seen func(name string, start, end uint64)

	// recognise is asked about each result, and may put something equal in its place.
	recognise func(value) value
}

// A processor is what tells one architecture from the other.
type processor struct {
	// step executes the instruction at pc and returns the name of its kind, and its length.
	step func(*machine) (name string, length uint64)

	// sp is the stack pointer's place among the registers.
	sp int

	// redZone is the size of what may be used below the stack pointer.
	redZone int64

	// enter makes the state at the entry complete.
	enter func(*machine)

	// kept are the registers that have to be at the return what they were at the entry, and steady the ones that have to be so
	// at all times, since whatever interrupts the function relies on them.
	kept, steady []int

	// fp is the frame pointer's place. At all times it is what it was at the entry, or points to where that is: an execution
	// trace follows it.
	fp int
}

var processors = map[string]*processor{"amd64": &amd64, "arm64": &arm64}

// What lies in registers at the entry has symbols of its own. No lane's are as high.
const (
	initialRegister symbol = 1<<25 + iota<<10
	initialVector
	returnAddress
)

// firstArgument is its distance from the stack pointer at the entry. Below it are amd64's return address, or the word in
// which functions on arm64 keep that of those that they call.
const firstArgument = 8

// nosplit is the size of the stack that the linker grants functions that don't look for more.
const nosplit = 800

func newMachine(p *program, f function, arguments ...value) *machine {
	m := &machine{
		program:   p,
		f:         f,
		text:      p.bytes(elf.STT_FUNC, f.start, f.end-f.start),
		pc:        f.start,
		processor: processors[p.arch],
		stack:     newRegion("the stack", 1+len(arguments)),
		recognise: func(v value) value { return v },
	}
	for i := range m.registers {
		m.registers[i] = unknown(initialRegister + symbol(i))
		for lane := range m.vectors[i] {
			m.vectors[i][lane] = unknown(initialVector + symbol(8*i+lane))
		}
	}
	m.registers[m.sp] = m.stack.address(0)
	for i, v := range arguments {
		m.stack.words[firstArgument+8*int64(i)] = v
	}
	m.enter(m)
	m.entry = m.registers
	return m
}

// locate returns an address's region and offset if the function may use as many words there.
func (m *machine) locate(address value, words int, write bool) (*region, int64) {
	r, offset := address.base, address.offset()
	if r == nil {
		fail("an access to what is no argument's memory")
	}
	lowest := int64(0)
	if r == m.stack {
		lowest = max(m.registers[m.sp].offset(), -nosplit) - m.redZone
	}
	switch end := offset + 8*int64(words); {
	case offset%8 != 0:
		fail("an access to parts of words, at %d of %s", offset, r.name)
	case offset < lowest || end > r.size:
		fail("an access outside %s, at %d", r.name, offset)
	case write && (r.readOnly || r == m.stack && offset < firstArgument && end > 0):
		fail("a write to %s, at %d", r.name, offset)
	}
	return r, offset
}

func (m *machine) load(address value, words int) []value {
	loaded := make([]value, words)
	if n, ok := address.number(); ok {
		for i := range loaded {
			at := n + 8*uint64(i)
			loaded[i] = constant(m.program.data(at))
			if m.seen != nil && i == 0 {
				m.seen("", at, at+8)
			}
		}
		return loaded
	}
	r, offset := m.locate(address, words, false)
	for i := range loaded {
		v, ok := r.words[offset+8*int64(i)]
		if !ok {
			fail("a read of what wasn't written, at %d of %s", offset+8*int64(i), r.name)
		}
		loaded[i] = v
	}
	return loaded
}

func (m *machine) store(address value, words ...value) {
	r, offset := m.locate(address, len(words), true)
	for i, v := range words {
		r.words[offset+8*int64(i)] = m.recognise(v)
	}
}

func (m *machine) set(register int, v value) { m.registers[register] = m.recognise(v) }

// setVector sets the lowest lanes and clears the others.
func (m *machine) setVector(register int, lanes ...value) {
	for i := range m.vectors[register] {
		if i < len(lanes) {
			m.vectors[register][i] = m.recognise(lanes[i])
		} else {
			m.vectors[register][i] = value{}
		}
	}
}

// compare sets the flags of v - w.
func (m *machine) compare(v, w value) {
	if v.base == w.base {
		v.base, w.base = nil, nil
	}
	a, ok1 := v.number()
	b, ok2 := w.number()
	m.flags = flags{known: ok1 && ok2, zero: a == b, negative: int64(a-b) < 0, overflow: int64((a^b)&(a^(a-b))) < 0}
}

// isZero reports whether v is zero. An address isn't: all regions are somewhere.
func isZero(v value) bool {
	n, ok := v.number()
	if !ok && v.base == nil {
		fail("a branch depends on data")
	}
	return ok && n == 0
}

// decided returns the flags if they are known.
func (m *machine) decided() flags {
	if !m.flags.known {
		fail("a branch depends on data")
	}
	return m.flags
}

// code returns the bytes from pc to the function's end.
func (m *machine) code() []byte {
	if m.pc < m.f.start || m.pc >= m.f.end {
		fail("the program goes on outside the function")
	}
	return m.text[m.pc-m.f.start:]
}

// maxSteps is more than any function here takes.
const maxSteps = 1 << 17

// run executes the function up to its return and looks at what it has to leave as it was.
func (m *machine) run() (err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case fault:
			err = fmt.Errorf("%s+%#x: %s", m.f.name, m.pc-m.f.start, e)
		default:
			panic(e)
		}
	}()
	for range maxSteps {
		name, length := m.step(m)
		if m.seen != nil {
			m.seen(name, m.pc, m.pc+length)
		}
		m.keeps(m.steady)
		if fp, entry := m.registers[m.fp], m.entry[m.fp]; !fp.equal(entry) && !(fp.base == m.stack && m.stack.words[fp.offset()].equal(entry)) {
			fail("no frame pointer")
		}
		if m.next == 0 {
			m.keeps(m.kept)
			return nil
		}
		m.pc = m.next
	}
	fail("no end")
	return nil
}

func (m *machine) keeps(registers []int) {
	for _, i := range registers {
		if !m.registers[i].equal(m.entry[i]) {
			fail("register %d isn't what it was", i)
		}
	}
}

// each applies an operation to vectors lane by lane. The operation doesn't keep its slice of operands.
func each(operation func(...value) value, vectors ...[]value) []value {
	result := make([]value, len(vectors[0]))
	operands := make([]value, len(vectors))
	for i := range result {
		for j, v := range vectors {
			operands[j] = v[i]
		}
		result[i] = operation(operands...)
	}
	return result
}
