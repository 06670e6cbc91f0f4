//go:build !purego

package keccak

var assemblyFunctions = []struct {
	kernel   Kernel
	function any
	n        func(rate, blocks int) int
}{
	{GPR, blocksGPR, func(rate, blocks int) int { return rate * blocks }},
	{Plain, blocksPlain, func(rate, blocks int) int { return rate * blocks }},
	{SIMD, blocksSIMD, func(rate, blocks int) int { return rate * blocks }},
}

var batchFunctions = []struct {
	kernel    BatchKernel
	function  any
	arguments func(b *Batch, rate int) []any
}{
	{BatchSIMD, absorbBatchSIMD, func(b *Batch, rate int) []any { return []any{&b.states, &b.keep, &b.Blocks, rate, 2} }},
}
