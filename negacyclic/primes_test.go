package negacyclic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

type exactCase struct{ k, n, sums, most, primes int }

var (
	longExactCases = []exactCase{
		{1, 2, 1, 1, 1},
		{11, 256, 1, 1 << 10, 1},
		{12, 128, 1, 1 << 11, 1},
		{12, 256, 1, 1 << 11, 2},
		{13, 256, 3, 1 << 12, 2},
		{13, 256, 3, 4, 1},
		{10, 256, 1, 1 << 4, 1},
		{16, 256, 1, 1 << 15, 2},
		{19, 256, 1, 1 << 18, 2},
		{24, 64, 8, 1 << 23, 2},
		{27, 256, 1, 1 << 26, 2},
		{29, 4, 1, 1 << 28, 2},
		{30, 2, 1, 1 << 29, 2},
	}
	// The last three are those of Saber.
	shortExactCases = []exactCase{
		{1, 2, 1, 1, 1},
		{5, 64, 1, 1, 1},
		{8, 256, 2, 1 << 7, 2},
		{13, 64, 8, 6, 2},
		{15, 256, 1, 3, 2},
		{13, 1024, 1, 3, 2},
		{13, 256, 2, 5, 2},
		{13, 256, 3, 4, 2},
		{13, 256, 4, 3, 2},
	}
)

func TestByPrimes(t *testing.T) {
	for _, k := range Kernels() {
		for _, c := range longExactCases {
			t.Run(fmt.Sprintf("32 bits/%v/%s", c, k.Name()), func(t *testing.T) { testByPrimes[int32](t, k, c) })
		}
		for _, c := range shortExactCases {
			t.Run(fmt.Sprintf("16 bits/%v/%s", c, k.Name()), func(t *testing.T) { testByPrimes[int16](t, k, c) })
		}
	}
}

// seconds are polynomials of coefficients of at most most: every way in which a word of k
// bits stands for them is one.
var seconds = map[string]func(r *rand.Rand, most int64) int64{
	"random":   func(r *rand.Rand, most int64) int64 { return r.Int64N(2*most+1) - most },
	"least":    func(_ *rand.Rand, most int64) int64 { return -most },
	"most":     func(_ *rand.Rand, most int64) int64 { return most },
	"ends":     func(r *rand.Rand, most int64) int64 { return most * (2*r.Int64N(2) - 1) },
	"all zero": func(*rand.Rand, int64) int64 { return 0 },
}

func second[W Word](r *rand.Rand, kind string, c exactCase) Poly[W] {
	x := make(Poly[W], c.n)
	for i := range x {
		// Any multiple of q that fits is added.
		x[i] = W(seconds[kind](r, int64(c.most)) + r.Int64N(1<<8)<<c.k)
	}
	return x
}

func testByPrimes[W Word](t *testing.T, kernel *Kernel, c exactCase) {
	rnd := rand.New(rand.NewPCG(uint64(c.k), uint64(c.n)))
	r, err := NewByPrimesOn[W](kernel, c.k, c.n, c.sums, c.most)
	if err != nil {
		t.Fatal(err)
	}
	primes := c.primes
	if r.rings[0].q == vectorsExact[0] { // which is shorter
		primes = 1 + min(1, 2*c.sums*c.n*c.most<<(c.k-1)/int(vectorsExact[0]))
	}
	if r.Primes() != primes {
		t.Errorf("%d primes, want %d", r.Primes(), primes)
	}
	q := int64(1) << c.k
	scratch := littered[W](rnd, r.MulScratch())
	for kind := range kinds {
		other := []string{"random", "least", "most", "ends", "all zero"}[rnd.IntN(5)]
		x, y := polynomial[W](rnd, kind, q, c.n), second[W](rnd, other, c)
		x0, y0, z := slices.Clone(x), slices.Clone(y), littered[W](rnd, c.n)
		r.Mul(z, x, y, scratch)
		equal(t, kind+"·"+other, z, reference(q, x, y))
		equal(t, "first operand afterwards", x, x0)
		equal(t, "second operand afterwards", y, y0)
	}

	// Matrices of 1 to 4 rows. The first row has the largest sum: every product is of −q/2 and
	// the least, and they add up at the last coefficient.
	for rows := 1; rows <= 4; rows++ {
		var a, s, z, want []Poly[W]
		var ea []Evaluated[W]
		var fs []Factor[W]
		for j := range c.sums {
			s, fs = append(s, second[W](rnd, []string{"least", "random"}[j&min(1, rows-1)], c)), append(fs, littered[W](rnd, r.FactorLen()))
		}
		r.Factors(fs, s, littered[W](rnd, r.FactorScratch()))
		for i := range rows {
			for range c.sums {
				kind := "-q/2"
				if i > 0 {
					kind = "any word"
				}
				x, e := polynomial[W](rnd, kind, q, c.n), littered[W](rnd, r.EvaluatedLen())
				r.Evaluate(e, x)
				a, ea = append(a, x), append(ea, e)
			}
			want = append(want, referenceSum(q, a[i*c.sums:], s))
			z = append(z, littered[W](rnd, c.n))
		}
		r.MatVec(z, ea, fs, littered[W](rnd, r.MatVecScratch()))
		for i := range z {
			equal(t, "MatVec", z[i], want[i])
			clear(z[i])
		}
		r.MatVecPoly(z, a, fs, littered[W](rnd, r.MatVecPolyScratch(c.sums)))
		sum, w := make(Products[W], r.EvaluatedLen()), littered[W](rnd, c.n)
		for i := range z {
			equal(t, "MatVecPoly", z[i], want[i])
			clear(sum)
			for j, f := range fs {
				r.MulAdd(sum, ea[i*c.sums+j], f)
			}
			r.Interpolate(w, sum, littered[W](rnd, r.InterpolateScratch()))
			equal(t, "MulAdd", w, want[i])
		}
		panics(t, "too many products", func() {
			many := slices.Repeat(fs, c.sums+1)
			r.MatVec(z[:1], slices.Repeat(ea[:1], len(many)), many, scratch)
		})
	}
}

func TestByPrimesMisuse(t *testing.T) {
	for _, c := range []exactCase{{k: 0, n: 256, sums: 1, most: 1}, {k: 32, n: 256, sums: 1, most: 1}, {k: 13, n: 255, sums: 1, most: 1}, {k: 13, n: 256, sums: 0, most: 1}, {k: 13, n: 256, sums: 1, most: 0}, {k: 13, n: 256, sums: 1, most: 4097}, {k: 28, n: 256, sums: 1, most: 1 << 27}, {k: 27, n: 256, sums: 2, most: 1 << 26}, {k: 31, n: 1 << 16, sums: 1 << 16, most: 1 << 30}} {
		if _, err := NewByPrimes[int32](c.k, c.n, c.sums, c.most); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
	for _, k := range Kernels() {
		r, err := NewByPrimesOn[int16](k, 13, 256, 3, 4)
		if err != nil {
			t.Fatal(err)
		}
		w := make(Products[int16], r.EvaluatedLen())
		panics(t, "polynomial is in the values", func() { r.Interpolate(Poly[int16](w[:256]), w, make([]int16, r.InterpolateScratch())) })
	}
	for _, c := range []exactCase{{k: 16, n: 256, sums: 1, most: 1}, {k: 13, n: 256, sums: 3, most: 5}, {k: 13, n: 256, sums: 1, most: 1 << 12}} {
		if _, err := NewByPrimes[int16](c.k, c.n, c.sums, c.most); err == nil {
			t.Errorf("%v: no error", c)
		}
	}
}

// TestByPrimesBound checks the bound that an error names against the rule: it is the largest for
// which there is a ring.
func TestByPrimesBound(t *testing.T) {
	for _, c := range []struct {
		k, n, sums, bound int
		want              string
	}{
		{13, 256, 2, 7, "want at most 6"},
		{13, 256, 3, 5, "want at most 4"},
		{13, 256, 4, 4096, "want at most 3"},
		{15, 1 << 16, 1 << 16, 1, "sums are too large whatever the second operands"},
	} {
		_, err := NewByPrimes[int16](c.k, c.n, c.sums, c.bound)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%v: %v", c, err)
			continue
		}
		var most int
		if _, err := fmt.Sscanf(c.want, "want at most %d", &most); err != nil {
			continue
		}
		if _, err := NewByPrimes[int16](c.k, c.n, c.sums, most); err != nil {
			t.Errorf("%v, at most %d: %v", c, most, err)
		}
		if _, err := NewByPrimes[int16](c.k, c.n, c.sums, most+1); err == nil {
			t.Errorf("%v, at most %d: no error", c, most+1)
		}
	}
}
