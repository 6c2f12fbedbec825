package negacyclic

import (
	"fmt"
	"unsafe"

	"residue/internal/cpu"
)

// Kernel is one implementation of the arithmetic of rings, by what CPU it needs. The zero
// value is not usable: see [Default] and [Kernels].
//
// A kernel of vectors has routines for n = 256:
//
//   - [Prime] in words of 16 bits: q = 257, 769 and 3329, and 7937 by avx512
//   - [Prime] in words of 32 bits: primes below 2^23 that are 1 modulo 512, by avx2 above 2^18
//   - [PowerOfTwo] in words of 16 bits: Toom4
//   - [ByPrimes]: in words of 16 bits, and in words of 32 where two primes below 2^23 suffice
//
// Other rings are portable Go in every kernel. A ring's method Kernel says which it is.
type Kernel struct {
	name string
	// Each returns nil for a ring that there are no routines for.
	prime16 func(q int64, n, layers int) primeVectors[int16]
	prime32 func(q int64, n, layers int) primeVectors[int32]
	toom16  func(n int) toomVectors[int16]
	exact16 func(k, n, sums int, primes []int64) exactVectors[int16]
}

// kernelNamed has the kernels of this build by the names of package cpu. They get their
// routines where the assembly is bound.
var kernelNamed = func() map[string]*Kernel {
	ks := map[string]*Kernel{}
	for _, name := range cpu.KnownForRings {
		ks[name] = &Kernel{name: name}
	}
	return ks
}()

// Name returns the kernel's name, as RESIDUE_KERNEL takes it.
func (k *Kernel) Name() string { return k.name }

// Kernels returns the kernels that this build can run on this CPU, fastest first.
func Kernels() []*Kernel {
	var ks []*Kernel
	for _, name := range cpu.RunnableForRings() {
		ks = append(ks, kernelNamed[name])
	}
	return ks
}

// Default returns the kernel in use: the one that RESIDUE_KERNEL names, or else the
// fastest. A name that this build or CPU cannot run is an error.
func Default() (*Kernel, error) {
	name, err := cpu.ChosenForRings()
	if err != nil {
		return nil, fmt.Errorf("negacyclic: %w", err)
	}
	return kernelNamed[name], nil
}

// primeVectors are routines of a kernel for one ring of prime modulus. They have the words
// of residues and factors in the order that [Prime] has them in, but what a word of a factor
// is, is theirs. Lengths have been checked. z may be x where both are n words.
type primeVectors[W Word] interface {
	transforms[W]

	// form is how constants are multiplied by.
	form() Form

	// residues is forward with words that need not be in [0, q), in an order of the kernel's,
	// which is that of prepare. They are small enough for sums.
	residues(z, x []W)
	// prepare prepares x as an operand of rowOf, in p of preparedLen words.
	prepare(p, x []W)
	preparedLen() int

	// most is how many products a sum may have.
	most() int

	// factor prepares x, residues in [0, q), as the second operand of products, in f of
	// FactorLen words.
	factor(f, x []W)

	// product sets z to x·f, residues in [0, q), and adds what z was if keep is −1, not 0.
	product(z, x, f []W, keep W)
	// sum is the same for the sum of x[j]·f[j], of which there are 1 to most().
	sum(z []W, x []NTT[W], f []Factor[W], keep W)
	// row sets z to the polynomial of such a sum.
	row(z []W, x []NTT[W], f []Factor[W])
	// rowOf is row for x that are one behind the other, and that residues wrote.
	rowOf(z, x []W, p []Prepared[W])

	// mul sets z to x·y, of coefficients; scratch has mulScratch words.
	mul(z, x, y, scratch []W)
	mulScratch() int
}

// matrices are routines of [primeVectors] for more than one row or column at once, where a
// kernel has them. Columns are 1 to most().
type matrices[W Word] interface {
	// residuesOf is residues for all x, one behind the other in z.
	residuesOf(z []W, x []Poly[W])
	// rows is row for every z, with a matrix in x and a vector in f.
	rows(z []Poly[W], x []NTT[W], f []Factor[W])
	// rowsOf is rowOf for every z, with a matrix in p.
	rowsOf(z []Poly[W], x []W, p []Prepared[W])
}

// toomVectors are routines of a kernel for Toom-Cook 4 of one length. Lengths have been
// checked. How values lie in memory is theirs.
type toomVectors[W Word] interface {
	// evaluatedLen is the number of words of values and of their products.
	evaluatedLen() int
	evaluate(e, x []W)

	// mulAdd adds the products of values to sum; scratch has mulAddScratch words. It may
	// begin with x.
	mulAdd(sum, x, y, scratch []W)
	mulAddScratch() int

	// addProduct is mulAdd for a sum of many, of sumLen words, in a form of its own. The
	// first product need not find zeros there. join sets w to the products.
	addProduct(sum, x, y, scratch []W, first bool)
	join(w, sum, scratch []W)
	sumLen() int

	// interpolate sets z to the polynomial of w, with coefficients of the bits of mask.
	interpolate(z, w []W, mask W)

	// mul sets z to x·y; scratch has mulScratch words.
	mul(z, x, y, scratch []W, mask W)
	mulScratch() int
}

// exactVectors are routines of a kernel for products modulo 2^k by two primes. Lengths have
// been checked. How values and factors lie in memory is theirs.
type exactVectors[W Word] interface {
	// mul sets z to x·y; scratch has room for values.
	mul(z, x, y, scratch []W)

	// evaluate takes first operands and factors second ones, of words of which k bits matter;
	// scratch has rowsAtOnce·n words.
	evaluate(e, x []W)
	factors(f []Factor[W], x []Poly[W], scratch []W)

	mulAdd(sum, x, f []W)
	// interpolate has scratch for values.
	interpolate(z, w, scratch []W)

	// matVec sets z to A·s; scratch has rowWords words. There is at least one column.
	matVec(z []Poly[W], a []Evaluated[W], s []Factor[W], scratch []W)
	// matVecPoly has room for the values of rowsAtOnce rows beside.
	matVecPoly(z, a []Poly[W], s []Factor[W], values, scratch []W)
	rowWords() int
}

// factorsOf returns prepared operands as factors, where a kernel has the same for both.
func factorsOf[W Word](p []Prepared[W]) []Factor[W] { return *(*[]Factor[W])(unsafe.Pointer(&p)) }

// vectorsFor returns the kernel's routines for a ring of prime modulus, or nil.
func vectorsFor[W Word](k *Kernel, q int64, n, layers int) primeVectors[W] {
	var routines any
	switch any(W(0)).(type) {
	case int16:
		if k.prime16 != nil {
			routines = k.prime16(q, n, layers)
		}
	case int32:
		if k.prime32 != nil {
			routines = k.prime32(q, n, layers)
		}
	}
	v, _ := routines.(primeVectors[W])
	return v
}

// exactFor returns the kernel's routines for products by primes, or nil.
func exactFor[W Word](k *Kernel, bits, n, sums int, primes []int64) exactVectors[W] {
	if wordBits[W]() != 16 || k.exact16 == nil {
		return nil
	}
	v, _ := any(k.exact16(bits, n, sums, primes)).(exactVectors[W])
	return v
}

// toomFor returns the kernel's routines for Toom-Cook 4, or nil.
func toomFor[W Word](k *Kernel, n int) toomVectors[W] {
	if wordBits[W]() != 16 || k.toom16 == nil {
		return nil
	}
	v, _ := any(k.toom16(n)).(toomVectors[W])
	return v
}
