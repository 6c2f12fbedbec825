package negacyclic

import (
	"residue/asm/internal/schedule"
)

// Products modulo 2^k by the primes p = 3329 and q = 7681: words modulo 2^k before the transforms,
// and what residues stand for after those back.

// The vectors of the table that says how residues modulo p and q are put together, modulo 2^k:
// those of a ring up to avx2Small, and these.
const (
	avx2CombineInverse = 2 + iota // a constant, two vectors: 1/p
	_
	avx2CombineHalf  // (q − 1)/2
	avx2CombineFirst // p
	avx2CombineOff   // −p·(q − 1)/2
	avx2CombineMask  // 2^k − 1
	avx2CombineUp    // 2^(16−k)
	avx2CombineDown  // 2^k
)

// exact are the functions for products modulo 2^k by the primes p and q, for a q of moduli.
func (n *ntt16AVX2) exact(schedules map[string]schedule.Options) {
	n.function(schedules, "Centre16", "func(z, x, table *int16)", "sets z to x modulo 2^k as signed numbers, for 2 ≤ k < 15: high(x·2^(16−k)·2^k).")
	z, x := n.Pointer("z"), n.Pointer("x")
	up, down := n.Read(n.At(n.table, avx2CombineUp)), n.Read(n.At(n.table, avx2CombineDown))
	for i := range 2 * halfVectors {
		n.Write(n.Of(n.VPMULHW, down, n.Of(n.VPMULLW, n.At(x, i), up)), n.At(z, i))
	}
	n.End()

	n.function(schedules, "Combine16", "func(z, x, y, table *int16)", "sets z to what is x modulo p and y modulo q, residues, taken modulo 2^k. It is from −p·(q−1)/2 to p·(q−1)/2.")
	n.combine()
}

// combine returns x + p·d, where d = (y − x)/p modulo q is the one of least absolute value. It
// computes e = d + (q − 1)/2, in [0, q).
func (n *ntt16AVX2) combine() {
	z, x, y := n.Pointer("z"), n.Pointer("x"), n.Pointer("y")
	half := bounded{n.Read(n.At(n.table, avx2CombineHalf)), n.bound(func(q, _ int) int { return q / 2 })}
	for i := range 2 * halfVectors {
		v, w := n.read(n.At(x, i), n.below()), n.read(n.At(y, i), n.below()) // p < q
		inverse, companion := n.constant(n.table, avx2CombineInverse)
		e := n.belowTwice(n.add(n.times(n.sub(w, v), inverse, companion), half))
		c := n.Of(n.VPADDW, n.At(n.table, avx2CombineOff), v.Vec)
		c = n.Of(n.VPADDW, c, n.Of(n.VPMULLW, n.At(n.table, avx2CombineFirst), e))
		n.VPAND(n.At(n.table, avx2CombineMask), c, c)
		n.Write(c, n.At(z, i))
	}
	n.End()
}
