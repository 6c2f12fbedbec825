package pmns

import "math/big"

// root returns an n-th root of a modulo the prime p, or nil if there is none. It takes
// one prime factor of n after the other, and tries all roots that one gives.
func root(a *big.Int, n int, p *big.Int) *big.Int {
	if n == 1 {
		return a
	}
	r := smallestFactor(n)
	for _, x := range primeRoots(a, r, p) {
		if y := root(x, n/r, p); y != nil {
			return y
		}
	}
	return nil
}

func smallestFactor(n int) int {
	for r := 2; r*r <= n; r++ {
		if n%r == 0 {
			return r
		}
	}
	return n
}

// primeRoots returns the r-th roots of a modulo p, for primes r and p. Where r divides
// p − 1 it is the method of L. Adleman, K. Manders and G. Miller (On taking roots in
// finite fields, FOCS 1977): of p − 1 = r^e·t the part t is easy, and in the group of
// order r^e the root is a discrete logarithm, found digit by digit.
func primeRoots(a *big.Int, r int, p *big.Int) []*big.Int {
	bigR := big.NewInt(int64(r))
	t, e := new(big.Int).Sub(p, bigOne), 0
	for q, m := new(big.Int), new(big.Int); ; e++ {
		if q.QuoRem(t, bigR, m); m.Sign() != 0 {
			break
		}
		t.Set(q)
	}
	if e == 0 {
		u := new(big.Int).ModInverse(bigR, t)
		return []*big.Int{u.Exp(a, u, p)}
	}
	cofactor := new(big.Int).Sub(p, bigOne)
	cofactor.Quo(cofactor, bigR)
	isPower := func(x *big.Int) bool {
		if r == 2 {
			return big.Jacobi(x, p) == 1 // which is quicker
		}
		return new(big.Int).Exp(x, cofactor, p).Cmp(bigOne) == 0
	}
	if !isPower(a) {
		return nil
	}
	g := big.NewInt(2)
	for isPower(g) {
		g.Add(g, bigOne)
	}
	c := new(big.Int).Exp(g, t, p) // of order r^e
	mul := func(x, y *big.Int) *big.Int { z := new(big.Int).Mul(x, y); return z.Mod(z, p) }
	power := func(x *big.Int, k int) *big.Int { // x^(r^k)
		return new(big.Int).Exp(x, new(big.Int).Exp(bigR, big.NewInt(int64(k)), nil), p)
	}
	zeta := power(c, e-1) // of order r

	// x^r = a·b, with b in the group that c^r generates.
	x := new(big.Int).ModInverse(bigR, t)
	x.Exp(a, x, p)
	b := mul(power(x, 1), new(big.Int).ModInverse(a, p))
	for i := range e - 1 {
		// b is of order r^(e−1−i) at most. Where it is of that order, powers of c^(r^i)
		// take it to less.
		step := new(big.Int).ModInverse(power(c, i), p)
		target, z := power(b, e-2-i), big.NewInt(1)
		for z.Cmp(target) != 0 {
			z = mul(z, zeta)
			x = mul(x, step)
			b = mul(b, power(step, 1))
		}
	}
	roots := make([]*big.Int, r)
	for i := range roots {
		roots[i] = x
		x = mul(x, zeta)
	}
	return roots
}
