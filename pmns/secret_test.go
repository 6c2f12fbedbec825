//go:build valgrind && linux && amd64

package pmns

import (
	"bytes"
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/internal/ct"
)

// These tests show that the portable arithmetic and what stands on it are constant time
// when they run under Valgrind, by internal/ct/check.

func TestSecretLeaks(t *testing.T) { ct.Leak() }

// eachSecretSystem runs f for some systems.
func eachSecretSystem(t *testing.T, f func(r *rand.Rand, s *System)) {
	t.Helper()
	r := rand.New(rand.NewPCG(15, 16))
	for _, set := range []*Params{
		mustNew(t, randomPrime(r, 200), nil),
		mustNew(t, randomPrime(r, 256), &Options{N: 9, Width: 16}),
		mustEmbedded(t, "modp1024"),
	} {
		for _, v := range []Variant{Truncated, Full} {
			f(r, newTestSystem(t, kernelNamed["generic"], set, v))
		}
	}
}

// secretBytes returns v in so many bytes, as a secret.
func secretBytes(v *big.Int, size int) []byte {
	b := v.FillBytes(make([]byte, size))
	ct.Secret(b)
	return b
}

// wantSecret checks an element, which must be secret until then.
func wantSecret(t *testing.T, s *System, x *Element, want *big.Int, what string) {
	t.Helper()
	out := make([]byte, (s.params.P.BitLen()+7)/8)
	if !ct.Public(s.FillBytes(out, x, nil)) {
		t.Errorf("%s: a residue does not fit", what)
	}
	if ct.Watched() && !ct.IsSecret(out) {
		t.Errorf("%s: the result does not depend on a secret", what)
	}
	ct.Declassify(out)
	if got := new(big.Int).SetBytes(out); got.Cmp(want.Mod(want, s.params.P)) != 0 {
		t.Errorf("%s: %#x, want %#x", what, got, want)
	}
}

func TestSecretArithmetic(t *testing.T) {
	eachSecretSystem(t, func(r *rand.Rand, s *System) {
		p := s.params.P
		size := (p.BitLen() + 7) / 8
		a, b := below(r, p), randomBig(r, 3*p.BitLen())
		x, y, z := s.NewElement(), s.NewElement(), s.NewElement()
		s.SetBytes(x, secretBytes(a, size), nil)
		s.SetBytes(y, secretBytes(b, 3*size), nil)
		s.Mul(z, x, y, nil)
		wantSecret(t, s, z, new(big.Int).Mul(a, b), "Mul")
		s.Sqr(z, x, 2, nil)
		wantSecret(t, s, z, new(big.Int).Exp(a, big.NewInt(4), p), "Sqr")
		s.Sub(z, x, y, nil)
		s.Add(z, z, z, nil)
		s.Neg(z, z, nil)
		s.Mul(z, z, z, nil) // of operands that are reduced first
		d := new(big.Int).Sub(a, b)
		wantSecret(t, s, z, d.Mul(d, d).Lsh(d, 2), "sums")
		if s.Equal(x, y, nil) || !s.Equal(x, x, nil) {
			t.Error("Equal")
		}
		if _, err := s.Randomise(z, x, bytes.NewReader(secretBytes(randomBig(r, 16*s.n), 2*s.n)), nil); err != nil {
			t.Fatal(err)
		}
		wantSecret(t, s, z, new(big.Int).Set(a), "Randomise")
	})
}

func TestSecretExp(t *testing.T) {
	seen := map[int]bool{}
	eachSecretSystem(t, func(r *rand.Rand, s *System) {
		p := s.params.P
		size := (p.BitLen() + 7) / 8
		for _, ebits := range []int{3, 20, 61, 150, 500} {
			if ebits > 100 && p.BitLen() > 256 {
				continue
			}
			seen[s.windowBits(ebits)] = true
			a, e := below(r, p), below(r, pow2(ebits))
			x := s.NewElement()
			s.SetBytes(x, secretBytes(a, size), nil)
			if err := s.Exp(context.Background(), x, x, secretBytes(e, (ebits+7)/8), ebits); err != nil {
				t.Fatal(err)
			}
			wantSecret(t, s, x, new(big.Int).Exp(a, e, p), "Exp")
		}
	})
	if len(seen) < 3 {
		t.Errorf("only windows of the widths %v were covered", seen)
	}
}
