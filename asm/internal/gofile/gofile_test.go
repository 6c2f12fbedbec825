package gofile

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/schedule"
)

// TestAlignAfterForwardJump: the assembler would not return.
func TestAlignAfterForwardJump(t *testing.T) {
	program := func(between bool) File {
		return File{Dir: "p", Base: "p_amd64", Package: "p", Build: func(ctx *build.Context) {
			ctx.Function("f")
			ctx.SignatureExpr("func()")
			ctx.JMP(operand.LabelRef("ahead"))
			ctx.Label("ahead")
			if between {
				ctx.INCQ(reg.RAX)
			}
			Align(ctx, 32)
			ctx.Label("loop")
			ctx.DECQ(reg.RAX)
			ctx.JNZ(operand.LabelRef("loop"))
			ctx.RET()
		}}
	}
	f := program(false)
	if _, err := f.Render(); err == nil || !strings.Contains(err.Error(), "ahead") {
		t.Errorf("error %v", err)
	}
	f = program(true)
	if _, err := f.Render(); err != nil {
		t.Error(err)
	}
}

// TestSchedule: a function gets the order that it is to have, and a name that is
// none is an error.
func TestSchedule(t *testing.T) {
	program := func(name string) string {
		f := File{Dir: "p", Base: "p_amd64", Package: "p", Schedule: map[string]schedule.Options{}}
		f.Build = func(ctx *build.Context) {
			ctx.Function("f")
			ctx.SignatureExpr("func()")
			ctx.VPADDQ(reg.Z1, reg.Z1, reg.Z1)
			ctx.VPMADD52LUQ(reg.Z2, reg.Z2, reg.Z2)
			ctx.VPMADD52LUQ(reg.Z2, reg.Z2, reg.Z2)
			ctx.RET()
			if name != "" {
				f.Schedule[name] = schedule.Options{}
			}
		}
		texts, err := f.Render()
		if err != nil {
			return err.Error()
		}
		return string(texts["p/p_amd64.s"])
	}
	add := func(asm string) int { return strings.Index(asm, "VPADDQ") }
	madd := func(asm string) int { return strings.Index(asm, "VPMADD52LUQ") }
	if asm := program(""); add(asm) > madd(asm) {
		t.Errorf("scheduled: %s", asm)
	}
	if asm := program("f"); add(asm) < madd(asm) {
		t.Errorf("not scheduled: %s", asm)
	}
	if s := program("g"); !strings.Contains(s, "a schedule for g") {
		t.Errorf("error %q", s)
	}
}
