package kerneltest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
)

// linear is the routines of residue/barrett on numbers of one size: sums, differences
// and shifts in the lanes of vectors.
type linear struct {
	*Batch // for its way with numbers; its routines are not called
	prefix string
	count  Ints
	x, y   Ints // y is shorter by the digits rest
	z      Ints
	rest   int
}

// eachLinear runs a test for every such kernel and several sizes.
func eachLinear(t *testing.T, f func(t *testing.T, l *linear)) {
	for _, kernel := range []string{"ifma512", "ifma256"} {
		if routines(t, "barrett-"+kernel) == nil {
			t.Errorf("no kernel %s", kernel)
			continue
		}
		for _, digits := range []int{1, 2, 3, 7} {
			for _, rest := range []int{0, 1, 3} {
				t.Run(fmt.Sprintf("%s/%d+%d", kernel, digits, rest), func(t *testing.T) {
					lanes, n := LanesOf[kernel], digits+rest
					lab := newLab(t, "barrett-"+kernel, BatchBytes(n, 8))
					b := &Batch{Lab: lab, Kernel: kernel, Lanes: lanes, first: n % 2 * (vectorLanes - lanes), Limbs: n}
					f(t, &linear{b, kernel, b.Ints("count", 1), b.Ints("x", n), b.Ints("y", digits), b.Ints("z", n), rest})
				})
			}
		}
	}
}

// sum calls Add or Sub, in the lanes of where.
func (l *linear) sum(name string, z, x, y Ints, where uint64) error {
	out := Out(z.Pieces()...)
	if z == x {
		out = InOut(z.Pieces()...)
	}
	return l.call(name, map[string]Operand{
		"z": out, "x": In(x.Pieces()...), "y": In(y.Pieces()...), "where": l.Word(where, true),
		"digits": Number(y.Limbs()), "rest": Number(z.Limbs() - y.Limbs()),
	})
}

func (l *linear) shift(name string, z, x Ints) error {
	return l.call(name, map[string]Operand{
		"z": Out(z.Pieces()...), "x": In(x.Pieces()...), "count": In(l.count.Pieces()...), "digits": Number(z.Limbs()),
	})
}

func TestLinear(t *testing.T) {
	eachLinear(t, func(t *testing.T, l *linear) {
		r := rand.New(rand.NewPCG(121, uint64(l.Limbs)))
		mod := pow2(digitBits * l.Limbs)
		for range 20 {
			xs := each(l.Lanes, func(int) *big.Int { return random(r, digitBits*l.Limbs) })
			ys := each(l.Lanes, func(int) *big.Int { return random(r, digitBits*l.y.Limbs()) })
			xs[0] = minus(mod, 1)
			l.Set(l.x, xs, r.Uint64)
			l.Set(l.y, ys, r.Uint64)
			where := r.Uint64()
			for name, sign := range map[string]int64{"Add": 1, "Sub": -1} {
				do(t, l.sum(name, l.z, l.x, l.y, where))
				carries := l.Result(l.prefix + name)
				for lane := range l.Lanes {
					want := new(big.Int).Set(xs[lane])
					if where>>lane&1 == 1 {
						want.Add(want, new(big.Int).Mul(ys[lane], big.NewInt(sign)))
					}
					carry := want.Sign() < 0 || want.Cmp(mod) >= 0
					if got := l.z.Big(lane, true); got.Cmp(want.Mod(want, mod)) != 0 || carry != (carries>>lane&1 == 1) {
						t.Fatalf("%s, lane %d of %b: %#x, %#x: %#x, carries %b; want %#x", name, lane, where, xs[lane], ys[lane], got, carries, want)
					}
				}
				if carries>>l.Lanes != 0 {
					t.Fatalf("%s: carries %b", name, carries)
				}
			}
			counts := each(l.Lanes, func(int) *big.Int { return big.NewInt(int64(r.IntN(digitBits))) })
			l.Set(l.count, counts, noLitter)
			for _, name := range []string{"ShiftLeft", "ShiftRight"} {
				do(t, l.shift(name, l.z, l.x))
				for lane := range l.Lanes {
					n := uint(counts[lane].Uint64())
					want := new(big.Int).Rsh(xs[lane], n)
					if name == "ShiftLeft" {
						want.Lsh(xs[lane], n).Mod(want, mod)
					}
					if got := l.z.Big(lane, true); got.Cmp(want) != 0 {
						t.Fatalf("%s of %#x by %d: %#x, want %#x", name, xs[lane], n, got, want)
					}
				}
			}
			do(t, l.sum("Add", l.x, l.x, l.y, ^uint64(0)))
			for lane := range l.Lanes {
				want := new(big.Int).Add(xs[lane], ys[lane])
				if got := l.x.Big(lane, true); got.Cmp(want.Mod(want, mod)) != 0 {
					t.Fatalf("in place: %#x, want %#x", got, want)
				}
			}
		}
	})
}

// TestLinearTraces: the routines execute the same instructions, and access the same
// addresses, whatever the numbers are, and the lanes.
func TestLinearTraces(t *testing.T) {
	eachLinear(t, func(t *testing.T, l *linear) {
		l.Public = true
		for name, routine := range map[string]func(s secrets) error{
			"Add":        func(s secrets) error { return l.sum("Add", l.z, l.x, l.y, s.litter()) },
			"Sub":        func(s secrets) error { return l.sum("Sub", l.z, l.x, l.y, s.litter()) },
			"ShiftLeft":  func(secrets) error { return l.shift("ShiftLeft", l.z, l.x) },
			"ShiftRight": func(secrets) error { return l.shift("ShiftRight", l.z, l.x) },
		} {
			err := l.SameTraces(runs, func(run int) error {
				s := newSecrets(run)
				for _, x := range []Ints{l.x, l.y} {
					l.Set(x, each(l.Lanes, func(int) *big.Int { return s.below(pow2(digitBits * x.Limbs())) }), s.litter)
				}
				l.Set(l.count, each(l.Lanes, func(int) *big.Int { return s.below(big.NewInt(digitBits)) }), noLitter)
				return routine(s)
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	})
}
