//go:build !purego

package aesgcm

import (
	"slices"
	"testing"
	"unsafe"

	"percore"
	"percore/internal/cryptotest"
)

// Every function in assembly keeps the registers that it has to.
func TestABI(t *testing.T) {
	var called []string
	keepsRegisters := func(t *testing.T, function any, arguments ...any) {
		t.Helper()
		if name := cryptotest.NameOf(function); !slices.Contains(called, name) {
			called = append(called, name)
		}
		cryptotest.KeepsRegisters(t, function, arguments...)
	}
	able := 0
	for _, k := range []struct {
		kernel               Kernel
		vector               int
		powers, ghash, crypt any
	}{
		{VAES256, 32, powersVAES256, ghashVAES256, cryptVAES256},
		{VAES512, 64, powersVAES512, ghashVAES512, cryptVAES512},
	} {
		t.Run("kernel="+k.kernel.String(), func(t *testing.T) {
			if !slices.Contains(percore.Kernels("gcm"), k.kernel.String()) {
				t.Skip("this core can't run it")
			}
			able++
			chunk := 8 * k.vector
			buf := make([]byte, 4*chunk)
			p := unsafe.SliceData(buf)
			for _, size := range []int{16, 24, 32} {
				key := &Key{kernel: k.kernel}
				keepsRegisters(t, expandKey, key, p, size)
				keepsRegisters(t, k.powers, key)
				for n := range len(buf) {
					keepsRegisters(t, k.ghash, key, &[16]byte{}, p, n)
					for _, seal := range []bool{true, false} {
						// As crypt splits a message.
						m := &message{seal: seal, standard: true, counter0: 1, counter: 2, dst: p, src: p, aad: p, aadLen: n % k.vector}
						if n > chunk {
							m.chunks = (n - 1) &^ (chunk - 1)
						}
						m.rest = n - m.chunks
						keepsRegisters(t, k.crypt, key, m)
					}
				}
			}
		})
	}
	slices.Sort(called)
	if all := cryptotest.InAssembly(t); able == 2 && !slices.Equal(called, all) {
		t.Errorf("the test calls %v, and there are %v", called, all)
	}
}
