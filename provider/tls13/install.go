//go:build go1.26 && !go1.28

package tls13

import (
	"cmp"
	"crypto"
	"crypto/cipher"
	"crypto/tls"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"unsafe" // for linkname too

	"percore"
	"percore/provider/gcm"
)

// A suite is crypto/tls.cipherSuiteTLS13.
type suite struct {
	id     uint16
	keyLen int
	aead   func(key, nonceMask []byte) aead
	hash   crypto.Hash
}

// An aead is a crypto/tls.aead. That has one more method, which nobody but crypto/tls can name.
type aead interface{ cipher.AEAD }

// An xorNonceAEAD is a crypto/tls.xorNonceAEAD: it adds the number of a record to the mask and leaves the rest to another AEAD.
type xorNonceAEAD struct {
	nonceMask [12]byte
	aead      cipher.AEAD
}

//go:linkname cipherSuites crypto/tls.cipherSuitesTLS13
var cipherSuites []*suite

func install() error {
	choice := percore.Selected()
	if choice.Aside != "" {
		return errors.New(choice.Aside)
	}
	if choice.GCM.Kernel == "std" {
		why := cmp.Or(strings.Join(choice.GCM.Passed, "; "), choice.GCM.Reason)
		return fmt.Errorf("AES-GCM is the standard library's here: %s", why)
	}
	ours, err := find(cipherSuites)
	if err != nil {
		return fmt.Errorf("crypto/tls of %s isn't what was expected: %w", runtime.Version(), err)
	}
	for _, s := range ours {
		s.aead = onPercore(s.aead)
	}
	return nil
}

// find returns the suites with AES-GCM, if they and all that they lead to are as this package knows them.
func find(suites []*suite) (found []*suite, err error) {
	want := map[uint16]suite{
		tls.TLS_AES_128_GCM_SHA256: {keyLen: 16, hash: crypto.SHA256},
		tls.TLS_AES_256_GCM_SHA384: {keyLen: 32, hash: crypto.SHA384},
	}
	for _, s := range suites {
		if s == nil {
			return nil, errors.New("a cipher suite is nil")
		}
		w, ok := want[s.id]
		if !ok {
			continue
		}
		delete(want, s.id)
		name := tls.CipherSuiteName(s.id)
		// The function comes last: what precedes it says whether this is the place of one.
		if s.keyLen != w.keyLen || s.hash != w.hash {
			return nil, fmt.Errorf("%s has keys of %d bytes and hash %d", name, s.keyLen, s.hash)
		}
		if err := check(s); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		found = append(found, s)
	}
	for id := range want {
		return nil, fmt.Errorf("there is no %s", tls.CipherSuiteName(id))
	}
	return found, nil
}

// check looks at what a suite makes AEADs with, and at one of them.
func check(s *suite) (err error) {
	if s.aead == nil {
		return errors.New("no function makes its AEADs")
	}
	const function = "crypto/tls.aeadAESGCMTLS13"
	if f := runtime.FuncForPC(reflect.ValueOf(s.aead).Pointer()); f == nil || f.Name() != function {
		return fmt.Errorf("another function than %s makes its AEADs", function)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%s panics: %v", function, r)
		}
	}()
	return checkAEAD(s.aead(make([]byte, s.keyLen), make([]byte, len(xorNonceAEAD{}.nonceMask))))
}

// checkAEAD looks at an AEAD that is to get another one inside.
func checkAEAD(a aead) error {
	const outer, inner = "*crypto/tls.xorNonceAEAD", "*crypto/internal/fips140/aes/gcm.GCMWithXORCounterNonce"
	v := reflect.ValueOf(a)
	if got := typeName(v.Type()); got != outer {
		return fmt.Errorf("its AEADs are %s, not %s", got, outer)
	}
	if err := sameLayout(v.Type().Elem(), reflect.TypeFor[xorNonceAEAD]()); err != nil {
		return err
	}
	if got := typeName(v.Elem().FieldByName("aead").Elem().Type()); got != inner {
		return fmt.Errorf("its AES-GCM is %s, not %s", got, inner)
	}
	return nil
}

// sameLayout says how a struct differs from what is known of it.
func sameLayout(got, want reflect.Type) error {
	if got.Kind() != reflect.Struct || got.Size() != want.Size() || got.NumField() != want.NumField() {
		return fmt.Errorf("%v has %d bytes, not %d in %d fields", got, got.Size(), want.Size(), want.NumField())
	}
	for i := range want.NumField() {
		g, w := got.Field(i), want.Field(i)
		if g.Name != w.Name || g.Type != w.Type || g.Offset != w.Offset {
			return fmt.Errorf("%v has a field %s %v at %d, not %s %v at %d", got, g.Name, g.Type, g.Offset, w.Name, w.Type, w.Offset)
		}
	}
	return nil
}

// typeName returns the name of a type or of what it points to, with the whole path of its package.
func typeName(t reflect.Type) string {
	if t.Kind() == reflect.Pointer {
		return "*" + typeName(t.Elem())
	}
	return t.PkgPath() + "." + t.Name()
}

// onPercore returns a function that makes AEADs like those that std makes, with percore's AES-GCM inside.
func onPercore(std func(key, nonceMask []byte) aead) func(key, nonceMask []byte) aead {
	// To make one with std and to exchange what is inside would set up each key twice, which handshakes would feel. So this one is
	// copied, for what only crypto/tls can make: an interface with a method that it doesn't export.
	model := std(make([]byte, 16), make([]byte, len(xorNonceAEAD{}.nonceMask)))
	outer := reflect.TypeOf(model).Elem()
	return func(key, nonceMask []byte) aead {
		inner, err := gcm.New(key)
		if err != nil || len(nonceMask) != len(xorNonceAEAD{}.nonceMask) {
			return std(key, nonceMask)
		}
		p := reflect.New(outer).UnsafePointer()
		*(*xorNonceAEAD)(p) = xorNonceAEAD{nonceMask: [12]byte(nonceMask), aead: &counterNonce{AEAD: inner}}
		a := model
		(*struct{ methods, value unsafe.Pointer })(unsafe.Pointer(&a)).value = p
		return a
	}
}

// A counterNonce never seals with a nonce twice, like the standard library's AES-GCM for TLS 1.3. Like that one it isn't for
// several goroutines at once.
type counterNonce struct {
	cipher.AEAD
	first [12]byte // the nonce of record 0, which is the mask: RFC 8446, section 5.3
	next  uint64   // the least number that the next record may have
}

// Seal panics if the number of the record, which is added to the nonce, isn't higher than in all calls before. The first is 0.
func (c *counterNonce) Seal(dst, nonce, plaintext, additionalData []byte) []byte {
	n := [12]byte(nonce)
	if c.next == 0 {
		c.first = n
	}
	number := binary.BigEndian.Uint64(n[4:]) ^ binary.BigEndian.Uint64(c.first[4:])
	if [4]byte(n[:]) != [4]byte(c.first[:]) || number < c.next || number == math.MaxUint64 {
		panic("percore: the nonce of a TLS record isn't the next one")
	}
	c.next = number + 1
	return c.AEAD.Seal(dst, nonce, plaintext, additionalData)
}
