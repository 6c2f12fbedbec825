package kerneltest

import (
	"fmt"
	"math/big"
)

// Polynomial has n coefficients, that of X^i first.
type Polynomial []*big.Int

// Equal reports whether all coefficients are the same.
func (x Polynomial) Equal(y Polynomial) bool {
	for i := range x {
		if x[i].Cmp(y[i]) != 0 {
			return false
		}
	}
	return len(x) == len(y)
}

// at returns the value at γ modulo p.
func (x Polynomial) at(gamma, p *big.Int) *big.Int {
	v := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		v.Mul(v, gamma).Add(v, x[i]).Mod(v, p)
	}
	return v
}

// Ring is polynomials modulo Xⁿ − 2, with integers for coefficients or such modulo
// φ = 2^Bits.
type Ring struct{ n, bits int }

// each returns the polynomial with these coefficients.
func (r Ring) each(f func(i int) *big.Int) Polynomial { return each(r.n, f) }

// constant returns the polynomial v, of degree 0.
func (r Ring) constant(v *big.Int) Polynomial { return r.monomial(v, 0) }

// monomial returns v·X^k.
func (r Ring) monomial(v *big.Int, k int) Polynomial {
	return r.each(func(i int) *big.Int {
		if i == k {
			return v
		}
		return new(big.Int)
	})
}

// mul returns x·y.
func (r Ring) mul(x, y Polynomial) Polynomial {
	z := r.each(func(int) *big.Int { return new(big.Int) })
	t := new(big.Int)
	for i := range x {
		if x[i].Sign() == 0 {
			continue
		}
		for j := range y {
			t.Mul(x[i], y[j])
			if i+j >= r.n {
				t.Lsh(t, 1)
			}
			k := (i + j) % r.n
			z[k].Add(z[k], t)
		}
	}
	return z
}

// mulModulo returns x·y modulo φ.
func (r Ring) mulModulo(x, y Polynomial) Polynomial {
	z := r.mul(x, y)
	for _, v := range z {
		v.Mod(v, pow2(r.bits))
	}
	return z
}

// negative returns −x modulo φ.
func (r Ring) negative(x Polynomial) Polynomial {
	return r.each(func(i int) *big.Int {
		v := new(big.Int).Neg(x[i])
		return v.Mod(v, pow2(r.bits))
	})
}

// negativeInverse returns −1/x modulo φ, for x with an odd coefficient of X⁰.
//
// Such an x is 1 modulo X, since 2 is Xⁿ. So 1/x is 1 modulo X, and a step of Newton's
// iteration y → y·(2 − x·y) doubles the power of X modulo which it is right. φ is
// X^(n·bits).
func (r Ring) negativeInverse(x Polynomial) Polynomial {
	y := r.constant(big.NewInt(1))
	for good := 1; good < r.n*r.bits; good *= 2 {
		t := r.negative(r.mulModulo(x, y))
		t[0].Add(t[0], big.NewInt(2))
		y = r.mulModulo(y, t)
	}
	return r.negative(y)
}

// montgomery returns (c + Q·m)/φ for Q = c·m′ modulo φ, and m′ = −1/m modulo φ.
func (r Ring) montgomery(c, m, negativeInverse Polynomial) Polynomial {
	qm := r.mul(r.mulModulo(c, negativeInverse), m)
	return r.each(func(i int) *big.Int {
		v, rest := new(big.Int).Add(c[i], qm[i]), new(big.Int)
		if v.QuoRem(v, pow2(r.bits), rest); rest.Sign() != 0 {
			panic(fmt.Sprintf("kerneltest: φ does not divide coefficient %d", i))
		}
		return v
	})
}
