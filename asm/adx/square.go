package adx

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// square generates the square of a number: first the products of different
// words, each once, then twice that and the squares of the words.
func (k kernel) square() {
	k.begin("adxSqr", "func(z, x *uint64, words int)",
		"adxSqr sets z = x², for a number of so many words, at least one, and a square of\ntwice as many. z must not overlap x, and its low half must be zero.",
		"words", "left", "x", "z", "end", "endOfEights")
	k.allocStrip()
	k.keep("words", "words")
	k.keep("z", "z")
	k.keep("x", "x")
	k.MOVQ(k.local["x"], rows)
	k.setEnds(rows)
	k.strips(func(label string, width int) {
		k.MOVQ(k.local["x"], rows)
		k.MOVQ(k.local["z"], sums)
		k.triangle(width)
		k.advance(width, rows, sums)
		k.MOVQ(rows, k.local["x"])
		if width == maxWidth { // what is narrower is the last strip
			k.rowsUntil(label, width)
		}
		k.drain(width)
		k.nextStrip("z", 2*width)
	})
	k.doubleAndDiagonal()
	k.RET()
}

// triangle adds the products of the strip at rows with itself: row i takes the
// words below i. The window is empty at first, and has one word more after every
// row.
func (k *kernel) triangle(width int) {
	k.zero(window[:width]...)
	if width == maxWidth {
		k.loadStrip(width, rows)
	}
	for i := 1; i < width; i++ {
		w := rotated(window[:width], i)
		k.MOVQ(word(rows, i), multiplier)
		k.row(w, i, func(j int) operand.Op { return word(rows, j) }, word(sums, i), func(r reg.GPPhysical) {
			k.MOVQ(r, word(sums, i))
		})
		k.zeroKeepingFlags(w[0])
	}
}

// doubleAndDiagonal doubles z and adds the squares of the words of x: the doubling
// has one chain of carries, the sum another.
func (k *kernel) doubleAndDiagonal() {
	doubled, added := window[0], window[1] // the two carries, 0 or 1
	k.Load(k.Param("x"), rows)
	k.Load(k.Param("z"), sums)
	k.zero(doubled, added)
	k.wordLoop("diagonal", rows, func(n int) {
		// NEGQ leaves OF clear, and ADOXQ CF as it is.
		k.NEGQ(doubled)
		k.MOVQ(operand.I32(-1), lo)
		k.ADOXQ(lo, added)
		for i := range n {
			k.MOVQ(word(rows, i), multiplier)
			k.MULXQ(multiplier, lo, hi)
			for half, product := range []reg.GPPhysical{lo, hi} {
				sum := window[2+half]
				k.MOVQ(word(sums, 2*i+half), sum)
				k.ADCXQ(sum, sum)
				k.ADOXQ(product, sum)
				k.MOVQ(sum, word(sums, 2*i+half))
			}
		}
		for _, c := range []reg.GPPhysical{doubled, added} {
			k.zeroKeepingFlags(c)
		}
		k.ADCXQ(doubled, doubled)
		k.ADOXQ(added, added)
		k.advance(n, rows, sums, sums)
	})
}
