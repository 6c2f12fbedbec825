package batch

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// montgomeryBig returns (t + Q·N)/R with Q = −t/N mod R.
func montgomeryBig(t, n *big.Int, limbs int) *big.Int {
	r := radix(limbs)
	q := new(big.Int).Mul(t, new(big.Int).ModInverse(n, r))
	q.Neg(q).Mod(q, r)
	q.Mul(q, n).Add(q, t)
	return q.Rsh(q, uint(limbs*DigitBits))
}

func TestMulAndSqr(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(11, 12))
		for _, s := range someLimbCounts() {
			bound := radix(s)
			for range 4 {
				var xs, ys []*big.Int
				for range Lanes {
					xs, ys = append(xs, below(r, bound)), append(ys, below(r, bound))
				}
				checkMulAndSqr(t, r, k, s, xs, ys)
			}
		}
	})
}

// TestSquareCarries squares numbers with runs of ones and of zeros at every
// place: doubled columns overflow, and carries cross from super-digit to
// super-digit and over the middle.
func TestSquareCarries(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(13, 14))
		for _, s := range []int{4, 6, 10, 15, 20, 24, 40, 80} {
			all := add(radix(s), -1)
			xs := []*big.Int{all}
			for i := range s {
				xs = append(xs,
					new(big.Int).Xor(all, pow2(i*DigitBits)),
					new(big.Int).Xor(all, pow2(i*DigitBits+DigitBits-1)),
					add(pow2(i*DigitBits+DigitBits), -1),
					new(big.Int).Sub(all, add(pow2(i*DigitBits), -1)),
					new(big.Int).Sub(radix(s), pow2(i*DigitBits)))
			}
			for i := 0; i < len(xs); i += Lanes {
				x := eightOf(r, xs, i/Lanes)
				checkMulAndSqr(t, r, k, s, x, eightOf(r, xs, len(xs)))
			}
		}
	})
}

func checkMulAndSqr(t *testing.T, r *rand.Rand, k *Kernel, s int, xs, ys []*big.Int) {
	t.Helper()
	x, okX := guarded(s, true)
	y, okY := guarded(s, true)
	z, okZ := guarded(2*s, true)
	sc, okS := guardedScratch(s)
	for lane := range Lanes {
		setBig(x, lane, xs[lane])
		setBig(y, lane, ys[lane])
	}
	litter(r, x, Lanes)
	litter(r, y, Lanes)
	x0, y0 := clone(x), clone(y)

	litter(r, z, 0)
	k.Mul(z, x, y, sc)
	for lane := range Lanes {
		wantLane(t, z, lane, new(big.Int).Mul(xs[lane], ys[lane]), "%#x · %#x", xs[lane], ys[lane])
	}
	litter(r, z, 0)
	k.Mul(z, x, x, sc)
	for lane := range Lanes {
		wantLane(t, z, lane, new(big.Int).Mul(xs[lane], xs[lane]), "%#x · itself", xs[lane])
	}
	litter(r, z, 0)
	k.Sqr(z, x, sc)
	for lane := range Lanes {
		wantLane(t, z, lane, new(big.Int).Mul(xs[lane], xs[lane]), "%#x squared", xs[lane])
	}
	if !okX() || !okY() || !okZ() || !okS() {
		t.Fatalf("%d limbs: words around the operands or the scratch were written", s)
	}
	if !equalInts(x, x0) || !equalInts(y, y0) {
		t.Fatalf("%d limbs: an operand was written", s)
	}
}

func equalInts(x, y Ints) bool {
	for i := range x {
		if x[i] != y[i] {
			return false
		}
	}
	return len(x) == len(y)
}

func TestMontgomery(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(21, 22))
		for _, s := range someLimbCounts() {
			ns := extremeModuli(r, min(MaxBits, s*DigitBits-headroomBits))
			rounds := (len(ns) + Lanes - 1) / Lanes
			if s > 60 {
				rounds = 2
			}
			for i := range rounds {
				n := eightOf(r, ns, i)
				if i == rounds-1 {
					r.Shuffle(len(n), func(a, b int) { n[a], n[b] = n[b], n[a] })
				}
				checkMontgomery(t, r, newModuli(t, k, s, n[:1+r.IntN(Lanes)]...), n)
				checkMontgomery(t, r, newModuli(t, k, s, n...), n)
			}
		}
	})
}

// checkMontgomery checks mulMont, sqrMont and redc on operands at and near the
// bounds of the contract.
func checkMontgomery(t *testing.T, r *rand.Rand, m *Moduli, n []*big.Int) {
	t.Helper()
	s, lanes := m.limbs, m.lanes
	R := radix(s)
	var ds [4][Lanes]*big.Int // x, y < 2N; u < R; v < N
	x, okX := guarded(s, true)
	y, okY := guarded(s, true)
	u, okU := guarded(s, true)
	v, okV := guarded(s, true)
	z, okZ := guarded(s, true)
	wide, okW := guarded(2*s, true)
	sc, okS := guardedScratch(s)
	for lane := range lanes {
		twoN := new(big.Int).Lsh(n[lane], 1)
		for i, b := range []*big.Int{twoN, twoN, R, n[lane]} {
			ds[i][lane] = below(r, b)
			setBig([]Ints{x, y, u, v}[i], lane, ds[i][lane])
		}
	}
	for _, d := range []Ints{x, y, u, v} {
		litter(r, d, lanes)
	}
	check := func(what string, a, b [Lanes]*big.Int) {
		t.Helper()
		for lane := range lanes {
			want := montgomeryBig(new(big.Int).Mul(a[lane], b[lane]), n[lane], s)
			wantLane(t, z, lane, want, "%s: %#x · %#x / R mod %#x", what, a[lane], b[lane], n[lane])
		}
		if !okX() || !okY() || !okU() || !okV() || !okZ() || !okW() || !okS() {
			t.Fatalf("%s, %d limbs: words around the operands or the scratch were written", what, s)
		}
		litter(r, z, 0)
		litter(r, sc.work, 0)
	}
	m.kernel.impl.mulMont(z, x, y, m, sc)
	check("mulMont", ds[0], ds[1])
	m.kernel.impl.mulMont(z, u, v, m, sc)
	check("mulMont", ds[2], ds[3])
	m.kernel.impl.mulMont(z, v, u, m, sc)
	check("mulMont", ds[3], ds[2])
	m.kernel.impl.sqrMont(z, x, m, sc)
	check("sqrMont", ds[0], ds[0])

	// Results in place of operands.
	copy(z, x)
	m.kernel.impl.mulMont(z, z, y, m, sc)
	check("mulMont, z = x", ds[0], ds[1])
	copy(z, y)
	m.kernel.impl.mulMont(z, x, z, m, sc)
	check("mulMont, z = y", ds[0], ds[1])
	m.kernel.impl.mulMont(z, x, x, m, sc)
	check("mulMont, x = y", ds[0], ds[0])
	copy(z, x)
	m.kernel.impl.mulMont(z, z, z, m, sc)
	check("mulMont, z = x = y", ds[0], ds[0])
	copy(z, x)
	m.kernel.impl.sqrMont(z, z, m, sc)
	check("sqrMont, z = x", ds[0], ds[0])

	// t below R·(R − N), the largest that the contract allows, and its neighbours.
	for range 3 {
		var ts, ones [Lanes]*big.Int
		for lane := range lanes {
			bound := new(big.Int).Sub(R, n[lane])
			ts[lane], ones[lane] = below(r, bound.Mul(bound, R)), bigOne
			setBig(wide, lane, ts[lane])
		}
		litter(r, wide, lanes)
		m.kernel.impl.redc(z, wide, m, sc)
		check("redc", ts, ones)
	}
}

// TestReductionCarries reduces numbers whose quotient or whose low half is
// extreme: a truncated reduction never computes the columns that become zero and
// has to know their carry.
func TestReductionCarries(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(31, 32))
		for _, s := range []int{4, 6, 8, 10, 12, 14, 15, 16, 18, 20, 24, 28, 30, 40, 60, 80, 160} {
			ns := extremeModuli(r, s*DigitBits-headroomBits)
			R := radix(s)
			var quotients []*big.Int
			for i := range s {
				quotients = append(quotients,
					pow2(i*DigitBits), add(pow2(i*DigitBits), -1), new(big.Int).Sub(R, pow2(i*DigitBits)))
			}
			var lows []*big.Int // of t mod R
			for i := range s {
				lows = append(lows,
					pow2(i*DigitBits), add(pow2(i*DigitBits), -1), new(big.Int).Sub(R, pow2(i*DigitBits)),
					pow2(i*DigitBits+DigitBits-1))
			}
			if s > 40 {
				r.Shuffle(len(quotients), func(a, b int) { quotients[a], quotients[b] = quotients[b], quotients[a] })
				r.Shuffle(len(lows), func(a, b int) { lows[a], lows[b] = lows[b], lows[a] })
				quotients, lows = quotients[:16], lows[:16]
			}
			for i := range (len(lows) + Lanes - 1) / Lanes {
				n := eightOf(r, ns, i%3)
				m := newModuli(t, k, s, n...)
				low := eightOf(r, lows, i)
				for lane, q := range eightOf(r, quotients, i) {
					if lane%2 == 0 {
						continue
					}
					// t = −q·N mod R gives the quotient q.
					low[lane] = new(big.Int).Mul(q, n[lane])
					low[lane].Neg(low[lane]).Mod(low[lane], R)
				}
				checkLows(t, r, m, n, low)
			}
		}
	})
}

// checkLows checks redc of numbers with the given low halves, and mulMont by 1.
func checkLows(t *testing.T, r *rand.Rand, m *Moduli, n, low []*big.Int) {
	t.Helper()
	s := m.limbs
	R := radix(s)
	sc := NewScratch(s)
	z := NewInts(s)
	for _, high := range []string{"0", "1", "most", "random"} {
		var ts [Lanes]*big.Int
		for lane := range Lanes {
			most := new(big.Int).Sub(R, n[lane])
			h := new(big.Int)
			switch high {
			case "1":
				h.SetInt64(1)
			case "most":
				h = add(most, -1)
			case "random":
				h = below(r, most)
			}
			ts[lane] = h.Mul(h, R).Add(h, low[lane])
		}
		m.kernel.impl.redc(z, litter(r, fromBig(2*s, ts[:]...), Lanes), m, sc)
		for lane := range Lanes {
			wantLane(t, z, lane, montgomeryBig(ts[lane], n[lane], s), "redc %#x mod %#x", ts[lane], n[lane])
		}
	}
	// Here 1 < N is not needed: x·1 < R·N holds for N = 1 as well.
	one := NewInts(s)
	for lane := range Lanes {
		one[0][lane] = 1
	}
	m.kernel.impl.mulMont(z, fromBig(s, low...), one, m, sc)
	for lane := range Lanes {
		wantLane(t, z, lane, montgomeryBig(low[lane], n[lane], s), "%#x · 1 / R mod %#x", low[lane], n[lane])
	}
}

// TestProductsDivisibleByR multiplies numbers whose product has only zeros in the
// low half, at every place where one factor ends.
func TestProductsDivisibleByR(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(41, 42))
		for _, s := range []int{4, 8, 10, 20, 40, 60} {
			bits := s*DigitBits - headroomBits
			ns := []*big.Int{add(pow2(bits), -1), add(pow2(bits-1), 1), add(pow2(bits-1), -1)}
			for range 5 {
				n := randomBig(r, bits)
				ns = append(ns, n.SetBit(n, 0, 1).SetBit(n, bits-1, 1))
			}
			m := newModuli(t, k, s, ns...)
			sc := NewScratch(s)
			z := NewInts(s)
			for cut := range s {
				// x = a·2^(52(s − cut)) < R and y = b·2^(52·cut) < N.
				var x, y []*big.Int
				for lane := range Lanes {
					a := below(r, pow2(cut*DigitBits))
					b := below(r, pow2(bits-1-cut*DigitBits))
					if lane%2 == 0 {
						a = add(pow2(cut*DigitBits), -1)
						b = add(pow2(bits-1-cut*DigitBits), -1)
					}
					x = append(x, a.Lsh(a, uint((s-cut)*DigitBits)))
					y = append(y, b.Lsh(b, uint(cut*DigitBits)))
				}
				m.kernel.impl.mulMont(z, fromBig(s, x...), fromBig(s, y...), m, sc)
				for lane := range Lanes {
					want := montgomeryBig(new(big.Int).Mul(x[lane], y[lane]), ns[lane], s)
					wantLane(t, z, lane, want, "%#x · %#x / R mod %#x", x[lane], y[lane], ns[lane])
				}
			}
		}
	})
}

func TestGather(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(51, 52))
		for _, s := range someLimbCounts() {
			for _, entries := range []int{1, 2, 4, 8, 16, 32, 64} {
				if s > 80 && entries > 8 {
					continue
				}
				table, okT := guarded(entries*s, true)
				z, okZ := guarded(s, true)
				index, okI := guarded(1, true)
				litter(r, table, 0)
				for round := range 3 {
					for lane := range Lanes {
						index[0][lane] = r.Uint64N(uint64(entries))
						if round == 1 {
							index[0][lane] = 0
						} else if round == 2 {
							index[0][lane] = uint64(entries - 1)
						}
					}
					litter(r, z, 0)
					k.impl.gather(z, table, &index[0], entries, Lanes)
					for lane := range Lanes {
						e := int(index[0][lane])
						wantLane(t, z, lane, getBig(table[e*s:(e+1)*s], lane), "entry %d of %d", e, entries)
					}
				}
				for lanes := 1; lanes <= Lanes; lanes++ {
					litter(r, z, 0)
					k.impl.gather(z, table, &index[0], entries, lanes)
					for lane := range lanes {
						e := int(index[0][lane])
						wantLane(t, z, lane, getBig(table[e*s:(e+1)*s], lane), "entry %d of %d, %d lanes", e, entries, lanes)
					}
				}
				if !okT() || !okZ() || !okI() {
					t.Fatalf("%d limbs: words around the operands were written", s)
				}
			}
		}
	})
}

// TestUnaligned runs the kernels on memory that is aligned to 8 bytes only.
func TestUnaligned(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(61, 62))
		for _, s := range []int{4, 20, 40} {
			n := eightOf(r, extremeModuli(r, s*DigitBits-headroomBits), 0)
			m := newModuli(t, k, s, n...)
			x, okX := guarded(s, false)
			y, okY := guarded(s, false)
			z, okZ := guarded(s, false)
			wide, okW := guarded(2*s, false)
			for lane := range Lanes {
				setBig(x, lane, below(r, n[lane]))
				setBig(y, lane, below(r, n[lane]))
			}
			m.MulMont(z, x, y, nil)
			k.Mul(wide, x, y, nil)
			for lane := range Lanes {
				product := new(big.Int).Mul(getBig(x, lane), getBig(y, lane))
				wantLane(t, wide, lane, product, "product")
				wantLane(t, z, lane, montgomeryBig(product, n[lane], s), "mulMont")
			}
			m.SqrMont(z, x, nil)
			k.Sqr(wide, x, nil)
			for lane := range Lanes {
				square := new(big.Int).Mul(getBig(x, lane), getBig(x, lane))
				wantLane(t, wide, lane, square, "square")
				wantLane(t, z, lane, montgomeryBig(square, n[lane], s), "sqrMont")
			}
			if !okX() || !okY() || !okZ() || !okW() {
				t.Fatalf("%d limbs: words around the operands were written", s)
			}
		}
	})
}
