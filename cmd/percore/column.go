package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"percore"
)

// columnCommand is the command by which bench starts itself. It prints the nanoseconds of each cell of a column in a line.
const columnCommand = "bench-column"

// measureColumn is the command bench-column ALGORITHM NAME TIME-OF-A-CELL.
func measureColumn(args []string, stdout, stderr io.Writer) int {
	if len(args) != 3 {
		fmt.Fprintf(stderr, "percore: %s is for percore bench to start\n", columnCommand)
		return 2
	}
	i := slices.IndexFunc(columns(), func(c column) bool { return c.algorithm == args[0] && c.name == args[1] })
	d, err := time.ParseDuration(args[2])
	if i < 0 || err != nil {
		fmt.Fprintf(stderr, "percore: %s: can't measure %q\n", columnCommand, args)
		return 2
	}
	c := columns()[i]
	if runs := selectedKernel(percore.Selected(), c.algorithm); c.kernel && runs != c.name {
		fmt.Fprintf(stderr, "percore: %s: %s runs instead of %s\n", columnCommand, runs, c.name)
		return 1
	}
	for _, b := range benchmarks {
		op := b.in(c)
		if op == nil {
			continue
		}
		for _, size := range b.sizes {
			fmt.Fprintln(stdout, timeOfCall(op(size), d))
		}
	}
	return 0
}

// timeOfCall returns how many nanoseconds a call takes in the best of the short rounds that fit in d. What
// disturbs a process comes and goes: the best round had least of it.
func timeOfCall(f func(), d time.Duration) float64 {
	const (
		roundTime   = 100 * time.Microsecond // much more than reading the clock takes, much less than a time slice
		leastRounds = 5                      // some of which stay undisturbed
	)
	f()
	best := math.Inf(1)
	start := time.Now()
	for calls, rounds := 1, 0; rounds < leastRounds || time.Since(start) < d; {
		before := time.Now()
		for range calls {
			f()
		}
		elapsed := time.Since(before)
		if elapsed < roundTime {
			calls *= 2
			continue
		}
		best = min(best, float64(elapsed.Nanoseconds())/float64(calls))
		rounds++
	}
	return best
}

// selectedKernel returns the kernel of an algorithm in a choice.
func selectedKernel(c percore.Choice, algorithm string) string {
	switch algorithm {
	case "batch":
		return c.Batch.Kernel
	case "gcm":
		return c.GCM.Kernel
	}
	return c.SHA3.Kernel
}

// measure starts a process that measures the column, and returns its nanoseconds. It calls tick for each.
func (c column) measure(d time.Duration, tick func()) ([]float64, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	cmd := exec.Command(self, columnCommand, c.algorithm, c.name, d.String())
	if c.kernel {
		cmd.Env = append(os.Environ(), "PERCORE="+c.algorithm+"="+c.name)
	} else {
		cmd.Env = append(os.Environ(), "PERCORE=sha3=std,batch=single,gcm=std")
	}
	var complaint bytes.Buffer
	cmd.Stderr = &complaint
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	var times []float64
	for lines := bufio.NewScanner(pipe); lines.Scan(); {
		t, err := strconv.ParseFloat(lines.Text(), 64)
		if err != nil {
			continue // too few figures say so below
		}
		times = append(times, t)
		tick()
	}
	if err := cmd.Wait(); err != nil {
		first, _, _ := strings.Cut(complaint.String(), "\n")
		return nil, fmt.Errorf("%w: %s", err, first)
	}
	if len(times) != c.cells() {
		return nil, fmt.Errorf("got %d figures, want %d", len(times), c.cells())
	}
	return times, nil
}
