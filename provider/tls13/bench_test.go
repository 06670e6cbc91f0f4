package tls13_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"io"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"percore"
	_ "percore/provider/tls13"
)

// The kernel of a benchmark is that of its process: PERCORE=gcm=std is crypto/tls without the import.
func kernel(b *testing.B, f func(b *testing.B)) { b.Run("kernel="+percore.Selected().GCM.Kernel, f) }

// serve starts an HTTPS server that sends records of size bytes, as many bytes in all as the query says.
func serve(b *testing.B, size int) *httptest.Server {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		n, _ := strconv.Atoi(r.URL.RawQuery)
		p := make([]byte, size)
		for ; n > 0; n -= size {
			w.Write(p)
			w.(http.Flusher).Flush()
		}
	}))
	b.Cleanup(s.Close)
	return s
}

// fetch gets n bytes.
func fetch(b *testing.B, s *httptest.Server, n int) {
	resp, err := s.Client().Get(s.URL + "?" + strconv.Itoa(n))
	if err != nil {
		b.Fatal(err)
	}
	defer resp.Body.Close()
	if got, err := io.Copy(io.Discard, resp.Body); err != nil || got != int64(n) {
		b.Fatalf("got %d bytes, %v", got, err)
	}
}

// Bulk transfer on loopback: one request of 64 MiB.
func BenchmarkHTTPS(b *testing.B) {
	kernel(b, func(b *testing.B) {
		const n = 64 << 20
		s := serve(b, 16<<10)
		fetch(b, s, 1<<20)
		b.SetBytes(n)
		for b.Loop() {
			fetch(b, s, n)
		}
	})
}

// Small records: 1024 of 64 bytes.
func BenchmarkSmallRecords(b *testing.B) {
	kernel(b, func(b *testing.B) {
		const n = 64 << 10
		s := serve(b, 64)
		fetch(b, s, n)
		b.SetBytes(n)
		for b.Loop() {
			fetch(b, s, n)
		}
	})
}

// Full handshakes of both ends, with the fastest of certificates.
func BenchmarkHandshake(b *testing.B) {
	kernel(b, func(b *testing.B) {
		key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
		if err != nil {
			b.Fatal(err)
		}
		template := &x509.Certificate{SerialNumber: big.NewInt(1), DNSNames: []string{"example.com"}, NotAfter: time.Now().Add(time.Hour)}
		der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
		if err != nil {
			b.Fatal(err)
		}
		roots := x509.NewCertPool()
		if c, err := x509.ParseCertificate(der); err == nil {
			roots.AddCert(c)
		}
		server := &tls.Config{Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}}, SessionTicketsDisabled: true}
		client := &tls.Config{RootCAs: roots, ServerName: "example.com"}
		for b.Loop() {
			c, s := net.Pipe()
			done := make(chan error, 1)
			go func() { done <- tls.Server(s, server).Handshake() }()
			if err := tls.Client(c, client).Handshake(); err != nil {
				b.Fatal(err)
			}
			if err := <-done; err != nil {
				b.Fatal(err)
			}
		}
	})
}
