package pmns

import (
	"errors"
	"fmt"
	"math"
	"math/big"
)

// Limits of parameters.
const (
	MaxN      = 128
	MaxLambda = 64
	MinWidth  = 16
	MaxWidth  = 52
	// maxProducts bounds n·s. A column of a product gets n·s low and as many high halves
	// of word products, of less than 2^52 each, a few carries, and in the reduction the
	// same again: less than 2^64. It also makes what is carried into a column less than
	// 2^MinWidth, on which the carry of the truncated reduction rests.
	maxProducts = 1000
)

// Params are the parameters of a polynomial modular number system. An element is a
// polynomial of n coefficients, each of s words of w bits, modulo E = Xⁿ − λ, and its
// value is that at γ, modulo p. Coefficient k is at most ρ·λ^(−k/n).
//
// Whoever changes fields has to Complete or Verify them.
type Params struct {
	Name string // may be empty

	P      *big.Int // an odd modulus; that it is prime is not needed
	N      int      // n
	Lambda int      // λ, from 2 up
	Gamma  *big.Int // γⁿ ≡ λ modulo p
	Width  int      // w: bits of a word
	Words  int      // s: φ = 2^(w·s)

	// M has non-negative coefficients and M(γ) ≡ 0 modulo p. MPrime is −1/M modulo E and
	// φ.
	M, MPrime []*big.Int

	Rho *big.Int // ρ = 2N, with the norm N of M
}

// Phi returns φ.
func (p *Params) Phi() *big.Int { return pow2(p.Width * p.Words) }

// Bounds returns the largest values that the coefficients of an element can have.
func (p *Params) Bounds() []*big.Int { return bounds(p.N, p.Lambda, p.Rho) }

// SlackBits returns log2(φ/(4·n·N)): how many bits φ has more than it needs.
func (p *Params) SlackBits() float64 {
	return float64(p.Width*p.Words) - log2(phiFor(p.N, norm(p.M, p.Lambda)))
}

// Cost returns how many multiply-adds of vectors a product takes, in which a vector has
// eight coefficients: half of those of two words for a low half of their product, half
// for a high one. For Karatsuba it is that of [Truncated]: how many are saved is the
// kernel's.
func (p *Params) Cost(v Variant) int { return cost(p.N, p.Words, v) }

// SquareCost is Cost for a square: products of different words of two coefficients occur
// twice, and are needed once. With [Full] a square is a product.
func (p *Params) SquareCost(v Variant) int { return squareCost(p.N, p.Words, v) }

// A ConditionError tells which condition a set of parameters fails, and both sides of
// it.
type ConditionError struct {
	Condition   string // as in docs/pmns.md
	Left, Right *big.Int
}

func (e *ConditionError) Error() string {
	return fmt.Sprintf("pmns: the parameters do not meet the condition %s: %s and %s", e.Condition, show(e.Left), show(e.Right))
}

// show writes numbers of more than 64 bits as a power of two.
func show(v *big.Int) string {
	if v.BitLen() <= 64 {
		return v.String()
	}
	sign := ""
	if v.Sign() < 0 {
		sign = "−"
	}
	return fmt.Sprintf("%s2^%.3f", sign, log2(v))
}

// log2 returns the binary logarithm of |v|, which is not 0.
func log2(v *big.Int) float64 {
	f := new(big.Float).SetInt(v)
	e := f.MantExp(f)
	m, _ := f.Float64()
	return float64(e) + math.Log2(math.Abs(m))
}

// Complete computes MPrime and Rho, and verifies everything. The other fields must be
// there.
func (p *Params) Complete() error {
	if err := p.checkShape(); err != nil {
		return err
	}
	if p.MPrime = negInverse(p.M, p.Lambda, p.Width*p.Words); p.MPrime == nil {
		return errors.New("pmns: M has no inverse modulo E and φ")
	}
	p.Rho = new(big.Int).Lsh(norm(p.M, p.Lambda), 1)
	return p.Verify()
}

// Verify checks all that the arithmetic relies on, in integers. A condition that does
// not hold is a [*ConditionError].
func (p *Params) Verify() error {
	if err := p.checkShape(); err != nil {
		return err
	}
	v := new(big.Int).Exp(p.Gamma, big.NewInt(int64(p.N)), p.P)
	if l := big.NewInt(int64(p.Lambda)); new(big.Int).Mod(l, p.P).Cmp(v) != 0 {
		return &ConditionError{"γⁿ ≡ λ modulo p", v, l}
	}
	for k, m := range p.M {
		if m.Sign() < 0 {
			return &ConditionError{fmt.Sprintf("M_%d ≥ 0", k), m, new(big.Int)}
		}
	}
	if v := evaluate(p.M, p.Gamma, p.P); v.Sign() != 0 {
		return &ConditionError{"M(γ) ≡ 0 modulo p", v, new(big.Int)}
	}
	if err := p.checkInverse(); err != nil {
		return err
	}
	return p.checkBounds()
}

// checkShape checks that the numbers are there and have sizes that are implemented.
func (p *Params) checkShape() error {
	switch {
	case p.P == nil || p.Gamma == nil:
		return errors.New("pmns: parameters without p or γ")
	case p.P.Sign() <= 0 || p.P.Bit(0) == 0 || p.P.Cmp(bigOne) == 0:
		return fmt.Errorf("pmns: p is %d, and must be odd and at least 3", p.P)
	case p.N < 2 || p.N > MaxN:
		return fmt.Errorf("pmns: n is %d, from 2 to %d are allowed", p.N, MaxN)
	case p.Lambda < 2 || p.Lambda > MaxLambda:
		return fmt.Errorf("pmns: λ is %d, from 2 to %d are allowed", p.Lambda, MaxLambda)
	case p.Width < MinWidth || p.Width > MaxWidth:
		return fmt.Errorf("pmns: w is %d, from %d to %d are allowed", p.Width, MinWidth, MaxWidth)
	case p.Words < 1 || p.N*p.Words > maxProducts:
		return fmt.Errorf("pmns: s is %d, from 1 to %d are allowed for n = %d", p.Words, maxProducts/p.N, p.N)
	case len(p.M) != p.N:
		return fmt.Errorf("pmns: M has %d coefficients, not n = %d", len(p.M), p.N)
	}
	return nil
}

func (p *Params) checkInverse() error {
	if len(p.MPrime) != p.N {
		return fmt.Errorf("pmns: M′ has %d coefficients, not n = %d", len(p.MPrime), p.N)
	}
	phi := p.Phi()
	for k, m := range p.MPrime {
		if m.Sign() < 0 || m.Cmp(phi) >= 0 {
			return &ConditionError{fmt.Sprintf("0 ≤ M′_%d < φ", k), m, phi}
		}
	}
	product := mulMod(p.M, p.MPrime, p.Lambda)
	truncate(product, p.Width*p.Words)
	for k, got := range product {
		want := new(big.Int)
		if k == 0 {
			want.Sub(phi, bigOne)
		}
		if got.Cmp(want) != 0 {
			return &ConditionError{fmt.Sprintf("M·M′ ≡ −1 modulo E and φ, in coefficient %d", k), got, want}
		}
	}
	return nil
}

// checkBounds is that products are elements.
func (p *Params) checkBounds() error {
	n, phi := norm(p.M, p.Lambda), p.Phi()
	if need := phiFor(p.N, n); phi.Cmp(need) < 0 {
		return &ConditionError{"φ ≥ 4·n·N", phi, need}
	}
	if p.Rho == nil {
		return errors.New("pmns: parameters without ρ")
	}
	if rho := n.Lsh(n, 1); p.Rho.Cmp(rho) != 0 {
		return &ConditionError{"ρ = 2·N", p.Rho, rho}
	}
	if most := new(big.Int).Mul(p.Rho, big.NewInt(int64(p.Lambda))); phi.Cmp(most) <= 0 {
		return &ConditionError{"φ > λ·ρ", phi, most}
	}
	r, ns := p.Bounds(), norms(p.M, p.Lambda)
	c := mulMod(r, r, p.Lambda)
	for _, x := range c {
		x.Mul(x, big.NewInt(int64(p.Weight())))
	}
	if k := closed(c, r, ns, phi); k < p.N {
		c[k].Add(c[k], ns[k].Mul(ns[k], phi))
		return &ConditionError{fmt.Sprintf("the reduction of a product is at most φ·ρ_%d", k), c[k], r[k].Mul(r[k], phi)}
	}
	return nil
}

// Weight returns how much room there is for sums: of x and of y elements, they may be
// multiplied if x·y is at most that, and at most 64. Coefficients of an operand times λ
// are below φ.
func (p *Params) Weight() int {
	w := new(big.Int).Quo(p.Phi(), new(big.Int).Mul(p.Rho, big.NewInt(int64(2*p.N))))
	room := new(big.Int).Quo(p.Phi(), new(big.Int).Mul(p.Rho, big.NewInt(int64(p.Lambda))))
	return int(minInt(minInt(w, room), big.NewInt(maxWeight)).Int64())
}

const maxWeight = 64
