package pmns

import "math/big"

// Bounds of coefficients. A product modulo Xⁿ − λ adds λ·a_i·b_j to coefficient
// i + j − n. With θ = λ^(1/n) and |a_i| ≤ ρ·θ^−i, and b likewise, each of the n products
// of a coefficient is at most ρ²·θ^−k, whether or not it comes with λ = θⁿ. So
// coefficient k of the product is at most n·ρ²·θ^−k, of the same form, where a bound
// that is the same for all coefficients would have to allow for 1 + λ(n−1) instead of n.
//
// Coefficient k of Q·M, for Q with coefficients below φ, is below φ·N_k for the
// coefficients N_k of M·(1 + X + … + X^(n−1)) modulo E. With N the largest of N_k·θ^k,
// a product after its reduction is at most (n·ρ²/φ + N)·θ^−k, and that is at most
// ρ·θ^−k for some ρ if and only if φ ≥ 4·n·N; then it is for ρ = 2N. If φ is larger, with
// this ρ, operands may be sums, of any x and y elements with x·y ≤ φ/(4·n·N): their weight.
//
// θ is irrational. The powers here are rounded up, and N is larger by a share of 2^−40
// and by λ + 1, so that ρ·θ^−k may be rounded down; what the bounds are for is checked
// with the integers that come out (closed).

const (
	thetaBits = 64 // of fraction
	slackBits = 40
)

// thetas returns θ^k·2^thetaBits, rounded up, for k = 0 … n − 1.
func thetas(n, lambda int) []*big.Int {
	t := make([]*big.Int, n)
	for k := range t {
		// The n-th root of λ^k·2^(n·thetaBits).
		v := new(big.Int).Exp(big.NewInt(int64(lambda)), big.NewInt(int64(k)), nil)
		t[k] = ceilRoot(v.Lsh(v, uint(n*thetaBits)), n)
	}
	return t
}

// ceilRoot returns the least integer whose n-th power is v or more.
func ceilRoot(v *big.Int, n int) *big.Int {
	lo, hi := new(big.Int), pow2(v.BitLen()/n+1) // lo^n < v ≤ hi^n
	e, mid, power := big.NewInt(int64(n)), new(big.Int), new(big.Int)
	for {
		mid.Add(lo, hi).Rsh(mid, 1)
		if mid.Cmp(lo) == 0 {
			return hi
		}
		if power.Exp(mid, e, nil).Cmp(v) < 0 {
			lo.Set(mid)
		} else {
			hi.Set(mid)
		}
	}
}

// norms returns N_k: the coefficients of m·(1 + X + … + X^(n−1)) modulo E, which are
// those of m up to k and λ times the others.
func norms(m []*big.Int, lambda int) []*big.Int {
	ones := zeroPolynomial(len(m))
	for _, x := range ones {
		x.SetInt64(1)
	}
	return mulMod(m, ones, lambda)
}

// norm returns N, rounded up.
func norm(m []*big.Int, lambda int) *big.Int {
	most, t := new(big.Int), new(big.Int)
	theta := thetas(len(m), lambda)
	for k, v := range norms(m, lambda) {
		if t.Mul(v, theta[k]); t.Cmp(most) > 0 {
			most, t = t, most
		}
	}
	most.Rsh(most, thetaBits)
	t.Rsh(most, slackBits)
	return most.Add(most, t).Add(most, big.NewInt(int64(lambda)+1))
}

// phiFor returns 4·n·N, which φ must be at least.
func phiFor(n int, norm *big.Int) *big.Int {
	return new(big.Int).Mul(big.NewInt(int64(4*n)), norm)
}

// bounds returns what the coefficients of an element are at most: ρ·θ^−k.
func bounds(n, lambda int, rho *big.Int) []*big.Int {
	theta := thetas(n, lambda)
	bs := make([]*big.Int, n)
	for k := range bs {
		bs[k] = new(big.Int).Lsh(rho, thetaBits)
		bs[k].Quo(bs[k], theta[k])
	}
	return bs
}

// closed reports whether the reduction of a polynomial with coefficients of at most c has
// such of at most r: the first k where it does not, or n.
func closed(c, r, norms []*big.Int, phi *big.Int) int {
	t := new(big.Int)
	for k := range c {
		// (c + Q·M)/φ < c/φ + N_k, and both sides of what is to be shown are integers.
		t.Sub(r[k], norms[k])
		if t.Mul(t, phi).Cmp(c[k]) < 0 {
			return k
		}
	}
	return len(c)
}
