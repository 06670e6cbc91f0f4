package main

import (
	"runtime"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs Unix, whose texts of errors these are")
	}
	inFolder(t)
	good := abc["sha3-256"] + "  file\n"
	bad := strings.Repeat("0", 64) + "  file\n"
	missing := abc["sha3-256"] + "  missing\n"
	folder := abc["sha3-256"] + "  folder\n"
	short := abc["sha3-224"] + "  file\n"
	const (
		prefix    = "percore sum: "
		input     = "percore sum: standard input: "
		malformed = ": improperly formatted sha3-256 checksum line"
		none      = "no properly formatted checksum lines found\n"
	)
	for _, c := range []struct {
		name, list     string
		status         int
		stdout, stderr string
	}{
		{"good", good + good, 0, "file: OK\nfile: OK\n", ""},
		{"binary", abc["sha3-256"] + " *file\n", 0, "file: OK\n", ""},
		{"upper case", strings.ToUpper(abc["sha3-256"]) + "  file\n", 0, "file: OK\n", ""},
		{"no newline", strings.TrimSuffix(good, "\n"), 0, "file: OK\n", ""},
		{"CRLF", strings.ReplaceAll(good, "\n", "\r\n"), 0, "file: OK\n", ""},
		{"indented", " \t" + good, 0, "file: OK\n", ""},
		{"comments and empty lines", "# one\n\n" + good + "\r\n#\n", 0, "file: OK\n", ""},
		{"BSD", "SHA3-256 (file) = " + good[:64] + "\n", 0, "file: OK\n", ""},
		{"BSD escaped", `\SHA3-256 (fi\\le) = ` + good[:64] + "\n", 1, `fi\le: FAILED open or read` + "\n",
			prefix + "\"fi\\\\le\": no such file or directory\n" + prefix + "WARNING: 1 listed file could not be read\n"},
		{"OpenSSL", "SHA3-256(file)= " + good[:64] + "\n", 0, "file: OK\n", ""},

		{"mismatch", good + bad, 1, "file: OK\nfile: FAILED\n", prefix + "WARNING: 1 computed checksum did NOT match\n"},
		{"mismatches", bad + good + bad, 1, "file: FAILED\nfile: OK\nfile: FAILED\n",
			prefix + "WARNING: 2 computed checksums did NOT match\n"},
		{"missing", missing + good, 1, "missing: FAILED open or read\nfile: OK\n",
			prefix + "missing: no such file or directory\n" + prefix + "WARNING: 1 listed file could not be read\n"},
		{"missing and folder", missing + folder, 1, "missing: FAILED open or read\nfolder: FAILED open or read\n",
			prefix + "missing: no such file or directory\n" + prefix + "folder: is a directory\n" +
				prefix + "WARNING: 2 listed files could not be read\n"},
		{"malformed", "junk\n" + good, 0, "file: OK\n",
			input + "1" + malformed + "\n" + prefix + "WARNING: 1 line is improperly formatted\n"},
		{"everything", bad + "\njunk\n" + good + missing + "more junk", 1,
			"file: FAILED\nfile: OK\nmissing: FAILED open or read\n",
			input + "3" + malformed + "\n" +
				prefix + "missing: no such file or directory\n" +
				input + "6" + malformed + "\n" +
				prefix + "WARNING: 2 lines are improperly formatted\n" +
				prefix + "WARNING: 1 listed file could not be read\n" +
				prefix + "WARNING: 1 computed checksum did NOT match\n"},

		{"empty", "", 1, "", input + none},
		{"only comments", "# one\n", 1, "", input + none},
		{"only junk", "junk\n", 1, "", input + "1" + malformed + "\n" + input + none},
		{"wrong length", short, 1, "", input + "1" + malformed + ": the digest has 224 bits, not 256\n" + input + none},
		{"odd length", good[1:], 1, "", input + "1" + malformed + ": the digest has an odd number of digits\n" + input + none},
		{"no name", good[:66] + "\n", 1, "", input + "1" + malformed + "\n" + input + none},
		{"one space", strings.Replace(good, "  ", " ", 1), 1, "", input + "1" + malformed + "\n" + input + none},
		{"not hexadecimal", "g" + good[1:], 1, "", input + "1" + malformed + "\n" + input + none},
		{"BSD of another algorithm", "SHA256 (file) = " + good[:64], 1, "", input + "1" + malformed + "\n" + input + none},
		{"unknown escape", `\` + good[:66] + `a\tb`, 1, "",
			input + "1" + malformed + ": the name has an unknown escape\n" + input + none},
		{"half an escape", `\` + good[:66] + `a\`, 1, "",
			input + "1" + malformed + ": the name has an unknown escape\n" + input + none},
		{"itself", good[:66] + "-\n", 1, "",
			input + "1: standard input can't be both the list and a file in it\n" + input + none},
	} {
		t.Run(c.name, func(t *testing.T) { do(c.list, "sum", "-c").check(t, c.status, c.stdout, c.stderr) })
	}
}

func TestCheckFiles(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs Unix, whose texts of errors these are")
	}
	inFolder(t)
	write(t, "list", abc["sha3-256"]+"  file\n")
	write(t, "stdin list", "junk\n"+abc["sha3-256"]+"  -\n")
	do("", "sum", "-c", "list", "list").check(t, 0, "file: OK\nfile: OK\n", "")
	do("abc", "sum", "-c", "missing", "folder", "stdin list", "list").check(t, 1, "-: OK\nfile: OK\n",
		"percore sum: missing: no such file or directory\n"+
			"percore sum: folder: is a directory\n"+
			"percore sum: \"stdin list\": 1: improperly formatted sha3-256 checksum line\n"+
			"percore sum: WARNING: 1 line is improperly formatted\n")
}

func TestCheckLength(t *testing.T) {
	inFolder(t)
	const (
		input     = "percore sum: standard input: "
		malformed = ": improperly formatted shake128 checksum line: "
		none      = "no properly formatted checksum lines found\n"
	)
	long := abc["shake128"] + "  file\n"
	short := abc["shake128"][:20] + "  file\n"
	do(long+short, "sum", "-c", "-a", "shake128").check(t, 0, "file: OK\nfile: OK\n", "")
	do("SHAKE-128(file)= "+abc["shake128"], "sum", "-c", "-a", "shake128").check(t, 0, "file: OK\n", "")
	do(long+short, "sum", "-c", "-a", "shake128", "-l", "80").check(t, 0, "file: OK\n",
		input+"1"+malformed+"the digest has 256 bits, not 80\n"+"percore sum: WARNING: 1 line is improperly formatted\n")
	do(short, "sum", "-c", "-a", "shake128", "-l", "256").check(t, 1, "",
		input+"1"+malformed+"the digest has 80 bits, not 256\n"+input+none)
	for _, a := range algorithms {
		do(abc[a.name]+"  file\n", "sum", "-c", "-a", a.name).check(t, 0, "file: OK\n", "")
	}
}
