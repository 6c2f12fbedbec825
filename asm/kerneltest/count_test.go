package kerneltest

import (
	"testing"

	"residue/asm/internal/ports"
)

// TestMadds: the routines execute as many multiply-adds as the formulas of
// docs/algorithms.md say.
func TestMadds(t *testing.T) {
	eachBatch(t, func(t *testing.T, kernel string, sh shape) {
		s := sh.limbs()
		schoolbook := false
		count := func(operation, form string, block int) int {
			t.Helper()
			b := newBatch(t, kernel, sh, 6)
			b.Schoolbook = schoolbook
			run, err := b.Operation(operation, form, block, 2)
			do(t, err)
			tally, err := b.Tally(run)
			do(t, err)
			return tally.Madds()
		}
		check := func(operation, form string, block, want int) {
			t.Helper()
			if got := count(operation, form, block); got != want {
				t.Errorf("%s%s in blocks of %d: %d madds, want %d", operation, form, block, got, want)
			}
		}
		check("mul", "", 1, 2*s*s)
		check("sqr", "", 1, s*s+s)
		check("redc", "", 1, 2*s*s)
		check("mulmont", "", 1, 4*s*s)
		check("sqrmont", "", 1, squareMadds(s)+2*s*s)
		schoolbook = true
		check("sqrmont", "", 1, 3*s*s+s)
		schoolbook = false
		check("gather", "", 1, 0)
		b := newBatch(t, kernel, sh, 0)
		if b.has("MulMontFull") {
			check("redc", "Full", 1, 2*s*s+s)
			check("mulmont", "Full", 1, 4*s*s+s)
			check("sqrmont", "Full", 1, 3*s*s+2*s)
		}
		for _, k := range b.blocks() {
			full := s / k * (k*k + 2*k*s) // the quotient and its product with the modulus
			truncated := full - s/k*(k-1)*(k-1)
			check("mulmont", "", k, 2*s*s+truncated)
			check("mulmont", "Full", k, 2*s*s+full)
			check("sqrmont", "", k, s*s+s+truncated)
			check("sqrmont", "Full", k, s*s+s+full)
		}
	})
}

// squareMadds is the number of multiply-adds of the square in a Montgomery square.
func squareMadds(s int) int {
	for _, w := range squareTiles {
		if s < 40 {
			break
		}
		switch tile := w*w + w; s {
		case 2 * w:
			// Three tiles; two for each digit of the sum, one for its carry.
			return 3*tile + 3*w
		case 4 * w:
			return 3*(3*tile+3*w) + 4*(2*w)
		case 8 * w, 16 * w:
			return 3*squareMadds(s/2) + 4*(s/2)
		}
	}
	return s*s + s
}

// TestPortLimit: the madds are what bounds products and squares, and the bound is
// not below them.
func TestPortLimit(t *testing.T) {
	for _, bits := range []int{1024, 2048, 4096} {
		width, tiles := Tiling(bits)
		for _, operation := range []string{"mulmont", "sqrmont"} {
			b := newBatch(t, "ifma512", shape{width, tiles}, 6)
			run, err := b.Operation(operation, "", 1, 0)
			do(t, err)
			tally, err := b.Tally(run)
			do(t, err)
			limit := float64(tally.Madds()) / 2
			for _, m := range ports.Models {
				cycles, by := tally.Bound(m)
				if cycles < limit || cycles > 1.1*limit {
					t.Errorf("%s, %d bits, %s: bound by %s at %.0f cycles, with madds for %.0f", operation, bits, m.Name, by, cycles, limit)
				}
				if sum := tally.Sum(m); sum < cycles {
					t.Errorf("%s, %d bits, %s: %.0f cycles one after the other, %.0f at once", operation, bits, m.Name, sum, cycles)
				}
				t.Logf("%s, %d bits, %s: %d madds, %.0f cycles by %s", operation, bits, m.Name, tally.Madds(), cycles, by)
			}
		}
	}
}

// TestMontMadds: the routines for one number across lanes execute as many multiply-adds
// as their products have, for V vectors of which D digits are not zero.
//
// A product multiplies D digits by V vectors, in two halves. A square multiplies the
// digits of block t by the vectors from t on. Of Q = C·N′ mod R only the low half is
// needed: block t by V − t vectors. Of Q·N it is the high half, and the digits of a copy
// end one vector further up: block t by t + 1 vectors. The column below that half is
// two dot products.
//
// Straight-line code has no multiply-add for a vector of a copy that is all zeros: of N′
// that is one for the last digit of a block, whose high halves begin a vector further
// up; of N one for the first digit, and two for each digit that N lacks. In loops every
// digit has the same, and the high halves of column 8V − 1 are a third dot product.
func TestMontMadds(t *testing.T) {
	eachMont(t, 3*2+2, func(t *testing.T, m *Mont) {
		v, d := m.Vectors, m.Digits
		square := 0
		for block := range v {
			square += 2 * min(vectorLanes, d-vectorLanes*block) * (v - block)
		}
		rest := 2*8*v*(v+1) + 3*v
		if v <= 5 { // without loops
			rest = 2*8*v*(v+1) - v - (v + 2*v*(8*v-d)) + 2*v
		}
		for operation, want := range map[string]int{"mulmont": 2*d*v + rest, "sqrmont": square + rest, "gather": 0} {
			tally, err := m.Tally(m.Operation(operation, 2))
			do(t, err)
			if got := tally.Madds(); got != want {
				t.Errorf("%s: %d madds, want %d", operation, got, want)
			}
		}
	})
}

// TestPMNSMadds: products and squares of polynomials execute as many multiply-adds as
// the products of their words have, each for n coefficients of one factor and n̄ vectors of
// the other.
//
// Of two factors of s words, all s² pairs of words have two halves. Squares have a pair of
// different words once, s(s+1)/2 pairs in all. Q = C·M′ has the words below s: low halves
// of the s(s+1)/2 pairs that reach one, and high halves of those that reach one less,
// s(s−1)/2. Of Q·M the words below s − 1 are left out, (s−1)² by the same count.
//
// Karatsuba's method has products of h = ⌈s/2⌉ words, of the s − h others, and of sums of h
// words and a carry. A carry goes with h words and, of both factors, with the other: 2h + 1
// low halves.
func TestPMNSMadds(t *testing.T) {
	eachPMNS(t, 2*3+6, func(t *testing.T, p *PMNS) {
		n, s := p.Shape.Coefficients, p.Shape.Words
		h := (s + 1) / 2
		quotient, all, leftOut := s*s, 2*s*s, (s-1)*(s-1)
		truncated := quotient + all - leftOut
		mul := map[string]int{
			"":          2*s*s + truncated,
			"Full":      2*s*s + quotient + all,
			"Karatsuba": 2*h*h + 2*(s-h)*(s-h) + 2*h*h + 2*h + 1 + truncated,
		}[p.Form]
		for operation, want := range map[string]int{"mulmont": mul, "sqrmont": s*(s+1) + truncated, "gather": 0} {
			tally, err := p.Tally(p.Operation(operation, 2))
			do(t, err)
			if got := tally.Madds(); got != want*n*vectorsOf(n) {
				t.Errorf("%s: %d madds, want %d", operation, got, want*n*vectorsOf(n))
			}
		}
	})
}
