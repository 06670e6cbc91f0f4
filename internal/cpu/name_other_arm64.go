//go:build !purego && !darwin

package cpu

// readName returns nothing: the name follows from the main ID registers.
func readName() string {
	return ""
}
