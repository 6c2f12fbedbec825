//go:build valgrind && linux && amd64

package barrett

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/batch"
	"residue/internal/ct"
)

// These tests show that the portable engines and what stands on them are constant time
// when they run under Valgrind, by internal/ct/check.

func TestSecretLeaks(t *testing.T) { ct.Leak() }

// secretBytes returns v in as many bytes as bits take, as a secret.
func secretBytes(v *big.Int, bits int) []byte {
	b := v.FillBytes(make([]byte, (bits+7)/8))
	ct.Secret(b)
	return b
}

// revealed declares a result to be public, which must be secret until then unless it is
// modulo 1.
func revealed[T any](t *testing.T, name string, x []T, n *big.Int) {
	t.Helper()
	if ct.Watched() && n.Cmp(bigOne) != 0 && !ct.IsSecret(x) {
		t.Errorf("%s: the result does not depend on a secret", name)
	}
	ct.Declassify(x)
}

// secretModuli are moduli of some length, even and odd, short and long.
func secretModuli(r *rand.Rand, bits int) []*big.Int {
	ns := moduli(r, bits)
	return append(ns[:2:2], ns[len(ns)-4:]...)
}

func TestSecretOne(t *testing.T) {
	for _, k := range Kernels() {
		for _, bits := range []int{1, 30, 64, 130, 520, 5000} {
			r := rand.New(rand.NewPCG(41, uint64(bits)))
			for i, n := range secretModuli(r, bits) {
				if bits > 1000 && i > 0 {
					break
				}
				m, err := k.NewModulus(bits, secretBytes(n, bits+9), Auto)
				if err != nil {
					t.Fatal(err)
				}
				x, y, z := m.NewInt(), m.NewInt(), m.NewInt()
				a, b, e := randomBig(r, bits), randomBig(r, 3*bits), randomBig(r, 40)
				m.SetBytes(x, secretBytes(a, bits), nil)
				m.SetBytes(y, secretBytes(b, 3*bits), nil)
				check := func(name string, want *big.Int) {
					t.Helper()
					out := make([]byte, m.Bits()/8+1)
					if !ct.Public(m.FillBytes(out, z, nil)) {
						t.Errorf("%s: a residue does not fit", name)
					}
					revealed(t, name, out, n)
					if got := new(big.Int).SetBytes(out); got.Cmp(want.Mod(want, n)) != 0 {
						t.Errorf("%s of %#x and %#x modulo %#x: %#x, want %#x", name, a, b, n, got, want)
					}
				}
				m.Mul(z, x, y, nil)
				check("Mul", new(big.Int).Mul(a, b))
				m.Sqr(z, x, 3, nil)
				check("Sqr", new(big.Int).Exp(a, big.NewInt(8), n))
				if err := m.Exp(context.Background(), z, x, secretBytes(e, 40), 40); err != nil {
					t.Fatal(err)
				}
				check("Exp", new(big.Int).Exp(a, e, n))
				long := randomBig(r, 2*bits)
				w := bigWords(long, 2*m.k)
				ct.Secret(w)
				m.Reduce(w[:m.k], w, nil)
				revealed(t, "Reduce", w[:m.k], n)
				if got, want := wordsBig(w[:m.k]), new(big.Int).Mod(long, n); got.Cmp(want) != 0 {
					t.Errorf("Reduce: %#x, want %#x", got, want)
				}
			}
		}
	}
}

func TestSecretLanes(t *testing.T) {
	for _, k := range Kernels() {
		for _, bits := range []int{1, 60, 520, 1040} {
			r := rand.New(rand.NewPCG(42, uint64(bits)))
			ns := secretModuli(r, bits)[:3]
			var bs [][]byte
			for _, n := range ns {
				bs = append(bs, secretBytes(n, bits))
			}
			m, err := k.NewModuli(bits, Auto, bs...)
			if err != nil {
				t.Fatal(err)
			}
			s := m.Limbs()
			secret := func(digits, bits int) (batch.Ints, []*big.Int) {
				x, vs := batch.NewInts(digits), make([]*big.Int, len(ns))
				for lane := range vs {
					vs[lane] = randomBig(r, bits)
					setBig(x, lane, vs[lane])
				}
				litter(r, x, len(ns))
				ct.Secret(x)
				return x, vs
			}
			check := func(name string, z batch.Ints, f func(lane int) *big.Int) {
				t.Helper()
				revealed(t, name, z, big.NewInt(2))
				for lane, n := range ns {
					got, want := getBig(z, lane), f(lane)
					if got.Mod(got, n).Cmp(want.Mod(want, n)) != 0 {
						t.Errorf("%s, %d bits, lane %d: %#x, want %#x", name, bits, lane, got, want)
					}
				}
			}
			x, xs := secret(s, s*batch.DigitBits)
			e, es := secret(1, 30)
			wide, long := secret(2*s, 2*bits)
			z := batch.NewInts(s)
			m.Mul(z, x, x, nil)
			check("Mul", z, func(lane int) *big.Int { return new(big.Int).Mul(xs[lane], xs[lane]) })
			m.Sqr(z, x, nil)
			check("Sqr", z, func(lane int) *big.Int { return new(big.Int).Mul(xs[lane], xs[lane]) })
			m.Reduce(z, wide, nil)
			check("Reduce", z, func(lane int) *big.Int { return new(big.Int).Set(long[lane]) })
			if err := m.Exp(context.Background(), z, x, e, 30); err != nil {
				t.Fatal(err)
			}
			check("Exp", z, func(lane int) *big.Int { return new(big.Int).Exp(xs[lane], es[lane], ns[lane]) })
		}
	}
}

// TestSecretErrors checks that moduli which are refused are not looked at more closely
// than the errors tell.
func TestSecretErrors(t *testing.T) {
	for name, n := range map[string][]byte{"zero": make([]byte, 4), "too long": {2, 0, 0, 1}} {
		ct.Secret(n)
		if _, err := NewModulus(25, n); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := NewModuli(25, []byte{3}, n); err == nil {
			t.Errorf("%s: no error in lanes", name)
		}
	}
}
