package main

import (
	"crypto/fips140"
	"strings"
	"testing"
)

// spoil returns digits with another one at i.
func spoil(digits string, i int) string {
	other := "0"
	if digits[i] == '0' {
		other = "1"
	}
	return digits[:i] + other + digits[i+1:]
}

func TestCompare(t *testing.T) {
	for _, c := range []struct {
		want string
		ok   bool
	}{
		{"00ff10", true},
		{"00ff11", false},
		{"10ff10", false},
		{"00ff", false},
		{"00ff1000", false},
		{"", false},
	} {
		err := compare("this", []byte{0, 0xff, 0x10}, c.want)
		if (err == nil) != c.ok {
			t.Errorf("compare with %q: %v", c.want, err)
		}
	}
}

// Each answer counts: a wrong digit in any makes the test of it fail.
func TestWrongAnswers(t *testing.T) {
	fips140.WithoutEnforcement(func() { testWrongAnswers(t) }) // as report does
}

func testWrongAnswers(t *testing.T) {
	for _, k := range hashAnswers {
		if err := k.test(); err != nil {
			t.Errorf("%s: %v", k.algorithm, err)
		}
		for i, digest := range k.digests {
			wrong := k
			wrong.digests[i] = spoil(digest, len(digest)-1)
			if err := wrong.test(); err == nil || !strings.Contains(err.Error(), messages[i].name) {
				t.Errorf("%s of %s with a wrong answer: %v", k.algorithm, messages[i].name, err)
			}
		}
	}
	for _, k := range gcmAnswers {
		if err := k.test(); err != nil {
			t.Errorf("%s: %v", k.name, err)
		}
		wrong := k
		wrong.sealed = spoil(k.sealed, 0)
		if err := wrong.test(); err == nil || !strings.HasPrefix(err.Error(), "sealing 60 bytes") {
			t.Errorf("%s with a wrong ciphertext: %v", k.name, err)
		}
		wrong = k
		wrong.longTag = spoil(k.longTag, 31)
		if err := wrong.test(); err == nil || !strings.HasPrefix(err.Error(), "sealing 6000 bytes") {
			t.Errorf("%s with a wrong tag: %v", k.name, err)
		}
	}
}

func TestFailedSelfTest(t *testing.T) {
	good := hashAnswers[0]
	defer func() { hashAnswers[0] = good }()
	hashAnswers[0].digests[1] = spoil(good.digests[1], 0)

	r := do("")
	if want := "percore: the self-test failed\n"; r.status != 1 || r.stderr != want {
		t.Errorf("status %d, stderr %q, want 1 and %q", r.status, r.stderr, want)
	}
	if want := good.algorithm + "     FAILED: " + messages[1].name; !strings.Contains(r.stdout, want) {
		t.Errorf("no %q in\n%s", want, r.stdout)
	}
}

func TestEveryAlgorithmHasAnswers(t *testing.T) {
	answered := map[string]bool{}
	for _, k := range hashAnswers {
		answered[k.algorithm] = true
	}
	for _, a := range algorithms {
		if !answered[a.name] {
			t.Errorf("%s has no known answers", a.name)
		}
	}
}
