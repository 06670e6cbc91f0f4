//go:build !purego

package cpu

import (
	"strconv"

	"golang.org/x/sys/windows/registry"
)

// readMIDR returns the main ID registers that Windows keeps in the registry, a key for each core. Their values
// "CP N" are named after the encodings of system registers, and 0x4000 is that of MIDR_EL1.
func readMIDR() []MIDR {
	var midr []MIDR
	for core := 0; ; core++ {
		path := `HARDWARE\DESCRIPTION\System\CentralProcessor\` + strconv.Itoa(core)
		key, err := registry.OpenKey(registry.LOCAL_MACHINE, path, registry.QUERY_VALUE)
		if err != nil {
			return midr
		}
		v, _, err := key.GetIntegerValue("CP 4000")
		key.Close()
		if err == nil {
			midr = append(midr, MIDR(v))
		}
	}
}
