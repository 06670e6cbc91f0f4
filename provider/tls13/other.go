//go:build !go1.26 || go1.28

package tls13

import (
	"fmt"
	"runtime"
)

func install() error {
	return fmt.Errorf("percore wasn't tested with the crypto/tls of %s", runtime.Version())
}
