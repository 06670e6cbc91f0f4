package gcm_test

import (
	"crypto/aes"
	"crypto/cipher"
	"encoding/binary"
	"fmt"
	"runtime"
	"runtime/metrics"
	"testing"

	"percore"
	"percore/provider/gcm"
)

// A column is a kernel in a benchmark.
type column struct {
	kernel string
	make   func(key []byte) (cipher.AEAD, error)
}

// columns returns the kernel of this process, which PERCORE can choose, and the standard library's.
func columns() []column {
	std := column{"std", mode(cipher.NewGCM).over(aes.NewCipher)}
	if ours := percore.Selected().GCM.Kernel; ours != std.kernel {
		return []column{{ours, gcm.New}, std}
	}
	return []column{std}
}

// eachKernel benchmarks with keys of that many bytes.
func eachKernel(b *testing.B, keySize int, f func(b *testing.B, aead cipher.AEAD)) {
	for _, k := range columns() {
		b.Run("kernel="+k.kernel, func(b *testing.B) { f(b, must(k.make(make([]byte, keySize)))) })
	}
}

// eachSize benchmarks with a text of each size, 13 bytes of additional data as TLS 1.2 has them,
// and a nonce that f changes with next.
func eachSize(b *testing.B, f func(b *testing.B, aead cipher.AEAD, nonce, text, aad []byte)) {
	for _, keySize := range []int{16, 32} {
		for _, size := range []int{0, 16, 64, 256, 512, 1024, 1350, 1500, 2048, 4096, 8192, 16384, 32768, 65536} {
			b.Run(fmt.Sprintf("key=%d/size=%d", 8*keySize, size), func(b *testing.B) {
				eachKernel(b, keySize, func(b *testing.B, aead cipher.AEAD) {
					b.SetBytes(int64(size))
					b.ReportAllocs()
					f(b, aead, make([]byte, 12), make([]byte, size), make([]byte, 13))
				})
			})
		}
	}
}

// next makes another nonce of nonce.
func next(nonce []byte) {
	binary.LittleEndian.PutUint64(nonce, binary.LittleEndian.Uint64(nonce)+1)
}

func BenchmarkSeal(b *testing.B) {
	eachSize(b, func(b *testing.B, aead cipher.AEAD, nonce, text, aad []byte) {
		dst := make([]byte, 0, len(text)+aead.Overhead())
		for b.Loop() {
			next(nonce)
			aead.Seal(dst, nonce, text, aad)
		}
	})
}

func BenchmarkOpen(b *testing.B) {
	eachSize(b, func(b *testing.B, aead cipher.AEAD, nonce, text, aad []byte) {
		// Messages with a nonce each, but no more than stay in the core's own caches.
		sealed := make([][]byte, min(64, max(1, 128<<10/max(1, len(text)))))
		for i := range sealed {
			nonce[0] = byte(i)
			sealed[i] = aead.Seal(nil, nonce, text, aad)
		}
		dst := make([]byte, 0, len(text))
		for i := 0; b.Loop(); i = (i + 1) % len(sealed) {
			nonce[0] = byte(i)
			if _, err := aead.Open(dst, nonce, sealed[i], aad); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkForgery opens messages that aren't authentic, which takes a wipe of the plaintext more.
func BenchmarkForgery(b *testing.B) {
	eachSize(b, func(b *testing.B, aead cipher.AEAD, nonce, text, aad []byte) {
		sealed := aead.Seal(nil, nonce, text, aad)
		sealed[len(sealed)-1] ^= 1
		dst := make([]byte, 0, len(text))
		for b.Loop() {
			if _, err := aead.Open(dst, nonce, sealed, aad); err == nil {
				b.Fatal("a forgery was accepted")
			}
		}
	})
}

var aeadSink cipher.AEAD

// GHASH alone: 8 KiB of additional data and no text.
func BenchmarkAdditionalData(b *testing.B) {
	eachKernel(b, 16, func(b *testing.B, aead cipher.AEAD) {
		nonce, aad, dst := make([]byte, 12), make([]byte, 8<<10), make([]byte, 0, aead.Overhead())
		b.SetBytes(int64(len(aad)))
		for b.Loop() {
			next(nonce)
			aead.Seal(dst, nonce, nil, aad)
		}
	})
}

func BenchmarkNew(b *testing.B) {
	for _, keySize := range []int{16, 32} {
		key := make([]byte, keySize)
		b.Run(fmt.Sprintf("key=%d", 8*keySize), func(b *testing.B) {
			for _, k := range columns() {
				b.Run("kernel="+k.kernel, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						aeadSink = must(k.make(key))
					}
				})
			}
		})
	}
}

// BenchmarkNewCipher makes an AES-GCM by way of a block cipher, which costs percore two key expansions.
func BenchmarkNewCipher(b *testing.B) {
	for _, keySize := range []int{16, 32} {
		key := make([]byte, keySize)
		b.Run(fmt.Sprintf("key=%d", 8*keySize), func(b *testing.B) {
			for _, c := range []struct {
				kernel    string
				newCipher func(key []byte) (cipher.Block, error)
			}{{percore.Selected().GCM.Kernel, gcm.NewCipher}, {"std", aes.NewCipher}} {
				b.Run("kernel="+c.kernel, func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						aeadSink = must(cipher.NewGCM(must(c.newCipher(key))))
					}
				})
			}
		})
	}
}

// BenchmarkPause reports the longest that a garbage collection had to wait for a goroutine to
// stop, which one that is in assembly does only at its end.
func BenchmarkPause(b *testing.B) {
	text := make([]byte, 64<<20)
	dst := make([]byte, 0, len(text)+16)
	eachKernel(b, 16, func(b *testing.B, aead cipher.AEAD) {
		b.SetBytes(int64(len(text)))
		nonce := make([]byte, 12)
		aead.Seal(dst, nonce, text, nil) // to have the system's page faults behind us
		done := make(chan bool)
		go func() {
			for {
				select {
				case <-done:
					return
				default:
					runtime.GC()
				}
			}
		}()
		before := pauses()
		for b.Loop() {
			next(nonce)
			aead.Seal(dst, nonce, text, nil)
		}
		after := pauses()
		done <- true
		worst := 0.0
		for i, n := range after.Counts {
			if n > before.Counts[i] {
				worst = after.Buckets[i] // its lower bound: the upper one can be infinite
			}
		}
		b.ReportMetric(worst*1e6, "worst-pause-µs")
	})
}

// pauses returns a copy of the runtime's histogram of how long the collector waits for goroutines.
func pauses() metrics.Float64Histogram {
	sample := []metrics.Sample{{Name: "/sched/pauses/stopping/gc:seconds"}}
	metrics.Read(sample)
	return *sample[0].Value.Float64Histogram()
}
