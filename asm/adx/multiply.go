package adx

import "github.com/mmcloughlin/avo/operand"

// multiply generates the product of two numbers, added to a third: every strip of one
// factor times all words of the other.
func (k kernel) multiply() {
	k.begin("adxMul", "func(z, x, y *uint64, words int)",
		"adxMul sets z to its low half plus x·y, for factors of so many words, at least one,\nand a sum of twice as many. z must not overlap x or y.",
		"words", "left", "x", "y", "z", "end", "endOfEights")
	k.allocStrip()
	k.keep("words", "words")
	k.keep("y", "y")
	k.keep("z", "z")
	k.keep("x", "x")
	k.MOVQ(k.local["x"], rows)
	k.setEnds(rows)
	k.strips(func(label string, width int) {
		k.MOVQ(k.local["y"], rows)
		k.loadStrip(width, rows)
		k.advance(width, rows)
		k.MOVQ(rows, k.local["y"])
		k.MOVQ(k.local["x"], rows)
		k.MOVQ(k.local["z"], sums)
		k.zero(window[:width]...)
		k.rowsUntil(label, width)
		k.drain(width)
		k.nextStrip("z", width)
	})
	k.RET()
}

// nextStrip moves a pointer in the frame up by the width of a strip.
func (k *kernel) nextStrip(name string, width int) {
	k.ADDQ(operand.Imm(uint64(8*width)), k.local[name])
}
