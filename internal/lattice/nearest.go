package lattice

import "math/big"

// Nearest finds lattice vectors near points, by one reduced basis.
type Nearest struct {
	b   Basis
	red *reducer
	v   *exactRows
}

// NewNearest prepares the reduced basis b, which it does not change. The error is
// [ErrDependent] or [ErrPrecision].
func NewNearest(b Basis) (*Nearest, error) {
	if err := b.square(); err != nil {
		return nil, err
	}
	n := len(b)
	rows := append(b.Clone(), make([]*big.Int, n))
	for c := range rows[n] {
		rows[n][c] = new(big.Int)
	}
	v := newExactRows(rows)
	red := newReducer(v)
	for k := range n {
		switch o := red.sizeReduce(k); {
		case o != reduced:
			return nil, ErrPrecision
		case !(red.r[k][k] > 0):
			return nil, ErrDependent
		}
	}
	return &Nearest{b, red, v}, nil
}

// Plane returns a lattice vector near the point x: the one in x's cell of the nearest
// planes (L. Babai, On Lovász' lattice reduction and the nearest lattice point problem,
// Combinatorica 6, 1986), as far as float64 tells. Their difference has coefficients of
// at most about ½ in the Gram–Schmidt basis.
func (near *Nearest) Plane(x []*big.Int) ([]*big.Int, error) {
	n := len(near.b)
	v := near.v
	for c := range x {
		v.b[n][c].Set(x[c])
	}
	for j := range v.b {
		v.g[n][j] = dot(v.b[n], v.b[j])
	}
	v.settle(n)
	if near.red.sizeReduce(n) != reduced {
		return nil, ErrPrecision
	}
	z := make([]*big.Int, n)
	for c := range z {
		z[c] = new(big.Int).Sub(x[c], v.b[n][c])
	}
	return z, nil
}
