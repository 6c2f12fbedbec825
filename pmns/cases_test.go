package pmns

import (
	"encoding/json"
	"errors"
	"math/big"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"residue/internal/testvectors"
)

func hexNumber(t *testing.T, s string) *big.Int {
	t.Helper()
	v, ok := new(big.Int).SetString(s, 16)
	if !ok {
		t.Fatalf("%q is not a hexadecimal number", s)
	}
	return v
}

// pmnsCase is a case of class pmns: the value of A·B/φ at γ.
type pmnsCase struct {
	ID, Class, Expected string
	Inputs              struct {
		P, N, Lambda, Gamma, Phi, Rho string
		M, A, B                       []string
	}
}

// TestCases computes the products of cases. Those have coefficients of both signs, and
// some that are too large: as polynomials they are refused, as numbers they are right.
func TestCases(t *testing.T) {
	ran := 0
	for line := range testvectors.Cases(t) {
		var c pmnsCase
		if json.Unmarshal(line, &c) != nil || c.Class != "pmns" {
			continue // others have inputs of other types
		}
		ran++
		t.Run(c.ID, func(t *testing.T) { runCase(t, &c) })
	}
	if ran < 4 {
		t.Errorf("%d cases", ran)
	}
}

func runCase(t *testing.T, c *pmnsCase) {
	p, gamma, phi := hexNumber(t, c.Inputs.P), hexNumber(t, c.Inputs.Gamma), hexNumber(t, c.Inputs.Phi)
	n, lambda := int(hexNumber(t, c.Inputs.N).Int64()), int(hexNumber(t, c.Inputs.Lambda).Int64())
	polynomial := func(ss []string) (a []*big.Int) {
		for _, s := range ss {
			a = append(a, hexNumber(t, s))
		}
		return a
	}
	a, b := polynomial(c.Inputs.A), polynomial(c.Inputs.B)

	// The case's own M is not one for unsigned coefficients: that is a condition.
	set := &Params{P: p, N: n, Lambda: lambda, Gamma: gamma, Width: phi.BitLen() - 1, Words: 1, M: polynomial(c.Inputs.M)}
	var condition *ConditionError
	if err := set.Complete(); !errors.As(err, &condition) {
		t.Errorf("M with negative coefficients: %v", err)
	}
	set = mustNew(t, p, &Options{N: n, Lambda: lambda})
	s := newTestSystem(t, kernelNamed["generic"], set, Truncated)
	x, y := s.NewElement(), s.NewElement()
	for _, e := range []struct {
		x *Element
		a []*big.Int
	}{{x, a}, {y, b}} {
		inside := true
		for k, bound := range set.Bounds() {
			inside = inside && e.a[k].Sign() >= 0 && e.a[k].Cmp(bound) <= 0
		}
		if err := s.SetPolynomial(e.x, e.a); (err == nil) != inside {
			t.Errorf("coefficients are within bounds: %v, and the error is %v", inside, err)
		}
		s.SetBytes(e.x, evaluate(e.a, gamma, p).Bytes(), nil)
		if inside {
			// The same element, from its polynomial, which has φ in it.
			z := s.NewElement()
			s.SetPolynomial(z, e.a)
			f := s.NewElement()
			s.SetBytes(f, set.Phi().Bytes(), nil)
			s.Mul(z, z, f, nil)
			// The case and the set have the same E but not the same γ.
			if set.Gamma.Cmp(gamma) == 0 && !s.Equal(z, e.x, nil) {
				t.Error("a polynomial is not its value")
			}
		}
	}
	s.Mul(x, x, y, nil)
	s.SetBytes(y, new(big.Int).ModInverse(phi, p).Bytes(), nil)
	s.Mul(x, x, y, nil)
	if got, want := s.get(t, x), hexNumber(t, c.Expected); got.Cmp(want) != 0 {
		t.Errorf("%#x, want %#x", got, want)
	}
}

// published is a set as others publish theirs.
type published struct {
	N, S          int
	Lam           int    `json:"lam"`
	PhiBits       int    `json:"phi_bits"`
	P, Gamma, Rho string // rho is that of a bound without weights
	M             []string
	Inverse       []string `json:"Mprime_neg_inv"`
}

func (d *published) params(t *testing.T) *Params {
	number := func(s string) *big.Int { return hexNumber(t, strings.TrimPrefix(s, "0x")) }
	p := &Params{P: number(d.P), N: d.N, Lambda: d.Lam, Gamma: number(d.Gamma), Width: d.PhiBits / d.S, Words: d.S}
	for _, m := range d.M {
		p.M = append(p.M, number(m))
	}
	return p
}

// TestPublished verifies published sets, computes with them in chains, and sees that they
// are refused with words that are too narrow for them.
func TestPublished(t *testing.T) {
	files, err := filepath.Glob(testvectors.Path(t, "vectors", "pmns", "*.json"))
	if err != nil || len(files) < 6 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			var d published
			if err := json.Unmarshal(b, &d); err != nil {
				t.Fatal(err)
			}
			set := d.params(t)
			if err := set.Complete(); err != nil {
				t.Fatal(err)
			}
			for k, m := range set.MPrime {
				if m.Cmp(hexNumber(t, strings.TrimPrefix(d.Inverse[k], "0x"))) != 0 {
					t.Errorf("coefficient %d of M′ is %#x", k, m)
				}
			}
			if prime := EmbeddedFor(set.P); strings.Contains(file, "own_modp") == (prime == nil) {
				t.Errorf("embedded sets for the prime: %d", len(prime))
			}
			s := newTestSystem(t, kernelNamed["generic"], set, Truncated)
			r := rand.New(rand.NewPCG(13, 14))
			x, v := s.random(t, r)
			y, w := s.random(t, r)
			for range 60 {
				s.Mul(x, x, y, nil)
				s.Sqr(x, x, 1, nil)
				v.Mul(v, w).Mod(v, set.P)
				v.Mul(v, v).Mod(v, set.P)
			}
			wantElement(t, s, x, v, "a chain")

			narrow := d.params(t)
			narrow.Width -= int(set.SlackBits())/d.S + 1
			var condition *ConditionError
			if err := narrow.Complete(); !errors.As(err, &condition) || condition.Left.Cmp(narrow.Phi()) != 0 || condition.Left.Cmp(condition.Right) >= 0 {
				t.Errorf("with words of %d bits: %v", narrow.Width, err)
			}
		})
	}
}
