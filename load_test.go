package percore_test

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	stdsha3 "crypto/sha3"
	"encoding"
	"flag"
	"hash"
	"io"
	"math/rand/v2"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"testing"
	"time"

	"percore/internal/cryptotest"
	"percore/provider/gcm"
	"percore/provider/sha3"
)

var load = flag.Duration("load", 0, "how long TestLoad takes, which doesn't run without")

// All at once, with every output checked: many goroutines on one AEAD and on AEADs of their own, hashes that are cloned and
// marshalled halfway, a collector that never rests, a CPU profile, an execution trace, and GOMAXPROCS going up and down. Run it with
// GODEBUG=asyncpreemptoff=0 and =1, and with each kernel in PERCORE.
func TestLoad(t *testing.T) {
	if *load == 0 {
		t.Skip("needs -load")
	}
	const most = 200 << 10
	text := cryptotest.Random(1, most)
	key, nonce := cryptotest.Random(2, 32), cryptotest.Random(3, 12)
	shared, err := gcm.New(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := pprof.StartCPUProfile(io.Discard); err == nil { // not if go test takes one itself
		defer pprof.StopCPUProfile()
	}
	if err := trace.Start(io.Discard); err == nil {
		defer trace.Stop()
	}
	end := time.Now().Add(*load)
	var wg sync.WaitGroup
	var rounds [2]int
	var mu sync.Mutex
	each := func(kind int, f func(r *rand.Rand) string) {
		for g := range 12 {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(uint64(kind), uint64(g)))
				for n := 0; !t.Failed(); n++ {
					if problem := f(r); problem != "" {
						t.Error(problem)
					}
					if time.Now().After(end) {
						mu.Lock()
						rounds[kind] += n + 1
						mu.Unlock()
						return
					}
				}
			})
		}
	}
	// size is short more often than not.
	size := func(r *rand.Rand) int { return r.IntN(1 + r.IntN(most)>>r.IntN(18)) }

	each(0, func(r *rand.Rand) string {
		ours, stdKey := shared, key
		if r.IntN(3) == 0 {
			stdKey = cryptotest.Random(r.Uint64(), 16+8*r.IntN(3))
			ours, _ = gcm.New(stdKey)
		}
		block, _ := aes.NewCipher(stdKey)
		std, _ := cipher.NewGCM(block)
		p, aad := text[:size(r)], text[:size(r)/8]
		sealed := ours.Seal(nil, nonce, p, aad)
		if !bytes.Equal(sealed, std.Seal(nil, nonce, p, aad)) {
			return "Seal's result is wrong"
		}
		if opened, err := ours.Open(nil, nonce, sealed, aad); err != nil || !bytes.Equal(opened, p) {
			return "Open's result is wrong"
		}
		sealed[r.IntN(len(sealed))] ^= 1 << r.IntN(8)
		if opened, err := ours.Open(sealed[:0], nonce, sealed, aad); err == nil || opened != nil {
			return "Open takes a forgery"
		}
		return ""
	})
	each(1, func(r *rand.Rand) string {
		var h hash.Hash = sha3.New256()
		std := stdsha3.New256()
		for range 5 {
			p := text[:size(r)]
			h.Write(p)
			std.Write(p)
			switch r.IntN(4) {
			case 0:
				clone, err := h.(hash.Cloner).Clone()
				if err != nil {
					return err.Error()
				}
				h.Write(text[:100])
				h = clone.(hash.Hash)
			case 1:
				state, err := h.(encoding.BinaryMarshaler).MarshalBinary()
				if err != nil {
					return err.Error()
				}
				h = sha3.New256()
				if err := h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state); err != nil {
					return err.Error()
				}
			}
			if !bytes.Equal(h.Sum(nil), std.Sum(nil)) {
				return "a digest is wrong"
			}
		}
		return ""
	})
	wg.Go(func() {
		for time.Now().Before(end) {
			runtime.GC()
		}
	})
	wg.Go(func() {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
		for n := 1; time.Now().Before(end); n++ {
			runtime.GOMAXPROCS(1 + n%7)
			time.Sleep(10 * time.Millisecond)
		}
	})
	wg.Wait()
	t.Logf("%d rounds of AES-GCM, %d of SHA-3", rounds[0], rounds[1])
}
