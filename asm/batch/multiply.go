package batch

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The general registers of the products. Pointers advance by one digit a row;
// the pair pointers walk the super-digits of one row.
var (
	zPtr  = reg.RDI
	xPtr  = reg.RSI // digit i of the lowest super-digit of x in use
	yPtr  = reg.RDX // the highest super-digit of y in use
	nPtr  = reg.RCX
	qPtr  = reg.R8 // digit i of the lowest super-digit of the quotient in use
	tiles = reg.R9
	pairs = reg.RAX
	xPair = reg.RBX
	yPair = reg.R10
	qPair = reg.R11
	nPair = reg.R12
	rows  = reg.R13
	super = reg.R15 // the super-column t
)

// advance moves pointers by n vectors, which may be negative.
func (k kernel) advance(n int, ptrs ...reg.GPPhysical) {
	for _, p := range ptrs {
		k.ADDQ(operand.I32(int32(vectorBytes*n)), p)
	}
}

// multiplyMontgomery generates the Montgomery product.
//
// Super-column t, of W columns, receives X_u·Y_{t−u} and Q_u·N_{t−u} for all u.
// For t < m all of that but Q_t·N_0 is known when it starts; Q_t is found on the
// way, a digit a row, and its product with N_0 is added row by row. For t ≥ m
// every row leaves a digit of the result.
func (k kernel) multiplyMontgomery(r reduction) {
	name := k.name("MulMont" + r.suffix(k.width))
	k.Function(name)
	k.SignatureExpr("func(z, x, y, n, ninv, work *uint64, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets z = x·y/R for %d·tiles limbs; work holds as many vectors.", name, k.width))
	k = k.withDigits(ones, nextQ)
	k.Load(k.Param("z"), zPtr)
	k.Load(k.Param("x"), xPtr)
	k.Load(k.Param("y"), yPtr)
	k.Load(k.Param("n"), nPtr)
	k.Load(k.Param("work"), qPtr)
	k.Load(k.Param("tiles"), tiles)
	ninv := k.Load(k.Param("ninv"), pairs)
	k.VMOVDQU64(operand.Mem{Base: ninv}, negInv)

	k.bias(digitBits, fresh)
	for c := range k.width + 1 {
		k.VMOVDQA64(fresh, column[c])
	}
	k.XORL(super.As32(), super.As32())
	k.Label("lowSuper")
	k.endOfBias("lowSuperBiased")
	k.MOVL(operand.U32(uint32(k.width)), rows.As32())
	k.loop("lowRow", rows, func() {
		k.pairRows("lowPair", "lowLast")
		k.productRow(0, xPair, yPair, rowOptions{after: map[int]func(){k.quotientPlace(): func() {
			if r == full {
				k.quotientDigitFull(0, quotient)
				return
			}
			k.quotientDigit(0, quotient)
		}}})
		k.VMOVDQU64(quotient, at(qPair, 0))
		k.quotientRow(r, nPair, nil)
		k.rotateIn(fresh)
		k.advance(1, xPtr, qPtr)
	})
	k.INCQ(super)
	k.CMPQ(super, tiles)
	k.JEQ(operand.LabelRef("high"))
	k.advance(-k.width, xPtr, qPtr)
	k.advance(k.width, yPtr, nPtr)
	k.JMP(operand.LabelRef("lowSuper"))

	// Here super-column m begins; xPtr and qPtr point to super-digit 1.
	k.Label("high")
	k.DECQ(super)
	k.JZ(operand.LabelRef("drain"))
	k.Label("highSuper")
	k.MOVL(operand.U32(uint32(k.width)), rows.As32())
	k.loop("highRow", rows, func() {
		k.pairRows("highPair", "")
		k.emit(zPtr)
		k.rotateIn(fresh)
		k.advance(1, xPtr, qPtr)
	})
	k.DECQ(super)
	k.JNZ(operand.LabelRef("highSuper"))
	k.Label("drain")
	k.drain(zPtr)
	k.VZEROUPPER()
	k.RET()
}

// endOfBias is for the start of super-column t: the window's top column, and all
// that come in while t lasts, are columns that no quotient digit clears once
// t = m − 1, and start at zero.
func (k kernel) endOfBias(label string) {
	k.LEAQ(operand.Mem{Base: super, Disp: 1}, pairs)
	k.CMPQ(pairs, tiles)
	k.JNE(operand.LabelRef(label))
	k.zero(fresh)
	k.zero(column[k.width])
	k.Label(label)
}

// quotientRow adds q·N_0 behind quotientDigit.
func (k kernel) quotientRow(r reduction, n reg.Register, after map[int]func()) {
	if after == nil {
		after = map[int]func(){}
	}
	if r == full {
		after[0] = func() { k.carryOut(0) }
	}
	k.row(quotient, n, rowOptions{skipLow: r == truncated, after: after})
}

// pairRows adds, for one row, the products of super pairs of super-digits, of x
// with y and of the quotient with n, and leaves the pair pointers at the pair
// that follows. If skip is not empty there may be none.
func (k kernel) pairRows(label, skip string) {
	k.MOVQ(xPtr, xPair)
	k.MOVQ(yPtr, yPair)
	k.MOVQ(qPtr, qPair)
	k.MOVQ(nPtr, nPair)
	k.MOVQ(super, pairs)
	if skip != "" {
		k.TESTQ(pairs, pairs)
		k.JZ(operand.LabelRef(skip))
	}
	k.loop(label, pairs, func() {
		k.productRow(0, xPair, yPair, rowOptions{})
		k.productRow(1, qPair, nPair, rowOptions{})
		k.advance(k.width, xPair, qPair)
		k.advance(-k.width, yPair, nPair)
	})
	if skip != "" {
		k.Label(skip)
	}
}

// multiply generates the plain product of 2s digits.
func (k kernel) multiply() {
	name := k.name(fmt.Sprintf("Mul%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(z, x, y *uint64, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets z[0:2s] = x·y for s = %d·tiles limbs; z may not overlap x or y.", name, k.width))
	k = k.withDigits(ones, nextQ)
	k.Load(k.Param("z"), zPtr)
	k.Load(k.Param("x"), xPtr)
	k.Load(k.Param("y"), yPtr)
	k.Load(k.Param("tiles"), tiles)
	for c := range k.width + 1 {
		k.zero(column[c])
	}
	k.zero(fresh)
	k.productColumns(func() {}, func() {
		k.emit(zPtr)
		k.rotateIn(fresh)
	})
	k.drain(zPtr)
	k.VZEROUPPER()
	k.RET()
}

// productColumns rolls the window over the product of the numbers at xPtr and
// yPtr, and leaves it with the highest W columns. At each row, in brings in the
// window's top column, if it is not there yet, and out deals with column 0 and
// moves the window.
func (k kernel) productColumns(in, out func()) {
	// superRows is one super-column with `super` pairs.
	superRows := func(name string) {
		k.MOVL(operand.U32(uint32(k.width)), rows.As32())
		k.loop(name+"Row", rows, func() {
			in()
			k.MOVQ(xPtr, xPair)
			k.MOVQ(yPtr, yPair)
			k.MOVQ(super, pairs)
			k.loop(name+"Pair", pairs, func() {
				k.productRow(0, xPair, yPair, rowOptions{})
				k.advance(k.width, xPair)
				k.advance(-k.width, yPair)
			})
			out()
			k.advance(1, xPtr)
		})
	}
	k.MOVL(operand.U32(1), super.As32())
	k.Label("lowSuper")
	superRows("low")
	k.CMPQ(super, tiles)
	k.JEQ(operand.LabelRef("high"))
	k.INCQ(super)
	k.advance(-k.width, xPtr)
	k.advance(k.width, yPtr)
	k.JMP(operand.LabelRef("lowSuper"))
	k.Label("high")
	k.DECQ(super)
	k.JZ(operand.LabelRef("last"))
	k.Label("highSuper")
	superRows("high")
	k.DECQ(super)
	k.JNZ(operand.LabelRef("highSuper"))
	k.Label("last")
}
