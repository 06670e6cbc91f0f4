package sha3_test

import (
	stdsha3 "crypto/sha3"
	"testing"

	"percore/internal/cryptotest"
	"percore/provider/sha3"
)

var sink any

// Nothing here allocates more than its counterpart in crypto/sha3.
func TestAllocations(t *testing.T) {
	if cryptotest.Race {
		t.Skip("the race detector allocates")
	}
	var p [300]byte
	buf := make([]byte, 0, 300)
	fixedHash, xof := sha3.New256(), sha3.NewSHAKE128()
	stdHash, stdXOF := stdsha3.New256(), stdsha3.NewSHAKE128()
	legacy := sha3.NewLegacyKeccak256()
	state, _ := fixedHash.MarshalBinary()
	cryptotest.EachKernel(t, "sha3", func(t *testing.T) {
		for _, c := range []struct {
			name        string
			ours, other func()
		}{
			{"Sum256", func() { sha3.Sum256(p[:]) }, func() { stdsha3.Sum256(p[:]) }},
			{"Sum512", func() { sha3.Sum512(p[:]) }, func() { stdsha3.Sum512(p[:]) }},
			{"SumLegacyKeccak256", func() { sha3.SumLegacyKeccak256(p[:]) }, func() {}},
			{"SumSHAKE128, short", func() { sha3.SumSHAKE128(p[:], 32) }, func() { stdsha3.SumSHAKE128(p[:], 32) }},
			{"SumSHAKE256, short", func() { sha3.SumSHAKE256(p[:], 64) }, func() { stdsha3.SumSHAKE256(p[:], 64) }},
			{"SumSHAKE128, long", func() { sha3.SumSHAKE128(p[:], 100) }, func() { stdsha3.SumSHAKE128(p[:], 100) }},
			{"New256, escaping", func() { sink = sha3.New256() }, func() { sink = stdsha3.New256() }},
			{"New256, on the stack", func() { h := sha3.New256(); h.Write(p[:]); h.Sum(buf) },
				func() { h := stdsha3.New256(); h.Write(p[:]); h.Sum(buf) }},
			{"NewSHAKE128, on the stack", func() { h := sha3.NewSHAKE128(); h.Write(p[:]); h.Read(buf[:200]) },
				func() { h := stdsha3.NewSHAKE128(); h.Write(p[:]); h.Read(buf[:200]) }},
			{"NewCSHAKE128", func() { sink = sha3.NewCSHAKE128(p[:9], p[:]) }, func() { sink = stdsha3.NewCSHAKE128(p[:9], p[:]) }},
			{"NewCSHAKE256, empty", func() { sha3.NewCSHAKE256(nil, nil) }, func() { stdsha3.NewCSHAKE256(nil, nil) }},
			{"zero SHA3", func() { var h sha3.SHA3; h.Write(p[:]) }, func() { var h stdsha3.SHA3; h.Write(p[:]) }},
			{"Write", func() { fixedHash.Write(p[:]) }, func() { stdHash.Write(p[:]) }},
			{"Sum", func() { fixedHash.Sum(buf) }, func() { stdHash.Sum(buf) }},
			{"Sum of nil", func() { sink = fixedHash.Sum(nil) }, func() { sink = stdHash.Sum(nil) }},
			{"Clone", func() { sink, _ = fixedHash.Clone() }, func() { sink, _ = stdHash.Clone() }},
			{"MarshalBinary", func() { sink, _ = fixedHash.MarshalBinary() }, func() { sink, _ = stdHash.MarshalBinary() }},
			{"AppendBinary", func() { fixedHash.AppendBinary(buf) }, func() { stdHash.AppendBinary(buf) }},
			{"UnmarshalBinary", func() { fixedHash.UnmarshalBinary(state) }, func() { stdHash.UnmarshalBinary(state) }},
			{"XOF", func() { xof.Reset(); xof.Write(p[:]); xof.Read(buf[:200]) }, func() { stdXOF.Reset(); stdXOF.Write(p[:]); stdXOF.Read(buf[:200]) }},
			// go-ethereum's way of taking a digest.
			{"Keccak", func() { legacy.Reset(); legacy.Write(p[:]); legacy.Read(buf[:32]) }, func() {}},
		} {
			got, want := testing.AllocsPerRun(100, c.ours), testing.AllocsPerRun(100, c.other)
			if got > want {
				t.Errorf("%s: %v allocations, the standard library has %v", c.name, got, want)
			}
		}
	})
}
