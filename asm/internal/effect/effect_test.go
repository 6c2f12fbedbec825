package effect

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// name is how tests write a register or a flag.
func name(id reg.ID) string {
	switch {
	case IsFlag(id):
		return fmt.Sprintf("flag%d", id.Index()-56)
	case id.IsVirtual():
		return fmt.Sprintf("%c%d", " gvk"[id.Kind()], id.Index())
	}
	return reg.LookupID(id, wholeOf[id.Kind()]).Asm()
}

func list(ids []reg.ID) string {
	var ns []string
	for _, id := range ids {
		ns = append(ns, name(id))
	}
	slices.Sort(ns)
	return strings.Join(ns, " ")
}

// TestOf: what instructions read, write and access. g0, v0 and k0 are virtual; flags
// are carry, zero, sign and overflow.
func TestOf(t *testing.T) {
	ctx := build.NewContext()
	g0, g1 := ctx.GP64(), ctx.GP64()
	v0, v1 := ctx.ZMM(), ctx.ZMM()
	k0, k1 := ctx.K(), ctx.K()
	m := operand.Mem{Base: g0, Disp: 8}
	const flags = "flag0 flag1 flag2 flag3"
	for _, tt := range []struct {
		build         func()
		reads, writes string
		bytes         int
		access        string
	}{
		{func() { ctx.VPADDQ(v0, v1, v1) }, "v0 v1", "v1", 0, ""},
		{func() { ctx.VPMADD52LUQ(v0, v0, v1) }, "v0 v1", "v1", 0, ""},
		{func() { ctx.VPXORQ(v0, v0, v1) }, "", "v1", 0, ""},
		{func() { ctx.VPXORQ(v0, v0, k0, v1) }, "k0 v0 v1", "v1", 0, ""},
		{func() { ctx.VPXORQ_Z(v0, v0, k0, v1) }, "k0 v0", "v1", 0, ""},
		{func() { ctx.VPTERNLOGQ(operand.U8(0xff), v0, v0, v1) }, "", "v1", 0, ""},
		{func() { ctx.VPTERNLOGQ(operand.U8(0x96), v0, v0, v1) }, "v0 v1", "v1", 0, ""},
		{func() { ctx.VPCMPUQ(operand.U8(1), v0, v1, k0, k1) }, "k0 v0 v1", "k1", 0, ""},
		{func() { ctx.VPCMPUQ(operand.U8(1), m, v1, k1) }, "g0 v1", "k1", 64, "r"},
		{func() { ctx.VALIGNQ(operand.U8(1), v0.AsY(), v0.AsY(), v1.AsY()) }, "v0", "v1", 0, ""},
		{func() { ctx.VMOVDQU64(m, v0) }, "g0", "v0", 64, "r"},
		{func() { ctx.VMOVDQU64(m, k0, v0) }, "g0 k0 v0", "v0", 64, "r"},
		{func() { ctx.VMOVDQU64(v0.AsY(), k0, m) }, "g0 k0 v0", "", 32, "w"},
		{func() { ctx.VPADDQ_BCST(m, v0, v1) }, "g0 v0", "v1", 8, "r"},
		{func() { ctx.VPBROADCASTQ(m, v0) }, "g0", "v0", 8, "r"},
		{func() { ctx.VPBROADCASTQ(g0, v0) }, "g0", "v0", 0, ""},
		{func() { ctx.VPADDW(v0.AsX(), v0.AsX(), v1.AsX()) }, "v0", "v1", 0, ""},
		{func() { ctx.VPSUBW(v0, v0, v1) }, "", "v1", 0, ""},
		{func() { ctx.VPSUBW(v0.AsY(), v0.AsY(), v1.AsY()) }, "", "v1", 0, ""},
		{func() { ctx.VPCMPEQW(v0.AsY(), v0.AsY(), v1.AsY()) }, "", "v1", 0, ""},
		{func() { ctx.VPCMPGTD(v0.AsY(), v0.AsY(), v1.AsY()) }, "", "v1", 0, ""},
		{func() { ctx.VPCMPEQW(v0, v0, k0) }, "v0", "k0", 0, ""},
		{func() { ctx.VPMINSW(v0, v0, v1) }, "v0", "v1", 0, ""},
		{func() { ctx.VPDPWSSD(v0, v0, v1) }, "v0 v1", "v1", 0, ""},
		{func() { ctx.VMOVSHDUP(v0, k0, v1) }, "k0 v0 v1", "v1", 0, ""},
		{func() { ctx.VPBLENDMW(v0, v0, k0, v1) }, "k0 v0", "v1", 0, ""},
		{func() { ctx.VPBLENDMD_BCST(m, v0, k0, v1) }, "g0 k0 v0", "v1", 4, "r"},
		{func() { ctx.VPERMW(m, v0, v1) }, "g0 v0", "v1", 64, "r"},
		{func() { ctx.VPERMT2W(m, v0, v1) }, "g0 v0 v1", "v1", 64, "r"},
		{func() { ctx.VMOVDQU16(v0, k0, m) }, "g0 k0 v0", "", 64, "w"},
		{func() { ctx.VPBROADCASTW(m, v0) }, "g0", "v0", 2, "r"},
		{func() { ctx.VPBROADCASTD(g0.As32(), v0) }, "g0", "v0", 0, ""},
		{func() { ctx.VPACKUSDW_BCST(m, v0, v1) }, "g0 v0", "v1", 4, "r"},
		{func() { ctx.VBROADCASTI32X4(m, v0) }, "g0", "v0", 16, "r"},
		{func() { ctx.VBROADCASTI64X4(m, v0) }, "g0", "v0", 32, "r"},
		{func() { ctx.VINSERTI64X4(operand.U8(1), m, v0, v1) }, "g0 v0", "v1", 32, "r"},
		{func() { ctx.VEXTRACTI64X4(operand.U8(1), v0, m) }, "g0 v0", "", 32, "w"},
		{func() { ctx.VEXTRACTI128(operand.U8(1), v0.AsY(), v1.AsX()) }, "v0", "v1", 0, ""},
		{func() { ctx.VPMOVDW(v0, v1.AsY()) }, "v0", "v1", 0, ""},
		{func() { ctx.VMOVD(g0.As32(), v0.AsX()) }, "g0", "v0", 0, ""},
		{func() { ctx.VMOVD(v0.AsX(), m) }, "g0 v0", "", 4, "w"},
		{func() { ctx.VMOVQ(v0.AsX(), g0) }, "v0", "g0", 0, ""},
		{func() { ctx.KMOVB(m, k0) }, "g0", "k0", 1, "r"},
		{func() { ctx.KMOVB(g0.As32(), k0) }, "g0", "k0", 0, ""},
		{func() { ctx.KUNPCKBW(k0, k1, k1) }, "k0 k1", "k1", 0, ""},
		{func() { ctx.KXORB(k0, k0, k1) }, "", "k1", 0, ""},
		{func() { ctx.KSHIFTLQ(operand.U8(1), k0, k1) }, "k0", "k1", 0, ""},
		{func() { ctx.KORTESTW(k0, k1) }, "k0 k1", flags, 0, ""},
		{func() { ctx.ADDQ(g0, g1) }, "g0 g1", flags + " g1", 0, ""},
		{func() { ctx.ADDQ(g1, m) }, "g0 g1", flags, 8, "rw"},
		{func() { ctx.CMPQ(m, operand.U8(1)) }, "g0", flags, 8, "r"},
		{func() { ctx.XORL(g0.As32(), g0.As32()) }, "", flags + " g0", 0, ""},
		{func() { ctx.ADCXQ(g0, g1) }, "flag0 g0 g1", "flag0 g1", 0, ""},
		{func() { ctx.MULXQ(m, g0, g1) }, "DX g0", "g0 g1", 8, "r"},
		{func() { ctx.MULQ(g0) }, "AX g0", "AX DX " + flags, 0, ""},
		{func() { ctx.SHRXQ(reg.RCX, g0, g1) }, "CX g0", "g1", 0, ""},
		{func() { ctx.SETCS(g0.As8()) }, "flag0 g0", "g0", 0, ""},
		{func() { ctx.LEAQ(m.Idx(g1, 8), g1) }, "g0 g1", "g1", 0, ""},
		{func() { ctx.MOVQ(operand.NewParamAddr("x", 8), g0) }, "", "g0", 8, "r"},
		{func() { ctx.MOVBLZX(m, g1.As32()) }, "g0", "g1", 1, "r"},
		{func() { ctx.CMOVQHI(g0, g1) }, "flag0 flag1 g0 g1", "g1", 0, ""},
		{func() { ctx.JHI(operand.LabelRef("x")) }, "flag0 flag1", "", 0, ""},
		{func() { ctx.PUSHQ(g0) }, "SP g0", "SP", 0, ""},
	} {
		in := instruction(t, tt.build, ctx)
		e, err := Of(in)
		if err != nil {
			t.Error(err)
			continue
		}
		var bytes int
		var access string
		if e.Memory != nil {
			bytes = e.Memory.Bytes
			if e.Memory.Loads {
				access += "r"
			}
			if e.Memory.Stores {
				access += "w"
			}
		}
		if r, w := list(e.Reads), list(e.Writes); r != tt.reads || w != tt.writes || bytes != tt.bytes || access != tt.access {
			t.Errorf("%s: reads %q, writes %q, memory %d %q; want %q, %q, %d %q", in.Opcode, r, w, bytes, access, tt.reads, tt.writes, tt.bytes, tt.access)
		}
	}
}

func instruction(t *testing.T, write func(), ctx *build.Context) *ir.Instruction {
	t.Helper()
	ctx.Function("f")
	write()
	file, err := ctx.Result()
	if err != nil {
		t.Fatal(err)
	}
	fns := file.Functions()
	return fns[len(fns)-1].Instructions()[0]
}

// TestUnknown: what package x86 does not know is an error.
func TestUnknown(t *testing.T) {
	ctx := build.NewContext()
	for _, write := range []func(){ctx.CPUID, ctx.RDTSCP, func() { ctx.VPADDB(reg.Z0, reg.Z1, reg.Z2) }} {
		in := instruction(t, write, ctx)
		if _, err := Of(in); err == nil || !strings.Contains(err.Error(), in.Opcode) {
			t.Errorf("%s: error %v", in.Opcode, err)
		}
	}
}

// TestBlocks: blocks, the ways between them, and what is live on each.
func TestBlocks(t *testing.T) {
	ctx := build.NewContext()
	ctx.Function("f")
	n, sum, once := ctx.GP64(), ctx.GP64(), ctx.GP64()
	ctx.MOVQ(operand.U32(5), n)
	ctx.MOVQ(n, once)
	ctx.XORL(sum.As32(), sum.As32())
	ctx.Label("loop")
	ctx.ADDQ(n, sum)
	ctx.DECQ(n)
	ctx.JZ(operand.LabelRef("done"))
	ctx.JMP(operand.LabelRef("loop"))
	ctx.Label("done")
	ctx.ADDQ(once, sum)
	ctx.MOVQ(sum, operand.Mem{Base: reg.RDI})
	ctx.RET()
	file, err := ctx.Result()
	if err != nil {
		t.Fatal(err)
	}
	blocks, err := Blocks(file.Functions()[0])
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, b := range blocks {
		var next []int
		for _, to := range b.Next {
			next = append(next, slices.Index(blocks, to))
		}
		var live []reg.ID
		for id := range b.LiveIn {
			live = append(live, id)
		}
		got = append(got, fmt.Sprint(len(b.Insts), next, list(live)))
	}
	want := []string{"3 [1]DI SP", "3 [3 2]DI SP g0 g1 g2", "1 [1]DI SP g0 g1 g2", "3 []DI SP g1 g2"}
	for i, w := range want {
		if i >= len(got) || got[i] != w {
			t.Errorf("block %d is not %q: %q", i, w, got)
			break
		}
	}
}
