package adx

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// reduce generates the Montgomery reduction. A strip is eight words of the
// quotient. They are found one after the other, by adding each one's product with
// the lowest eight words of the modulus; then the strip goes over the rest of the
// modulus like that of a product.
func (k kernel) reduce() {
	k.begin("adxReduce", "func(z, t, n *uint64, words int, ninv, mask uint64)",
		`adxReduce adds Q·n to t, for a modulus n of so many words, at least one, and a t of
twice as many, and sets z to the upper half of the sum, without n if it overflows.
Q clears the lowest words of t but for the bits of the last of them that mask does
not have: mask + 1 is a power of two. ninv is −1/n mod 2^64. The words below the
last one that is cleared are left with unspecified contents. z may be the upper
half of t.`,
		"words", "left", "t", "lastMask", "carry", "end", "endOfEights")
	k.allocStrip()
	k.keep("words", "words")
	k.keep("t", "t")
	k.Load(k.Param("n"), rows)
	k.setEnds(rows)
	k.zero(lo)
	k.MOVQ(lo, k.local["carry"])
	k.strips(func(label string, width int) {
		k.setLastMask(label, width)
		k.Load(k.Param("n"), rows)
		k.MOVQ(k.local["t"], sums)
		k.quotient(width)
		k.advance(width, rows, sums)
		k.rowsUntil(label, width)
		k.addWindow(width)
		k.nextStrip("t", width)
	})
	k.subtractCarry()
	k.RET()
}

// setLastMask sets the mask of a strip's last word of the quotient: that of the
// whole quotient in the last strip, and else all ones.
func (k *kernel) setLastMask(label string, width int) {
	k.Load(k.Param("mask"), hi)
	if width == maxWidth {
		k.CMPQ(k.local["left"], operand.Imm(maxWidth))
		k.JEQ(operand.LabelRef(label + "Last"))
		k.MOVQ(operand.I32(-1), hi)
		k.Label(label + "Last")
	}
	k.MOVQ(hi, k.local["lastMask"])
}

// quotient finds the words of the quotient that clear the words at sums, leaves
// them in the strip and their product with the lowest words of the modulus in the
// window.
func (k *kernel) quotient(width int) {
	for j, r := range window[:width] {
		k.MOVQ(word(sums, j), r)
	}
	for i := range width {
		w := rotated(window[:width], i)
		k.Load(k.Param("ninv"), multiplier)
		k.IMULQ(w[0], multiplier)
		var emit func(reg.GPPhysical)
		if i == width-1 {
			k.ANDQ(k.local["lastMask"], multiplier)
			emit = func(r reg.GPPhysical) { k.MOVQ(r, word(sums, i)) }
		}
		k.MOVQ(multiplier, k.strip.Offset(8*i))
		k.row(w, width, func(j int) operand.Op { return word(rows, j) }, nil, emit)
	}
}

// addWindow adds the window to the words at sums, and the carry of the strip
// before, which came out one word below them.
func (k *kernel) addWindow(width int) {
	k.MOVQ(k.local["carry"], lo)
	k.NEGQ(lo)
	for j, r := range window[:width] {
		k.ADCQ(word(sums, j), r)
		k.MOVQ(r, word(sums, j))
	}
	k.SBBQ(lo, lo)
	k.NEGQ(lo)
	k.MOVQ(lo, k.local["carry"])
}

// subtractCarry sets z to the words at "t", where all strips end, without n times
// the carry.
func (k *kernel) subtractCarry() {
	z, borrow, difference := window[0], window[1], window[2]
	k.Load(k.Param("z"), z)
	k.MOVQ(k.local["t"], sums)
	k.Load(k.Param("n"), rows)
	k.MOVQ(k.local["carry"], multiplier)
	k.zero(borrow)
	k.wordLoop("subtract", rows, func(n int) {
		k.NEGQ(borrow)
		for i := range n {
			k.MULXQ(word(rows, i), lo, hi)
			k.MOVQ(word(sums, i), difference)
			k.SBBQ(lo, difference)
			k.MOVQ(difference, word(z, i))
		}
		k.SBBQ(borrow, borrow)
		k.advance(n, rows, sums, z)
	})
}
