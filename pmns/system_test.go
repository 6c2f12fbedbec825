package pmns

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestProducts multiplies and squares elements with extreme and random coefficients, and
// compares the polynomials with those of math/big.
func TestProducts(t *testing.T) {
	eachSystem(t, func(t *testing.T, s *System, r *rand.Rand) {
		z, ref := s.NewElement(), newRepresenter(s.params)
		sc := s.NewScratch()
		want := func(what string, a, b []*big.Int) {
			t.Helper()
			w := ref.redc(mulMod(a, b, s.params.Lambda))
			for k, c := range s.Polynomial(z) {
				if c.Cmp(w[k]) != 0 {
					t.Fatalf("%s: coefficient %d is %#x, want %#x", what, k, c, w[k])
				}
			}
		}
		for range 12 {
			x, xv := s.random(t, r)
			y, yv := s.random(t, r)
			a, b := s.Polynomial(x), s.Polynomial(y)
			for i := range sc.words {
				sc.words[i] = r.Uint64()
			}
			s.Mul(z, x, y, sc)
			want("Mul", a, b)
			wantElement(t, s, z, new(big.Int).Mul(xv, yv), "Mul")
			s.Mul(y, x, y, sc)
			z.Set(y)
			want("Mul in place of y", a, b)
			z.Set(x)
			s.Mul(z, z, z, sc)
			want("Mul in place of x and y", a, a)
			s.Sqr(z, x, 1, nil)
			want("Sqr", a, a)
			s.Sqr(x, x, 3, sc)
			wantElement(t, s, x, xv.Exp(xv, big.NewInt(8), s.params.P), "Sqr in place")
		}
	})
}

// TestExtremes has all coefficients at their bounds, in chains.
func TestExtremes(t *testing.T) {
	eachSystem(t, func(t *testing.T, s *System, r *rand.Rand) {
		x, y := s.NewElement(), s.NewElement()
		if err := s.SetPolynomial(x, s.params.Bounds()); err != nil {
			t.Fatal(err)
		}
		s.SetPolynomial(y, s.params.Bounds())
		xv := s.bigValue(x)
		v := new(big.Int).Set(xv)
		for range 10 {
			s.Mul(y, y, x, nil)
			v.Mul(v, xv).Mod(v, s.params.P)
			wantElement(t, s, y, v, "a product with the largest element")
		}
	})
}

// TestChains makes thousands of products and squares of the results of others.
func TestChains(t *testing.T) {
	eachSystem(t, func(t *testing.T, s *System, r *rand.Rand) {
		steps := 3000
		if s.engine == "generic" {
			steps = min(steps, 20_000_000/cost(s.n, s.s, s.variant)/lanes/max(1, s.n/4))
		}
		if s.engine == "model" {
			steps = 60
		}
		x, xv := s.random(t, r)
		y, yv := s.random(t, r)
		p, sc := s.params.P, s.NewScratch()
		for i := range steps {
			switch r.IntN(3) {
			case 0:
				s.Mul(x, x, y, sc)
				xv.Mul(xv, yv).Mod(xv, p)
			case 1:
				s.Mul(y, x, y, sc)
				yv.Mul(xv, yv).Mod(yv, p)
			default:
				s.Sqr(x, x, 2, sc)
				xv.Mul(xv, xv).Mod(xv, p)
				xv.Mul(xv, xv).Mod(xv, p)
			}
			if i%100 == 99 || i == steps-1 {
				wantElement(t, s, x, xv, "x")
				wantElement(t, s, y, yv, "y")
			}
		}
	})
}

// TestSums makes sums and differences of any operands that there are, and products of
// those.
func TestSums(t *testing.T) {
	eachSystem(t, func(t *testing.T, s *System, r *rand.Rand) {
		p := s.params.P
		const n = 5
		var xs [n]*Element
		var vs [n]*big.Int
		for i := range xs {
			xs[i], vs[i] = s.random(t, r)
		}
		most := 0
		for range 80 {
			i, j, k := r.IntN(n), r.IntN(n), r.IntN(n)
			v := new(big.Int)
			what := ""
			switch r.IntN(9) {
			case 0, 1, 2:
				what = "Add"
				s.Add(xs[k], xs[i], xs[j], nil)
				v.Add(vs[i], vs[j])
			case 3, 4:
				what = "Sub"
				s.Sub(xs[k], xs[i], xs[j], nil)
				v.Sub(vs[i], vs[j])
			case 5:
				what = "Neg"
				s.Neg(xs[k], xs[i], nil)
				v.Neg(vs[i])
			case 6:
				what = "Mul"
				s.Mul(xs[k], xs[i], xs[j], nil)
				v.Mul(vs[i], vs[j])
			case 7:
				what = "Sqr"
				s.Sqr(xs[k], xs[i], 1, nil)
				v.Mul(vs[i], vs[i])
			default:
				what = "random"
				xs[k], v = s.random(t, r)
			}
			vs[k] = v.Mod(v, p)
			s.litter(r, xs[k])
			wantElement(t, s, xs[k], v, what)
			most = max(most, xs[k].terms)
		}
		if most <= 2 {
			t.Errorf("sums of %d terms at most", most)
		}
		// Equality, also of different polynomials.
		x, y := s.NewElement(), s.NewElement()
		s.Add(x, xs[0], xs[1], nil)
		s.Sub(y, x, xs[1], nil)
		if !s.Equal(y, xs[0], nil) {
			t.Error("a + b − b is not a")
		}
		one := s.NewElement()
		s.One(one)
		s.Add(y, y, one, nil)
		if s.Equal(y, xs[0], nil) {
			t.Error("a + 1 is a")
		}
	})
}

func TestBytes(t *testing.T) {
	eachSystem(t, func(t *testing.T, s *System, r *rand.Rand) {
		x, p := s.NewElement(), s.params.P
		size := (p.BitLen() + 7) / 8
		vs := []*big.Int{new(big.Int), bigOne, p, new(big.Int).Sub(p, bigOne), new(big.Int).Add(p, bigOne), new(big.Int).Sub(pow2(8*size), bigOne)}
		for range 6 {
			vs = append(vs, below(r, p), randomBig(r, 1+r.IntN(3*p.BitLen())))
		}
		for _, v := range vs {
			for _, b := range [][]byte{v.Bytes(), v.FillBytes(make([]byte, max(size+9, len(v.Bytes()))))} {
				s.SetBytes(x, b, nil)
				wantElement(t, s, x, v, "SetBytes")
				if got, want := s.get(t, x), new(big.Int).Mod(v, p); got.Cmp(want) != 0 {
					t.Fatalf("%#x comes back as %#x", v, got)
				}
			}
		}
		short := make([]byte, size-1)
		s.SetBytes(x, new(big.Int).Sub(p, bigOne).Bytes(), nil)
		if s.FillBytes(short, x, nil) {
			t.Error("p − 1 fits in one byte less")
		}
		s.SetBytes(x, []byte{5}, nil)
		if !s.FillBytes(short, x, nil) || short[size-2] != 5 {
			t.Error("5 does not fit in one byte less")
		}
	})
}

func TestExp(t *testing.T) {
	eachSystem(t, func(t *testing.T, s *System, r *rand.Rand) {
		p := s.params.P
		lengths := []int{0, 1, 5, 64, 130}
		if s.engine == "ifma512" || s.engine == "generic" && s.n*s.s <= 21 {
			lengths = append(lengths, p.BitLen())
		}
		for _, ebits := range lengths {
			for i := range 3 {
				x, v := s.random(t, r)
				if i == 2 {
					s.Add(x, x, x, nil)
					v.Lsh(v, 1)
				}
				e := below(r, pow2(ebits))
				if i == 0 {
					e.Sub(pow2(ebits), bigOne)
				}
				b := e.Bytes()
				if i == 1 {
					b = e.FillBytes(make([]byte, len(b)+3))
				}
				want := new(big.Int).Exp(v, e, p)
				z := s.NewElement()
				if err := s.Exp(context.Background(), z, x, b, ebits); err != nil {
					t.Fatal(err)
				}
				wantElement(t, s, z, want, "Exp")
				if ebits > 64 {
					continue
				}
				if err := s.ExpRandomised(context.Background(), x, x, b, ebits, rand.NewChaCha8([32]byte{byte(ebits)})); err != nil {
					t.Fatal(err)
				}
				wantElement(t, s, x, want, "ExpRandomised")
			}
		}
		zero, z := s.NewElement(), s.NewElement()
		s.Exp(context.Background(), z, zero, nil, 4)
		wantElement(t, s, z, bigOne, "0^0")
		s.Exp(context.Background(), z, zero, []byte{3}, 4)
		wantElement(t, s, z, new(big.Int), "0^3")
	})
}

func TestExpErrors(t *testing.T) {
	s := newTestSystem(t, kernelNamed["generic"], testSets()[0], Truncated)
	x := s.NewElement()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	s.One(x)
	if err := s.Exp(ctx, x, s.NewElement(), []byte{1, 2, 3}, 24); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	wantElement(t, s, x, bigOne, "after an error")
	if err := s.ExpRandomised(context.Background(), x, x, []byte{1, 2, 3}, 24, strings.NewReader("short")); err == nil {
		t.Error("no error from a source that ends")
	}
	defer func() {
		if recover() == nil {
			t.Error("no panic for an exponent of negative length")
		}
	}()
	s.Exp(context.Background(), x, x, nil, -1)
}

func TestRandomise(t *testing.T) {
	eachSystem(t, func(t *testing.T, s *System, r *rand.Rand) {
		random := rand.NewChaCha8([32]byte{1})
		x, v := s.random(t, r)
		seen := map[string]bool{}
		for range 20 {
			z := s.NewElement()
			bits, err := s.Randomise(z, x, random, nil)
			if err != nil {
				t.Fatal(err)
			}
			if bits < s.n {
				t.Fatalf("only %d bits", bits)
			}
			wantElement(t, s, z, v, "Randomise")
			seen[s.Polynomial(z)[0].String()] = true
			s.Mul(z, z, z, nil)
			wantElement(t, s, z, new(big.Int).Mul(v, v), "a product after Randomise")
		}
		if len(seen) < 2 {
			t.Error("always the same polynomial")
		}
	})
}

func TestMisuse(t *testing.T) {
	a := newTestSystem(t, kernelNamed["generic"], testSets()[0], Truncated)
	b := newTestSystem(t, kernelNamed["generic"], testSets()[5], Truncated)
	x, y := a.NewElement(), b.NewElement()
	for name, f := range map[string]func(){
		"an element of another system": func() { a.Mul(x, x, y, nil) },
		"scratch of another system":    func() { a.Mul(x, x, x, b.NewScratch()) },
		"no squarings":                 func() { a.Sqr(x, x, 0, nil) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
	over := a.params.Bounds()
	over[1].Add(over[1], bigOne)
	negative := zeroPolynomial(a.n)
	negative[0].SetInt64(-1)
	for name, p := range map[string][]*big.Int{"above the bound": over, "negative": negative, "too few": over[:1]} {
		if err := a.SetPolynomial(x, p); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := kernelNamed["generic"].NewSystem(a.params, Variant(7)); err == nil {
		t.Error("variant 7: no error")
	}
}

func TestAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector pools drop what they get")
	}
	for _, name := range []string{"modp1024", "modp2048"} {
		s, err := NewSystem(mustEmbedded(t, name), Truncated)
		if err != nil {
			t.Fatal(err)
		}
		x, y, sc := s.NewElement(), s.NewElement(), s.NewScratch()
		b := make([]byte, s.params.P.BitLen()/8)
		long := make([]byte, 2*len(b))
		for what, f := range map[string]func(){
			"Mul":            func() { s.Mul(x, x, y, sc) },
			"Mul, pooled":    func() { s.Mul(x, x, y, nil) },
			"Sqr":            func() { s.Sqr(x, x, 2, sc) },
			"Add, Sub, Neg":  func() { s.Add(x, x, y, sc); s.Sub(x, y, x, sc); s.Neg(x, x, nil) },
			"Exp":            func() { s.Exp(t.Context(), x, y, b[:8], 61) },
			"SetBytes":       func() { s.SetBytes(x, b, sc) },
			"SetBytes, long": func() { s.SetBytes(x, long, nil) },
			"FillBytes":      func() { s.FillBytes(b, x, nil) },
			"Equal":          func() { s.Equal(x, y, nil) },
		} {
			if n := testing.AllocsPerRun(10, f); n != 0 {
				t.Errorf("%s: %v allocations", what, n)
			}
		}
	}
}
