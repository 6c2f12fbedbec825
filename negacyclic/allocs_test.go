package negacyclic

import "testing"

// TestAllocs checks that nothing is allocated once a ring has been made.
func TestAllocs(t *testing.T) {
	allocsOf[int16](t, 13, 3329)
	allocsOf[int32](t, 29, 8380417)
	allocsByPrimes[int16](t)
	allocsByPrimes[int32](t)
}

func allocsByPrimes[W Word](t *testing.T) {
	r, err := NewByPrimes[W](13, 256, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	z, x := make(Poly[W], 256), make(Poly[W], 256)
	e, f, p := make(Evaluated[W], r.EvaluatedLen()), make(Factor[W], r.FactorLen()), make(Products[W], r.EvaluatedLen())
	scratch := make([]W, r.MulScratch()+r.MatVecPolyScratch(1)+r.FactorScratch())
	zs, xs, es, fs := []Poly[W]{z}, []Poly[W]{x}, []Evaluated[W]{e}, []Factor[W]{f}
	none(t, "ByPrimes", func() {
		r.Mul(z, x, x, scratch)
		r.Evaluate(e, x)
		r.Factors(fs, xs, scratch)
		r.MulAdd(p, e, f)
		r.Interpolate(z, p, scratch)
		r.MatVec(zs, es, fs, scratch)
		r.MatVecPoly(zs, xs, fs, scratch)
	})
}

func allocsOf[W Word](t *testing.T, k int, q int64) {
	z, x := make(Poly[W], 256), make(Poly[W], 256)
	for _, method := range []Method{Toom4, Karatsuba} {
		r, err := NewPowerOfTwo[W](k, 256, method)
		if err != nil {
			t.Fatal(err)
		}
		e, p := make(Evaluated[W], r.EvaluatedLen()), make(Products[W], r.EvaluatedLen())
		scratch := make([]W, r.ClassicScratch()+r.MatVecScratch())
		zs, xs, es := []Poly[W]{z}, []Poly[W]{x}, []Evaluated[W]{e}
		none(t, method.String(), func() {
			r.Mul(z, x, x, scratch)
			r.MulClassic(z, x, x, scratch)
			r.Evaluate(e, x)
			r.MulAdd(p, e, e, scratch)
			r.MulAddPoly(p, x, e, scratch)
			r.Interpolate(z, p)
			r.MatVec(zs, es, es, scratch)
			r.MatVecPoly(zs, xs, es, scratch)
		})
	}
	var rings []*Prime[W]
	for _, form := range []Form{Fraction, Barrett, Montgomery, Pairs} {
		if form == Pairs && wordBits[W]() != 16 {
			continue
		}
		r, err := NewPrimeBy[W](form, q, 256, 7)
		if err != nil {
			t.Fatal(err)
		}
		rings = append(rings, r)
	}
	for _, k := range Kernels() {
		r, err := NewPrimeOn[W](k, q, 256)
		if err != nil {
			t.Fatal(err)
		}
		rings = append(rings, r)
	}
	for _, r := range rings {
		scratch, f, vector := make([]W, r.MulScratch()), make(Factor[W], r.FactorLen()), make([]W, r.MatVecPreparedScratch(1))
		p := make(Prepared[W], r.PreparedLen())
		ps := []Prepared[W]{p}
		h, g := make(NTT[W], 256), make(NTT[W], 256)
		zs, hs, gs, fs := []Poly[W]{z}, []NTT[W]{h}, []NTT[W]{g}, []Factor[W]{f}
		none(t, r.Form().String()+" "+r.Kernel(), func() {
			r.Mul(z, x, x, scratch)
			r.Transform(h, x)
			r.Factor(f, h)
			r.MulNTT(g, h, f)
			r.MulAddNTT(g, h, f)
			r.Add(g, g, h)
			r.Inverse(z, g)
			r.MatVec(zs, hs, fs)
			r.MatVecNTT(gs, hs, fs)
			r.Prepare(p, h)
			r.MatVecPrepared(zs, ps, zs, vector)
		})
	}
}

func none(t *testing.T, what string, f func()) {
	t.Helper()
	if n := testing.AllocsPerRun(5, f); n != 0 {
		t.Errorf("%s: %v allocations", what, n)
	}
}

// TestStack checks that arrays of callers stay on the stack.
func TestStack(t *testing.T) {
	for _, k := range Kernels() {
		stack[int16](t, k, 3329)
		stack[int32](t, k, 8380417)
	}
}

func stack[W Word](t *testing.T, k *Kernel, q int64) {
	p, err := NewPrimeOn[W](k, q, 256)
	if err != nil {
		t.Fatal(err)
	}
	none(t, "Prime "+p.Kernel(), func() {
		var z, x, y [256]W
		var f [512]W
		var scratch [4096]W
		p.Mul(z[:], x[:], y[:], scratch[:])
		p.Transform(x[:], y[:])
		factor := f[:p.FactorLen()]
		p.Factor(factor, x[:])
		p.MulNTT(z[:], x[:], factor)
		p.MulAddNTT(z[:], x[:], factor)
		p.Inverse(z[:], z[:])
		p.MatVec([]Poly[W]{z[:]}, []NTT[W]{x[:]}, []Factor[W]{factor})
		p.MatVecNTT([]NTT[W]{z[:]}, []NTT[W]{x[:]}, []Factor[W]{factor})
		prepared := f[:p.PreparedLen()]
		p.Prepare(prepared, x[:])
		p.MatVecPrepared([]Poly[W]{z[:]}, []Prepared[W]{prepared}, []Poly[W]{y[:]}, scratch[:])
	})
	for _, method := range []Method{Toom4, Karatsuba} {
		r, err := NewPowerOfTwoOn[W](k, 13, 256, method)
		if err != nil {
			t.Fatal(err)
		}
		none(t, method.String()+" "+r.Kernel(), func() {
			var z, x, y [256]W
			var values, sums, scratch [8192]W
			e, p := values[:r.EvaluatedLen()], sums[:r.EvaluatedLen()]
			r.Mul(z[:], x[:], y[:], scratch[:])
			r.Evaluate(e, x[:])
			r.MulAdd(p, e, e, scratch[:])
			r.MulAddPoly(p, x[:], e, scratch[:])
			r.Interpolate(z[:], p)
			r.MatVec([]Poly[W]{z[:]}, []Evaluated[W]{e}, []Evaluated[W]{e}, scratch[:])
			r.MatVecPoly([]Poly[W]{z[:]}, []Poly[W]{x[:]}, []Evaluated[W]{e}, scratch[:])
		})
	}
	r, err := NewByPrimesOn[W](k, 13, 256, 3, 4)
	if err != nil {
		t.Fatal(err)
	}
	none(t, "ByPrimes "+r.Kernel(), func() {
		var z, x, y [256]W
		var values, sums, factors, scratch [8192]W
		e, p, f := values[:r.EvaluatedLen()], sums[:r.EvaluatedLen()], factors[:r.FactorLen()]
		r.Mul(z[:], x[:], y[:], scratch[:])
		r.Evaluate(e, x[:])
		r.Factors([]Factor[W]{f}, []Poly[W]{y[:]}, scratch[:])
		r.MulAdd(p, e, f)
		r.Interpolate(z[:], p, scratch[:])
		r.MatVec([]Poly[W]{z[:]}, []Evaluated[W]{e}, []Factor[W]{f}, scratch[:])
		r.MatVecPoly([]Poly[W]{z[:]}, []Poly[W]{x[:]}, []Factor[W]{f}, scratch[:])
	})
}
