package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
)

// result is what a run left behind.
type result struct {
	status         int
	stdout, stderr string
}

// do runs the command with stdin as its standard input.
func do(stdin string, args ...string) result {
	var stdout, stderr bytes.Buffer
	status := run(args, strings.NewReader(stdin), &stdout, &stderr)
	return result{status, stdout.String(), stderr.String()}
}

// check compares a result with what it should be.
func (r result) check(t *testing.T, status int, stdout, stderr string) {
	t.Helper()
	if r.status != status {
		t.Errorf("status %d, want %d", r.status, status)
	}
	if r.stdout != stdout {
		t.Errorf("stdout:\n%swant:\n%s", r.stdout, stdout)
	}
	if r.stderr != stderr {
		t.Errorf("stderr:\n%swant:\n%s", r.stderr, stderr)
	}
}

func TestUsage(t *testing.T) {
	for _, arg := range []string{"help", "-h", "-help", "--help"} {
		t.Run(arg, func(t *testing.T) { do("", arg).check(t, 0, usage, "") })
	}
	for command, want := range map[string]string{
		"bench": benchUsage, "policy": policyUsage, "sum": fmt.Sprintf(sumUsage, names()), "help": usage, "-h": usage,
	} {
		t.Run("help "+command, func(t *testing.T) { do("", "help", command).check(t, 0, want, "") })
	}
	do("", "help", "bogus").check(t, 2, "", "percore: unknown command \"bogus\"\n"+usage)
	for _, arg := range []string{"bogus", "-x", ""} {
		t.Run("unknown "+arg, func(t *testing.T) {
			do("", arg).check(t, 2, "", `percore: unknown command "`+arg+"\"\n"+usage)
		})
	}
}

// fullDisk takes some bytes and then no more.
type fullDisk struct{ room int }

func (d *fullDisk) Write(p []byte) (int, error) {
	n := min(len(p), d.room)
	d.room -= n
	if n < len(p) {
		return n, errors.New("no space left")
	}
	return n, nil
}

func TestWriteErrors(t *testing.T) {
	file := t.TempDir() + "/file"
	write(t, file, "abc")
	list := do("", "sum", file).stdout
	for _, c := range []struct {
		command, stdin string
		args           []string
	}{
		{"percore", "", nil},
		{"percore", "", []string{"help"}},
		{"percore sum", "", []string{"sum", "-h"}},
		{"percore sum", "", []string{"sum"}},
		{"percore sum", "", []string{"sum", file, file, file}},
		{"percore sum", list + list, []string{"sum", "-c"}},
	} {
		for _, room := range []int{0, 5} {
			var stderr bytes.Buffer
			status := run(c.args, strings.NewReader(c.stdin), &fullDisk{room}, &stderr)
			want := c.command + ": write error: no space left\n"
			if status != 1 || stderr.String() != want {
				t.Errorf("percore %q with %d bytes of room: status %d, stderr %q, want 1 and %q",
					c.args, room, status, stderr.String(), want)
			}
		}
	}
}

func TestClosedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	r.Close()
	var stderr bytes.Buffer
	if status := run([]string{"sum"}, strings.NewReader(""), w, &stderr); status != 1 {
		t.Errorf("status %d, want 1", status)
	}
	if want := "percore sum: write error: "; !strings.HasPrefix(stderr.String(), want) {
		t.Errorf("stderr %q, want %q and a reason", stderr.String(), want)
	}
}

// write writes a file.
func write(t *testing.T, file, content string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}
