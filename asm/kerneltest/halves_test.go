package kerneltest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/asm/batch"
)

// halvesShapes are, for every width, numbers that are halved never, once, twice, and
// into odd ones; one that is halved three times, and one that is so large that columns are
// carried.
func halvesShapes() (ss []shape) {
	for _, w := range batch.Widths {
		if w >= batch.LeastOfMany {
			ss = append(ss, shape{w, 1}, shape{w, 2}, shape{w, 4}, shape{w, 12})
		}
	}
	return append(ss, shape{20, 8}, shape{12, 16})
}

func eachHalves(t *testing.T, f func(t *testing.T, kernel string, s shape)) {
	t.Helper()
	for _, kernel := range []string{"ifma512", "ifma256"} {
		if routines(t, kernel) == nil {
			continue
		}
		for _, s := range halvesShapes() {
			t.Run(fmt.Sprintf("%s/%s", kernel, s), func(t *testing.T) { f(t, kernel, s) })
		}
	}
}

// TestHalves is TestArithmetic for products and reductions in halves.
func TestHalves(t *testing.T) {
	eachHalves(t, func(t *testing.T, kernel string, s shape) {
		r := rand.New(rand.NewPCG(83, uint64(s.limbs())))
		const most = 32
		b := newBatch(t, kernel, s, halvesVectors+8+most)
		x, y, z, wide := b.Ints("x", b.Limbs), b.Ints("y", b.Limbs), b.Ints("z", b.Limbs), b.Ints("wide", 2*b.Limbs)
		bits := digitBits*b.Limbs - 3
		n := each(b.Lanes, func(int) *big.Int { return modulus(r, bits) })
		b.SetModuli(n)
		h := NewHalves(b)
		h.Clears = s.tiles < 4
		for range 1 + 120/s.limbs() {
			vx := each(b.Lanes, func(lane int) *big.Int { return below(r, multiple(n[lane], 2)) })
			vy := each(b.Lanes, func(lane int) *big.Int { return below(r, multiple(n[lane], 2)) })
			b.Set(x, vx, r.Uint64)
			b.Set(y, vy, r.Uint64)
			product := func(lane int) *big.Int { return new(big.Int).Mul(vx[lane], vy[lane]) }
			square := func(lane int) *big.Int { return new(big.Int).Mul(vx[lane], vx[lane]) }
			reduced := func(f func(int) *big.Int) func(int) *big.Int {
				return func(lane int) *big.Int { return montgomery(f(lane), n[lane], digitBits*b.Limbs) }
			}
			do(t, h.Mul(wide, x, y))
			want(t, "a product in halves", wide, product)
			do(t, h.MulMont(z, x, y))
			want(t, "a Montgomery product in halves", z, reduced(product))
			do(t, h.SqrMont(z, x))
			want(t, "a Montgomery square in halves", z, reduced(square))
		}

		memory, index := b.Ints("table", most*b.Limbs), b.Ints("index", 1)
		for i := range memory.Limbs() {
			for lane := range b.Lanes {
				memory.SetDigit(i, lane, r.Uint64())
			}
		}
		memory.Define(true)
		factor := b.Ints("factor", b.Limbs)
		for _, gather := range []struct{ entries, times int }{{2, 1}, {16, 2}, {22, 1}, {28, 5}, {most, 1}} {
			if s.tiles > 4 && gather.entries > 2 {
				continue // the same routines as for four tiles
			}
			table := memory.Slice(0, gather.entries*b.Limbs)
			wanted := each(b.Lanes, func(int) *big.Int { return big.NewInt(int64(r.IntN(gather.entries))) })
			b.Set(index, wanted, noLitter)
			v := each(b.Lanes, func(lane int) *big.Int { return below(r, multiple(n[lane], 2)) })
			b.Set(x, v, noLitter)
			do(t, h.SqrMontTimes(x, x, gather.times, &Gathering{Z: factor, Table: table, Index: index, Entries: gather.entries}))
			for lane := range v {
				for range gather.times {
					v[lane] = montgomery(v[lane].Mul(v[lane], v[lane]), n[lane], digitBits*b.Limbs)
				}
			}
			want(t, "squares in halves with a gather", x, func(lane int) *big.Int { return v[lane] })
			want(t, "a gather on the way of squares in halves", factor, func(lane int) *big.Int {
				e := int(wanted[lane].Int64())
				return table.Slice(e*b.Limbs, (e+1)*b.Limbs).Big(lane, false)
			})
		}
		aboutCPU(t, b.Lab)
	})
}

// TestHalvesTraces is TestTraces for products and reductions in halves.
func TestHalvesTraces(t *testing.T) {
	eachHalves(t, func(t *testing.T, kernel string, s shape) {
		if s.tiles > 4 {
			t.Skip("the same routines as in smaller numbers")
		}
		b := newBatch(t, kernel, s, halvesVectors+3)
		b.Public = true
		x, y, z := b.Ints("x", b.Limbs), b.Ints("y", b.Limbs), b.Ints("z", b.Limbs)
		h := NewHalves(b)
		err := b.SameTraces(runs, func(run int) error {
			s := newSecrets(run)
			n := each(b.Lanes, func(int) *big.Int { return s.modulus(digitBits*b.Limbs - 3) })
			b.SetModuli(n)
			for _, v := range []Ints{x, y} {
				b.Set(v, each(b.Lanes, func(lane int) *big.Int { return s.below(multiple(n[lane], 2)) }), s.litter)
			}
			if err := h.MulMont(z, x, y); err != nil {
				return err
			}
			return h.SqrMont(z, x)
		})
		if err != nil {
			t.Error(err)
		}
	})
}

// TestHalvesMadds: products and reductions in halves execute as many multiply-adds
// as docs/algorithms.md says.
func TestHalvesMadds(t *testing.T) {
	for _, tt := range []struct {
		s                  shape
		product, reduction int
	}{
		{shape{20, 2}, 3 * 800, 4 * 800},
		{shape{15, 4}, 9 * 450, 2 * (4*450 + 3*450)},
		{shape{20, 4}, 9 * 800, 2 * (4*800 + 3*800)},
		{shape{20, 6}, 3 * 9 * 800, 36 * 800},
		{shape{20, 8}, 27 * 800, 2 * (2*(4*800+3*800) + 9*800)},
	} {
		b := newBatch(t, "ifma512", tt.s, halvesVectors+4)
		x, z, wide := b.Ints("x", b.Limbs), b.Ints("z", b.Limbs), b.Ints("wide", 2*b.Limbs)
		b.Set(x, each(b.Lanes, func(int) *big.Int { return new(big.Int) }), noLitter)
		h := NewHalves(b)
		for _, op := range []struct {
			name string
			run  func() error
			want int
		}{
			{"product", func() error { return h.Mul(wide, x, x) }, tt.product},
			{"Montgomery product", func() error { return h.MulMont(z, x, x) }, tt.product + tt.reduction},
		} {
			tally, err := b.Tally(op.run)
			do(t, err)
			if got := tally.Madds(); got != op.want {
				t.Errorf("%s, %s: %d madds, want %d", tt.s, op.name, got, op.want)
			}
		}
	}
}
