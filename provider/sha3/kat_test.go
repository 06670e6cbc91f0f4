package sha3_test

import (
	"compress/flate"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"percore/internal/cryptotest"
	"percore/provider/sha3"
)

// katFunctions gives the output of n bytes of each function that the Keccak team's known answers have.
var katFunctions = map[string]func(p []byte, n int, N, S []byte) []byte{
	"SHA3-224": func(p []byte, n int, N, S []byte) []byte { return digest(sha3.New224(), p) },
	"SHA3-256": func(p []byte, n int, N, S []byte) []byte { return digest(sha3.New256(), p) },
	"SHA3-384": func(p []byte, n int, N, S []byte) []byte { return digest(sha3.New384(), p) },
	"SHA3-512": func(p []byte, n int, N, S []byte) []byte { return digest(sha3.New512(), p) },
	"SHAKE128": func(p []byte, n int, N, S []byte) []byte { return output(sha3.NewSHAKE128(), p, n) },
	"SHAKE256": func(p []byte, n int, N, S []byte) []byte { return output(sha3.NewSHAKE256(), p, n) },
	"cSHAKE128": func(p []byte, n int, N, S []byte) []byte {
		return output(sha3.NewCSHAKE128(N, S), p, n)
	},
	"cSHAKE256": func(p []byte, n int, N, S []byte) []byte {
		return output(sha3.NewCSHAKE256(N, S), p, n)
	},
}

func TestKeccakKats(t *testing.T) {
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "golang.org/x/crypto").Output()
	if err != nil {
		t.Skip("the known answers are in the module golang.org/x/crypto, which is not here:", err)
	}
	f, err := os.Open(filepath.Join(strings.TrimSpace(string(dir)), "sha3", "testdata", "keccakKats.json.deflate"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var file struct {
		Kats map[string][]struct {
			Digest  string
			Length  int64 // in bits
			Message string
			N, S    string
		}
	}
	if err := json.NewDecoder(flate.NewReader(f)).Decode(&file); err != nil {
		t.Fatal(err)
	}
	if len(file.Kats) != len(katFunctions) {
		t.Fatalf("known answers for %d functions, want %d", len(file.Kats), len(katFunctions))
	}
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for name, f := range katFunctions {
			ran := 0
			for _, kat := range file.Kats[name] {
				if kat.Length%8 != 0 {
					continue // Go's API takes whole bytes
				}
				in := decodeHex(t, kat.Message)[:kat.Length/8]
				if got := fmt.Sprintf("%X", f(in, len(kat.Digest)/2, decodeHex(t, kat.N), decodeHex(t, kat.S))); got != kat.Digest {
					t.Errorf("%s of %d bytes %.20s: got %s, want %s", name, len(in), kat.Message, got, kat.Digest)
				}
				ran++
			}
			if ran == 0 {
				t.Errorf("%s: no known answer", name)
			}
		}
	})
}

func decodeHex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// Messages of more than 2^32 bytes, of which 2^32 or one less come in one Write, as in CVE-2022-37454.
func TestHugeWrite(t *testing.T) {
	if testing.Short() {
		t.Skip("4 GiB take too long in short mode")
	}
	if bits.UintSize == 32 {
		t.Skip("a slice of 4 GiB needs 64 bits")
	}
	huge := uint64(1) << 32
	zeros := make([]byte, huge) // never written, so hardly any memory
	for _, c := range []struct {
		name          string
		h             hash.Hash
		first, second uint64
		want          string
	}{
		{"Keccak-256", sha3.NewLegacyKeccak256(), 135, huge - 1,
			"93dd17f86843c61bd44207c55d065ad648a88d98278449698216d73bd1ce4875"},
		{"SHA3-512", sha3.New512(), 1, huge,
			"9790667f489a24b2e45e6987261fa572758400cc110f0ecb745ea7f7a908e601553d6c5f2eebeb6f4ed2f06e04c146af1caec633ac2cb56536de482c76f58d2f"},
	} {
		c.h.Write(zeros[:c.first])
		c.h.Write(zeros[:c.second])
		if got := fmt.Sprintf("%x", c.h.Sum(nil)); got != c.want {
			t.Errorf("%s: got %s, want %s", c.name, got, c.want)
		}
	}
}
