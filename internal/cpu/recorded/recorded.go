// Package recorded has cores as programs saw them, for tests and for those who ask what the policy says of them. Each
// was read from its registers by the parsers that read those of the host.
package recorded

import (
	"fmt"
	"slices"

	"percore/internal/cpu"
)

// A Core is a core that was recorded.
type Core struct {
	Name string
	CPU  cpu.CPU
}

// Cores has all that were recorded.
var Cores = slices.Concat(x86Cores(), armCores(), otherCores())

// registers are EAX, EBX, ECX and EDX, as CPUID returns them.
type registers [4]uint32

// leaves has the results of CPUID, subleaf 0, for each leaf.
type leaves map[uint32]registers

// x86 returns the core with the given results of CPUID and XGETBV. It panics if the parser asks for more than
// a core must answer: the parser has to look first whether it may.
func x86(name, goos string, l leaves, xcr0 uint64) Core {
	cpuid := func(leaf, subleaf uint32) (eax, ebx, ecx, edx uint32) {
		r, ok := l[leaf]
		if !ok || subleaf != 0 {
			panic(fmt.Sprintf("%s: no CPUID leaf %#x, subleaf %d", name, leaf, subleaf))
		}
		return r[0], r[1], r[2], r[3]
	}
	xgetbv := func() uint64 {
		if xcr0 == 0 {
			panic(name + ": XGETBV without OSXSAVE")
		}
		return xcr0
	}
	return Core{name, cpu.ParseX86(goos, cpuid, xgetbv)}
}

// arm64 returns the machine with the given features and main ID registers.
func arm64(name, goos string, f cpu.Feature, midr ...cpu.MIDR) Core {
	return Core{name, cpu.ParseARM64(goos, f, midr)}
}

func armCores() []Core {
	const (
		base = cpu.ASIMD
		aes  = cpu.ASIMD | cpu.ARMAES | cpu.ARMPMULL
		sha3 = aes | cpu.SHA3
	)
	// The revisions are common ones. An operating system shows a feature if all cores have it.
	cores := []Core{
		arm64("Cortex-A53", "linux", aes, 0x410FD034),
		arm64("Cortex-A55", "linux", aes, 0x412FD050),
		arm64("Cortex-A72", "linux", aes, 0x410FD083),
		arm64("Raspberry Pi 4", "linux", base, 0x410FD083), // a Cortex-A72 without the optional AES
		arm64("Cortex-A76", "linux", aes, 0x414FD0B1),
		arm64("Neoverse N1", "linux", aes, 0x413FD0C1),
		arm64("Neoverse N2", "linux", sha3, 0x410FD490),
		arm64("Neoverse V1", "linux", sha3, 0x411FD401),
		arm64("Neoverse V2", "linux", sha3, 0x410FD4F1),
		arm64("Neoverse V3", "linux", sha3, 0x410FD840),
		arm64("Cobalt 100", "linux", sha3, 0x6D0FD490),
		arm64("Cobalt 100, Windows", "windows", sha3, 0x6D0FD490, 0x6D0FD490),
		arm64("Oryon", "windows", sha3, 0x511F0011),
		arm64("Olympus", "linux", sha3, 0x4E0F0100),

		arm64("M1", "darwin", sha3),
		arm64("M1, Asahi Linux", "linux", sha3, 0x611F0221, 0x611F0221, 0x611F0231, 0x611F0231),
		arm64("M1, Docker", "linux", sha3, 0), // the hypervisor hides what the core is, up to the M2
		arm64("M3, Docker", "linux", sha3, 0x610F0000),
		arm64("iPhone", "ios", sha3),

		arm64("Cortex-A55 and A76", "linux", aes, 0x414FD0B0, 0x412FD050, 0x414FD0B0, 0x412FD050),
		arm64("Cortex-X4, A720 and A520", "android", sha3, 0x410FD821, 0x410FD811, 0x410FD801),
		arm64("Cortex-A55 and Exynos M3", "android", aes, 0x410FD050, 0x531F0020),

		arm64("unknown implementer", "linux", sha3, 0x990F1230),
		arm64("Linux 4.4", "linux", aes), // before the main ID register could be read
		arm64("OpenBSD", "openbsd", aes),
	}
	for i := range cores {
		if cores[i].Name == "M1" {
			cores[i].CPU.Name = "M1" // from sysctl
		}
	}
	return cores
}

func otherCores() []Core {
	var cores []Core
	for _, goarch := range []string{"386", "ppc64le", "riscv64", "s390x", "wasm"} {
		cores = append(cores, Core{goarch, cpu.CPU{GOOS: "linux", GOARCH: goarch}})
	}
	return cores
}
