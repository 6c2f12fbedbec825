package kerneltest

import (
	"fmt"
	"math/big"

	"residue/asm/internal/machine"
	"residue/asm/pmns"
)

// Toeplitz is the routine of a set that splits products, for words of a width, with the
// constants that residue/pmns makes for it. Word μ of coefficient i is word i of the
// vectors from vector μ·n̄ on. Mul does what that of [PMNS] does.
type Toeplitz struct {
	Across
	Shape pmns.Set
	Width int
}

// toeplitzWidth is how many bits words may have: twice a leaf has at most 52.
func toeplitzWidth(s pmns.Set) int {
	most := 0
	for _, sum := range s.Leaves() {
		most = max(most, len(sum))
	}
	width := digitBits
	for ; 2*most*(1<<width-1) >= 1<<digitBits; width-- {
	}
	return width
}

func toeplitzConstantVectors(s pmns.Set) int {
	return 3 + len(pmns.Turns()) + len(s.Leaves())*(vectorLanes+s.Words)
}

func toeplitzWorkVectors(s pmns.Set) int {
	return (4*s.Words+3)*len(s.Leaves()) + vectorsOf(s.Coefficients)
}

// ToeplitzBytes is enough memory for a Toeplitz, and for others of its polynomials.
func ToeplitzBytes(s pmns.Set, others int) int {
	return acrossBytes(toeplitzConstantVectors(s), toeplitzWorkVectors(s), elementVectors(s), others)
}

// NewToeplitz prepares M = 1 for polynomials of a set.
func NewToeplitz(l *Lab, s pmns.Set, width int) *Toeplitz {
	size := fmt.Sprintf("%dx%d", s.Coefficients, s.Words)
	p := &Toeplitz{newAcross(l, size, toeplitzConstantVectors(s), toeplitzWorkVectors(s), elementVectors(s)), s, width}
	p.Form = "Toeplitz"
	one := p.Ring().constant(big.NewInt(1))
	p.SetModulus(one, p.Ring().negativeInverse(one))
	return p
}

// Ring is where the kernel's polynomials are.
func (p *Toeplitz) Ring() Ring { return Ring{p.Shape.Coefficients, p.Width * p.Shape.Words} }

func (p *Toeplitz) wordMask() uint64 { return 1<<p.Width - 1 }

func (p *Toeplitz) wordOf(v *big.Int, w int) uint64 {
	d := new(big.Int).Rsh(v, uint(p.Width*w))
	return d.And(d, new(big.Int).SetUint64(p.wordMask())).Uint64()
}

// SetModulus sets M and M′, which are secrets.
func (p *Toeplitz) SetModulus(m, negativeInverse Polynomial) {
	var words []uint64
	for _, v := range []uint64{p.wordMask(), uint64(p.Width), uint64(digitBits - p.Width)} {
		for range vectorLanes {
			words = append(words, v)
		}
	}
	for _, t := range pmns.Turns() {
		words = append(words, t[:]...)
	}
	n := vectorsOf(p.Shape.Coefficients)
	leaf := func(v Polynomial, sum []int, w, lane int) (word uint64) {
		for _, j := range sum {
			word += p.wordOf(v[lane*n+j], w)
		}
		return word
	}
	for _, sum := range p.Shape.Leaves() {
		for i := range vectorLanes {
			for lane := range vectorLanes {
				if lane >= i {
					words = append(words, leaf(negativeInverse, sum, 0, lane-i))
				} else {
					words = append(words, 2*leaf(negativeInverse, sum, 0, lane-i+vectorLanes))
				}
			}
		}
	}
	for _, sum := range p.Shape.Leaves() {
		for w := range p.Shape.Words {
			for lane := range vectorLanes {
				words = append(words, leaf(m, sum, w, lane))
			}
		}
	}
	p.Set(p.constants, words, false)
}

// SetPolynomial sets a polynomial, which is a secret, with litter above its words.
func (p *Toeplitz) SetPolynomial(x machine.Span, v Polynomial, litter func() uint64) {
	words := make([]uint64, p.words)
	for i := range words {
		words[i] = litter()&^p.wordMask() | p.wordOf(v[i%p.Shape.Coefficients], i/p.Shape.Coefficients)
	}
	p.Set(x, words, false)
}

// Polynomial returns a polynomial in memory.
func (p *Toeplitz) Polynomial(x machine.Span) Polynomial {
	return p.Ring().each(func(i int) *big.Int {
		c, d := new(big.Int), new(big.Int)
		for w := p.Shape.Words - 1; w >= 0; w-- {
			c.Lsh(c, uint(p.Width)).Or(c, d.SetUint64(x.Word(w*p.Shape.Coefficients+i)&p.wordMask()))
		}
		return c
	})
}

func toeplitzWorkload(lab func(bytes int) *Lab, s pmns.Set, q Request) (*Workload, error) {
	if q.Full || q.Karatsuba || q.Operation == "sqrmont" {
		return nil, fmt.Errorf("%d coefficients of %d words: the kernel has products that are split, in one form, and no squares", s.Coefficients, s.Words)
	}
	p := NewToeplitz(lab(ToeplitzBytes(s, 2+q.Entries)), s, toeplitzWidth(s))
	shape := fmt.Sprintf("polynomials of %d coefficients of %d words, products of vectors: %d instead of %d",
		s.Coefficients, s.Words, len(s.Leaves()), vectorsOf(s.Coefficients)*vectorsOf(s.Coefficients))
	return &Workload{p.Lab, shape, p.Operation(q.Operation, q.Entries)}, nil
}
