package wycheproof

import (
	"bytes"
	"compress/bzip2"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/c2sp/wycheproof"

	"percore"
)

// boringcrypto says whether percore steps aside for a boringcrypto toolchain, which lacks a few things.
func boringcrypto() bool { return strings.Contains(percore.Selected().Aside, "boringcrypto") }

// hexBytes are bytes that JSON has in hexadecimal.
type hexBytes []byte

func (h *hexBytes) UnmarshalText(text []byte) (err error) {
	*h, err = hex.AppendDecode(nil, text)
	return err
}

// A group is a test group, which Wycheproof and ACVP write alike: what some vectors have in
// common, and the vectors.
type group[G any, V identified] struct {
	common  G
	vectors []V
}

func (g *group[G, V]) UnmarshalJSON(data []byte) error {
	tests := struct{ Tests *[]V }{&g.vectors}
	return errors.Join(json.Unmarshal(data, &g.common), json.Unmarshal(data, &tests))
}

// A vector is what all vectors have, ACVP's without Result and Flags.
type vector struct {
	TcID   int
	Result string
	Flags  []string
}

type identified interface{ id() int }

func (v vector) id() int { return v.TcID }

// verdict returns an error unless the vector's result agrees with whether it was accepted.
func (v vector) verdict(accepted bool) error {
	switch {
	case v.Result == "valid" && accepted, v.Result == "invalid" && !accepted:
		return nil
	case v.Result == "acceptable" && slices.Equal(v.Flags, []string{"MissingNull"}) && !accepted:
		// An RSA signature whose DigestInfo lacks the NULL that RFC 8017, section B.1, demands.
		// crypto/rsa takes none of these.
		return nil
	}
	return fmt.Errorf("accepted: %t, but the vector is %s %v", accepted, v.Result, v.Flags)
}

// eachWycheproof calls check with each vector of a Wycheproof file and its group's common part.
func eachWycheproof[G any, V identified](t *testing.T, name string, check func(G, V) error) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		data, err := fs.ReadFile(wycheproof.TestVectors, name+"_test.json")
		if err != nil {
			t.Fatal(err)
		}
		var file struct {
			NumberOfTests int
			TestGroups    []group[G, V]
		}
		if err := json.Unmarshal(data, &file); err != nil {
			t.Fatal(err)
		}
		n := 0
		for _, g := range file.TestGroups {
			for _, v := range g.vectors {
				n++
				if err := check(g.common, v); err != nil {
					t.Errorf("tcId %d: %v", v.id(), err)
				}
			}
		}
		if n != file.NumberOfTests || n == 0 {
			t.Errorf("ran %d vectors of %d", n, file.NumberOfTests)
		}
	})
}

// eachACVP calls check with each of the n vectors of an ACVP file, what is expected of it, and its
// group's common part. The questions and the answers are in two files of the same outline.
func eachACVP[G any, V identified](t *testing.T, name string, n int, check func(common G, v, want V) error) {
	t.Run(name, func(t *testing.T) {
		t.Parallel()
		questions := decodeACVP[G, V](t, "vectors", name)
		answers := decodeACVP[G, V](t, "expected", name)
		ran := 0
		for i, g := range questions {
			for j, v := range g.vectors {
				ran++
				want := answers[i].vectors[j]
				if v.id() != want.id() {
					t.Fatalf("tcId %d in one file is %d in the other", v.id(), want.id())
				}
				if err := check(g.common, v, want); err != nil {
					t.Errorf("tcId %d: %v", v.id(), err)
				}
			}
		}
		if ran != n {
			t.Errorf("ran %d vectors, want %d", ran, n)
		}
	})
}

// decodeACVP decodes a file of a session with NIST's server: a list of two, first what the
// session was, then the vectors.
func decodeACVP[G any, V identified](t *testing.T, dir, name string) []group[G, V] {
	module, err := acvpModule()
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(module, dir, name+".bz2"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	data, err := io.ReadAll(bzip2.NewReader(f))
	if err != nil {
		t.Fatal(err)
	}
	var session [2]struct{ TestGroups []group[G, V] }
	if err := json.Unmarshal(data, &session); err != nil {
		t.Fatal(err)
	}
	return session[1].TestGroups
}

// acvpModule returns the directory of the module that has ACVP's vectors. It has no package that
// could embed them, so the go command has to say where it is, and that asks the network only if the
// module isn't in the module cache.
var acvpModule = sync.OnceValues(func() (string, error) {
	cmd := exec.Command("go", "mod", "download", "-json", "github.com/geomys/acvp-testdata")
	out, err := cmd.Output()
	var module struct{ Dir, Error string }
	if err := errors.Join(err, json.Unmarshal(out, &module)); err != nil {
		return "", fmt.Errorf("%v: %w %s", cmd, err, module.Error)
	}
	return module.Dir, nil
})

// compare returns an error that names what was got if it isn't what was wanted.
func compare(name string, got, want []byte) error {
	if bytes.Equal(got, want) {
		return nil
	}
	return fmt.Errorf("%s: got %d bytes %.32x, want %d bytes %.32x", name, len(got), got, len(want), want)
}
