package negacyclic

import (
	"fmt"

	"residue/asm/internal/lanes"
	"residue/asm/internal/schedule"
)

// Products modulo 2^k by two primes: transforms of words that are first taken modulo 2^k, and
// whose residues stay in the order in which forward leaves them.

// The vectors of the table that says how the primes p and q are put together.
const (
	combineModulus = iota // q
	combineInverse        // a constant, two vectors: 1/p
	combineHalf    = 3    // (q − 1)/2
	combineFirst   = 4    // p
	combineOff     = 5    // −p·(q − 1)/2
	combineMask    = 6    // 2^k − 1
)

// exact are the functions.
func (n *ntt16) exact(schedules map[string]schedule.Options) {
	n.begin(schedules, "Exact16", "func(z, x, table *int16)", "sets z to the transform of x modulo 2^k, in the order of the vectors.")
	r := n.read("x")
	n.evaluate(r)
	n.write(r, "z")

	n.begin(schedules, "ThreeExact16", "func(z, x0, x1, x2, table *int16)", "is Exact16 of three, one behind the other in z.")
	var all []lanes.Vec
	for i := range 3 {
		r := n.read(fmt.Sprint("x", i))
		n.evaluate(r)
		all = append(all, r...)
	}
	n.write(all, "z")

	n.begin(schedules, "ExactFactor16", "func(f, x, table *int16)", "sets f to the factor of x, in the order of the vectors. Products with it are divided by R.")
	x, f := n.Pointer("x"), n.Pointer("f")
	for i := range vectors16 {
		v := n.Read(n.At(x, i))
		n.Write(n.times(v, gamma16+2*i), n.At(f, 2*i))
		n.Write(n.turned(n.small(v)), n.At(f, 2*i+1))
	}
	n.End()

	n.offset = true
	defer func() { n.offset = false }()
	n.begin(schedules, "ExactRow16", "func(z *int16, x, f *[]int16, count, xAt, fAt int, table *int16)", "sets z to the polynomial of the sum of the count products of x and f, in the order of the vectors, in (−q, q). Their words are xAt and fAt bytes further on.")
	r = n.sum()
	n.layersBack(r, 1)
	n.write(r, "z")

	n.begin(schedules, "ThreeExactRows16", "func(z0, z1, z2 *int16, x, f *[]int16, count, xAt, fAt int, table *int16)", "is ExactRow16 of three, with the same f for all; x follow those of the row before.")
	rows := n.sums("f")
	for _, r := range rows {
		n.layersBack(r, 1)
	}
	n.writeRows(rows)

	n.begin(schedules, "ExactInverse16", "func(z, x, table *int16)", "sets z to the polynomial of x, a sum of products in the order of the vectors, in (−q, q).")
	r = n.read("x")
	n.layersBack(r, 1)
	n.write(r, "z")

	n.begin(schedules, "ExactMul16", "func(z, x, y, table *int16)", "sets z to x·y, polynomials modulo 2^k, in (−q, q).")
	r = n.read("x")
	n.product(r, n.read("y"), n.evaluate)
	n.layersBack(r, 1)
	n.write(r, "z")

	n.begin(schedules, "Combine16", "func(z, x, y, table *int16)", "sets z to what is x modulo p and y modulo q, in absolute value below p·q/2, taken modulo 2^k.")
	r, s := n.read("x"), n.read("y")
	for i := range r {
		r[i] = n.combine(r[i], s[i])
	}
	n.write(r, "z")
}

// evaluate transforms words of which k bits matter, and stand for a signed number: that is
// high(x·2^(16−k)·2^k). The half that the first layer multiplies is left with the factor of
// 2^(16−k), of which its constant has the inverse.
func (n *ntt16) evaluate(r []lanes.Vec) {
	for i, v := range r {
		r[i] = n.Of(n.VPMULLW, n.At(n.table, centre16), v)
	}
	for _, p := range pairsX {
		r[p[0]] = n.Of(n.VPMULHW, n.At(n.table, centre16+1), r[p[0]])
	}
	n.layers(r, first16)
}

// combine returns x + p·d, where d = (y − x)/p modulo q is the one of least absolute value.
// e = d + (q − 1)/2 is in [0, q). It is made from times, which is in (−q, q): as unsigned
// words, e or e ± q is the smallest of what it can be.
func (n *ntt16) combine(x, y lanes.Vec) lanes.Vec {
	at := func(i int) lanes.Vec { return n.Read(n.At(n.table, i)) }
	e := n.add(n.times(n.sub(y, x), combineInverse), at(combineHalf))
	e = n.Of(n.VPMINUW, n.add(e, n.q), e)
	e = n.Of(n.VPMINUW, n.sub(e, n.q), e)
	z := n.add(n.add(x, at(combineOff)), n.Of(n.VPMULLW, at(combineFirst), e))
	return n.Of(n.VPANDD, at(combineMask), z)
}
