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

var batchFunctions = []struct {
	kernel    BatchKernel
	function  any
	arguments func(b *Batch, rate int) []any
}{
	{BatchAVX2, absorbBatchAVX2, func(b *Batch, rate int) []any { return []any{&b.states, &b.keep, &b.Blocks, rate, 2, 1} }},
	{BatchAVX512, absorbBatchAVX512, func(b *Batch, rate int) []any { return []any{&b.states, &b.keep, &b.Blocks, rate, 2, 2} }},
	{BatchAVX512, padBatchAVX512, func(b *Batch, rate int) []any {
		return []any{&b.last, &b.Rests, &b.Left, uint(1<<MaxLanes - 1), rate, 6, (*[]byte)(nil)}
	}},
	{BatchAVX512, digestsBatchAVX512, func(b *Batch, rate int) []any { return []any{&b.states, new([MaxLanes][32]byte)} }},
}
