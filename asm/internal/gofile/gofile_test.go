package gofile

import (
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
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
