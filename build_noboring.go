//go:build !boringcrypto

package percore

const boringcrypto = false
