package sha3_test

import (
	stdsha3 "crypto/sha3"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"reflect"
	"strings"
	"testing"

	xsha3 "golang.org/x/crypto/sha3"

	"percore/provider/sha3"
)

// A type of ours has each method that the other has, with the same parameters and results.
func TestMethods(t *testing.T) {
	for _, c := range []struct{ ours, other any }{
		{new(sha3.SHA3), new(stdsha3.SHA3)},
		{new(sha3.SHAKE), new(stdsha3.SHAKE)},
		{new(sha3.Keccak), xsha3.NewLegacyKeccak256()},
	} {
		ours, other := reflect.TypeOf(c.ours), reflect.TypeOf(c.other)
		for i := range other.NumMethod() {
			want := other.Method(i)
			if !want.IsExported() {
				continue
			}
			got, ok := ours.MethodByName(want.Name)
			if !ok {
				t.Errorf("%v has no method %s", ours, want.Name)
				continue
			}
			if signature(got.Type) != signature(want.Type) {
				t.Errorf("%v.%s has type %v, want %v", ours, want.Name, got.Type, want.Type)
			}
		}
	}
}

// signature is a method's type without its receiver.
func signature(method reflect.Type) string {
	s := method.String()
	_, s, _ = strings.Cut(s, "(")
	if i := strings.IndexAny(s, ",)"); i >= 0 {
		s = s[i:]
	}
	return s
}

// Every exported name of crypto/sha3 is here, with the same declaration.
func TestNames(t *testing.T) {
	std, err := build.Import("crypto/sha3", "", build.FindOnly)
	if err != nil {
		t.Skip("the standard library's sources are not here:", err)
	}
	want, got := exported(t, std.Dir), exported(t, ".")
	if len(want) == 0 {
		t.Fatal("found no exported name in", std.Dir)
	}
	for name, decl := range want {
		if got[name] != decl {
			t.Errorf("%s: got %q, want %q", name, got[name], decl)
		}
	}
}

// exported maps the exported functions, methods and types of a package to how they are declared.
func exported(t *testing.T, dir string) map[string]string {
	names := map[string]string{}
	pkgs, err := parser.ParseDir(token.NewFileSet(), dir, func(f fs.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, 0)
	if err != nil {
		t.Skip("the sources are not here:", err)
	}
	for _, pkg := range pkgs {
		for _, file := range pkg.Files {
			for _, decl := range file.Decls {
				switch d := decl.(type) {
				case *ast.FuncDecl:
					if d.Name.IsExported() {
						names[receiver(d)+d.Name.Name] = fields(d.Type.Params) + fields(d.Type.Results)
					}
				case *ast.GenDecl:
					for _, spec := range d.Specs {
						if s, ok := spec.(*ast.TypeSpec); ok && s.Name.IsExported() {
							names[s.Name.Name] = "type"
						}
					}
				}
			}
		}
	}
	return names
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	return types.ExprString(d.Recv.List[0].Type) + "."
}

// fields lists the types of parameters, without their names.
func fields(params *ast.FieldList) string {
	var list []string
	if params != nil {
		for _, f := range params.List {
			for range max(1, len(f.Names)) {
				list = append(list, types.ExprString(f.Type))
			}
		}
	}
	return "(" + strings.Join(list, ", ") + ")"
}
