// Package barrett generates the kernels of residue/barrett: sums, differences and shifts
// of eight numbers of 52-bit digits, side by side in the lanes of vectors. Products are
// those of residue/batch.
package barrett

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
)

// Files returns the programs: with eight lanes in 512-bit registers, and with four in
// 256-bit ones.
func Files() []gofile.File { return []gofile.File{file(8), file(4)} }

func file(lanes int) gofile.File {
	return gofile.File{
		Dir: "barrett", Base: fmt.Sprintf("kernel_ifma%d_amd64", 64*lanes), Package: "barrett",
		Build: func(ctx *build.Context) {
			k := kernel{ctx, lanes}
			k.linear(sum)
			k.linear(difference)
			k.shiftLeft()
			k.shiftRight()
		},
	}
}

const (
	vectorBytes = 64
	digitBits   = 52
)

// operation is a sum or a difference.
type operation struct {
	name, sign, carry string
	carryBit          uint64 // the lowest bit of a digit in 64 bits that is a carry
}

var (
	sum        = operation{"Add", "+", "carry", digitBits}
	difference = operation{"Sub", "−", "borrow", 63}
)

// kernel is an avo program for one width of vectors. Numbers lie in memory eight to a
// vector of 64 bytes; with four lanes, pointers point to the half to work on.
type kernel struct {
	*build.Context
	lanes int
}

// Registers. carry is 1 in the lanes that have one.
var (
	zPtr, xPtr, yPtr = reg.RDI, reg.RSI, reg.RDX
	counter, where   = reg.RCX, reg.RAX

	digit, term, carry, digitMask = reg.Z0, reg.Z1, reg.Z2, reg.Z3

	taking, carrying = reg.K1, reg.K2 // lanes
)

// linear generates x ± y, where y is taken in some lanes only and may be shorter than
// x. What lies above the 52 bits of a digit is ignored, and zero in the result.
//
// The carries are a chain of an addition and a shift, two cycles a digit; all else
// waits for nothing.
func (k kernel) linear(op operation) {
	name := fmt.Sprintf("ifma%d%s", 64*k.lanes, op.name)
	k.Function(name)
	k.SignatureExpr("func(z, x, y *uint64, where uint64, digits, rest int) uint64")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets z = x %s y in the lanes whose bits where has, and z = x in the others. y", name, op.sign),
		"has so many digits, at least one, and z and x have the rest more; z may be x or y.",
		fmt.Sprintf("The result has the bits of the lanes with a %s.", op.carry))
	k.Load(k.Param("z"), zPtr)
	k.Load(k.Param("x"), xPtr)
	k.Load(k.Param("y"), yPtr)
	k.Load(k.Param("where"), where)
	k.KMOVW(where.As32(), taking)
	ones := k.part(digitMask)
	k.VPTERNLOGD(operand.U8(0xff), ones, ones, ones)
	k.VPSRLQ(operand.Imm(64-digitBits), k.part(digitMask), k.part(digitMask))
	k.VPXORQ(k.part(carry), k.part(carry), k.part(carry))

	k.Load(k.Param("digits"), counter)
	k.Label("digit")
	k.VPANDQ(at(yPtr), k.part(digitMask), k.part(term))
	k.VPANDQ(at(xPtr), k.part(digitMask), k.part(digit))
	k.apply(op, term, taking)
	k.step(op)
	k.ADDQ(operand.Imm(vectorBytes), yPtr)
	k.DECQ(counter)
	k.JNZ(operand.LabelRef("digit"))

	k.Load(k.Param("rest"), counter)
	k.TESTQ(counter, counter)
	k.JZ(operand.LabelRef("done"))
	k.Label("rest")
	k.VPANDQ(at(xPtr), k.part(digitMask), k.part(digit))
	k.step(op)
	k.DECQ(counter)
	k.JNZ(operand.LabelRef("rest"))

	k.Label("done")
	k.VPTESTMQ(k.part(carry), k.part(carry), carrying)
	k.KMOVW(carrying, where.As32())
	k.Store(where, k.ReturnIndex(0))
	k.VZEROUPPER()
	k.RET()
}

// apply adds a term to the digit or subtracts it, in some lanes if there is a mask.
func (k kernel) apply(op operation, term reg.VecPhysical, in ...operand.Op) {
	ops := append([]operand.Op{k.part(term), k.part(digit)}, append(in, k.part(digit))...)
	if op == sum {
		k.VPADDQ(ops...)
	} else {
		k.VPSUBQ(ops...)
	}
}

// step takes the carry in, and leaves the next one and the digit.
func (k kernel) step(op operation) {
	k.apply(op, carry)
	k.VPSRLQ(operand.Imm(op.carryBit), k.part(digit), k.part(carry))
	k.VPANDQ(k.part(digitMask), k.part(digit), k.part(digit))
	k.VMOVDQU64(k.part(digit), at(zPtr))
	k.ADDQ(operand.Imm(vectorBytes), xPtr)
	k.ADDQ(operand.Imm(vectorBytes), zPtr)
}

// Registers of the shifts: by how much in each lane, and what is left of the width of a
// digit; what a digit hands over to its neighbour.
var count, rest, handed = reg.Z4, reg.Z5, reg.Z6

// beginShift loads what a shift needs.
func (k kernel) beginShift(name, doc string) {
	k.Function(name)
	k.SignatureExpr("func(z, x, count *uint64, digits int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf(doc, name), "of so many digits, at least one; count is less than 52 in every lane. z may be x.")
	k.Load(k.Param("z"), zPtr)
	k.Load(k.Param("x"), xPtr)
	k.Load(k.Param("count"), yPtr)
	k.Load(k.Param("digits"), counter)
	ones := k.part(digitMask)
	k.VPTERNLOGD(operand.U8(0xff), ones, ones, ones)
	k.VPSRLQ(operand.Imm(64-digitBits), ones, ones)
	k.VMOVDQU64(at(yPtr), k.part(count))
	k.MOVL(operand.U32(digitBits), where.As32())
	k.VPBROADCASTQ(where, k.part(rest))
	k.VPSUBQ(k.part(count), k.part(rest), k.part(rest))
}

// shiftLeft generates x·2^count, from the lowest digit up.
func (k kernel) shiftLeft() {
	k.beginShift(fmt.Sprintf("ifma%dShiftLeft", 64*k.lanes), "%s sets z = x·2^count modulo its width, for numbers")
	k.VPXORQ(k.part(handed), k.part(handed), k.part(handed))
	k.Label("digit")
	k.VPANDQ(at(xPtr), k.part(digitMask), k.part(digit))
	k.VPSLLVQ(k.part(count), k.part(digit), k.part(term))
	k.VPANDQ(k.part(digitMask), k.part(term), k.part(term))
	k.VPORQ(k.part(handed), k.part(term), k.part(term))
	k.VPSRLVQ(k.part(rest), k.part(digit), k.part(handed))
	k.VMOVDQU64(k.part(term), at(zPtr))
	k.ADDQ(operand.Imm(vectorBytes), xPtr)
	k.ADDQ(operand.Imm(vectorBytes), zPtr)
	k.DECQ(counter)
	k.JNZ(operand.LabelRef("digit"))
	k.VZEROUPPER()
	k.RET()
}

// shiftRight generates ⌊x/2^count⌋, from the highest digit down.
func (k kernel) shiftRight() {
	k.beginShift(fmt.Sprintf("ifma%dShiftRight", 64*k.lanes), "%s sets z = ⌊x/2^count⌋, for numbers")
	k.VPXORQ(k.part(handed), k.part(handed), k.part(handed))
	k.MOVQ(counter, where)
	k.SHLQ(operand.Imm(6), where)
	for _, p := range []reg.GPPhysical{zPtr, xPtr} {
		k.ADDQ(where, p)
	}
	k.Label("digit")
	k.SUBQ(operand.Imm(vectorBytes), xPtr)
	k.SUBQ(operand.Imm(vectorBytes), zPtr)
	k.VPANDQ(at(xPtr), k.part(digitMask), k.part(digit))
	k.VPSRLVQ(k.part(count), k.part(digit), k.part(term))
	k.VPORQ(k.part(handed), k.part(term), k.part(term))
	k.VPSLLVQ(k.part(rest), k.part(digit), k.part(handed))
	k.VPANDQ(k.part(digitMask), k.part(handed), k.part(handed))
	k.VMOVDQU64(k.part(term), at(zPtr))
	k.DECQ(counter)
	k.JNZ(operand.LabelRef("digit"))
	k.VZEROUPPER()
	k.RET()
}

func at(p reg.Register) operand.Mem { return operand.Mem{Base: p} }

// part is the part of a register that has the kernel's lanes.
func (k kernel) part(v reg.VecPhysical) reg.VecPhysical {
	if k.lanes == 4 {
		return v.AsY().(reg.VecPhysical)
	}
	return v
}
