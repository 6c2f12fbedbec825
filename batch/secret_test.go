//go:build valgrind && linux && amd64

package batch

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/internal/ct"
)

// These tests show that the portable kernel and what stands on it are constant
// time when they run under Valgrind, by internal/ct/check.

func TestSecretLeaks(t *testing.T) { ct.Leak() }

// secretCase has operands for one vector, and the same as secrets.
type secretCase struct {
	r       *rand.Rand
	limbs   int
	n, x, y []*big.Int
	m       *Moduli
}

func newSecretCase(t *testing.T, k *Kernel, limbs, lanes int) *secretCase {
	t.Helper()
	c := &secretCase{r: rand.New(rand.NewPCG(uint64(limbs), uint64(lanes))), limbs: limbs}
	c.n = extremeModuli(c.r, limbs*DigitBits-headroomBits)
	c.r.Shuffle(len(c.n), func(i, j int) { c.n[i], c.n[j] = c.n[j], c.n[i] })
	c.n = c.n[:lanes]
	bits := limbs*DigitBits - headroomBits
	bs := make([][]byte, lanes)
	for i, n := range c.n {
		bs[i] = n.FillBytes(make([]byte, (bits+7)/8))
		ct.Secret(bs[i])
		c.x = append(c.x, below(c.r, n))
		c.y = append(c.y, below(c.r, n))
	}
	m, err := k.NewModuli(bits, bs...)
	if err != nil {
		t.Fatal(err)
	}
	c.m = m
	return c
}

// secret returns Ints with the given values in the first lanes, all of it secret.
func secret(r *rand.Rand, limbs int, vs []*big.Int) Ints {
	x := litter(r, fromBig(limbs, vs...), len(vs))
	ct.Secret(x)
	return x
}

// reveal declares a result to be public, which must be secret until then.
func reveal(t *testing.T, name string, z Ints) Ints {
	t.Helper()
	if ct.Watched() && !ct.IsSecret(z) {
		t.Errorf("%s: the result does not depend on a secret", name)
	}
	ct.Declassify(z)
	return z
}

// want checks every lane of a secret result, modulo n unless n is nil.
func (c *secretCase) want(t *testing.T, name string, z Ints, f func(lane int) *big.Int) {
	t.Helper()
	reveal(t, name, z)
	for lane := range c.n {
		got, want := getBig(z, lane), f(lane)
		if len(z) == c.limbs {
			got.Mod(got, c.n[lane])
			want.Mod(want, c.n[lane])
		}
		if got.Cmp(want) != 0 {
			t.Errorf("%s, %d limbs, lane %d: %#x, want %#x", name, c.limbs, lane, got, want)
		}
	}
}

func eachSecretCase(t *testing.T, f func(t *testing.T, k *Kernel, c *secretCase)) {
	for _, k := range Kernels() {
		for _, limbs := range []int{4, 10, 20, 30} {
			for _, lanes := range []int{1, 3, 8} {
				f(t, k, newSecretCase(t, k, limbs, lanes))
			}
		}
	}
}

func TestSecretProducts(t *testing.T) {
	eachSecretCase(t, func(t *testing.T, k *Kernel, c *secretCase) {
		s := c.limbs
		x, y := secret(c.r, s, c.x), secret(c.r, s, c.y)
		wide, z := NewInts(2*s), NewInts(s)
		product := func(lane int) *big.Int { return new(big.Int).Mul(c.x[lane], c.y[lane]) }
		square := func(lane int) *big.Int { return new(big.Int).Mul(c.x[lane], c.x[lane]) }
		// reduced is v/R.
		reduced := func(lane int, v *big.Int) *big.Int {
			inverse := new(big.Int).ModInverse(radix(s), c.n[lane])
			if inverse == nil { // modulo 1
				return new(big.Int)
			}
			return v.Mul(v, inverse)
		}

		k.Mul(wide, x, y, nil)
		c.m.Redc(z, wide, nil)
		c.want(t, "Redc", z, func(lane int) *big.Int { return reduced(lane, product(lane)) })
		c.want(t, "Mul", wide, product)
		k.Sqr(wide, x, nil)
		c.want(t, "Sqr", wide, square)
		for _, form := range k.Reductions(s) {
			c.m.MulMontBy(form, z, x, y, nil)
			c.want(t, "MulMont", z, func(lane int) *big.Int { return reduced(lane, product(lane)) })
			c.m.SqrMontBy(form, z, x, nil)
			c.want(t, "SqrMont", z, func(lane int) *big.Int { return reduced(lane, square(lane)) })
		}
		c.m.ToMontgomery(z, x, nil)
		c.m.FromMontgomery(z, z, nil)
		c.want(t, "FromMontgomery", z, func(lane int) *big.Int { return new(big.Int).Set(c.x[lane]) })
	})
}

func TestSecretPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 12))
	for _, k := range Kernels() {
		var xs, ys []*big.Int
		for range Lanes {
			xs, ys = append(xs, below(r, radix(20))), append(ys, below(r, radix(10)))
		}
		x, y, z := secret(r, 20, xs), secret(r, 10, ys), NewInts(30)
		k.MulPieces(z, x, y, nil)
		reveal(t, "MulPieces", z)
		for lane := range Lanes {
			if got, want := getBig(z, lane), new(big.Int).Mul(xs[lane], ys[lane]); got.Cmp(want) != 0 {
				t.Errorf("lane %d: %#x, want %#x", lane, got, want)
			}
		}
	}
}

func TestSecretExp(t *testing.T) {
	eachSecretCase(t, func(t *testing.T, _ *Kernel, c *secretCase) {
		for _, ebits := range []int{1, 51, 70} {
			es := make([]*big.Int, len(c.n))
			for lane := range es {
				es[lane] = below(c.r, pow2(ebits))
			}
			x, e := secret(c.r, c.limbs, c.x), secret(c.r, Limbs(ebits), es)
			z := NewInts(c.limbs)
			if err := c.m.Exp(context.Background(), z, x, e, ebits); err != nil {
				t.Fatal(err)
			}
			c.want(t, "Exp", z, func(lane int) *big.Int { return new(big.Int).Exp(c.x[lane], es[lane], c.n[lane]) })
		}
	})
}

// TestSecretWindows covers every width of window, as a table look-up has.
func TestSecretWindows(t *testing.T) {
	const limbs = 20
	seen := map[int]bool{}
	for _, ebits := range []int{1, 5, 20, 60, 150, 400, 1000} {
		window := windowBits(ebits, limbs)
		if seen[window] {
			continue
		}
		seen[window] = true
		for _, k := range Kernels() {
			c := newSecretCase(t, k, limbs, 2)
			x, e := secret(c.r, limbs, c.x), NewInts((ebits+DigitBits-1)/DigitBits)
			ct.Secret(e)
			z := NewInts(limbs)
			if err := c.m.Exp(context.Background(), z, x, e, ebits); err != nil {
				t.Fatal(err)
			}
			c.want(t, "Exp", z, func(lane int) *big.Int { return new(big.Int).Mod(bigOne, c.n[lane]) })
		}
	}
	if len(seen) < 5 {
		t.Errorf("only windows of the widths %v were covered", seen)
	}
}

func TestSecretBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, size := range []int{0, 1, 6, 7, 13, 26, 40} {
		for _, limbs := range []int{1, 2, 4} {
			in, out := make([]byte, size), make([]byte, size)
			for i := range in {
				in[i] = byte(r.Uint32())
			}
			want := new(big.Int).SetBytes(in)
			want.And(want, add(radix(limbs), -1))
			ct.Secret(in)
			x := NewInts(limbs)
			fits := x.SetBytes(3, in)
			whole := x.FillBytes(3, out)
			// The lengths say it already, but for leading zeros.
			ct.Public(fits)
			if !ct.Public(whole) {
				t.Errorf("%d bytes in %d digits do not fit %d bytes", size, limbs, size)
			}
			ct.Declassify(out)
			if got := new(big.Int).SetBytes(out); got.Cmp(want) != 0 {
				t.Errorf("%d bytes in %d digits: %x, want %x", size, limbs, got, want)
			}
		}
	}
}

// TestSecretErrors checks that moduli which are refused are not looked at more
// closely than the errors tell.
func TestSecretErrors(t *testing.T) {
	for _, k := range Kernels() {
		for name, n := range map[string][]byte{
			"zero": make([]byte, 20), "even": {1, 2, 3, 4}, "too long": {2, 0, 0, 1}, "far too long": make([]byte, 100),
		} {
			n[0] |= byte(len(n) / 100)
			ct.Secret(n)
			if _, err := k.NewModuli(25, []byte{3}, n); err == nil {
				t.Errorf("%s: no error", name)
			}
		}
	}
}
