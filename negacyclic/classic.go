package negacyclic

// The classic forms are here to be compared: parts of consecutive coefficients, so products
// of parts have twice their length, and what the products are kept in is twice as large.

// ClassicScratch returns the words of scratch of MulClassic.
func (r *PowerOfTwo[W]) ClassicScratch() int {
	m := r.n / r.parts
	if r.n-m >= classicScratch(m) {
		return 2 * r.valueWords()
	}
	return 2*r.valueWords() + classicScratch(m)
}

// MulClassic is [PowerOfTwo.Mul] by the classic form of the method, which does not stride. It is
// portable Go in every kernel, and slower: it is there to be compared with.
func (r *PowerOfTwo[W]) MulClassic(z, x, y Poly[W], scratch []W) {
	r.check(z, x, y)
	scratch = room(scratch, r.ClassicScratch())
	apart(scratch, z)
	apart(scratch, x)
	apart(scratch, y)
	m, values := r.n/r.parts, 2*r.valueWords()
	w, v, beside := scratch[:values], z[:m], z[m:]
	if values < len(scratch) {
		beside = scratch[values:]
	}
	for p := range r.points {
		wp := w[2*p*m : 2*(p+1)*m]
		r.classicValue(wp[:m], x, p)
		r.classicValue(v, y, p)
		classicProduct(wp, v, beside)
	}
	r.interpolateClassic(z, w)
}

// classicValue sets v to the value of x at a point, for parts of consecutive coefficients.
func (r *PowerOfTwo[W]) classicValue(v, x []W, point int) {
	m := len(v)
	switch {
	case r.method == Toom4:
		a0, a1, a2, a3 := x[:m], x[m:2*m], x[2*m:3*m], x[3*m:]
		for i := range v {
			v[i] = toomValue(point, a0[i], a1[i], a2[i], a3[i])
		}
	case point < 2: // 0 and ∞
		copy(v, x[point*m:])
	default:
		for i := range v {
			v[i] = x[i] + x[m+i]
		}
	}
}

// interpolateClassic sets z to the polynomial of values of 2m words.
func (r *PowerOfTwo[W]) interpolateClassic(z, w []W) {
	m := r.n / r.parts
	clear(z)
	for j := range 2 * m {
		var d [toomPoints]W
		if r.method == Toom4 {
			d = toomCoefficientsAt(w, j, 2*m)
		} else {
			w0, wInf, w1 := w[j], w[2*m+j], w[4*m+j]
			d[0], d[1], d[2] = w0, w1-w0-wInf, wInf
		}
		for i, c := range d[:r.points] {
			// X^(im+j), and X^n = −1: an exponent is below 2n.
			if e := i*m + j; e < r.n {
				z[e] += c
			} else {
				z[e-r.n] -= c
			}
		}
	}
	for i := range z {
		z[i] &= r.mask
	}
}
