package pmns

import "math/big"

// Polynomials of parameters are slices of their n coefficients, from the constant one
// up. They are public.

var bigOne = big.NewInt(1)

// pow2 returns 2^k.
func pow2(k int) *big.Int { return new(big.Int).Lsh(bigOne, uint(k)) }

// mulMod returns a·b modulo Xⁿ − λ.
func mulMod(a, b []*big.Int, lambda int) []*big.Int {
	n := len(a)
	low, high := zeroPolynomial(n), zeroPolynomial(n)
	t := new(big.Int)
	for i, x := range a {
		for j, y := range b {
			z := low
			if i+j >= n {
				z = high
			}
			k := (i + j) % n
			z[k].Add(z[k], t.Mul(x, y))
		}
	}
	l := big.NewInt(int64(lambda))
	for k := range low {
		low[k].Add(low[k], t.Mul(l, high[k]))
	}
	return low
}

// truncate sets the coefficients of a to what they are modulo 2^k, from 0 up.
func truncate(a []*big.Int, k int) {
	mask := pow2(k)
	mask.Sub(mask, bigOne)
	for _, x := range a {
		x.And(x, mask)
	}
}

// evaluate returns a(γ) modulo p.
func evaluate(a []*big.Int, gamma, p *big.Int) *big.Int {
	v := new(big.Int)
	for i := len(a) - 1; i >= 0; i-- {
		v.Mul(v, gamma).Add(v, a[i]).Mod(v, p)
	}
	return v
}

func zeroPolynomial(n int) []*big.Int {
	a := make([]*big.Int, n)
	for i := range a {
		a[i] = new(big.Int)
	}
	return a
}

// negInverse returns −1/a modulo Xⁿ − λ and 2^k, with coefficients from 0 up, or nil if
// there is none. It is Newton's iteration from the inverse modulo 2: if a·x = 1 − e then
// a·x·(1 + e) = 1 − e².
func negInverse(a []*big.Int, lambda, k int) []*big.Int {
	x := inverseMod2(a, lambda)
	if x == nil {
		return nil
	}
	for known := 1; known < k; {
		known = min(2*known, k)
		e := mulMod(a, x, lambda)
		for _, c := range e {
			c.Neg(c)
		}
		e[0].Add(e[0], big.NewInt(2)) // 1 + e
		truncate(e, known)
		x = mulMod(x, e, lambda)
		truncate(x, known)
	}
	for _, c := range x {
		c.Neg(c)
	}
	truncate(x, k)
	return x
}

// inverseMod2 returns 1/a modulo Xⁿ − λ and 2, or nil, by Euclid's algorithm on
// polynomials whose coefficients are the bits of integers. For an even λ that is modulo
// Xⁿ, where a has an inverse if and only if its constant coefficient is odd.
func inverseMod2(a []*big.Int, lambda int) []*big.Int {
	n := len(a)
	modulus := pow2(n)
	modulus.SetBit(modulus, 0, uint(lambda)&1)
	r0, r1 := modulus, new(big.Int)
	for i, c := range a {
		r1.SetBit(r1, i, c.Bit(0))
	}
	x0, x1 := new(big.Int), big.NewInt(1) // r ≡ x·a
	t := new(big.Int)
	for r1.Sign() != 0 {
		d := r0.BitLen() - r1.BitLen()
		if d < 0 {
			r0, r1, x0, x1 = r1, r0, x1, x0
			continue
		}
		r0.Xor(r0, t.Lsh(r1, uint(d)))
		x0.Xor(x0, t.Lsh(x1, uint(d)))
		if r0.BitLen() < r1.BitLen() {
			r0, r1, x0, x1 = r1, r0, x1, x0
		}
	}
	if r0.Cmp(bigOne) != 0 {
		return nil
	}
	x := zeroPolynomial(n)
	for i := range x0.BitLen() { // its degree is below n
		x[i].SetUint64(uint64(x0.Bit(i)))
	}
	return x
}
