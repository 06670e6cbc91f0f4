package main

import (
	"bytes"
	"fmt"
	"os"
	"runtime"
	"strings"
	"testing"
)

// The digests of "abc", by OpenSSL and, for Keccak-256, by golang.org/x/crypto.
var abc = map[string]string{
	"sha3-224":   "e642824c3f8cf24ad09234ee7d3c766fc9a3a5168d0c94ad73b46fdf",
	"sha3-256":   "3a985da74fe225b2045c172d6bd390bd855f086e3e9d525b46bfe24511431532",
	"sha3-384":   "ec01498288516fc926459f58e2c6ad8df9b473cb0fc08c2596da7cf0e49be4b298d88cea927ac7f539f1edf228376d25",
	"sha3-512":   "b751850b1a57168a5693cd924b6b096e08f621827444f70d884f5d0240d2712e10e116e9192af3c91a7ec57647e3934057340b4cf408d5a56592f8274eec53f0",
	"shake128":   "5881092dd818bf5cf8a3ddb793fbcba74097d5c526a6d35f97b83351940f2cc8",
	"shake256":   "483366601360a8771c6863080cc4114d8db44530f8f1e1ee4f94ea37e78b5739d5a15bef186a5386c75744c0527e1faa9f8726e462a12a4feb06bd8801e751e4",
	"keccak-256": "4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45",
}

const tryHelp = "Try 'percore sum -h' for more information.\n"

// inFolder makes a new folder with a file named file that holds "abc" and an empty folder named
// folder, and makes it the current one.
func inFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "file", "abc")
	if err := os.Mkdir("folder", 0o777); err != nil {
		t.Fatal(err)
	}
}

// oddNames are names that lines of digests or messages have to treat with care, and what lines have.
var oddNames = []struct{ file, line, okLine string }{
	{"a b", "a b", "a b"},
	{" a", " a", " a"},
	{"*a", "*a", "*a"},
	{"a\nb", `\a\nb`, `\a\nb`},
	{"a\rb", `\a\rb`, "a\rb"},
	{`a\b`, `\a\\b`, `a\b`},
	{`a\nb`, `\a\\nb`, `a\nb`},
	{"\\\n\r", `\\\\n\r`, `\\\\n\r`},
	{"a) = b", "a) = b", "a) = b"},
	{"\xff", "\xff", "\xff"},
}

func TestSum(t *testing.T) {
	inFolder(t)
	for _, a := range algorithms {
		t.Run(a.name, func(t *testing.T) {
			do("", "sum", "-a", a.name, "file").check(t, 0, abc[a.name]+"  file\n", "")
			do("abc", "sum", "-a", a.name).check(t, 0, abc[a.name]+"  -\n", "")
			do("abc", "sum", "-a", a.name, "-l", fmt.Sprint(8*a.size), "-").check(t, 0, abc[a.name]+"  -\n", "")
		})
	}
	do("abc", "sum").check(t, 0, abc["sha3-256"]+"  -\n", "")
	do("abc", "sum", "--", "file", "-", "file").check(t, 0,
		abc["sha3-256"]+"  file\n"+abc["sha3-256"]+"  -\n"+abc["sha3-256"]+"  file\n", "")
}

func TestSumLength(t *testing.T) {
	do("abc", "sum", "-a", "shake128", "-l", "8").check(t, 0, abc["shake128"][:2]+"  -\n", "")
	do("abc", "sum", "-a", "shake256", "-l", "256").check(t, 0, abc["shake256"][:64]+"  -\n", "")
	r := do("abc", "sum", "-a", "shake128", "-l", "80000")
	if digest, ok := strings.CutSuffix(r.stdout, "  -\n"); !ok || len(digest) != 20000 || digest[:64] != abc["shake128"] {
		t.Errorf("80000 bits: got %.100q, %d digits", digest, len(digest))
	}
	for _, bits := range []string{"0", "-8", "7", "12", "", "x", "2147483648", "99999999999999999999"} {
		do("abc", "sum", "-a", "shake128", "-l", bits).check(t, 2, "",
			fmt.Sprintf("percore sum: invalid value %q for flag -l: it must be a positive multiple of 8, and less than 2^31\n", bits)+tryHelp)
	}
	do("abc", "sum", "-l", "128").check(t, 2, "", "percore sum: -l 128: a digest of sha3-256 always has 256 bits\n"+tryHelp)
	do("abc", "sum", "-c", "-a", "keccak-256", "-l", "512").check(t, 2, "",
		"percore sum: -l 512: a digest of keccak-256 always has 256 bits\n"+tryHelp)
}

func TestSumUsage(t *testing.T) {
	do("", "sum", "-h").check(t, 0, fmt.Sprintf(sumUsage, names()), "")
	do("", "sum", "-badflag").check(t, 2, "", "percore sum: flag provided but not defined: -badflag\n"+tryHelp)
	do("", "sum", "-a").check(t, 2, "", "percore sum: flag needs an argument: -a\n"+tryHelp)
	do("", "sum", "-a", "md5").check(t, 2, "", "percore sum: unknown algorithm \"md5\": the known ones are "+
		"sha3-224, sha3-256, sha3-384, sha3-512, shake128, shake256, keccak-256\n"+tryHelp)
}

// An option behind a file is no file, unless there is one of that name. Nothing is printed then, whose algorithm may not be the one meant.
func TestSumOptionBehindFile(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs Unix, whose texts of errors these are")
	}
	inFolder(t)
	for _, args := range [][]string{{"file", "-a", "sha3-512"}, {"-", "-a"}, {"-c", "file", "-a"}} {
		do("abc", append([]string{"sum"}, args...)...).check(t, 2, "", "percore sum: -a: no such file; options go before files\n"+tryHelp)
	}
	do("", "sum", "--", "-a").check(t, 1, "", "percore sum: -a: no such file or directory\n")
	write(t, "-a", "abc")
	do("abc", "sum", "file", "-a", "-").check(t, 0,
		abc["sha3-256"]+"  file\n"+abc["sha3-256"]+"  -a\n"+abc["sha3-256"]+"  -\n", "")
}

// A file that fails doesn't stop the others.
func TestSumFailures(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs Unix, whose texts of errors these are")
	}
	inFolder(t)
	write(t, "secret", "")
	if err := os.Chmod("secret", 0); err != nil {
		t.Fatal(err)
	}
	line := abc["sha3-256"] + "  file\n"
	do("", "sum", "missing", "file", "folder", "file", "", "no such\nfile").check(t, 1, line+line,
		"percore sum: missing: no such file or directory\n"+
			"percore sum: folder: is a directory\n"+
			"percore sum: \"\": no such file or directory\n"+
			"percore sum: \"no such\\nfile\": no such file or directory\n")
	if os.Geteuid() != 0 { // root may read it
		do("", "sum", "secret", "file").check(t, 1, line, "percore sum: secret: permission denied\n")
	}
}

func TestSumNames(t *testing.T) {
	if runtime.GOOS == "windows" || runtime.GOOS == "darwin" {
		t.Skip("the file system allows only some of the names")
	}
	inFolder(t)
	for _, n := range oddNames {
		t.Run(fmt.Sprintf("%q", n.file), func(t *testing.T) {
			write(t, n.file, "abc")
			mark, name := "", n.line
			if escaped, ok := strings.CutPrefix(n.line, `\`); ok {
				mark, name = `\`, escaped
			}
			line := mark + abc["sha3-256"] + "  " + name + "\n"
			do("", "sum", n.file).check(t, 0, line, "")
			do(line, "sum", "-c").check(t, 0, n.okLine+": OK\n", "")
		})
	}
}

// A file longer than the buffer, and one whose reads are short.
func TestSumLong(t *testing.T) {
	inFolder(t)
	write(t, "long", strings.Repeat("a", 1_000_000))
	for _, k := range hashAnswers {
		if a, _ := find(k.algorithm); !a.xof {
			do("", "sum", "-a", k.algorithm, "long").check(t, 0, k.digests[2]+"  long\n", "")
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for range 1000 {
			w.WriteString(strings.Repeat("a", 1000))
		}
		w.Close()
	}()
	var stdout, stderr bytes.Buffer
	status := run([]string{"sum"}, r, &stdout, &stderr)
	result{status, stdout.String(), stderr.String()}.check(t, 0, hashAnswers[1].digests[2]+"  -\n", "")
}

// Nothing shows within the first second, and a file that grows does no harm.
func TestProgress(t *testing.T) {
	for _, length := range []int64{-1, 10} {
		var b bytes.Buffer
		bar := newProgress(&b, "file", length)
		for range 3 {
			if n, err := bar.Write(make([]byte, 7)); n != 7 || err != nil {
				t.Errorf("Write returned %d, %v, want 7 and no error", n, err)
			}
		}
		bar.Finish()
		if b.Len() != 0 {
			t.Errorf("length %d: it shows %q", length, b.String())
		}
	}
}
