package pmns

import (
	"fmt"
	"math/big"

	"residue/internal/cpu"
	"residue/internal/memory"
)

// Variant is a way to compute a product. All give the same polynomials.
type Variant int

const (
	// Truncated leaves out the words of Q·M below the one that carries into the result.
	Truncated Variant = iota
	// Full computes all of them.
	Full
	// Karatsuba is Truncated with Karatsuba's method for the words of A·B, where a kernel
	// has that; the portable code does not.
	Karatsuba
	// Toeplitz splits polynomials in two or three, recursively, and reduces word by word,
	// where a kernel has that; the portable code does not, and is Truncated.
	Toeplitz
)

var variantNames = []string{"truncated", "full", "karatsuba", "toeplitz"}

func (v Variant) String() string {
	if v < 0 || int(v) >= len(variantNames) {
		return fmt.Sprintf("Variant(%d)", int(v))
	}
	return variantNames[v]
}

// lanes is the number of coefficients in a vector, which has as many words.
const lanes = 8

// An element is word-major: word μ of coefficient i is word i of the n̄ = ⌈n/8⌉ vectors
// from vector μ·n̄ on. Lanes from n on and bits from w on carry no value; what is there
// does not matter, before and after.

// elementVectors is the number of vectors of an element.
func (s shape) elementVectors() int { return s.s * s.coefficientVectors() }

// coefficientVectors is n̄.
func (s shape) coefficientVectors() int { return (s.n + lanes - 1) / lanes }

// rowVectors is the number of vectors of a row: n words of λ·P, n of P, and zeros up to
// where a vector can begin that has any words of P.
func (s shape) rowVectors() int { return 2 * s.coefficientVectors() }

// constantVectors is the number of vectors of the constants of a set of parameters.
func (s shape) constantVectors() int { return 2*s.s*s.rowVectors() + 1 }

// workVectors is the work space of the routines, in vectors.
func (s shape) workVectors() int {
	return max(4*s.s*s.rowVectors()+4*s.elementVectors()+8, s.toeplitzWorkVectors())
}

// vectorRoutines are routines for elements of one shape with λ = 2, and w = 52 or, of
// Toeplitz, whatever leaves room for sums. Coefficients of x are below φ, and λ times those
// of y too; for squares 2λ times those of x. They are such that the result is within the
// bounds of elements. All is aligned to 64 bytes. z may be x or y.
//
// constants is what newConstants or newToeplitzConstants makes, work has workVectors.
type vectorRoutines struct {
	shape
	variant Variant
	// mul sets z = (x·y + Q·M)/φ modulo E, for Q = x·y·M′ modulo E and φ with coefficients
	// from 0 up.
	mul func(z, x, y, constants, work *uint64)
	// sqr sets z = (x² + Q·M)/φ, and then the same of z, times times in all. It may be nil:
	// then products do.
	sqr func(z, x, constants, work *uint64, times int)
	// gather sets z to entry index of a table of elements, reading all of it.
	gather func(z, table *uint64, entries, index int)
}

// Kernel is one implementation of the arithmetic, by what CPU it needs. The zero value is
// not usable: see [Default] and [Kernels].
type Kernel struct {
	name string
	// What it has routines for. The rest is portable.
	routines []vectorRoutines
}

// kernelNamed has the kernels of this build by the names of package cpu. Their routines
// are set where the assembly is bound.
var kernelNamed = func() map[string]*Kernel {
	ks := map[string]*Kernel{}
	for _, name := range cpu.Known {
		ks[name] = &Kernel{name: name}
	}
	return ks
}()

// Name returns the kernel's name, as RESIDUE_KERNEL takes it.
func (k *Kernel) Name() string { return k.name }

// Kernels returns the kernels that this build can run on this CPU, fastest first.
func Kernels() []*Kernel {
	var ks []*Kernel
	for _, name := range cpu.Runnable() {
		ks = append(ks, kernelNamed[name])
	}
	return ks
}

// Default returns the kernel in use: the one that RESIDUE_KERNEL names, or else the
// fastest. A name that this build or CPU cannot run is an error.
func Default() (*Kernel, error) {
	name, err := cpu.Chosen()
	if err != nil {
		return nil, fmt.Errorf("pmns: %w", err)
	}
	return kernelNamed[name], nil
}

// Has reports whether the kernel has routines of its own for products of the given
// variant with these parameters. Else they are done in portable Go.
func (k *Kernel) Has(p *Params, v Variant) bool { return k.fit(p, v) != nil }

// fit returns the routines, or nil.
func (k *Kernel) fit(p *Params, v Variant) *vectorRoutines {
	if p.Lambda != 2 {
		return nil
	}
	for i := range k.routines {
		if r := &k.routines[i]; r.shape == p.shape() && r.variant == v && r.takes(p.Width) {
			return r
		}
	}
	return nil
}

// takes reports whether words may have so many bits.
func (r *vectorRoutines) takes(width int) bool {
	if r.variant == Toeplitz {
		return width <= r.toeplitzWidth()
	}
	return width == MaxWidth
}

// arithmetic is what an engine does, on elements as vectorRoutines has them.
type arithmetic interface {
	mul(z, x, y, work []uint64)
	sqr(z, x []uint64, times int, work []uint64)
	gather(z, table []uint64, index uint64)
}

// vectors is the engine of routines.
type vectors struct {
	*vectorRoutines
	constants []uint64
}

func (v *vectors) mul(z, x, y, work []uint64) {
	v.vectorRoutines.mul(&z[0], &x[0], &y[0], &v.constants[0], &work[0])
}

func (v *vectors) sqr(z, x []uint64, times int, work []uint64) {
	if v.vectorRoutines.sqr != nil {
		v.vectorRoutines.sqr(&z[0], &x[0], &v.constants[0], &work[0], times)
		return
	}
	for range times {
		v.mul(z, x, x, work)
		x = z
	}
}

func (v *vectors) gather(z, table []uint64, index uint64) {
	v.vectorRoutines.gather(&z[0], &table[0], len(table)/len(z), int(index))
}

// newConstants returns the constants of a set of parameters. In order:
//
//	s rows of M′, then s rows of M;
//	2^w − 1 in every lane of a vector.
//
// Row μ of a polynomial P has word μ of the coefficients of λ·P, modulo φ, then those of
// P, then zeros. So the n words from n − i on are word μ of Xⁱ·P modulo E.
func newConstants(p *Params) []uint64 {
	sh := p.shape()
	words := lanes * sh.rowVectors()
	c := memory.Aligned(lanes * sh.constantVectors())
	lambda := big.NewInt(int64(p.Lambda))
	for b, polynomial := range [][]*big.Int{p.MPrime, p.M} {
		rows := c[b*p.Words*words:]
		for i, v := range polynomial {
			setWords(rows[p.N+i:], words, p.Words, p.Width, v)
			setWords(rows[i:], words, p.Words, p.Width, new(big.Int).Mul(lambda, v))
		}
	}
	mask := c[2*p.Words*words:]
	for i := range mask {
		mask[i] = 1<<p.Width - 1
	}
	return c
}

func (p *Params) shape() shape { return shape{p.N, p.Words} }
