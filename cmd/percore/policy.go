package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"slices"
	"strings"

	"percore"
	"percore/internal/cpu/recorded"
)

const policyUsage = `usage: percore policy [-core name]

Prints which kernel runs on which core by default, and why: for all cores that were
recorded, those alike in one entry. What this core is, and what runs here, prints
percore without a command.

  -core name  explain one of the recorded cores, as in: percore policy -core "Zen 4"
`

// policy is the command percore policy.
func policy(args []string, stdout, stderr io.Writer) int {
	flags := flag.NewFlagSet("percore policy", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	name := flags.String("core", "", "")
	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		io.WriteString(stdout, policyUsage)
		return 0
	}
	if err == nil && flags.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	one := false
	flags.Visit(func(*flag.Flag) { one = true })
	switch {
	case err != nil:
		fmt.Fprintf(stderr, "percore policy: %v; try 'percore policy -h'\n", err)
		return 2
	case one:
		i := slices.IndexFunc(recorded.Cores, func(c recorded.Core) bool { return strings.EqualFold(c.Name, *name) })
		if i < 0 {
			fmt.Fprintf(stderr, "percore policy: no core %q was recorded; %s\n", *name, hint(*name))
			return 2
		}
		explain(stdout, recorded.Cores[i])
	default:
		printPolicy(stdout)
	}
	return 0
}

// hint says which core may be meant.
func hint(name string) string {
	var similar []string
	for _, c := range recorded.Cores {
		if name != "" && strings.Contains(strings.ToLower(c.Name), strings.ToLower(name)) {
			similar = append(similar, fmt.Sprintf("%q", c.Name))
		}
	}
	if len(similar) == 0 {
		return "'percore policy' prints the names of all"
	}
	return "there is " + strings.Join(similar, ", ")
}

// explain prints the policy for a recorded core.
func explain(w io.Writer, c recorded.Core) {
	fmt.Fprintf(w, "%s, %s/%s\n", c.Name, c.CPU.GOOS, c.CPU.GOARCH)
	fmt.Fprintf(w, "core  %v\n      features: %v\n", c.CPU, c.CPU.Features)
	fmt.Fprint(w, percore.Default(c.CPU))
}

// An entry is a decision and the cores for which it is made.
type entry struct {
	percore.Decision
	cores []string
}

// printPolicy prints the policy for all recorded cores.
func printPolicy(w io.Writer) {
	for _, a := range []struct {
		name   string
		decide func(percore.Choice) percore.Decision
	}{
		{"sha3", func(c percore.Choice) percore.Decision { return c.SHA3 }},
		{"batch", func(c percore.Choice) percore.Decision { return c.Batch }},
		{"gcm", func(c percore.Choice) percore.Decision { return c.GCM }},
	} {
		var entries []entry
		for _, c := range recorded.Cores {
			d := a.decide(percore.Default(c.CPU))
			i := slices.IndexFunc(entries, func(e entry) bool {
				return e.Kernel == d.Kernel && e.Reason == d.Reason && e.Source == d.Source && slices.Equal(e.Passed, d.Passed)
			})
			if i < 0 {
				i = len(entries)
				entries = append(entries, entry{Decision: d})
			}
			entries[i].cores = append(entries[i].cores, c.Name)
		}
		for _, e := range entries {
			fmt.Fprintf(w, "%-5s %s", a.name, e.Kernel)
			if e.From > 0 {
				fmt.Fprintf(w, ", from %d messages on", e.From)
			}
			fmt.Fprintln(w)
			printList(w, "      on: ", e.cores)
			for _, p := range e.Passed {
				fmt.Fprintf(w, "      not %s\n", p)
			}
			fmt.Fprintf(w, "      why: %s\n      source: %s\n\n", e.Reason, e.Source)
		}
	}
}

// printList prints names, which have commas in them, in lines of up to 100 columns.
func printList(w io.Writer, label string, names []string) {
	line := label + names[0]
	for _, name := range names[1:] {
		line += ";"
		if len(line)+1+len(name) >= 100 {
			fmt.Fprintln(w, line)
			line = strings.Repeat(" ", len(label)-1)
		}
		line += " " + name
	}
	fmt.Fprintln(w, line)
}
