package batch

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// KaratsubaWidths are the tile widths that there are Karatsuba squares for. With
// narrower tiles they gain nothing where additions share the ports of the madds;
// docs/algorithms.md, "Karatsuba squares", has the figures.
var KaratsubaWidths = []int{14, 15, 16, 18, 20}

// A Karatsuba square is a list of steps. The recursion is unrolled by the caller,
// squarePlan in residue/batch, which knows the number of tiles; the routine has one
// body for every kind of step, and goes through the list. A step is these 64-bit
// words:
const (
	stepKind   = 0
	stepInWork = 8  // 0 if its operands are parts of the number, 1 if of the work space
	stepX      = 16 // bytes from there to its operand
	stepY      = 24 // and to the second one
	stepZ      = 32 // bytes from the start of the work space to its result
	stepBias   = 40 // bytes to a pair of vectors in the table of biases
	stepTiles  = 48 // tiles of its operands, n = W·tiles digits
	stepBytes  = 56
)

// The kinds of steps. The halves of 2n digits are a and b, with columns of their
// squares in z[0:2n] and z[2n:4n]. What a square by halves has in the middle is
// (s² − a² − b²)·β^n for s = a + b.
const (
	stepEnd     = iota
	stepSquare  // z = the columns of x², for one tile
	stepSum     // z = x + y; the carry, 0 or 1, is the digit that follows
	stepMiddle  // adds the middle to z, for s in x, one tile and its carry
	stepCombine // adds the middle to z, for the columns of s² without its carry in x, and s in y
	stepCarry   // makes the 2n columns in the middle of z digits
)

// The general registers of the steps.
var (
	stepPtr   = reg.R13 // the next step
	firstPtr  = reg.RDI // x
	secondPtr = reg.RBX // y
	stepOut   = reg.RSI // z
	biasPtr   = reg.R10
	stepCount = reg.RCX // tiles
	workPtr   = reg.R12
	quarter   = reg.R8 // z + n
	length    = reg.R9 // n in bytes
)

// squareKaratsuba generates the Montgomery square by a list of steps, times times
// in a row as squareMontgomery does, or the columns of the square without a
// reduction, for one in halves.
func (k kernel) squareKaratsuba() {
	name := k.name(fmt.Sprintf("SquareKaratsuba%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(z, x, t *uint64, steps *int, biases, n, ninv, work *uint64, tiles, times int, look *byte)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets z = x²/R for %d·tiles limbs, and then z = z²/R another times − 1 times;", name, k.width),
		"with times = 0 it sets the columns of the square alone. t is the work space of the steps,",
		"which leave the columns in the first 2s vectors, the low s of them biased;",
		fmt.Sprintf("work and look are as for %s.", k.name("Reduce"+truncated.suffix(k.width))))
	k.Label("square")
	k.steps()
	k.CMPQ(k.argument("times"), operand.Imm(0))
	k.JEQ(operand.LabelRef("columnsOnly"))
	k.reduceParts(truncated, digitsOut)
	k.MOVQ(k.argument("z"), xPtr)
	k.MOVQ(xPtr, k.argument("x"))
	k.DECQ(k.argument("times"))
	k.JNZ(operand.LabelRef("square"))
	k.Label("columnsOnly")
	k.VZEROUPPER()
	k.RET()
}

// steps goes through the list.
func (k kernel) steps() {
	k.Load(k.Param("steps"), stepPtr)
	k.Label("step")
	field := func(offset int) operand.Mem { return operand.Mem{Base: stepPtr, Disp: offset} }
	k.Load(k.Param("t"), workPtr)
	k.Load(k.Param("x"), firstPtr)
	k.CMPQ(field(stepInWork), operand.Imm(0))
	k.CMOVQNE(workPtr, firstPtr)
	k.MOVQ(firstPtr, secondPtr)
	k.ADDQ(field(stepX), firstPtr)
	k.ADDQ(field(stepY), secondPtr)
	k.MOVQ(field(stepZ), stepOut)
	k.ADDQ(workPtr, stepOut)
	k.Load(k.Param("biases"), biasPtr)
	k.ADDQ(field(stepBias), biasPtr)
	k.MOVQ(field(stepTiles), stepCount)
	k.MOVQ(field(stepKind), scratch)
	k.ADDQ(operand.Imm(stepBytes), stepPtr)

	bodies := []struct {
		kind  int
		label string
		body  func()
	}{
		{stepSquare, "squareStep", k.withDigits(ones, nextQ).squareStep},
		{stepMiddle, "middleStep", k.withDigits(ones, nextQ).middleStep},
		{stepSum, "sumStep", k.sumStep},
		{stepCombine, "combineStep", k.combineStep},
		{stepCarry, "carryStep", k.carryStep},
	}
	for _, s := range bodies {
		k.CMPQ(scratch, operand.Imm(uint64(s.kind)))
		k.JEQ(operand.LabelRef(s.label))
	}
	k.JMP(operand.LabelRef("stepsDone")) // stepEnd
	for _, s := range bodies {
		k.Label(s.label)
		s.body()
		k.JMP(operand.LabelRef("step"))
	}
	k.Label("stepsDone")
}

// squareStep is the square of a tile. Its low W columns start from the first
// vector of the bias, and doubling brings in the bits of the second one.
func (k kernel) squareStep() {
	incoming := fresh
	k.VMOVDQU64(at(biasPtr, 1), incoming)
	k.tileSquare(firstPtr,
		func(c int, z reg.VecPhysical) {
			if c < k.width {
				k.VMOVDQU64(at(biasPtr, 0), z)
			} else {
				k.zero(z)
			}
		},
		func(c int, z reg.VecPhysical) {
			if c < k.width {
				k.VPSHLDQ(operand.Imm(1), incoming, z, z)
			} else {
				k.VPADDQ(z, z, z)
			}
		},
		func(c int, z reg.VecPhysical) { k.VMOVDQU64(z, at(stepOut, c)) })
}

// middleStep squares the sum s of two tiles, a digit of which may be missing: with
// its carry o the sum is s + o·β^W, and
//
//	(s + o·β^W)² = s² + 2·o·s·β^W + o·β^2W.
//
// So the high columns start from o·s, which is then doubled, and the last one
// receives o·β. As soon as a column is complete it becomes one of the middle. Of a²
// and b² the four quarters are P0, P1, R0, R1, of the sum's square S0, S1, and the
// result is
//
//	P0,  P1 + S0 − P0 − R0,  R0 + S1 − P1 − R1,  R1,
//
// which takes five additions for two columns, as P1 − R0 is in both.
func (k kernel) middleStep() {
	w := k.width
	over, between := fresh, carry
	k.VMOVDQU64(at(firstPtr, w), over)
	k.tileSquare(firstPtr,
		func(c int, z reg.VecPhysical) {
			if c < w {
				k.VMOVDQU64(at(biasPtr, 0), z)
			} else {
				k.zero(z)
				k.VPMADD52LUQ(at(firstPtr, c-w), over, z)
			}
		},
		func(c int, z reg.VecPhysical) { k.VPADDQ(z, z, z) },
		func(c int, z reg.VecPhysical) {
			if c < w {
				k.VMOVDQU64(at(stepOut, w+c), between)
				k.VPSUBQ(at(stepOut, 2*w+c), between, between)
				k.VMOVDQU64(between, at(stepOut, 2*w+c))
				k.VPADDQ(between, z, z)
				k.VPSUBQ(at(stepOut, c), z, z)
			} else {
				k.VPSUBQ(at(stepOut, w+c), z, z)
				k.VPSUBQ(at(stepOut, 2*w+c), z, z)
			}
			if c == 2*w-1 {
				k.VPSLLQ(operand.Imm(digitBits), over, over)
				k.VPADDQ(over, z, z)
			}
			k.VMOVDQU64(z, at(stepOut, w+c))
		})
}

// sumStep adds two halves. What lies above the digits of a number must not be
// added: a madd with 1 takes the digit alone. In the sum it may lie there again.
func (k kernel) sumStep() {
	one, sum := ones, column[0]
	k.VPTERNLOGD(operand.Imm(0xff), one, one, one)
	k.VPSRLQ(operand.Imm(63), one, one)
	k.zero(carry)
	k.digitsOf(stepCount)
	k.loop("sum", stepCount, func() {
		k.zero(sum)
		k.VPMADD52LUQ(at(firstPtr, 0), one, sum)
		k.VPMADD52LUQ(at(secondPtr, 0), one, sum)
		k.VPADDQ(carry, sum, sum)
		k.VMOVDQU64(sum, at(stepOut, 0))
		k.VPSRLQ(operand.Imm(digitBits), sum, carry)
		k.advance(1, firstPtr, secondPtr, stepOut)
	})
	k.VMOVDQU64(carry, at(stepOut, 0))
}

// combineStep is what middleStep does behind the square of the sum, for more than
// one tile. Here 2·o·s is added to complete columns, so twice.
func (k kernel) combineStep() {
	over, between, low, high := column[0], column[1], column[2], column[3]
	k.digitsOf(stepCount)
	k.quarters()
	k.VMOVDQU64(operand.Mem{Base: secondPtr, Index: length, Scale: 1}, over)
	k.loop("combine", stepCount, func() {
		p0, p1 := at(stepOut, 0), at(quarter, 0)
		r0 := operand.Mem{Base: stepOut, Index: length, Scale: 2}
		r1 := operand.Mem{Base: quarter, Index: length, Scale: 2}
		s0, s1 := at(firstPtr, 0), operand.Mem{Base: firstPtr, Index: length, Scale: 1}
		k.VMOVDQU64(s1, high)
		k.VPMADD52LUQ(at(secondPtr, 0), over, high)
		k.VPMADD52LUQ(at(secondPtr, 0), over, high)
		k.VMOVDQU64(p1, between)
		k.VPSUBQ(r0, between, between)
		k.VPADDQ(s0, between, low)
		k.VPSUBQ(p0, low, low)
		k.VMOVDQU64(low, p1)
		k.VPSUBQ(between, high, high)
		k.VPSUBQ(r1, high, high)
		k.VMOVDQU64(high, r0)
		k.advance(1, firstPtr, secondPtr, stepOut, quarter)
	})
	k.VPSLLQ(operand.Imm(digitBits), over, over)
	k.VPADDQ(over, high, high)
	k.VMOVDQU64(high, operand.Mem{Base: stepOut, Index: length, Scale: 2, Disp: -vectorBytes})
}

// carryStep carries the columns in the middle, which leaves the number as it is.
func (k kernel) carryStep() {
	sum := column[0]
	k.bias(digitBits, digitMask)
	k.zero(carry)
	k.digitsOf(stepCount)
	k.quarters()
	k.ADDQ(stepCount, stepCount)
	k.loop("carry", stepCount, func() {
		k.VPADDQ(at(quarter, 0), carry, sum)
		k.VPSRAQ(operand.Imm(digitBits), sum, carry)
		k.VPANDQ(digitMask, sum, sum)
		k.VMOVDQU64(sum, at(quarter, 0))
		k.advance(1, quarter)
	})
	k.VPADDQ(at(quarter, 0), carry, carry)
	k.VMOVDQU64(carry, at(quarter, 0))
}

// digitsOf turns a number of tiles into one of digits.
func (k kernel) digitsOf(count reg.Register) {
	k.IMUL3Q(operand.Imm(uint64(k.width)), count, count)
}

// quarters sets length, and quarter to the second quarter of the columns.
func (k kernel) quarters() {
	k.IMUL3Q(operand.Imm(vectorBytes), stepCount, length)
	k.LEAQ(operand.Mem{Base: stepOut, Index: length, Scale: 1}, quarter)
}
