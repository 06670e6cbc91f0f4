package main

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
)

// polynomial returns the constant of the reduction.
func (m machine) polynomial() Op {
	if m.evex() {
		return zmm[poly]
	}
	return polyData
}

// reversed sets dst to the blocks of src with their bytes reversed.
func (m machine) reversed(src, dst int) {
	if m.evex() {
		VPSHUFB(zmm[swap], zmm[src], zmm[dst])
	} else {
		VPSHUFB(reverse, ymm[src], ymm[dst])
	}
}

// reverseBlock reverses the bytes of the block in lane 0 and clears the other lanes.
func (m machine) reverseBlock(r int) { VPSHUFB(reverse, xmm[r], xmm[r]) }

// hashChunk hashes the chunk at p by Karatsuba, two vectors at a time. After it come so many vectors before the
// reduction: if none do, it makes that too. Only the first chunk after a reduction sets the sums. The first block, to which the
// hash so far is added, comes last, since it is the only one that has to wait for that. It overwrites tmp2.
func (m machine) hashChunk(p Mem, after int, first bool, hash Op, tmp2 int) []op {
	var ops []op
	for n, i := range []int{2, 4, 6, 0} {
		ops = append(ops, m.loadForHash(p, i+1, data2)...)
		ops = append(ops, m.loadForHash(p, i, data)...)
		if i == 0 {
			ops = append(ops, instruction(func() { m.xor(hash, data, data) }))
		}
		fromEnd := after + chunk - i
		h := mem(key, keyPowersEnd-fromEnd*m.width)
		h2 := h.Offset(m.width)
		middles := mem(key, keyMiddles+keyMiddlesSize-fromEnd/2*m.width)
		sum := func(sum int, x, y product) {
			if first && n == 0 {
				ops = append(ops,
					op{func() { x(sum) }, true}, op{func() { y(tmp) }, true},
					instruction(func() { m.xor(m.v(tmp), sum, sum) }))
				return
			}
			ops = append(ops, op{func() { x(tmp) }, true}, op{func() { y(tmp2) }, true})
			if m.evex() {
				ops = append(ops, instruction(func() { m.xor3(tmp, tmp2, sum) }))
				return
			}
			ops = append(ops,
				instruction(func() { m.xor(m.v(tmp), sum, sum) }),
				instruction(func() { m.xor(m.v(tmp2), sum, sum) }))
		}
		sum(lo,
			func(dst int) { m.mul(data, 0, h, 0, dst) },
			func(dst int) { m.mul(data2, 0, h2, 0, dst) })
		sum(hi,
			func(dst int) { m.mul(data, 1, h, 1, dst) },
			func(dst int) { m.mul(data2, 1, h2, 1, dst) })
		// The sums of the halves, of one vector in the lower and of the other in the upper halves, as
		// those of the powers are.
		ops = append(ops,
			instruction(func() { VPUNPCKLQDQ(m.v(data2), m.v(data), m.v(tmp)) }),
			instruction(func() { VPUNPCKHQDQ(m.v(data2), m.v(data), m.v(data)) }),
			instruction(func() { m.xor(m.v(tmp), data, data) }))
		sum(mi,
			func(dst int) { m.mul(data, 0, middles, 0, dst) },
			func(dst int) { m.mul(data, 1, middles, 1, dst) })
	}
	if after > 0 {
		return ops
	}
	return append(ops, m.reduce()...)
}

// loadForHash loads vector i of the chunk at p and reverses its bytes.
func (m machine) loadForHash(p Mem, i, to int) []op {
	return []op{
		instruction(func() { m.load(p.Offset(i*m.width), m.v(to)) }),
		instruction(func() { m.reversed(to, to) }),
	}
}

// hashStates adds the products of the blocks in some states, which it overwrites, with the powers for
// those vectors from power on. The hash so far goes into the first block of vector 0.
func (m machine) hashStates(states ...int) {
	for _, i := range states {
		m.reversed(i, i)
		if i == 0 {
			m.xor(m.v(hash), i, i)
		}
	}
	h := []int{data, data2}
	for n, i := range states {
		m.load(mem(power, i*m.width), m.v(h[n]))
	}
	products := func(up uint8) []product {
		var ps []product
		for n, i := range states {
			ps = append(ps, func(dst int) { m.mul(i, up, m.v(h[n]), up, dst) })
		}
		return ps
	}
	m.add(lo, products(0))
	m.add(hi, products(1))
	for n, i := range states {
		m.halves(i, tmp)
		m.xor(m.v(tmp), i, i)
		m.halves(h[n], tmp)
		m.xor(m.v(tmp), h[n], h[n])
	}
	m.add(mi, products(0))
}

// A product sets a register to a product.
type product func(dst int)

// add adds products to a sum, two at a time where that takes fewer instructions.
func (m machine) add(sum int, products []product) {
	for len(products) > 0 {
		products[0](tmp)
		if m.evex() && len(products) > 1 {
			products[1](tmp2)
			m.xor3(tmp, tmp2, sum)
			products = products[2:]
			continue
		}
		m.xor(m.v(tmp), sum, sum)
		products = products[1:]
	}
}

// reduceLanes reduces the sums in each lane to one block, in hi. What Karatsuba leaves out of mi is there already.
func (m machine) reduceLanes() []op {
	return []op{
		{func() { m.mul(lo, 0, m.polynomial(), 0, tmp) }, true},
		instruction(func() { m.halves(lo, lo) }),
		instruction(func() { m.xor3(lo, tmp, mi) }),
		{func() { m.mul(mi, 0, m.polynomial(), 0, tmp) }, true},
		instruction(func() { m.halves(mi, mi) }),
		instruction(func() { m.xor3(mi, tmp, hi) }),
	}
}

// reduce reduces the sums and adds up the lanes, to lane 0 of hash, with the others clear.
func (m machine) reduce() []op {
	ops := append([]op{instruction(func() { m.xor3(lo, hi, mi) })}, m.reduceLanes()...)
	if m.evex() {
		ops = append(ops,
			instruction(func() { VEXTRACTI64X4(Imm(1), zmm[hi], ymm[tmp]) }),
			instruction(func() { VPXOR(ymm[tmp], ymm[hi], ymm[hi]) }))
	}
	return append(ops,
		instruction(func() { VEXTRACTI128(Imm(1), ymm[hi], xmm[tmp]) }),
		instruction(func() { m.xorBlock(xmm[tmp], hi, hash) }))
}

// multiply sets dst to the product of x and y in each lane.
func (m machine) multiply(x, y, dst int) {
	m.mul(x, 0, m.v(y), 0, lo)
	m.mul(x, 1, m.v(y), 0, mi)
	m.mul(x, 0, m.v(y), 1, tmp)
	m.xor(m.v(tmp), mi, mi)
	m.mul(x, 1, m.v(y), 1, hi)
	emit(m.reduceLanes())
	if m.evex() {
		VMOVDQA64(zmm[hi], zmm[dst])
	} else {
		VMOVDQA(ymm[hi], ymm[dst])
	}
}

// firstPower sets power to the power for the first of the blocks that rest bytes fill, if so many come after them.
func (m machine) firstPower(after int) {
	// power = end - 16·(ceil(rest/16) + after)
	LEAQ(mem(rest, 15+16*after), power)
	ANDQ(I8(-16), power)
	NEGQ(power)
	LEAQ(Mem{Base: key, Index: power, Scale: 1, Disp: keyPowersEnd}, power)
}

func (m machine) clearSums() {
	for _, sum := range []int{lo, mi, hi} {
		VPXOR(xmm[sum], xmm[sum], xmm[sum])
	}
}

// hashLengths goes on to the last block of GHASH, the bits of additional data and of text, and reduces the
// sums. If there was no text, the hash so far goes into this block.
func (m machine) hashLengths() {
	VMOVQ(mem(msg, msgTextBits), xmm[data])
	VPINSRQ(Imm(1), mem(msg, msgAADBits), xmm[data], xmm[data])
	TESTQ(rest, rest)
	JNZ(LabelRef("lengths"))
	m.xorBlock(xmm[hash], data, data)
	Label("lengths")
	// What stands after h[1] meets lanes that are clear.
	block := func(up uint8) []product {
		return []product{func(dst int) { m.mul(data, up, mem(key, keyPowersEnd-16), up, dst) }}
	}
	m.add(lo, block(0))
	m.add(hi, block(1))
	m.halves(data, tmp)
	m.xor(m.v(tmp), data, data)
	// The sum of h[1]'s halves is the last one, in upper halves.
	m.add(mi, []product{func(dst int) { m.mul(data, 0, mem(key, keyMiddles+keyMiddlesSize-16), 1, dst) }})
	emit(m.reduce())
}

// ghash is a function that hashes bytes, filled up with zeros to a whole block.
func (m *machine) ghash() {
	TEXT("ghash"+m.name, NOSPLIT, "func(k, hash, p uintptr, n int)")
	m.allocScratch()
	Load(Param("k"), key)
	Load(Param("hash"), msg)
	Load(Param("p"), src)
	Load(Param("n"), rest)
	m.start()
	m.loadBlock(mem(msg, 0), hash)
	SUBQ(I32(m.chunkBytes()), rest)
	JB(LabelRef("tail"))
	Label("chunk")
	chunk := mem(src, 0)
	emit(m.hashChunk(chunk, 0, true, m.v(hash), state0))
	ADDQ(I32(m.chunkBytes()), src)
	SUBQ(I32(m.chunkBytes()), rest)
	JAE(LabelRef("chunk"))
	Label("tail")
	ADDQ(I32(m.chunkBytes()), rest)
	Comment("Two vectors at a time.")
	Label("two")
	CMPQ(rest, I32(2*m.width))
	JBE(LabelRef("last"))
	LEAQ(mem(key, keyPowersEnd-2*m.width), power)
	m.clearSums()
	for i := range 2 {
		m.load(mem(src, i*m.width), m.v(state0+i))
		m.hashStates(i)
	}
	emit(m.reduce())
	ADDQ(I32(2*m.width), src)
	SUBQ(I32(2*m.width), rest)
	JMP(LabelRef("two"))
	Label("last")
	TESTQ(rest, rest)
	JZ(LabelRef("done"))
	m.enterTail("rest")
	m.firstPower(0)
	m.clearSums()
	CMPQ(rest, I32(m.width))
	JBE(LabelRef("one"))
	m.loadTail(2)
	m.hashStates(1)
	m.hashStates(0)
	JMP(LabelRef("reduce"))
	Label("one")
	m.loadTail(1)
	m.hashStates(0)
	Label("reduce")
	emit(m.reduce())
	Label("done")
	m.storeBlock(hash, mem(msg, 0))
	ret()
}
