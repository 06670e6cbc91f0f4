package main

import (
	"fmt"
	"math"
)

// A verdict says whether the kernel that the policy chose for an algorithm is the fastest.
type verdict struct {
	Algorithm string  `json:"algorithm"`
	Chosen    string  `json:"chosen"`
	Rival     string  `json:"rival"`  // the fastest of the other kernels, or "" if there is none
	Gain      float64 `json:"gain"`   // how many times as fast as the chosen one the rival is
	Margin    float64 `json:"margin"` // what Gain has to exceed to count
	Wrong     bool    `json:"wrong"`  // whether it does
}

// leastMargin is the least gain that counts. Less isn't worth a row of the policy, and one process's luck with the
// placement of its memory makes as much.
const leastMargin = 1.03

// judge compares the kernels by the geometric mean of the ratios in all figures that they have: each size counts the
// same. Where best and median lie apart, on a busy machine, a gain counts only if it is larger than that.
func judge(figures []figure, algorithm string, kernels []string, chosen string) verdict {
	type score struct{ speed, noise float64 }
	scores := map[string]score{}
	for _, k := range kernels {
		var s score
		n := 0.0
		for _, f := range figures {
			if f.Algorithm == algorithm && f.Kernel == k {
				s.speed += math.Log(f.Ratio)
				s.noise += math.Abs(math.Log(f.Best / f.Median))
				n++
			}
		}
		if n == 0 { // kernel std of AES-GCM, which is what the ratios compare with
			n = 1
		}
		scores[k] = score{s.speed / n, s.noise / n}
	}
	v := verdict{Algorithm: algorithm, Chosen: chosen}
	for _, k := range kernels {
		if k != chosen && (v.Rival == "" || scores[k].speed > scores[v.Rival].speed) {
			v.Rival = k
		}
	}
	if v.Rival == "" {
		return v
	}
	v.Gain = math.Exp(scores[v.Rival].speed - scores[chosen].speed)
	v.Margin = max(leastMargin, math.Exp(max(scores[v.Rival].noise, scores[chosen].noise)))
	v.Wrong = v.Gain > v.Margin
	return v
}

// String returns the verdict in words.
func (v verdict) String() string {
	switch {
	case v.Rival == "":
		return v.Chosen + " is the only kernel here"
	case v.Wrong:
		return fmt.Sprintf("%s, which percore chooses, is not the fastest here: PERCORE=%s=%s is %.0f %% faster",
			v.Chosen, v.Algorithm, v.Rival, 100*(v.Gain-1))
	case v.Gain > leastMargin:
		return fmt.Sprintf("%s may be %.0f %% faster than %s, which percore chooses, or not: this machine is too busy to tell",
			v.Rival, 100*(v.Gain-1), v.Chosen)
	case v.Gain > 1/leastMargin:
		return fmt.Sprintf("%s, as percore chooses, is as fast as any here: %s is equal within %.0f %%",
			v.Chosen, v.Rival, 100*(leastMargin-1))
	default:
		return fmt.Sprintf("%s, as percore chooses, is the fastest here: %.2f times as fast as %s", v.Chosen, 1/v.Gain, v.Rival)
	}
}

// report returns a line that tells of a wrong choice to those who can't run it here.
func (v verdict) report(r results) string {
	return fmt.Sprintf("percore bench: %s=%s %+.1f %% over %s (margin %.1f %%, %d processes), %s, %s %s/%s",
		v.Algorithm, v.Rival, 100*(v.Gain-1), v.Chosen, 100*(v.Margin-1), r.Processes, r.Core, r.Go, r.GOOS, r.GOARCH)
}
