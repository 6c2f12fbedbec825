package pmns

import "math/big"

// representer finds short polynomials for numbers, with math/big: what a system needs of
// them when it is made.
type representer struct {
	*Params
	phi   *big.Int
	steps int // reductions that a number below p needs: φ^steps ≥ p
}

func newRepresenter(p *Params) *representer {
	k := p.Width * p.Words
	return &representer{Params: p, phi: p.Phi(), steps: (p.P.BitLen() + k - 1) / k}
}

// representation returns a polynomial with value v modulo p and coefficients of at most
// N_k + 1: a reduction divides a coefficient by φ and adds N_k at most.
func (r *representer) representation(v *big.Int) []*big.Int { return r.longerRepresentation(v, 0) }

// longerRepresentation makes more reductions than it needs, and so another polynomial for
// each number of them.
func (r *representer) longerRepresentation(v *big.Int, more int) []*big.Int {
	a := zeroPolynomial(r.N)
	a[0].Exp(r.phi, big.NewInt(int64(r.steps+more)), r.P)
	a[0].Mul(a[0], v)
	a[0].Mod(a[0], r.P)
	for range r.steps + more {
		a = r.redc(a)
	}
	return a
}

// redc returns (a + Q·M)/φ.
func (r *representer) redc(a []*big.Int) []*big.Int {
	k := r.Width * r.Words
	low := clonePolynomial(a)
	truncate(low, k)
	q := mulMod(low, r.MPrime, r.Lambda)
	truncate(q, k)
	t := mulMod(q, r.M, r.Lambda)
	for i, x := range t {
		x.Add(x, a[i])
		x.Rsh(x, uint(k))
	}
	return t
}

func clonePolynomial(a []*big.Int) []*big.Int {
	c := make([]*big.Int, len(a))
	for i, x := range a {
		c[i] = new(big.Int).Set(x)
	}
	return c
}
