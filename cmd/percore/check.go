package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"fmt"
	"io"
	"regexp"
	"strings"
)

// The two forms of a line: that of sha256sum, whose name follows a space or an asterisk, and that of
// the BSDs and of OpenSSL, which starts with the algorithm. A backslash before either says that
// the name is escaped.
var (
	gnuLine = regexp.MustCompile(`^[ \t]*(\\?)([[:xdigit:]]+)[ \t][ *](.+)$`)
	bsdLine = regexp.MustCompile(`^[ \t]*(\\?)([[:alnum:]-]+) ?\((.+)\)[ \t]*=[ \t]*([[:xdigit:]]+)$`)
	escaped = regexp.MustCompile(`^([^\\]|\\[\\nr])+$`)
)

// check checks what a list of digests says. It returns whether all is well. As with sha256sum, lines that aren't
// understood get a warning, and are wrong only if there is no other.
func (s *summer) check(list string) bool {
	in, err := s.open(list)
	if err != nil {
		s.complain(list, cause(err))
		return false
	}
	defer in.Close()

	var checked, malformed, unreadable, mismatched int
	lines := bufio.NewReader(in)
	for number := 1; err == nil && s.stdout.err == nil; number++ {
		var line string
		line, err = lines.ReadString('\n')
		line = strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
		if line == "" || line[0] == '#' {
			continue
		}
		file, want, problem := s.parse(line)
		if problem == "" && file == "-" && list == "-" {
			problem = "standard input can't be both the list and a file in it"
		}
		if problem != "" {
			malformed++
			s.complain(list, fmt.Sprintf("%d: %s", number, problem))
			continue
		}
		checked++
		verdict := "OK"
		got, readErr := s.digest(file, len(want))
		if readErr != nil {
			unreadable++
			s.complain(file, cause(readErr))
			verdict = "FAILED open or read"
		} else if !bytes.Equal(got, want) {
			mismatched++
			verdict = "FAILED"
		}
		mark, name := "", file
		if strings.Contains(file, "\n") {
			mark, name = escape(file)
		}
		fmt.Fprintf(s.stdout, "%s%s: %s\n", mark, name, verdict)
	}
	if err != nil && err != io.EOF {
		s.complain(list, cause(err))
		return false
	}
	if checked == 0 {
		s.complain(list, "no properly formatted checksum lines found")
		return false
	}
	s.warn(malformed, "line is improperly formatted", "lines are improperly formatted")
	s.warn(unreadable, "listed file could not be read", "listed files could not be read")
	s.warn(mismatched, "computed checksum did NOT match", "computed checksums did NOT match")
	return unreadable == 0 && mismatched == 0
}

// parse takes a line apart. If the line is malformed, problem says how.
func (s *summer) parse(line string) (file string, digest []byte, problem string) {
	malformed := "improperly formatted " + s.algorithm.name + " checksum line"
	var mark, digits string
	if m := gnuLine.FindStringSubmatch(line); m != nil {
		mark, digits, file = m[1], m[2], m[3]
	} else if m := bsdLine.FindStringSubmatch(line); m != nil && sameAlgorithm(m[2], s.algorithm.name) {
		mark, file, digits = m[1], m[3], m[4]
	} else {
		return "", nil, malformed
	}
	if mark != "" {
		if !escaped.MatchString(file) {
			return "", nil, malformed + ": the name has an unknown escape"
		}
		file = unescaper.Replace(file)
	}
	digest, err := hex.DecodeString(digits)
	if err != nil {
		return "", nil, malformed + ": the digest has an odd number of digits"
	}
	if s.size != 0 && len(digest) != s.size {
		return "", nil, fmt.Sprintf("%s: the digest has %d bits, not %d", malformed, 8*len(digest), 8*s.size)
	}
	return file, digest, ""
}

// sameAlgorithm returns whether two names mean one algorithm: what is shake128 here is SHAKE-128 to OpenSSL.
func sameAlgorithm(a, b string) bool {
	return strings.EqualFold(strings.ReplaceAll(a, "-", ""), strings.ReplaceAll(b, "-", ""))
}

// warn warns of n lines, if there are any.
func (s *summer) warn(n int, one, many string) {
	if n == 1 {
		fmt.Fprintf(s.stderr, "percore sum: WARNING: 1 %s\n", one)
	} else if n > 1 {
		fmt.Fprintf(s.stderr, "percore sum: WARNING: %d %s\n", n, many)
	}
}
