package percore

import (
	"crypto"
	"hash"
	"reflect"
	"slices"
	"strings"
)

// RegisterHash is for percore/provider: it has package crypto hand out the hashes that f returns for h,
// unless the choice is to leave the standard library's there.
func RegisterHash(h crypto.Hash, f func() hash.Hash) {
	if selected().SHA3.Kernel != "std" {
		crypto.RegisterHash(h, f)
	}
}

// registry returns the packages that the hashes in crypto's registry come from. Asking for a
// hash is the only way to find out.
func registry() string {
	var pkgs []string
	for _, h := range []crypto.Hash{crypto.SHA3_224, crypto.SHA3_256, crypto.SHA3_384, crypto.SHA3_512} {
		if !h.Available() {
			continue
		}
		t := reflect.TypeOf(h.New())
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		pkgs = append(pkgs, t.PkgPath())
	}
	if len(pkgs) == 0 {
		return "none"
	}
	slices.Sort(pkgs)
	return strings.Join(slices.Compact(pkgs), ", ")
}
