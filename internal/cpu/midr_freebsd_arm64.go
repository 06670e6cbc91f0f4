//go:build !purego

package cpu

// readMIDR returns the main ID register of the core that runs this: FreeBSD emulates the instruction that
// reads it.
func readMIDR() []MIDR {
	return []MIDR{MIDR(midrEL1())}
}
