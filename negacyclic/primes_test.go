package negacyclic

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestByPrimes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct{ k, n, sums, primes int }{
		{1, 2, 1, 1}, {11, 256, 1, 1}, {12, 128, 1, 1}, {12, 256, 1, 2}, {13, 256, 3, 2}, {24, 64, 8, 2}, {27, 256, 1, 2}, {29, 4, 1, 2}, {30, 2, 1, 2},
	} {
		r, err := NewByPrimes(c.k, c.n, c.sums)
		if err != nil {
			t.Fatal(err)
		}
		if r.Primes() != c.primes {
			t.Errorf("k = %d, n = %d: %d primes, want %d", c.k, c.n, r.Primes(), c.primes)
		}
		q := int64(1) << c.k
		scratch := littered[int32](rnd, r.MulScratch())
		for kind := range kinds {
			for _, other := range []string{"q-1", "-q/2", "any word"} {
				x, y := polynomial[int32](rnd, kind, q, c.n), polynomial[int32](rnd, other, q, c.n)
				x0, y0, z := slices.Clone(x), slices.Clone(y), make(Poly[int32], c.n)
				r.Mul(z, x, y, scratch)
				equal(t, kind+"·"+other, z, reference(q, x, y))
				equal(t, "first operand afterwards", x, x0)
				equal(t, "second operand afterwards", y, y0)
			}
		}
		// The largest sum: every product is of −q/2, whose squares add up at the last coefficient.
		var a, s []Poly[int32]
		var ea, es []Evaluated[int32]
		for j := range c.sums {
			a, s = append(a, polynomial[int32](rnd, "-q/2", q, c.n)), append(s, polynomial[int32](rnd, "-q/2", q, c.n))
			ea, es = append(ea, make(Evaluated[int32], r.EvaluatedLen())), append(es, make(Evaluated[int32], r.EvaluatedLen()))
			s[j][0]++
			r.Evaluate(ea[j], a[j])
			r.Evaluate(es[j], s[j])
		}
		z := []Poly[int32]{make(Poly[int32], c.n)}
		r.MatVec(z, ea, es, scratch)
		equal(t, "largest sum", z[0], referenceSum(q, a, s))
		panics(t, "too many products", func() {
			many := slices.Repeat(es, 1+c.sums)
			r.MatVec(z, many, many, scratch)
		})
	}
	for _, c := range []struct{ k, n, sums int }{{0, 256, 1}, {32, 256, 1}, {13, 255, 1}, {13, 256, 0}, {28, 256, 1}, {27, 256, 2}} {
		if _, err := NewByPrimes(c.k, c.n, c.sums); err == nil {
			t.Errorf("k = %d, n = %d, sums of %d: no error", c.k, c.n, c.sums)
		}
	}
}
