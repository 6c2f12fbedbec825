package negacyclic

import (
	"fmt"
	"math/bits"

	"residue/internal/cpu"
)

// Prime is the ring Z_q[X]/(Xⁿ+1) for a prime q, with number-theoretic transforms.
//
// A transform of L layers splits Xⁿ + 1 into 2^L factors X^d − γ with d = n/2^L. It is
// complete if d = 1. An [NTT] has the d coefficients modulo each factor, one factor after the
// other: factor i has γ = ζ^(2·rev(i)+1), where rev reverses L bits and ζ is the smallest
// number of order 2^(L+1) modulo q. For n = 256 and q = 3329, d = 2, that is the order of
// FIPS 203; for q = 8380417, d = 1, that of FIPS 204.
type Prime[W Word] struct {
	q      int64
	n, d   int
	layers int
	form   Form
	gammas []uint64 // γ of every factor; for d > 1
	recip  uint64   // ⌊(2^64−1)/q⌋
	terms  int      // how many products of residues, and a residue, are below 2^64
	kernel transforms[W]
	whole  multiplier[W]   // nil if the portable code does not have it for this ring
	vector primeVectors[W] // nil if the kernel has no routines for this ring
	name   string          // of the kernel that the routines are of
}

// transforms are what every implementation does for a ring. z and x are n words, and may be
// the same.
type transforms[W Word] interface {
	// forward takes coefficients, any words, to residues in [0, q).
	forward(z, x []W)
	// inverse takes residues in [0, q) to coefficients in [0, q), and divides by 2^layers.
	inverse(z, x []W)
}

// multiplier is portable code that does a whole product at once, with less in between.
type multiplier[W Word] interface {
	// mul sets z to x·y, of n words each, which may be the same; residues have d = 2.
	mul(z, x, y []W)
}

// Form is the way in which transforms multiply by constants modulo q.
type Form int

// The forms. Fraction is quick in words of a processor, and takes every q. Pairs does two
// coefficients of 16 bits at a time, and is quicker still; q, n and the number of layers must
// be such that it has no need to make words small: q = 3329, n = 256 are. Barrett
// and Montgomery are what vectors have instructions for, rounding-doubling high halves of
// products; for [NewPrimeBy] they need q below 2^12 in words of 16 bits, and below 2^28 in
// words of 32. Kernels of vectors have bounds of their own.
const (
	Fraction Form = iota
	Barrett
	Montgomery
	Pairs
)

// String returns the form's name, as commands show it.
func (f Form) String() string {
	switch f {
	case Fraction:
		return "fraction"
	case Barrett:
		return "barrett"
	case Montgomery:
		return "montgomery"
	case Pairs:
		return "pairs"
	}
	return fmt.Sprintf("Form(%d)", int(f))
}

// NewPrime returns the ring for an odd prime q, below 2^15 in words of 16 bits and below 2^31
// in words of 32, with as many layers as q has roots of unity for, the kernel in use, and
// the quickest form that takes them. It is an error if q or n is not allowed, or if
// RESIDUE_KERNEL names a kernel that cannot be used.
//
// Any odd prime will do, but with few layers most of a product is schoolbook: a ring has
// log₂(n) layers, or one less than the number of times that 2 divides q − 1 if that is fewer.
func NewPrime[W Word](q int64, n int) (*Prime[W], error) {
	k, err := Default()
	if err != nil {
		return nil, err
	}
	return NewPrimeOn[W](k, q, n)
}

// NewPrimeOn is [NewPrime] on a kernel.
func NewPrimeOn[W Word](k *Kernel, q int64, n int) (*Prime[W], error) {
	return newPrimeOn[W](k, q, n, maxLayers(q, n))
}

// newPrimeOn is NewPrimeOn with a number of layers.
func newPrimeOn[W Word](k *Kernel, q int64, n, layers int) (*Prime[W], error) {
	form := Fraction
	if wordBits[W]() == 16 && pairsFit(q, n, layers) {
		form = Pairs
	}
	r, err := NewPrimeBy[W](form, q, n, layers)
	if err != nil {
		return nil, err
	}
	if v := vectorsFor[W](k, q, n, layers); v != nil {
		r.kernel, r.vector, r.whole, r.form, r.name = v, v, nil, v.form(), k.name
	}
	return r, nil
}

// maxLayers returns the most layers: ζ has order 2^(layers+1), which divides q − 1.
func maxLayers(q int64, n int) int {
	return max(0, min(bits.TrailingZeros64(uint64(q-1))-1, bits.Len(uint(n))-1))
}

// NewPrimeBy is [NewPrime] in portable Go, with the given form of multiplication and number of
// layers, from 0 to as many as NewPrime takes. It is an error if the form is not for them.
func NewPrimeBy[W Word](form Form, q int64, n, layers int) (*Prime[W], error) {
	if err := checkLength(n); err != nil {
		return nil, err
	}
	if limit := int64(1) << (wordBits[W]() - 1); q < 3 || q >= limit || !isPrime(q) {
		return nil, fmt.Errorf("negacyclic: q is %d, want an odd prime below %d in words of %d bits", q, limit, wordBits[W]())
	}
	if most := maxLayers(q, n); layers < 0 || layers > most {
		return nil, fmt.Errorf("negacyclic: %d layers, want 0 to %d for n = %d and q = %d", layers, most, n, q)
	}
	r := &Prime[W]{q: q, n: n, d: n >> layers, layers: layers, form: form, name: cpu.Generic}
	r.recip = ^uint64(0) / uint64(q)
	r.terms = int(min((^uint64(0)-uint64(q))/uint64((q-1)*(q-1)), 1<<30))
	if r.d > 1 {
		r.gammas = gammas(q, layers)
	}
	switch form {
	case Fraction:
		r.kernel = newFractions[W](q, n, layers)
	case Barrett, Montgomery:
		if limit := int64(1) << (wordBits[W]() - 4); q >= limit {
			return nil, fmt.Errorf("negacyclic: q is %d, want less than %d for %v in words of %d bits", q, limit, form, wordBits[W]())
		}
		r.kernel = newHighHalves[W](form, q, n, layers)
	case Pairs:
		if wordBits[W]() != 16 || !pairsFit(q, n, layers) {
			return nil, fmt.Errorf("negacyclic: no pairs for q = %d, n = %d and %d layers in words of %d bits", q, n, layers, wordBits[W]())
		}
		r.kernel = any(newPairs(q, n, layers)).(transforms[W])
		if r.d == 2 {
			r.whole = any(r.kernel).(multiplier[W])
		}
	default:
		return nil, fmt.Errorf("negacyclic: form is %v, want fraction, barrett, montgomery or pairs", form)
	}
	return r, nil
}

// gammas returns γ of every factor: the last layer splits X^2d − z² into X^d − z and X^d + z.
func gammas(q int64, layers int) []uint64 {
	if layers == 0 {
		return []uint64{uint64(q - 1)}
	}
	var g []uint64
	for _, z := range zetas(q, layers)[1<<(layers-1):] {
		g = append(g, uint64(z), uint64(q-z))
	}
	return g
}

// N returns n.
func (r *Prime[W]) N() int { return r.n }

// Q returns q.
func (r *Prime[W]) Q() int64 { return r.q }

// Layers returns how many layers a transform has.
func (r *Prime[W]) Layers() int { return r.layers }

// Form returns the form of multiplication, which is the kernel's if that has routines for this
// ring.
func (r *Prime[W]) Form() Form { return r.form }

// Kernel returns the name of the kernel whose routines compute: the one that the ring was
// made on, or generic if that has none for this ring.
func (r *Prime[W]) Kernel() string { return r.name }

// FactorLen returns the words of a [Factor]: n for complete transforms, and else 2n.
func (r *Prime[W]) FactorLen() int {
	if r.d == 1 {
		return r.n
	}
	return 2 * r.n
}

// Transform sets z to the transform of x, any words, with residues in [0, q); they may be the
// same memory.
func (r *Prime[W]) Transform(z NTT[W], x Poly[W]) {
	size("result", len(z), r.n)
	size("operand", len(x), r.n)
	sameOrApart(z, x)
	r.kernel.forward(kept(z), kept(x))
}

// Inverse sets z to the polynomial of which x is the transform, with coefficients in [0, q);
// they may be the same memory.
func (r *Prime[W]) Inverse(z Poly[W], x NTT[W]) {
	size("result", len(z), r.n)
	size("operand", len(x), r.n)
	sameOrApart(z, x)
	r.kernel.inverse(kept(z), kept(x))
}

// Factor prepares x as the second operand of products. f must not overlap x.
//
// In portable Go, f has beside d coefficients modulo X^d − γ also γ times them, for what comes
// round. The constant one does not: for d = 2 it is left out, as 0. Routines of vectors may
// have other words in f; a factor is for the ring that made it.
func (r *Prime[W]) Factor(f Factor[W], x NTT[W]) {
	size("factor", len(f), r.FactorLen())
	size("operand", len(x), r.n)
	apart(f, x)
	if r.vector != nil {
		r.vector.factor(kept(f), kept(x))
		return
	}
	if r.d == 1 {
		copy(f, x)
		return
	}
	if r.d == 2 {
		x = x[:2*len(r.gammas)]
		for s, g := range r.gammas {
			b0, b1, z := x[2*s], x[2*s+1], f[4*s:4*s+4:4*s+4]
			z[0], z[1], z[2], z[3] = b0, b1, 0, W(r.mod(uint64(b1)*g))
		}
		return
	}
	for s, g := range r.gammas {
		b, z := x[s*r.d:(s+1)*r.d], f[2*s*r.d:2*(s+1)*r.d]
		copy(z, b)
		for i, v := range b {
			z[r.d+i] = W(r.mod(uint64(v) * g))
		}
	}
}

// mod returns u mod q.
func (r *Prime[W]) mod(u uint64) uint64 { return remainder(u, uint64(r.q), r.recip) }

// remainder returns u mod q, with m = ⌊(2^64−1)/q⌋ ≥ 2^64/q − 1: ⌊u·m/2^64⌋ is the quotient or
// one less, so what remains is below 2q.
func remainder(u, q, m uint64) uint64 {
	quotient, _ := bits.Mul64(u, m)
	v := u - quotient*q - q
	return v + q&-(v>>63)
}

// Add sets z to x + y, for residues in [0, q); they may be the same memory. It is portable Go
// in every kernel.
func (r *Prime[W]) Add(z, x, y NTT[W]) {
	size("result", len(z), r.n)
	size("operand", len(x), r.n)
	size("operand", len(y), r.n)
	sameOrApart(z, x)
	sameOrApart(z, y)
	for i, v := range x {
		z[i] = W(r.mod(uint64(v) + uint64(y[i])))
	}
}
