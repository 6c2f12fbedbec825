package batch

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Products in halves, by Karatsuba's identity on columns. With X = 2^(52h) for
// halves of h digits, A = (x0 − x1) mod X, B = (y1 − y0) mod X, and σ, τ = 1 where
// those differences are below zero,
//
//	x·y = S·(1 + X) + X·A·B − X²·(τ·A + σ·B) + X³·στ,  S = x0·y0 + X·x1·y1.
//
// Nothing is carried: columns may go below zero, and carries out of them are
// arithmetic shifts. docs/algorithms.md, "Halves", has the bounds.

// halves generates all routines for products and reductions in halves.
func (k kernel) halves() {
	k.multiplyPair()
	k.accumulatePair()
	k.accumulate()
	k.difference()
	k.spreadSum()
	k.addSum()
	k.fill()
	k.clearColumns()
	k.carryDigits()
}

// The pointers of the products in halves, beside zPtr (the columns of the
// product), xPtr and yPtr.
var (
	sumPtr  = reg.RCX // the columns of S
	xDiff   = reg.R8  // A, and then −σ
	yDiff   = reg.R12 // B, and then −τ
	sumStep = reg.R10 // bytes of half a number
	topStep = reg.R11 // and of one and a half

	xBelow = reg.K1 // lanes in which σ is 1
	yBelow = reg.K2 // lanes in which τ is 1
)

// signs loads the signs of the differences, which lie at the two places, and
// leaves −στ in a register.
func (k kernel) signs(x, y operand.Mem, both reg.VecPhysical) {
	k.VMOVDQU64(x, carry)
	k.VMOVDQU64(y, both)
	k.VPTESTMQ(carry, carry, xBelow)
	k.VPTESTMQ(both, both, yBelow)
	k.VPANDQ(carry, both, both)
}

// subtractSigned takes τ·A and σ·B, at the two places, from a column.
func (k kernel) subtractSigned(a, b operand.Mem, z reg.VecPhysical) {
	k.VPSUBQ(a, z, yBelow, z)
	k.VPSUBQ(b, z, xBelow, z)
}

// multiplyPair generates the product of two super-digits by two in three products
// of super-digits instead of four. S lies where the result will.
func (k kernel) multiplyPair() {
	name := k.name(fmt.Sprintf("MulPair%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(t, x, y, a, b, bias *uint64)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets t to the %d columns of x·y for numbers of %d limbs, plus the vector bias in the", name, 4*k.width, 2*k.width),
		"low half of them. a is the difference of the halves of x, low less high, and b that of",
		fmt.Sprintf("the halves of y, high less low, as %s leaves them.", k.name(fmt.Sprintf("Difference%d", k.width))))
	w := k.width
	k = k.withDigits(ones, nextQ)
	k.Load(k.Param("t"), sumPtr)
	bias := k.Load(k.Param("bias"), pairs)
	k.VMOVDQU64(operand.Mem{Base: bias}, column[0])
	k.pairSum(column[0])
	k.MOVQ(sumPtr, zPtr)
	k.pairSigns()
	for c := range w {
		k.VMOVDQU64(at(zPtr, c), column[c])
		k.VPADDQ(at(zPtr, w+c), column[c], column[c])
		d := k.digit[c%len(k.digit)]
		k.VMOVDQU64(at(zPtr, 2*w+c), d)
		if c == 0 {
			k.VPSUBQ(fresh, d, d)
		}
		k.VMOVDQU64(d, at(zPtr, 3*w+c))
	}
	k.advance(w, zPtr)
	k.pairMiddle(func() {
		k.VMOVDQU64(at(zPtr, 0), column[w])
		k.VPADDQ(at(zPtr, w), column[w], column[w])
	})
}

// accumulatePair generates the same product, added to columns. S lies apart.
func (k kernel) accumulatePair() {
	name := k.name(fmt.Sprintf("AddPair%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(t, sum, x, y, a, b *uint64)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s adds x·y to the %d columns t for numbers of %d limbs, with a and b as for", name, 4*k.width, 2*k.width),
		fmt.Sprintf("%s; sum has room for %d vectors.", k.name(fmt.Sprintf("MulPair%d", k.width)), 3*k.width))
	w := k.width
	k = k.withDigits(ones, nextQ)
	k.Load(k.Param("sum"), sumPtr)
	k.zero(column[0])
	k.pairSum(column[0])
	k.Load(k.Param("t"), zPtr)
	k.pairSigns()
	for c := range w {
		k.VMOVDQU64(at(sumPtr, c), column[c])
		d := k.digit[c%len(k.digit)]
		k.VPADDQ(at(zPtr, c), column[c], d)
		k.VMOVDQU64(d, at(zPtr, c))
		k.VPADDQ(at(sumPtr, w+c), column[c], column[c])
		k.VPADDQ(at(zPtr, w+c), column[c], column[c])
		d = k.digit[(c+2)%len(k.digit)]
		k.VMOVDQU64(at(sumPtr, 2*w+c), d)
		if c == 0 {
			k.VPSUBQ(fresh, d, d)
		}
		k.VPADDQ(at(zPtr, 3*w+c), d, d)
		k.VMOVDQU64(d, at(zPtr, 3*w+c))
	}
	k.advance(w, zPtr, sumPtr)
	k.pairMiddle(func() {
		k.VMOVDQU64(at(sumPtr, 0), column[w])
		k.VPADDQ(at(sumPtr, w), column[w], column[w])
		k.VPADDQ(at(zPtr, w), column[w], column[w])
		k.advance(1, sumPtr)
	})
}

// pairSum stores the 3W columns of S at sumPtr. The low W columns start from a
// register, column 0 of the window. The window rolls over both products.
func (k kernel) pairSum(start reg.VecPhysical) {
	k.Load(k.Param("x"), xPtr)
	k.Load(k.Param("y"), yPtr)
	k.zero(fresh)
	for c := 1; c < k.width; c++ {
		k.VMOVDQA64(start, column[c])
	}
	k.VMOVDQA64(fresh, column[k.width])
	k.MOVL(operand.U32(2), super.As32())
	k.loop("sumTile", super, func() {
		k.MOVL(operand.U32(uint32(k.width)), rows.As32())
		k.loop("sumRow", rows, func() {
			k.productRow(0, xPtr, yPtr, rowOptions{})
			k.VMOVDQU64(column[0], at(sumPtr, 0))
			k.rotateIn(fresh)
			k.advance(1, xPtr, sumPtr)
		})
		k.advance(k.width, yPtr)
	})
	for c := range k.width {
		k.VMOVDQU64(column[c], at(sumPtr, c))
	}
	k.advance(-2*k.width, sumPtr)
}

// pairSigns loads the pointers to the differences, and their signs; −στ is left
// in fresh.
func (k kernel) pairSigns() {
	k.Load(k.Param("a"), xDiff)
	k.Load(k.Param("b"), yDiff)
	k.signs(at(xDiff, k.width), at(yDiff, k.width), fresh)
}

// pairMiddle adds A·B, and what its signs take away, to the columns from W to 3W,
// which zPtr points to. The window holds the first W of them; columnIn brings in
// another one.
func (k kernel) pairMiddle(columnIn func()) {
	k.MOVQ(yDiff, yPtr)
	k.MOVL(operand.U32(uint32(k.width)), rows.As32())
	k.loop("middleRow", rows, func() {
		columnIn()
		k.subtractSigned(at(xDiff, 0), at(yPtr, 0), column[k.width])
		k.productRow(0, xDiff, yDiff, rowOptions{})
		k.VMOVDQU64(column[0], at(zPtr, 0))
		k.rotate()
		k.advance(1, zPtr, xDiff, yPtr)
	})
	for c := range k.width {
		k.VMOVDQU64(column[c], at(zPtr, c))
	}
	k.VZEROUPPER()
	k.RET()
}

// difference generates the difference of two halves.
func (k kernel) difference() {
	name := k.name(fmt.Sprintf("Difference%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(d, x, y *uint64, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets d to the s digits of x − y modulo 2^(52s), for s = %d·tiles limbs, without", name, k.width),
		"anything above them, and the vector behind to 0, or −1 where x < y.")
	k.Load(k.Param("d"), zPtr)
	k.Load(k.Param("x"), xPtr)
	k.Load(k.Param("y"), yPtr)
	k.Load(k.Param("tiles"), tiles)
	k.bias(digitBits, digitMask)
	k.zero(carry)
	k.loop("tile", tiles, func() {
		for c := range k.width {
			z, d := column[c], k.digit[c%len(k.digit)]
			k.VPANDQ(at(xPtr, c), digitMask, z)
			k.VPANDQ(at(yPtr, c), digitMask, d)
			k.VPSUBQ(d, z, z)
			k.VPADDQ(carry, z, z)
			k.VPSRAQ(operand.Imm(digitBits), z, carry)
			k.VPANDQ(digitMask, z, z)
			k.VMOVDQU64(z, at(zPtr, c))
		}
		k.advance(k.width, zPtr, xPtr, yPtr)
	})
	k.VMOVDQU64(carry, at(zPtr, 0))
	k.VZEROUPPER()
	k.RET()
}

// spreadSum generates what becomes of S before A·B is added, where S lies in the
// low three quarters of the result.
func (k kernel) spreadSum() {
	name := k.name(fmt.Sprintf("SpreadSum%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(t, a, b *uint64, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets the 4h columns t to t·(1 + X) − X²·(τ·a + σ·b) + X³·στ for the 3h columns t, X =", name),
		fmt.Sprintf("2^(52h), h = %d·tiles, and the differences a and b with the signs −σ and −τ behind them.", k.width))
	k.Load(k.Param("t"), zPtr)
	k.halfSteps()
	k.loop("tile", tiles, func() {
		for c := range k.width {
			low, z, high := column[c], k.digit[0], k.digit[1]
			k.VMOVDQU64(at(zPtr, c), low)
			k.VMOVDQU64(index(zPtr, sumStep, 1, c), z)
			k.VMOVDQU64(index(zPtr, sumStep, 2, c), high)
			k.VPADDQ(z, low, low)
			k.VMOVDQU64(low, index(zPtr, sumStep, 1, c))
			k.VPADDQ(high, z, z)
			k.subtractSigned(at(xDiff, c), at(yDiff, c), z)
			k.VMOVDQU64(z, index(zPtr, sumStep, 2, c))
			if c == 0 {
				k.VPSUBQ(fresh, high, high)
				k.zero(fresh)
			}
			k.VMOVDQU64(high, index(zPtr, topStep, 1, c))
		}
		k.advance(k.width, zPtr, xDiff, yDiff)
	})
	k.VZEROUPPER()
	k.RET()
}

// addSum generates the same, added to columns.
func (k kernel) addSum() {
	name := k.name(fmt.Sprintf("AddSum%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(t, sum, a, b *uint64, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s adds to the 4h columns t what %s makes of the 3h columns sum.", name, k.name(fmt.Sprintf("SpreadSum%d", k.width))))
	k.Load(k.Param("t"), zPtr)
	k.Load(k.Param("sum"), sumPtr)
	k.halfSteps()
	k.loop("tile", tiles, func() {
		for c := range k.width {
			low, z, high := column[c], k.digit[0], k.digit[1]
			add := func(z reg.VecPhysical, to operand.Mem) {
				k.VPADDQ(to, z, z)
				k.VMOVDQU64(z, to)
			}
			k.VMOVDQU64(at(sumPtr, c), low)
			k.VMOVDQU64(index(sumPtr, sumStep, 1, c), z)
			k.VMOVDQU64(index(sumPtr, sumStep, 2, c), high)
			k.VPADDQ(low, z, k.digit[2])
			add(low, at(zPtr, c))
			add(k.digit[2], index(zPtr, sumStep, 1, c))
			k.VPADDQ(high, z, z)
			k.subtractSigned(at(xDiff, c), at(yDiff, c), z)
			add(z, index(zPtr, sumStep, 2, c))
			if c == 0 {
				k.VPSUBQ(fresh, high, high)
				k.zero(fresh)
			}
			add(high, index(zPtr, topStep, 1, c))
		}
		k.advance(k.width, zPtr, sumPtr, xDiff, yDiff)
	})
	k.VZEROUPPER()
	k.RET()
}

// halfSteps loads what spreadSum and addSum need of the differences; −στ is left
// in fresh.
func (k kernel) halfSteps() {
	k.Load(k.Param("a"), xDiff)
	k.Load(k.Param("b"), yDiff)
	k.Load(k.Param("tiles"), tiles)
	k.IMUL3Q(operand.I32(int32(vectorBytes*k.width)), tiles, sumStep)
	k.LEAQ(operand.Mem{Base: sumStep, Index: sumStep, Scale: 2}, topStep)
	k.signs(index(xDiff, sumStep, 1, 0), index(yDiff, sumStep, 1, 0), fresh)
}

// index is the vector i vectors after a pointer and a number of steps.
func index(base, step reg.Register, times uint8, i int) operand.Mem {
	return operand.Mem{Base: base, Index: step, Scale: times, Disp: vectorBytes * i}
}

// accumulate generates the product of any number of super-digits, added to
// columns.
func (k kernel) accumulate() {
	name := k.name(fmt.Sprintf("AddMul%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(t, x, y *uint64, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s adds x·y to the 2s columns t, for s = %d·tiles limbs; nothing is carried.", name, k.width))
	k = k.withDigits(ones, nextQ)
	k.Load(k.Param("t"), zPtr)
	k.Load(k.Param("x"), xPtr)
	k.Load(k.Param("y"), yPtr)
	k.Load(k.Param("tiles"), tiles)
	for c := range k.width {
		k.VMOVDQU64(at(zPtr, c), column[c])
	}
	k.productColumns(
		func() { k.VMOVDQU64(at(zPtr, k.width), column[k.width]) },
		func() {
			k.VMOVDQU64(column[0], at(zPtr, 0))
			k.advance(1, zPtr)
			k.rotate()
		})
	for c := range k.width {
		k.VMOVDQU64(column[c], at(zPtr, c))
	}
	k.VZEROUPPER()
	k.RET()
}

// fill generates columns that are all the same.
func (k kernel) fill() {
	name := k.name(fmt.Sprintf("Fill%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(t, value *uint64, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets %d·tiles columns t to the vector value.", name, k.width))
	k.Load(k.Param("t"), zPtr)
	value := k.Load(k.Param("value"), pairs)
	k.Load(k.Param("tiles"), tiles)
	k.VMOVDQU64(operand.Mem{Base: value}, fresh)
	k.loop("tile", tiles, func() {
		for c := range k.width {
			k.VMOVDQU64(fresh, at(zPtr, c))
		}
		k.advance(k.width, zPtr)
	})
	k.VZEROUPPER()
	k.RET()
}

// carryDigits generates the digits of columns.
func (k kernel) carryDigits() {
	name := k.name(fmt.Sprintf("CarryDigits%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(z, t *uint64, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets z to the digits of the %d·tiles columns t, which may be below zero.", name, k.width))
	k.Load(k.Param("z"), zPtr)
	k.Load(k.Param("t"), xPtr)
	k.Load(k.Param("tiles"), tiles)
	k.zero(carry)
	k.loop("tile", tiles, func() {
		for c := range k.width {
			k.VPADDQ(at(xPtr, c), carry, column[c])
			k.VMOVDQU64(column[c], at(zPtr, c))
			k.VPSRAQ(operand.Imm(digitBits), column[c], carry)
		}
		k.advance(k.width, zPtr, xPtr)
	})
	k.VZEROUPPER()
	k.RET()
}
