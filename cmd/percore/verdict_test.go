package main

import (
	"math"
	"strings"
	"testing"
)

func TestJudge(t *testing.T) {
	kernels := map[string][]string{"gcm": {"std", "vaes256", "vaes512"}, "sha3": {"std", "generic", "bmi2"}}
	for _, c := range []struct {
		name              string
		algorithm, chosen string
		speeds            map[string]float64 // 1 for others
		noise             float64            // by which the second of three processes is slower, and the third twice as much
		rival             string
		gain              float64
		wrong             bool
		says              string
	}{
		{"the fastest", "gcm", "vaes512", map[string]float64{"vaes256": 2, "vaes512": 4}, 0,
			"vaes256", 0.5, false, "vaes512, as percore chooses, is the fastest here: 2.00 times as fast as vaes256"},
		{"not the fastest", "gcm", "vaes512", map[string]float64{"vaes256": 4.4, "vaes512": 4}, 0,
			"vaes256", 1.1, true, "vaes512, which percore chooses, is not the fastest here: PERCORE=gcm=vaes256 is 10 % faster"},
		{"within the noise", "gcm", "vaes512", map[string]float64{"vaes256": 4.4, "vaes512": 4}, 0.2,
			"vaes256", 1.1, false, "vaes256 may be 10 % faster than vaes512, which percore chooses, or not: this machine is too busy to tell"},
		{"beyond the noise", "gcm", "vaes512", map[string]float64{"vaes256": 6, "vaes512": 4}, 0.2,
			"vaes256", 1.5, true, "vaes512, which percore chooses, is not the fastest here: PERCORE=gcm=vaes256 is 50 % faster"},
		{"a tie", "gcm", "vaes512", map[string]float64{"vaes256": 4.08, "vaes512": 4}, 0,
			"vaes256", 1.02, false, "vaes512, as percore chooses, is as fast as any here: vaes256 is equal within 3 %"},
		{"nearly a tie", "gcm", "vaes512", map[string]float64{"vaes256": 4, "vaes512": 4.08}, 0,
			"vaes256", 1 / 1.02, false, "vaes512, as percore chooses, is as fast as any here: vaes256 is equal within 3 %"},
		{"the library wins", "gcm", "vaes256", map[string]float64{"vaes256": 0.5, "vaes512": 0.4}, 0,
			"std", 2, true, "vaes256, which percore chooses, is not the fastest here: PERCORE=gcm=std is 100 % faster"},
		{"std of SHA-3 is measured", "sha3", "generic", map[string]float64{"std": 1.5, "generic": 1.2}, 0,
			"std", 1.25, true, "generic, which percore chooses, is not the fastest here: PERCORE=sha3=std is 25 % faster"},
		{"a library is no kernel", "sha3", "generic", map[string]float64{"circl": 9, "x/crypto": 0.1}, 0,
			"std", 1, false, "generic, as percore chooses, is as fast as any here: std is equal within 3 %"},
	} {
		t.Run(c.name, func(t *testing.T) {
			figures := madeUp(allColumns(), 3, func(col column, process int) float64 {
				speed, ok := c.speeds[col.name]
				if !ok {
					speed = 1
				}
				return speed / (1 + c.noise*float64(process))
			})
			v := judge(figures, c.algorithm, kernels[c.algorithm], c.chosen)
			if v.Algorithm != c.algorithm || v.Chosen != c.chosen || v.Rival != c.rival || math.Abs(v.Gain-c.gain) > 1e-9 || v.Wrong != c.wrong {
				t.Errorf("got %+v, want %s, %v, wrong: %v", v, c.rival, c.gain, c.wrong)
			}
			if got := v.String(); got != c.says {
				t.Errorf("it says %q, want %q", got, c.says)
			}
		})
	}
}

func TestJudgeOnlyKernel(t *testing.T) {
	v := judge(madeUp(allColumns(), 1, func(column, int) float64 { return 1 }), "gcm", []string{"std"}, "std")
	if want := "std is the only kernel here"; v.Wrong || v.String() != want {
		t.Errorf("got %+v, %q, want %q", v, v, want)
	}
}

// Of a wrong choice the results have a line that others can use.
func TestWrongChoice(t *testing.T) {
	r := newResults(madeUp(allColumns(), 1, func(column, int) float64 { return 1 }), 15)
	print := func() string {
		var b strings.Builder
		r.print(&b)
		return b.String()
	}
	r.Policy = []verdict{{"gcm", "vaes512", "vaes256", 1.1, 1.04, false}}
	if out := print(); strings.Contains(out, "report") {
		t.Errorf("it asks for a report:\n%s", out)
	}
	r.Policy[0].Wrong = true
	want := "\nplease report this line:\npercore bench: gcm=vaes256 +10.0 % over vaes512 (margin 4.0 %, 15 processes), " + r.Core + ", " + r.Go + " " + r.GOOS + "/" + r.GOARCH + "\n"
	if out := print(); !strings.HasSuffix(out, want) {
		t.Errorf("no %q at the end of\n%s", want, out)
	}
}
