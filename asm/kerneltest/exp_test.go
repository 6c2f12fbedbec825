package kerneltest

import (
	"math/big"
	"testing"
)

// TestExponentiation runs whole exponentiations, from the table to the conversion at
// the end: the results are right, and with other bases, exponents and moduli of the
// same lengths the trace is the same.
func TestExponentiation(t *testing.T) {
	for _, kernel := range []string{"ifma512", "ifma256"} {
		for _, tt := range []struct {
			bits, expBits, window int
		}{
			{256, 256, 4},
			{256, 37, 5},
			{512, 64, 3},
			{1300, 40, 4},
			{2048, 15, 5},
		} {
			width, tiles := Tiling(tt.bits)
			s := shape{width, tiles}
			b := newBatch(t, kernel, s, 1<<tt.window+16)
			work := b.NewExpWork(tt.window)
			x, z, rr := b.Ints("x", b.Limbs), b.Ints("z", b.Limbs), b.Ints("rr", b.Limbs)
			exp := func(run int) error {
				s := newSecrets(run)
				n := each(b.Lanes, func(int) *big.Int { return s.modulus(tt.bits) })
				vx := each(b.Lanes, func(int) *big.Int { return s.below(b.R()) })
				e := each(b.Lanes, func(int) *big.Int { return s.below(pow2(tt.expBits)) })
				b.SetModuli(n)
				b.Set(x, vx, s.litter)
				b.Set(rr, each(b.Lanes, func(lane int) *big.Int {
					r2 := new(big.Int).Mul(b.R(), b.R())
					return r2.Mod(r2, n[lane])
				}), noLitter)
				if err := b.Exp(work, z, x, rr, e, tt.expBits, tt.window); err != nil {
					return err
				}
				want(t, "an exponentiation", z, func(lane int) *big.Int {
					v := new(big.Int).Exp(vx[lane], e[lane], n[lane])
					if v.Sign() == 0 && z.Big(lane, false).Sign() != 0 {
						v = n[lane] // 0 may come out as N
					}
					return v
				})
				return nil
			}
			// With marks: no branch and no address depends on a secret.
			do(t, exp(2))
			// And without.
			b.Public = true
			if err := b.SameTraces(runs, exp); err != nil {
				t.Errorf("%s, %d bits: %v", kernel, tt.bits, err)
			}
			aboutCPU(t, b.Lab)
		}
	}
}

// TestWordsExponentiation is TestExponentiation for one number in words.
func TestWordsExponentiation(t *testing.T) {
	for _, tt := range []struct {
		bits, expBits, window int
	}{
		{192, 192, 4},
		{256, 256, 4},
		{512, 64, 3},
		{1024, 30, 5},
	} {
		words := tt.bits / wordBits
		w := newWords(t, words, 1<<tt.window+12)
		work := w.NewWork(tt.window)
		z := w.Alloc("z", words)
		exp := func(run int) error {
			s := newSecrets(run)
			n := s.modulus(tt.bits)
			w.SetModulus(n)
			x, e := s.below(n), s.below(pow2(tt.expBits))
			one := new(big.Int).Mod(pow2(tt.bits), n)
			base := new(big.Int).Lsh(x, uint(tt.bits))
			if err := w.Exp(work, z, one, base.Mod(base, n), e, tt.expBits); err != nil {
				return err
			}
			got := w.Big(z)
			if got.Cmp(n) == 0 { // 0 may come out as N
				got.SetUint64(0)
			}
			if v := new(big.Int).Exp(x, e, n); got.Cmp(v) != 0 {
				t.Errorf("%#x^%#x mod %#x:\n got %#x\nwant %#x", x, e, n, got, v)
			}
			return nil
		}
		do(t, exp(2))
		w.Public = true
		if err := w.SameTraces(runs, exp); err != nil {
			t.Errorf("adx, %d bits: %v", tt.bits, err)
		}
		aboutCPU(t, w.Lab)
	}
}

// TestMontExponentiation is TestExponentiation for one number across lanes.
func TestMontExponentiation(t *testing.T) {
	if routines(t, montKernel) == nil {
		t.Skip("no kernel " + montKernel)
	}
	for _, tt := range []struct {
		bits, expBits, window int
	}{
		{256, 256, 4},
		{397, 37, 6},
		{700, 64, 3},
		{1024, 100, 4},
		{1500, 31, 1},
		{2048, 160, 5},
		{3072, 15, 3},
		{4096, 33, 4},
	} {
		shape, ok := MontShape(tt.bits)
		if !ok {
			t.Fatalf("no shape for %d bits", tt.bits)
		}
		m := NewMont(newLab(t, montKernel, MontBytes(shape.Vectors, MontWorkNumbers(tt.window)+2)), shape)
		work := m.NewWork(tt.window)
		x, z := m.Number("x"), m.Number("z")
		exp := func(run int) error {
			s := newSecrets(run)
			n := s.modulus(tt.bits)
			m.SetModulus(n)
			base, e := s.below(m.firstBound()), s.below(pow2(tt.expBits))
			m.SetDigits(x, m.split(base), s.litter)
			rr := pow2(2 * m.Log2R())
			if err := m.Exp(work, z, x, rr.Mod(rr, n), e, tt.expBits); err != nil {
				return err
			}
			got := m.Big(z)
			if got.Cmp(multiple(n, 2)) >= 0 {
				t.Errorf("%#x^%#x mod %#x: %#x is 2N or more", base, e, n, got)
			}
			if v := new(big.Int).Exp(base, e, n); got.Mod(got, n).Cmp(v) != 0 {
				t.Errorf("%#x^%#x mod %#x:\n got %#x\nwant %#x", base, e, n, got, v)
			}
			return nil
		}
		do(t, exp(2))
		m.Public = true
		if err := m.SameTraces(runs, exp); err != nil {
			t.Errorf("%s, %d bits: %v", montKernel, tt.bits, err)
		}
		aboutCPU(t, m.Lab)
	}
}

// TestPMNSExponentiation is TestExponentiation for the product's sets, whose polynomials
// stand for their values at γ modulo p, over φ. Entry 0 of the table, which stands for 1
// in the product, is any u here.
func TestPMNSExponentiation(t *testing.T) {
	if routines(t, pmnsKernel) == nil {
		t.Skip("no kernel " + pmnsKernel)
	}
	for i, set := range productSets(t) {
		expBits, window := 20+3*i, 1+i%5
		for _, form := range pmnsForms {
			k := NewPMNS(newLab(t, pmnsKernel, PMNSBytes(set.shape, WindowsNumbers(window))), set.shape, form)
			if !k.Has() {
				continue
			}
			w, m := k.NewWindows(window), k.Ring().newModulus(set.m)
			value := func(x Polynomial) *big.Int {
				v := new(big.Int).ModInverse(pow2(m.bits), set.p)
				return v.Mul(v, x.at(set.gamma, set.p)).Mod(v, set.p)
			}
			exp := func(run int) error {
				s := newSecrets(run)
				element := func() Polynomial {
					return m.each(func(i int) *big.Int { return s.below(minus(m.bound(i), -1)) })
				}
				u, x, e := element(), element(), s.below(pow2(expBits))
				k.SetModulus(m.m, m.inverse)
				k.SetPolynomial(w.entry(0), u, s.litter)
				k.SetPolynomial(w.entry(1), x, s.litter)
				if err := k.powers(w); err != nil {
					return err
				}
				if err := k.power(w, e, expBits); err != nil {
					return err
				}
				// A window of zeros brings one u.
				zeros := new(big.Int)
				for from := 0; from < expBits; from += window {
					if bitsFrom([]*big.Int{e}, from, window)[0].Sign() == 0 {
						zeros.SetBit(zeros, from, 1)
					}
				}
				want := new(big.Int).Exp(value(x), e, set.p)
				want.Mul(want, new(big.Int).Exp(value(u), zeros, set.p)).Mod(want, set.p)
				if got := value(k.Polynomial(w.acc)); got.Cmp(want) != 0 {
					t.Errorf("%v%s, %d bits in windows of %d:\n got %#x\nwant %#x", set.shape, form, expBits, window, got, want)
				}
				return nil
			}
			do(t, exp(2))
			k.Public = true
			if err := k.SameTraces(runs, exp); err != nil {
				t.Errorf("%s, %v%s: %v", pmnsKernel, set.shape, form, err)
			}
			aboutCPU(t, k.Lab)
		}
	}
}
