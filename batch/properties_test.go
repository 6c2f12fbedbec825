package batch

import (
	"bytes"
	"context"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// drawInt draws a number below 2^bits, biased to extreme digits.
func drawInt(bits int) *rapid.Generator[*big.Int] {
	digit := rapid.OneOf(
		rapid.SampledFrom([]uint64{0, 1, 2, digitMask, digitMask - 1, 1 << (DigitBits - 1)}),
		rapid.Uint64Range(0, digitMask),
	)
	digits := rapid.SliceOfN(digit, 0, (bits+DigitBits-1)/DigitBits)
	return rapid.Map(digits, func(ds []uint64) *big.Int {
		v := new(big.Int)
		for _, d := range ds {
			v.Lsh(v, DigitBits)
			v.Or(v, new(big.Int).SetUint64(d))
		}
		return v.And(v, add(pow2(bits), -1))
	})
}

// drawModuli draws a kernel and up to eight odd moduli of the same number of limbs.
func drawModuli(t *rapid.T) (*Moduli, []*big.Int) {
	k := rapid.SampledFrom(Kernels()).Draw(t, "kernel")
	s := rapid.SampledFrom([]int{4, 6, 8, 10, 12, 14, 15, 16, 18, 20, 24, 30, 40}).Draw(t, "limbs")
	ns := rapid.SliceOfN(drawInt(s*DigitBits-headroomBits), 1, Lanes).Draw(t, "moduli")
	bs := make([][]byte, len(ns))
	for i, n := range ns {
		n.SetBit(n, 0, 1)
		bs[i] = n.Bytes()
	}
	m, err := k.NewModuli(s*DigitBits-headroomBits, bs...)
	if err != nil {
		t.Fatal(err)
	}
	return m, ns
}

// drawOperand draws one number below 2^bits a lane.
func drawOperand(t *rapid.T, m *Moduli, bits int, name string) (Ints, []*big.Int) {
	x, vs := NewInts((bits+DigitBits-1)/DigitBits), make([]*big.Int, m.lanes)
	for lane := range vs {
		vs[lane] = drawInt(bits).Draw(t, name)
		setBig(x, lane, vs[lane])
	}
	return x, vs
}

func TestPropertyProducts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, ns := drawModuli(t)
		s := m.Limbs()
		x, xs := drawOperand(t, m, s*DigitBits, "x")
		y, ys := drawOperand(t, m, s*DigitBits, "y")
		z, wide := NewInts(s), NewInts(2*s)

		m.kernel.Mul(wide, x, y, nil)
		a, b := NewInts(s), NewInts(s)
		m.ToMontgomery(a, x, nil)
		m.ToMontgomery(b, y, nil)
		m.MulMont(z, a, b, nil)
		m.FromMontgomery(z, z, nil)
		m.SqrMont(a, a, nil)
		m.FromMontgomery(a, a, nil)
		for lane, n := range ns {
			v := new(big.Int).Mul(xs[lane], ys[lane])
			wantLane(t, wide, lane, v, "%#x · %#x", xs[lane], ys[lane])
			wantLane(t, z, lane, v.Mod(v, n), "%#x · %#x mod %#x", xs[lane], ys[lane], n)
			v.Mul(xs[lane], xs[lane])
			wantLane(t, a, lane, v.Mod(v, n), "%#x squared mod %#x", xs[lane], n)
		}
	})
}

// TestPropertyPowers checks x^a · x^b = x^(a+b).
func TestPropertyPowers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m, ns := drawModuli(t)
		s := m.Limbs()
		x, xs := drawOperand(t, m, s*DigitBits, "x")
		a, as := drawOperand(t, m, 90, "a")
		b, bs := drawOperand(t, m, 90, "b")
		sum := NewInts(2)
		for lane := range ns {
			setBig(sum, lane, new(big.Int).Add(as[lane], bs[lane]))
		}
		var z [3]Ints
		for i, e := range []Ints{a, b, sum} {
			z[i] = NewInts(s)
			if err := m.Exp(context.Background(), z[i], x, e, 91); err != nil {
				t.Fatal(err)
			}
		}
		m.ToMontgomery(z[0], z[0], nil)
		m.ToMontgomery(z[1], z[1], nil)
		m.MulMont(z[0], z[0], z[1], nil)
		m.FromMontgomery(z[0], z[0], nil)
		for lane, n := range ns {
			wantLane(t, z[0], lane, getBig(z[2], lane), "%#x^(%#x + %#x) mod %#x", xs[lane], as[lane], bs[lane], n)
		}
	})
}

// TestPropertyKernelsAgree checks that all kernels give the same integers, and
// not only the same residues.
func TestPropertyKernelsAgree(t *testing.T) {
	if len(Kernels()) < 2 {
		t.Skip("this CPU or build can run only one kernel")
	}
	rapid.Check(t, func(t *rapid.T) {
		m, ns := drawModuli(t)
		s := m.Limbs()
		x, xs := drawOperand(t, m, s*DigitBits, "x")
		y, ys := drawOperand(t, m, s*DigitBits, "y")
		wide, wides := drawOperand(t, m, 2*s*DigitBits-headroomBits, "t")
		// y < N, and t below R·(R − N).
		for lane, n := range ns {
			ys[lane].Mod(ys[lane], n)
			setBig(y, lane, ys[lane])
			R := radix(s)
			bound := new(big.Int).Sub(R, n)
			wides[lane].Mod(wides[lane], bound.Mul(bound, R))
			setBig(wide, lane, wides[lane])
		}
		sc := NewScratch(s)
		products, reductions, gathered := NewInts(s), NewInts(s), NewInts(s)
		for i, k := range Kernels() {
			p, q, g := NewInts(s), NewInts(s), NewInts(s)
			k.impl.mulMont(p, x, y, m, sc)
			k.impl.redc(q, wide, m, sc)
			k.impl.gather(g, wide, &Vector{0, 1, 0, 1, 1, 0, 0, 1}, 2, Lanes)
			if i == 0 {
				products, reductions, gathered = p, q, g
				continue
			}
			for lane, n := range ns {
				wantLane(t, p, lane, getBig(products, lane), "%s against %s: mulMont of %#x and %#x mod %#x",
					k.Name(), Kernels()[0].Name(), xs[lane], ys[lane], n)
				wantLane(t, q, lane, getBig(reductions, lane), "%s against %s: redc of %#x mod %#x",
					k.Name(), Kernels()[0].Name(), wides[lane], n)
				wantLane(t, g, lane, getBig(gathered, lane), "%s against %s: gather", k.Name(), Kernels()[0].Name())
			}
		}
	})
}

func FuzzExp(f *testing.F) {
	f.Add([]byte{3}, []byte{5}, []byte{7}, uint8(0))
	f.Add([]byte{255, 255, 255, 255, 255, 255, 254}, []byte{1, 0, 0, 0, 0, 0, 0, 0, 13}, []byte{255, 255, 255, 255, 255, 255, 255}, uint8(7))
	f.Add([]byte{0}, []byte{}, []byte{1}, uint8(3))
	f.Fuzz(func(t *testing.T, x, e, n []byte, lane uint8) {
		if len(x) > 130 || len(e) > 20 || len(n) > 130 || len(n) == 0 {
			return
		}
		bits := 8 * max(len(x), len(n))
		n = bytes.Clone(n)
		n[len(n)-1] |= 1
		at := int(lane % Lanes)
		ns := make([][]byte, at+1)
		for i := range ns {
			ns[i] = []byte{byte(2*i + 1)}
		}
		ns[at] = n
		want := new(big.Int).Exp(new(big.Int).SetBytes(x), new(big.Int).SetBytes(e), new(big.Int).SetBytes(n))
		for _, k := range Kernels() {
			m, err := k.NewModuli(max(bits, 8), ns...)
			if err != nil {
				t.Fatal(err)
			}
			xi, ei, z := NewInts(m.Limbs()), NewInts(4), NewInts(m.Limbs())
			xi.SetBytes(at, x)
			ei.SetBytes(at, e)
			if err := m.Exp(context.Background(), z, xi, ei, 8*len(e)); err != nil {
				t.Fatal(err)
			}
			wantLane(t, z, at, want, "%s: %#x^%#x mod %#x", k.Name(), x, e, n)
		}
	})
}
