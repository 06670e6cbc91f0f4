package cpu

import (
	"fmt"
	"slices"
	"strings"
)

// A MIDR is a value of the main ID register of arm64, MIDR_EL1. Its upper half is reserved.
type MIDR uint32

// Implementer returns the code of the company that designed the core.
func (m MIDR) Implementer() int { return int(m >> 24) }

// Part returns the number that the implementer gave to the core. Its meaning depends on the implementer.
func (m MIDR) Part() int { return int(m >> 4 & 0xfff) }

// Name returns the name of the part, such as "Neoverse N1", or "" if it isn't known.
func (m MIDR) Name() string {
	return parts[part{m.Implementer(), m.Part()}]
}

// String returns the implementer and the part, such as "0x41/0xD0C".
func (m MIDR) String() string {
	return fmt.Sprintf("0x%02X/0x%03X", m.Implementer(), m.Part())
}

var implementers = map[int]string{
	0x41: "Arm",
	0x42: "Broadcom",
	0x43: "Cavium",
	0x46: "Fujitsu",
	0x48: "HiSilicon",
	0x4E: "NVIDIA",
	0x50: "Applied Micro",
	0x51: "Qualcomm",
	0x53: "Samsung",
	0x56: "Marvell",
	0x61: "Apple",
	0x6D: "Microsoft",
	0x70: "Phytium",
	0xC0: "Ampere",
}

// A part is what a MIDR says apart from the revision.
type part struct{ implementer, number int }

var parts = map[part]string{
	{0x41, 0xD03}: "Cortex-A53",
	{0x41, 0xD05}: "Cortex-A55",
	{0x41, 0xD07}: "Cortex-A57",
	{0x41, 0xD08}: "Cortex-A72",
	{0x41, 0xD09}: "Cortex-A73",
	{0x41, 0xD0A}: "Cortex-A75",
	{0x41, 0xD0B}: "Cortex-A76",
	{0x41, 0xD0C}: "Neoverse N1",
	{0x41, 0xD0D}: "Cortex-A77",
	{0x41, 0xD40}: "Neoverse V1",
	{0x41, 0xD41}: "Cortex-A78",
	{0x41, 0xD44}: "Cortex-X1",
	{0x41, 0xD46}: "Cortex-A510",
	{0x41, 0xD47}: "Cortex-A710",
	{0x41, 0xD48}: "Cortex-X2",
	{0x41, 0xD49}: "Neoverse N2",
	{0x41, 0xD4D}: "Cortex-A715",
	{0x41, 0xD4E}: "Cortex-X3",
	{0x41, 0xD4F}: "Neoverse V2",
	{0x41, 0xD80}: "Cortex-A520",
	{0x41, 0xD81}: "Cortex-A720",
	{0x41, 0xD82}: "Cortex-X4",
	{0x41, 0xD83}: "Neoverse V3AE",
	{0x41, 0xD84}: "Neoverse V3",
	{0x41, 0xD85}: "Cortex-X925",
	{0x41, 0xD87}: "Cortex-A725",
	{0x41, 0xD8E}: "Neoverse N3",
	{0x43, 0x0A1}: "ThunderX",
	{0x43, 0x0AF}: "ThunderX2",
	{0x46, 0x001}: "A64FX",
	{0x48, 0xD01}: "Kunpeng 920",
	{0x4E, 0x010}: "Olympus",
	{0x51, 0x001}: "Oryon",
	{0x6D, 0xD49}: "Neoverse N2", // in Cobalt 100
	{0xC0, 0xAC3}: "Ampere-1",
	{0xC0, 0xAC4}: "Ampere-1A",
}

// ParseARM64 returns the arm64 machine which, under the operating system goos, has the given features on
// every core and the given values in the main ID registers of its cores. There is one value for each core, in
// any order, or none if they can't be read.
func ParseARM64(goos string, features Feature, midr []MIDR) CPU {
	midr = slices.Compact(slices.Sorted(slices.Values(midr)))
	c := CPU{GOOS: goos, GOARCH: "arm64", MIDR: midr, Features: features.usable()}

	var vendors, names []string
	for _, m := range midr {
		vendors = append(vendors, implementers[m.Implementer()])
		if name := m.Name(); name != "" {
			names = append(names, name)
		}
	}
	if goos == "darwin" || goos == "ios" {
		vendors = []string{"Apple"} // these systems run on no other, and hide the register
	}
	if vendors = slices.Compact(vendors); len(vendors) == 1 {
		c.Vendor = vendors[0]
	}
	c.Name = strings.Join(slices.Compact(names), " + ")
	return c
}
