//go:build !purego && (amd64 || arm64)

package cryptotest

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// call calls a function by ABI0 with values planted in registers that it has to keep, and returns what was planted and what was in
// them afterwards.
func call(pc uintptr, arguments *[7]uintptr, planted, found *[4]uint64)

// KeepsRegisters calls a function in assembly, with pointers and integers as arguments, and reports the registers that it has to keep and
// doesn't.
//
// Functions in assembly have ABI0, in which the callee keeps the stack pointer and the frame pointer, and on arm64 R28, which is g. Go's own
// code has another ABI, with g in R14 and zero in X15 on amd64: the wrapper through which it calls assembly sets both again. So
// a kernel may leave anything in X15; Go code has to find zero there afterwards. The kernels keep more than ABI0 asks for: R14,
// R15, where position-independent code has an address, and R18, which belongs to some systems.
func KeepsRegisters(t *testing.T, function any, arguments ...any) {
	t.Helper()
	var words [7]uintptr
	for i, a := range arguments {
		// What is in an interface is on the heap, and stays where it is.
		switch v := reflect.ValueOf(a); {
		case v.CanInt():
			words[i] = uintptr(v.Int())
		case v.CanUint():
			words[i] = uintptr(v.Uint())
		default:
			words[i] = v.Pointer()
		}
	}
	pc := unwrapped(t, reflect.ValueOf(function).UnsafePointer())
	var planted, found [4]uint64
	call(pc, &words, &planted, &found)
	if lanes := x15(); lanes != 0 {
		t.Errorf("after %s Go code has %#x in X15", runtime.FuncForPC(pc).Name(), lanes)
	}
	runtime.KeepAlive(arguments)
	for i, name := range keptRegisters {
		if found[i] != planted[i] {
			t.Errorf("%s leaves %#x in %s, where %#x was", runtime.FuncForPC(pc).Name(), found[i], name, planted[i])
		}
	}
}

// unwrapped returns the function that a wrapper is for: the one of the wrapper's own name that it calls.
func unwrapped(t *testing.T, wrapper unsafe.Pointer) uintptr {
	t.Helper()
	pc := uintptr(wrapper)
	name := runtime.FuncForPC(pc).Name()
	const size = 256 // more than any wrapper has
	for i := 0; i < size; i += callAlignment {
		target := callTarget(pc+uintptr(i), (*[5]byte)(unsafe.Add(wrapper, i)))
		if f := runtime.FuncForPC(target); f != nil && target != pc && f.Entry() == target && f.Name() == name {
			return target
		}
	}
	t.Fatalf("no call of a function in assembly in the wrapper of %s", name)
	return 0
}

// InAssembly returns the names of the functions in the assembly files of the package at hand that this architecture has.
func InAssembly(t *testing.T) (names []string) {
	t.Helper()
	files, err := filepath.Glob("*_" + runtime.GOARCH + ".s")
	if err != nil {
		t.Fatal(err)
	}
	if len(files) == 0 {
		t.Skip("the sources are not here")
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range regexp.MustCompile(`(?m)^TEXT ·(\w+)\(SB\)`).FindAllSubmatch(source, -1) {
			names = append(names, string(m[1]))
		}
	}
	slices.Sort(names)
	return names
}

// NameOf returns the name of a function, without its package.
func NameOf(function any) string {
	name := runtime.FuncForPC(reflect.ValueOf(function).Pointer()).Name()
	return name[strings.LastIndex(name, ".")+1:]
}
