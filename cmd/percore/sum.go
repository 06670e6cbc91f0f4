package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

const sumUsage = `usage: percore sum [-a algorithm] [-l bits] [-c] [file ...]

Prints the digest of each file, or with -c reads such lines from each file and
checks them. Without a file, or where the file is -, it reads standard input.

  -a algorithm  sha3-256 unless given, or one of
                %s
  -c            check
  -l bits       length of a digest of shake128 (256 unless given) or shake256 (512
                unless given), a multiple of 8; with -c, each line tells its own
                unless given
`

// A summer prints or checks digests.
type summer struct {
	algorithm algorithm
	size      int // bytes of digest, or 0 to check those of any size
	stdin     io.Reader
	stdout    *output
	stderr    io.Writer
	buf       []byte // what files are read through
}

// sum is the command percore sum. It returns 1 if something is wrong with a file or a digest.
func sum(args []string, stdin io.Reader, stdout *output, stderr io.Writer) int {
	flags := flag.NewFlagSet("percore sum", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	name := flags.String("a", "sha3-256", "")
	check := flags.Bool("c", false, "")
	bits := 0
	flags.Func("l", "", func(s string) error {
		n, err := strconv.ParseInt(s, 10, 32)
		if err != nil || n <= 0 || n%8 != 0 {
			return errors.New("it must be a positive multiple of 8, and less than 2^31")
		}
		bits = int(n)
		return nil
	})

	err := flags.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		fmt.Fprintf(stdout, sumUsage, names())
		return 0
	}
	a, known := find(*name)
	switch {
	case err != nil:
	case !known:
		err = fmt.Errorf("unknown algorithm %q: the known ones are %s", *name, names())
	case bits != 0 && bits != 8*a.size && !a.xof:
		err = fmt.Errorf("-l %d: a digest of %s always has %d bits", bits, a.name, 8*a.size)
	default:
		err = checkOrder(flags.Args())
	}
	if err != nil {
		fmt.Fprintf(stderr, "percore sum: %v\nTry 'percore sum -h' for more information.\n", err)
		return 2
	}

	s := &summer{algorithm: a, size: bits / 8, stdin: stdin, stdout: stdout, stderr: stderr}
	if s.size == 0 && !(*check && a.xof) {
		s.size = a.size
	}
	s.buf = make([]byte, 256<<10)
	process := s.print
	if *check {
		process = s.check
	}
	files := flags.Args()
	if len(files) == 0 {
		files = []string{"-"}
	}
	status := 0
	for _, file := range files {
		if !process(file) {
			status = 1
		}
		if stdout.err != nil {
			break
		}
	}
	return status
}

// checkOrder returns an error if an option follows a file: package flag then takes it for a file too, and the digests of the
// files before it wouldn't be those that were asked for.
func checkOrder(files []string) error {
	for i, file := range files {
		if i == 0 || len(file) < 2 || file[0] != '-' { // the first can have a dash only if it follows --
			continue
		}
		if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s: no such file; options go before files", quote(file))
		}
	}
	return nil
}

// print prints the line of one file. It returns whether it could.
func (s *summer) print(file string) bool {
	digest, err := s.digest(file, s.size)
	if err != nil {
		s.complain(file, cause(err))
		return false
	}
	mark, name := escape(file)
	fmt.Fprintf(s.stdout, "%s%x  %s\n", mark, digest, name)
	return true
}

// digest returns the digest, of size bytes, of a file or of standard input.
func (s *summer) digest(file string, size int) ([]byte, error) {
	in, err := s.open(file)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	h := s.algorithm.new(size)
	var w io.Writer = h
	if f, ok := s.stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		bar := newProgress(f, file, length(in))
		defer bar.Finish()
		w = io.MultiWriter(h, bar)
	}
	// A bare os.File would do the copying itself, through a small buffer of its own.
	if _, err := io.CopyBuffer(w, struct{ io.Reader }{in}, s.buf); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

// open opens a file, or standard input for "-".
func (s *summer) open(file string) (io.ReadCloser, error) {
	if file == "-" {
		return io.NopCloser(s.stdin), nil
	}
	return os.Open(file)
}

// length returns the length of a file, or -1 if it isn't known.
func length(r io.Reader) int64 {
	if f, ok := r.(*os.File); ok {
		// What /proc holds claims to be empty.
		if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() > 0 {
			return info.Size()
		}
	}
	return -1
}

// progress is a progress bar that counts what is written to it. It appears after a second.
type progress struct{ *progressbar.ProgressBar }

func newProgress(w io.Writer, file string, length int64) progress {
	bar := progressbar.NewOptions64(length,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription(quote(file)),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionFullWidth(),
		progressbar.OptionUseANSICodes(true),
		progressbar.OptionClearOnFinish(),
		progressbar.OptionThrottle(time.Second),
	)
	bar.Reset() // starts the clock of the throttle, so that nothing is shown before
	return progress{bar}
}

// Write never fails: that a file has grown beyond the bar's end doesn't matter.
func (p progress) Write(b []byte) (int, error) {
	p.Add(len(b))
	return len(b), nil
}

// complain says on standard error what is wrong with a file.
func (s *summer) complain(file string, problem any) {
	fmt.Fprintf(s.stderr, "percore sum: %s: %v\n", quote(file), problem)
}

// quote returns the name of a file as messages have it: in quotes if it isn't plain.
func quote(file string) string {
	if file == "-" {
		return "standard input"
	}
	if q := strconv.Quote(file); q != `"`+file+`"` || file == "" || strings.ContainsAny(file, " :") {
		return q
	}
	return file
}

var (
	escaper   = strings.NewReplacer("\\", `\\`, "\n", `\n`, "\r", `\r`)
	unescaper = strings.NewReplacer(`\\`, "\\", `\n`, "\n", `\r`, "\r")
)

// escape returns the name of a file as a line of digests has it, and the mark which that line starts
// with if the name had to be changed.
func escape(file string) (mark, name string) {
	name = escaper.Replace(file)
	if name != file {
		mark = `\`
	}
	return mark, name
}
