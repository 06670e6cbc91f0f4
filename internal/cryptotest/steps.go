package cryptotest

import (
	"fmt"
	"runtime"
	"testing"
)

// A Trace is what a processor goes through during a call.
type Trace struct {
	Name  string
	Steps []Step
}

// A Step is one instruction executed.
type Step struct {
	PC      uintptr
	Address uintptr // a sum of the addresses in memory that it computes from registers, if the listing has it
}

// A Listing has the instructions of functions in assembly, by full name.
type Listing map[string][]Instruction

// Differ says where two traces part, or returns "".
func (a Trace) Differ(b Trace) string {
	last := "the start"
	for i := range min(len(a.Steps), len(b.Steps)) {
		x, y := a.Steps[i], b.Steps[i]
		switch {
		case x.PC != y.PC:
			return fmt.Sprintf("%q and %q part after %s: one goes on at %s, the other at %s", a.Name, b.Name, last, place(x.PC), place(y.PC))
		case x.Address != y.Address:
			return fmt.Sprintf("%q and %q: %s accesses other memory", a.Name, b.Name, place(x.PC))
		}
		last = place(x.PC)
	}
	if len(a.Steps) != len(b.Steps) {
		return fmt.Sprintf("%q has %d instructions, %q has %d", a.Name, len(a.Steps), b.Name, len(b.Steps))
	}
	return ""
}

// Count returns how many of the instructions are those of a function.
func (a Trace) Count(function string) int {
	n := 0
	for _, s := range a.Steps {
		if f := runtime.FuncForPC(s.PC); f != nil && f.Name() == function {
			n++
		}
	}
	return n
}

func place(pc uintptr) string {
	f := runtime.FuncForPC(pc)
	if f == nil {
		return fmt.Sprintf("%#x", pc)
	}
	_, line := f.FileLine(pc)
	return fmt.Sprintf("%s+%#x (line %d)", f.Name(), pc-f.Entry(), line)
}

// SameSteps checks that all calls that f hands to step, each with a name, go through the same instructions and, as far as
// the listing knows, access the same memory. Function is the name of one that has to be among what they run.
//
// The calls must be of the same code with the same slices, so that nothing but their contents differs. They are made in
// another process, one instruction at a time. Instructions of Go's runtime don't count: it copies and
// clears memory of public lengths.
func SameSteps(t *testing.T, listing Listing, function string, f func(step func(name string, call func()))) {
	t.Helper()
	traces := stepped(t, listing, f)
	if len(traces) < 2 {
		t.Fatalf("%d traces", len(traces))
	}
	if n := traces[0].Count(function); n < 50 {
		t.Fatalf("%d of %d instructions are of %s", n, len(traces[0].Steps), function)
	}
	for _, other := range traces[1:] {
		if d := traces[0].Differ(other); d != "" {
			t.Fatal(d)
		}
	}
	t.Logf("%d calls of %d instructions", len(traces), len(traces[0].Steps))
}
