package pmns

import (
	"fmt"
	"math/big"

	"residue/internal/memory"
	"residue/internal/words"
)

// System is a polynomial modular number system that computes. Any number of goroutines
// may use it.
type System struct {
	params  *Params
	kernel  *Kernel
	variant Variant
	engine  string // the name of the kernel that does products
	shape
	arith    arithmetic
	portable *portable // for what is not a product

	limits
	p      []uint64 // the modulus in words of 64 bits
	one    []uint64 // 1, as short as elements are
	zero   []uint64 // an element of value 0 that is not below any other
	encode encoding
	decode [][]uint64 // γ^i/φ modulo p
}

// limits of sums of elements.
type limits struct {
	// A product is within its bounds if the product of the terms of its factors is at
	// most this.
	weight int
	// A sum of so many terms can be made one element, by a product with one.
	reducible int
	// zero has so many terms.
	zeroTerms int
}

// NewSystem returns the system with the given parameters, which it verifies, for the
// kernel that is [Default].
func NewSystem(p *Params, v Variant) (*System, error) {
	k, err := Default()
	if err != nil {
		return nil, err
	}
	return k.NewSystem(p, v)
}

// NewSystem returns the system with the given parameters, which it verifies.
func (k *Kernel) NewSystem(p *Params, v Variant) (*System, error) {
	if v < Truncated || v > Toeplitz {
		return nil, fmt.Errorf("pmns: there is no variant %d", int(v))
	}
	if err := p.Verify(); err != nil {
		return nil, err
	}
	s := &System{params: p.clone(), kernel: k, variant: v, shape: p.shape()}
	constants := newConstants(p)
	s.portable = newPortable(p, v == Full, constants)
	if r := k.fit(p, v); r != nil {
		if v == Toeplitz {
			constants = newToeplitzConstants(p)
		}
		s.arith, s.engine = &vectors{r, constants}, k.name
	} else {
		s.arith, s.engine = s.portable, kernelNamed["generic"].name
	}
	s.p = bigWords(p.P, words.Len(p.P.BitLen()))
	r := newRepresenter(p)
	s.prepareSums(r)
	if s.reducible < 1+s.zeroTerms {
		return nil, fmt.Errorf("pmns: the parameters have no room for differences: %d terms can be reduced, %d are needed", s.reducible, 1+s.zeroTerms)
	}
	var err error
	if s.encode, err = s.newEncoding(r); err != nil {
		return nil, err
	}
	s.prepareDecoding()
	return s, nil
}

// prepareSums finds limits, one and zero.
func (s *System) prepareSums(r *representer) {
	s.weight = s.params.Weight()
	// What elements can be at most, and a polynomial of the opposite value: their sum is
	// above all elements, and below two of them.
	bound := s.params.Bounds()
	zero := r.representation(new(big.Int).Neg(evaluate(bound, r.Gamma, r.P)))
	for k := range zero {
		zero[k].Add(zero[k], bound[k])
	}
	s.zero, s.zeroTerms = s.fromPolynomial(zero), 2

	// Of polynomials for one, the first that is short enough for most uses, or the best of
	// some.
	for i := range 64 {
		one := r.longerRepresentation(r.phi, i)
		if n := s.reducibleBy(one); n > s.reducible {
			s.one, s.reducible = s.fromPolynomial(one), n
		}
		if s.reducible >= 4 {
			break
		}
	}
}

// reducibleBy returns of how many elements sums may be, so that their products with a are
// elements.
func (s *System) reducibleBy(a []*big.Int) int {
	p := s.params
	bound, ns, phi := p.Bounds(), norms(p.M, p.Lambda), p.Phi()
	most := minInt(big.NewInt(maxTerms), new(big.Int).Quo(phi, p.Rho))
	for k, c := range mulMod(bound, a, p.Lambda) { // terms·c ≤ (bound − N)·φ
		v := new(big.Int).Sub(bound[k], ns[k])
		most = minInt(most, v.Quo(v.Mul(v, phi), c))
	}
	return int(most.Int64())
}

// maxTerms is what reducible is at most: more is of no use.
const maxTerms = 1 << 10

// clone returns a copy that nobody else changes.
func (p *Params) clone() *Params {
	c := *p
	c.P, c.Gamma, c.Rho = new(big.Int).Set(p.P), new(big.Int).Set(p.Gamma), new(big.Int).Set(p.Rho)
	c.M, c.MPrime = clonePolynomial(p.M), clonePolynomial(p.MPrime)
	return &c
}

// Params returns the parameters, which must not be changed.
func (s *System) Params() *Params { return s.params }

// Kernel returns the kernel that the system is prepared for.
func (s *System) Kernel() *Kernel { return s.kernel }

// Engine returns the name of the kernel that does its products.
func (s *System) Engine() string { return s.engine }

// Variant returns how products are computed.
func (s *System) Variant() Variant { return s.variant }

// NewScratch returns scratch for the system.
func (s *System) NewScratch() *Scratch { return &Scratch{memory.Aligned(s.scratchLen())} }

// Scratch has what the engine works in first, then two elements, then numbers in words.
func (s *System) scratchLen() int {
	return s.engineWords() + 2*s.elementWords() + s.numberWords()
}

func (s *System) engineWords() int { return lanes * s.workVectors() }

func (s *System) elementWords() int { return lanes * s.elementVectors() }

// spare returns element i of scratch, 0 or 1.
func (s *System) spare(sc *Scratch, i int) []uint64 {
	n := s.elementWords()
	return sc.words[s.engineWords()+i*n:][:n]
}

// number returns the space for numbers of scratch.
func (s *System) number(sc *Scratch) memory.Carve {
	return sc.words[s.engineWords()+2*s.elementWords():]
}

// use returns sc if it is not nil, and else pooled scratch that done gives back.
func (s *System) use(sc *Scratch) *Scratch {
	n := s.scratchLen()
	if sc == nil {
		return borrowScratch(n)
	}
	if len(sc.words) != n {
		panic("pmns: scratch of another system")
	}
	return sc
}

// done gives back what use(sc) returned as used.
func done(sc, used *Scratch) {
	if sc == nil {
		returnScratch(used)
	}
}

// fromPolynomial returns the words of an element.
func (s *System) fromPolynomial(a []*big.Int) []uint64 {
	z := memory.Aligned(s.elementWords())
	for i, v := range a {
		setWords(z[i:], s.portable.stride(), s.s, s.params.Width, v)
	}
	return z
}

func minInt(a, b *big.Int) *big.Int {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}
