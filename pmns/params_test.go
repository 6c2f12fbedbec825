package pmns

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestRefused breaks each condition in turn.
func TestRefused(t *testing.T) {
	plus := func(v *big.Int, d int64) *big.Int { return new(big.Int).Add(v, big.NewInt(d)) }
	for name, c := range map[string]struct {
		change    func(p *Params)
		condition string // empty for an error that is not about a condition
	}{
		"γ":              {func(p *Params) { p.Gamma = plus(p.Gamma, 1) }, "γⁿ ≡ λ"},
		"λ":              {func(p *Params) { p.Lambda = 3 }, "γⁿ ≡ λ"},
		"p":              {func(p *Params) { p.P = plus(p.P, 2) }, "γⁿ ≡ λ"},
		"M":              {func(p *Params) { p.M[2] = plus(p.M[2], 2) }, "M(γ) ≡ 0"},
		"M is negative":  {func(p *Params) { p.M[2] = plus(new(big.Int).Neg(p.M[2]), 0) }, "M_2 ≥ 0"},
		"M′":             {func(p *Params) { p.MPrime[3] = plus(p.MPrime[3], 1) }, "M·M′ ≡ −1"},
		"M′ is above φ":  {func(p *Params) { p.MPrime[3] = p.Phi() }, "0 ≤ M′_3 < φ"},
		"ρ":              {func(p *Params) { p.Rho = plus(p.Rho, -1) }, "ρ = 2·N"},
		"s, and so φ":    {func(p *Params) { p.Words = 2; truncate(p.MPrime, 2*p.Width) }, "φ ≥ 4·n·N"},
		"even p":         {func(p *Params) { p.P = plus(p.P, 1) }, ""},
		"no p":           {func(p *Params) { p.P = nil }, ""},
		"no γ":           {func(p *Params) { p.Gamma = nil }, ""},
		"no ρ":           {func(p *Params) { p.Rho = nil }, ""},
		"w":              {func(p *Params) { p.Width = 53 }, ""},
		"n":              {func(p *Params) { p.N = 1 }, ""},
		"s":              {func(p *Params) { p.Words = 0 }, ""},
		"too many words": {func(p *Params) { p.Words = 200 }, ""},
		"λ = 1":          {func(p *Params) { p.Lambda = 1 }, ""},
		"a short M":      {func(p *Params) { p.M = p.M[:6] }, ""},
		"a short M′":     {func(p *Params) { p.MPrime = p.MPrime[:6] }, ""},
	} {
		p := mustEmbedded(t, "modp1024")
		c.change(p)
		err := p.Verify()
		var condition *ConditionError
		switch {
		case err == nil:
			t.Errorf("%s: no error", name)
		case errors.As(err, &condition):
			if c.condition == "" || !strings.HasPrefix(condition.Condition, c.condition) {
				t.Errorf("%s: %v", name, err)
			}
		case c.condition != "" || !strings.HasPrefix(err.Error(), "pmns: "):
			t.Errorf("%s: %v", name, err)
		}
		if _, err := kernelNamed["generic"].NewSystem(p, Truncated); err == nil {
			t.Errorf("%s: a system without an error", name)
		}
	}
}

// TestComplete finds again what was left out.
func TestComplete(t *testing.T) {
	for _, name := range EmbeddedNames() {
		p, want := mustEmbedded(t, name), mustEmbedded(t, name)
		p.MPrime, p.Rho = nil, nil
		if err := p.Complete(); err != nil {
			t.Fatal(err)
		}
		wantSame(t, p, want)
	}
	p := mustEmbedded(t, "modp1024")
	p.M[0].Lsh(p.M[0], 1)
	if err := p.Complete(); err == nil {
		t.Error("an M without an inverse: no error")
	}
}

func wantSame(t *testing.T, got, want *Params) {
	t.Helper()
	a, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(a, b) {
		t.Errorf("got %s\nwant %s", a, b)
	}
}

func TestDocument(t *testing.T) {
	for _, set := range testSets() {
		var b bytes.Buffer
		if err := set.Write(&b); err != nil {
			t.Fatal(err)
		}
		again, err := Read(&b)
		if err != nil {
			t.Fatal(err)
		}
		wantSame(t, again, set)
	}
	good, _ := json.Marshal(mustEmbedded(t, "modp1024"))
	for name, change := range map[string][2]string{
		"no JSON":          {"{", ""},
		"not a number":     {`"gamma":"0x`, `"gamma":"0xg`},
		"another type":     {`"n":7`, `"n":"7"`},
		"no number at all": {`"rho":"`, `"rho":"","x":"`},
		"not a set":        {`"lambda":2`, `"lambda":3`},
	} {
		bad := strings.Replace(string(good), change[0], change[1], 1)
		if bad == string(good) {
			t.Fatalf("%s: nothing was changed", name)
		}
		if _, err := Read(strings.NewReader(bad)); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// TestBounds compares what products are at most with the bounds of elements, and θ with
// float64.
func TestBounds(t *testing.T) {
	for _, set := range testSets() {
		r, phi := set.Bounds(), set.Phi()
		c := mulMod(r, r, set.Lambda)
		ns := norms(set.M, set.Lambda)
		most := 0.0
		for k := range c {
			// weight·c/φ + N_k, as a share of the bound
			v := new(big.Int).Mul(c[k], big.NewInt(int64(set.Weight())))
			v.Add(v, new(big.Int).Mul(ns[k], phi))
			share, _ := new(big.Rat).SetFrac(v, new(big.Int).Mul(phi, r[k])).Float64()
			most = max(most, share)
		}
		if most > 1 || most < 0.49 {
			t.Errorf("n = %d, s = %d: the largest coefficient is %v of its bound", set.N, set.Words, most)
		}
		for k, v := range thetas(set.N, set.Lambda) {
			f, _ := new(big.Float).SetInt(v).Float64()
			if want := math.Pow(float64(set.Lambda), float64(k)/float64(set.N)) * math.Exp2(thetaBits); math.Abs(f/want-1) > 1e-14 {
				t.Errorf("θ^%d is %v, want %v", k, f, want)
			}
		}
	}
}

func TestCeilRoot(t *testing.T) {
	for n := 1; n <= 9; n++ {
		for v := int64(1); v < 400; v++ {
			got := ceilRoot(big.NewInt(v), n).Int64()
			if pow(got, n) < v || pow(got-1, n) >= v {
				t.Fatalf("the %d-th root of %d is %d", n, v, got)
			}
		}
	}
}

func pow(b int64, n int) int64 {
	v := int64(1)
	for range n {
		v *= b
	}
	return v
}

// TestRoots compares roots modulo small primes with all that there are, and checks some
// modulo primes p for which p − 1 has high powers of small primes.
func TestRoots(t *testing.T) {
	for _, p := range []int64{3, 5, 7, 13, 17, 31, 97, 109, 193, 257, 433, 577} {
		bigP := big.NewInt(p)
		for n := 2; n <= 12; n++ {
			powers := map[int64]bool{}
			for x := int64(1); x < p; x++ {
				powers[new(big.Int).Exp(big.NewInt(x), big.NewInt(int64(n)), bigP).Int64()] = true
			}
			for a := int64(1); a < p; a++ {
				x := root(big.NewInt(a), n, bigP)
				if (x != nil) != powers[a] {
					t.Fatalf("the %d-th root of %d modulo %d is %v", n, a, p, x)
				}
				if x != nil && new(big.Int).Exp(x, big.NewInt(int64(n)), bigP).Int64() != a {
					t.Fatalf("the %d-th root of %d modulo %d is %d", n, a, p, x)
				}
			}
		}
	}
	r := rand.New(rand.NewPCG(3, 4))
	for range 4 {
		// p = 2^i·3^j·7·k + 1
		base := new(big.Int).Exp(big.NewInt(3), big.NewInt(int64(1+r.IntN(9))), nil)
		base.Lsh(base.Mul(base, big.NewInt(7)), uint(1+r.IntN(20)))
		p := new(big.Int)
		for k := int64(1); !p.ProbablyPrime(0); k++ {
			p.Mul(base, big.NewInt(k)).Add(p, bigOne)
		}
		for _, n := range []int{2, 4, 8, 3, 9, 7, 12, 42, 5} {
			a := new(big.Int).Exp(randomBig(r, 64), big.NewInt(int64(n)), p)
			if x := root(a, n, p); x == nil || x.Exp(x, big.NewInt(int64(n)), p).Cmp(a) != 0 {
				t.Fatalf("no %d-th root of %d modulo %d: %v", n, a, p, x)
			}
		}
	}
}

// TestNegInverse compares with the products of small polynomials, and says that there is
// no inverse just where there is none modulo 2.
func TestNegInverse(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, lambda := range []int{2, 3, 5, 8} {
		for range 100 {
			n := 2 + r.IntN(5)
			m := make([]*big.Int, n)
			for i := range m {
				m[i] = randomBig(r, 40)
			}
			x := negInverse(m, lambda, 77)
			exists := false
			for bits := range 1 << n { // all polynomials modulo 2
				b := make([]*big.Int, n)
				for i := range b {
					b[i] = big.NewInt(int64(bits >> i & 1))
				}
				product := mulMod(m, b, lambda)
				truncate(product, 1)
				exists = exists || isConstant(product, bigOne)
			}
			if exists != (x != nil) {
				t.Fatalf("%v has the inverse %v modulo X^%d − %d", m, x, n, lambda)
			}
			if x == nil {
				continue
			}
			product := mulMod(m, x, lambda)
			truncate(product, 77)
			if !isConstant(product, new(big.Int).Sub(pow2(77), bigOne)) {
				t.Fatalf("%v times its inverse is %v", m, product)
			}
		}
	}
}

func isConstant(a []*big.Int, c *big.Int) bool {
	for i, x := range a {
		if i == 0 && x.Cmp(c) != 0 || i > 0 && x.Sign() != 0 {
			return false
		}
	}
	return true
}
