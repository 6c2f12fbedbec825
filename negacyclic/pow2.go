package negacyclic

import (
	"fmt"

	"residue/internal/cpu"
)

// Method is a way to multiply modulo a power of two.
type Method int

// The methods. Toom4 takes 7 products of a quarter of the length and loses three bits of a
// word; Karatsuba takes 3 of half the length and loses none. Both go on with Karatsuba's
// method down to short products by the schoolbook. Toom4 is quicker where it takes k.
const (
	Toom4 Method = iota
	Karatsuba
)

// String returns the method's name, as commands show it.
func (m Method) String() string {
	switch m {
	case Toom4:
		return "toom4"
	case Karatsuba:
		return "karatsuba"
	}
	return fmt.Sprintf("Method(%d)", int(m))
}

// PowerOfTwo is the ring Z_q[X]/(Xⁿ+1) with q = 2^k, and a method for it.
//
// The method is striding: with t = X and V = X^r for r parts, part i of a polynomial has its
// coefficients i, i+r, i+2r, … and V^(n/r) = −1. So products of parts are negacyclic of
// length n/r, where those of the classic form, on consecutive coefficients, have 2n/r.
type PowerOfTwo[W Word] struct {
	n, k   int
	method Method
	parts  int // r
	points int
	mask   W              // q − 1
	vector toomVectors[W] // nil if the kernel has no routines for this ring
	name   string         // of the kernel that the routines are of
}

// NewPowerOfTwo returns the ring with q = 2^k, k ≥ 1. Words of B bits hold [0, q) for k < B, and
// Toom4 needs k ≤ B − 3, 13 bits in 16 and 29 in 32, and n ≥ 4. It takes the kernel in use. It
// is an error if k, n or the method is not allowed, or if RESIDUE_KERNEL names a kernel that
// cannot be used.
func NewPowerOfTwo[W Word](k, n int, method Method) (*PowerOfTwo[W], error) {
	kernel, err := Default()
	if err != nil {
		return nil, err
	}
	return NewPowerOfTwoOn[W](kernel, k, n, method)
}

// NewPowerOfTwoOn is [NewPowerOfTwo] on a kernel.
func NewPowerOfTwoOn[W Word](kernel *Kernel, k, n int, method Method) (*PowerOfTwo[W], error) {
	if err := checkLength(n); err != nil {
		return nil, err
	}
	r := &PowerOfTwo[W]{n: n, k: k, method: method, name: cpu.Generic}
	most := int(wordBits[W]()) - 1
	switch method {
	case Toom4:
		r.parts, r.points = toomParts, toomPoints
		most = int(wordBits[W]()) - toomLoss
	case Karatsuba:
		r.parts, r.points = 2, 3
	default:
		return nil, fmt.Errorf("negacyclic: method is %v, want toom4 or karatsuba", method)
	}
	if k < 1 || k > most {
		return nil, fmt.Errorf("negacyclic: k is %d, want 1 to %d for %v in words of %d bits", k, most, method, wordBits[W]())
	}
	if n < r.parts {
		return nil, fmt.Errorf("negacyclic: n is %d, want at least %d for %v", n, r.parts, method)
	}
	r.mask = W(uint32(1)<<k - 1)
	if method == Toom4 {
		if v := toomFor[W](kernel, n); v != nil {
			r.vector, r.name = v, kernel.name
		}
	}
	return r, nil
}

// N returns n.
func (r *PowerOfTwo[W]) N() int { return r.n }

// K returns the k of q = 2^k.
func (r *PowerOfTwo[W]) K() int { return r.k }

// Method returns the method.
func (r *PowerOfTwo[W]) Method() Method { return r.method }

// Kernel returns the name of the kernel whose routines compute: the one that the ring was
// made on, or generic if that has none for this ring.
func (r *PowerOfTwo[W]) Kernel() string { return r.name }

// EvaluatedLen returns the words of an [Evaluated], and of [Products]. How values lie in memory
// is the kernel's own.
func (r *PowerOfTwo[W]) EvaluatedLen() int {
	if r.vector != nil {
		return r.vector.evaluatedLen()
	}
	return r.valueWords()
}

// valueWords returns the words of all values, without anything beside.
func (r *PowerOfTwo[W]) valueWords() int { return r.points * r.n / r.parts }

// MulScratch returns the words of scratch of Mul: the values of one operand. For Toom4 the
// result has room for the rest. Routines of vectors take more, for what lies in lanes.
func (r *PowerOfTwo[W]) MulScratch() int {
	if r.vector != nil {
		return r.vector.mulScratch()
	}
	m := r.n / r.parts
	if r.n-m >= strideScratch(m) {
		return r.EvaluatedLen()
	}
	return r.EvaluatedLen() + strideScratch(m)
}

// Mul sets z to x·y, with coefficients in [0, q). z must not overlap x or y; x and y may be the
// same.
func (r *PowerOfTwo[W]) Mul(z, x, y Poly[W], scratch []W) {
	r.check(z, x, y)
	scratch = room(scratch, r.MulScratch())
	apart(scratch, z)
	apart(scratch, x)
	apart(scratch, y)
	if r.vector != nil {
		r.vector.mul(kept(z), kept(x), kept(y), kept(scratch), r.mask)
		return
	}
	m, values := r.n/r.parts, r.EvaluatedLen()
	w, v, beside := scratch[:values], z[:m], z[m:]
	if values < len(scratch) {
		beside = scratch[values:]
	}
	for p := range r.points {
		wp := w[p*m : (p+1)*m]
		r.value(wp, x, p)
		r.value(v, y, p)
		strideProduct(wp, v, beside)
	}
	r.Interpolate(z, w)
}

// check panics if the arguments of a product are not as they must be.
func (r *PowerOfTwo[W]) check(z, x, y Poly[W]) {
	size("result", len(z), r.n)
	size("operand", len(x), r.n)
	size("operand", len(y), r.n)
	apart(z, x)
	apart(z, y)
}

// Evaluate sets e to the values of x. e must not overlap x.
func (r *PowerOfTwo[W]) Evaluate(e Evaluated[W], x Poly[W]) {
	size("values", len(e), r.EvaluatedLen())
	size("operand", len(x), r.n)
	apart(e, x)
	if r.vector != nil {
		r.vector.evaluate(kept(e), kept(x))
		return
	}
	m := r.n / r.parts
	for p := range r.points {
		r.value(e[p*m:(p+1)*m], x, p)
	}
}

// value sets v to the value of x at a point.
func (r *PowerOfTwo[W]) value(v, x []W, point int) {
	if r.method == Karatsuba {
		switch point {
		case 2:
			for i := range v {
				v[i] = x[2*i] + x[2*i+1]
			}
		default: // 0 and ∞
			for i := range v {
				v[i] = x[2*i+point]
			}
		}
		return
	}
	x = x[:toomParts*len(v)]
	for i := range v {
		a := x[4*i : 4*i+4 : 4*i+4]
		v[i] = toomValue(point, a[0], a[1], a[2], a[3])
	}
}

// ProductScratch returns the words of scratch of MulAdd and MulAddPoly.
func (r *PowerOfTwo[W]) ProductScratch() int {
	if r.vector != nil {
		return r.vector.mulAddScratch()
	}
	return 2*(r.n/r.parts) + strideScratch(r.n/r.parts)
}

// MulAdd adds x·y to sum, from values of both. sum is [Products] of zeros to begin with, and must
// not overlap the others. There may be any number of products.
func (r *PowerOfTwo[W]) MulAdd(sum Products[W], x, y Evaluated[W], scratch []W) {
	size("values", len(x), r.EvaluatedLen())
	scratch = r.checkSum(sum, x, y, scratch)
	if r.vector != nil {
		r.vector.mulAdd(kept(sum), kept(x), kept(y), kept(scratch))
		return
	}
	r.mulAdd(sum, x, nil, y, scratch)
}

// MulAddPoly is [PowerOfTwo.MulAdd] from coefficients of x and values of y: an x that is used
// once need not be evaluated in memory of its own.
func (r *PowerOfTwo[W]) MulAddPoly(sum Products[W], x Poly[W], y Evaluated[W], scratch []W) {
	size("operand", len(x), r.n)
	scratch = r.checkSum(sum, x, y, scratch)
	if r.vector != nil {
		values := scratch[:r.EvaluatedLen()]
		r.vector.evaluate(kept(values), kept(x))
		r.vector.mulAdd(kept(sum), kept(values), kept(y), kept(scratch))
		return
	}
	r.mulAdd(sum, nil, x, y, scratch)
}

// checkSum returns the scratch of a product that is added to a sum. It panics if arguments are
// not as they must be; the length of x has been checked.
func (r *PowerOfTwo[W]) checkSum(sum Products[W], x []W, y Evaluated[W], scratch []W) []W {
	size("sum", len(sum), r.EvaluatedLen())
	size("values", len(y), r.EvaluatedLen())
	scratch = room(scratch, r.ProductScratch())
	apart(sum, x)
	apart(sum, y)
	apart(scratch, sum)
	apart(scratch, x)
	apart(scratch, y)
	return scratch
}

// mulAdd adds to sum the products of y's values and others or, if these are nil, those of a
// polynomial. It is portable code.
func (r *PowerOfTwo[W]) mulAdd(sum Products[W], values Evaluated[W], poly Poly[W], y Evaluated[W], scratch []W) {
	m := r.n / r.parts
	u, v, rest := scratch[:m], scratch[m:2*m], scratch[2*m:]
	for p := range r.points {
		if values != nil {
			copy(u, values[p*m:(p+1)*m])
		} else {
			r.value(u, poly, p)
		}
		copy(v, y[p*m:(p+1)*m])
		strideProduct(u, v, rest)
		s := sum[p*m : (p+1)*m]
		for i, x := range u {
			s[i] += x
		}
	}
}

// Interpolate sets z to the polynomial of w's values, with coefficients in [0, q). z must not
// overlap w.
//
// Sums of products lose no more bits than one: what is lost depends on the word alone.
func (r *PowerOfTwo[W]) Interpolate(z Poly[W], w Products[W]) {
	size("result", len(z), r.n)
	size("values", len(w), r.EvaluatedLen())
	apart(z, w)
	if r.vector != nil {
		r.vector.interpolate(kept(z), kept(w), r.mask)
		return
	}
	if r.method == Karatsuba {
		r.interpolateKaratsuba(z, w)
		return
	}
	m := r.n / toomParts
	z = z[:toomParts*m]
	// Coefficient j of d₄, d₅ and d₆ goes to V^(j+1), with V^m = −1.
	d := toomCoefficientsAt(w, m-1, m)
	d4, d5, d6 := -d[4], -d[5], -d[6]
	for j := range m {
		d := toomCoefficientsAt(w, j, m)
		c := z[4*j : 4*j+4 : 4*j+4]
		c[0] = (d[0] + d4) & r.mask
		c[1] = (d[1] + d5) & r.mask
		c[2] = (d[2] + d6) & r.mask
		c[3] = d[3] & r.mask
		d4, d5, d6 = d[4], d[5], d[6]
	}
}

// toomCoefficientsAt is [toomCoefficients] of coefficient j of values of m words.
func toomCoefficientsAt[W Word](w []W, j, m int) [toomPoints]W {
	var v [toomPoints]W
	for p := range v {
		v[p] = w[p*m+j]
	}
	return toomCoefficients(&v)
}

// interpolateKaratsuba is [PowerOfTwo.Interpolate] for the values at 0, ∞ and 1.
func (r *PowerOfTwo[W]) interpolateKaratsuba(z, w []W) {
	m := r.n / 2
	w0, wInf, w1 := w[:m], w[m:2*m], w[2*m:]
	last := -wInf[m-1] // V^m = −1
	for i, a := range w0 {
		b := wInf[i]
		z[2*i] = (a + last) & r.mask
		z[2*i+1] = (w1[i] - a - b) & r.mask
		last = b
	}
}

// MatVecScratch returns the words of scratch of MatVec and MatVecPoly.
func (r *PowerOfTwo[W]) MatVecScratch() int {
	if r.vector != nil {
		return r.vector.sumLen() + r.vector.mulAddScratch()
	}
	return r.EvaluatedLen() + r.ProductScratch()
}

// MatVec sets z to A·s, with coefficients in [0, q), for a matrix of len(z) rows and len(s)
// columns, row by row in a. It interpolates once a row. Nothing in z may overlap operands.
func (r *PowerOfTwo[W]) MatVec(z []Poly[W], a, s []Evaluated[W], scratch []W) {
	scratch = r.checkMatrix(z, len(a), s, scratch)
	sizes[W]("values", a, r.EvaluatedLen())
	apartFromAll[W](z, scratch, a)
	if r.vector != nil && len(s) > 0 {
		for i := range z {
			r.row(z[i], a[i*len(s):(i+1)*len(s)], nil, s, scratch)
		}
		return
	}
	sum, rest := r.split(scratch)
	for i := range z {
		clear(sum)
		for j, y := range s {
			r.MulAdd(sum, a[i*len(s)+j], y, rest)
		}
		r.Interpolate(z[i], sum)
	}
}

// checkMatrix returns the scratch of a product with a matrix. It panics if the arguments, but for
// what is in the matrix, are not as they must be.
func (r *PowerOfTwo[W]) checkMatrix(z []Poly[W], a int, s []Evaluated[W], scratch []W) []W {
	size("matrix", a, len(z)*len(s))
	sizes[W]("result", z, r.n)
	sizes[W]("values", s, r.EvaluatedLen())
	scratch = room(scratch, r.MatVecScratch())
	apartFromEachOther[W](z, scratch)
	apartFromAll[W](z, scratch, s)
	return scratch
}

// MatVecPoly is [PowerOfTwo.MatVec] for a matrix of coefficients. Nothing in z may overlap
// operands.
func (r *PowerOfTwo[W]) MatVecPoly(z, a []Poly[W], s []Evaluated[W], scratch []W) {
	scratch = r.checkMatrix(z, len(a), s, scratch)
	sizes[W]("operand", a, r.n)
	apartFromAll[W](z, scratch, a)
	if r.vector != nil && len(s) > 0 {
		for i := range z {
			r.row(z[i], nil, a[i*len(s):(i+1)*len(s)], s, scratch)
		}
		return
	}
	sum, rest := r.split(scratch)
	for i := range z {
		clear(sum)
		for j, y := range s {
			r.MulAddPoly(sum, a[i*len(s)+j], y, rest)
		}
		r.Interpolate(z[i], sum)
	}
}

// split parts the scratch of a matrix product.
func (r *PowerOfTwo[W]) split(scratch []W) (sum Products[W], rest []W) {
	return Products[W](scratch[:r.EvaluatedLen()]), scratch[r.EvaluatedLen():]
}

// row sets z to the sum of products of s and of values or, if these are nil, polynomials. It
// is for routines of vectors.
func (r *PowerOfTwo[W]) row(z Poly[W], values []Evaluated[W], polys []Poly[W], s []Evaluated[W], scratch []W) {
	v, m := r.vector, r.EvaluatedLen()
	words := kept(scratch)
	sum, own, rest := words[:v.sumLen()], words[v.sumLen():][:m], words[v.sumLen()+m:]
	for j, y := range s {
		if values != nil {
			v.addProduct(sum, kept(values[j]), kept(y), rest, j == 0)
			continue
		}
		v.evaluate(own, kept(polys[j]))
		v.addProduct(sum, own, kept(y), rest, j == 0)
	}
	v.join(own, sum, rest)
	v.interpolate(kept(z), own, r.mask)
}
