package batch

import "github.com/mmcloughlin/avo/operand"

// Passes over the columns of a number in memory.

// digitMask holds 2^52 − 1 where digits are cut out of columns.
var digitMask = fresh

// digitOut stores column 0 as a digit without the bits above it.
func (k kernel) digitOut() {
	k.carryOut(0)
	k.VPANDQ(digitMask, column[0], column[0])
	k.VMOVDQU64(column[0], at(zPtr, 0))
	k.advance(1, zPtr)
}

// digits generates the copy of digits without what is above them.
func (k kernel) digits() {
	name := k.name("Digits")
	k.Function(name)
	k.SignatureExpr("func(z, x, addend *uint64, limbs int)")
	k.Pragma("noescape")
	k.Doc(name + " sets every digit of z to that of x modulo 2^52, plus the vector addend. z may be x.")
	k.Load(k.Param("z"), zPtr)
	k.Load(k.Param("x"), xPtr)
	addend := k.Load(k.Param("addend"), pairs)
	k.Load(k.Param("limbs"), rows)
	k.VMOVDQU64(operand.Mem{Base: addend}, carry)
	k.bias(digitBits, digitMask)
	k.loop("digit", rows, func() {
		k.VPANDQ(at(xPtr, 0), digitMask, k.digit[0])
		k.VPADDQ(carry, k.digit[0], k.digit[0])
		k.VMOVDQU64(k.digit[0], at(zPtr, 0))
		k.advance(1, xPtr, zPtr)
	})
	k.VZEROUPPER()
	k.RET()
}

// carryColumns generates the pass that makes columns digits.
func (k kernel) carryColumns() {
	name := k.name("Carry")
	k.Function(name)
	k.SignatureExpr("func(t *uint64, columns int)")
	k.Pragma("noescape")
	k.Doc(name + " makes columns of t digits, and adds the last carry to the column that follows.")
	k.Load(k.Param("t"), zPtr)
	k.Load(k.Param("columns"), rows)
	k.bias(digitBits, digitMask)
	k.VMOVDQU64(at(zPtr, 0), column[0])
	k.loop("column", rows, func() {
		k.VMOVDQU64(at(zPtr, 1), column[1])
		k.digitOut()
		k.VMOVDQA64(column[1], column[0])
	})
	k.VMOVDQU64(column[0], at(zPtr, 0))
	k.VZEROUPPER()
	k.RET()
}
