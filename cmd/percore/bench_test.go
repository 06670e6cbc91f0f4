package main

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"

	"percore"
)

// commandName is the environment variable that makes the test's binary the command.
const commandName = "PERCORE_TEST_COMMAND"

// TestMain lets bench, and tests, start the test's binary in place of the command's.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == columnCommand || os.Getenv(commandName) != "" {
		main()
	}
	os.Exit(m.Run())
}

// needsColumns skips the test where bench measures nothing.
func needsColumns(t *testing.T) {
	t.Helper()
	if aside := percore.Selected().Aside; aside != "" {
		t.Skip(aside)
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := exec.Command(self, columnCommand).Run(); errors.Is(err, syscall.ENOEXEC) {
		t.Skip("this system, an emulator started by hand, can't start the test's binary from within")
	}
}

// tiny is a plan that measures nothing properly.
var tiny = plan{processes: 1}

// madeUp returns figures of all columns, with kernels as fast as speed says in bytes per nanosecond.
func madeUp(list []column, processes int, speed func(c column, process int) float64) []figure {
	samples := map[column][][]float64{}
	for _, c := range list {
		for process := range processes {
			var times []float64
			for _, b := range benchmarks {
				if b.in(c) == nil {
					continue
				}
				for _, size := range b.sizes {
					times = append(times, float64(max(1, b.messages)*size)/speed(c, process))
				}
			}
			samples[c] = append(samples[c], times)
		}
	}
	return summarize(list, samples)
}

// allColumns has every kernel of both algorithms, whatever this core has.
func allColumns() []column {
	var list []column
	for _, c := range columns() {
		if !c.kernel {
			list = append(list, c)
		}
	}
	for _, name := range []string{"std", "generic", "gpr", "simd", "bmi2", "avx512"} {
		list = append(list, column{"sha3", name, true})
	}
	for _, name := range []string{"single", "avx2", "avx512", "simd"} {
		list = append(list, column{"batch", name, true})
	}
	for _, name := range []string{"vaes256", "vaes512"} {
		list = append(list, column{"gcm", name, true})
	}
	return list
}

func TestColumns(t *testing.T) {
	list := columns()
	for _, want := range []column{{"gcm", "go", false}, {"sha3", "go", false}, {"sha3", "x/crypto", false}, {"sha3", "circl", false}} {
		if !slices.Contains(list, want) {
			t.Errorf("no column %v", want)
		}
	}
	for _, algorithm := range []string{"sha3", "batch", "gcm"} {
		for _, k := range percore.Kernels(algorithm) {
			want := algorithm != "gcm" || k != "std"
			if got := slices.Contains(list, column{algorithm, k, true}); got != want {
				t.Errorf("%s=%s has a column: %v, want %v", algorithm, k, got, want)
			}
		}
	}
	for i, c := range list {
		if slices.Contains(list[:i], c) {
			t.Errorf("column %v twice", c)
		}
		if c.cells() == 0 {
			t.Errorf("column %v is empty", c)
		}
	}
}

func TestSummarize(t *testing.T) {
	// Two of four processes were disturbed.
	figures := madeUp(allColumns(), 4, func(c column, process int) float64 {
		speed := map[string]float64{"go": 1, "x/crypto": 1, "circl": 2, "vaes256": 3, "vaes512": 4}[c.name]
		if speed == 0 {
			speed = 1.5
		}
		return speed / float64(1+process%2)
	})
	want := map[string][3]float64{ // best, median, ratio
		"aes-128-gcm open go":        {1000, 2000 / 3., 1},
		"aes-256-gcm seal vaes256":   {3000, 2000, 3},
		"key set-up by bits go":      {128, 192, 1},
		"key set-up by bits vaes512": {32, 48, 4},
		"sha3-256 generic":           {1500, 1000, 1.5},
		"shake128 circl":             {2000, 4000 / 3., 2},
		"keccak-256 x/crypto":        {1000, 2000 / 3., 1},
		"keccak-256 avx512":          {1500, 1000, 1.5},
	}
	seen := map[string]bool{}
	for _, f := range figures {
		name := f.Benchmark + " " + f.Kernel
		w, ok := want[name]
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		for i, got := range []float64{f.Best, f.Median, f.Ratio} {
			if got < w[i]*0.999 || got > w[i]*1.001 {
				t.Errorf("%s: got %v, want %v", name, []float64{f.Best, f.Median, f.Ratio}, w)
			}
		}
	}
	for name := range want {
		if !seen[name] {
			t.Errorf("no figure of %s", name)
		}
	}
}

// Everything in the tables has its place within 100 columns, however fast or slow the kernels are.
func TestTableWidth(t *testing.T) {
	for _, speed := range []float64{0.01, 1, 99.999} {
		r := newResults(madeUp(allColumns(), 1, func(column, int) float64 { return speed }), 15)
		var b strings.Builder
		for figures := range benchmarksOf(r.Figures) {
			printTable(&b, figures)
		}
		width := 0
		for line := range strings.Lines(strings.TrimSpace(b.String())) {
			line = strings.TrimSuffix(line, "\n")
			if n := utf8.RuneCountInString(line); n > 100 {
				t.Errorf("%d columns: %s", n, line)
			}
			if line == "" {
				width = 0
			} else if n := len(line); width != 0 && n != width {
				t.Errorf("%d columns, but %d in the line before: %s", n, width, line)
			} else {
				width = n
			}
		}
		if t.Failed() {
			t.Fatal(b.String())
		}
	}
}

func TestBench(t *testing.T) {
	needsColumns(t)
	dir := t.TempDir()
	b := bencher{tiny, false, []chartFile{{"png", dir + "/c.png"}, {"svg", dir + "/c.svg"}}}
	var stdout, stderr bytes.Buffer
	if err := b.run(&stdout, &stderr); err != nil || stderr.Len() > 0 {
		t.Fatalf("%v, stderr %q", err, stderr.String())
	}
	for _, b := range benchmarks {
		if want := "\n" + b.name + ", " + b.unit; !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, stdout.String())
		}
	}
	for _, c := range columns() {
		if want := "\n  " + c.name + " "; !strings.Contains(stdout.String(), want) {
			t.Errorf("no %q in\n%s", want, stdout.String())
		}
	}
	checkPNG(t, dir+"/c.png")
	checkSVG(t, dir+"/c.svg")
}

func TestBenchJSON(t *testing.T) {
	needsColumns(t)
	var stdout bytes.Buffer
	if err := (bencher{plan: tiny, json: true}).run(&stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	d := json.NewDecoder(&stdout)
	d.DisallowUnknownFields()
	var r results
	if err := d.Decode(&r); err != nil {
		t.Fatal(err)
	}
	if d.More() {
		t.Error("something follows the JSON")
	}
	if r.Core != percore.Host().String() || r.Go == "" || r.GOOS == "" || r.GOARCH == "" || r.Processes != tiny.processes || len(r.Features) == 0 {
		t.Errorf("got %+v", r)
	}
	if len(r.Policy) != 3 {
		t.Errorf("verdicts on %d algorithms, want 3", len(r.Policy))
	}
	figures := r.Figures
	for _, b := range benchmarks {
		for _, c := range columns() {
			if b.in(c) == nil {
				continue
			}
			for _, size := range b.sizes {
				if len(figures) == 0 {
					t.Fatal("too few figures")
				}
				f := figures[0]
				figures = figures[1:]
				if f.Benchmark != b.name || f.Algorithm != b.algorithm || f.Unit != b.unit || f.Kernel != c.name || f.Size != size ||
					f.Best <= 0 || f.Median <= 0 || f.Ratio <= 0 {
					t.Fatalf("got %+v, want %s, %s, size %d", f, b.name, c.name, size)
				}
			}
		}
	}
	if len(figures) > 0 {
		t.Errorf("%d figures too many", len(figures))
	}
}

// A child that doesn't run the kernel that it is asked for must not pass for it.
func TestMeasureColumnRefuses(t *testing.T) {
	other := ""
	for _, k := range percore.Kernels("sha3") {
		if k != percore.Selected().SHA3.Kernel {
			other = k
		}
	}
	if other == "" {
		t.Skip("there is one kernel only")
	}
	r := do("", columnCommand, "sha3", other, "1ns")
	r.check(t, 1, "", "percore: bench-column: "+percore.Selected().SHA3.Kernel+" runs instead of "+other+"\n")
}

func TestBenchQuick(t *testing.T) {
	needsColumns(t)
	if testing.Short() {
		t.Skip("takes 10 s")
	}
	start := time.Now()
	r := do("", "bench", "-quick")
	took := time.Since(start)
	if r.status != 0 || r.stderr != "" {
		t.Errorf("status %d, stderr %q, want 0 and nothing", r.status, r.stderr)
	}
	t.Logf("took %v", took)
}

func TestBenchErrors(t *testing.T) {
	dir := t.TempDir()
	missing := filepath.Join(dir, "none", "c.png")
	usage := func(what string) string { return "percore bench: " + what + "; try 'percore bench -h'\n" }
	do("", "bench", "-fast").check(t, 2, "", usage("flag provided but not defined: -fast"))
	do("", "bench", "all").check(t, 2, "", usage(`unexpected argument "all"`))
	do("", "bench", "-svg").check(t, 2, "", usage("flag needs an argument: -svg"))
	do("", "bench", "-h").check(t, 0, benchUsage, "")
	file := filepath.Join(dir, "c")
	do("", "bench", "-quick", "-svg", dir+"/./c", "-png", file).check(t, 2, "", usage(fmt.Sprintf("invalid value %q for flag -png: -svg draws into that file", file)))
	if aside := percore.Selected().Aside; aside != "" {
		do("", "bench").check(t, 1, "", "percore bench: "+aside+" and percore steps aside: there is nothing to compare until it is off\n")
		return
	}
	for _, file := range []string{missing, dir, ""} {
		for _, format := range []string{"png", "svg"} {
			start := time.Now()
			r := do("", "bench", "-"+format, file)
			if time.Since(start) > 5*time.Second {
				t.Errorf("-%s %q: it measured first", format, file)
			}
			if r.status != 1 || r.stdout != "" || strings.Count(r.stderr, "\n") != 1 ||
				!strings.HasPrefix(r.stderr, "percore bench: "+quote(file)+": ") ||
				!strings.HasSuffix(r.stderr, "; give -"+format+" a file that can be written\n") {
				t.Errorf("-%s %q: status %d, stdout %q, stderr %q", format, file, r.status, r.stdout, r.stderr)
			}
		}
	}
}

// To look whether a file can be written leaves it as it was.
func TestChartFileCheck(t *testing.T) {
	file := t.TempDir() + "/c.png"
	c := chartFile{"png", file}
	if err := c.check(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the file was made: %v", err)
	}
	write(t, file, "precious")
	if err := c.check(); err != nil {
		t.Error(err)
	}
	if got, _ := os.ReadFile(file); string(got) != "precious" {
		t.Errorf("the file has become %q", got)
	}
}

// A chart of every kernel, of one, and of an odd number of panels.
func TestChart(t *testing.T) {
	all := madeUp(allColumns(), 1, func(c column, _ int) float64 { return float64(len(c.name)) })
	for name, figures := range map[string][]figure{
		"all":  all,
		"go":   slices.DeleteFunc(slices.Clone(all), func(f figure) bool { return f.Kernel != goLibrary }),
		"sha3": slices.DeleteFunc(slices.Clone(all), func(f figure) bool { return !strings.HasPrefix(f.Benchmark, "sha3-256") }),
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			r := newResults(figures, 1)
			for _, c := range []chartFile{{"png", dir + "/c.png"}, {"svg", dir + "/c.svg"}} {
				if err := c.draw(r); err != nil {
					t.Fatal(err)
				}
			}
			checkPNG(t, dir+"/c.png")
			texts := checkSVG(t, dir+"/c.svg")
			if !slices.Contains(texts, "go: the standard library; std: percore with the standard library's permutation") {
				t.Errorf("the chart doesn't say what go and std are: %q", texts)
			}
			for _, f := range figures {
				if f.Unit == megabytes && !(slices.Contains(texts, f.Benchmark) && slices.Contains(texts, f.Kernel)) {
					t.Fatalf("the chart has no text %q or %q: %q", f.Benchmark, f.Kernel, texts)
				}
			}
		})
	}
}

func checkPNG(t *testing.T, file string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	picture, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if b := picture.Bounds(); b.Dx() < 800 || b.Dy() < 300 {
		t.Errorf("%s has %v", file, b)
	}
}

// checkSVG returns the texts of a picture.
func checkSVG(t *testing.T, file string) []string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var texts, open []string
	for d := xml.NewDecoder(f); ; {
		token, err := d.Token()
		if err == io.EOF {
			return texts
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if len(open) == 0 && token.Name.Local != "svg" {
				t.Errorf("%s starts with %s", file, token.Name.Local)
			}
			open = append(open, token.Name.Local)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if len(open) > 0 && open[len(open)-1] == "text" {
				texts = append(texts, string(token))
			}
		}
	}
}

func TestTicks(t *testing.T) {
	var got []string
	for _, tick := range sizeTicks(32, 20000) {
		got = append(got, tick.Label)
	}
	if want := []string{"64", "256", "1K", "4K", "16K"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	got = nil
	for _, tick := range speedTicks(80, 12000) {
		got = append(got, tick.Label)
	}
	if want := []string{"100", "200", "500", "1000", "2000", "5000", "10000"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// No two lines of a panel look alike.
func TestStyles(t *testing.T) {
	for _, b := range benchmarks {
		names := percore.Kernels(b.algorithm)
		for _, l := range b.libraries {
			names = append(names, l.name)
		}
		seen := map[string]string{}
		for _, name := range names {
			s := styleOf(name)
			look := fmt.Sprintf("%v %T", s.color, s.shape)
			if other, ok := seen[look]; ok {
				t.Errorf("%s: %s looks like %s", b.name, name, other)
			}
			seen[look] = name
		}
	}
}
