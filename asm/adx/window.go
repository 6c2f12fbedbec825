package adx

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// A product is done in strips: W ≤ 8 words of one factor, which stay where they
// are, times all words of the other, one a row. The window holds the W words of
// the sum above the row's: word k of it belongs to column c + k, where c is the
// column that the row starts at. A row adds to it
//
//	the column's word in memory, at the lowest place, and
//	the row's word times the strip,
//
// stores the lowest word, and the window moves up by one. What the window can
// hold is just enough: (B^W − 1) + (B − 1) + (B − 1)·(B^W − 1) = B^(W+1) − 1 for
// B = 2^64.
//
// The low halves of the products are added in one chain of carries, the word in
// memory and the high halves in another.

// row adds a row to the window w. from is where the column's word comes from; nil
// stands for zero. n is the number of the strip's words that take part, all from
// the lowest; the rest of the window is zero above word n. The word that the
// window loses, w[0], is handed to emit, if that is not nil, when it is complete.
//
// After the row its top word is in w[0], as after a rotation of the window.
func (k *kernel) row(w []reg.GPPhysical, n int, x func(j int) operand.Op, from operand.Op, emit func(reg.GPPhysical)) {
	k.clearFlags()
	if from != nil {
		k.ADOXQ(from, w[0])
	}
	for j := range n {
		top := j == n-1
		if !top {
			k.MULXQ(x(j), lo, hi)
			k.ADCXQ(lo, w[j])
			if j == 0 && emit != nil {
				emit(w[0])
			}
			k.ADOXQ(hi, w[j+1])
			continue
		}
		// The word that comes in at the top is the high half and both carries.
		in := w[0]
		if n < len(w) {
			in = w[n]
		}
		if n == 1 {
			k.MULXQ(x(j), lo, hi)
			k.ADCXQ(lo, w[0])
			if emit != nil {
				emit(w[0])
			}
			k.MOVQ(hi, in)
		} else {
			k.MULXQ(x(j), lo, in)
			k.ADCXQ(lo, w[j])
		}
		k.zeroKeepingFlags(lo)
		k.ADOXQ(lo, in)
		k.ADCXQ(lo, in)
	}
}

// allocStrip makes room for a strip in the frame.
func (k *kernel) allocStrip() { k.strip = k.AllocLocal(8 * maxWidth) }

// fixed is a word of the strip in the frame.
func (k *kernel) fixed(j int) operand.Op { return k.strip.Offset(8 * j) }

// stripRow is the row of the next multiplier with the whole strip. d is how many
// rows the pointers lag behind.
func (k *kernel) stripRow(w []reg.GPPhysical, d int) {
	k.MOVQ(word(rows, d), multiplier)
	k.row(w, len(w), k.fixed, word(sums, d), func(r reg.GPPhysical) {
		k.MOVQ(r, word(sums, d))
	})
}

// rotated returns the registers of the window after d rows.
func rotated(w []reg.GPPhysical, d int) []reg.GPPhysical {
	d %= len(w)
	return append(append([]reg.GPPhysical{}, w[d:]...), w[:d]...)
}

// rowsUntil adds the rows up to the address in local word "end", and leaves the
// pointers behind the last row. There may be none. The widest strip goes eight
// rows at a time up to the address in "endOfEights", which saves the moves of the
// window; those of the others are few.
func (k *kernel) rowsUntil(label string, width int) {
	w := window[:width]
	if width == maxWidth {
		k.JMP(operand.LabelRef(label + "Eights"))
		k.Label(label + "Eight")
		for d := range maxWidth {
			k.stripRow(rotated(w, d), d)
		}
		k.advance(maxWidth, rows, sums)
		k.Label(label + "Eights")
		k.CMPQ(rows, k.local["endOfEights"])
		k.JNE(operand.LabelRef(label + "Eight"))
	}
	k.JMP(operand.LabelRef(label + "Ones"))
	k.Label(label + "One")
	k.stripRow(w, 0)
	k.rotate(w)
	k.advance(1, rows, sums)
	k.Label(label + "Ones")
	k.CMPQ(rows, k.local["end"])
	k.JNE(operand.LabelRef(label + "One"))
}

// rotate moves the registers so that the window is in w again after one row.
func (k *kernel) rotate(w []reg.GPPhysical) {
	if len(w) == 1 {
		return
	}
	k.MOVQ(w[0], lo)
	for i := range len(w) - 1 {
		k.MOVQ(w[i+1], w[i])
	}
	k.MOVQ(lo, w[len(w)-1])
}

// setEnds sets the ends of the rows for a number at p of "words" words.
func (k *kernel) setEnds(p reg.GPPhysical) {
	k.MOVQ(k.local["words"], lo)
	k.LEAQ(operand.Mem{Base: p, Index: lo, Scale: 8}, hi)
	k.MOVQ(hi, k.local["end"])
	k.ANDQ(operand.I8(-maxWidth), lo)
	k.LEAQ(operand.Mem{Base: p, Index: lo, Scale: 8}, hi)
	k.MOVQ(hi, k.local["endOfEights"])
}

// loadStrip copies the strip of the given width at p into the frame.
func (k *kernel) loadStrip(width int, p reg.Register) {
	for j := range width {
		k.MOVQ(word(p, j), lo)
		k.MOVQ(lo, k.strip.Offset(8*j))
	}
}

// drain stores the window where sums points to.
func (k *kernel) drain(width int) {
	for j, r := range window[:width] {
		k.MOVQ(r, word(sums, j))
	}
}

// strips runs the body for every strip of a number of "words" words: for the
// widest ones as long as there are so many words left, then for what is left.
// The number of words is public.
func (k *kernel) strips(body func(label string, width int)) {
	k.MOVQ(k.local["words"], lo)
	k.MOVQ(lo, k.local["left"])
	k.SHRQ(operand.Imm(3), lo)
	k.JZ(operand.LabelRef("narrow"))
	k.Label("wide")
	body("wide", maxWidth)
	k.SUBQ(operand.Imm(maxWidth), k.local["left"])
	k.MOVQ(k.local["left"], lo)
	k.SHRQ(operand.Imm(3), lo)
	k.JNZ(operand.LabelRef("wide"))
	k.Label("narrow")
	k.MOVQ(k.local["left"], lo)
	for width := 1; width < maxWidth; width++ {
		k.DECQ(lo)
		k.JZ(operand.LabelRef(fmt.Sprintf("width%d", width)))
	}
	k.JMP(operand.LabelRef("done"))
	for width := 1; width < maxWidth; width++ {
		label := fmt.Sprintf("width%d", width)
		k.Label(label)
		body(label, width)
		if width < maxWidth-1 {
			k.JMP(operand.LabelRef("done"))
		}
	}
	k.Label("done")
}

// wordLoop runs the body for eight words at a time while the pointer is not at the
// address in "endOfEights", and then for one at a time until "end". The body
// advances the pointer.
func (k *kernel) wordLoop(label string, p reg.Register, body func(n int)) {
	for _, part := range []struct {
		name, end string
		n         int
	}{{label + "Eight", "endOfEights", maxWidth}, {label + "One", "end", 1}} {
		k.JMP(operand.LabelRef(part.name + "s"))
		k.Label(part.name)
		body(part.n)
		k.Label(part.name + "s")
		k.CMPQ(p, k.local[part.end])
		k.JNE(operand.LabelRef(part.name))
	}
}
