package negacyclic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"residue/internal/cpu"
)

// eachPowerOfTwo runs f for rings of many sizes, in words of one length: in portable Go, and
// those that a kernel has routines for.
func eachPowerOfTwo[W Word](t *testing.T, f func(t *testing.T, r *PowerOfTwo[W])) {
	bits := int(wordBits[W]())
	for _, method := range []Method{Toom4, Karatsuba} {
		for _, n := range []int{2, 4, 8, 16, 64, 128, 256, 512, 1024} {
			for _, k := range []int{1, 10, bits - 6, bits - 3, bits - 1} {
				r, err := NewPowerOfTwo[W](k, n, method)
				if method == Toom4 && (n < 4 || k > bits-3) {
					if err == nil {
						t.Errorf("%v, n = %d, k = %d: no error", method, n, k)
					}
					continue
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, kernel := range Kernels() {
					if r, err = NewPowerOfTwoOn[W](kernel, k, n, method); err != nil {
						t.Fatal(err)
					}
					if r.Kernel() == kernel.Name() {
						t.Run(fmt.Sprintf("%s/%d bits/%v/n=%d/k=%d", kernel.Name(), bits, method, n, k), func(t *testing.T) { f(t, r) })
					}
				}
			}
		}
	}
}

func TestPowerOfTwo(t *testing.T) {
	eachPowerOfTwo(t, testPowerOfTwo[int16])
	eachPowerOfTwo(t, testPowerOfTwo[int32])
}

func testPowerOfTwo[W Word](t *testing.T, r *PowerOfTwo[W]) {
	rnd := rand.New(rand.NewPCG(uint64(r.n), uint64(r.k)))
	q := int64(1) << r.k
	scratch := littered[W](rnd, r.MulScratch())
	classic := littered[W](rnd, r.ClassicScratch())
	others := []string{"random", "q-1", "any word"}
	for kind := range kinds {
		if r.n > 128 && rnd.IntN(4) > 0 {
			continue // the reference takes long
		}
		for _, other := range others {
			x, y := polynomial[W](rnd, kind, q, r.n), polynomial[W](rnd, other, q, r.n)
			x0, y0 := slices.Clone(x), slices.Clone(y)
			want := reference(q, x, y)
			z := Poly[W](littered[W](rnd, r.n))
			r.Mul(z, x, y, scratch)
			equal(t, kind+"·"+other, z, want)
			r.MulClassic(z, x, y, classic)
			equal(t, kind+"·"+other+", classic", z, want)
			equal(t, "first operand afterwards", x, x0)
			equal(t, "second operand afterwards", y, y0)
			if r.n > 256 {
				break
			}
		}
	}
	x := polynomial[W](rnd, "random", q, r.n)
	z := make(Poly[W], r.n)
	r.Mul(z, x, x, scratch)
	equal(t, "square", z, reference(q, x, x))
}

func TestPowerOfTwoMatVec(t *testing.T) {
	eachPowerOfTwo(t, testPowerOfTwoMatVec[int16])
	eachPowerOfTwo(t, testPowerOfTwoMatVec[int32])
}

func testPowerOfTwoMatVec[W Word](t *testing.T, r *PowerOfTwo[W]) {
	rnd := rand.New(rand.NewPCG(uint64(r.n), uint64(r.k)))
	q := int64(1) << r.k
	const rows, columns = 2, 3
	var a, s, z []Poly[W]
	var ea, es []Evaluated[W]
	for _, kind := range []string{"random", "q-1", "any word", "least word", "q-1", "centred"} {
		a = append(a, polynomial[W](rnd, kind, q, r.n))
		ea = append(ea, littered[W](rnd, r.EvaluatedLen()))
		r.Evaluate(ea[len(a)-1], a[len(a)-1])
	}
	for _, kind := range []string{"any word", "q-1", "small"} {
		s = append(s, polynomial[W](rnd, kind, q, r.n))
		es = append(es, littered[W](rnd, r.EvaluatedLen()))
		r.Evaluate(es[len(s)-1], s[len(s)-1])
	}
	for range rows {
		z = append(z, littered[W](rnd, r.n))
	}
	scratch := littered[W](rnd, r.MatVecScratch())
	check := func(what string) {
		t.Helper()
		for i := range rows {
			equal(t, what, z[i], referenceSum(q, a[i*columns:(i+1)*columns], s))
			clear(z[i])
		}
	}
	r.MatVec(z, ea, es, scratch)
	check("values")
	r.MatVecPoly(z, a, es, scratch)
	check("coefficients")
}

// TestToomLoss shows that Toom-Cook 4 loses three bits of a word, and not fewer: some
// coefficient of a product is wrong in bit B − 3.
func TestToomLoss(t *testing.T) {
	r, err := NewPowerOfTwo[int16](13, 64, Toom4)
	if err != nil {
		t.Fatal(err)
	}
	r.mask = 1<<14 - 1
	rnd := rand.New(rand.NewPCG(1, 2))
	x, y := polynomial[int16](rnd, "any word", 1<<14, 64), polynomial[int16](rnd, "any word", 1<<14, 64)
	z := make(Poly[int16], 64)
	r.Mul(z, x, y, make([]int16, r.MulScratch()))
	want := reference(1<<14, x, y)
	if slices.Equal(z, want) {
		t.Error("a product is right modulo 2^14")
	}
	for i := range z {
		if (z[i]-want[i])%(1<<13) != 0 {
			t.Errorf("coefficient %d is wrong modulo 2^13", i)
		}
	}
}

// TestScratch holds the portable striding forms to half the memory of the classic ones, and
// Saber's product to what docs/negacyclic.md says.
func TestScratch(t *testing.T) {
	generic := kernelNamed[cpu.Generic]
	for n := 64; n <= 4096; n *= 2 {
		r, err := NewPowerOfTwoOn[int16](generic, 13, n, Toom4)
		if err != nil {
			t.Fatal(err)
		}
		if s, c := 2*r.MulScratch(), 2*r.ClassicScratch(); 2*s > c {
			t.Errorf("n = %d: %d bytes against %d of the classic form", n, s, c)
		}
		if s := 2 * r.MulScratch(); n == 256 && s != 896 {
			t.Errorf("n = 256: %d bytes, want 896 (1664 are allowed)", s)
		}
		k, err := NewPowerOfTwoOn[int32](generic, 31, n, Karatsuba)
		if err != nil {
			t.Fatal(err)
		}
		if s, c := k.MulScratch(), k.ClassicScratch(); s >= c {
			t.Errorf("Karatsuba, n = %d: %d words against %d of the classic form", n, s, c)
		}
	}
}

func TestPowerOfTwoMisuse(t *testing.T) {
	for _, c := range []struct{ k, n int }{{0, 64}, {-1, 64}, {14, 64}, {13, 0}, {13, 63}, {13, 2}, {13, -4}, {13, 1 << 17}} {
		if _, err := NewPowerOfTwo[int16](c.k, c.n, Toom4); err == nil {
			t.Errorf("k = %d, n = %d: no error", c.k, c.n)
		}
	}
	if _, err := NewPowerOfTwo[int16](13, 64, Method(7)); err == nil {
		t.Error("no error for an unknown method")
	}
	r, err := NewPowerOfTwo[int16](13, 64, Toom4)
	if err != nil {
		t.Fatal(err)
	}
	words := make([]int16, 256)
	z, x, scratch := Poly[int16](words[:64]), Poly[int16](words[64:128]), words[128:]
	panics(t, "result is operand", func() { r.Mul(x, x, z, scratch) })
	panics(t, "result overlaps operand", func() { r.Mul(words[1:65], x, x, scratch) })
	panics(t, "short operand", func() { r.Mul(z, x[:63], x, scratch) })
	for _, k := range Kernels() { // n = 256 is what kernels have routines for
		r, err := NewPowerOfTwoOn[int16](k, 13, 256, Toom4)
		if err != nil {
			t.Fatal(err)
		}
		e, scratch := make(Evaluated[int16], r.EvaluatedLen()), make([]int16, r.ProductScratch())
		other := make(Evaluated[int16], len(e))
		panics(t, "sum is first operand", func() { r.MulAdd(Products[int16](e), e, other, scratch) })
		panics(t, "sum is second operand", func() { r.MulAdd(Products[int16](e), other, e, scratch) })
		panics(t, "sum has the polynomial", func() { r.MulAddPoly(Products[int16](e), Poly[int16](e[:256]), other, scratch) })
		panics(t, "polynomial is in the values", func() { r.Interpolate(Poly[int16](e[:256]), Products[int16](e)) })
	}
	panics(t, "short scratch", func() { r.Mul(z, x, x, scratch[:r.MulScratch()-1]) })
	panics(t, "matrix", func() { r.MatVecPoly([]Poly[int16]{z}, []Poly[int16]{x, x}, nil, scratch) })
}
