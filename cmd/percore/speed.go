package main

import (
	"crypto/aes"
	"crypto/cipher"
	"fmt"
	"io"
	"time"

	"percore/provider/gcm"
)

// Each function is measured in several short rounds that alternate with those of its counterpart, and
// the best one counts.
const (
	messageSize = 16 << 10
	rounds      = 12
	roundTime   = time.Millisecond
)

// measure prints how fast percore is beside the standard library.
func measure(w io.Writer) {
	fmt.Fprintf(w, "\nspeed in MB/s, messages of %d bytes, the best of %d rounds\n", messageSize, rounds)
	fmt.Fprintf(w, "  %-12s %8s %8s %6s\n", "", "percore", "std", "ratio")
	for _, a := range algorithms {
		var std func()
		if a.std != nil {
			std = hashing(a.std(a.size))
		}
		speedLine(w, a.name, hashing(a.new(a.size)), std)
	}
	for _, k := range gcmAnswers {
		ours, err := gcm.New(unhex(k.key))
		if err != nil {
			fmt.Fprintf(w, "  %-12s %v\n", k.name, err)
			continue
		}
		std, err := stdGCM(unhex(k.key))
		if err != nil {
			fmt.Fprintf(w, "  %-12s std: %v\n", k.name, err)
			continue
		}
		speedLine(w, k.name, sealing(ours), sealing(std))
	}
}

// speedLine prints the speed of one function and of its counterpart, or of one that has none.
func speedLine(w io.Writer, name string, ours, std func()) {
	var best, bestStd float64
	for range rounds {
		best = max(best, speed(ours))
		if std != nil {
			bestStd = max(bestStd, speed(std))
		}
	}
	if std == nil {
		fmt.Fprintf(w, "  %-12s %8.0f %8s\n", name, best, "none")
		return
	}
	fmt.Fprintf(w, "  %-12s %8.0f %8.0f %6.2f\n", name, best, bestStd, best/bestStd)
}

// speed returns how many MB/s f gets through in one round, taking messageSize bytes in each call.
func speed(f func()) float64 {
	const batch = 4 // calls between two looks at the clock
	calls := 0
	start := time.Now()
	elapsed := time.Duration(0)
	for elapsed < roundTime {
		for range batch {
			f()
		}
		calls += batch
		elapsed = time.Since(start)
	}
	return float64(calls) * messageSize / 1e6 / elapsed.Seconds()
}

// hashing returns a function that hashes a message.
func hashing(h hasher) func() {
	message := make([]byte, messageSize)
	digest := make([]byte, 0, 64)
	return func() {
		h.Reset()
		h.Write(message)
		h.Sum(digest)
	}
}

// sealing returns a function that seals a message.
func sealing(aead cipher.AEAD) func() {
	message := make([]byte, messageSize)
	nonce := make([]byte, aead.NonceSize())
	sealed := make([]byte, 0, messageSize+aead.Overhead())
	return func() { aead.Seal(sealed, nonce, message, nil) }
}

// stdGCM returns the standard library's AES-GCM.
func stdGCM(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}
