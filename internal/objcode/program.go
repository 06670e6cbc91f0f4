package objcode

import (
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// A program is what the linker made for Linux: machine code and tables are as a processor would find them. To plant a
// fault is to change its bytes.
type program struct {
	arch     string
	sections []section
	symbols  []elf.Symbol
}

type section struct {
	elf.SectionHeader
	bytes []byte
}

// A function's machine code is in start ≤ address < end.
type function struct {
	name       string
	start, end uint64
}

// build links the test of a package for an architecture, whatever the one at hand: it has all that the package has.
func build(arch, pkg string) (*program, error) {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	name := filepath.Join(dir, "test")
	cmd := exec.Command("go", "test", "-c", "-o", name, pkg)
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH="+arch, "CGO_ENABLED=0", "GOFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("%v: %v\n%s", cmd, err, out)
	}
	f, err := elf.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := &program{arch: arch}
	for _, s := range f.Sections {
		// Sections by their indices, as symbols have them. What a program can write is of no use here.
		var b []byte
		if s.Flags&elf.SHF_ALLOC != 0 && s.Flags&elf.SHF_WRITE == 0 && s.Type == elf.SHT_PROGBITS {
			if b, err = s.Data(); err != nil {
				return nil, err
			}
		}
		p.sections = append(p.sections, section{s.SectionHeader, b})
	}
	p.symbols, err = f.Symbols()
	return p, err
}

// bytes returns what lies at an address, and must be within one symbol of that type.
func (p *program) bytes(t elf.SymType, address, size uint64) []byte {
	for _, s := range p.symbols {
		if elf.ST_TYPE(s.Info) == t && s.Value <= address && address+size <= s.Value+s.Size && int(s.Section) < len(p.sections) {
			if section := p.sections[s.Section]; section.bytes != nil {
				return section.bytes[address-section.Addr:][:size]
			}
		}
	}
	return nil
}

// data returns a word of a constant table.
func (p *program) data(address uint64) uint64 {
	b := p.bytes(elf.STT_OBJECT, address, 8)
	if b == nil {
		fail("a read at %#x, where there is no table of constants", address)
	}
	return binary.LittleEndian.Uint64(b)
}

// find returns a function in assembly, which the linker's table of symbols tells from Go's wrapper for it.
func (p *program) find(name string) (function, error) {
	for _, s := range p.symbols {
		if (s.Name == name || s.Name == name+".abi0") && elf.ST_TYPE(s.Info) == elf.STT_FUNC {
			return function{name, s.Value, s.Value + s.Size}, nil
		}
	}
	return function{}, fmt.Errorf("no function %s for %s", name, p.arch)
}
