package schedule

import (
	"fmt"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
)

// chains returns a function with n independent chains of multiply-adds, one after
// the other, and its vectors' registers live at once as written: one.
func chains(n, length int) *ir.Function {
	ctx := build.NewContext()
	ctx.Function("chains")
	ctx.SignatureExpr("func(z, x *uint64)")
	z, x := ctx.Load(ctx.Param("z"), ctx.GP64()), ctx.Load(ctx.Param("x"), ctx.GP64())
	for i := range n {
		sum := ctx.ZMM()
		ctx.VPXORQ(sum, sum, sum)
		for j := range length {
			ctx.VPMADD52LUQ(operand.Mem{Base: x, Disp: 64 * j}, sum, sum)
		}
		ctx.VMOVDQU64(sum, operand.Mem{Base: z, Disp: 64 * i})
	}
	ctx.RET()
	file, err := ctx.Result()
	if err != nil {
		panic(err)
	}
	return file.Functions()[0]
}

// live returns the most vectors that are live at once.
func live(t *testing.T, fn *ir.Function) (most int) {
	t.Helper()
	blocks, err := effect.Blocks(fn)
	if err != nil {
		t.Fatal(err)
	}
	for i := range blocks[0].Insts {
		n := 0
		for id := range blocks[0].LiveAt(i) {
			if id.Kind() == reg.KindVector {
				n++
			}
		}
		most = max(most, n)
	}
	return most
}

// TestPressure: chains are interleaved as far as the bound on live registers lets
// them.
func TestPressure(t *testing.T) {
	for _, limit := range []int{1, 2, 5, 8} {
		fn := chains(20, 12)
		x := Options{Live: map[reg.Kind]int{reg.KindVector: limit}}
		if err := Function(fn, x); err != nil {
			t.Fatal(err)
		}
		if got := live(t, fn); got != limit {
			t.Errorf("%d vectors are live, of %d", got, limit)
		}
	}
}

// TestCheck: an order that breaks a dependence is found, whatever it is.
func TestCheck(t *testing.T) {
	ctx := build.NewContext()
	ctx.Function("f")
	a, b, k := ctx.ZMM(), ctx.ZMM(), ctx.K()
	p, q, w := ctx.GP64(), ctx.GP64(), ctx.GP64()
	for _, tt := range []struct {
		name    string
		build   func()
		ordered bool
	}{
		{"a read after a write", func() { ctx.VPADDQ(a, a, b); ctx.VPSRLQ(operand.U8(1), b, a) }, true},
		{"a write after a read", func() { ctx.VMOVDQU64(b, at(p, 0)); ctx.VPXORQ(b, b, b) }, true},
		{"two writes", func() { ctx.VPXORQ(b, b, b); ctx.VPXORQ(b, b, b) }, true},
		{"halves of a register", func() { ctx.VPXORQ(a.AsY(), a.AsY(), a.AsY()); ctx.VPADDQ(a, a, b) }, true},
		{"a sum of products", func() { ctx.VPMADD52LUQ(a, a, b); ctx.VPMADD52HUQ(a, a, b) }, true},
		{"reads", func() { ctx.VMOVDQU64(a, at(p, 0)); ctx.VMOVDQU64(a, at(p, 64)) }, false},
		{"a mask", func() { ctx.VPCMPEQQ(a, a, k); ctx.VPADDQ_Z(a, a, k, b) }, true},
		{"a merge", func() { ctx.VPADDQ(a, a, b); ctx.VMOVDQU64(at(p, 0), k, b) }, true},
		{"a masked register with itself", func() { ctx.VPADDQ(a, a, b); ctx.VPXORQ(b, b, k, b) }, true},
		{"a flag", func() { ctx.ADDQ(p, p); ctx.ADCQ(w, w) }, true},
		{"overlapping stores", func() { ctx.VMOVDQU64(a, at(p, 0)); ctx.VMOVDQU64(b, at(p, 56)) }, true},
		{"stores side by side", func() { ctx.VMOVDQU64(a, at(p, 0)); ctx.VMOVDQU64(b, at(p, 64)) }, false},
		{"a load before a store through another register", func() { ctx.VMOVDQU64(at(p, 0), a); ctx.VMOVDQU64(b, at(q, 64)) }, true},
		{"a load before a store to private memory", func() { ctx.VMOVDQU64(at(p, 0), a); ctx.VMOVDQU64(b, at(w, 0)) }, false},
		{"loads", func() { ctx.VMOVDQU64(at(p, 0), a); ctx.VMOVDQU64(at(q, 0), b) }, false},
		{"an index that is not known", func() { ctx.VMOVDQU64(at(p, 0).Idx(w, 1), a); ctx.VMOVDQU64(b, at(p, 640)) }, true},
	} {
		ctx.Function("f")
		tt.build()
		file, err := ctx.Result()
		if err != nil {
			t.Fatal(err)
		}
		fns := file.Functions()
		nodes := fns[len(fns)-1].Nodes
		blocks, err := effect.Blocks(fns[len(fns)-1])
		if err != nil {
			t.Fatal(err)
		}
		mem, err := newMemory(blocks, []reg.Register{w})
		if err != nil {
			t.Fatal(err)
		}
		if err := check(nodes, nodes, mem); err != nil {
			t.Errorf("%s: %v", tt.name, err)
		}
		err = check(nodes, []ir.Node{nodes[1], nodes[0]}, mem)
		if (err != nil) != tt.ordered {
			t.Errorf("%s: error %v", tt.name, err)
		}
		if check(nodes, nodes[:1], mem) == nil || check(nodes, []ir.Node{nodes[0], nodes[0]}, mem) == nil {
			t.Errorf("%s: a missing instruction is not noticed", tt.name)
		}
	}
}

// TestComments: a comment stays with its instruction, and a label in front.
func TestComments(t *testing.T) {
	ctx := build.NewContext()
	ctx.Function("f")
	ctx.Label("start")
	a, b := reg.Z1, reg.Z2
	ctx.Comment("short")
	ctx.VPADDQ(a, a, a)
	ctx.Comment("long")
	ctx.VPMADD52LUQ(b, b, b)
	ctx.VPMADD52LUQ(b, b, b)
	ctx.DECQ(reg.RCX)
	ctx.JNZ(operand.LabelRef("start"))
	ctx.RET()
	file, err := ctx.Result()
	if err != nil {
		t.Fatal(err)
	}
	fn := file.Functions()[0]
	if err := Function(fn, Options{}); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, node := range fn.Nodes {
		switch n := node.(type) {
		case ir.Label:
			got = append(got, string(n)+":")
		case *ir.Comment:
			got = append(got, "//"+n.Lines[0])
		case *ir.Instruction:
			got = append(got, n.Opcode)
		}
	}
	want := "[start: //long VPMADD52LUQ //short VPADDQ VPMADD52LUQ DECQ JNZ RET]"
	if s := fmt.Sprint(got); s != want {
		t.Errorf("%s, want %s", s, want)
	}
}
