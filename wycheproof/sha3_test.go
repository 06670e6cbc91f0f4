package wycheproof

import (
	"crypto"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"testing"

	"percore/internal/cryptotest"
	"percore/provider/sha3"
)

// The lengths of ACVP are in bits.

type hashGroup struct {
	TestType, MCTVersion                  string
	MinOutLen, MaxOutLen, OutLenIncrement int
}

type hashVector struct {
	vector
	Msg                         hexBytes
	OutLen                      int
	FunctionName, Customization string
	MD                          hexBytes
	ResultsArray                []struct{ MD hexBytes }
}

// hashes are the hashes of FIPS 202, section 6.1, as a function and as a [hash.Hash].
var hashes = map[crypto.Hash]struct {
	sum func([]byte) []byte
	new func() hash.Hash
}{
	crypto.SHA3_224: {func(p []byte) []byte { d := sha3.Sum224(p); return d[:] }, func() hash.Hash { return sha3.New224() }},
	crypto.SHA3_256: {func(p []byte) []byte { d := sha3.Sum256(p); return d[:] }, func() hash.Hash { return sha3.New256() }},
	crypto.SHA3_384: {func(p []byte) []byte { d := sha3.Sum384(p); return d[:] }, func() hash.Hash { return sha3.New384() }},
	crypto.SHA3_512: {func(p []byte) []byte { d := sha3.Sum512(p); return d[:] }, func() hash.Hash { return sha3.New512() }},
}

func TestACVPSHA3(t *testing.T) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for id, h := range hashes {
			eachACVP(t, id.String(), 2, func(g hashGroup, v, want hashVector) error {
				switch g.TestType + g.MCTVersion {
				case "AFT":
					stream, registered := h.new(), id.New()
					stream.Write(v.Msg)
					registered.Write(v.Msg)
					return errors.Join(
						compare("Sum", h.sum(v.Msg), want.MD),
						compare("New", stream.Sum(nil), want.MD),
						compare("crypto", registered.Sum(nil), want.MD))
				case "MCTstandard": // draft-celi-acvp-sha3, section 6.2.1
					return monteCarlo(v, want, h.sum)
				}
				return fmt.Errorf("unknown test %+v", g)
			})
		}
	})
}

func TestACVPSHAKE(t *testing.T) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for name, f := range map[string]struct {
			sum       func(data []byte, length int) []byte
			new       func() *sha3.SHAKE
			newCSHAKE func(N, S []byte) *sha3.SHAKE
		}{
			"SHAKE-128": {sha3.SumSHAKE128, sha3.NewSHAKE128, sha3.NewCSHAKE128},
			"SHAKE-256": {sha3.SumSHAKE256, sha3.NewSHAKE256, sha3.NewCSHAKE256},
		} {
			eachACVP(t, name, 3, func(g hashGroup, v, want hashVector) error {
				switch g.TestType + g.MCTVersion {
				case "AFT", "VOT":
					return errors.Join(
						compare("Sum", f.sum(v.Msg, v.OutLen/8), want.MD),
						compare("New", read(f.new(), v.Msg, v.OutLen/8), want.MD),
						compare("cSHAKE", read(f.newCSHAKE(nil, nil), v.Msg, v.OutLen/8), want.MD))
				case "MCTstandard": // draft-celi-acvp-sha3, section 6.2.2
					shortest, longest := g.MinOutLen/8, g.MaxOutLen/8
					length := longest
					return monteCarlo(v, want, func(previous []byte) []byte {
						var msg [16]byte
						copy(msg[:], previous)
						out := f.sum(msg[:], length)
						length = shortest + rightmost16(out)%(longest-shortest+1)
						return out
					})
				}
				return fmt.Errorf("unknown test %+v", g)
			})
		}
	})
}

func TestACVPCSHAKE(t *testing.T) {
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for name, newCSHAKE := range map[string]func(N, S []byte) *sha3.SHAKE{
			"cSHAKE-128": sha3.NewCSHAKE128,
			"cSHAKE-256": sha3.NewCSHAKE256,
		} {
			eachACVP(t, name, 2, func(g hashGroup, v, want hashVector) error {
				switch g.TestType {
				case "AFT":
					x := newCSHAKE([]byte(v.FunctionName), []byte(v.Customization))
					return compare("cSHAKE", read(x, v.Msg, v.OutLen/8), want.MD)
				case "MCT": // draft-celi-acvp-xof, section 6.2.1
					length := g.MaxOutLen
					var customization []byte
					return monteCarlo(v, want, func(previous []byte) []byte {
						var msg [16]byte
						copy(msg[:], previous)
						out := read(newCSHAKE(nil, customization), msg[:], length/8)
						steps := rightmost16(out) % (g.MaxOutLen - g.MinOutLen + 1) / g.OutLenIncrement
						length = g.MinOutLen + steps*g.OutLenIncrement
						customization = append(msg[:], out[len(out)-2:]...)
						for i, c := range customization {
							customization[i] = 'A' + c%26
						}
						return out
					})
				}
				return fmt.Errorf("unknown test %+v", g)
			})
		}
	})
}

// read returns length bytes of x's output for msg.
func read(x *sha3.SHAKE, msg []byte, length int) []byte {
	out := make([]byte, length)
	x.Write(msg)
	x.Read(out)
	return out
}

// rightmost16 returns the last 16 bits of out as ACVP reads them, the more significant byte first.
func rightmost16(out []byte) int {
	return int(binary.BigEndian.Uint16(out[len(out)-2:]))
}

// monteCarlo applies next to the message 1000 times for each of 100 expected results, of which
// -short takes the first ten.
func monteCarlo(v, want hashVector, next func([]byte) []byte) error {
	if len(want.ResultsArray) != 100 {
		return fmt.Errorf("%d results, not 100", len(want.ResultsArray))
	}
	results := want.ResultsArray
	if testing.Short() {
		results = results[:10]
	}
	out := []byte(v.Msg)
	for j, result := range results {
		for range 1000 {
			out = next(out)
		}
		if err := compare(fmt.Sprintf("result %d", j), out, result.MD); err != nil {
			return err
		}
	}
	return nil
}
