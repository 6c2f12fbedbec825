// Package clock generates the routines that measure a core: its time-stamp
// counter, and loops of known length to calibrate it with.
package clock

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
)

// Unroll is the number of instructions in one turn of each calibration loop.
const Unroll = 16

// File returns the program.
func File() gofile.File {
	return gofile.File{
		Dir: "internal/measure", Base: "clock_amd64", Package: "measure",
		Build: func(ctx *build.Context) {
			timestamp(ctx)
			addChain(ctx)
			madds(ctx)
			nops(ctx)
		},
	}
}

func timestamp(ctx *build.Context) {
	ctx.Function("timestamp")
	ctx.SignatureExpr("func() uint64")
	ctx.Doc("timestamp reads the time-stamp counter after everything before it has finished",
		"and before anything after it starts.")
	ctx.RDTSCP()
	ctx.LFENCE()
	ctx.SHLQ(operand.Imm(32), reg.RDX)
	ctx.ORQ(reg.RDX, reg.RAX)
	ctx.Store(reg.RAX, ctx.ReturnIndex(0))
	ctx.RET()
}

// addChain takes one core cycle an addition. The operands are registers: recent
// Intel cores fold chains of additions of constants when they rename registers.
func addChain(ctx *build.Context) {
	ctx.Function("addChain")
	ctx.SignatureExpr("func(turns int)")
	ctx.Doc("addChain executes 16 additions a turn, each of which waits for the one before it.")
	n := ctx.Load(ctx.Param("turns"), reg.RCX)
	one := ctx.Load(ctx.Param("turns"), reg.RDX)
	gofile.Align(ctx, 64)
	ctx.Label("turn")
	for range Unroll {
		ctx.ADDQ(one, reg.RAX)
	}
	ctx.DECQ(n)
	ctx.JNZ(operand.LabelRef("turn"))
	ctx.RET()
}

// madds takes as long as the core's ports for VPMADD52 allow: sixteen chains
// cover four cycles of latency at four instructions a cycle.
func madds(ctx *build.Context) {
	ctx.Function("madds")
	ctx.SignatureExpr("func(turns int)")
	ctx.Doc("madds executes 16 independent 512-bit VPMADD52LUQ a turn.")
	n := ctx.Load(ctx.Param("turns"), reg.RCX)
	acc := []reg.VecPhysical{
		reg.Z0, reg.Z1, reg.Z2, reg.Z3, reg.Z4, reg.Z5, reg.Z6, reg.Z7,
		reg.Z8, reg.Z9, reg.Z10, reg.Z11, reg.Z12, reg.Z13, reg.Z14, reg.Z15,
	}
	ctx.VPXORQ(reg.Z16, reg.Z16, reg.Z16)
	gofile.Align(ctx, 64)
	ctx.Label("turn")
	for _, z := range acc {
		ctx.VPMADD52LUQ(reg.Z16, reg.Z16, z)
	}
	ctx.DECQ(n)
	ctx.JNZ(operand.LabelRef("turn"))
	ctx.VZEROUPPER()
	ctx.RET()
}

// nops takes as long as the core's front end allows: a neighbour on the same
// core takes half of its turns, whatever it executes.
func nops(ctx *build.Context) {
	ctx.Function("nops")
	ctx.SignatureExpr("func(turns int)")
	ctx.Doc("nops executes 64 instructions that do nothing a turn.")
	n := ctx.Load(ctx.Param("turns"), reg.RCX)
	gofile.Align(ctx, 64)
	ctx.Label("turn")
	for range 4 * Unroll {
		ctx.Instruction(&ir.Instruction{Opcode: "NOPL", Operands: []operand.Op{reg.EAX}})
	}
	ctx.DECQ(n)
	ctx.JNZ(operand.LabelRef("turn"))
	ctx.RET()
}
