package gcm_test

import (
	"bytes"
	"io"
	"runtime"
	"runtime/pprof"
	"runtime/trace"
	"sync"
	"testing"
	"time"

	"percore/internal/cryptotest"
	"percore/provider/gcm"
)

// One AEAD in many goroutines, while the collector, a CPU profile and an execution trace interrupt
// them and walk their stacks: a kernel that clobbers the frame pointer crashes here.
func TestConcurrent(t *testing.T) {
	duration := time.Second
	if testing.Short() {
		duration /= 5
	}
	type message struct{ nonce, text, aad, sealed []byte }
	cryptotest.EachKernel(t, "gcm", func(t *testing.T) {
		key := cryptotest.Random(1, 32)
		ours, want := must(gcm.New(key)), std(key, 12)
		messages := make([]message, 64) // with nothing in common, so that a mix-up shows
		for i := range messages {
			seed := uint64(3 * i)
			m := message{cryptotest.Random(seed, 12), cryptotest.Random(seed+1, i*i*i/10), cryptotest.Random(seed+2, 5*i), nil}
			m.sealed = want.Seal(nil, m.nonce, m.text, m.aad)
			messages[i] = m
		}
		if err := pprof.StartCPUProfile(io.Discard); err == nil { // not if go test takes one itself
			defer pprof.StopCPUProfile()
		}
		if err := trace.Start(io.Discard); err == nil {
			defer trace.Stop()
		}
		end := time.Now().Add(duration)
		var wg sync.WaitGroup
		for g := range 16 {
			wg.Go(func() {
				dst := make([]byte, 0, len(messages[len(messages)-1].sealed))
				for i := g; time.Now().Before(end); i++ {
					m := messages[i%len(messages)]
					if got := ours.Seal(dst, m.nonce, m.text, m.aad); !bytes.Equal(got, m.sealed) {
						t.Errorf("%d bytes: Seal's result differs from byte %d on", len(m.text), common(got, m.sealed))
						return
					}
					if got, err := ours.Open(dst, m.nonce, m.sealed, m.aad); err != nil || !bytes.Equal(got, m.text) {
						t.Errorf("%d bytes: Open's result differs from byte %d on, error %v", len(m.text), common(got, m.text), err)
						return
					}
				}
			})
		}
		wg.Go(func() {
			for time.Now().Before(end) {
				runtime.GC()
			}
		})
		wg.Wait()
	})
}
