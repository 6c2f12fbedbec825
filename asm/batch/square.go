package batch

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The registers of the square, where they differ from those of the products.
var (
	squarePtr = reg.RDI // columns out
	rawPtr    = reg.RDX // columns of the cross products
	edgePtr   = reg.RCX // W biased columns, then W zero columns
	lowPtr    = reg.RBX // digit i of the lowest super-digit of a cross product
	highPtr   = reg.R8  // the super-digit that it is multiplied with
	lowPair   = reg.R10
	highPair  = reg.R11
	rawOut    = reg.R12
	rawLow    = reg.R10 // what a triangle's low W columns start from
	rawHigh   = reg.R11 // and its high ones
	scratch   = reg.RAX

	biasLow  = reg.Z29 // all ones if a triangle's low W columns are biased, else zero
	biasHigh = reg.Z30 // the same for its high ones
)

// squareColumns generates the square as 2s columns that are not carried, the low
// s of them biased for the reduction.
//
// First the products of different super-digits, X_u·X_v with u < v, into raw
// columns; then, for every super-digit, its triangle on top of the raw columns.
// In row j of a triangle column j becomes final: it is doubled, receives its
// diagonal product and is stored. Doubling is a double-width shift that brings
// ones in from the right: with raw columns that start at 2^51 − 1 it gives
// 2·sum + 2^52 − 1, the bias, for nothing.
func (k kernel) squareColumns() {
	name := k.name(fmt.Sprintf("Square%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(t, x, raw, edge *uint64, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets t to the 2s columns of x², the low s of them biased, for s = %d·tiles limbs;", name, k.width),
		"raw has room for 2s columns; edge holds W vectors of 2^51 − 1 and W of zero.")
	k.squareParts()
	k.VZEROUPPER()
	k.RET()
}

// squareMontgomery generates the Montgomery square, `times` times in a row: the
// columns of the square and their reduction, without a return and a call between
// them and between squares. What is between calls takes the place of instructions
// of the next square in the core's queue: some 20 cycles for each return and call.
func (k kernel) squareMontgomery(r reduction) {
	name := k.name("SquareMont" + r.suffix(k.width))
	k.Function(name)
	k.SignatureExpr("func(z, x, t, raw, edge, n, ninv, work *uint64, tiles, times int, look *byte)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets z = x²/R for %d·tiles limbs, and then z = z²/R another times − 1 times;", name, k.width),
		fmt.Sprintf("t, raw and edge are as for %s, work and look as for %s.", k.name(fmt.Sprintf("Square%d", k.width)), k.name("Reduce"+r.suffix(k.width))))
	k.Label("square")
	k.squareParts()
	k.reduceParts(r, digitsOut)
	k.MOVQ(k.argument("z"), xPtr)
	k.MOVQ(xPtr, k.argument("x"))
	k.DECQ(k.argument("times"))
	k.JNZ(operand.LabelRef("square"))
	k.VZEROUPPER()
	k.RET()
}

// squareParts is squareColumns between its entry and its end.
func (k kernel) squareParts() {
	k = k.withDigits(ones, nextQ)
	k.Load(k.Param("t"), squarePtr)
	k.Load(k.Param("x"), xPtr)
	k.Load(k.Param("raw"), rawPtr)
	k.Load(k.Param("edge"), edgePtr)
	k.Load(k.Param("tiles"), tiles)
	k.CMPQ(tiles, operand.Imm(1))
	k.JEQ(operand.LabelRef("triangles"))
	k.crossColumns()
	k.Label("triangles")
	k.triangles()
}

// crossColumns computes the raw columns from W to (2m−1)·W. Super-column t
// receives X_u·X_{t−u} for all u < t − u.
func (k kernel) crossColumns() {
	k.MOVQ(xPtr, lowPtr)
	k.MOVQ(xPtr, highPtr)
	k.MOVQ(rawPtr, rawOut)
	k.advance(k.width, highPtr, rawOut)
	k.bias(digitBits-1, fresh)
	for c := range k.width + 1 {
		k.VMOVDQA64(fresh, column[c])
	}
	k.MOVL(operand.U32(1), super.As32())
	k.Label("cross")
	k.endOfBias("crossBiased")
	k.MOVL(operand.U32(uint32(k.width)), rows.As32())
	k.loop("crossRow", rows, func() {
		k.MOVQ(lowPtr, lowPair)
		k.MOVQ(highPtr, highPair)

		k.Label("crossPair")
		k.productRow(0, lowPair, highPair, rowOptions{})
		k.advance(k.width, lowPair)
		k.advance(-k.width, highPair)
		// Digit i of super-digit u against digit 0 of v: below it only if u < v.
		k.CMPQ(lowPair, highPair)
		k.JB(operand.LabelRef("crossPair"))
		k.VMOVDQU64(column[0], at(rawOut, 0))
		k.rotateIn(fresh)
		k.advance(1, lowPtr, rawOut)
	})
	k.INCQ(super)
	k.LEAQ(operand.Mem{Base: tiles, Index: tiles, Scale: 1, Disp: -2}, scratch)
	k.CMPQ(super, scratch)
	k.JEQ(operand.LabelRef("crossDone"))
	k.CMPQ(super, tiles)
	k.JAE(operand.LabelRef("cross"))
	k.advance(-k.width, lowPtr)
	k.advance(k.width, highPtr)
	k.JMP(operand.LabelRef("cross"))
	k.Label("crossDone")
	for c := range k.width {
		k.VMOVDQU64(column[c], at(rawOut, c))
	}
}

// triangles adds the squares of the super-digits, one at a time, each to the 2W
// columns from twice its own place on.
func (k kernel) triangles() {
	k.XORL(super.As32(), super.As32())
	k.Label("triangle")
	k.MOVQ(rawPtr, rawLow)
	k.MOVQ(rawPtr, rawHigh)
	k.advance(k.width, rawHigh)
	k.TESTQ(super, super)
	k.JNZ(operand.LabelRef("notFirst"))
	k.MOVQ(edgePtr, rawLow)
	k.Label("notFirst")
	k.LEAQ(operand.Mem{Base: super, Disp: 1}, scratch)
	k.CMPQ(scratch, tiles)
	k.JNE(operand.LabelRef("notLast"))
	k.MOVQ(edgePtr, rawHigh)
	k.advance(k.width, rawHigh)
	k.Label("notLast")

	k.zero(biasLow)
	k.zero(biasHigh)
	k.LEAQ(operand.Mem{Base: super, Index: super, Scale: 1}, scratch)
	k.CMPQ(scratch, tiles)
	k.JAE(operand.LabelRef("biased"))
	k.VPTERNLOGD(operand.Imm(0xff), biasLow, biasLow, biasLow)
	k.INCQ(scratch)
	k.CMPQ(scratch, tiles)
	k.JAE(operand.LabelRef("biased"))
	k.VPTERNLOGD(operand.Imm(0xff), biasHigh, biasHigh, biasHigh)
	k.Label("biased")

	k.triangle()
	k.advance(k.width, xPtr)
	k.advance(2*k.width, rawPtr, squarePtr)
	k.INCQ(super)
	k.CMPQ(super, tiles)
	k.JNE(operand.LabelRef("triangle"))
}

// triangle is the square of the super-digit at xPtr on top of its raw columns.
func (k kernel) triangle() {
	k.tileSquare(xPtr,
		func(c int, z reg.VecPhysical) {
			if c < k.width {
				k.VMOVDQU64(at(rawLow, c), z)
			} else {
				k.VMOVDQU64(at(rawHigh, c-k.width), z)
			}
		},
		func(c int, z reg.VecPhysical) {
			bias := biasLow
			if c >= k.width {
				bias = biasHigh
			}
			k.VPSHLDQ(operand.Imm(1), bias, z, z)
		},
		func(c int, z reg.VecPhysical) { k.VMOVDQU64(z, at(squarePtr, c)) })
}

// tileSquare is straight-line code for the square of the W digits at x. The window
// rolls over the 2W columns without moves: column c lives in register c mod (W + 1),
// from the first product that reaches it, when start sets it, to the row in which it
// is final. Then double doubles it, it receives its diagonal product, and finish
// stores it.
func (k kernel) tileSquare(x reg.Register, start, double, finish func(c int, z reg.VecPhysical)) {
	live := make([]bool, 2*k.width)
	sum := func(c int) reg.VecPhysical {
		z := column[c%(k.width+1)]
		if !live[c] {
			live[c] = true
			start(c, z)
		}
		return z
	}
	done := func(c int) {
		z := sum(c)
		double(c, z)
		d := k.digit[c%len(k.digit)]
		k.VMOVDQU64(at(x, c/2), d)
		if c%2 == 0 {
			k.VPMADD52LUQ(d, d, z)
		} else {
			k.VPMADD52HUQ(d, d, z)
		}
		finish(c, z)
	}
	done(0)
	for j := 1; j < k.width; j++ {
		f := factor[j%len(factor)]
		k.VMOVDQU64(at(x, j), f)
		k.lagging(j,
			func(i int, d reg.VecPhysical) {
				k.VMOVDQU64(at(x, i), d)
				k.VPMADD52LUQ(d, f, sum(i+j))
			},
			func(i int, d reg.VecPhysical) { k.VPMADD52HUQ(d, f, sum(i+j+1)) })
		done(j)
	}
	for c := k.width; c < 2*k.width; c++ {
		done(c)
	}
}
