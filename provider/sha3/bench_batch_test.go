package sha3

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/cloudflare/circl/simd/keccakf1600"

	"percore/internal/cryptotest"
)

// BenchmarkBatch is SHA3-256, and for 64 bytes Keccak-256 too, of many messages: with the kernel for that, one at a time, and four at
// a time with circl where all have the same length. PERCORE=batch=avx2 forces another kernel.
func BenchmarkBatch(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, c := range []struct {
		function string
		messages int
		bytes    string
	}{
		{"SHA3-256", 1, "64"}, {"SHA3-256", 2, "64"}, {"SHA3-256", 3, "64"}, {"SHA3-256", 4, "64"}, {"SHA3-256", 8, "64"}, {"SHA3-256", 16, "64"},
		{"SHA3-256", 2, "1024"}, {"SHA3-256", 3, "1024"}, {"SHA3-256", 16, "1024"},
		{"SHA3-256", 1000, "64"}, {"Keccak-256", 1000, "64"}, {"SHA3-256", 1000, "1024"}, {"SHA3-256", 1000, "0-2000"},
	} {
		var msgs [][]byte
		for i := range c.messages {
			var size int
			if _, err := fmt.Sscan(c.bytes, &size); c.bytes == "0-2000" {
				size = r.IntN(2001)
			} else if err != nil {
				b.Fatal(err)
			}
			msgs = append(msgs, cryptotest.Random(uint64(i), size))
		}
		sums := make([][32]byte, len(msgs))
		many, one, ds := Sum256Batch, Sum256, byte(dsSHA3)
		if c.function == "Keccak-256" {
			many, one, ds = SumLegacyKeccak256Batch, SumLegacyKeccak256, dsKeccak
		}
		run := func(kernel string, f func()) {
			b.Run(fmt.Sprintf("function=%s/messages=%d/size=%s/kernel=%s", c.function, len(msgs), c.bytes, kernel), func(b *testing.B) {
				for b.Loop() {
					f()
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(msgs)), "ns/message")
			})
		}
		run(batchKernel.String(), func() { many(sums, msgs) })
		run("one", func() {
			for i, msg := range msgs {
				sums[i] = one(msg)
			}
		})
		if c.bytes != "0-2000" && len(msgs)%4 == 0 {
			circl := func() {
				for i := 0; i < len(msgs); i += 4 {
					circlSum(sums[i:i+4], msgs[i:i+4], ds)
				}
			}
			circl()
			for i, msg := range msgs {
				if sums[i] != one(msg) {
					b.Fatal("circl's sums differ")
				}
			}
			run("circl", circl)
		}
	}
}

// circlSum hashes four messages of the same length with circl's permutation of four states.
func circlSum(sums [][32]byte, msgs [][]byte, ds byte) {
	var state keccakf1600.StateX4
	a := state.Initialize(false)
	n := len(msgs[0])
	at := 0
	for ; n-at >= rate256; at += rate256 {
		for i, msg := range msgs {
			for j := range rate256 / 8 {
				a[4*j+i] ^= binary.LittleEndian.Uint64(msg[at+8*j:])
			}
		}
		state.Permute()
	}
	for i, msg := range msgs {
		var last [rate256]byte
		copy(last[:], msg[at:])
		last[n-at] = ds
		last[rate256-1] |= 0x80
		for j := range rate256 / 8 {
			a[4*j+i] ^= binary.LittleEndian.Uint64(last[8*j:])
		}
	}
	state.Permute()
	for i := range sums {
		for j := range 4 {
			binary.LittleEndian.PutUint64(sums[i][8*j:], a[4*j+i])
		}
	}
}
