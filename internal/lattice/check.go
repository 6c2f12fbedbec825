package lattice

import (
	"fmt"
	"math"
	"math/big"
)

// Check returns the square of the determinant of b, and an error unless b is reduced:
// |μ_ij| ≤ eta for j < i, and |b_i*|² ≥ (delta − μ²)·|b_{i−1}*|² for μ = μ_{i,i−1}. It is
// exact: delta and eta are taken as the float64 that they are, and all numbers are
// integers, by the orthogonalisation without fractions of H. Cohen, A Course in
// Computational Algebraic Number Theory, algorithm 2.6.7. That takes n³/6 steps of two
// products and a division of integers of up to 2nβ bits, for entries of β bits.
func (b Basis) Check(delta, eta float64) (*big.Int, error) {
	if err := b.square(); err != nil {
		return nil, err
	}
	g := newIntegral(b)
	if g == nil {
		return nil, ErrDependent
	}
	for i := range b {
		for j := range i {
			if !g.sizeReduced(i, j, eta) {
				return nil, fmt.Errorf("lattice: row %d is not size-reduced by row %d to %v", i, j, eta)
			}
		}
		if i > 0 && !g.lovasz(i, delta) {
			return nil, fmt.Errorf("lattice: rows %d and %d do not meet Lovász' condition with %v", i-1, i, delta)
		}
	}
	return g.d[len(b)], nil
}

// integral is a Gram–Schmidt orthogonalisation in integers: d[i] is the determinant of
// the inner products of the first i rows, and λ_ij = d[j+1]·μ_ij.
type integral struct {
	d      []*big.Int
	lambda [][]*big.Int
}

// newIntegral returns nil if the rows are dependent.
func newIntegral(b Basis) *integral {
	g := &integral{d: []*big.Int{big.NewInt(1)}}
	t := new(big.Int)
	for i := range b {
		row := make([]*big.Int, i+1)
		for j := range row {
			u := dot(b[i], b[j])
			for k := range j {
				u.Mul(u, g.d[k+1])
				u.Sub(u, t.Mul(row[k], g.coefficient(row, i, j, k)))
				u.Quo(u, g.d[k])
			}
			row[j] = u
		}
		if row[i].Sign() <= 0 {
			return nil
		}
		g.lambda = append(g.lambda, row)
		g.d = append(g.d, row[i])
	}
	return g
}

// coefficient returns λ_jk while row i is being made.
func (g *integral) coefficient(row []*big.Int, i, j, k int) *big.Int {
	if j == i {
		return row[k]
	}
	return g.lambda[j][k]
}

// sizeReduced reports whether |λ_ij| ≤ eta·d[j+1].
func (g *integral) sizeReduced(i, j int, eta float64) bool {
	l, r := new(big.Int).Abs(g.lambda[i][j]), new(big.Int).Set(g.d[j+1])
	scale(l, r, eta)
	return l.Cmp(r) <= 0
}

// lovasz is d[i+1]·d[i−1] ≥ delta·d[i]² − λ².
func (g *integral) lovasz(i int, delta float64) bool {
	l := new(big.Int).Mul(g.lambda[i][i-1], g.lambda[i][i-1])
	l.Add(l, new(big.Int).Mul(g.d[i+1], g.d[i-1]))
	r := new(big.Int).Mul(g.d[i], g.d[i])
	scale(l, r, delta)
	return l.Cmp(r) >= 0
}

// scale multiplies l and r by integers, so that r gets f times as much as l.
func scale(l, r *big.Int, f float64) {
	m, e := math.Frexp(f)
	r.Mul(r, big.NewInt(int64(math.Ldexp(m, 53))))
	if e <= 53 {
		l.Lsh(l, uint(53-e))
	}
}
