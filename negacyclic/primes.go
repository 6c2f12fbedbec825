package negacyclic

import (
	"fmt"
	"math/bits"

	"residue/internal/cpu"
)

// ByPrimes is the ring Z_q[X]/(Xⁿ+1) with q = 2^k by transforms modulo one prime or two that
// are large enough for the exact coefficients of a product, which are reduced afterwards.
//
// Operands count as their residues in [−q/2, q/2). A coefficient of a sum of m products is at
// most m·n·q/2·s in absolute value, for second operands of at most s. It must be below p/2 for
// one prime p, and below p·(p′−2)/2 for two.
type ByPrimes[W Word] struct {
	n, k, sums int
	rings      []*Prime[W]
	inverse    int64 // of the first prime modulo the second
	vector     exactVectors[W]
	name       string // of the kernel
}

// The primes for words of 32 bits: 2^27 divides p − 1 for the first, and 2^26 for the second,
// so both have complete transforms of every length that rings have. The shorter ones, which
// vectors take, have them up to n = 4096. Those for 16 bits have 7 layers.
var (
	longExact    = []int64{15<<27 + 1, 27<<26 + 1}
	vectorsExact = []int64{1023<<13 + 1, 63<<17 + 1}
	shortExact   = []int64{3329, 7681}
)

// NewByPrimes returns the ring with q = 2^k, 1 ≤ k < 16 in words of 16 bits and k < 32 in words
// of 32, for sums of at most the given number of products, and for second operands of which no
// coefficient exceeds bound in absolute value, as a residue in [−q/2, q/2): 2^(k−1) for any. It
// has one prime if that suffices. It takes the kernel in use. It is an error if an argument is
// not allowed, if two primes do not suffice, or if RESIDUE_KERNEL names a kernel that cannot be
// used.
//
// Whether operands keep to the bound is not checked, as they may be secret: where they do not,
// results are wrong.
//
// Words of 16 bits take small second operands only: coefficients of products are below
// 3329·7679/2 there. That is enough for Saber, with k = 13 and n = 256: sums of 2, 3 and 4
// products with secrets of at most 5, 4 and 3.
func NewByPrimes[W Word](k, n, sums, bound int) (*ByPrimes[W], error) {
	kernel, err := Default()
	if err != nil {
		return nil, err
	}
	return NewByPrimesOn[W](kernel, k, n, sums, bound)
}

// NewByPrimesOn is [NewByPrimes] on a kernel.
func NewByPrimesOn[W Word](kernel *Kernel, k, n, sums, bound int) (*ByPrimes[W], error) {
	if err := checkLength(n); err != nil {
		return nil, err
	}
	if limit := int(wordBits[W]()) - 1; k < 1 || k > limit {
		return nil, fmt.Errorf("negacyclic: k is %d, want 1 to %d in words of %d bits", k, limit, wordBits[W]())
	}
	if sums < 1 || sums > 1<<16 {
		return nil, fmt.Errorf("negacyclic: sums of %d products, want 1 to %d", sums, 1<<16)
	}
	if bound < 1 || bound > 1<<(k-1) {
		return nil, fmt.Errorf("negacyclic: second operands of at most %d, want 1 to %d for k = %d", bound, 1<<(k-1), k)
	}
	primes, layers := longExact, bits.Len(uint(n-1))
	if wordBits[W]() == 16 {
		primes, layers = shortExact, min(layers, layers16)
	} else if vectorsFor[W](kernel, vectorsExact[0], n, layers) != nil {
		if _, err := exactPrimes(vectorsExact, k, n, sums, bound); err == nil {
			primes = vectorsExact
		}
	}
	count, err := exactPrimes(primes, k, n, sums, bound)
	if err != nil {
		return nil, err
	}
	r := &ByPrimes[W]{n: n, k: k, sums: sums, name: cpu.Generic}
	for _, p := range primes[:count] {
		ring, err := newPrimeOn[W](kernel, p, n, layers)
		if err != nil {
			return nil, err
		}
		r.rings, r.name = append(r.rings, ring), ring.Kernel()
	}
	r.inverse = power(primes[0]%primes[1], primes[1]-2, primes[1])
	if v := exactFor[W](kernel, k, n, sums, primes[:count]); v != nil {
		r.vector, r.name = v, kernel.name
	}
	return r, nil
}

// exactPrimes returns how many of two primes p and q multiply to more than twice what
// coefficients of sums can be, with a margin: (c − x)/p is below q/2 for a coefficient c and
// any x in (−p, p).
func exactPrimes(primes []int64, k, n, sums, bound int) (int, error) {
	unit := uint64(sums) * uint64(n) << k // twice a coefficient, for second operands of 1; below 2^64
	high, largest := bits.Mul64(unit, uint64(bound))
	switch product := uint64(primes[0] * (primes[1] - 2)); {
	case high > 0 || largest >= product:
		reason := "sums are too large whatever the second operands"
		if most := (product - 1) / unit; most > 0 {
			reason = fmt.Sprintf("second operands of at most %d, want at most %d", bound, most)
		}
		return 0, fmt.Errorf("negacyclic: no primes for k = %d, n = %d and sums of %d: %s", k, n, sums, reason)
	case largest < uint64(primes[0]):
		return 1, nil
	}
	return 2, nil
}

// N returns n.
func (r *ByPrimes[W]) N() int { return r.n }

// K returns the k of q = 2^k.
func (r *ByPrimes[W]) K() int { return r.k }

// Kernel returns the name of the kernel whose routines transform: the one that the ring was
// made on, or generic if that has none for its primes.
func (r *ByPrimes[W]) Kernel() string { return r.name }

// Primes returns how many primes there are: 1 or 2.
func (r *ByPrimes[W]) Primes() int { return len(r.rings) }

// EvaluatedLen returns the words of an [Evaluated] and of [Products]: transforms modulo each
// prime.
func (r *ByPrimes[W]) EvaluatedLen() int { return r.n * len(r.rings) }

// FactorLen returns the words of a [Factor].
func (r *ByPrimes[W]) FactorLen() int { return r.rings[0].FactorLen() * len(r.rings) }

// Evaluate sets e to the transforms of x, a first operand. e must not overlap x.
func (r *ByPrimes[W]) Evaluate(e Evaluated[W], x Poly[W]) {
	size("values", len(e), r.EvaluatedLen())
	size("operand", len(x), r.n)
	apart(e, x)
	if r.vector != nil {
		r.vector.evaluate(kept(e), kept(x))
		return
	}
	for i, ring := range r.rings {
		part := e[i*r.n : (i+1)*r.n]
		r.centre(part, x)
		ring.kernel.forward(kept(part), kept(part))
	}
}

// centre sets z to x mod q in [−q/2, q/2).
func (r *ByPrimes[W]) centre(z, x []W) {
	unused := wordBits[W]() - uint(r.k)
	for j, v := range x {
		z[j] = v << unused >> unused
	}
}

// FactorScratch returns the words of scratch of Factors, however many there are.
func (r *ByPrimes[W]) FactorScratch() int { return rowsAtOnce * r.n }

// Factors sets every f[j] to x[j], prepared as a second operand: the ring's bound is for the
// coefficients of x. No f may overlap an x.
func (r *ByPrimes[W]) Factors(f []Factor[W], x []Poly[W], scratch []W) {
	size("factors", len(f), len(x))
	scratch = room(scratch, r.FactorScratch())
	sizes[W]("factor", f, r.FactorLen())
	sizes[W]("operand", x, r.n)
	apartFromEachOther[W](f, scratch)
	apartFromAll[W](f, scratch, x)
	if r.vector != nil {
		r.vector.factors(kept(f), kept(x), kept(scratch))
		return
	}
	for j, y := range x {
		r.factor(f[j], y, scratch[:r.n])
	}
}

// factor prepares x as a second operand.
func (r *ByPrimes[W]) factor(f Factor[W], x Poly[W], scratch []W) {
	for i, ring := range r.rings {
		words := ring.FactorLen()
		r.centre(scratch, x)
		ring.kernel.forward(kept(scratch), kept(scratch))
		ring.Factor(f[i*words:(i+1)*words], scratch)
	}
}

// MulAdd adds x·y to sum, from values of x and a factor of y. sum is [Products] of zeros to
// begin with, and must not overlap the others. It must not have more products than the ring
// is for, which is not checked.
func (r *ByPrimes[W]) MulAdd(sum Products[W], x Evaluated[W], y Factor[W]) {
	size("sum", len(sum), r.EvaluatedLen())
	size("values", len(x), r.EvaluatedLen())
	size("factor", len(y), r.FactorLen())
	apart(sum, x)
	apart(sum, y)
	if r.vector != nil {
		r.vector.mulAdd(kept(sum), kept(x), kept(y))
		return
	}
	words := r.rings[0].FactorLen()
	for i, ring := range r.rings {
		lo, hi := i*r.n, (i+1)*r.n
		ring.MulAddNTT(NTT[W](sum[lo:hi]), NTT[W](x[lo:hi]), y[i*words:(i+1)*words])
	}
}

// InterpolateScratch returns the words of scratch of Interpolate.
func (r *ByPrimes[W]) InterpolateScratch() int { return r.EvaluatedLen() }

// Interpolate sets z to the polynomial of w, with coefficients in [0, q). z must not overlap w.
func (r *ByPrimes[W]) Interpolate(z Poly[W], w Products[W], scratch []W) {
	size("result", len(z), r.n)
	size("values", len(w), r.EvaluatedLen())
	apart(z, w)
	scratch = room(scratch, r.InterpolateScratch())
	apart(scratch, z)
	apart(scratch, w)
	if r.vector != nil {
		r.vector.interpolate(kept(z), kept(w), kept(scratch))
		return
	}
	for i, ring := range r.rings {
		lo, hi := i*r.n, (i+1)*r.n
		ring.kernel.inverse(kept(scratch[lo:hi]), kept(w[lo:hi]))
	}
	r.combine(z, scratch)
}

// combine sets z to the polynomial whose coefficients modulo the primes are one behind the
// other in v.
func (r *ByPrimes[W]) combine(z, v []W) {
	mask := int64(1)<<r.k - 1
	p := r.rings[0].q
	if len(r.rings) == 1 {
		for i, u := range v {
			z[i] = W(signed(int64(u), p) & mask)
		}
		return
	}
	// c = v + p·d with d = (u − v)/p modulo q, in [0, p·q); p·q < 2^62. v < p < 2q in every pair.
	second := r.rings[1]
	q := second.q
	for i, u := range v[:r.n] {
		difference := int64(v[r.n+i]) - int64(u) + 2*q
		d := second.mod(second.mod(uint64(difference)) * uint64(r.inverse))
		z[i] = W(signed(int64(u)+p*int64(d), p*q) & mask)
	}
}

// signed returns v for 0 ≤ v < p/2 and else v − p, for an odd p < 2^62.
func signed(v, p int64) int64 { return v - p&((p/2-v)>>63) }

// MulScratch returns the words of scratch of Mul.
func (r *ByPrimes[W]) MulScratch() int {
	if r.vector != nil {
		return r.EvaluatedLen()
	}
	return 2*r.EvaluatedLen() + r.FactorLen() + r.n
}

// Mul sets z to x·y, with coefficients in [0, q), for a y that keeps to the ring's bound. z may
// be x or y.
func (r *ByPrimes[W]) Mul(z, x, y Poly[W], scratch []W) {
	scratch = room(scratch, r.MulScratch())
	checkProduct(r.n, z, x, y, scratch)
	if r.vector != nil {
		r.vector.mul(kept(z), kept(x), kept(y), kept(scratch))
		return
	}
	m := r.EvaluatedLen()
	e, sum := Evaluated[W](scratch[:m]), Products[W](scratch[m:2*m])
	f, rest := Factor[W](scratch[2*m:2*m+r.FactorLen()]), scratch[2*m+r.FactorLen():]
	r.Evaluate(e, x)
	r.factor(f, y, rest)
	clear(sum)
	r.MulAdd(sum, e, f)
	r.Interpolate(z, sum, scratch[:m])
}

// MatVecScratch returns the words of scratch of MatVec.
func (r *ByPrimes[W]) MatVecScratch() int {
	if r.vector != nil {
		return r.vector.rowWords()
	}
	return 2 * r.EvaluatedLen()
}

// MatVec sets z to A·s, with coefficients in [0, q), for a matrix of len(z) rows and len(s)
// columns, row by row in a. It transforms back once a row. It panics if a row has more products
// than the ring is for. Nothing in z may overlap operands.
func (r *ByPrimes[W]) MatVec(z []Poly[W], a []Evaluated[W], s []Factor[W], scratch []W) {
	scratch = r.checkMatrix(z, len(a), s, scratch, r.MatVecScratch())
	sizes[W]("values", a, r.EvaluatedLen())
	apartFromAll[W](z, scratch, a)
	if len(s) == 0 {
		clearAll(z)
		return
	}
	if r.vector != nil {
		r.vector.matVec(kept(z), kept(a), kept(s), kept(scratch))
		return
	}
	for i := range z {
		r.row(z[i], a[i*len(s):(i+1)*len(s)], s, scratch)
	}
}

// row sets z to a sum of products.
func (r *ByPrimes[W]) row(z Poly[W], a []Evaluated[W], s []Factor[W], scratch []W) {
	sum, rest := Products[W](scratch[:r.EvaluatedLen()]), scratch[r.EvaluatedLen():]
	clear(sum)
	for j, f := range s {
		r.MulAdd(sum, a[j], f)
	}
	r.Interpolate(z, sum, rest)
}

// checkMatrix returns the scratch of a product with a matrix, of so many words. It panics if the
// arguments, but for what is in the matrix, are not as they must be.
func (r *ByPrimes[W]) checkMatrix(z []Poly[W], a int, s []Factor[W], scratch []W, words int) []W {
	size("matrix", a, len(z)*len(s))
	if len(s) > r.sums {
		panic(fmt.Sprintf("negacyclic: sums of %d products, want at most %d", len(s), r.sums))
	}
	sizes[W]("result", z, r.n)
	sizes[W]("factor", s, r.FactorLen())
	scratch = room(scratch, words)
	apartFromEachOther[W](z, scratch)
	apartFromAll[W](z, scratch, s)
	return scratch
}

// MatVecPolyScratch returns the words of scratch of MatVecPoly, for so many columns.
func (r *ByPrimes[W]) MatVecPolyScratch(columns int) int {
	return rowsAtOnce*columns*r.EvaluatedLen() + r.MatVecScratch()
}

// rowsAtOnce is how many rows of a matrix of coefficients are evaluated before they are
// multiplied.
const rowsAtOnce = 3

// MatVecPoly is [ByPrimes.MatVec] for a matrix of coefficients, of which it evaluates some rows
// at a time. Nothing in z may overlap operands.
func (r *ByPrimes[W]) MatVecPoly(z, a []Poly[W], s []Factor[W], scratch []W) {
	columns, m := len(s), r.EvaluatedLen()
	scratch = r.checkMatrix(z, len(a), s, scratch, r.MatVecPolyScratch(columns))
	sizes[W]("operand", a, r.n)
	apartFromAll[W](z, scratch, a)
	values, scratch := scratch[:rowsAtOnce*columns*m], scratch[rowsAtOnce*columns*m:]
	if columns == 0 {
		clearAll(z)
		return
	}
	if r.vector != nil {
		r.vector.matVecPoly(kept(z), kept(a), kept(s), kept(values), kept(scratch))
		return
	}
	for i := range z {
		sum, rest := Products[W](scratch[:m]), scratch[m:]
		clear(sum)
		for j, f := range s {
			e := Evaluated[W](values[:m])
			r.Evaluate(e, a[i*columns+j])
			r.MulAdd(sum, e, f)
		}
		r.Interpolate(z[i], sum, rest)
	}
}
