//go:build go1.26 && !go1.28

package tls13

import (
	"bytes"
	"context"
	"crypto"
	"crypto/cipher"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"percore"
	"percore/internal/cryptotest"
	"percore/provider/gcm"
)

// counts are of what went through percore's AES-GCM.
var counts struct{ keys, sealed, opened atomic.Int64 }

// A counting AEAD is one of ours between crypto/tls and percore/provider/gcm.
type counting struct{ cipher.AEAD }

func (c counting) Seal(dst, nonce, plaintext, aad []byte) []byte {
	counts.sealed.Add(1)
	return c.AEAD.Seal(dst, nonce, plaintext, aad)
}

func (c counting) Open(dst, nonce, ciphertext, aad []byte) ([]byte, error) {
	counts.opened.Add(1)
	return c.AEAD.Open(dst, nonce, ciphertext, aad)
}

func init() {
	if Installed() != nil {
		return
	}
	ours, _ := gcm.New(make([]byte, 16))
	for _, s := range cipherSuites {
		make := s.aead
		s.aead = func(key, nonceMask []byte) aead {
			a := make(key, nonceMask)
			if inner, ok := inside(a).(*counterNonce); ok && reflect.TypeOf(inner.AEAD) == reflect.TypeOf(ours) {
				counts.keys.Add(1)
				inner.AEAD = counting{inner.AEAD}
			}
			return a
		}
	}
}

// inside returns the AEAD inside a crypto/tls.xorNonceAEAD.
func inside(a aead) cipher.AEAD { return (*xorNonceAEAD)(reflect.ValueOf(a).UnsafePointer()).aead }

// needsOurs skips a test where percore's AES-GCM is the standard library's: nothing is installed there.
func needsOurs(t *testing.T) {
	t.Helper()
	if c := percore.Selected(); c.GCM.Kernel == "std" {
		if Installed() == nil {
			t.Error("installed all the same")
		}
		t.Skip("AES-GCM is the standard library's: ", c.GCM.Reason)
	}
	if err := Installed(); err != nil {
		t.Fatal(err)
	}
}

func TestInstalled(t *testing.T) {
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		needsOurs(t)
	})
}

// What this Go release has is what is known of it, and what differs leaves TLS as it was. That needs a process with nothing
// installed.
func TestFind(t *testing.T) {
	if aside := percore.Selected().Aside; aside != "" {
		t.Skip(aside)
	}
	if Installed() == nil {
		if out, err := cryptotest.Again(t, t.Name(), "PERCORE=gcm=std"); err != nil || !bytes.Contains(out, []byte("--- PASS: TestFind")) {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	copies := func() []*suite {
		var all []*suite
		for _, s := range cipherSuites {
			c := *s
			all = append(all, &c)
		}
		return all
	}
	if found, err := find(copies()); err != nil || len(found) != 2 {
		t.Fatalf("found %d suites, %v", len(found), err)
	}
	for name, change := range map[string]func(s []*suite) []*suite{
		"no suites":   func(s []*suite) []*suite { return nil },
		"one suite":   func(s []*suite) []*suite { return s[:1] },
		"a nil suite": func(s []*suite) []*suite { return append([]*suite{nil}, s...) },
		"key length":  func(s []*suite) []*suite { s[0].keyLen++; return s },
		"hash":        func(s []*suite) []*suite { s[0].hash = crypto.SHA3_256; return s },
		"id":          func(s []*suite) []*suite { s[0].id = 0x1399; return s },
		"no function": func(s []*suite) []*suite { s[0].aead = nil; return s },
		"came first":  func(s []*suite) []*suite { s[0].aead = onPercore(s[0].aead); return s },
	} {
		if found, err := find(change(copies())); err == nil || found != nil {
			t.Errorf("%s: found %v, %v", name, found, err)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}

type other struct{ cipher.AEAD }

func TestCheckAEAD(t *testing.T) {
	needsOurs(t)
	if err := checkAEAD(other{}); err == nil {
		t.Error("another type passes")
	}
	// By now the AES-GCM inside is ours.
	if err := checkAEAD(cipherSuites[0].aead(make([]byte, 16), make([]byte, 12))); err == nil || !strings.Contains(err.Error(), "its AES-GCM is") {
		t.Errorf("another AES-GCM passes: %v", err)
	}
	want := reflect.TypeFor[xorNonceAEAD]()
	for _, got := range []reflect.Type{
		reflect.TypeFor[int](),
		reflect.TypeFor[struct{ aead cipher.AEAD }](),
		reflect.TypeFor[struct {
			aead      cipher.AEAD
			nonceMask [12]byte
		}](),
		reflect.TypeFor[struct {
			nonceMask [16]byte
			aead      cipher.AEAD
		}](),
		reflect.TypeFor[struct {
			nonceMask [12]byte
			inner     cipher.AEAD
		}](),
		reflect.TypeFor[struct {
			nonceMask [12]byte
			aead      cipher.Block
		}](),
		reflect.TypeFor[struct {
			nonceMask [12]byte
			aead      cipher.AEAD
			next      uint64
		}](),
	} {
		if err := sameLayout(got, want); err == nil {
			t.Errorf("%v passes", got)
		}
	}
	if err := sameLayout(want, want); err != nil {
		t.Error(err)
	}
}

func TestNonces(t *testing.T) {
	inner, _ := gcm.New(make([]byte, 16))
	at := func(n byte) []byte { return []byte{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12 ^ n} }
	panics := func(f func()) (p bool) {
		defer func() { p = recover() != nil }()
		f()
		return false
	}
	a := &counterNonce{AEAD: inner}
	for _, n := range []byte{0, 1, 2, 7} {
		a.Seal(nil, at(n), nil, nil)
	}
	for _, n := range []byte{0, 3, 6, 7} {
		if !panics(func() { a.Seal(nil, at(n), nil, nil) }) {
			t.Errorf("nonce %d after 7 didn't panic", n)
		}
	}
	if !panics(func() { a.Seal(nil, append([]byte{0}, at(8)[1:]...), nil, nil) }) {
		t.Error("another mask didn't panic")
	}
	if panics(func() { a.Seal(nil, at(8), nil, nil) }) {
		t.Error("nonce 8 after 7 panics")
	}
	b := &counterNonce{AEAD: inner}
	b.Seal(nil, make([]byte, 12), nil, nil)
	if !panics(func() { b.Seal(nil, append(make([]byte, 4), bytes.Repeat([]byte{0xff}, 8)...), nil, nil) }) {
		t.Error("the last number didn't panic")
	}
}

// post sends so many bytes and returns what comes back.
func post(t *testing.T, s *httptest.Server, size int) *http.Response {
	t.Helper()
	resp, err := s.Client().Post(s.URL, "", bytes.NewReader(cryptotest.Seq(size)))
	if err != nil {
		t.Fatal(err)
	}
	return resp
}

func echo(w http.ResponseWriter, r *http.Request) {
	p, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), 500)
		return
	}
	w.Write(p)
}

// HTTPS both ways, on HTTP/1.1 and HTTP/2, on both ends.
func TestHTTPS(t *testing.T) {
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		needsOurs(t)
		for _, h2 := range []bool{false, true} {
			for _, version := range []uint16{tls.VersionTLS13, tls.VersionTLS12} {
				name := fmt.Sprintf("HTTP2=%v, %s", h2, tls.VersionName(version))
				s := httptest.NewUnstartedServer(http.HandlerFunc(echo))
				s.EnableHTTP2 = h2
				s.TLS = &tls.Config{MaxVersion: version}
				s.StartTLS()
				keys, sealed, opened := counts.keys.Load(), counts.sealed.Load(), counts.opened.Load()
				for _, size := range []int{0, 1, 64, 1350, 16384, 16385, 1 << 20} {
					resp := post(t, s, size)
					p, err := io.ReadAll(resp.Body)
					if err != nil || !bytes.Equal(p, cryptotest.Seq(size)) {
						t.Errorf("%s, %d bytes: %d came back, %v", name, size, len(p), err)
					}
					if want := map[bool]int{false: 1, true: 2}[h2]; resp.ProtoMajor != want || resp.TLS.Version != version {
						t.Errorf("%s: got %s over %s", name, resp.Proto, tls.VersionName(resp.TLS.Version))
					}
				}
				s.Close()
				keys, sealed, opened = counts.keys.Load()-keys, counts.sealed.Load()-sealed, counts.opened.Load()-opened
				if version == tls.VersionTLS12 {
					if keys+sealed+opened != 0 {
						t.Errorf("%s: %d keys are percore's", name, keys)
					}
				} else if records := int64(2 * (1 << 20) / 16384); keys < 8 || keys%8 != 0 || sealed < records || opened < records {
					// On each connection the two ends have a key each for both directions, of the handshake and of what follows.
					t.Errorf("%s: percore had %d keys, sealed %d records and opened %d", name, keys, sealed, opened)
				}
			}
		}
	})
}

// A tamperer changes a byte of what is read once, after so many bytes.
type tamperer struct {
	net.Conn
	after int
}

func (c *tamperer) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if c.after >= 0 && c.after < n {
		p[c.after] ^= 1
	}
	c.after -= n
	return n, err
}

// connect returns the two ends of a connection. The server's end reads by way of wrap.
func connect(t testing.TB, wrap func(net.Conn) net.Conn) (client, server *tls.Conn) {
	s := httptest.NewTLSServer(nil)
	defer s.Close()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	accepted, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	client = tls.Client(c, &tls.Config{RootCAs: roots(s.Certificate()), ServerName: "example.com"})
	server = tls.Server(wrap(accepted), &tls.Config{Certificates: s.TLS.Certificates})
	t.Cleanup(func() { client.Close(); server.Close() })
	return client, server
}

func roots(c *x509.Certificate) *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(c)
	return pool
}

// handshake shakes hands from both ends.
func handshake(t testing.TB, client, server *tls.Conn) {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- server.Handshake() }()
	if err := client.HandshakeContext(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// A record that was changed gets the standard library's error at one end and its alert at the other, and no byte
// of it is read.
func TestCorrupted(t *testing.T) {
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		needsOurs(t)
		for _, at := range []int{5, 6, 100, 5 + 1000, 5 + 1000 + 16} { // header, text, type, tag
			conn := &tamperer{after: -1}
			client, server := connect(t, func(c net.Conn) net.Conn { conn.Conn = c; return conn })
			handshake(t, client, server)
			conn.after = at
			if _, err := client.Write(bytes.Repeat([]byte{'x'}, 1000)); err != nil {
				t.Fatal(err)
			}
			p := make([]byte, 2000)
			n, err := server.Read(p)
			if n != 0 || err == nil || err.Error() != "local error: tls: bad record MAC" {
				t.Errorf("byte %d: read %d bytes, %v", at, n, err)
			}
			if bytes.Contains(p, []byte("x")) {
				t.Errorf("byte %d: what was decrypted is in the reader's buffer", at)
			}
			_, err = client.Read(p)
			var alert *net.OpError
			if !errors.As(err, &alert) || alert.Err.Error() != "tls: bad record MAC" {
				t.Errorf("byte %d: the other end reads %v", at, err)
			}
		}
	})
}
