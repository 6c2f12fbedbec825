package kerneltest

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// montCase is operands below 2N.
type montCase struct {
	what    string
	n, x, y *big.Int
}

// rippleCases are products of which the digits of the low half of C = x·y, of Q, or
// of the result are known to begin or go on with zeros or ones. Columns are sums of
// many digit products. If such a sum and what is carried into it leave a digit of
// zero, then a carry of one comes out, or β − 1 was there before; so one carry runs
// through all the zeros, from lane to lane and from vector to vector.
func (m *Mont) rippleCases(r *rand.Rand, n *big.Int) (cases []montCase) {
	k := m.Log2R()
	twice := multiple(n, 2)
	add := func(what string, x, y *big.Int) {
		cases = append(cases, montCase{what, n, x, y})
	}
	// Factors for the low half of a product: all of it, or of as many digits as 2N has.
	factors := func(what string, low *big.Int) {
		x := new(big.Int).Rsh(twice, 1+uint(r.IntN(3)))
		x.Sub(x, below(r, x)).SetBit(x, 0, 1)
		y := quotient(low, x, k)
		if y.Cmp(twice) >= 0 {
			y = quotient(low, x, n.BitLen())
		}
		add(what, x, y)
		if x, ok := squareRoot(low, k); ok {
			for _, x := range []*big.Int{x, new(big.Int).Sub(pow2(k-1), x)} {
				if x.Cmp(twice) < 0 {
					add(what+" in a square", x, x)
				}
			}
		}
	}
	// −Q·N modulo R is the low half of C for a quotient Q.
	forQuotient := func(q *big.Int) *big.Int {
		low := new(big.Int).Mul(q, n)
		return low.Neg(low).Mod(low, pow2(k))
	}
	forSquare := quotient(big.NewInt(-1), n, 3).Int64() // modulo 8: then the low half is 1
	someDigit := func() int { return m.Bits * (1 + r.IntN(m.Words()-1)) }
	for range 6 {
		factors("zeros in the low half", m.withZeros(r, 1))
		factors("zeros in the quotient", forQuotient(m.withZeros(r, forSquare)))
	}
	for _, low := range []*big.Int{
		big.NewInt(1), big.NewInt(17), minus(pow2(k), 1), minus(pow2(k), 7),
		minus(pow2(someDigit()), -1), minus(pow2(k-1), -17), minus(pow2(someDigit()), 7),
	} {
		factors("the low half", low)
	}
	for _, q := range []*big.Int{
		big.NewInt(1), big.NewInt(forSquare), minus(pow2(k), 1), pow2(someDigit()), minus(pow2(someDigit()), 1),
		minus(pow2(someDigit()), -forSquare), minus(pow2(k-1), -forSquare),
	} {
		factors("the quotient", forQuotient(q))
	}
	// The highest digit of the columns below R alone, or nothing there.
	add("the carry into the upper half", pow2(n.BitLen()/2), pow2(n.BitLen()/2))
	for _, digit := range []int{k - m.Bits, k - 2*m.Bits, k - 1} {
		factors("the last digits", pow2(digit))
		factors("the last digits of the quotient", forQuotient(pow2(digit)))
	}
	// The product of u·2^a and v·2^b is u·v·2^(a+b)/R, which has zeros wherever u·v
	// has and below. It is about as long as N: a shorter one would come out with N added.
	for i := range 24 {
		sparse := func() *big.Int {
			piece := func() *big.Int { return random(r, 1+r.IntN(min(100, n.BitLen()/8))) }
			u := big.NewInt(1)
			if i > 5 {
				u = piece()
				u.Lsh(u, uint(r.IntN(n.BitLen()/4))).Add(u, piece()).SetBit(u, 0, 1)
			}
			u.Lsh(u, uint((k+n.BitLen())/2-u.BitLen()-r.IntN(2)))
			return u.Mod(u, n)
		}
		x, y := sparse(), sparse()
		add("zeros in the result", x, y)
		add("zeros in the result", new(big.Int).Sub(n, x), new(big.Int).Sub(n, y))
		add("ones in the result", x, new(big.Int).Sub(n, y))
	}
	// Any result, and R itself.
	for _, z := range []*big.Int{
		big.NewInt(1), pow2(n.BitLen() - 1), minus(pow2(n.BitLen()-1), 1),
		new(big.Int).Xor(pow2(n.BitLen()-1), minus(pow2(n.BitLen()/2), 1)), minus(n, 1),
	} {
		x := below(r, n)
		inverse := new(big.Int).ModInverse(x, n)
		if inverse == nil {
			continue
		}
		y := new(big.Int).Lsh(z, uint(k))
		add("the result", x, y.Mul(y, inverse).Mod(y, n))
	}
	one := new(big.Int).Mod(pow2(k), n)
	for _, x := range []*big.Int{one, minus(one, -1), new(big.Int).Sub(n, one), new(big.Int).Sub(twice, one)} {
		for _, y := range []*big.Int{big.NewInt(1), minus(n, 1), minus(twice, 1), one} {
			add("R modulo N", x, y)
		}
	}
	return cases
}

// withZeros returns a number below R of which half of the digits are zero, and that is
// the given one modulo 8.
func (m *Mont) withZeros(r *rand.Rand, modulo8 int64) *big.Int {
	ds := make([]uint64, m.Words())
	for i := range ds {
		if r.IntN(2) > 0 {
			ds[i] = r.Uint64N(1 << m.Bits)
		}
	}
	ds[0] = ds[0]&^7 | uint64(modulo8)
	return m.join(ds)
}

// quotient returns a/x modulo 2^bits for an odd x.
func quotient(a, x *big.Int, bits int) *big.Int {
	r := pow2(bits)
	q := new(big.Int).ModInverse(x, r)
	if q == nil { // modulo 1
		return new(big.Int)
	}
	return q.Mul(q, a).Mod(q, r)
}

// squareRoot returns the least square root of a modulo 2^bits; ok says whether a is odd and
// has any.
func squareRoot(a *big.Int, bits int) (x *big.Int, ok bool) {
	if new(big.Int).And(a, big.NewInt(7)).Cmp(big.NewInt(1)) != 0 {
		return nil, false
	}
	// Newton's iteration for 1/√a: each step but for two doubles the bits that are
	// right, and halves one away.
	r := pow2(bits + 64)
	y := big.NewInt(1)
	for good := 3; good < bits; good = 2*good - 2 {
		t := new(big.Int).Mul(y, y)
		t.Mul(t, a).Sub(big.NewInt(3), t)
		y.Mul(y, t).Rsh(y, 1).Mod(y, r)
	}
	x = y.Mul(y, a)
	half := pow2(bits - 1)
	x.Mod(x, half)
	if negative := new(big.Int).Sub(half, x); negative.Cmp(x) < 0 {
		x = negative
	}
	return x, true
}

// TestSquareRoot: squareRoot and quotient are what they say.
func TestSquareRoot(t *testing.T) {
	for _, bits := range []int{4, 52, 400, 2080} {
		r := pow2(bits)
		for _, a := range []int64{1, 17, 41, -7, 1<<40*3 + 1} {
			v := new(big.Int).Mod(big.NewInt(a), r)
			x, ok := squareRoot(v, bits)
			if square := new(big.Int); !ok || square.Mul(x, x).Mod(square, r).Cmp(v) != 0 {
				t.Errorf("a root of %d modulo 2^%d: %v, %v", a, bits, x, ok)
			}
			q := quotient(big.NewInt(-a), v, bits)
			if q.Cmp(minus(r, 1)) != 0 {
				t.Errorf("-%d/%d modulo 2^%d: %#x", a, a, bits, q)
			}
		}
	}
}

// rippleModuli are moduli for ripple cases: long ones.
func (m *Mont) rippleModuli(r *rand.Rand) []*big.Int {
	bits := m.ModulusBits()
	dense := random(r, bits)
	dense.SetBit(dense, 0, 1).SetBit(dense, bits-1, 1)
	runs := new(big.Int)
	for range 7 {
		runs.Xor(runs, minus(pow2(1+r.IntN(bits)), 1))
	}
	runs.SetBit(runs, 0, 1).SetBit(runs, bits-1, 1)
	nearly := minus(pow2(bits), 1)
	nearly.Sub(nearly, pow2(1+r.IntN(bits-2)))
	return []*big.Int{
		dense, runs, nearly,
		minus(pow2(bits), 1), minus(pow2(bits-1), -1), minus(pow2(bits-bits%m.Bits), 1),
	}
}

// TestMontRipples has the cases in which carries run far.
func TestMontRipples(t *testing.T) {
	eachMont(t, montCheckNumbers, func(t *testing.T, m *Mont) {
		r := rand.New(rand.NewPCG(87, uint64(m.Vectors)))
		c := newMontCheck(m, r)
		for _, n := range m.rippleModuli(r) {
			c.setModulus(n)
			for _, tt := range m.rippleCases(r, n) {
				if err := c.mul(m.split(tt.x), m.split(tt.y)); err != nil {
					t.Fatalf("%s, %#x · %#x: %v", tt.what, tt.x, tt.y, err)
				}
				if err := c.sqr(m.split(tt.x), 1); err != nil {
					t.Fatalf("%s, %#x²: %v", tt.what, tt.x, err)
				}
			}
		}
	})
}
