package batch

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"residue/internal/measure"
)

func TestHalvedWidths(t *testing.T) {
	for s := range maxLimbs + 1 {
		of := halvedWidths[s]
		if of.product == 0 && of.reduction == 0 {
			continue
		}
		w := int(of.product)
		if tilings[s].width == 0 || s < leastHalvedProduct || s%(2*w) != 0 || !slices.Contains(tileWidths[:], w) {
			t.Errorf("%d limbs: products of halves of super-digits of %d", s, w)
		}
		if r := int(of.reduction); r != 0 && (r != w || s%(4*r) != 0 || s < leastHalvedReduction) {
			t.Errorf("%d limbs: reductions of halves of super-digits of %d, products of %d", s, r, w)
		}
	}
	for s, want := range map[int][2]int{
		20: {0, 0}, 24: {0, 0}, 28: {0, 0}, 36: {18, 0}, 40: {20, 0}, 50: {0, 0}, 60: {15, 0}, 80: {20, 20},
		100: {10, 0}, 120: {15, 15}, 160: {20, 20}, 320: {20, 20},
	} {
		if got := [2]int{int(halvedWidths[s].product), int(halvedWidths[s].reduction)}; got != want {
			t.Errorf("%d limbs: widths %d, want %d", s, got, want)
		}
	}
}

// halvesLimbs are numbers of limbs that are halved once or more, with super-digits
// of every width, with an odd number of them in the end and a power of two.
var halvesLimbs = []int{36, 40, 48, 60, 80, 96, 100, 120, 144, 160, 224, 240, 320}

// partsOf returns a number below 2^(52·limbs) of so many equal parts, which are 0, 1,
// all ones, or that less one: differences of halves are then zero, extreme or full of
// borrows, at every level.
func partsOf(r *rand.Rand, limbs, parts int) *big.Int {
	bits := limbs / parts * DigitBits
	ones := add(pow2(bits), -1)
	v := new(big.Int)
	for range parts {
		part := []*big.Int{new(big.Int), bigOne, ones, add(ones, -1), pow2(bits - 1)}[r.IntN(5)]
		v.Lsh(v, uint(bits)).Or(v, part)
	}
	return v
}

// TestHalves multiplies, squares and reduces numbers of extreme halves, quarters and
// so on.
func TestHalves(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(111, 112))
		for _, s := range halvesLimbs {
			R := radix(s)
			z, wide, sc := NewInts(s), NewInts(2*s), NewScratch(s)
			ns := extremeModuli(r, min(MaxBits, s*DigitBits-headroomBits))
			rounds := 8
			if s > 100 || testing.Short() || raceEnabled {
				rounds = 2
			}
			for round := range rounds {
				n := eightOf(r, ns, round%3)
				m := newModuli(t, k, s, n[:Lanes-round%2*5]...) // of five or fewer lanes, too
				var xs, ys [Lanes]*big.Int
				for lane := range Lanes {
					parts := []int{1, 2, 4, s / 10, s}[r.IntN(5)]
					if s%parts != 0 {
						parts = 2
					}
					xs[lane], ys[lane] = partsOf(r, s, parts), partsOf(r, s, parts)
				}
				x, y := fromBig(s, xs[:]...), fromBig(s, ys[:]...)
				k.Mul(wide, litter(r, x, Lanes), litter(r, y, Lanes), sc)
				for lane := range Lanes {
					wantLane(t, wide, lane, new(big.Int).Mul(xs[lane], ys[lane]), "%#x · %#x", xs[lane], ys[lane])
				}
				for lane := range m.lanes {
					ys[lane].Mod(ys[lane], n[lane])
					setBig(y, lane, ys[lane])
				}
				m.MulMont(z, litter(r, x, m.lanes), litter(r, y, m.lanes), sc)
				for lane := range m.lanes {
					product := new(big.Int).Mul(xs[lane], ys[lane])
					wantLane(t, z, lane, montgomeryBig(product, n[lane], s), "%#x · %#x / R mod %#x", xs[lane], ys[lane], n[lane])
				}
				// Quotients of extreme parts.
				for lane := range m.lanes {
					xs[lane].Mul(xs[lane], n[lane]).Neg(xs[lane]).Mod(xs[lane], R)
					xs[lane].Add(xs[lane], new(big.Int).Mul(ys[lane], R))
					setBig(wide, lane, xs[lane])
				}
				m.Redc(z, litter(r, wide, m.lanes), sc)
				for lane := range m.lanes {
					wantLane(t, z, lane, montgomeryBig(xs[lane], n[lane], s), "%#x / R mod %#x", xs[lane], n[lane])
				}
			}
		}
	})
}

// TestHalvesChain squares and multiplies over and over, from the largest numbers and
// modulo the largest moduli that fit, and gathers on the way.
func TestHalvesChain(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(113, 114))
		for _, s := range []int{40, 60, 80, 120, 160} {
			bits := s*DigitBits - headroomBits
			n := []*big.Int{
				add(pow2(bits), -1), add(pow2(bits-1), 1), add(pow2(bits-1), -1), add(pow2(bits/2), 1),
				add(pow2(bits/2), -1), bigOne, big.NewInt(3), randomBig(r, bits).SetBit(randomBig(r, bits), 0, 1),
			}
			m := newModuli(t, k, s, n...)
			var v, w [Lanes]*big.Int
			for lane := range v {
				v[lane] = add(new(big.Int).Lsh(n[lane], 1), -1)
				w[lane] = below(r, v[lane])
			}
			x, y, sc := fromBig(s, v[:]...), fromBig(s, w[:]...), NewScratch(s)
			for range 10 {
				m.SqrMont(x, x, sc)
				m.MulMont(x, x, y, sc)
			}
			for lane := range v {
				for range 10 {
					v[lane] = montgomeryBig(new(big.Int).Mul(v[lane], v[lane]), n[lane], s)
					v[lane] = montgomeryBig(new(big.Int).Mul(v[lane], w[lane]), n[lane], s)
				}
				wantLane(t, x, lane, v[lane], "a chain modulo %#x", n[lane])
			}
		}
	})
}

// BenchmarkHalves compares Montgomery products, squares and reductions with those of
// the schoolbook, in turn, and reports both in cycles for eight numbers. It decides
// from what sizes on products and reductions are done in halves.
func BenchmarkHalves(b *testing.B) {
	meter := measure.NewMeter()
	for _, k := range Kernels() {
		if _, ok := k.impl.(reductionForms); !ok {
			continue
		}
		for _, s := range halvesLimbs {
			n := add(pow2(min(MaxBits, s*DigitBits-headroomBits)), -1)
			m := newModuli(b, k, s, slices.Repeat([]*big.Int{n}, Lanes)...)
			x, wide, sc := NewInts(s), NewInts(2*s), NewScratch(s)
			forms := map[string]Reduction{"cycles": {}, "schoolbook": {Schoolbook: true}}
			for op, f := range map[string]func(r Reduction){
				"mulmont": func(r Reduction) { m.MulMontBy(r, x, x, x, sc) },
				"sqrmont": func(r Reduction) { m.SqrMontBy(r, x, x, sc) },
				"redc":    func(r Reduction) { m.RedcBy(r, x, wide, sc) },
			} {
				b.Run(fmt.Sprintf("%s/%s/limbs=%d", k.Name(), op, s), func(b *testing.B) {
					for b.Loop() {
						f(Reduction{})
					}
					for unit, form := range forms {
						form.Block = 1
						found := meter.Measure(measure.Effort{Time: time.Second / 8, Most: time.Second}, func() { f(form) })
						b.ReportMetric(found.Cycles, unit)
					}
				})
			}
		}
	}
}
