// Command percore says what percore does on this core and others, measures it, and prints and checks SHA-3 digests.
//
//	percore        reports the kernels, tests them and measures them
//	percore bench  measures every kernel beside the standard library and others
//	percore policy prints which kernel runs on which core, and why
//	percore sum    prints or checks digests, in the manner of sha256sum
package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

const usage = `usage: percore         report this core, its kernels, a self-test and their speed
       percore bench   measure every kernel of this core; see percore bench -h
       percore policy  print which kernel runs on which core, and why; see percore policy -h
       percore sum     print or check digests of files; see percore sum -h
       percore help    print this, or the help of a command as in percore help bench
`

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the command without its process. It returns the exit status.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	out := &output{w: stdout}
	command, status := "percore", 0
	switch {
	case len(args) == 0:
		status = report(out, stderr)
	case args[0] == "bench":
		command = "percore bench"
		status = bench(args[1:], out, stderr)
	case args[0] == columnCommand:
		status = measureColumn(args[1:], out, stderr)
	case args[0] == "policy":
		command = "percore policy"
		status = policy(args[1:], out, stderr)
	case args[0] == "sum":
		command = "percore sum"
		status = sum(args[1:], stdin, out, stderr)
	case args[0] == "help" && len(args) > 1:
		return run([]string{args[1], "-h"}, stdin, stdout, stderr)
	case args[0] == "help", args[0] == "-h", args[0] == "-help", args[0] == "--help":
		io.WriteString(out, usage)
	default:
		fmt.Fprintf(stderr, "percore: unknown command %q\n%s", args[0], usage)
		status = 2
	}
	if out.err != nil {
		fmt.Fprintf(stderr, "%s: write error: %v\n", command, cause(out.err))
		return 1
	}
	return status
}

// output is standard output. It keeps the first error and writes nothing after it, so that run can
// look at it once, for all that was written.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (n int, err error) {
	if o.err != nil {
		return 0, o.err
	}
	n, o.err = o.w.Write(p)
	return n, o.err
}

// cause returns what is wrong, without the operation and the file's name that package os adds.
func cause(err error) error {
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return e.Err
	}
	return err
}
