//go:build valgrind && linux && amd64

package negacyclic

import (
	"math/rand/v2"
	"slices"
	"testing"

	"residue/internal/ct"
)

// These tests show that products are constant time when they run under Valgrind, by
// internal/ct/check.

func TestSecretLeaks(t *testing.T) { ct.Leak() }

// secretPoly returns a polynomial, and the same as a secret.
func secretPoly[W Word](r *rand.Rand, q int64, n int) (x, secret Poly[W]) {
	x = polynomial[W](r, "any word", q, n)
	secret = append(secret, x...)
	ct.Secret(secret)
	return x, secret
}

// reveal declares a result to be public, which must be secret until then.
func reveal[W Word](t *testing.T, z Poly[W]) Poly[W] {
	t.Helper()
	if ct.Watched() && !ct.IsSecret(z) {
		t.Error("the result does not depend on a secret")
	}
	ct.Declassify(z)
	return z
}

func TestSecretPowerOfTwo(t *testing.T) {
	secretPowerOfTwo[int16](t, 13)
	secretPowerOfTwo[int32](t, 29)
}

func secretPowerOfTwo[W Word](t *testing.T, k int) {
	rnd := rand.New(rand.NewPCG(1, 1))
	for _, method := range []Method{Toom4, Karatsuba} {
		r, err := NewPowerOfTwo[W](k, 128, method)
		if err != nil {
			t.Fatal(err)
		}
		x, sx := secretPoly[W](rnd, 1<<k, 128)
		y, sy := secretPoly[W](rnd, 1<<k, 128)
		want, z := reference(1<<k, x, y), make(Poly[W], 128)
		r.Mul(z, sx, sy, make([]W, r.MulScratch()))
		equal(t, "product", reveal(t, z), want)
		r.MulClassic(z, sx, sy, make([]W, r.ClassicScratch()))
		equal(t, "classic product", reveal(t, z), want)
		e := make(Evaluated[W], r.EvaluatedLen())
		r.Evaluate(e, sy)
		r.MatVecPoly([]Poly[W]{z}, []Poly[W]{sx}, []Evaluated[W]{e}, make([]W, r.MatVecScratch()))
		equal(t, "matrix product", reveal(t, z), want)
	}
}

func TestSecretPrime(t *testing.T) {
	secretPrime[int16](t, 3329)
	secretPrime[int32](t, 8380417)
}

func secretPrime[W Word](t *testing.T, q int64) {
	rnd := rand.New(rand.NewPCG(2, 2))
	for _, form := range []Form{Fraction, Barrett, Montgomery, Pairs} {
		for _, layers := range []int{0, 3, 5, 6} {
			if form == Pairs && (wordBits[W]() != 16 || !pairsFit(q, 64, layers)) {
				continue
			}
			r, err := NewPrimeBy[W](form, q, 64, layers)
			if err != nil {
				t.Fatal(err)
			}
			x, sx := secretPoly[W](rnd, q, 64)
			y, sy := secretPoly[W](rnd, q, 64)
			z := make(Poly[W], 64)
			r.Mul(z, sx, sy, make([]W, r.MulScratch()))
			equal(t, "product", reveal(t, z), reference(q, x, y))
		}
	}
}

func TestSecretByPrimes(t *testing.T) {
	secretByPrimes[int32](t, exactCase{k: 11, n: 64, sums: 1, most: 1 << 10})
	secretByPrimes[int32](t, exactCase{k: 20, n: 64, sums: 1, most: 1 << 19})
	secretByPrimes[int16](t, exactCase{k: 13, n: 64, sums: 1, most: 4})
}

func secretByPrimes[W Word](t *testing.T, c exactCase) {
	rnd := rand.New(rand.NewPCG(3, 3))
	r, err := NewByPrimes[W](c.k, c.n, c.sums, c.most)
	if err != nil {
		t.Fatal(err)
	}
	x, sx := secretPoly[W](rnd, 1<<c.k, c.n)
	y := second[W](rnd, "random", c)
	sy := slices.Clone(y)
	ct.Secret(sy)
	z := make(Poly[W], c.n)
	r.Mul(z, sx, sy, make([]W, r.MulScratch()))
	equal(t, "product", reveal(t, z), reference(1<<c.k, x, y))
}
