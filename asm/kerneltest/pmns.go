package kerneltest

import (
	"fmt"
	"math/big"

	"residue/asm/internal/machine"
	"residue/asm/pmns"
)

// PMNS is the routines for polynomials modulo E = Xⁿ − 2 with coefficients of s words,
// of one set: what residue/pmns calls, with the constants that its newConstants makes.
// Word μ of coefficient i is word i of the vectors from vector μ·n̄ on. Mul sets
// z = (x·y + Q·M)/φ modulo E, for Q = x·y·M′ modulo E and φ.
type PMNS struct {
	Across
	Shape pmns.Set
}

// vectorsOf is n̄, the number of vectors that have a word of n coefficients.
func vectorsOf(n int) int { return (n + vectorLanes - 1) / vectorLanes }

// elementVectors is the number of vectors of a polynomial.
func elementVectors(s pmns.Set) int { return s.Words * vectorsOf(s.Coefficients) }

// pmnsConstantVectors is the number of vectors of the constants: s rows of M′ and of M, each
// of n words of 2P and n of P and zeros up to 2n̄ vectors, and a mask.
func pmnsConstantVectors(s pmns.Set) int { return 4*elementVectors(s) + 1 }

// pmnsWorkVectors is the number of vectors that a product works in.
func pmnsWorkVectors(s pmns.Set) int { return 12*elementVectors(s) + 8 }

// PMNSBytes is enough memory for a PMNS, and for others of its polynomials.
func PMNSBytes(s pmns.Set, others int) int {
	return acrossBytes(pmnsConstantVectors(s), pmnsWorkVectors(s), elementVectors(s), others)
}

// NewPMNS prepares M = 1 for polynomials of a set. form is of products: "", "Full" or
// "Karatsuba".
func NewPMNS(l *Lab, s pmns.Set, form string) *PMNS {
	size := fmt.Sprintf("%dx%d", s.Coefficients, s.Words)
	p := &PMNS{newAcross(l, size, pmnsConstantVectors(s), pmnsWorkVectors(s), elementVectors(s)), s}
	p.Form = form
	one := p.Ring().constant(big.NewInt(1))
	p.SetModulus(one, p.Ring().negativeInverse(one))
	return p
}

// Has reports whether there is a routine for products of its form.
func (p *PMNS) Has() bool { return p.Routines[p.routine("Mul"+p.Form)] != nil }

// Ring is where the kernel's polynomials are.
func (p *PMNS) Ring() Ring { return Ring{p.Shape.Coefficients, digitBits * p.Shape.Words} }

// SetModulus sets M and M′, which are secrets.
func (p *PMNS) SetModulus(m, negativeInverse Polynomial) {
	row := 2 * vectorLanes * vectorsOf(p.Shape.Coefficients)
	var words []uint64
	for _, polynomial := range []Polynomial{negativeInverse, m} {
		for w := range p.Shape.Words {
			r := make([]uint64, row)
			for i, v := range polynomial {
				twice := new(big.Int).Lsh(v, 1)
				r[i] = wordOf(twice, w)
				r[p.Shape.Coefficients+i] = wordOf(v, w)
			}
			words = append(words, r...)
		}
	}
	for range vectorLanes {
		words = append(words, digitMask)
	}
	p.Set(p.constants, words, false)
}

// wordOf is word w of a number.
func wordOf(v *big.Int, w int) uint64 {
	d := new(big.Int).Rsh(v, uint(digitBits*w))
	return d.And(d, minus(pow2(digitBits), 1)).Uint64()
}

// SetPolynomial sets a polynomial, which is a secret, with litter above its words and in
// the lanes that have none.
func (p *PMNS) SetPolynomial(x machine.Span, v Polynomial, litter func() uint64) {
	lanes := vectorLanes * vectorsOf(p.Shape.Coefficients)
	ds := make([]uint64, p.words)
	for i := range ds {
		if lane := i % lanes; lane < p.Shape.Coefficients {
			ds[i] = wordOf(v[lane], i/lanes)
		} else {
			ds[i] = litter() & digitMask
		}
	}
	p.SetDigits(x, ds, litter)
}

// Polynomial returns a polynomial in memory.
func (p *PMNS) Polynomial(x machine.Span) Polynomial {
	lanes := vectorLanes * vectorsOf(p.Shape.Coefficients)
	ds, v := p.DigitsAt(x), make(Polynomial, p.Shape.Coefficients)
	for i := range v {
		c, d := new(big.Int), new(big.Int)
		for w := p.Shape.Words - 1; w >= 0; w-- {
			c.Lsh(c, digitBits).Or(c, d.SetUint64(ds[w*lanes+i]))
		}
		v[i] = c
	}
	return v
}
