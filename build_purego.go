//go:build purego

package percore

const purego = true
