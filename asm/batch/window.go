package batch

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// vectorBytes is the size of one digit of eight numbers.
const vectorBytes = 64

// digitBits is the width of a digit; madds read only this many bits of an
// operand, so whatever carries left above them need not be masked off.
const digitBits = 52

// kernel is an avo program for one tile width and one vector width.
//
// Numbers lie in memory eight to a vector of 64 bytes. A kernel of eight lanes
// works on whole vectors, one of four on the half that its pointers point to.
type kernel struct {
	*build.Context
	width int
	lanes int
	// digit are the registers that the digits of a row are loaded into, in turn.
	digit []reg.VecPhysical
}

// newKernel returns the kernel with three registers for digits.
func newKernel(ctx *build.Context, width, lanes int) kernel {
	return kernel{ctx, width, lanes, []reg.VecPhysical{reg.Z25, reg.Z26, reg.Z27}}
}

// withDigits returns the kernel with more registers for digits.
func (k kernel) withDigits(more ...reg.VecPhysical) kernel {
	k.digit = append(slices.Clip(k.digit), more...)
	return k
}

// name returns the name of a routine.
func (k kernel) name(what string) string {
	return fmt.Sprintf("ifma%d%s", 64*k.lanes, what)
}

// Vector registers go by their 512-bit names. The window holds width + 1 columns:
// column[k] is the sum of all that has been added to column c + k of the number,
// where c is the column that the current row starts at.
var (
	column   = []reg.VecPhysical{reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7, reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15, reg.Z16, reg.Z17, reg.Z18, reg.Z19, reg.Z20}
	quotient = reg.Z21
	nextQ    = reg.Z22
	factor   = []reg.VecPhysical{reg.Z23, reg.Z24} // the digit that multiplies a row
	carry    = reg.Z28
	fresh    = reg.Z29 // what a column holds before anything is added to it
	negInv   = reg.Z30 // −1/N mod 2^52
	ones     = reg.Z31 // all bits set
)

// at is the vector i vectors after a pointer.
func at(base reg.Register, i int) operand.Mem {
	return operand.Mem{Base: base, Disp: vectorBytes * i}
}

// argument is a parameter in memory.
func (k kernel) argument(name string) operand.Mem {
	b, err := k.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

func (k kernel) zero(z reg.VecPhysical) { k.VPXORQ(z, z, z) }

// loop runs the body until the 64-bit counter, decremented each turn, is zero.
func (k kernel) loop(label string, counter reg.Register, body func()) {
	k.Label(label)
	body()
	k.DECQ(counter)
	k.JNZ(operand.LabelRef(label))
}

// rowOptions are what a row may do beside adding its products.
type rowOptions struct {
	// skipLow leaves out the low half of the product with digit 0.
	skipLow bool
	// after[j] is emitted behind the products with digit j.
	after map[int]func()
}

// row adds x times the W digits at y to the window: the low half of the product
// with digit j to column j, the high half to column j + 1. A digit is loaded
// once for both. High halves lag behind, by as many digits as there are registers
// to keep: column j + 1 receives the high half with digit j and the low one with
// digit j + 1, and the second of them waits for the first.
func (k kernel) row(x reg.VecPhysical, y reg.Register, opt rowOptions) {
	k.lagging(k.width,
		func(j int, d reg.VecPhysical) {
			k.VMOVDQU64(at(y, j), d)
			if j > 0 || !opt.skipLow {
				k.VPMADD52LUQ(d, x, column[j])
			}
		},
		func(j int, d reg.VecPhysical) {
			k.VPMADD52HUQ(d, x, column[j+1])
			if f := opt.after[j]; f != nil {
				f()
			}
		})
}

// lagging emits low(j) and high(j) for all j below n, with the register that has
// digit j in between.
func (k kernel) lagging(n int, low, high func(j int, d reg.VecPhysical)) {
	lag := len(k.digit) - 1
	for j := range n + lag {
		if j < n {
			low(j, k.digit[j%len(k.digit)])
		}
		if i := j - lag; i >= 0 && i < n {
			high(i, k.digit[i%len(k.digit)])
		}
	}
}

// productRow is row for a factor in memory.
func (k kernel) productRow(parity int, x, y reg.Register, opt rowOptions) {
	f := factor[parity%len(factor)]
	k.VMOVDQU64(at(x, 0), f)
	k.row(f, y, opt)
}

// rotate moves the window up by one column: column 0 is done, and a column that
// holds fresh comes in at the top. Register moves are free where they are
// eliminated at rename, which is why the window is not rotated by unrolling.
func (k kernel) rotate() {
	for i := range k.width {
		k.VMOVDQA64(column[i+1], column[i])
	}
}

// rotateIn is rotate with the column that comes in.
func (k kernel) rotateIn(top reg.VecPhysical) {
	k.rotate()
	k.VMOVDQA64(top, column[k.width])
}

// The reduction's bias. A column that a quotient digit will clear starts at
// 2^52 − 1 instead of 0. Clearing it means adding the low product q·n0, which
// makes column 0 a multiple of 2^52; the carry out of it is then
// ceil(C/2^52) = (C + 2^52 − 1) >> 52 for the sum C without that product, and
// with the bias in place it is one shift. The quotient digit C·n' mod 2^52 is
// (C + bias)·n' + n', and costs nothing either: the accumulator starts at n'.

// quotientDigit computes the quotient digit that clears column c, and carries
// that column out into the next, for the truncated reduction: the low product
// is never added.
func (k kernel) quotientDigit(c int, q reg.VecPhysical) {
	k.VMOVDQA64(negInv, q)
	k.VPMADD52LUQ(column[c], negInv, q)
	k.carryOut(c)
}

// quotientDigitFull is the part of quotientDigit that can be done before q times
// the modulus is added in full; carryOut follows when digit 0 is in.
func (k kernel) quotientDigitFull(c int, q reg.VecPhysical) {
	k.VMOVDQA64(negInv, q)
	k.VPMADD52LUQ(column[c], negInv, q)
}

// quotientPlace is the digit of the last known row behind which the quotient
// digit of that row is found: late enough that columns 0 and 1 are not waited
// for, early enough that the digit is there when its own row starts.
func (k kernel) quotientPlace() int { return min(5, k.width-1) }

// carryOut adds what column c holds above its digit to column c + 1. Columns are
// signed: those of a Karatsuba square may be below zero.
func (k kernel) carryOut(c int) {
	k.VPSRAQ(operand.Imm(digitBits), column[c], carry)
	k.VPADDQ(carry, column[c+1], column[c+1])
}

// emit stores column 0 as a digit of the result (the bits above 52 are carried
// out, not cleared) and advances the pointer.
func (k kernel) emit(z reg.Register) {
	k.VMOVDQU64(column[0], at(z, 0))
	k.carryOut(0)
	k.ADDQ(operand.Imm(vectorBytes), z)
}

// drain stores the W columns that the window holds at the end as digits.
func (k kernel) drain(z reg.Register) {
	for j := range k.width {
		k.VMOVDQU64(column[j], at(z, j))
		if j < k.width-1 {
			k.carryOut(j)
		}
	}
}

// bias sets a register to 2^n − 1 in every lane.
func (k kernel) bias(n int, z reg.VecPhysical) {
	k.VPTERNLOGD(operand.Imm(0xff), z, z, z)
	k.VPSRLQ(operand.Imm(uint64(64-n)), z, z)
}
