package percore_test

import (
	"crypto/aes"
	"crypto/cipher"
	stdsha3 "crypto/sha3"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"percore"
	"percore/internal/cryptotest"
)

// show is what every program below ends with.
const show = `
func main() {
	fmt.Printf("%T of %s, Selected says %s\n", crypto.SHA3_256.New(),
		reflect.TypeOf(crypto.SHA3_256.New()).Elem().PkgPath(), percore.Selected().Registry)
}
`

const imports = `package main

import (
	"crypto"
	"fmt"
	"percore"
	"reflect"
`

// Whatever a program imports, and in whatever order, percore's SHA-3 is in crypto's registry. If a
// package registers its own later still, Selected says which.
func TestImportOrder(t *testing.T) {
	if percore.Selected().Aside != "" {
		t.Skip("percore registers nothing:", percore.Selected().Aside)
	}
	if testing.Short() {
		t.Skip("builds a dozen programs")
	}
	const ours = "*sha3.SHA3 of percore/provider/sha3, Selected says percore/provider/sha3"
	// The linker orders init by import path where it is free to: hence names from both ends of the alphabet.
	const register = `
import (
	"crypto"
	"crypto/sha3"
	"hash"
)

type Own struct{ *sha3.SHA3 }

func init() { crypto.RegisterHash(crypto.SHA3_256, func() hash.Hash { return &Own{sha3.New256()} }) }
`
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"alone":            {map[string]string{"main.go": imports + "_ \"percore/provider\"\n)" + show}, ours},
		"before":           {map[string]string{"main.go": imports + "_ \"percore/provider\"\n_ \"crypto/sha3\"\n)" + show}, ours},
		"after":            {map[string]string{"main.go": imports + "_ \"crypto/sha3\"\n_ \"percore/provider\"\n)" + show}, ours},
		"golang.org/x":     {map[string]string{"main.go": imports + "_ \"golang.org/x/crypto/sha3\"\n_ \"percore/provider\"\n)" + show}, ours},
		"through a":        {map[string]string{"main.go": imports + "_ \"app/a\"\n_ \"crypto/sha3\"\n)" + show, "a/a.go": "package a\nimport _ \"percore/provider\"\n"}, ours},
		"through zz":       {map[string]string{"main.go": imports + "_ \"crypto/sha3\"\n_ \"zz/z\"\n)" + show, "zz/z/z.go": "package z\nimport _ \"percore/provider\"\n", "zz/go.mod": "module zz\n"}, ours},
		"std through a":    {map[string]string{"main.go": imports + "_ \"app/a\"\n_ \"percore/provider\"\n)" + show, "a/a.go": "package a\nimport _ \"crypto/sha3\"\n"}, ours},
		"std through zz":   {map[string]string{"main.go": imports + "_ \"zz/z\"\n_ \"percore/provider\"\n)" + show, "zz/z/z.go": "package z\nimport _ \"crypto/sha3\"\n", "zz/go.mod": "module zz\n"}, ours},
		"registered first": {map[string]string{"main.go": imports + "_ \"app/a\"\n_ \"percore/provider\"\n)" + show, "a/a.go": "package a" + register}, ours},
		"registered last": {map[string]string{"main.go": imports + "_ \"zz/z\"\n_ \"percore/provider\"\n)" + show, "zz/z/z.go": "package z" + register, "zz/go.mod": "module zz\n"},
			"*z.Own of zz/z, Selected says percore/provider/sha3, zz/z"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := run(t, program(t, c.files), "run", "."); got != c.want+"\n" {
				t.Errorf("got %swant %s", got, c.want)
			}
		})
	}
}

// golang.org/x/crypto v0.31 to v0.43 registers its SHA-3 too.
func TestImportOrderOldXCrypto(t *testing.T) {
	if testing.Short() {
		t.Skip("fetches an old golang.org/x/crypto")
	}
	dir := program(t, map[string]string{"main.go": imports + "_ \"golang.org/x/crypto/sha3\"\n_ \"percore/provider\"\n)" + show})
	get := exec.Command("go", "get", "golang.org/x/crypto@v0.43.0")
	get.Dir, get.Env = dir, environment()
	if out, err := get.CombinedOutput(); err != nil {
		t.Skipf("golang.org/x/crypto v0.43.0 is not to be had: %s", out)
	}
	const want = "*sha3.SHA3 of percore/provider/sha3, Selected says percore/provider/sha3\n"
	if got := run(t, dir, "run", "."); got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

// use is a package that hashes and encrypts through all that percore exports, and says what did.
const use = `package use

import (
	"crypto"
	"fmt"
	"percore"
	_ "percore/provider"
	"percore/provider/gcm"
	"percore/provider/sha3"
)

func Use() string {
	msg := make([]byte, 1000)
	h := crypto.SHA3_256.New()
	h.Write(msg)
	aead, err := gcm.New(msg[:16])
	if err != nil {
		panic(err)
	}
	s := percore.Selected()
	return fmt.Sprintf("%s %s %x %x %x", s.SHA3.Kernel, s.GCM.Kernel, h.Sum(nil), sha3.Sum512(msg), aead.Seal(nil, msg[:12], msg, msg))
}
`

const mainOfUse = "package main\nimport \"app/use\"\nfunc main() { print(use.Use()) }\n"

// runUse runs a program that prints what use.Use returns on standard error, once with each kernel, and compares it with what the standard library
// computes.
func runUse(t *testing.T, name string, args ...string) {
	t.Helper()
	msg := make([]byte, 1000)
	block, err := aes.NewCipher(msg[:16])
	if err != nil {
		t.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		t.Fatal(err)
	}
	results := fmt.Sprintf("%x %x %x", stdsha3.Sum256(msg), stdsha3.Sum512(msg), aead.Seal(nil, msg[:12], msg, msg))
	hashes, ciphers := percore.Kernels("sha3"), percore.Kernels("gcm")
	for i := range max(len(hashes), len(ciphers)) {
		hash, cipher := hashes[i%len(hashes)], ciphers[i%len(ciphers)]
		cmd := exec.Command(name, args...)
		cmd.Env = append(os.Environ(), "PERCORE=sha3="+hash+",gcm="+cipher)
		out, err := cmd.CombinedOutput()
		if want := hash + " " + cipher + " " + results; err != nil || string(out) != want {
			t.Errorf("%v prints %q, want %q", err, out, want)
		}
	}
}

// A program can vendor percore: go mod vendor leaves out folders without Go files.
func TestVendor(t *testing.T) {
	if percore.Selected().Aside != "" {
		t.Skip("percore does nothing:", percore.Selected().Aside)
	}
	dir := program(t, map[string]string{"use/use.go": use, "main.go": mainOfUse})
	run(t, dir, "mod", "vendor")
	run(t, dir, "build", "-mod=vendor", "-o", "main", ".")
	runUse(t, filepath.Join(dir, "main"))
}

// The assembly works in code that the linker puts at any address, and in libraries, where globals are found through a table.
func TestBuildModes(t *testing.T) {
	if percore.Selected().Aside != "" {
		t.Skip("percore does nothing:", percore.Selected().Aside)
	}
	if testing.Short() {
		t.Skip("builds the standard library three more times")
	}
	if runtime.GOOS != "linux" {
		t.Skip("needs Linux, where all of these modes exist")
	}
	needsGCC := func(t *testing.T) {
		if _, err := exec.LookPath("gcc"); err != nil {
			t.Skip("needs gcc")
		}
	}
	t.Run("pie", func(t *testing.T) {
		dir := program(t, map[string]string{"use/use.go": use, "main.go": mainOfUse})
		run(t, dir, "build", "-buildmode=pie", "-o", "main", ".")
		runUse(t, filepath.Join(dir, "main"))
	})
	t.Run("c-shared", func(t *testing.T) {
		needsGCC(t)
		dir := program(t, map[string]string{
			"use/use.go": use,
			"lib/lib.go": "package main\nimport \"C\"\nimport \"app/use\"\n//export Use\nfunc Use() *C.char { return C.CString(use.Use()) }\nfunc main() {}\n",
			"main.c":     "#include <stdio.h>\n#include \"libuse.h\"\nint main(void) { fputs(Use(), stderr); return 0; }\n",
		})
		t.Setenv("CGO_ENABLED", "1")
		run(t, dir, "build", "-buildmode=c-shared", "-o", "libuse.so", "./lib")
		gcc := exec.Command("gcc", "-o", "main", "main.c", "-L.", "-luse", "-Wl,-rpath,"+dir)
		gcc.Dir = dir
		if out, err := gcc.CombinedOutput(); err != nil {
			t.Fatalf("%v: %v\n%s", gcc, err, out)
		}
		runUse(t, filepath.Join(dir, "main"))
	})
	t.Run("plugin", func(t *testing.T) {
		needsGCC(t)
		dir := program(t, map[string]string{
			"use/use.go":   use,
			"plug/plug.go": "package main\nimport \"app/use\"\nfunc Use() string { return use.Use() }\nfunc main() {}\n",
			"main.go": `package main

import (
	"os"
	"plugin"
)

func main() {
	p, err := plugin.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	f, err := p.Lookup("Use")
	if err != nil {
		panic(err)
	}
	print(f.(func() string)())
}
`,
		})
		t.Setenv("CGO_ENABLED", "1")
		run(t, dir, "build", "-buildmode=plugin", "-o", "plug.so", "./plug")
		run(t, dir, "build", "-o", "main", ".")
		runUse(t, filepath.Join(dir, "main"), filepath.Join(dir, "plug.so"))
	})
}

// program writes a module with these files and returns its folder.
func program(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	gomod, err := os.ReadFile("go.mod")
	if err != nil {
		t.Skip("the sources are not here:", err)
	}
	gosum, err := os.ReadFile("go.sum")
	if err != nil {
		t.Fatal(err)
	}
	// percore's own requirements, so that its go.sum has all that is needed.
	mod := strings.Replace(string(gomod), "module percore", "module app", 1) +
		"\nrequire percore v0.0.0\nreplace percore => " + root + "\n"
	if _, ok := files["zz/go.mod"]; ok {
		mod += "require zz v0.0.0\nreplace zz => ./zz\n"
		files["zz/go.mod"] += "require percore v0.0.0\n"
	}
	files = maps.Clone(files)
	files["go.mod"], files["go.sum"] = mod, string(gosum)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(files[name]), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// environment is that of a user's module of its own, with the policy left aside.
func environment() []string {
	return append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=mod", "PERCORE=sha3=generic")
}

// run runs the go command in dir and returns what it prints.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cryptotest.NeedsGo(t)
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, environment()
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out, &stderr)
	}
	return string(out)
}
