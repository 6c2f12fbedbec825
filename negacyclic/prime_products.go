package negacyclic

// MulNTT sets z to x·f, with residues in [0, q). z must not overlap the others.
func (r *Prime[W]) MulNTT(z, x NTT[W], f Factor[W]) { r.product(z, x, f, 0) }

// MulAddNTT adds x·f to z, which has residues in [0, q) before and after. z must not overlap
// the others.
func (r *Prime[W]) MulAddNTT(z, x NTT[W], f Factor[W]) { r.product(z, x, f, -1) }

// product sets z to x·f, and adds what z was if keep is −1 and not 0.
func (r *Prime[W]) product(z, x NTT[W], f Factor[W], keep W) {
	size("result", len(z), r.n)
	size("operand", len(x), r.n)
	size("factor", len(f), r.FactorLen())
	apart(z, x)
	apart(z, f)
	if r.vector != nil {
		r.vector.product(kept(z), kept(x), kept(f), keep)
		return
	}
	r.portableSum(z, []NTT[W]{x}, []Factor[W]{f}, uint64(int64(keep)))
}

// MulScratch returns the words of scratch of Mul.
func (r *Prime[W]) MulScratch() int {
	if r.vector != nil {
		return r.vector.mulScratch()
	}
	if r.whole != nil {
		return 0
	}
	return r.n + r.FactorLen()
}

// Mul sets z to x·y, with coefficients in [0, q). z may be x or y, and x and y may be the same.
func (r *Prime[W]) Mul(z, x, y Poly[W], scratch []W) {
	scratch = room(scratch, r.MulScratch())
	checkProduct(r.n, z, x, y, scratch)
	if r.vector != nil {
		r.vector.mul(kept(z), kept(x), kept(y), kept(scratch))
		return
	}
	if r.whole != nil {
		r.whole.mul(kept(z), kept(x), kept(y))
		return
	}
	t, f := NTT[W](scratch[:r.n]), Factor[W](scratch[r.n:])
	r.Transform(t, y)
	r.Factor(f, t)
	r.Transform(t, x)
	r.MulNTT(NTT[W](z), t, f)
	r.kernel.inverse(kept(z), kept(z))
}

// MatVecNTT sets z to A·s in the domain of transforms, for a matrix of len(z) rows and len(s)
// columns, row by row in a. Nothing in z may overlap operands.
func (r *Prime[W]) MatVecNTT(z, a []NTT[W], s []Factor[W]) {
	checkMatrix(r, z, a, s)
	for i := range z {
		r.sum(z[i], a[i*len(s):(i+1)*len(s)], s)
	}
}

// MatVec sets z to A·s as [Prime.MatVecNTT] does, in coefficients in [0, q). It transforms back
// once a row. Nothing in z may overlap operands.
func (r *Prime[W]) MatVec(z []Poly[W], a []NTT[W], s []Factor[W]) {
	checkMatrix(r, z, a, s)
	if r.vector == nil || len(s) == 0 || len(s) > r.vector.most() {
		for i := range z {
			t := NTT[W](z[i])
			r.sum(t, a[i*len(s):(i+1)*len(s)], s)
			r.kernel.inverse(kept(t), kept(t))
		}
		return
	}
	if m, ok := r.vector.(matrices[W]); ok {
		m.rows(kept(z), kept(a), kept(s))
		return
	}
	for i := range z {
		r.vector.row(kept(z[i]), kept(a[i*len(s):(i+1)*len(s)]), kept(s))
	}
}

// checkMatrix panics if the arguments of a product with a matrix are not as they must be.
func checkMatrix[W Word, Z ~[]W](r *Prime[W], z []Z, a []NTT[W], s []Factor[W]) {
	size("matrix", len(a), len(z)*len(s))
	sizes[W]("result", z, r.n)
	sizes[W]("operand", a, r.n)
	sizes[W]("factor", s, r.FactorLen())
	apartFromEachOther[W](z, nil)
	apartFromAll[W](z, nil, a)
	apartFromAll[W](z, nil, s)
}

// PreparedLen returns the words of a [Prepared].
func (r *Prime[W]) PreparedLen() int {
	if r.vector != nil {
		return r.vector.preparedLen()
	}
	return r.FactorLen()
}

// Prepare prepares x as an element of the matrix of [Prime.MatVecPrepared]. p must not overlap
// x. In what order words are is the kernel's own: p is for the ring that made it.
func (r *Prime[W]) Prepare(p Prepared[W], x NTT[W]) {
	size("element", len(p), r.PreparedLen())
	size("operand", len(x), r.n)
	apart(p, x)
	if r.vector != nil {
		r.vector.prepare(kept(p), kept(x))
		return
	}
	r.Factor(Factor[W](p), x)
}

// MatVecPreparedScratch returns the words of scratch of MatVecPrepared, for so many columns.
func (r *Prime[W]) MatVecPreparedScratch(columns int) int { return (columns + 1) * r.n }

// MatVecPrepared sets z to A·s for a matrix that was prepared, row by row in a, and a vector of
// coefficients, which it transforms into scratch; results are coefficients in [0, q). It is the
// quickest way for a matrix that is used often. Nothing in z may overlap the matrix or scratch;
// it may overlap s.
func (r *Prime[W]) MatVecPrepared(z []Poly[W], a []Prepared[W], s []Poly[W], scratch []W) {
	size("matrix", len(a), len(z)*len(s))
	sizes[W]("result", z, r.n)
	sizes[W]("element", a, r.PreparedLen())
	sizes[W]("operand", s, r.n)
	t := room(scratch, r.MatVecPreparedScratch(len(s)))
	apartFromEachOther[W](z, t)
	apartFromAll[W](z, t, a)
	apartFromAll[W]([]Poly[W](nil), t, s)
	switch m, ok := r.vector.(matrices[W]); {
	case r.vector == nil:
		r.matVecPortable(z, a, s, t)
	case ok && len(s) > 0 && len(s) <= r.vector.most():
		m.residuesOf(kept(t), kept(s))
		m.rowsOf(kept(z), kept(t), kept(a))
	default:
		r.matVecRows(z, a, s, t)
	}
}

// matVecPortable is MatVecPrepared in portable code.
func (r *Prime[W]) matVecPortable(z []Poly[W], a []Prepared[W], s []Poly[W], t []W) {
	for j, x := range s {
		r.kernel.forward(kept(t[j*r.n:(j+1)*r.n]), kept(x))
	}
	for i := range z {
		clear(z[i])
		for j, p := range a[i*len(s) : (i+1)*len(s)] {
			r.MulAddNTT(NTT[W](z[i]), t[j*r.n:(j+1)*r.n], Factor[W](p))
		}
		r.kernel.inverse(kept(z[i]), kept(z[i]))
	}
}

// matVecRows is MatVecPrepared by the routine for rows, for as many products at once as that
// takes. The last n words of t are for what is added to the first.
func (r *Prime[W]) matVecRows(z []Poly[W], a []Prepared[W], s []Poly[W], t []W) {
	for j, x := range s {
		r.vector.residues(kept(t[j*r.n:(j+1)*r.n]), kept(x))
	}
	more := NTT[W](t[len(s)*r.n:])
	for i := range z {
		if len(s) == 0 {
			clear(z[i])
		}
		row := a[i*len(s) : (i+1)*len(s)]
		for first := 0; first < len(row); first += r.vector.most() {
			last := min(first+r.vector.most(), len(row))
			to := NTT[W](z[i])
			if first > 0 {
				to = more
			}
			r.vector.rowOf(kept([]W(to)), kept(t[first*r.n:last*r.n]), kept(row[first:last]))
			if first > 0 {
				r.Add(NTT[W](z[i]), NTT[W](z[i]), more)
			}
		}
	}
}

// sum sets z to the sum of x[j]·f[j], which have been checked.
func (r *Prime[W]) sum(z NTT[W], x []NTT[W], f []Factor[W]) {
	if r.vector == nil {
		r.portableSum(z, x, f, 0)
		return
	}
	if len(x) == 0 {
		clear(z)
	}
	for keep := W(0); len(x) > 0; keep = -1 {
		n := min(len(x), r.vector.most())
		r.vector.sum(kept(z), kept(x[:n]), kept(f[:n]), keep)
		x, f = x[n:], f[n:]
	}
}

// portableSum sets z to the sum of x[j]·f[j], and of z itself if keep is all ones and not 0.
//
// Products are of residues, and reduced as late as 64 bits allow: r.terms of them and a
// residue are below 2^64. That is 4 or more, for q < 2^31.
func (r *Prime[W]) portableSum(z NTT[W], x []NTT[W], f []Factor[W], keep uint64) {
	switch {
	case r.d == 1:
		r.sumComplete(z, x, f, keep)
	case r.d == 2 && len(x) == 1:
		r.productPairs(z, x[0], f[0], keep)
	case r.d == 2:
		r.sumPairs(z, x, f, keep)
	default:
		r.sumBlocks(z, x, f, keep)
	}
}

// sumComplete is [Prime.portableSum] for residues that are numbers.
func (r *Prime[W]) sumComplete(z NTT[W], x []NTT[W], f []Factor[W], keep uint64) {
	for i := range z {
		c, left := uint64(z[i])&keep, r.terms
		for j, a := range x {
			if left == 0 {
				c, left = r.mod(c), r.terms
			}
			c += uint64(a[i]) * uint64(f[j][i])
			left--
		}
		z[i] = W(r.mod(c))
	}
}

// sumPairs is [Prime.portableSum] for residues modulo X² − γ: with f = (b₀, b₁, 0, γb₁) the product
// of (a₀, a₁) is (a₀b₀ + a₁γb₁, a₀b₁ + a₁b₀).
func (r *Prime[W]) sumPairs(z NTT[W], x []NTT[W], f []Factor[W], keep uint64) {
	for i := 0; i+1 < len(z); i += 2 {
		c0, c1, left := uint64(z[i])&keep, uint64(z[i+1])&keep, r.terms
		for j, a := range x {
			if left < 2 {
				c0, c1, left = r.mod(c0), r.mod(c1), r.terms
			}
			a0, a1, b := uint64(a[i]), uint64(a[i+1]), f[j][2*i:2*i+4:2*i+4]
			c0 += a0*uint64(b[0]) + a1*uint64(b[3])
			c1 += a0*uint64(b[1]) + a1*uint64(b[0])
			left -= 2
		}
		z[i], z[i+1] = W(r.mod(c0)), W(r.mod(c1))
	}
}

// productPairs is [Prime.sumPairs] for one product.
func (r *Prime[W]) productPairs(z, x NTT[W], f Factor[W], keep uint64) {
	for i := 0; i+1 < len(z) && i+1 < len(x); i += 2 {
		a0, a1, b := uint64(x[i]), uint64(x[i+1]), f[2*i:2*i+4:2*i+4]
		c0 := uint64(z[i])&keep + a0*uint64(b[0]) + a1*uint64(b[3])
		c1 := uint64(z[i+1])&keep + a0*uint64(b[1]) + a1*uint64(b[0])
		z[i], z[i+1] = W(r.mod(c0)), W(r.mod(c1))
	}
}

// sumBlocks is [Prime.portableSum] for residues modulo X^d − γ.
func (r *Prime[W]) sumBlocks(z NTT[W], x []NTT[W], f []Factor[W], keep uint64) {
	d := r.d
	for i := range z {
		s, k := i/d*d, i%d
		c, left := uint64(z[i])&keep, r.terms
		for j := range x {
			a, b := x[j][s:s+d], f[j][2*s:2*(s+d)]
			for m, v := range a {
				if left == 0 {
					c, left = r.mod(c), r.terms
				}
				e := k - m // X^m times X^e is X^k, or γ·X^k for an e + d
				if e < 0 {
					e += 2 * d // γ times it is d words further on
				}
				c += uint64(v) * uint64(b[e])
				left--
			}
		}
		z[i] = W(r.mod(c))
	}
}
