//go:build !purego

package cpu

import (
	"os"
	"runtime"

	"golang.org/x/sys/cpu"
)

func detect() CPU {
	// x/sys knows where each operating system keeps the features. It has obeyed GODEBUG before, and to obey
	// twice does no harm. What GODEBUG turns off may be there or not.
	var f Feature
	set := func(feature Feature, has bool) {
		if has {
			f |= feature
		}
	}
	set(ASIMD, cpu.ARM64.HasASIMD)
	set(ARMAES, cpu.ARM64.HasAES)
	set(ARMPMULL, cpu.ARM64.HasPMULL)
	set(SHA3, cpu.ARM64.HasSHA3)

	c := ParseARM64(runtime.GOOS, f, readMIDR())
	c.Off = CPU{Features: ASIMD | ARMAES | ARMPMULL | SHA3}.Obey(os.Getenv("GODEBUG")).Off
	if name := readName(); name != "" {
		c.Name = name
	}
	return c
}
