//go:build !purego

package cpu

import "runtime"

func detect() CPU {
	return ParseX86(runtime.GOOS, cpuid, xgetbv)
}

// cpuid executes CPUID.
func cpuid(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32)

// xgetbv reads extended control register 0. It faults unless CPUID reports OSXSAVE.
func xgetbv() uint64
