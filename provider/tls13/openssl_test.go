//go:build go1.26 && !go1.28

package tls13

import (
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"percore/internal/cryptotest"
)

// Real peers: OpenSSL as client and as server, each with 100 MiB in both directions and a key update of both in between.
func TestOpenSSL(t *testing.T) {
	if _, err := exec.LookPath("openssl"); err != nil {
		t.Skip("needs openssl: ", err)
	}
	size := 100 << 20
	if testing.Short() {
		size = 1 << 20
	}
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		needsOurs(t)
		s := httptest.NewTLSServer(nil)
		s.Close()
		for _, suite := range []uint16{tls.TLS_AES_128_GCM_SHA256, tls.TLS_AES_256_GCM_SHA384} {
			name := tls.CipherSuiteName(suite)
			l, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: s.TLS.Certificates, SessionTicketsDisabled: true})
			if err != nil {
				t.Fatal(err)
			}
			exchange(t, size, suite, func() (*tls.Conn, error) {
				c, err := l.Accept()
				if err != nil {
					return nil, err
				}
				return c.(*tls.Conn), nil
			}, "s_client", "-connect", l.Addr().String(), "-ciphersuites", name)
			l.Close()

			certificate, key := files(t, s.TLS.Certificates[0])
			address := freeAddress(t)
			exchange(t, size, suite, func() (*tls.Conn, error) {
				config := &tls.Config{RootCAs: roots(s.Certificate()), ServerName: "example.com"}
				var err error
				for range 100 { // until it listens
					var c *tls.Conn
					if c, err = tls.Dial("tcp", address, config); err == nil {
						return c, nil
					}
					time.Sleep(50 * time.Millisecond)
				}
				return nil, err
			}, "s_server", "-accept", address, "-cert", certificate, "-key", key, "-ciphersuites", name, "-num_tickets", "0", "-naccept", "1")
		}
	})
}

// begin goes before what we send: openssl prints other lines before that.
const begin = "begin of the data\n"

// exchange runs openssl, sends it so many bytes and gets as many, with a key update in the middle.
func exchange(t *testing.T, size int, suite uint16, connect func() (*tls.Conn, error), args ...string) {
	t.Helper()
	cmd := exec.Command("openssl", args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var messages bytes.Buffer
	cmd.Stderr = &messages
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	timeout := time.AfterFunc(5*time.Minute, func() { cmd.Process.Kill() })
	defer timeout.Stop()
	defer func() {
		in.Close()
		cmd.Process.Kill()
		cmd.Wait()
		if t.Failed() {
			t.Logf("openssl %s\n%s", strings.Join(args, " "), messages.Bytes())
		}
	}()
	conn, err := connect()
	if err != nil {
		t.Error(err)
		return
	}
	defer conn.Close()
	if err := conn.Handshake(); err != nil {
		t.Error(err)
		return
	}
	if got := conn.ConnectionState().CipherSuite; got != suite {
		t.Errorf("got %s, not %s", tls.CipherSuiteName(got), tls.CipherSuiteName(suite))
	}
	keys := counts.keys.Load()

	// Small letters: openssl takes a K or a Q at the start of what it reads for a command.
	data := cryptotest.Seq(size)
	for i, b := range data {
		data[i] = 'a' + b%26
	}
	same := func(got []byte) error {
		for i := range data {
			if got[i] != data[i] {
				end := min(i+40, size)
				return fmt.Errorf("from byte %d on %q came out of %q", i, got[i:end], data[i:end])
			}
		}
		return nil
	}
	errs := make(chan error, 4)
	go func() {
		_, err := io.WriteString(conn, begin)
		if err == nil {
			_, err = conn.Write(data[:size/2])
		}
		// No Write while keys change: the Read that answers openssl would wait for it, and it for openssl, which reads nothing before someone
		// reads what it writes.
		for range 6000 {
			if err != nil || counts.keys.Load()-keys >= 2 {
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if err == nil {
			_, err = conn.Write(data[size/2:])
		}
		errs <- err
	}()
	go func() {
		got := make([]byte, size)
		_, err := io.ReadFull(conn, got)
		if err == nil {
			err = same(got)
		}
		errs <- err
	}()
	go func() {
		// Both halves are whole reads of openssl's, if it has the time for each.
		_, err := in.Write(data[:size/2])
		time.Sleep(300 * time.Millisecond)
		if err == nil {
			_, err = io.WriteString(in, "K\n")
		}
		time.Sleep(300 * time.Millisecond)
		if err == nil {
			_, err = in.Write(data[size/2:])
		}
		errs <- err
	}()
	go func() {
		got, err := readAfter(out, begin, size)
		if err == nil {
			err = same(got)
		}
		errs <- err
	}()
	for range cap(errs) {
		if err := <-errs; err != nil {
			t.Error(err)
			cmd.Process.Kill()
		}
	}
	if keys = counts.keys.Load() - keys; keys != 2 {
		t.Errorf("percore had %d new keys after the handshake, not one of each direction", keys)
	}
}

// readAfter returns the size bytes after a line.
func readAfter(r io.Reader, line string, size int) ([]byte, error) {
	// What s_server prints into the data where keys change.
	prints := strings.NewReplacer("SSL_do_handshake -> 1\n", "", "Read BLOCK\n", "")
	var got []byte
	p := make([]byte, 1<<16)
	for {
		n, err := r.Read(p)
		got = append(got, p[:n]...)
		if i := bytes.Index(got, []byte(line)); i >= 0 && len(got) >= i+len(line)+size {
			if data := prints.Replace(string(got[i+len(line):])); len(data) >= size {
				return []byte(data[:size]), nil
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%w after %d bytes from openssl", err, len(got))
		}
	}
}

// files writes a certificate and its key to files and returns their names.
func files(t *testing.T, c tls.Certificate) (certificate, key string) {
	t.Helper()
	der, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	certificate, key = filepath.Join(dir, "certificate.pem"), filepath.Join(dir, "key.pem")
	for name, block := range map[string]*pem.Block{
		certificate: {Type: "CERTIFICATE", Bytes: c.Certificate[0]},
		key:         {Type: "PRIVATE KEY", Bytes: der},
	} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return certificate, key
}

// freeAddress returns an address that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}
