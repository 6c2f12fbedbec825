//go:build valgrind && linux && amd64

package mont

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/internal/ct"
	"residue/internal/window"
)

// These tests show that the portable kernel and what stands on it are constant time
// when they run under Valgrind, by internal/ct/check.

func TestSecretLeaks(t *testing.T) { ct.Leak() }

// secretBytes returns v in as many bytes as bits take, as a secret.
func secretBytes(v *big.Int, bits int) []byte {
	b := v.FillBytes(make([]byte, (bits+7)/8))
	ct.Secret(b)
	return b
}

// revealed returns a result, which must be secret until then unless it is modulo 1.
func revealed(t *testing.T, name string, b []byte, n *big.Int) *big.Int {
	t.Helper()
	if ct.Watched() && n.Cmp(bigOne) != 0 && !ct.IsSecret(b) {
		t.Errorf("%s: the result does not depend on a secret", name)
	}
	ct.Declassify(b)
	return new(big.Int).SetBytes(b)
}

// eachSecretModulus runs f for secret moduli of some lengths.
func eachSecretModulus(t *testing.T, f func(r *rand.Rand, m *Modulus, n *big.Int)) {
	t.Helper()
	for _, k := range Kernels() {
		for _, bits := range []int{1, 30, 64, 100, 250, 520} {
			r := rand.New(rand.NewPCG(41, uint64(bits)))
			for _, n := range extremeModuli(r, bits)[:5] {
				m, err := k.NewModulus(bits, secretBytes(n, bits+9))
				if err != nil {
					t.Fatal(err)
				}
				f(r, m, n)
			}
		}
	}
}

func TestSecretProducts(t *testing.T) {
	eachSecretModulus(t, func(r *rand.Rand, m *Modulus, n *big.Int) {
		x, y, z := m.NewInt(), m.NewInt(), m.NewInt()
		a, b := below(r, pow2(m.Bits())), below(r, pow2(3*m.Bits()))
		m.SetBytes(x, secretBytes(a, m.Bits()), nil)
		m.SetBytes(y, secretBytes(b, 3*m.Bits()), nil)
		check := func(name string, want *big.Int) {
			t.Helper()
			out := make([]byte, m.Bits()/8+1)
			if !ct.Public(m.FillBytes(out, z, nil)) {
				t.Errorf("%s: a residue does not fit", name)
			}
			if got := revealed(t, name, out, n); got.Cmp(want.Mod(want, n)) != 0 {
				t.Errorf("%s of %#x and %#x modulo %#x: %#x, want %#x", name, a, b, n, got, want)
			}
		}
		m.Mul(z, x, y, nil)
		check("Mul", new(big.Int).Mul(a, b))
		m.Sqr(z, x, 3, nil)
		check("Sqr", new(big.Int).Exp(a, big.NewInt(8), n))
	})
}

func TestSecretExp(t *testing.T) {
	seen := map[int]bool{}
	eachSecretModulus(t, func(r *rand.Rand, m *Modulus, n *big.Int) {
		for _, ebits := range []int{0, 3, 20, 61, 150, 400, 1000} {
			if ebits == 1000 && m.Bits() < 520 {
				continue // too short for the widest window
			}
			seen[window.Best(ebits, m.arith.cost())] = true
			a, e := below(r, pow2(m.Bits())), below(r, pow2(ebits))
			out := make([]byte, m.Bits()/8+1)
			fits, err := m.ExpBytes(context.Background(), out, secretBytes(a, m.Bits()), secretBytes(e, ebits), ebits)
			if err != nil || !ct.Public(fits) {
				t.Fatal(fits, err)
			}
			if ebits == 0 {
				continue // it is 1
			}
			want := new(big.Int).Exp(a, e, n)
			if e.Sign() == 0 {
				want.Mod(bigOne, n)
			}
			if got := revealed(t, "Exp", out, n); got.Cmp(want) != 0 {
				t.Errorf("%#x^%#x modulo %#x: %#x, want %#x", a, e, n, got, want)
			}
		}
	})
	if len(seen) < 5 {
		t.Errorf("only windows of the widths %v were covered", seen)
	}
}

// TestSecretVectors covers what is done in Go for the kernels in assembly: constants,
// and numbers taken to digits and back.
func TestSecretVectors(t *testing.T) {
	for _, bits := range []int{30, 414, 1000} {
		for _, shape := range []vectorShape{{3, slackBits, 20}, {3, exactBits, 20}} {
			r := rand.New(rand.NewPCG(43, uint64(bits)))
			n := randomBig(r, bits)
			n.SetBit(n, bits-1, 1).SetBit(n, 0, 1)
			w := bigWords(n, (bits+63)/64)
			ct.Secret(w)
			m := newVectorModulus(&vectorRoutines{vectorShape: shape}, w)
			ct.Declassify(w)
			x := make([]uint64, lanes*shape.vectors)
			ct.Secret(w)
			m.load(x, w)
			m.store(w, x)
			if ct.Watched() && (!ct.IsSecret(w) || !ct.IsSecret(m.constants)) {
				t.Error("what is made of a secret is not one")
			}
			ct.Declassify(w)
			if got := wordsBig(w); got.Cmp(n) != 0 {
				t.Errorf("%#x comes back as %#x", n, got)
			}
		}
	}
}

// TestSecretErrors checks that moduli which are refused are not looked at more
// closely than the errors tell.
func TestSecretErrors(t *testing.T) {
	for name, n := range map[string][]byte{
		"zero": make([]byte, 20), "even": {1, 2, 3, 4}, "too long": {2, 0, 0, 1}, "far too long": append([]byte{1}, make([]byte, 99)...),
	} {
		ct.Secret(n)
		if _, err := NewModulus(25, n); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}
