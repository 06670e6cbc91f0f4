package sha3

import (
	stdsha3 "crypto/sha3"
	"fmt"
	"hash"
	"testing"

	"github.com/cloudflare/circl/xof"
	xsha3 "golang.org/x/crypto/sha3"

	"percore"
	"percore/internal/asm/keccak"
)

var benchSizes = []int{32, 136, 200, 1024, 16384}

// eachKernel benchmarks every kernel of ours that this core can run. Kernel std is not the
// standard library, which is the column "go", but ours with its permutation.
func eachKernel(b *testing.B, f func(b *testing.B, k keccak.Kernel)) {
	for _, name := range percore.Kernels("sha3") {
		k, _ := keccak.Find(name)
		b.Run("kernel="+name, func(b *testing.B) { f(b, k) })
	}
}

// BenchmarkSum is a one-shot SHA3-256.
func BenchmarkSum(b *testing.B) {
	for _, size := range benchSizes {
		p := make([]byte, size)
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			eachKernel(b, func(b *testing.B, k keccak.Kernel) {
				b.SetBytes(int64(size))
				for b.Loop() {
					var out [32]byte
					s := sponge{rate: rate256, size: 32, ds: dsSHA3, kernel: k}
					s.write(p)
					s.read(out[:])
				}
			})
			b.Run("kernel=go", func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					stdsha3.Sum256(p)
				}
			})
			// circl shows its Keccak as SHAKE256 only, which does the same work here.
			b.Run("kernel=circl", func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					var out [32]byte
					x := xof.SHAKE256.New()
					x.Write(p)
					x.Read(out[:])
				}
			})
		})
	}
}

// BenchmarkSumLegacyKeccak256 is a one-shot Keccak-256.
func BenchmarkSumLegacyKeccak256(b *testing.B) {
	for _, size := range benchSizes {
		p := make([]byte, size)
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			eachKernel(b, func(b *testing.B, k keccak.Kernel) {
				b.SetBytes(int64(size))
				for b.Loop() {
					var out [32]byte
					s := sponge{rate: rate256, size: 32, ds: dsKeccak, kernel: k}
					s.write(p)
					s.read(out[:])
				}
			})
			b.Run("kernel=x-crypto", func(b *testing.B) {
				b.SetBytes(int64(size))
				for b.Loop() {
					var out [32]byte
					h := xsha3.NewLegacyKeccak256()
					h.Write(p)
					h.Sum(out[:0])
				}
			})
		})
	}
}

// BenchmarkFunctions is one shot of the functions that have other rates.
func BenchmarkFunctions(b *testing.B) {
	for _, f := range []struct {
		name     string
		rate     uint8
		ds       uint8
		out      int
		standard func(p []byte, out []byte)
	}{
		{"SHA3-512", rate512, dsSHA3, 64, func(p, out []byte) { *(*[64]byte)(out) = stdsha3.Sum512(p) }},
		{"SHAKE128", rate128, dsSHAKE, 32, func(p, out []byte) { x := stdsha3.NewSHAKE128(); x.Write(p); x.Read(out) }},
		{"SHAKE256", rate256, dsSHAKE, 64, func(p, out []byte) { x := stdsha3.NewSHAKE256(); x.Write(p); x.Read(out) }},
	} {
		for _, size := range []int{1024, 16384} {
			p := make([]byte, size)
			b.Run(fmt.Sprintf("function=%s/size=%d", f.name, size), func(b *testing.B) {
				out := make([]byte, f.out)
				eachKernel(b, func(b *testing.B, k keccak.Kernel) {
					b.SetBytes(int64(size))
					for b.Loop() {
						s := sponge{rate: f.rate, ds: f.ds, kernel: k}
						s.write(p)
						s.read(out)
					}
				})
				b.Run("kernel=go", func(b *testing.B) {
					b.SetBytes(int64(size))
					for b.Loop() {
						f.standard(p, out)
					}
				})
			})
		}
	}
}

// BenchmarkWrite is a SHA3-256 that takes a megabyte in pieces of the size.
func BenchmarkWrite(b *testing.B) {
	const total = 1 << 20
	for _, size := range []int{16, 136, 1024, 16384} {
		p := make([]byte, size)
		run := func(h hash.Hash) func(b *testing.B) {
			return func(b *testing.B) {
				b.SetBytes(total)
				var out [32]byte
				for b.Loop() {
					h.Reset()
					for range total / size {
						h.Write(p)
					}
					h.Sum(out[:0])
				}
			}
		}
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			eachKernel(b, func(b *testing.B, k keccak.Kernel) {
				run(&SHA3{sponge{rate: rate256, size: 32, ds: dsSHA3, kernel: k}})(b)
			})
			b.Run("kernel=go", run(stdsha3.New256()))
		})
	}
}

// BenchmarkKeccak is go-ethereum's way of taking a Keccak-256.
func BenchmarkKeccak(b *testing.B) {
	type readHash interface {
		hash.Hash
		Read([]byte) (int, error)
	}
	for _, size := range benchSizes {
		p := make([]byte, size)
		run := func(h readHash) func(b *testing.B) {
			return func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				out := make([]byte, 32)
				for b.Loop() {
					h.Reset()
					h.Write(p)
					h.Read(out)
				}
			}
		}
		b.Run(fmt.Sprintf("size=%d", size), func(b *testing.B) {
			eachKernel(b, func(b *testing.B, k keccak.Kernel) {
				run(&Keccak{sponge{rate: rate256, size: 32, ds: dsKeccak, kernel: k}})(b)
			})
			b.Run("kernel=x-crypto", run(xsha3.NewLegacyKeccak256().(readHash)))
		})
	}
}

var sink hash.Hash

// BenchmarkNew makes a hash that outlives its function.
func BenchmarkNew(b *testing.B) {
	b.Run("kernel="+kernel.String(), func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sink = New256()
		}
	})
	b.Run("kernel=go", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sink = stdsha3.New256()
		}
	})
}
