//go:build boringcrypto

package percore

import "crypto/boring"

var boringcrypto = boring.Enabled()
