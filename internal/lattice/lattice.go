// Package lattice reduces bases of integer lattices, and finds lattice vectors near
// points.
//
// [Reduce] is LLL with a Gram–Schmidt orthogonalisation in float64 over exact integer
// inner products (P. Q. Nguyen, D. Stehlé, An LLL algorithm with quadratic complexity,
// SIAM J. Computing 39, 2009). [Modular] is for the lattice of a modular linear form,
// whose basis has one column of large numbers: it takes that column in from its leading
// bits on, a few at a time, so that nearly all of the work is done on float64 alone. In
// both what is reduced is an integer basis that only ever changes by integer operations
// of determinant ±1; rounding can make them useless but not wrong. [Basis.Check] is
// exact.
//
// Nothing here is constant time.
package lattice

import (
	"errors"
	"fmt"
	"math/big"
)

// Basis is a basis of a lattice of full rank: n rows of n integers.
type Basis [][]*big.Int

// The reduction that [Reduce] and [Modular] reach, by [Basis.Check]: size-reduced up to
// Eta, and Lovász' condition with Delta.
const (
	Delta = 0.99
	Eta   = 0.51
)

// What the reduction in float64 aims at, with room for its rounding.
const (
	floatDelta = 0.993
	floatEta   = 0.505
)

// ErrPrecision says that float64 is not precise enough for a basis: its Gram–Schmidt
// coefficients do not settle. It does not occur for the dimensions up to 128 and the
// lattices of this project's tests.
var ErrPrecision = errors.New("lattice: the basis needs more precision than float64 has")

// ErrDependent says that the rows are linearly dependent.
var ErrDependent = errors.New("lattice: the rows of the basis are linearly dependent")

// Clone returns a copy of b.
func (b Basis) Clone() Basis {
	c := make(Basis, len(b))
	for i, row := range b {
		c[i] = make([]*big.Int, len(row))
		for j, x := range row {
			c[i][j] = new(big.Int).Set(x)
		}
	}
	return c
}

// square reports an error unless b has as many columns as rows.
func (b Basis) square() error {
	if len(b) == 0 {
		return errors.New("lattice: a basis without rows")
	}
	for i, row := range b {
		if len(row) != len(b) {
			return fmt.Errorf("lattice: row %d has %d columns, the basis has %d rows", i, len(row), len(b))
		}
	}
	return nil
}

// dot returns the inner product of x and y.
func dot(x, y []*big.Int) *big.Int {
	z, t := new(big.Int), new(big.Int)
	for i := range x {
		z.Add(z, t.Mul(x[i], y[i]))
	}
	return z
}
