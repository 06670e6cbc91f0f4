package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"percore"
	"percore/internal/cpu/recorded"
)

// Every recorded core is in the table once for each algorithm, under its kernel, its reason and its source.
func TestPolicy(t *testing.T) {
	r := do("", "policy")
	if r.status != 0 || r.stderr != "" {
		t.Fatalf("status %d, stderr %q", r.status, r.stderr)
	}
	separator := regexp.MustCompile(`;\s+`)
	entries := map[string]map[string]string{"sha3": {}, "batch": {}, "gcm": {}} // of each core
	for entry := range strings.SplitSeq(strings.TrimSpace(r.stdout), "\n\n") {
		algorithm, _, _ := strings.Cut(entry, " ")
		_, rest, _ := strings.Cut(entry, "\n      on: ")
		names := rest[:regexp.MustCompile(`\n      (not|why)`).FindStringIndex(rest)[0]]
		for _, name := range separator.Split(names, -1) {
			if entries[algorithm][name] != "" {
				t.Errorf("%s: %q is there twice", algorithm, name)
			}
			entries[algorithm][name] = entry
		}
	}
	for _, c := range recorded.Cores {
		choice := percore.Default(c.CPU)
		for algorithm, d := range map[string]percore.Decision{"sha3": choice.SHA3, "batch": choice.Batch, "gcm": choice.GCM} {
			entry := entries[algorithm][c.Name]
			kernel := d.Kernel
			if d.From > 0 {
				kernel += fmt.Sprintf(", from %d messages on", d.From)
			}
			for _, want := range append([]string{" " + kernel + "\n", "why: " + d.Reason + "\n", "source: " + d.Source}, d.Passed...) {
				if !strings.Contains(entry, want) {
					t.Errorf("%s, %s: no %q in %q", c.Name, algorithm, want, entry)
				}
			}
		}
	}
	for line := range strings.Lines(r.stdout) {
		if strings.Contains(line, ";") && !strings.Contains(line, "why:") && !strings.Contains(line, "source:") && len(line) > 101 {
			t.Errorf("more than 100 columns: %s", line)
		}
	}
}

func TestPolicyCore(t *testing.T) {
	for _, c := range recorded.Cores {
		r := do("", "policy", "-core", strings.ToUpper(c.Name))
		r.check(t, 0, c.Name+", "+c.CPU.GOOS+"/"+c.CPU.GOARCH+"\ncore  "+c.CPU.String()+"\n      features: "+c.CPU.Features.String()+"\n"+
			percore.Default(c.CPU).String(), "")
	}
}

func TestPolicyErrors(t *testing.T) {
	do("", "policy", "-h").check(t, 0, policyUsage, "")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-x"}, "flag provided but not defined: -x; try 'percore policy -h'"},
		{[]string{"-core"}, "flag needs an argument: -core; try 'percore policy -h'"},
		{[]string{"Zen 5"}, `unexpected argument "Zen 5"; try 'percore policy -h'`},
		{[]string{"-core", "Pentium"}, `no core "Pentium" was recorded; 'percore policy' prints the names of all`},
		{[]string{"-core", ""}, `no core "" was recorded; 'percore policy' prints the names of all`},
		{[]string{"-core", "tiger lake with"}, `no core "tiger lake with" was recorded; there is "Tiger Lake without XSAVE", "Tiger Lake with CPUID limited"`},
	} {
		do("", append([]string{"policy"}, c.args...)...).check(t, 2, "", "percore policy: "+c.want+"\n")
	}
}
