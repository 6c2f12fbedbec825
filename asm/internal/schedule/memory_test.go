package schedule

import (
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
)

// pointers is a function with pointers p (private) and x, and what write adds.
func pointers(t *testing.T, write func(ctx *build.Context, p, x reg.Register)) (blocks []*effect.Block, p reg.Register) {
	t.Helper()
	ctx := build.NewContext()
	ctx.Function("f")
	ctx.SignatureExpr("func(p, x *uint64)")
	p = ctx.Load(ctx.Param("p"), ctx.GP64())
	write(ctx, p, ctx.Load(ctx.Param("x"), ctx.GP64()))
	ctx.RET()
	file, err := ctx.Result()
	if err != nil {
		t.Fatal(err)
	}
	blocks, err = effect.Blocks(file.Functions()[0])
	if err != nil {
		t.Fatal(err)
	}
	return blocks, p
}

func at(base reg.Register, disp int) operand.Mem { return operand.Mem{Base: base, Disp: disp} }

// TestDerivedPointers: accesses through a register that LEAQ makes of another are
// compared with those through that, and only if both stay what they are.
func TestDerivedPointers(t *testing.T) {
	for _, tt := range []struct {
		name     string
		write    func(ctx *build.Context, p, q reg.Register)
		conflict bool
	}{
		{"the same bytes", func(ctx *build.Context, p, q reg.Register) {
			ctx.LEAQ(at(p, 64), q)
			ctx.VMOVDQU64(reg.Z1, at(p, 128))
			ctx.VMOVDQU64(at(q, 64), reg.Z2)
		}, true},
		{"others", func(ctx *build.Context, p, q reg.Register) {
			ctx.LEAQ(at(p, 64), q)
			ctx.VMOVDQU64(reg.Z1, at(p, 128))
			ctx.VMOVDQU64(at(q, 0), reg.Z2)
		}, false},
		{"a pointer that is moved twice", func(ctx *build.Context, p, q reg.Register) {
			ctx.LEAQ(at(p, 64), q)
			ctx.LEAQ(at(q, 64), q)
			ctx.VMOVDQU64(reg.Z1, at(p, 128))
			ctx.VMOVDQU64(at(q, 128), reg.Z2)
		}, true},
		{"a pointer in a loop", func(ctx *build.Context, p, q reg.Register) {
			ctx.Label("loop")
			ctx.MOVQ(at(p, 0), reg.RCX)
			ctx.VMOVDQU64(reg.Z1, at(reg.RCX, 128))
			ctx.VMOVDQU64(at(q, 0), reg.Z2)
			ctx.LEAQ(at(reg.RCX, 64), q)
			ctx.DECQ(reg.RAX)
			ctx.JNZ(operand.LabelRef("loop"))
		}, true},
	} {
		blocks, _ := pointers(t, func(ctx *build.Context, p, _ reg.Register) { tt.write(ctx, p, ctx.GP64()) })
		mem, err := newMemory(blocks, nil)
		if err != nil {
			t.Fatal(err)
		}
		var store, load *effect.Access
		for _, b := range blocks {
			for _, e := range b.Effects {
				if e.Memory != nil && e.Memory.Bytes == 64 && e.Memory.Stores {
					store = e.Memory
				} else if e.Memory != nil && e.Memory.Bytes == 64 {
					load = e.Memory
				}
			}
		}
		if got := mem.conflict(store, load); got != tt.conflict {
			t.Errorf("%s: conflict %t", tt.name, got)
		}
	}
}

// TestPrivatePointers: a private pointer that gets out of sight is an error.
func TestPrivatePointers(t *testing.T) {
	for _, tt := range []struct {
		name    string
		write   func(ctx *build.Context, p, x reg.Register)
		escapes bool
	}{
		{"an address", func(ctx *build.Context, p, _ reg.Register) { ctx.VMOVDQU64(at(p, 0), reg.Z1) }, false},
		{"a pointer that moves on", func(ctx *build.Context, p, _ reg.Register) { ctx.ADDQ(operand.Imm(64), p) }, false},
		{"a comparison", func(ctx *build.Context, p, x reg.Register) { ctx.CMPQ(p, x) }, false},
		{"a place behind it", func(ctx *build.Context, p, _ reg.Register) { ctx.LEAQ(at(p, 64), ctx.GP64()) }, false},
		{"a sum", func(ctx *build.Context, p, x reg.Register) { ctx.ADDQ(p, x) }, true},
		{"a pointer that is stored", func(ctx *build.Context, p, x reg.Register) { ctx.MOVQ(p, at(x, 0)) }, true},
		{"a place that is not always the same", func(ctx *build.Context, p, _ reg.Register) {
			q := ctx.GP64()
			ctx.LEAQ(at(p, 64), q)
			ctx.ADDQ(operand.Imm(64), q)
		}, true},
		{"an element", func(ctx *build.Context, p, x reg.Register) { ctx.LEAQ(at(p, 0).Idx(x, 8), ctx.GP64()) }, true},
	} {
		blocks, p := pointers(t, tt.write)
		if _, err := newMemory(blocks, []reg.Register{p}); (err != nil) != tt.escapes {
			t.Errorf("%s: error %v", tt.name, err)
		}
	}
}
