//go:build amd64 && !purego

package batch

import (
	"testing"
	"unsafe"
)

// TestHalvesColumns: whatever the numbers are, every column of products and
// reductions in halves fits in 64 bits with its sign. The routines are replaced by
// ones that keep, for every column, the bounds of what is added to it, in units of
// 2^52: each half of a product of two digits is less than one.
func TestHalvesColumns(t *testing.T) {
	const most = 1<<11 - 1 // units, so that a carry of less than one fits as well
	for s := range maxLimbs + 1 {
		of := halvedWidths[s]
		if of.product == 0 {
			continue
		}
		sc := NewScratch(s)
		columns, _, q := ifmaWork(sc)
		x := NewInts(s)
		b := &columnBounds{width: int(of.product)}
		var routines [maxTile + 1]*ifmaHalves
		routines[of.product] = b.routines()
		k := &ifma{halvesOfWidth: &routines, carry: b.settle}
		h := k.halves(s, of.product, 0)
		reduce := func() {
			if of.reduction == 0 {
				b.addProduct(columns, s)
				return
			}
			h.reduce(columns, q, x, NewInts(1), h.work(sc), nil)
		}
		h.multiply(columns, x, x, &Vector{1}, h.work(sc))
		reduce()
		product := b.most
		clear(columns)
		for c := range s {
			columns[c][upper]++
		}
		b.addProduct(columns, s) // or a square, which has no more in a column
		reduce()
		if w, m, ok := squareTiling(s); ok {
			low, high := squareBounds(w, m)
			for c := range columns {
				columns[c] = Vector{upper: uint64(high[c]), lower: uint64(int64(low[c]))}
				if c < s {
					columns[c][upper]++
				}
			}
			reduce()
		}
		b.bounds(s, sc)
		if b.most > most {
			t.Errorf("%d limbs: a column may have %d·2^52", s, b.most)
		}
		if s == 160 || s == 320 {
			t.Logf("%d limbs: at most %d·2^52, %d with a product", s, b.most, product)
		}
	}
}

// bounds notes what the columns of products in pieces of s digits may have.
func (b *columnBounds) bounds(s int, sc *Scratch) {
	var routines [maxTile + 1]*ifmaHalves
	routines[b.width] = b.routines()
	h := (&ifma{halvesOfWidth: &routines, carry: b.settle}).halves(s, uint8(b.width), 0)
	h.pieces(NewInts(4*s), NewInts(3*s), NewInts(s), h.work(sc))
}

// The bounds of a column, in lanes of its vector.
const upper, lower = 0, 1

type columnBounds struct {
	width int
	most  int64
}

// note remembers how large a column may be.
func (b *columnBounds) note(v *Vector) {
	b.most = max(b.most, int64(v[upper]), -int64(v[lower]))
}

// addTo adds the bounds of a column to those of another.
func (b *columnBounds) addTo(z *Vector, x Vector) {
	z[upper] += x[upper]
	z[lower] += x[lower]
	b.note(z)
}

// addProduct adds a product of n digits by n.
func (b *columnBounds) addProduct(t Ints, n int) {
	for i := range n {
		for j := range n {
			b.addTo(&t[i+j], Vector{upper: 1})
			b.addTo(&t[i+j+1], Vector{upper: 1})
		}
	}
}

// addSum adds sum·(1 + X) − X²·(τ·a + σ·b) + X³·στ.
func (b *columnBounds) addSum(t, sum Ints) {
	half := len(sum) / 3
	for c := range sum {
		b.addTo(&t[c], sum[c])
		b.addTo(&t[c+half], sum[c])
	}
	minusTwo := ^uint64(1)
	for c := range half {
		b.addTo(&t[2*half+c], Vector{lower: minusTwo})
	}
	b.addTo(&t[3*half], Vector{upper: 1})
}

func columnsAt(p digits, n int) Ints { return unsafe.Slice((*Vector)(unsafe.Pointer(p)), n) }

// settle carries columns: digits are left, and one more of what there was.
func (b *columnBounds) settle(t digits, columns int) {
	all := columnsAt(t, columns+1)
	for c := range columns {
		all[c] = Vector{upper: 1}
	}
	b.addTo(&all[columns], Vector{upper: 1, lower: ^uint64(0)})
}

func (b *columnBounds) routines() *ifmaHalves {
	w := b.width
	pair := func(t Ints, bias Vector) {
		sum := NewInts(3 * w)
		for c := range w {
			sum[c] = bias
		}
		b.addProduct(sum, w)
		b.addProduct(sum[w:], w)
		b.addSum(t, sum)
		b.addProduct(t[w:], w)
	}
	return &ifmaHalves{
		mulPair: func(t, _, _, _, _, bias digits) {
			all := columnsAt(t, 4*w)
			clear(all)
			pair(all, columnsAt(bias, 1)[0])
		},
		addPair:  func(t, _, _, _, _, _ digits) { pair(columnsAt(t, 4*w), Vector{}) },
		addMul:   func(t, _, _ digits, tiles int) { b.addProduct(columnsAt(t, 2*tiles*w), tiles*w) },
		subtract: func(_, _, _ digits, _ int) {},
		spreadSum: func(t, _, _ digits, tiles int) {
			all, sum := columnsAt(t, 4*tiles*w), NewInts(3*tiles*w)
			copy(sum, all)
			clear(all)
			b.addSum(all, sum)
		},
		addSum: func(t, sum, _, _ digits, tiles int) { b.addSum(columnsAt(t, 4*tiles*w), columnsAt(sum, 3*tiles*w)) },
		fill: func(t, value digits, tiles int) {
			for c := range tiles * w {
				columnsAt(t, tiles*w)[c] = columnsAt(value, 1)[0]
			}
		},
		clear: func(_, t, _, _, _ digits, tiles int, _ *byte) {
			all := columnsAt(t, 2*tiles*w)
			b.addProduct(all, tiles*w)
			b.addTo(&all[tiles*w], Vector{upper: 1, lower: ^uint64(0)}) // the carry out of the block
		},
		carry: func(_, _ digits, _ int) {},
	}
}
