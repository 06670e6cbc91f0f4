//go:build unix

package main

import (
	"os/signal"
	"syscall"
)

// A write to a closed pipe returns an error, as one to a full disk does, instead of ending the process by a
// signal.
func init() { signal.Ignore(syscall.SIGPIPE) }
