// Package cpu tells what the core is that the program runs on, and what it can do. What it should do is for
// the importer to decide.
//
// [ParseX86] and [ParseARM64] are pure: from what was read on another core they make the [CPU] that a program
// would have seen there. Package percore/internal/cpu/recorded has a collection.
package cpu

import (
	"fmt"
	"strings"
	"sync"
)

// A CPU is the core as a program sees it: what the hardware is, the hypervisor shows and the operating system
// supports.
type CPU struct {
	GOOS, GOARCH string

	// Vendor is the vendor string of CPUID ("GenuineIntel") on amd64 and the name of the implementer ("Arm")
	// on arm64. It is empty if unknown, or if the cores have different implementers.
	Vendor string

	// Name is the name of the product, for people to read: nothing should depend on it.
	Name string

	// Family, Model and Stepping are those of CPUID, on amd64. Family and model are the display values, with
	// the extended fields added in.
	Family, Model, Stepping int

	// MIDR has, on arm64, each value that the main ID register has on some core, in ascending order. It is
	// empty if unknown. It must not be modified.
	MIDR []MIDR

	Features Feature

	// Off has the features that aren't in Features because GODEBUG turns them off: see [CPU.Obey].
	Off Feature
}

// String describes c in a line.
func (c CPU) String() string {
	var parts []string
	if c.Vendor != "" {
		parts = append(parts, c.Vendor)
	}
	if c.Family != 0 {
		parts = append(parts, fmt.Sprintf("family %d model %d", c.Family, c.Model))
	}
	for i, m := range c.MIDR {
		if i == 0 {
			parts = append(parts, "MIDR")
		}
		parts = append(parts, m.String())
	}
	if c.Name != "" {
		parts = append(parts, "("+c.Name+")")
	}
	if len(parts) == 0 {
		return "unknown " + c.GOARCH
	}
	return strings.Join(parts, " ")
}

var host = sync.OnceValue(detect)

// Host returns the core that the program runs on. It may have features that GODEBUG turns off: see
// [CPU.Obey]. With the build tag purego, and on architectures other than amd64 and arm64, it has no more than
// GOOS and GOARCH.
func Host() CPU {
	return host()
}
