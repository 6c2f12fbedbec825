package negacyclic

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/lanes"
)

// turned changes the two words of each doubleword.
func (n *ntt16AVX2) turned(v lanes.Vec) lanes.Vec { return n.Of(n.VPSHUFB, n.At(n.table, avx2Turn), v) }

// reduce divides doublewords by R modulo q: c0 for even words of the result, c1 for odd ones.
// With m = c/q mod R the low halves of c and m·q are the same, so c/R − m·q/R is the difference
// of the high ones. It is at most |c|/R + q/2.
func (n *ntt16AVX2) reduce(c0, c1 lanes.Vec) lanes.Vec {
	const odd = 0xaa
	words := func(even, other lanes.Vec) lanes.Vec {
		z := n.Vec()
		n.VPBLENDW(lanes.Imm(odd), other, even, z)
		return z
	}
	low := words(c0, n.Of(n.VPSLLD, lanes.Imm(16), c1))
	high := words(n.Of(n.VPSRLD, lanes.Imm(16), c0), c1)
	m := n.Of(n.VPMULLW, n.At(n.table, avx2Inverse), low)
	return n.Of(n.VPSUBW, n.Of(n.VPMULHW, n.q, m), high)
}

// reduced is a bound of what reduce makes of sums of so many products of residues, each of
// which is two of words of bounds.
func (n *ntt16AVX2) reduced(terms int, x, y []int) []int {
	return n.bound(func(q, i int) int {
		c := 2 * terms * x[i] * y[i]
		if c >= 1<<31 {
			panic("asm/negacyclic: a sum of products has more than 32 bits")
		}
		most := c>>16 + 1 + q/2 + 1
		if most > mostWord {
			panic("asm/negacyclic: a sum of products, reduced, has more than 16 bits")
		}
		return most
	})
}

// multiply multiplies polynomials: the transform of y is in scratch, and that of x where the
// result will be. No word of x or y is read after one of z has been written, but by the first
// layer of x, which reads what it writes.
func (n *ntt16AVX2) multiply() {
	z, x, y, scratch := n.Pointer("z"), n.Pointer("x"), n.Pointer("y"), n.Pointer("scratch")
	known := n.first(scratch, y)
	n.first(z, x)
	n.eachOf("highs", scratch, z, func(p reg.Register) {
		n.eachHalf("high", func(at []reg.Register) { known = n.high(at[0], known) }, p)
	})
	n.eachOf("lows", scratch, z, func(p reg.Register) {
		n.eachHalf("low", func(at []reg.Register) {
			known = n.low(at[0], known)
			n.writeHalf(known, at[0])
		}, p)
	})
	n.eachHalf("products", func(at []reg.Register) {
		r := n.readHalf(at[0], known)
		for i, v := range r {
			y := n.read(n.At(at[1], i), known[i].most)
			w, companion := n.constant(n.half, avx2Product+2*i)
			b := n.times(y, w, companion)
			c0, c1 := n.Of(n.VPMADDWD, b.Vec, v.Vec), n.Of(n.VPMADDWD, n.turned(y.Vec), v.Vec)
			r[i] = bounded{n.reduce(c0, c1), n.reduced(1, v.most, largest([]bounded{b, y}))}
		}
		known = n.lowBack(r, at[0])
	}, z, scratch)
	n.highBack(z, known, 1)
	n.End()
}

// factor prepares residues for products: b0 and γ·b1, which with a0 and a1 give even words of
// the product, and b1 and b0, which give odd ones.
func (n *ntt16AVX2) factor() {
	f, x := n.Pointer("f"), n.Pointer("x")
	for i := range 2 * halfVectors {
		v := n.read(n.At(x, i), n.below())
		w, companion := n.constant(n.table, avx2Gamma+2*i)
		n.Write(n.times(v, w, companion).Vec, n.At(f, 2*i))
		n.Write(n.turned(v.Vec), n.At(f, 2*i+1))
	}
	n.End()
}

// sum calls end for the vectors of a sum of products, reduced, with their places in z. x of the
// products are residues of any function here.
func (n *ntt16AVX2) sum(end func(v bounded, z operand.Mem)) (most []int) {
	const (
		vectors    = 4  // at a time: eight of sums
		sliceBytes = 24 // of a slice, which begins with its pointer
	)
	most = n.reduced(terms16AVX2, n.most, n.below())
	z, xs, fs, count := n.Pointer("z"), n.Pointer("x"), n.Pointer("f"), n.GP64()
	n.Load(n.Param("count"), count)
	offset := n.GP64() // in bytes, of a polynomial
	n.XORQ(offset, offset)
	n.Label("vectors")
	nextX, nextF, left, x, f := n.GP64(), n.GP64(), n.GP64(), n.GP64(), n.GP64()
	n.MOVQ(xs, nextX)
	n.MOVQ(fs, nextF)
	n.MOVQ(count, left)
	c := make([]lanes.Vec, 2*vectors)
	product := func(do func(i int, f operand.Mem, x lanes.Vec)) {
		n.MOVQ(operand.Mem{Base: nextX}, x)
		n.MOVQ(operand.Mem{Base: nextF}, f)
		n.ADDQ(operand.I32(sliceBytes), nextX)
		n.ADDQ(operand.I32(sliceBytes), nextF)
		n.ADDQ(offset, x)
		n.LEAQ(operand.Mem{Base: f, Index: offset, Scale: 2}, f)
		for i := range vectors {
			v := n.Read(n.At(x, i))
			do(2*i, n.At(f, 2*i), v)
			do(2*i+1, n.At(f, 2*i+1), v)
		}
	}
	product(func(i int, f operand.Mem, x lanes.Vec) { c[i] = n.Of(n.VPMADDWD, f, x) })
	n.DECQ(left)
	n.JZ(operand.LabelRef("summed"))
	n.Label("term")
	product(func(i int, f operand.Mem, x lanes.Vec) {
		n.VPADDD(n.Of(n.VPMADDWD, f, x), c[i], c[i])
	})
	n.DECQ(left)
	n.JNZ(operand.LabelRef("term"))
	n.Label("summed")
	for i := range vectors {
		end(bounded{n.reduce(c[2*i], c[2*i+1]), most}, operand.Mem{Base: z, Index: offset, Scale: 1, Disp: lanes.AVX2 * i})
	}
	n.ADDQ(operand.I32(vectors*lanes.AVX2), offset)
	n.CMPQ(offset, operand.I32(2*halfBytes))
	n.JNE(operand.LabelRef("vectors"))
	return most
}
