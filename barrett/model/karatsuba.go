package model

import (
	"math/big"

	"residue/barrett/internal/folding"
)

// arithmetic returns the text of folding on this machine.
func (m *Machine) arithmetic(leaf int) *folding.Arithmetic[uint64] {
	return &folding.Arithmetic[uint64]{Machine: numbers{m}, Leaf: leaf}
}

// Mul returns x·y, for x and y of up to nbits bits, by Karatsuba's method down to
// leaf words, which is at least 1. If that is not less than the words of a factor,
// it is the schoolbook method.
func (m *Machine) Mul(x, y *big.Int, nbits, leaf int) *big.Int {
	a, k := m.arithmetic(leaf), m.processor.Words(nbits)
	z := make([]uint64, 2*k)
	a.Mul(z, m.fromBig(x, k), m.fromBig(y, k), make([]uint64, a.MulScratch(k, k)))
	return m.toBig(z)
}

// separated is Montgomery's multiplication with product and reduction one after the
// other, for Karatsuba's method: q = x·y·(−1/n) mod Wᵏ and (x·y + q·n)/Wᵏ, of k + 1
// words. All products are of k words by k; half of the second is not used.
func (m *Machine) separated(a *folding.Arithmetic[uint64], x, y, n, inverse []uint64) []uint64 {
	k := len(n)
	scratch := make([]uint64, a.MulScratch(k, k))
	t, p, q := make([]uint64, 2*k+1), make([]uint64, 2*k), make([]uint64, 2*k)
	a.Mul(t[:2*k], x, y, scratch)
	a.Mul(q, t[:k], inverse, scratch)
	a.Mul(p, q[:k], n, scratch)
	t[2*k] = uint64(a.Machine.Add(t[:2*k], t[:2*k], p))
	return t[k:]
}
