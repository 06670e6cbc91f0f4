//go:build !purego && (freebsd || linux)

package cpu

// midrEL1 reads MIDR_EL1. It faults unless the operating system emulates that.
func midrEL1() uint64
