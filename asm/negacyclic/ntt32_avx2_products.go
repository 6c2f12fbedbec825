package negacyclic

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/lanes"
)

// multiply transforms both operands, the second one without its last two layers, which are done
// with the product and the first two layers back. Of words below 6q, a product over 2^32 is
// below q/10, for q < 2^23, and so less than q goes back.
func (n *ntt32AVX2) multiply() {
	n.begin("Mul32", "func(z, x, y, scratch, table *int32)", "sets z to x·y, of 256 words of any value, in [0, q). scratch has room for as many. z may be x or y, and x and y may be the same.")
	n.upper("x", "scratch", "x")
	n.groups("xFourth", func(p []reg.GPVirtual) {
		for bit4 := range 2 {
			x := n.inner(p[0], bit4)
			n.writeAll(n.forward(x, x[0], n.constants(n.group, avx2Fourth32+5*bit4, 5, false)), x)
		}
	}, "scratch")
	n.upper("y", "z", "y")
	n.groups("products", func(p []reg.GPVirtual) {
		for bit4 := range 2 {
			y, x := n.inner(p[0], bit4), n.inner(p[1], bit4)
			v := n.forward(y, y[0], n.constants(n.group, avx2Fourth32+5*bit4, 5, false))
			for i, w := range v {
				v[i] = n.reduced(n.times(n.apart(w), constant32{Mem: x[i]}))
			}
			n.lowerBack(v, bit4, y)
		}
	}, "z", "scratch")
	n.upperBack("z", avx2ScaleR32)
	n.End()
}

// factor multiplies residues by 2^32. Any words will do, for which it is 3q/4 at most.
func (n *ntt32AVX2) factor() {
	n.begin("Factor32", "func(f, x, table *int32)", "sets f to x·2^32 modulo q, in (−q, q), word by word, of 256.")
	f, x := n.Pointer("f"), n.Pointer("x")
	n.turns("vectors", func() {
		for i := range 8 {
			n.Write(n.inOrder(n.times(n.read(n.At(x, i)), n.constants(n.table, avx2R32, 1, true)[0])), n.At(f, i))
		}
	}, eightBytes32, f, x)
	n.End()
}

// sum adds products of residues in 64 bits. For at most 64 of them, each below q·q, and q < 2^23,
// a sum over 2^32 is below q/8, so that the result is between −q and q.
func (n *ntt32AVX2) sum() {
	n.begin("Sum32", "func(z *int32, terms **int32, count int, table *int32)", "sets z to the sum of count products, at least 1 and at most 64, of residues x and of f from avx2Factor32 that terms points to in turn, in [0, q), 256 words each. z may be any of them.")
	z, terms, count := n.Pointer("z"), n.Pointer("terms"), n.Pointer("count")
	const vectors = 4
	at, left, term, x, f := n.GP64(), n.GP64(), n.GP64(), n.GP64(), n.GP64()
	place := func(p reg.Register, i int) operand.Mem {
		return operand.Mem{Base: p, Index: at, Scale: 1, Disp: lanes.AVX2 * i}
	}
	product := func(i int) halves32 { return n.times(n.read(place(x, i)), constant32{Mem: place(f, i)}) }
	next := func() {
		n.MOVQ(operand.Mem{Base: term}, x)
		n.MOVQ(operand.Mem{Base: term, Disp: 8}, f)
		n.ADDQ(lanes.Imm(16), term)
	}
	n.XORQ(at, at)
	n.Label("block")
	n.MOVQ(terms, term)
	n.MOVQ(count, left)
	next()
	sums := make([]halves32, vectors)
	for i := range sums {
		sums[i] = product(i)
	}
	n.DECQ(left)
	n.JZ(operand.LabelRef("last"))
	n.Label("term")
	next()
	for i, sum := range sums {
		p := product(i)
		n.VPADDQ(p.even, sum.even, sum.even)
		n.VPADDQ(p.odd, sum.odd, sum.odd)
	}
	n.DECQ(left)
	n.JNZ(operand.LabelRef("term"))
	n.Label("last")
	for i, sum := range sums {
		n.Write(n.positive(n.inOrder(sum)), place(z, i))
	}
	n.ADDQ(operand.I32(vectors*lanes.AVX2), at)
	n.CMPQ(at, operand.I32(4*256))
	n.JNE(operand.LabelRef("block"))
	n.End()
}
