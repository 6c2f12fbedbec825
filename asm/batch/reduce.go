package batch

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// tPtr is the next column to come into the window.
var tPtr = yPair

// reduceColumns generates the Montgomery reduction of 2s columns in memory, the
// low s of them biased: the second half of a Montgomery square. The truncated
// form, the one in use, takes a gather along.
func (k kernel) reduceColumns(r reduction) {
	name := k.name("Reduce" + r.suffix(k.width))
	k.Function(name)
	doc := []string{
		fmt.Sprintf("%s sets z = t/R for 2s columns t, the low s of them biased, and s = %d·tiles limbs;", name, k.width),
		"work holds s vectors.",
	}
	if r == truncated {
		k.SignatureExpr("func(z, t, n, ninv, work *uint64, tiles int, look *byte)")
		doc = append(doc, "On the way it does a part of a gather: look points to an ifmaLookup.")
	} else {
		k.SignatureExpr("func(z, t, n, ninv, work *uint64, tiles int)")
	}
	k.Pragma("noescape")
	k.Doc(doc...)
	k.reduceParts(r, digitsOut)
	k.VZEROUPPER()
	k.RET()
}

// clearColumns generates the reduction of a block of a number, modulo as many
// digits of the modulus: what it adds above the block stays columns, as more is
// added to them.
func (k kernel) clearColumns() {
	name := k.name(fmt.Sprintf("Clear%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(z, t, n, ninv, work *uint64, tiles int, look *byte)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s is %s with z the columns of the result, not carried; z may be the high half of t.", name, k.name(fmt.Sprintf("Reduce%d", k.width))))
	k.reduceParts(truncated, columnsOut)
	k.VZEROUPPER()
	k.RET()
}

// result says what a reduction leaves.
type result int

const (
	digitsOut result = iota
	columnsOut
)

// leave stores column 0 of the window as a part of the result.
func (k kernel) leave(what result) {
	if what == digitsOut {
		k.emit(zPtr)
		return
	}
	k.VMOVDQU64(column[0], at(zPtr, 0))
	k.advance(1, zPtr)
}

// leaveRest stores the W columns that the window holds at the end.
func (k kernel) leaveRest(what result) {
	if what == digitsOut {
		k.drain(zPtr)
		return
	}
	for j := range k.width {
		k.VMOVDQU64(column[j], at(zPtr, j))
	}
}

// reduceParts is reduceColumns between its entry and its end.
func (k kernel) reduceParts(r reduction, what result) {
	k = k.withDigits(ones, factor[1])
	step := k.gatherStep
	if r == full {
		step = func(string) {}
	}
	k.Load(k.Param("z"), zPtr)
	k.Load(k.Param("t"), tPtr)
	k.Load(k.Param("n"), nPtr)
	k.Load(k.Param("work"), qPtr)
	ninv := k.Load(k.Param("ninv"), pairs)
	k.VMOVDQU64(operand.Mem{Base: ninv}, negInv)
	if r == truncated {
		k.gatherStart()
	}
	for c := range k.width {
		k.VMOVDQU64(at(tPtr, c), column[c])
	}
	k.advance(k.width, tPtr)

	digitNow := k.quotientDigit
	if r == full {
		digitNow = k.quotientDigitFull
	}
	columnIn := func() {
		k.VMOVDQU64(at(tPtr, 0), column[k.width])
		k.advance(1, tPtr)
	}

	// Super-column 0 has nothing but quotient rows. There the next quotient digit
	// is found in the middle of a row, from column 1, so that its latency is not
	// on the rows' path; the last row has no next one.
	firstRow := func(last bool) {
		columnIn()
		k.VMOVDQU64(quotient, at(qPtr, 0))
		after := map[int]func(){}
		if !last {
			after[k.width/2] = func() { digitNow(1, nextQ) }
		}
		k.quotientRow(r, nPtr, after)
		label := "firstStep"
		if last {
			label = "firstLastStep"
		}
		step(label)
		k.rotate()
		if !last {
			k.VMOVDQA64(nextQ, quotient)
		}
		k.advance(1, qPtr)
	}
	digitNow(0, quotient)
	k.MOVL(operand.U32(uint32(k.width-1)), rows.As32())
	k.loop("firstRow", rows, func() { firstRow(false) })
	firstRow(true)

	// Then, for one row, the products of `super` pairs; the last of them is apart,
	// to find a quotient digit on the way.
	k.MOVL(operand.U32(1), super.As32())
	k.Label("lowSuper")
	k.CMPQ(super, k.argument("tiles"))
	k.JEQ(operand.LabelRef("high"))
	k.advance(-k.width, qPtr)
	k.advance(k.width, nPtr)
	k.MOVL(operand.U32(uint32(k.width)), rows.As32())
	k.loop("lowRow", rows, func() {
		columnIn()
		k.MOVQ(qPtr, qPair)
		k.MOVQ(nPtr, nPair)
		k.MOVQ(super, pairs)
		k.DECQ(pairs)
		k.JZ(operand.LabelRef("lowLast"))
		k.loop("lowPair", pairs, func() { k.quotientPair() })
		k.Label("lowLast")
		k.productRow(0, qPair, nPair, rowOptions{after: map[int]func(){k.quotientPlace(): func() { digitNow(0, quotient) }}})
		k.advance(k.width, qPair)
		k.advance(-k.width, nPair)
		k.VMOVDQU64(quotient, at(qPair, 0))
		k.quotientRow(r, nPair, nil)
		step("lowStep")
		k.rotate()
		k.advance(1, qPtr)
	})
	k.INCQ(super)
	k.JMP(operand.LabelRef("lowSuper"))

	k.Label("high")
	k.DECQ(super)
	k.JZ(operand.LabelRef("drain"))
	k.Label("highSuper")
	k.MOVL(operand.U32(uint32(k.width)), rows.As32())
	k.loop("highRow", rows, func() {
		columnIn()
		k.MOVQ(qPtr, qPair)
		k.MOVQ(nPtr, nPair)
		k.MOVQ(super, pairs)
		k.loop("highPair", pairs, func() { k.quotientPair() })
		step("highStep")
		k.leave(what)
		k.rotate()
		k.advance(1, qPtr)
	})
	k.DECQ(super)
	k.JNZ(operand.LabelRef("highSuper"))
	k.Label("drain")
	k.leaveRest(what)
	if r == truncated {
		k.gatherRest()
	}
}

// quotientPair adds the product of one super-digit of the quotient with one of
// the modulus, for one row, and moves to the next pair.
func (k kernel) quotientPair() {
	k.productRow(0, qPair, nPair, rowOptions{})
	k.advance(k.width, qPair)
	k.advance(-k.width, nPair)
}
