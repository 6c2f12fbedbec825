//go:build valgrind && linux && amd64

package residue

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/internal/ct"
)

// These tests show that the forms with bytes are constant time with the portable
// kernel when they run under Valgrind, by internal/ct/check.

func TestSecretLeaks(t *testing.T) { ct.Leak() }

// secretModuli are moduli of every kind, of which the number of trailing zero bits
// is public.
func secretModuli(r *rand.Rand) map[string]*big.Int {
	odd := func(bits int) *big.Int { return new(big.Int).SetBit(randomBits(r, bits), 0, 1) }
	return map[string]*big.Int{
		"one":          big.NewInt(1),
		"odd":          odd(200),
		"even":         new(big.Int).Lsh(odd(190), 10),
		"very even":    new(big.Int).Lsh(odd(70), 131),
		"power of two": new(big.Int).Lsh(big.NewInt(1), 130),
	}
}

// secretBytes returns x after the given number of zero bytes, as a secret.
func secretBytes(x *big.Int, zeros int) []byte {
	b := padded(x, zeros)
	ct.Secret(b)
	return b
}

// revealed returns the number in a result, which must be secret until then unless
// it is known to be 0.
func revealed(t *testing.T, name string, out []byte, n *big.Int) *big.Int {
	t.Helper()
	if ct.Watched() && n.BitLen() > 1 && !ct.IsSecret(out) {
		t.Errorf("%s: the result does not depend on a secret", name)
	}
	ct.Declassify(out)
	return new(big.Int).SetBytes(out)
}

// secretBases are bases that are taken in in every way: shorter than the modulus, as
// wide as the vector, two and three times as wide.
func secretBases(r *rand.Rand) []*big.Int {
	return []*big.Int{new(big.Int), big.NewInt(6), randomBits(r, 190), randomBits(r, 350), randomBits(r, 1000)}
}

func TestSecretExp(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	for name, n := range secretModuli(r) {
		for _, zeros := range []int{0, 3} {
			nb := secretBytes(n, zeros)
			m, err := NewModulus(nb)
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			for i, x := range secretBases(r) {
				y := randomBits(r, 30*i)
				out := make([]byte, m.Size())
				if err := m.Exp(out, secretBytes(x, zeros), secretBytes(y, zeros)); err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				want, err := reference(n, x, y)
				if err != nil {
					t.Fatal(err)
				}
				if got := revealed(t, name, out, n); got.Cmp(want) != 0 {
					t.Errorf("%s: %x^%x mod %x = %x, want %x", name, x, y, n, got, want)
				}
			}
		}
	}
}

func TestSecretExpBatch(t *testing.T) {
	r := rand.New(rand.NewPCG(83, 84))
	var ns, xs, ys []*big.Int
	var outs, moduli, bases, exponents [][]byte
	for range 2 {
		for _, n := range secretModuli(r) {
			for i, x := range secretBases(r) {
				y := randomBits(r, 10*i)
				ns, xs, ys = append(ns, n), append(xs, x), append(ys, y)
				outs = append(outs, make([]byte, len(n.Bytes())+1))
				moduli = append(moduli, secretBytes(n, 1))
				bases, exponents = append(bases, secretBytes(x, i)), append(exponents, secretBytes(y, 1))
			}
		}
	}
	check := func(name string, n func(i int) *big.Int, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range outs {
			want, err := reference(n(i), xs[i], ys[i])
			if err != nil {
				t.Fatal(err)
			}
			if got := revealed(t, fmt.Sprint(name, ", row ", i), outs[i], n(i)); got.Cmp(want) != 0 {
				t.Errorf("%s: %x^%x mod %x = %x, want %x", name, xs[i], ys[i], n(i), got, want)
			}
		}
	}
	err := ExpBatch(t.Context(), outs, moduli, bases, exponents)
	check("ExpBatch", func(i int) *big.Int { return ns[i] }, err)

	for _, n := range secretModuli(r) {
		m, err := NewModulus(secretBytes(n, 2))
		if err != nil {
			t.Fatal(err)
		}
		for i := range outs {
			outs[i] = make([]byte, m.Size())
		}
		err = m.ExpBatch(t.Context(), outs, bases, exponents)
		check("Modulus.ExpBatch", func(int) *big.Int { return n }, err)
	}
}

// TestSecretSigns covers negative bases and exponents, which have a form with
// *big.Int only; here they are given to what is below that.
func TestSecretSigns(t *testing.T) {
	r := rand.New(rand.NewPCG(85, 86))
	for name, n := range secretModuli(r) {
		m, err := NewModulus(secretBytes(n, 1))
		if err != nil {
			t.Fatal(err)
		}
		for i, x := range append(secretBases(r), n, new(big.Int).Mul(n, big.NewInt(3))) {
			for signs := range 4 {
				rw := row{
					mod: &m.split, out: make([]byte, m.Size()), base: secretBytes(x, 0), exponent: secretBytes(big.NewInt(11), i),
					negative: signs&1 != 0, invert: signs&2 != 0,
				}
				if rw.invert && rw.mod.isOne() {
					continue // refused before
				}
				rw.ebits = 8 * len(rw.exponent)
				b := newRun(t.Context(), m.kernel, 1)
				b.modulus = m
				b.add(0, rw)
				err := rowReason(b.do(), 0)

				y := big.NewInt(11)
				signed := new(big.Int).Set(x)
				if rw.negative {
					signed.Neg(signed)
				}
				if rw.invert {
					y.Neg(y)
				}
				want, wantErr := reference(n, signed, y)
				if !errors.Is(err, wantErr) {
					t.Fatalf("%s: %x^%v mod %x: error %v, want %v", name, signed, y, n, err, wantErr)
				}
				if err != nil {
					continue
				}
				if got := revealed(t, name, rw.out, n); got.Cmp(want) != 0 {
					t.Errorf("%s: %x^%v mod %x = %x, want %x", name, signed, y, n, got, want)
				}
			}
		}
	}
}

// TestSecretErrors checks that of refused numbers no more is looked at than the
// errors tell.
func TestSecretErrors(t *testing.T) {
	zero, long := make([]byte, 30), make([]byte, MaxBits/8+1)
	ct.Secret(zero)
	ct.Secret(long)
	for _, c := range []struct {
		n    []byte
		want error
	}{{zero, ErrModulusZero}, {long, ErrModulusTooLarge}} {
		if _, err := NewModulus(c.n); !errors.Is(err, c.want) {
			t.Errorf("NewModulus: %v, want %v", err, c.want)
		}
		out := make([]byte, len(c.n))
		err := ExpBatch(t.Context(), [][]byte{out}, [][]byte{c.n}, [][]byte{{2}}, [][]byte{{3}})
		if !errors.Is(err, c.want) {
			t.Errorf("ExpBatch: %v, want %v", err, c.want)
		}
	}
}
