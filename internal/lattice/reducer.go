package lattice

import (
	"context"
	"math"
)

// rows is a basis in the form in which a reducer changes it. A row b_k is of about the
// size 2^exponent(k).
type rows interface {
	len() int
	exponent(k int) int
	// gram sets g[j] to ⟨b_k, b_j⟩ / 2^(exponent(k) + exponent(j)) for j ≤ k.
	gram(k int, g []float64)
	// subtract sets b_k −= x·2^shift·b_j for an integer x below 2^53. It reports false,
	// and does nothing, if the form of the rows has no room for the result.
	subtract(k, j int, x float64, shift int) bool
	// settle is called after a number of subtractions from b_k.
	settle(k int)
	// move moves row k up to a place before it.
	move(k, to int)
}

// reducer reduces rows. It has the Gram–Schmidt coefficients of the rows that it has
// been to, divided by the rows' sizes: r[i][j] = ⟨b_i, b_j*⟩, mu[i][j] = r[i][j]/r[j][j]
// and s[j] = |b_i|² − Σ_{l<j} mu[i][l]·r[i][l] for the last row i. So they neither
// overflow, however large the entries are, nor underflow: row j is not reduced before
// rows 0 to j − 1 are, and then |b_j*| falls no faster than (3/4)^(j/2).
type reducer struct {
	rows
	r, mu [][]float64
	s     []float64
	x     []float64 // coefficients that are being rounded
}

func newReducer(v rows) *reducer {
	n := v.len()
	red := &reducer{rows: v, s: make([]float64, n+1), x: make([]float64, n)}
	for range n {
		red.r = append(red.r, make([]float64, n))
		red.mu = append(red.mu, make([]float64, n))
	}
	return red
}

// outcome is how a reduction ended.
type outcome int

const (
	reduced   outcome = iota
	full              // a row had no room for what it should become
	unsettled         // the precision did not suffice
	dependent         // there is a row of zeros
)

// patience is how many times a row may be reduced by those before it until that is
// taken for a lack of precision. Each time takes some 40 bits off what is to be
// subtracted.
const patience = 2000

// reduce is LLL with deep moves: a row goes up at once to where Lovász' condition puts
// it. done is told about each row that is in its place.
func (red *reducer) reduce(ctx context.Context, done func(k int)) (outcome, error) {
	n := red.len()
	for k := 0; k < n; {
		if err := ctx.Err(); err != nil {
			return unsettled, err
		}
		if o := red.sizeReduce(k); o != reduced {
			return o, nil
		}
		if !(red.s[0] > 0) {
			return dependent, nil
		}
		to := k
		for to > 0 && red.shorter(to-1, k) {
			to--
		}
		if to < k {
			red.move(k, to)
			red.r[k], red.r[to] = red.r[to], red.r[k]
			red.mu[k], red.mu[to] = red.mu[to], red.mu[k]
		}
		red.r[to][to] = red.s[to]
		k = to + 1
		done(k)
	}
	return reduced, nil
}

// shorter reports whether row k, projected like row j, is shorter than that by Lovász'
// condition.
func (red *reducer) shorter(j, k int) bool {
	return floatDelta*red.r[j][j] > math.Ldexp(red.s[j], 2*(red.exponent(k)-red.exponent(j)))
}

// sizeReduce subtracts from row k what it has of rows 0 to k − 1 in whole multiples,
// from the last to the first: Babai's nearest plane. What it has is known to 53 bits,
// and changes as it is subtracted, so it repeats until there is nothing left.
func (red *reducer) sizeReduce(k int) outcome {
	for range patience {
		red.orthogonalise(k)
		changed, ok := red.subtractAll(k)
		if !ok {
			return full
		}
		if !changed {
			return reduced
		}
		red.settle(k)
	}
	return unsettled
}

// orthogonalise computes r, mu and s of row k from its inner products.
func (red *reducer) orthogonalise(k int) {
	r, mu := red.r[k], red.mu[k]
	red.gram(k, r)
	for j := range k {
		v := r[j]
		for l, m := range red.mu[j][:j] {
			v -= m * r[l]
		}
		r[j], mu[j] = v, v/red.r[j][j]
	}
	s := r[k]
	red.s[0] = s
	for j := range k {
		s -= mu[j] * r[j]
		red.s[j+1] = s
	}
	r[k] = s
}

// subtractAll subtracts the rounded coefficients of row k once, and reports whether
// there were any and whether there was room.
func (red *reducer) subtractAll(k int) (changed, ok bool) {
	x := red.x[:k]
	copy(x, red.mu[k])
	for j := k - 1; j >= 0; j-- {
		q, shift, scaled := multiple(x[j], red.exponent(k)-red.exponent(j))
		if q == 0 {
			continue
		}
		changed = true
		if !red.subtract(k, j, q, shift) {
			return changed, false
		}
		for l, m := range red.mu[j][:j] {
			x[l] -= scaled * m
		}
	}
	return changed, true
}

// multiple returns the integer q·2^shift nearest to x·2^e, as far as 53 bits tell it,
// and the same divided by 2^e. It is zero for a coefficient that may stay.
func multiple(x float64, e int) (q float64, shift int, scaled float64) {
	frac, exp := math.Frexp(x)
	exp += e
	if exp > 52 {
		return math.Ldexp(frac, 53), exp - 53, x
	}
	v := math.Ldexp(frac, exp)
	if math.Abs(v) <= floatEta {
		return 0, 0, 0
	}
	q = math.Round(v)
	return q, 0, math.Ldexp(q, -e)
}
