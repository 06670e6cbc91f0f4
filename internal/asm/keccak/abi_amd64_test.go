//go:build !purego

package keccak

var assemblyFunctions = []struct {
	kernel   Kernel
	function any
	n        func(rate, blocks int) int
}{
	{BMI2, spongeBMI2, func(rate, blocks int) int { return blocks }},
	{AVX512, spongeAVX512, func(rate, blocks int) int { return blocks }},
}
