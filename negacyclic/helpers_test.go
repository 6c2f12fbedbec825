package negacyclic

import (
	"math/rand/v2"
	"testing"
)

// reference returns x·y modulo Xⁿ + 1 and q by the schoolbook method with remainders in 64
// bits, in [0, q). q is at most 2^31.
func reference[W Word](q int64, x, y Poly[W]) Poly[W] {
	sum := make([]int64, len(x))
	for i, v := range x {
		for j, w := range y {
			p := int64(v) * int64(w) % q
			if i+j < len(x) {
				sum[i+j] = (sum[i+j] + p) % q
			} else {
				sum[i+j-len(x)] = (sum[i+j-len(x)] - p) % q
			}
		}
	}
	z := make(Poly[W], len(x))
	for i, v := range sum {
		z[i] = W((v + q) % q)
	}
	return z
}

// referenceSum returns the sum of products of pairs.
func referenceSum[W Word](q int64, x, y []Poly[W]) Poly[W] {
	z := make(Poly[W], len(x[0]))
	for i := range x {
		for j, v := range reference(q, x[i], y[i]) {
			z[j] = W((int64(z[j]) + int64(v)) % q)
		}
	}
	return z
}

// kinds are the polynomials that products are tested with: random ones, and extremes.
var kinds = map[string]func(r *rand.Rand, q, least, most int64) int64{
	"random":       func(r *rand.Rand, q, _, _ int64) int64 { return r.Int64N(q) },
	"centred":      func(r *rand.Rand, q, _, _ int64) int64 { return r.Int64N(q) - q/2 },
	"q-1":          func(_ *rand.Rand, q, _, _ int64) int64 { return q - 1 },
	"most centred": func(_ *rand.Rand, q, _, _ int64) int64 { return (q - 1) / 2 },
	"-q/2":         func(_ *rand.Rand, q, _, _ int64) int64 { return -(q / 2) },
	"±q/2":         func(r *rand.Rand, q, _, _ int64) int64 { return q / 2 * (2*r.Int64N(2) - 1) },
	"zero":         func(*rand.Rand, int64, int64, int64) int64 { return 0 },
	"one":          func(*rand.Rand, int64, int64, int64) int64 { return 1 },
	"small":        func(r *rand.Rand, _, _, _ int64) int64 { return r.Int64N(9) - 4 },
	"least word":   func(_ *rand.Rand, _, least, _ int64) int64 { return least },
	"most word":    func(_ *rand.Rand, _, _, most int64) int64 { return most },
	"any word":     func(r *rand.Rand, _, least, most int64) int64 { return least + r.Int64N(most-least+1) },
	"ends of word": func(r *rand.Rand, _, least, most int64) int64 { return least + r.Int64N(2)*(most-least) },
	"quarter":      func(_ *rand.Rand, _, least, _ int64) int64 { return least / 2 },
}

// polynomial returns a polynomial of a kind.
func polynomial[W Word](r *rand.Rand, kind string, q int64, n int) Poly[W] {
	bits := wordBits[W]()
	x := make(Poly[W], n)
	for i := range x {
		x[i] = W(kinds[kind](r, q, -1<<(bits-1), 1<<(bits-1)-1))
	}
	return x
}

// littered returns words with random contents.
func littered[W Word](r *rand.Rand, n int) []W {
	x := make([]W, n)
	for i := range x {
		x[i] = W(r.Uint32())
	}
	return x
}

// equal reports the first difference.
func equal[W Word](t *testing.T, what string, got, want []W) bool {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s: %d words, want %d", what, len(got), len(want))
		return false
	}
	for i := range got {
		if got[i] != want[i] {
			t.Errorf("%s: coefficient %d is %d, want %d", what, i, got[i], want[i])
			return false
		}
	}
	return true
}

// panics checks that f panics.
func panics(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s: no panic", what)
		}
	}()
	f()
}
