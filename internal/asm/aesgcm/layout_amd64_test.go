//go:build !purego

package aesgcm

import (
	"testing"
	"unsafe"
)

// The offsets that the generator has, in _asm/main.go.
func TestLayout(t *testing.T) {
	var k Key
	var m message
	for name, c := range map[string]struct{ got, want uintptr }{
		"Key.rounds":       {unsafe.Offsetof(k.rounds), 0},
		"Key.powers":       {unsafe.Offsetof(k.powers) + unsafe.Sizeof(k.powers), 576},
		"Key.middles":      {unsafe.Offsetof(k.middles), 576},
		"Key.roundKeys":    {unsafe.Offsetof(k.roundKeys), 832},
		"message.hash":     {unsafe.Offsetof(m.hash), 0},
		"message.iv":       {unsafe.Offsetof(m.iv), 16},
		"message.counter0": {unsafe.Offsetof(m.counter0), 28},
		"message.counter":  {unsafe.Offsetof(m.counter), 32},
		"message.dst":      {unsafe.Offsetof(m.dst), 40},
		"message.src":      {unsafe.Offsetof(m.src), 48},
		"message.chunks":   {unsafe.Offsetof(m.chunks), 56},
		"message.rest":     {unsafe.Offsetof(m.rest), 64},
		"message.aad":      {unsafe.Offsetof(m.aad), 72},
		"message.aadLen":   {unsafe.Offsetof(m.aadLen), 80},
		"message.textBits": {unsafe.Offsetof(m.textBits), 88},
		"message.aadBits":  {unsafe.Offsetof(m.aadBits), 96},
		"message.seal":     {unsafe.Offsetof(m.seal), 36},
		"message.standard": {unsafe.Offsetof(m.standard), 37},
	} {
		if c.got != c.want {
			t.Errorf("%s is at %d, the generator has %d", name, c.got, c.want)
		}
	}
}
