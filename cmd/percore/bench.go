package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"iter"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"percore"
)

const benchUsage = `usage: percore bench [-quick] [-json] [-png file] [-svg file]

Measures every kernel that this core has, beside Go's library and others, each in
processes of its own that take turns. Then it says whether the kernels that percore
chooses are the fastest here. It takes less than three minutes.

Where cores differ, bind it to one, as in: taskset -c 0 percore bench
PERCORE doesn't matter here: each kernel gets its turn. In the tables go is the
standard library, and std percore with the standard library's permutation.

  -json      print JSON
  -png file  draw a chart into the file, and with -svg one that can be scaled
  -quick     take less than 15 seconds, for rougher figures
  -svg file  see -png
`

// A plan says how long to measure: the time is shared out among all cells of all processes, so that new kernels and
// benchmarks don't make it longer.
type plan struct {
	processes int // for each column
	time      time.Duration
}

var (
	quickPlan = plan{3, 8 * time.Second}
	fullPlan  = plan{15, 120 * time.Second}
)

// A bencher is the command percore bench with its flags.
type bencher struct {
	plan
	json   bool
	charts []chartFile
}

// bench is the command percore bench.
func bench(args []string, stdout, stderr io.Writer) int {
	b := bencher{plan: fullPlan}
	flags := flag.NewFlagSet("percore bench", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	quick := flags.Bool("quick", false, "")
	flags.BoolVar(&b.json, "json", false, "")
	for _, format := range []string{"png", "svg"} {
		flags.Func(format, "", func(name string) error {
			for _, c := range b.charts {
				if filepath.Clean(c.name) == filepath.Clean(name) {
					return fmt.Errorf("-%s draws into that file", c.format)
				}
			}
			b.charts = append(b.charts, chartFile{format, name})
			return nil
		})
	}
	err := flags.Parse(args)
	switch {
	case errors.Is(err, flag.ErrHelp):
		io.WriteString(stdout, benchUsage)
		return 0
	case err == nil && flags.NArg() > 0:
		err = fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	if err != nil {
		fmt.Fprintf(stderr, "percore bench: %v; try 'percore bench -h'\n", err)
		return 2
	}
	if *quick {
		b.plan = quickPlan
	}
	if err := b.run(stdout, stderr); err != nil {
		fmt.Fprintf(stderr, "percore bench: %v\n", err)
		return 1
	}
	return 0
}

// run measures and prints.
func (b bencher) run(stdout, stderr io.Writer) error {
	if aside := percore.Selected().Aside; aside != "" {
		return fmt.Errorf("%s and percore steps aside: there is nothing to compare until it is off", aside)
	}
	// Nobody wants to hear of this after minutes.
	for _, c := range b.charts {
		if err := c.check(); err != nil {
			return err
		}
	}
	figures, err := b.measure(stderr)
	if err != nil {
		return err
	}
	r := newResults(figures, b.processes)
	if b.json {
		e := json.NewEncoder(stdout)
		e.SetIndent("", "\t")
		e.Encode(r) // run looks at errors of writing
	} else {
		r.print(stdout)
	}
	for _, c := range b.charts {
		if err := c.draw(r); err != nil {
			return err
		}
	}
	return nil
}

// measure runs all processes and sums up what they found.
func (b bencher) measure(stderr io.Writer) ([]figure, error) {
	list := columns()
	cells := 0
	for _, c := range list {
		cells += c.cells()
	}
	cells *= b.processes
	tick := func() {}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		bar := progressbar.NewOptions(cells,
			progressbar.OptionSetWriter(f),
			progressbar.OptionSetDescription("measuring"),
			progressbar.OptionFullWidth(),
			progressbar.OptionUseANSICodes(true),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionThrottle(time.Second/4),
		)
		defer bar.Finish()
		tick = func() { bar.Add(1) }
	}

	samples := map[column][][]float64{}
	for range b.processes {
		for _, c := range list {
			times, err := c.measure(b.time/time.Duration(cells), tick)
			if err != nil {
				return nil, fmt.Errorf("measuring %v: %w", c, err)
			}
			samples[c] = append(samples[c], times)
		}
		// Nobody always comes first, when the core may still be cool.
		slices.Reverse(list)
	}
	return summarize(columns(), samples), nil
}

// A figure is what was found out about an implementation at a size.
type figure struct {
	Benchmark string  `json:"benchmark"`
	Algorithm string  `json:"algorithm"`
	Size      int     `json:"size"`
	Kernel    string  `json:"kernel"` // or a library
	Unit      string  `json:"unit"`
	Best      float64 `json:"best"`
	Median    float64 `json:"median"`
	Ratio     float64 `json:"ratio"` // how many times as fast as the benchmark's first library, by the best
}

// summarize makes figures of the nanoseconds that the processes of each column found.
func summarize(list []column, samples map[column][][]float64) []figure {
	var figures []figure
	next := map[column]int{} // the cell that comes next in a column
	for _, b := range benchmarks {
		base := make([]float64, len(b.sizes))
		for _, c := range list {
			if b.in(c) == nil {
				continue
			}
			for i, size := range b.sizes {
				var times []float64
				for _, process := range samples[c] {
					times = append(times, process[next[c]])
				}
				next[c]++
				slices.Sort(times)
				best, median := times[0], (times[(len(times)-1)/2]+times[len(times)/2])/2
				if c.name == b.libraries[0].name {
					base[i] = best
				}
				f := figure{b.name, b.algorithm, size, c.name, b.unit, best, median, base[i] / best}
				if b.unit == megabytes {
					bytes := float64(b.messages * size)
					f.Best, f.Median = 1e3*bytes/best, 1e3*bytes/median
				}
				figures = append(figures, f)
			}
		}
	}
	return figures
}

// benchmarksOf returns the figures of each benchmark in turn.
func benchmarksOf(figures []figure) iter.Seq[[]figure] {
	return runs(figures, func(f figure) string { return f.Benchmark })
}

// kernelsOf returns the figures of each implementation in turn, out of those of one benchmark.
func kernelsOf(figures []figure) iter.Seq[[]figure] {
	return runs(figures, func(f figure) string { return f.Kernel })
}

// runs returns the longest runs of figures that have the same key.
func runs(figures []figure, key func(figure) string) iter.Seq[[]figure] {
	return func(yield func([]figure) bool) {
		for len(figures) > 0 {
			n := slices.IndexFunc(figures, func(f figure) bool { return key(f) != key(figures[0]) })
			if n < 0 {
				n = len(figures)
			}
			if !yield(figures[:n]) {
				return
			}
			figures = figures[n:]
		}
	}
}

// results is all that bench found.
type results struct {
	Core      string    `json:"core"`
	Features  []string  `json:"features"`
	Go        string    `json:"go"`
	GOOS      string    `json:"goos"`
	GOARCH    string    `json:"goarch"`
	Processes int       `json:"processes"`
	Figures   []figure  `json:"figures"`
	Policy    []verdict `json:"policy"`
}

func newResults(figures []figure, processes int) results {
	host := percore.Host().Obey(os.Getenv("GODEBUG"))
	r := results{
		Core: host.String(), Features: strings.Fields(host.Features.String()),
		Go: runtime.Version(), GOOS: runtime.GOOS, GOARCH: runtime.GOARCH,
		Processes: processes, Figures: figures,
	}
	choice := percore.Default(host)
	for _, algorithm := range []string{"sha3", "batch", "gcm"} {
		r.Policy = append(r.Policy, judge(figures, algorithm, percore.Kernels(algorithm), selectedKernel(choice, algorithm)))
	}
	return r
}

// print prints the results for people, in 100 columns.
func (r results) print(w io.Writer) {
	describeCore(w)
	fmt.Fprintf(w, "\nbest and median of %d processes; ratio: how many times as fast as the first, by the best\n", r.Processes)
	for figures := range benchmarksOf(r.Figures) {
		printTable(w, figures)
	}
	fmt.Fprintf(w, "\npolicy, by the mean of all ratios\n")
	for _, v := range r.Policy {
		fmt.Fprintf(w, "%-5s %s\n", v.Algorithm, v)
	}
	for _, v := range r.Policy {
		if v.Wrong {
			fmt.Fprintf(w, "\nplease report this line:\n%s\n", v.report(r))
		}
	}
}

// printTable prints the figures of one benchmark: sizes across, since those are never more than a dozen.
func printTable(w io.Writer, figures []figure) {
	fmt.Fprintf(w, "\n%-*s", labelWidth, figures[0].Benchmark+", "+figures[0].Unit)
	first := true
	for figures := range kernelsOf(figures) {
		line := func(kernel, what string, value func(f figure) string) {
			fmt.Fprintf(w, "  %-10s %-*s", kernel, labelWidth-13, what)
			for _, f := range figures {
				fmt.Fprintf(w, " %5s", value(f))
			}
			fmt.Fprintln(w)
		}
		if first {
			for _, f := range figures {
				fmt.Fprintf(w, " %5d", f.Size)
			}
			fmt.Fprintln(w)
		}
		line(figures[0].Kernel, "best", func(f figure) string { return short(f.Best) })
		line("", "median", func(f figure) string { return short(f.Median) })
		if !first {
			line("", "ratio", func(f figure) string { return fmt.Sprintf("%.2f", f.Ratio) })
		}
		first = false
	}
}

const labelWidth = 25

// short returns a figure of about three digits or more.
func short(x float64) string {
	if x < 100 {
		return fmt.Sprintf("%.1f", x)
	}
	return fmt.Sprintf("%.0f", x)
}
