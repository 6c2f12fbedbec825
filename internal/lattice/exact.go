package lattice

import (
	"context"
	"math"
	"math/big"
)

// exactRows are rows of integers with the integers that are their inner products.
type exactRows struct {
	b Basis
	g [][]*big.Int // g[i][j] = ⟨b_i, b_j⟩ for j ≤ i
	e []int
	// Temporaries.
	q, t *big.Int
}

func newExactRows(b Basis) *exactRows {
	v := &exactRows{b: b, e: make([]int, len(b)), q: new(big.Int), t: new(big.Int)}
	for i := range b {
		v.g = append(v.g, make([]*big.Int, len(b)))
		for j := range i + 1 {
			v.g[i][j] = dot(b[i], b[j])
		}
		v.settle(i)
	}
	return v
}

func (v *exactRows) len() int { return len(v.b) }

func (v *exactRows) exponent(k int) int { return v.e[k] }

func (v *exactRows) inner(i, j int) *big.Int { return v.g[max(i, j)][min(i, j)] }

func (v *exactRows) gram(k int, g []float64) {
	for j := range k + 1 {
		m, e := leading(v.inner(k, j))
		g[j] = math.Ldexp(m, e-v.e[k]-v.e[j])
	}
}

// subtract is ⟨b_k − q·b_j, b_i⟩ = ⟨b_k, b_i⟩ − q·⟨b_j, b_i⟩ for the others, and twice
// that for b_k itself.
func (v *exactRows) subtract(k, j int, x float64, shift int) bool {
	q := v.q.SetInt64(int64(x))
	q.Lsh(q, uint(shift))
	sub := func(z, y *big.Int) { z.Sub(z, v.t.Mul(q, y)) }
	for c := range v.b[k] {
		sub(v.b[k][c], v.b[j][c])
	}
	sub(v.g[k][k], v.inner(k, j))
	for i := range v.b {
		if i != k {
			sub(v.inner(k, i), v.inner(j, i))
		}
	}
	sub(v.g[k][k], v.inner(k, j))
	return true
}

func (v *exactRows) settle(k int) { v.e[k] = (v.g[k][k].BitLen() + 1) / 2 }

func (v *exactRows) move(k, to int) {
	// The inner products of what moves, by the row that they are with.
	moved := make([]*big.Int, len(v.b))
	for i := range v.b {
		moved[i] = v.inner(k, i)
	}
	row, e := v.b[k], v.e[k]
	for i := k; i > to; i-- {
		v.b[i], v.e[i] = v.b[i-1], v.e[i-1]
	}
	v.b[to], v.e[to] = row, e
	for i := k; i > to; i-- {
		copy(v.g[i][:to], v.g[i-1][:to])
		copy(v.g[i][to+1:i+1], v.g[i-1][to:i])
		v.g[i][to] = moved[i-1]
	}
	v.g[to] = make([]*big.Int, len(v.b))
	copy(v.g[to], moved[:to])
	v.g[to][to] = moved[k]
	for i := k + 1; i < len(v.b); i++ {
		copy(v.g[i][to+1:k+1], v.g[i][to:k])
		v.g[i][to] = moved[i]
	}
}

// leading returns x as m·2^e with |m| in [½, 1).
func leading(x *big.Int) (m float64, e int) {
	n := x.BitLen()
	if n <= 53 {
		return math.Frexp(float64(x.Int64()))
	}
	// The top words have at least 53 bits of the number, if there are two.
	w := x.Bits()
	size := wordSize
	top := len(w) - 1
	m = float64(w[top])
	for i := 1; i <= 2 && i <= top; i++ {
		m += math.Ldexp(float64(w[top-i]), -size*i)
	}
	m, e = math.Frexp(m)
	if x.Sign() < 0 {
		m = -m
	}
	return m, e + size*top
}

// wordSize is the width of a big.Word.
const wordSize = 32 << (^uint(0) >> 63)

// Reduce reduces b, in place. It takes any integers: what matters is their number of
// bits, β. It makes some n·β operations on rows, of n² steps in float64 and, row by row,
// as many multiplications of integers by numbers of 53 bits. progress may be nil; it is
// told how many rows are in their places, which may fall again.
//
// The error is ctx.Err() when ctx ends, [ErrDependent] or [ErrPrecision].
func Reduce(ctx context.Context, b Basis, progress func(rows, of int)) error {
	if err := b.square(); err != nil {
		return err
	}
	o, err := newReducer(newExactRows(b)).reduce(ctx, func(k int) {
		if progress != nil {
			progress(k, len(b))
		}
	})
	switch {
	case err != nil:
		return err
	case o == dependent:
		return ErrDependent
	case o != reduced:
		return ErrPrecision
	}
	return nil
}
