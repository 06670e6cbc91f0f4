package percore_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"percore/internal/cryptotest"
)

// The documents at the root: what they link to is there, what they say to run runs, and their Go compiles.

// documents returns the texts by name.
func documents(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, name := range []string{"README.md", "CONTRIBUTING.md", "SECURITY.md"} {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Skip("the sources are not here:", err)
		}
		texts[name] = string(text)
	}
	return texts
}

// blocks returns the blocks of code in a text that are marked as of that language.
func blocks(text, language string) []string {
	var all []string
	for _, m := range regexp.MustCompile("(?ms)^```(.*?)\n(.*?)^```$").FindAllStringSubmatch(text, -1) {
		if m[1] == language {
			all = append(all, m[2])
		}
	}
	return all
}

func TestDocumentLinks(t *testing.T) {
	texts := documents(t)
	notInAnchor := regexp.MustCompile(`[^\w\- ]`)
	anchors := func(name string) (list []string) {
		for _, m := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(texts[name], -1) {
			list = append(list, strings.ReplaceAll(notInAnchor.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
		}
		return list
	}
	links := 0
	for name, text := range texts {
		for _, m := range regexp.MustCompile(`\]\(([^)]*)\)`).FindAllStringSubmatch(text, -1) {
			links++
			file, anchor, _ := strings.Cut(m[1], "#")
			if strings.Contains(file, "://") {
				continue // there may be no network
			}
			if file == "" {
				file = name
			}
			if _, err := os.Stat(filepath.FromSlash(file)); err != nil {
				t.Errorf("%s links to %s: %v", name, m[1], err)
			}
			if anchor != "" && !slices.Contains(anchors(file), anchor) {
				t.Errorf("%s links to %s, and the headings are %v", name, m[1], anchors(file))
			}
		}
	}
	if links == 0 {
		t.Error("no links found")
	}
}

func TestDocumentSnippets(t *testing.T) {
	if testing.Short() {
		t.Skip("builds programs")
	}
	files := map[string]string{}
	for _, snippet := range blocks(documents(t)["README.md"], "go") {
		var imports, body []string
		inImport := false
		for line := range strings.Lines(snippet) {
			if inImport = inImport || strings.HasPrefix(line, "import "); inImport {
				imports = append(imports, line)
				inImport = strings.HasPrefix(line, "import (") || !strings.HasPrefix(line, ")") && !strings.HasPrefix(line, "import ")
			} else {
				body = append(body, line)
			}
		}
		for _, m := range regexp.MustCompile(`(?m)^(.*) := `).FindAllStringSubmatch(strings.Join(body, ""), -1) {
			for variable := range strings.SplitSeq(m[1], ", ") {
				body = append(body, "_ = "+variable+"\n")
			}
		}
		name := "snippet" + string(rune('a'+len(files)))
		files[name+"/main.go"] = "package main\n" + strings.Join(imports, "") +
			"func use(data, key []byte) {\n" + strings.Join(body, "") + "}\nfunc main() { use(nil, nil) }\n"
	}
	if len(files) == 0 {
		t.Fatal("no snippets found")
	}
	run(t, program(t, files), "vet", "./...")
}

func TestDocumentCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("runs benchmarks, if only once")
	}
	cryptotest.NeedsGo(t)
	var commands []string
	for _, text := range documents(t) {
		for _, block := range blocks(text, "") {
			commands = append(commands, strings.Split(strings.TrimSpace(block), "\n")...)
		}
		for _, m := range regexp.MustCompile("`((?:PERCORE=\\S+ )?go (?:run|test) [^`]*)`").FindAllStringSubmatch(text, -1) {
			commands = append(commands, m[1])
		}
	}
	chart := filepath.Join(t.TempDir(), "chart")
	for i, command := range commands {
		commands[i] = quick(command, chart)
	}
	slices.Sort(commands)
	commands = slices.Compact(commands)
	if len(commands) < 5 {
		t.Errorf("only %q found", commands)
	}
	for _, command := range commands {
		t.Run(command, func(t *testing.T) {
			env, args := os.Environ(), strings.Fields(command)
			if strings.HasPrefix(args[0], "PERCORE=") {
				env, args = append(env, args[0]), args[1:]
			}
			if args[0] != "go" {
				t.Fatal("isn't a command of Go")
			}
			if len(args) > 2 && args[1] == "-C" {
				for _, arg := range args[3:] {
					if strings.HasPrefix(arg, "./") {
						if _, err := os.Stat(filepath.Join(args[2], arg)); err != nil {
							t.Error(err)
						}
					}
				}
				t.Skip("the test of that module runs it")
			}
			cmd := exec.Command(args[0], args[1:]...)
			cmd.Env = env
			out, err := cmd.CombinedOutput()
			if err != nil || len(out) == 0 || strings.Contains(command, "-bench") && !strings.Contains(string(out), "ns/op") {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// quick returns the command with all that makes it short: benchmarks run once, tests are compiled only, since they
// would run this one. A chart goes into the file.
func quick(command, chart string) string {
	args := strings.Fields(strings.ReplaceAll(command, "'", ""))
	bench := slices.Contains(args, "bench")
	for i, arg := range args {
		switch ext := filepath.Ext(arg); {
		case arg == "FILE...":
			args[i] = "README.md"
		case ext == ".svg" || ext == ".png":
			args[i] = chart + ext
		case arg == "test" && slices.Contains(args, "-bench"):
			args[i] = "test -benchtime=1x"
		case arg == "test":
			args[i] = "test -run=XXX"
		}
	}
	if bench && !slices.Contains(args, "-quick") {
		args = append(args, "-quick")
	}
	return strings.Join(args, " ")
}
