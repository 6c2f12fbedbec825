package negacyclic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// primeRings calls f for rings of many moduli, lengths, layers and forms.
func primeRings[W Word](t *testing.T, qs []int64, f func(t *testing.T, r *Prime[W])) {
	for _, q := range qs {
		for _, n := range []int{2, 8, 64, 256, 512} {
			most := maxLayers(q, n)
			for _, layers := range slices.Compact([]int{0, min(1, most), most / 2, max(0, most-2), max(0, most-1), most}) {
				for _, form := range []Form{Fraction, Barrett, Montgomery} {
					if n > 64 && layers < most-1 || n > 256 && form != Fraction {
						continue
					}
					r, err := NewPrimeBy[W](form, q, n, layers)
					if form == Pairs && (wordBits[W]() != 16 || !pairsFit(q, n, layers)) ||
						form != Fraction && q >= 1<<(wordBits[W]()-4) {
						if err == nil {
							t.Errorf("q = %d, %v: no error", q, form)
						}
						continue
					}
					if err != nil {
						t.Fatal(err)
					}
					name := fmt.Sprintf("%d bits/q=%d/n=%d/%d layers/%v", wordBits[W](), q, n, layers, form)
					t.Run(name, func(t *testing.T) { f(t, r) })
				}
				if layers < most-1 {
					continue
				}
				for _, k := range Kernels() {
					r, err := newPrimeOn[W](k, q, n, layers)
					if err != nil {
						t.Fatal(err)
					}
					if r.vector != nil {
						name := fmt.Sprintf("%d bits/q=%d/n=%d/%d layers/%v", wordBits[W](), q, n, layers, k.Name())
						t.Run(name, func(t *testing.T) { f(t, r) })
					}
				}
			}
		}
	}
}

var (
	shortPrimes = []int64{3, 17, 257, 3329, 7681, 12289, 32749, 31489}
	longPrimes  = []int64{3329, 8380417, 998244353, 2013265921, 2147483647, 2147473409}
)

func eachPrime(t *testing.T, f func(*testing.T, *Prime[int16]), g func(*testing.T, *Prime[int32])) {
	primeRings(t, shortPrimes, f)
	primeRings(t, longPrimes, g)
}

func TestPrime(t *testing.T) { eachPrime(t, testPrime[int16], testPrime[int32]) }

func testPrime[W Word](t *testing.T, r *Prime[W]) {
	rnd := rand.New(rand.NewPCG(uint64(r.n), uint64(r.q)))
	scratch := littered[W](rnd, r.MulScratch())
	others := []string{"random", "q-1", "any word"}
	for kind := range kinds {
		if r.n > 64 && r.vector == nil && rnd.IntN(4) > 0 {
			continue // the reference takes long
		}
		other := others[rnd.IntN(len(others))]
		x, y := polynomial[W](rnd, kind, r.q, r.n), polynomial[W](rnd, other, r.q, r.n)
		x0, y0 := slices.Clone(x), slices.Clone(y)
		z := Poly[W](littered[W](rnd, r.n))
		want := reference(r.q, x, y)
		r.Mul(z, x, y, scratch)
		equal(t, kind+"·"+other, z, want)
		equal(t, "first operand afterwards", x, x0)
		equal(t, "second operand afterwards", y, y0)
		r.Mul(x, x, y, scratch)
		equal(t, "in place", x, want)

		hat := make(NTT[W], r.n)
		r.Transform(hat, x0)
		for i, v := range hat {
			if v < 0 || int64(v) >= r.q {
				t.Fatalf("%s: residue %d is %d", kind, i, v)
			}
		}
		r.Inverse(z, hat)
		one := make(Poly[W], r.n)
		one[0] = 1
		equal(t, kind+", there and back", z, reference(r.q, x0, one))
		hat = NTT[W](slices.Clone(z))
		r.Inverse(z, hat)
		back := make(NTT[W], r.n)
		r.Transform(back, z)
		equal(t, kind+", back and there", back, hat)
	}
}

// TestOrder checks residues against their definition: the coefficients modulo X^d − γ in the
// order of FIPS 203 and 204, which give ζ and, in their Appendix A and B, its powers.
func TestOrder(t *testing.T) {
	primeRings(t, []int64{3329}, testOrder[int16])
	primeRings(t, []int64{8380417, 2013265921}, testOrder[int32])
	for _, c := range []struct{ q, zeta, half int64 }{{3329, 17, 128}, {8380417, 1753, 256}} {
		if z := rootOfUnity(int(c.half), c.q); z != c.zeta {
			t.Errorf("q = %d: ζ is %d, want %d", c.q, z, c.zeta)
		}
	}
	if z := zetas(3329, 7); z[1] != 1729 || z[2] != 2580 || z[127] != 2154 {
		t.Errorf("FIPS 203: powers of ζ are %d, %d, … %d", z[1], z[2], z[127])
	}
	if z := zetas(8380417, 8); z[1] != 4808194 || z[2] != 3765607 {
		t.Errorf("FIPS 204: powers of ζ are %d, %d, …", z[1], z[2])
	}
}

func testOrder[W Word](t *testing.T, r *Prime[W]) {
	rnd := rand.New(rand.NewPCG(uint64(r.n), uint64(r.q)))
	x, hat := polynomial[W](rnd, "any word", r.q, r.n), make(NTT[W], r.n)
	r.Transform(hat, x)
	want := make(NTT[W], r.n)
	for s := range r.n / r.d {
		gamma := r.q - 1
		if r.layers > 0 {
			zeta := rootOfUnity(1<<r.layers, r.q)
			gamma = power(zeta, int64(2*reverse(s, r.layers)+1), r.q)
		}
		for i := r.n - 1; i >= 0; i-- { // Horner's rule
			c := int64(want[s*r.d+i%r.d])
			want[s*r.d+i%r.d] = W(((c*gamma+int64(x[i]))%r.q + r.q) % r.q)
		}
	}
	equal(t, "residues", hat, want)
}

func TestPrimeMatVec(t *testing.T) { eachPrime(t, testPrimeMatVec[int16], testPrimeMatVec[int32]) }

func testPrimeMatVec[W Word](t *testing.T, r *Prime[W]) {
	if r.vector == nil && (r.n > 128 || r.form != Fraction) {
		t.Skip("no different from others")
	}
	columns := []int{7} // more products than 64 bits hold of 31-bit residues
	if r.vector != nil {
		columns = []int{1, 4, r.vector.most(), r.vector.most() + 1}
	}
	for _, c := range columns {
		testPrimeMatVecOf(t, r, c)
	}
}

func testPrimeMatVecOf[W Word](t *testing.T, r *Prime[W], columns int) {
	rnd := rand.New(rand.NewPCG(uint64(r.n), uint64(r.q)))
	const rows = 5
	var a, s, z []Poly[W]
	var ah []NTT[W]
	var sh []Factor[W]
	kind := func(i int) string { return []string{"q-1", "any word", "random"}[i%3] }
	for i := range rows * columns {
		a = append(a, polynomial[W](rnd, kind(i), r.q, r.n))
		ah = append(ah, make(NTT[W], r.n))
		r.Transform(ah[i], a[i])
	}
	t0 := make(NTT[W], r.n)
	for j := range columns {
		s = append(s, polynomial[W](rnd, kind(j/2), r.q, r.n))
		sh = append(sh, littered[W](rnd, r.FactorLen()))
		r.Transform(t0, s[j])
		r.Factor(sh[j], t0)
	}
	var zh []NTT[W]
	for range rows {
		zh, z = append(zh, littered[W](rnd, r.n)), append(z, littered[W](rnd, r.n))
	}
	r.MatVec(z, ah, sh)
	r.MatVecNTT(zh, ah, sh)
	var wants []Poly[W]
	for i := range rows {
		want := referenceSum(r.q, a[i*columns:(i+1)*columns], s)
		equal(t, "MatVec", z[i], want)
		r.Inverse(z[i], zh[i])
		equal(t, "MatVecNTT", z[i], want)
		wants = append(wants, want)
		// The same one by one.
		r.MulNTT(zh[i], ah[i*columns], sh[0])
		for j := 1; j < columns; j++ {
			r.MulAddNTT(zh[i], ah[i*columns+j], sh[j])
		}
		r.Inverse(z[i], zh[i])
		equal(t, "MulAddNTT", z[i], want)
	}
	var ap []Prepared[W]
	for i := range ah {
		ap = append(ap, littered[W](rnd, r.PreparedLen()))
		r.Prepare(ap[i], ah[i])
	}
	s0 := slices.Clone(s)
	for j := range s {
		s0[j] = slices.Clone(s[j])
	}
	r.MatVecPrepared(z, ap, s, littered[W](rnd, r.MatVecPreparedScratch(columns)))
	for i := range rows {
		equal(t, "MatVecPrepared", z[i], wants[i])
	}
	for j := range s {
		equal(t, "vector afterwards", s[j], s0[j])
	}
	r.Add(t0, zh[0], zh[1])
	for i, v := range t0 {
		if w := (int64(zh[0][i]) + int64(zh[1][i])) % r.q; int64(v) != w {
			t.Fatalf("Add: residue %d is %d, want %d", i, v, w)
		}
	}
}

// TestConstants checks products with constants, for every word of 16 bits, and for words of
// 32 at the ends and at random.
func TestConstants(t *testing.T) {
	testConstants(t, []int64{3, 257, 3329}, func(yield func(int64) bool) {
		for a := int64(-1 << 15); a < 1<<15 && yield(a); a++ {
		}
	}, testConstant[int16])
	rnd := rand.New(rand.NewPCG(3, 4))
	testConstants(t, []int64{3329, 8380417, 268369921}, func(yield func(int64) bool) {
		for _, a := range []int64{-1 << 31, -1 << 30, -1<<30 + 1, -1, 0, 1, 1 << 30, 1<<30 - 1, 1<<31 - 1} {
			if !yield(a) {
				return
			}
		}
		for i := 0; i < 3000 && yield(int64(int32(rnd.Uint32()))); i++ {
		}
	}, testConstant[int32])
}

func testConstants(t *testing.T, qs []int64, words func(func(int64) bool), f func(t *testing.T, a, b, q int64) bool) {
	for _, q := range qs {
		for _, b := range []int64{0, 1, 2, q / 2, q/2 + 1, q - 1, q / 3} {
			for a := range words {
				if !f(t, a, b, q) {
					return
				}
			}
		}
	}
}

func testConstant[W Word](t *testing.T, a, b, q int64) bool {
	bits := wordBits[W]()
	want := ((a*b)%q + q) % q
	same := func(what string, got, least, most int64) bool {
		if got < least || got > most || (got-want)%q != 0 {
			t.Errorf("%s: %d·%d modulo %d: %d, want %d", what, a, b, q, got, want)
			return false
		}
		return true
	}
	f, h := fraction[W](b, q), (q-1)/2
	ok := same("centred", centred[W](a, f, uint64(q), h), -h, h) &&
		same("centred, twice the word", centred[W](2*a, f, uint64(q), h)*((q+1)/2), -h*q, h*q) &&
		same("canonical", int64(canonical[W](a, f, uint64(q), 1<<(2*bits-1)/uint64(q))), 0, q-1) &&
		same("Barrett", mulBarrett[W](a, barrettConstant[W](b, q), q), -q, q)
	if a == 1<<(bits-2) || a == -1<<(bits-2) {
		return ok
	}
	return ok && same("Montgomery", mulMontgomery[W](a, montgomeryConstant[W](b, q), q), 1-2*q, 2*q-1)
}

func TestPrimeMisuse(t *testing.T) {
	for _, c := range []struct {
		q int64
		n int
	}{{2, 256}, {0, 256}, {-3, 256}, {9, 256}, {3328, 256}, {1 << 15, 256}, {32771, 256}, {3329, 0}, {3329, 100}, {3329, 1}} {
		if _, err := NewPrime[int16](c.q, c.n); err == nil {
			t.Errorf("q = %d, n = %d: no error", c.q, c.n)
		}
	}
	if _, err := NewPrime[int32](1<<31+11, 256); err == nil {
		t.Error("no error for a prime of 32 bits")
	}
	for _, layers := range []int{-1, 8} {
		if _, err := NewPrimeBy[int16](Fraction, 3329, 256, layers); err == nil {
			t.Errorf("%d layers: no error", layers)
		}
	}
	if _, err := NewPrimeBy[int16](Form(9), 3329, 256, 7); err == nil {
		t.Error("no error for an unknown form")
	}
	r, err := NewPrime[int16](3329, 256)
	if err != nil {
		t.Fatal(err)
	}
	long, err := NewPrime[int32](8380417, 256)
	if err != nil {
		t.Fatal(err)
	}
	x, f := make(NTT[int16], 256), make(Factor[int16], r.FactorLen())
	panics(t, "result is operand", func() { r.MulNTT(x, x, f) })
	panics(t, "factor overlaps", func() { r.Factor(f, NTT[int16](f[100:356])) })
	// A row of the result may not be where another row has its operands.
	for _, k := range Kernels() {
		r, err := NewPrimeOn[int16](k, 3329, 256)
		if err != nil {
			t.Fatal(err)
		}
		a, s := []NTT[int16]{make(NTT[int16], 256), make(NTT[int16], 256)}, []Factor[int16]{f}
		b := []Prepared[int16]{make(Prepared[int16], r.PreparedLen()), make(Prepared[int16], r.PreparedLen())}
		last, poly := make(NTT[int16], 256), make(Poly[int16], 256)
		panics(t, "row is in the matrix", func() { r.MatVecNTT([]NTT[int16]{a[1], last}, a, s) })
		panics(t, "row is in a factor", func() { r.MatVecNTT([]NTT[int16]{last, NTT[int16](f[256:])}, a, s) })
		panics(t, "polynomial is in the matrix", func() { r.MatVec([]Poly[int16]{Poly[int16](a[1]), poly}, a, s) })
		panics(t, "polynomial is in the prepared matrix", func() {
			r.MatVecPrepared([]Poly[int16]{Poly[int16](b[1][:256]), poly}, b, []Poly[int16]{poly}, make([]int16, r.MatVecPreparedScratch(1)))
		})
		panics(t, "short row", func() { r.MatVecNTT([]NTT[int16]{make(NTT[int16], 256), last[:255]}, a, s) })
	}
	panics(t, "short factor", func() { r.MulNTT(make(NTT[int16], 256), x, f[:256]) })
	panics(t, "short scratch", func() { long.Mul(make([]int32, 256), make([]int32, 256), make([]int32, 256), nil) })
}
