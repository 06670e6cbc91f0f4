package main

import (
	"crypto/fips140"
	"fmt"
	"io"
	"os"
	"runtime"

	"percore"
	_ "percore/provider" // so that the report can tell what it leaves in crypto's registry
	"percore/provider/tls13"
)

// report is the command percore without arguments. It returns 1 if the self-test fails.
func report(stdout, stderr io.Writer) int {
	describe(stdout)
	status := 0
	// FIPS 140-only mode allows no AES-GCM with nonces of our choice, and known answers need one.
	fips140.WithoutEnforcement(func() {
		if !selfTest(stdout) {
			fmt.Fprintln(stderr, "percore: the self-test failed")
			status = 1
		}
		measure(stdout)
	})
	return status
}

// describe prints what is known of the core, and the choice of kernels.
func describe(w io.Writer) {
	describeCore(w)
	fmt.Fprint(w, percore.Selected())
	if err := tls13.Installed(); err != nil {
		fmt.Fprintf(w, "percore/provider/tls13 leaves crypto/tls as it is: %v\n", err)
	} else {
		fmt.Fprintln(w, "percore/provider/tls13 makes TLS 1.3 run on percore's AES-GCM")
	}
}

// describeCore prints what is known of the core.
func describeCore(w io.Writer) {
	host := percore.Host()
	fmt.Fprintf(w, "go    %s %s/%s\n", runtime.Version(), runtime.GOOS, runtime.GOARCH)
	fmt.Fprintf(w, "core  %v\n      features: %v\n", host, host.Features)
	if off := host.Obey(os.Getenv("GODEBUG")).Off; off != 0 {
		fmt.Fprintf(w, "      off by GODEBUG: %v\n", off)
	}
}
