package negacyclic

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"testing"

	"residue/internal/testvectors"
)

// polyCase is a case of class ntt-poly. Its inputs depend on what it asks for.
type polyCase struct {
	ID, Class, Op string
	Inputs        json.RawMessage
	Expected      json.RawMessage
}

// TestCases does what the cases of class ntt-poly ask for.
func TestCases(t *testing.T) {
	ran := map[string]int{}
	for line := range testvectors.Cases(t) {
		var c polyCase
		if json.Unmarshal(line, &c) != nil || c.Class != "ntt-poly" {
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			switch c.Op {
			case "negacyclic_mul":
				caseOfProduct(t, c)
			case "signed_barrett":
				caseOfResidues(t, c)
			case "mod_then_mod32":
				caseOfBound(t, c)
			case "mlkem_coeff_check":
				t.Skip("nothing here reads keys: which encodings ML-KEM allows is for who does; " +
					"coefficients are any words, and stand for their residue")
			default:
				t.Errorf("unknown op %q", c.Op)
			}
		})
		ran[c.Op]++
	}
	if ran["negacyclic_mul"] < 11 || ran["signed_barrett"] < 1 || ran["mod_then_mod32"] < 1 {
		t.Errorf("cases: %v", ran)
	}
}

// parse sets v from the JSON of a case.
func parse(t *testing.T, text json.RawMessage, v any) {
	t.Helper()
	if err := json.Unmarshal(text, v); err != nil {
		t.Fatal(err)
	}
}

func number(t *testing.T, s string) int64 {
	t.Helper()
	v, err := strconv.ParseInt(s, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func numbers(t *testing.T, ss []string) (v []int64) {
	for _, s := range ss {
		v = append(v, number(t, s))
	}
	return v
}

// caseOfProduct computes a product by every method and form that takes its ring. A modulus
// that there is no ring for must be refused.
func caseOfProduct(t *testing.T, c polyCase) {
	var in struct {
		Q, N string
		A, B []string
	}
	var expected []string
	parse(t, c.Inputs, &in)
	parse(t, c.Expected, &expected)
	q, n := number(t, in.Q), int(number(t, in.N))
	if q > 1<<31 {
		if _, err := NewPrime[int32](q, n); err == nil || !strings.Contains(err.Error(), "want an odd prime below") {
			t.Errorf("q = %d: %v, want an error", q, err)
		}
		return
	}
	a, b, want := numbers(t, in.A), numbers(t, in.B), numbers(t, expected)
	done := caseBy[int16](t, q, n, a, b, want) + caseBy[int32](t, q, n, a, b, want)
	// With X to the power of 256/n for X, it is a product of polynomials of 256 coefficients,
	// which kernels have routines for.
	a, b, want = spread(a), spread(b), spread(want)
	done += caseOn[int16](t, q, a, b, want) + caseOn[int32](t, q, a, b, want)
	if done == 0 {
		t.Errorf("no ring for q = %d, n = %d", q, n)
	}
}

// spread returns the polynomial of 256 coefficients with X to the power of 256/n for X.
func spread(x []int64) []int64 {
	z := make([]int64, 256)
	for i, v := range x {
		z[i*256/len(x)] = v
	}
	return z
}

// exponent returns the k of q = 2^k, or one that is not right for any other q.
func exponent(q int64) int {
	k := 0
	for 1<<k < q {
		k++
	}
	return k
}

// caseBy computes a product in words of one length, and returns in how many ways.
func caseBy[W Word](t *testing.T, q int64, n int, a, b, want []int64) (ways int) {
	x, y, w, z := words[W](a), words[W](b), words[W](want), make(Poly[W], n)
	k := exponent(q)
	for _, method := range []Method{Toom4, Karatsuba} {
		if r, err := NewPowerOfTwo[W](k, n, method); err == nil && q == 1<<k {
			r.Mul(z, x, y, make([]W, r.MulScratch()))
			equal(t, method.String(), z, w)
			ways++
		}
	}
	for _, form := range []Form{Fraction, Barrett, Montgomery, Pairs} {
		for layers := range 16 {
			if r, err := NewPrimeBy[W](form, q, n, layers); err == nil {
				r.Mul(z, x, y, make([]W, r.MulScratch()))
				equal(t, form.String(), z, w)
				ways++
			}
		}
	}
	return ways
}

// caseOn computes a product of 256 coefficients on every kernel, in words of one length.
func caseOn[W Word](t *testing.T, q int64, a, b, want []int64) (ways int) {
	x, y, w, z := words[W](a), words[W](b), words[W](want), make(Poly[W], len(a))
	k := exponent(q)
	for _, kernel := range Kernels() {
		if r, err := NewPrimeOn[W](kernel, q, len(a)); err == nil {
			r.Mul(z, x, y, make([]W, r.MulScratch()))
			equal(t, kernel.Name(), z, w)
			ways++
		}
		if r, err := NewPowerOfTwoOn[W](kernel, k, len(a), Toom4); err == nil && q == 1<<k {
			r.Mul(z, x, y, make([]W, r.MulScratch()))
			equal(t, kernel.Name(), z, w)
			ways++
		}
	}
	return ways
}

func words[W Word](v []int64) Poly[W] {
	z := make(Poly[W], len(v))
	for i, x := range v {
		z[i] = W(x)
	}
	return z
}

// caseOfResidues takes words to residues: as a product by 1 does, and a transform there and
// back.
func caseOfResidues(t *testing.T, c polyCase) {
	var in struct {
		X []string
		Q string
	}
	var expected []string
	parse(t, c.Inputs, &in)
	parse(t, c.Expected, &expected)
	residues[int16](t, number(t, in.Q), numbers(t, in.X), numbers(t, expected))
	residues[int32](t, number(t, in.Q), numbers(t, in.X), numbers(t, expected))
}

func residues[W Word](t *testing.T, q int64, x, want []int64) {
	p, w, one, z := make(Poly[W], 256), make(Poly[W], 256), make(Poly[W], 256), make(Poly[W], 256)
	copy(p, words[W](x))
	copy(w, words[W](want))
	one[0] = 1
	check := func(what string, r *Prime[W]) {
		t.Helper()
		r.Mul(z, p, one, make([]W, r.MulScratch()))
		equal(t, what+": by 1", z, w)
		h := make(NTT[W], 256)
		r.Transform(h, p)
		r.Inverse(z, h)
		equal(t, what+": there and back", z, w)
	}
	for _, form := range []Form{Fraction, Barrett, Montgomery, Pairs} {
		if r, err := NewPrimeBy[W](form, q, 256, maxLayers(q, 256)); err == nil {
			check(form.String(), r)
		}
	}
	for _, k := range Kernels() {
		r, err := NewPrimeOn[W](k, q, 256)
		if err != nil {
			t.Fatal(err)
		}
		check(k.Name(), r)
	}
}

// caseOfBound is for a number x that is too large for its residue modulo a prime p to say
// what it is modulo a power of two. A ring by primes in which a coefficient can be so large is
// refused; one that is made is right for the largest.
func caseOfBound(t *testing.T, c polyCase) {
	var in struct{ X, P string }
	parse(t, c.Inputs, &in)
	x, err := strconv.ParseUint(in.X, 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	made, refused := 0, 0
	for k := 1; k <= 31; k++ {
		for n := 2; n <= 64; n *= 2 {
			r, err := NewByPrimes[int32](k, n, 1, 1<<(k-1))
			if err != nil {
				refused++
				continue
			}
			// Twice the largest coefficient, n·2^(2k−2), is below what the primes multiply to; the
			// product of primes is below x.
			if most := math.Ldexp(float64(n), 2*k-2); 2*most >= float64(x) {
				t.Errorf("k = %d, n = %d: coefficients of up to %v", k, n, most)
			}
			q := int64(1) << k
			a := make(Poly[int32], n)
			for i := range a {
				a[i] = int32(-q / 2)
			}
			z := make(Poly[int32], n)
			r.Mul(z, a, a, make([]int32, r.MulScratch()))
			equal(t, "largest coefficients", z, reference(q, a, a))
			made++
		}
	}
	if made == 0 || refused == 0 {
		t.Errorf("%d rings, and %d refused", made, refused)
	}
}
