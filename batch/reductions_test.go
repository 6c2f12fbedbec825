package batch

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// blockLimbs are numbers of limbs that have reductions in blocks.
var blockLimbs = []int{10, 20, 30, 40, 50, 60, 80, 120, 160, 320}

func TestReductionForms(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(71, 72))
		limbs := append(someLimbCounts(), blockLimbs...)
		slices.Sort(limbs)
		for _, s := range slices.Compact(limbs) {
			ns := extremeModuli(r, min(MaxBits, s*DigitBits-headroomBits))
			rounds := (len(ns) + Lanes - 1) / Lanes
			if s > 40 || testing.Short() || raceEnabled {
				rounds = 1
				r.Shuffle(len(ns), func(i, j int) { ns[i], ns[j] = ns[j], ns[i] })
			}
			for i := range rounds {
				n := eightOf(r, ns, i)
				m := newModuli(t, k, s, n[:Lanes-i%2]...)
				for _, form := range append(k.Reductions(s), Reduction{}) {
					checkForm(t, r, m, form, n)
				}
			}
		}
	})
}

// checkForm checks one form of reduction on operands at and near the bounds of
// the contract.
func checkForm(t *testing.T, r *rand.Rand, m *Moduli, form Reduction, n []*big.Int) {
	t.Helper()
	s, lanes := m.limbs, m.lanes
	R := radix(s)
	x, okX := guarded(s, true)
	y, okY := guarded(s, true)
	z, okZ := guarded(s, true)
	wide, okW := guarded(2*s, true)
	sc, okS := guardedScratch(s)
	var xs, ys, ts [Lanes]*big.Int
	for lane := range lanes {
		twoN := new(big.Int).Lsh(n[lane], 1)
		xs[lane], ys[lane] = below(r, twoN), below(r, twoN)
		if lane%4 == 1 { // the other bound: x < R, y < N
			xs[lane], ys[lane] = below(r, R), below(r, n[lane])
		}
		most := new(big.Int).Sub(R, n[lane])
		ts[lane] = below(r, most.Mul(most, R))
		if lane%4 == 2 {
			ts[lane].Div(ts[lane], n[lane]).Mul(ts[lane], n[lane])
		}
		setBig(x, lane, xs[lane])
		setBig(y, lane, ys[lane])
		setBig(wide, lane, ts[lane])
	}
	for _, d := range []Ints{x, y, wide} {
		litter(r, d, lanes)
	}
	x0, y0, wide0 := clone(x), clone(y), clone(wide)
	check := func(what string, value func(lane int) *big.Int) {
		t.Helper()
		for lane := range lanes {
			v := value(lane)
			wantLane(t, z, lane, montgomeryBig(v, n[lane], s), "%+v, %s: %#x / R mod %#x", form, what, v, n[lane])
		}
		if !okX() || !okY() || !okZ() || !okW() || !okS() {
			t.Fatalf("%+v, %s, %d limbs: words around the operands or the scratch were written", form, what, s)
		}
		litter(r, z, 0)
		litter(r, sc.work, 0)
	}
	products := func(lane int) *big.Int { return new(big.Int).Mul(xs[lane], ys[lane]) }
	squares := func(lane int) *big.Int { return new(big.Int).Mul(xs[lane], xs[lane]) }
	m.MulMontBy(form, z, x, y, sc)
	check("mulmont", products)
	m.RedcBy(form, z, wide, sc)
	check("redc", func(lane int) *big.Int { return ts[lane] })
	if !equalInts(x, x0) || !equalInts(y, y0) || !equalInts(wide, wide0) {
		t.Fatalf("%+v, %d limbs: an operand was written", form, s)
	}
	copy(z, x)
	m.MulMontBy(form, z, z, y, sc)
	check("mulmont, z = x", products)
	copy(z, y)
	m.MulMontBy(form, z, x, z, nil)
	check("mulmont, z = y", products)

	for lane := 1; lane < lanes; lane += 4 { // here x may be too large to be squared
		xs[lane] = ys[lane]
		setBig(x, lane, xs[lane])
	}
	m.SqrMontBy(form, z, x, sc)
	check("sqrmont", squares)
	copy(z, x)
	m.SqrMontBy(form, z, z, nil)
	check("sqrmont, z = x", squares)
	m.MulMontBy(form, z, x, x, sc)
	check("mulmont, x = y", squares)
	copy(z, x)
	m.MulMontBy(form, z, z, z, sc)
	check("mulmont, z = x = y", squares)
}

// TestFormCarries reduces numbers whose quotient or whose low half is extreme at
// every digit: the carry out of a block is known from one column alone.
func TestFormCarries(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(73, 74))
		for _, s := range []int{10, 20, 40, 60, 80} {
			ns := extremeModuli(r, s*DigitBits-headroomBits)
			R := radix(s)
			var lows, quotients []*big.Int
			for i := range s {
				bit := i * DigitBits
				lows = append(lows, pow2(bit), add(pow2(bit), -1), new(big.Int).Sub(R, pow2(bit)), pow2(bit+DigitBits-1))
			}
			quotients = slices.Clone(lows)
			if s > 20 || testing.Short() || raceEnabled {
				for _, vs := range [][]*big.Int{lows, quotients} {
					r.Shuffle(len(vs), func(a, b int) { vs[a], vs[b] = vs[b], vs[a] })
				}
				n := min(len(lows), 8*Lanes)
				lows, quotients = lows[:n], quotients[:n]
			}
			sc, z := NewScratch(s), NewInts(s)
			for i := range len(lows) / Lanes {
				n := eightOf(r, ns, i%3)
				m := newModuli(t, k, s, n...)
				low := eightOf(r, lows, i)
				for lane, q := range eightOf(r, quotients, i) {
					if (lane+i)%2 == 0 { // t = −q·N mod R gives the quotient q.
						low[lane] = new(big.Int).Mul(q, n[lane])
						low[lane].Neg(low[lane]).Mod(low[lane], R)
					}
				}
				var ts, wants [Lanes]*big.Int
				for lane := range Lanes {
					high := []*big.Int{new(big.Int), bigOne, add(R, -1), randomBig(r, s*DigitBits)}[r.IntN(4)]
					high = new(big.Int).Mod(high, new(big.Int).Sub(R, n[lane]))
					ts[lane] = high.Mul(high, R).Add(high, low[lane])
					wants[lane] = montgomeryBig(ts[lane], n[lane], s)
				}
				wide := litter(r, fromBig(2*s, ts[:]...), Lanes)
				for _, form := range k.Reductions(s) {
					m.RedcBy(form, z, wide, sc)
					for lane := range Lanes {
						wantLane(t, z, lane, wants[lane], "%+v, redc %#x mod %#x", form, ts[lane], n[lane])
					}
				}
			}
		}
	})
}

// TestSquareFormCarries squares numbers whose columns are extreme: a square's
// columns are reduced in blocks without a pass that carries all of them.
func TestSquareFormCarries(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(75, 76))
		for _, s := range []int{10, 20, 40} {
			n := add(pow2(s*DigitBits-headroomBits), -1)
			m := newModuli(t, k, s, slices.Repeat([]*big.Int{n}, Lanes)...)
			sc, z := NewScratch(s), NewInts(s)
			xs := []*big.Int{new(big.Int), bigOne, add(n, -1), n, add(new(big.Int).Lsh(n, 1), -1)}
			for i := range s {
				bit := i*DigitBits + r.IntN(DigitBits-headroomBits)
				xs = append(xs, pow2(bit), add(pow2(bit), -1), new(big.Int).Sub(n, pow2(bit)))
			}
			for i := range (len(xs) + Lanes - 1) / Lanes {
				x := eightOf(r, xs, i)
				for _, form := range k.Reductions(s) {
					m.SqrMontBy(form, z, fromBig(s, x...), sc)
					for lane := range Lanes {
						want := montgomeryBig(new(big.Int).Mul(x[lane], x[lane]), n, s)
						wantLane(t, z, lane, want, "%+v, %#x² / R mod %#x", form, x[lane], n)
					}
				}
			}
		}
	})
}

func TestReductionsListed(t *testing.T) {
	for _, s := range limbCounts(maxLimbs) {
		for _, k := range Kernels() {
			forms := k.Reductions(s)
			if len(forms) == 0 || forms[0].Block != 1 {
				t.Fatalf("%s, %d limbs: %+v", k.Name(), s, forms)
			}
			if _, ok := k.impl.(reductionForms); !ok {
				if len(forms) != 1 || forms[0] != k.impl.form() {
					t.Errorf("%s, %d limbs: %+v, want the form in use", k.Name(), s, forms)
				}
				continue
			}
			blocks := map[int]int{}
			for _, f := range forms {
				blocks[f.Block]++
				if s%f.Block != 0 {
					t.Errorf("%s, %d limbs: block of %d", k.Name(), s, f.Block)
				}
			}
			for b, n := range blocks {
				if b == 1 && halvedWidths[s].product != 0 {
					n-- // the schoolbook form
				}
				if n != 2 {
					t.Errorf("%s, %d limbs: %d forms with blocks of %d", k.Name(), s, n, b)
				}
			}
			if s%10 == 0 && blocks[s] == 0 {
				t.Errorf("%s, %d limbs: no block of all limbs", k.Name(), s)
			}
		}
	}
}

func TestUnknownForms(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		m := newModuli(t, k, 40, big.NewInt(3))
		x, wide := NewInts(40), NewInts(80)
		for _, r := range []Reduction{{Block: -10}, {Schoolbook: true, Full: true}, {Schoolbook: true, Block: 40}, {Block: 7}, {Block: 25}, {Block: 30}, {Block: 80}, {Full: true, Block: 15}} {
			for op, f := range map[string]func(){
				"MulMontBy": func() { m.MulMontBy(r, x, x, x, nil) },
				"SqrMontBy": func() { m.SqrMontBy(r, x, x, nil) },
				"RedcBy":    func() { m.RedcBy(r, x, wide, nil) },
			} {
				if !panics(f) {
					t.Errorf("%s with %+v on 40 limbs did not panic", op, r)
				}
			}
		}
	})
	if !panics(func() { Reduction{}.Madds("exp", 20) }) {
		t.Error("Madds of an unknown operation did not panic")
	}
}

func TestMadds(t *testing.T) {
	for _, tt := range []struct {
		r     Reduction
		op    string
		limbs int
		want  int
	}{
		{Reduction{}, "mulmont", 20, 1600},
		{Reduction{}, "sqrmont", 20, 1220},
		{Reduction{}, "redc", 20, 800},
		{Reduction{Block: 1}, "mulmont", 20, 1600},
		{Reduction{Schoolbook: true}, "mulmont", 40, 6400},
		{Reduction{Schoolbook: true}, "redc", 80, 12800},
		{Reduction{Schoolbook: true}, "sqrmont", 80, 6480 + 12800},
		// Three products of super-digits instead of four, twice at 80 digits; there the
		// reduction has two blocks of half the number, whose products with the upper half
		// of the modulus are halved once.
		{Reduction{}, "mul", 20, 800},
		{Reduction{}, "mul", 40, 2400},
		{Reduction{Block: 1}, "mulmont", 40, 2400 + 3200},
		{Reduction{}, "mul", 80, 7200},
		{Reduction{}, "redc", 80, 2 * (3200 + 2400)},
		{Reduction{}, "mulmont", 80, 7200 + 11200},
		{Reduction{}, "sqrmont", 80, 3*1320 + 4*40 + 11200},
		// Three squares of 20 digits, a sum of 20 digits, and its carry.
		{Reduction{}, "sqrmont", 40, 1320 + 3200},
		{Reduction{Schoolbook: true}, "sqrmont", 40, 1640 + 3200},
		{Reduction{Full: true}, "sqrmont", 40, 1640 + 3240},
		// Three of 30 digits, a sum, and its carry twice; each is three of 15.
		{Reduction{}, "sqrmont", 60, 3*(3*240+30+15) + 4*30 + 7200},
		{Reduction{}, "mul", 160, 21600},
		{Reduction{}, "redc", 160, 2 * (11200 + 7200)},
		{Reduction{}, "mul", 60, 9 * 450}, // four super-digits of 15
		{Reduction{}, "redc", 60, 7200},
		{Reduction{}, "mul", 120, 27 * 450},
		{Reduction{}, "mul", 100, 3 * 5000}, // two halves of 5·10
		{Reduction{Full: true}, "mulmont", 20, 1620},
		{Reduction{Full: true, Block: 1}, "redc", 40, 3240},
		// The quotient's low product s², and the product with N without the
		// (s − 1)² below its column s − 1; or all of it.
		{Reduction{Block: 20}, "redc", 20, 400 + 800 - 361},
		{Reduction{Full: true, Block: 20}, "redc", 20, 400 + 800},
		{Reduction{Block: 10}, "redc", 40, 4 * (100 + 800 - 81)},
		{Reduction{Full: true, Block: 10}, "sqrmont", 40, 1640 + 4*(100+800)},
	} {
		if got := tt.r.Madds(tt.op, tt.limbs); got != tt.want {
			t.Errorf("%+v, %s, %d limbs: %d madds, want %d", tt.r, tt.op, tt.limbs, got, tt.want)
		}
	}
}

func TestVariant(t *testing.T) {
	if v := (Reduction{}).Variant(); v != "truncated" {
		t.Error(v)
	}
	if v := (Reduction{Schoolbook: true}).Variant(); v != "schoolbook" {
		t.Error(v)
	}
	if v := (Reduction{Full: true, Block: 10}).Variant(); v != "full" {
		t.Error(v)
	}
}

func TestFormsDoNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	eachKernel(t, func(t *testing.T, k *Kernel) {
		m := newModuli(t, k, 80, add(pow2(4000), -3))
		x, wide, sc := NewInts(80), NewInts(160), NewScratch(80)
		for _, r := range append(k.Reductions(80), Reduction{}) {
			f := func() {
				m.MulMontBy(r, x, x, x, sc)
				m.SqrMontBy(r, x, x, sc)
				m.RedcBy(r, x, wide, sc)
			}
			f()
			if n := testing.AllocsPerRun(20, f); n != 0 {
				t.Errorf("%+v: %v allocations", r, n)
			}
		}
	})
}
