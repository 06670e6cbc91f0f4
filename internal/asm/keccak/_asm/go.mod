module percore/internal/asm/keccak/_asm

go 1.26.0
