package percore_test

import (
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// mayImport lists, for each package or tree of packages of percore, the packages of percore that
// its code, tests apart, may import. Imports go downward only.
var mayImport = map[string][]string{
	"percore":                       {"percore/internal/cpu"},
	"percore/internal/cpu":          {},
	"percore/internal/cpu/recorded": {"percore/internal/cpu"},
	"percore/internal/asm/keccak":   {},
	"percore/internal/asm/aesgcm":   {},
	"percore/internal/cryptotest":   {"percore"},
	"percore/internal/objcode":      {},
	"percore/provider":              {"percore", "percore/provider/sha3", "percore/provider/gcm"},
	"percore/provider/sha3":         {"percore", "percore/internal/asm/keccak"},
	"percore/provider/gcm":          {"percore", "percore/internal/asm/aesgcm"},
	"percore/provider/tls13":        {"percore", "percore/provider/gcm"},
	"percore/cmd/percore":           {"percore", "percore/internal/cpu/recorded", "percore/provider", "percore/provider/sha3", "percore/provider/gcm", "percore/provider/tls13"},
	"percore/wycheproof":            {},
}

// Who imports percore's own module must get golang.org/x/sys and nothing else.
const dependency = "golang.org/x/sys/"

func TestImports(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}{{range .Imports}} {{.}}{{end}}", "percore/...").Output()
	if err != nil {
		t.Skip("needs the go command and the whole workspace:", err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		pkg := fields[0]
		allowed, ok := mayImport[pkg]
		if !ok {
			t.Errorf("%s is not in the table", pkg)
			continue
		}
		for _, imported := range fields[1:] {
			switch {
			case imported == "percore" || strings.HasPrefix(imported, "percore/"):
				if !slices.Contains(allowed, imported) {
					t.Errorf("%s imports %s", pkg, imported)
				}
			case strings.Contains(strings.Split(imported, "/")[0], "."):
				user := pkg != "percore/cmd/percore" && pkg != "percore/wycheproof"
				if user && !strings.HasPrefix(imported, dependency) {
					t.Errorf("%s imports %s", pkg, imported)
				}
			}
		}
	}
}

// What percore's own module requires reaches all who import it, at least as a line in go.sum. More than this belongs in
// cmd/percore, wycheproof or migration, which are modules of their own.
func TestRequirements(t *testing.T) {
	gomod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Skip("the sources are not here:", err)
	}
	var required []string
	for line := range strings.Lines(string(gomod)) {
		if f := strings.Fields(line); len(f) == 2 && strings.HasPrefix(f[1], "v") {
			required = append(required, f[0])
		}
	}
	want := []string{"github.com/cloudflare/circl", "golang.org/x/crypto", "golang.org/x/sys"}
	if !slices.Equal(required, want) {
		t.Errorf("go.mod requires %v, want %v", required, want)
	}
}
