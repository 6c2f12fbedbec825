package batch

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// reductionCase is operands for all lanes: moduli, two factors and a number to
// reduce, t < R·(R−N).
type reductionCase struct {
	name    string
	n, x, y [Lanes]*big.Int
	t       [Lanes]*big.Int
}

// checkReductions compares every form of reduction of every kernel with the
// definition, (T + Q·N)/R with Q = −T/N mod R.
func checkReductions(t *testing.T, limbs int, c *reductionCase) {
	t.Helper()
	bits := min(limbs*DigitBits-headroomBits, MaxBits)
	r := new(big.Int).Lsh(big.NewInt(1), uint(limbs*DigitBits))
	var ns [][]byte
	x, y, wide := NewInts(limbs), NewInts(limbs), NewInts(2*limbs)
	var product, square, reduced [Lanes]*big.Int
	for lane := range Lanes {
		ns = append(ns, c.n[lane].Bytes())
		x.SetBytes(lane, c.x[lane].Bytes())
		y.SetBytes(lane, c.y[lane].Bytes())
		wide.SetBytes(lane, c.t[lane].Bytes())
		product[lane] = montgomeryReduced(new(big.Int).Mul(c.x[lane], c.y[lane]), c.n[lane], r)
		square[lane] = montgomeryReduced(new(big.Int).Mul(c.x[lane], c.x[lane]), c.n[lane], r)
		reduced[lane] = montgomeryReduced(c.t[lane], c.n[lane], r)
	}
	// Bits 52 to 63 of operands are ignored.
	litter := func(v Ints) Ints {
		d := NewInts(len(v))
		for i := range v {
			for lane := range Lanes {
				d[i][lane] = v[i][lane] | uint64(0xfff-i%2*lane)<<DigitBits
			}
		}
		return d
	}
	for _, k := range Kernels() {
		m, err := k.NewModuli(bits, ns...)
		if err != nil {
			t.Fatal(err)
		}
		if m.Limbs() != limbs {
			t.Fatalf("%d limbs, not %d", m.Limbs(), limbs)
		}
		sc := NewScratch(limbs)
		forms := append([]Reduction{{}}, k.Reductions(limbs)...)
		for _, form := range forms {
			for _, dirty := range []bool{false, true} {
				x, y, wide := slices.Clone(x), slices.Clone(y), slices.Clone(wide)
				if dirty {
					x, y, wide = litter(x), litter(y), litter(wide)
				}
				x0, y0, wide0 := slices.Clone(x), slices.Clone(y), slices.Clone(wide)
				z := NewInts(limbs)
				expect := func(op string, z Ints, want *[Lanes]*big.Int) {
					t.Helper()
					for lane := range Lanes {
						if got := laneValue(z, lane); got.Cmp(want[lane]) != 0 {
							t.Fatalf("%s, %d limbs, %s, %+v, %s, lane %d:\ngot  %x\nwant %x",
								k.Name(), limbs, c.name, form, op, lane, got, want[lane])
						}
					}
				}
				m.MulMontBy(form, z, x, y, sc)
				expect("mulmont", z, &product)
				m.SqrMontBy(form, z, x, sc)
				expect("sqrmont", z, &square)
				m.RedcBy(form, z, wide, sc)
				expect("redc", z, &reduced)
				if !slices.Equal(x, x0) || !slices.Equal(y, y0) || !slices.Equal(wide, wide0) {
					t.Fatalf("%s, %d limbs, %s, %+v: an operand was changed", k.Name(), limbs, c.name, form)
				}
				copy(z, x)
				m.MulMontBy(form, z, z, y, sc)
				expect("mulmont with z = x", z, &product)
				copy(z, y)
				m.MulMontBy(form, z, x, z, nil)
				expect("mulmont with z = y", z, &product)
				copy(z, x)
				m.MulMontBy(form, z, z, z, sc)
				expect("mulmont with z = x = y", z, &square)
				copy(z, x)
				m.SqrMontBy(form, z, z, nil)
				expect("sqrmont with z = x", z, &square)
			}
		}
	}
}

// montgomeryReduced returns (t + q·n)/r with q = −t/n mod r.
func montgomeryReduced(t, n, r *big.Int) *big.Int {
	q := new(big.Int).ModInverse(n, r)
	q.Mul(q, t).Neg(q).Mod(q, r)
	q.Mul(q, n).Add(q, t)
	return q.Div(q, r)
}

func laneValue(z Ints, lane int) *big.Int {
	v := new(big.Int)
	for i := len(z) - 1; i >= 0; i-- {
		v.Lsh(v, DigitBits).Add(v, new(big.Int).SetUint64(z[i][lane]&digitMask))
	}
	return v
}

// extremes makes numbers of which most have digits of few kinds.
type extremes struct{ *rand.Rand }

// below returns a number in [0, bound).
func (r extremes) below(bound *big.Int) *big.Int {
	v := new(big.Int)
	kind := r.IntN(6)
	for range bound.BitLen()/DigitBits + 1 {
		d := r.Uint64() & digitMask
		switch kind {
		case 0: // sparse
			if r.IntN(4) != 0 {
				d = 0
			}
		case 1: // runs of zeros and ones
			d = uint64(r.IntN(2)) * digitMask
		case 2:
			d = digitMask
		case 3:
			d = []uint64{0, 1, digitMask, digitMask - 1, 1 << 51, 1<<51 - 1}[r.IntN(6)]
		}
		v.Lsh(v, DigitBits).Add(v, new(big.Int).SetUint64(d))
	}
	switch r.IntN(8) {
	case 0:
		return v.Sub(bound, big.NewInt(1))
	case 1:
		return v.SetInt64(int64(r.IntN(2))).Mod(v, bound)
	}
	return v.Mod(v, bound)
}

// odd returns an odd number of at most the given number of bits.
func (r extremes) odd(bits int) *big.Int {
	one := big.NewInt(1)
	top := new(big.Int).Lsh(one, uint(bits))
	n := r.below(top)
	switch r.IntN(5) {
	case 0: // 2^bits − 1
		n.Sub(top, one)
	case 1: // 2^k ± 1
		n.Lsh(one, uint(1+r.IntN(bits-1)))
		n.Add(n, big.NewInt(int64(1-2*r.IntN(2))))
	case 2: // tiny
		n.SetInt64(int64(1 + 2*r.IntN(50)))
	}
	return n.SetBit(n, 0, 1)
}

// wide returns a number to reduce modulo n: T < R·(R−N).
func (r extremes) wide(n, R *big.Int) *big.Int {
	bound := new(big.Int).Sub(R, n)
	t := r.below(bound.Mul(bound, R))
	switch r.IntN(5) {
	case 0: // T ≡ 0 modulo R
		t.Div(t, R).Mul(t, R)
	case 1: // T ≡ 0 modulo N
		t.Div(t, n).Mul(t, n)
	case 2: // some low digits are zero
		k := uint(r.IntN(R.BitLen()))
		t.Rsh(t, k).Lsh(t, k)
	case 3: // all digits of T mod R are ones
		t.Div(t, R).Mul(t, R).Add(t, R).Sub(t, big.NewInt(1))
	}
	return t
}

// allLimbs returns what Limbs can return, up to a bound.
func allLimbs(most int) (limbs []int) {
	for bits := 1; bits <= MaxBits; bits++ {
		if s := Limbs(bits); s <= most && (len(limbs) == 0 || s > limbs[len(limbs)-1]) {
			limbs = append(limbs, s)
		}
	}
	return limbs
}

func TestReductions(t *testing.T) {
	most, few := 320, 3
	if testing.Short() {
		most, few = 80, 1
	}
	for _, s := range allLimbs(most) {
		t.Run(fmt.Sprintf("limbs=%d", s), func(t *testing.T) {
			r := extremes{rand.New(rand.NewPCG(2, uint64(s)))}
			R := new(big.Int).Lsh(big.NewInt(1), uint(s*DigitBits))
			bits := min(s*DigitBits-headroomBits, MaxBits)
			rounds := few
			if s <= 40 {
				rounds *= 10
			}
			for i := range rounds {
				c := &reductionCase{name: fmt.Sprint("case ", i)}
				for lane := range Lanes {
					n := r.odd(bits)
					twice := new(big.Int).Lsh(n, 1)
					c.n[lane] = n
					c.x[lane], c.y[lane] = r.below(twice), r.below(twice)
					if r.IntN(4) == 0 {
						c.x[lane].Sub(twice, big.NewInt(1))
						c.y[lane].Set(c.x[lane])
					}
					c.t[lane] = r.wide(n, R)
				}
				checkReductions(t, s, c)
			}
		})
	}
}
