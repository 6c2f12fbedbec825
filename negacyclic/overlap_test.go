package negacyclic

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// operand is an argument of a call: so many words, which it may write.
type operand struct {
	name    string
	words   int
	written bool
}

// call is a method with its arguments. same are pairs that may be the same memory, and free
// those that may overlap in any way.
type call[W Word] struct {
	name       string
	operands   []operand
	same, free []string
	f          func(x [][]W)
}

func result(name string, words int) operand { return operand{name, words, true} }
func given(name string, words int) operand  { return operand{name, words, false} }
func scratch(words int) operand             { return operand{"scratch", words, true} }

// TestOverlaps calls everything on every kernel with any two arguments that overlap, of which
// one is written: that panics, unless it is said to be allowed. Arguments that touch are apart.
func TestOverlaps(t *testing.T) {
	for _, k := range Kernels() {
		for _, q := range []int64{3329, 7681} {
			overlapsOfPrime[int16](t, k, q)
		}
		for _, q := range []int64{8380417, 2013265921} {
			overlapsOfPrime[int32](t, k, q)
		}
		for _, m := range []Method{Toom4, Karatsuba} {
			overlapsOfPowerOfTwo[int16](t, k, m)
			overlapsOfPowerOfTwo[int32](t, k, m)
		}
		overlapsOfByPrimes[int16](t, k)
		overlapsOfByPrimes[int32](t, k)
	}
}

func overlapsOfPrime[W Word](t *testing.T, k *Kernel, q int64) {
	r, err := NewPrimeOn[W](k, q, 256)
	if err != nil {
		t.Fatal(err)
	}
	n, f, p := r.N(), r.FactorLen(), r.PreparedLen()
	// Two rows and two columns.
	matrix := func(a, s int) []operand {
		return []operand{
			result("z0", n), result("z1", n),
			given("a00", a), given("a01", a), given("a10", a), given("a11", a), given("s0", s), given("s1", s),
		}
	}
	overlaps(t, fmt.Sprintf("%s, q = %d", k.Name(), q), []call[W]{
		{"Transform", []operand{result("z", n), given("x", n)}, []string{"z x"}, nil, func(x [][]W) { r.Transform(x[0], x[1]) }},
		{"Inverse", []operand{result("z", n), given("x", n)}, []string{"z x"}, nil, func(x [][]W) { r.Inverse(x[0], x[1]) }},
		{"Add", []operand{result("z", n), given("x", n), given("y", n)}, []string{"z x", "z y"}, nil, func(x [][]W) { r.Add(x[0], x[1], x[2]) }},
		{"Factor", []operand{result("f", f), given("x", n)}, nil, nil, func(x [][]W) { r.Factor(x[0], x[1]) }},
		{"Prepare", []operand{result("p", p), given("x", n)}, nil, nil, func(x [][]W) { r.Prepare(x[0], x[1]) }},
		{"MulNTT", []operand{result("z", n), given("x", n), given("f", f)}, nil, nil, func(x [][]W) { r.MulNTT(x[0], x[1], x[2]) }},
		{"MulAddNTT", []operand{result("z", n), given("x", n), given("f", f)}, nil, nil, func(x [][]W) { r.MulAddNTT(x[0], x[1], x[2]) }},
		{"Mul", []operand{result("z", n), given("x", n), given("y", n), scratch(r.MulScratch())}, []string{"z x", "z y"}, nil, func(x [][]W) { r.Mul(x[0], x[1], x[2], x[3]) }},
		{"MatVec", matrix(n, f), nil, nil, func(x [][]W) {
			r.MatVec(these[Poly[W]](x[:2]), these[NTT[W]](x[2:6]), these[Factor[W]](x[6:]))
		}},
		{"MatVecNTT", matrix(n, f), nil, nil, func(x [][]W) {
			r.MatVecNTT(these[NTT[W]](x[:2]), these[NTT[W]](x[2:6]), these[Factor[W]](x[6:]))
		}},
		{"MatVecPrepared", append(matrix(p, n), scratch(r.MatVecPreparedScratch(2))), nil, []string{"z0 s0", "z0 s1", "z1 s0", "z1 s1"}, func(x [][]W) {
			r.MatVecPrepared(these[Poly[W]](x[:2]), these[Prepared[W]](x[2:6]), these[Poly[W]](x[6:8]), x[8])
		}},
	})
}

func overlapsOfPowerOfTwo[W Word](t *testing.T, k *Kernel, m Method) {
	r, err := NewPowerOfTwoOn[W](k, 13, 256, m)
	if err != nil {
		t.Fatal(err)
	}
	n, e := r.N(), r.EvaluatedLen()
	matrix := func(a int) []operand {
		return []operand{
			result("z0", n), result("z1", n), given("a0", a), given("a1", a), given("s", e), scratch(r.MatVecScratch()),
		}
	}
	overlaps(t, fmt.Sprintf("%s, %v", k.Name(), m), []call[W]{
		{"Mul", []operand{result("z", n), given("x", n), given("y", n), scratch(r.MulScratch())}, nil, nil, func(x [][]W) { r.Mul(x[0], x[1], x[2], x[3]) }},
		{"MulClassic", []operand{result("z", n), given("x", n), given("y", n), scratch(r.ClassicScratch())}, nil, nil, func(x [][]W) { r.MulClassic(x[0], x[1], x[2], x[3]) }},
		{"Evaluate", []operand{result("e", e), given("x", n)}, nil, nil, func(x [][]W) { r.Evaluate(x[0], x[1]) }},
		{"MulAdd", []operand{result("sum", e), given("x", e), given("y", e), scratch(r.ProductScratch())}, nil, nil, func(x [][]W) { r.MulAdd(x[0], x[1], x[2], x[3]) }},
		{"MulAddPoly", []operand{result("sum", e), given("x", n), given("y", e), scratch(r.ProductScratch())}, nil, nil, func(x [][]W) { r.MulAddPoly(x[0], x[1], x[2], x[3]) }},
		{"Interpolate", []operand{result("z", n), given("w", e)}, nil, nil, func(x [][]W) { r.Interpolate(x[0], x[1]) }},
		{"MatVec", matrix(e), nil, nil, func(x [][]W) {
			r.MatVec(these[Poly[W]](x[:2]), these[Evaluated[W]](x[2:4]), these[Evaluated[W]](x[4:5]), x[5])
		}},
		{"MatVecPoly", matrix(n), nil, nil, func(x [][]W) {
			r.MatVecPoly(these[Poly[W]](x[:2]), these[Poly[W]](x[2:4]), these[Evaluated[W]](x[4:5]), x[5])
		}},
	})
}

func overlapsOfByPrimes[W Word](t *testing.T, k *Kernel) {
	r, err := NewByPrimesOn[W](k, 13, 256, 2, 4)
	if err != nil {
		t.Fatal(err)
	}
	n, e, f := r.N(), r.EvaluatedLen(), r.FactorLen()
	matrix := func(a, words int) []operand {
		return []operand{
			result("z0", n), result("z1", n), given("a0", a), given("a1", a), given("s", f), scratch(words),
		}
	}
	overlaps(t, k.Name()+", by primes", []call[W]{
		{"Mul", []operand{result("z", n), given("x", n), given("y", n), scratch(r.MulScratch())}, []string{"z x", "z y"}, nil, func(x [][]W) { r.Mul(x[0], x[1], x[2], x[3]) }},
		{"Evaluate", []operand{result("e", e), given("x", n)}, nil, nil, func(x [][]W) { r.Evaluate(x[0], x[1]) }},
		{"Factors", []operand{result("f0", f), result("f1", f), given("x0", n), given("x1", n), scratch(r.FactorScratch())}, nil, nil, func(x [][]W) {
			r.Factors(these[Factor[W]](x[:2]), these[Poly[W]](x[2:4]), x[4])
		}},
		{"MulAdd", []operand{result("sum", e), given("x", e), given("f", f)}, nil, nil, func(x [][]W) { r.MulAdd(x[0], x[1], x[2]) }},
		{"Interpolate", []operand{result("z", n), given("w", e), scratch(r.InterpolateScratch())}, nil, nil, func(x [][]W) { r.Interpolate(x[0], x[1], x[2]) }},
		{"MatVec", matrix(e, r.MatVecScratch()), nil, nil, func(x [][]W) {
			r.MatVec(these[Poly[W]](x[:2]), these[Evaluated[W]](x[2:4]), these[Factor[W]](x[4:5]), x[5])
		}},
		{"MatVecPoly", matrix(n, r.MatVecPolyScratch(1)), nil, nil, func(x [][]W) {
			r.MatVecPoly(these[Poly[W]](x[:2]), these[Poly[W]](x[2:4]), these[Factor[W]](x[4:5]), x[5])
		}},
	})
}

// these are slices as polynomials of a domain.
func these[X ~[]W, W Word](x [][]W) (z []X) {
	for _, words := range x {
		z = append(z, X(words))
	}
	return z
}

func overlaps[W Word](t *testing.T, ring string, calls []call[W]) {
	rnd := rand.New(rand.NewPCG(11, 11))
	for _, c := range calls {
		what := fmt.Sprintf("%d bits, %s: %s", wordBits[W](), ring, c.name)
		// All are in one piece of memory, and touch.
		total := 0
		for _, o := range c.operands {
			total += o.words
		}
		words := make([]W, total)
		var x [][]W
		for _, o := range c.operands {
			x = append(x, words[:o.words:o.words])
			words = words[o.words:]
		}
		// fill makes small numbers of all, which are residues and allowed second operands.
		fill := func() {
			for _, y := range x {
				for i := range y {
					y[i] = W(rnd.IntN(5))
				}
			}
		}
		fill()
		c.f(x)
		for i, a := range c.operands {
			for j, b := range c.operands[:i] {
				if !a.written && !b.written || a.words == 0 || b.words == 0 {
					continue
				}
				pair := b.name + " " + a.name
				for _, shift := range []int{1 - a.words, -1, 0, 1, b.words - 1} {
					if has(c.free, pair) || shift == 0 && has(c.same, pair) {
						overlapped(t, what+", "+pair, rnd, c, i, j, shift)
						continue
					}
					y := append([][]W(nil), x...)
					overlapping := make([]W, 2*a.words+b.words)
					y[j] = overlapping[a.words:][:b.words]
					y[i] = overlapping[a.words+shift:][:a.words]
					panics(t, fmt.Sprintf("%s, %s, %d words further on", what, pair, shift), func() { c.f(y) })
				}
			}
		}
	}
}

func has(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// overlapped compares a call in which argument i overlaps argument j, a result, with one in which
// none overlaps another.
func overlapped[W Word](t *testing.T, what string, rnd *rand.Rand, c call[W], i, j, shift int) {
	t.Helper()
	var x, y [][]W
	for _, o := range c.operands {
		z := make([]W, o.words)
		for i := range z {
			z[i] = W(rnd.IntN(5))
		}
		x, y = append(x, z), append(y, append([]W(nil), z...))
	}
	a, b := c.operands[i].words, c.operands[j].words
	words := make([]W, 2*a+b)
	y[j], y[i] = words[a:][:b], words[a+shift:][:a]
	copy(y[i], x[i])
	c.f(x)
	c.f(y)
	for k, o := range c.operands {
		if o.written && o.name != "scratch" {
			equal(t, fmt.Sprintf("%s, %d words further on: %s", what, shift, o.name), y[k], x[k])
		}
	}
}
