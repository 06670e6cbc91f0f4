package percore_test

import (
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os/exec"
	"strings"
	"testing"
)

// Every package and every exported name has a comment, and every package that users import an Example.
func TestComments(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}}\t{{.Dir}}{{range .GoFiles}}\t{{.}}{{end}}\t|{{range .TestGoFiles}}\t{{.}}{{end}}{{range .XTestGoFiles}}\t{{.}}{{end}}", "percore/...").Output()
	if err != nil {
		t.Skip("needs the go command and the whole workspace:", err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		path, dir, names := fields[0], fields[1], fields[2:]
		fset := token.NewFileSet()
		var files []*ast.File
		for _, name := range names {
			if name == "|" {
				continue
			}
			f, err := parser.ParseFile(fset, dir+"/"+name, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, f)
		}
		p, err := doc.NewFromFiles(fset, files, path)
		if err != nil {
			t.Fatal(err)
		}
		if p.Doc == "" {
			t.Errorf("%s has no comment", path)
		}
		examples := len(p.Examples)
		check := func(name, comment string) {
			if ast.IsExported(name) && strings.TrimSpace(comment) == "" {
				t.Errorf("%s.%s has no comment", path, name)
			}
		}
		functions := func(funcs []*doc.Func) {
			for _, f := range funcs {
				check(f.Name, f.Doc)
				examples += len(f.Examples)
			}
		}
		values := func(values []*doc.Value) {
			for _, v := range values {
				for _, spec := range v.Decl.Specs {
					spec := spec.(*ast.ValueSpec)
					for _, name := range spec.Names {
						check(name.Name, v.Doc+spec.Doc.Text()+spec.Comment.Text())
					}
				}
			}
		}
		values(p.Consts)
		values(p.Vars)
		functions(p.Funcs)
		for _, typ := range p.Types {
			check(typ.Name, typ.Doc)
			values(typ.Consts)
			values(typ.Vars)
			functions(typ.Funcs)
			functions(typ.Methods)
			examples += len(typ.Examples)
		}
		if public := path == "percore" || strings.HasPrefix(path, "percore/provider"); public && examples == 0 {
			t.Errorf("%s has no Example", path)
		}
	}
}
