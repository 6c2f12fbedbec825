package machine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"residue/asm/internal/object"
	"residue/asm/internal/x86"
)

// TestSemantics: every operation that can be decoded can be executed.
func TestSemantics(t *testing.T) {
	for op, f := range semantics {
		switch x86.Op(op) {
		case x86.J, x86.JMP, x86.RET: // execute has these
		default:
			if f == nil {
				t.Errorf("%v does nothing", x86.Op(op))
			}
		}
	}
}

// assemble returns programs of instructions with two arguments, both pointers.
func assemble(t *testing.T, bodies ...[]string) (ps []*Program) {
	t.Helper()
	var asm, stubs strings.Builder
	stubs.WriteString("package p\n\n")
	for n, lines := range bodies {
		fmt.Fprintf(&asm, "TEXT ·f%d(SB), 4, $0-16\n\t%s\n\n", n, strings.Join(lines, "\n\t"))
		fmt.Fprintf(&stubs, "func f%d(x, y *byte)\n", n)
	}
	fns, err := object.Source{Asm: asm.String(), Stubs: stubs.String()}.Assemble()
	if err != nil {
		t.Fatal(err)
	}
	for n := range bodies {
		p, err := Load(fns[fmt.Sprintf("f%d", n)])
		if err != nil {
			t.Fatal(err)
		}
		ps = append(ps, p)
	}
	return ps
}

// TestFaults: whatever a kernel must not do is noticed, and said with the
// instruction that does it. x is 128 readable bytes of secrets, y 128 writable
// ones that are not set.
func TestFaults(t *testing.T) {
	const pointers = "MOVQ x+0(FP), SI\n\tMOVQ y+8(FP), DI"
	tests := []struct {
		name  string
		code  []string
		fault string // what the fault says; empty if there is none
	}{
		{"a copy", []string{"VMOVDQU64 64(SI), Z0", "VMOVDQU64 Z0, (DI)", "VZEROUPPER"}, ""},
		{"a read behind a buffer", []string{"VMOVDQU64 72(SI), Z0"}, "+10: VMOVDQU64 72(SI), Z0: reads 64 bytes at x+72 (of 128 bytes), which this call must not read"},
		{"a read before a buffer", []string{"MOVQ -8(SI), AX"}, "reads 8 bytes at x-8"},
		{"a masked read behind a buffer", []string{"MOVL $1, AX", "KMOVB AX, K1", "VMOVDQU64.Z 120(SI), K1, Z0"}, "reads 64 bytes at x+120"},
		{"a read of what is not set", []string{"MOVQ (DI), AX"}, "reads 8 bytes at y+0 (of 128 bytes), which is not all set"},
		{"a read of what was written", []string{"MOVQ (SI), AX", "MOVQ AX, 8(DI)", "MOVQ 8(DI), BX"}, ""},
		{"a write to what is only read", []string{"MOVQ DI, (SI)"}, "writes 8 bytes at x+0"},
		{"a write behind a buffer", []string{"MOVQ SI, 124(DI)"}, "writes 8 bytes at y+124"},
		{"a write over the return address", []string{"MOVQ SI, (SP)"}, "writes 8 bytes at stack+4096"},
		{"a write over an argument", []string{"MOVQ SI, y+8(FP)"}, ""},
		{"a write over the caller's frame", []string{"MOVQ SI, 24(SP)"}, "writes 8 bytes at arguments+16"},
		{"a read far away", []string{"XORL AX, AX", "MOVQ (AX), AX"}, "0x0, which is near no buffer"},
		{"a general register that is not set", []string{"ADDQ R8, SI", "MOVQ SI, (DI)"}, "MOVQ SI, (DI): stores what depends on SI, which is not set"},
		{"an address that is not set", []string{"MOVQ R8, R9", "MOVQ (SI)(R9*1), AX"}, "depends on R9, which is not set"},
		{"a vector register that is not set", []string{"VMOVDQA64 Z1, Z2", "VPADDQ Z2, Z2, Z3", "VMOVDQU64 Z3, (DI)"}, "stores what depends on Z3"},
		{"a vector register that is not set, not used", []string{"VPADDQ Z2, Z2, Z3", "VZEROUPPER"}, ""},
		{"a vector register that is not set, and then is", []string{"VPADDQ Z2, Z2, Z3", "VMOVDQU64 (SI), Z3", "VMOVDQU64 Z3, (DI)", "VZEROUPPER"}, ""},
		{"a vector that is added to", []string{"VPXORQ Z1, Z1, Z1", "VPMADD52LUQ Z1, Z1, Z2", "VMOVDQU64 Z2, (DI)"}, "depends on Z2"},
		{"a merge into a vector that is not set", []string{"MOVL $1, AX", "KMOVB AX, K1", "VMOVDQU64 (SI), K1, Z0", "VMOVDQU64 Z0, (DI)"}, "depends on Z0"},
		{"a mask that is not set", []string{"VMOVDQU64.Z (SI), K1, Z0", "VMOVDQU64 Z0, (DI)"}, "depends on Z0"},
		{"a mask of a store that is not set", []string{"VMOVDQU64 (SI), Z0", "VMOVDQU64 Z0, K1, (DI)"}, "depends on K1"},
		{"flags that are not set", []string{"JEQ done"}, "depends on ZF"},
		{"flags of what is not set", []string{"CMPQ R8, R9", "JCS done"}, "depends on CF"},
		{"a choice by flags that are not set", []string{"CMOVQEQ SI, DI", "MOVQ SI, (DI)"}, "depends on DI"},
		{"flags that IMUL leaves undefined", []string{"IMULQ SI, SI", "JEQ done"}, "depends on ZF"},
		{"flags that shifts leave undefined", []string{"SHLQ $3, SI", "JOS done"}, "depends on OF"},
		{"zeros made of what is not set", []string{"XORL R8, R8", "VPXORQ Z1, Z1, Z1", "VPTERNLOGD $255, Z2, Z2, Z2", "VZEROUPPER", "JEQ done"}, ""},
		{"a branch on a secret", []string{"MOVQ (SI), AX", "TESTQ AX, AX", "JEQ done"}, "the branch depends on a secret: ZF"},
		{"a branch on a secret that went through memory", []string{"VMOVDQU64 (SI), Z0", "VPSRLQ $52, Z0, Z0", "VMOVDQU64 Z0, (DI)", "VZEROUPPER", "CMPQ 56(DI), $0", "JEQ done"}, "the branch depends on a secret: ZF"},
		{"a branch on a secret mask", []string{"VMOVDQU64 (SI), Z0", "VPTESTMQ Z0, Z0, K1", "KMOVB K1, AX", "DECQ AX", "VZEROUPPER", "JNE done"}, "the branch depends on a secret: ZF"},
		{"an index that is secret", []string{"MOVQ (SI), AX", "ANDQ $1, AX", "MOVQ (SI)(AX*8), AX"}, "the address depends on a secret: AX"},
		{"an address made of a secret", []string{"MOVQ (SI), AX", "LEAQ (DI)(AX*1), AX", "MOVQ (AX), AX"}, "the address depends on a secret: AX"},
		{"a sum of secrets", []string{"MOVQ (SI), AX", "MOVQ 8(SI), CX", "LEAQ (AX)(CX*1), AX", "MOVQ AX, (DI)"}, ""},
		{"a branch on a sum of secrets", []string{"MOVQ (SI), AX", "LEAQ 1(AX), AX", "DECQ AX", "JEQ done"}, "the branch depends on a secret: ZF"},
		{"a choice without a branch", []string{"MOVQ (SI), AX", "XORL BX, BX", "TESTQ AX, AX", "CMOVQEQ SI, BX", "MOVQ BX, (DI)"}, ""},
		{"a branch on what was secret", []string{"MOVQ (SI), AX", "MOVL $1, AX", "DECQ AX", "JEQ done"}, ""},
		{"R14", []string{"XORL R14, R14"}, "R14 is changed"},
		{"BP", []string{"MOVQ SI, BP"}, "BP is changed"},
		{"BP, saved", []string{"PUSHQ BP", "MOVQ SI, BP", "POPQ BP"}, ""},
		{"BP, saved and then used", []string{"PUSHQ BP", "MOVQ SI, BP", "POPQ BP", "MOVQ BP, (DI)"}, "depends on BP"},
		{"a stack that is not even", []string{"SUBQ $8, SP"}, "returns with the stack pointer -8 bytes off"},
		{"no VZEROUPPER", []string{"VMOVDQU64 (SI), Z0"}, "no VZEROUPPER"},
		{"no VZEROUPPER behind a narrower vector", []string{"VMOVDQU64 (SI), Y20"}, "no VZEROUPPER"},
		{"no VZEROUPPER, not needed", []string{"VMOVDQU64 (SI), X0"}, ""},
		{"a store of some words to what is not set", []string{"MOVL $0x7fffffff, AX", "KMOVD AX, K1", "VMOVDQU16 (SI), Z0", "VMOVDQU16 Z0, K1, (DI)", "MOVQ (DI), AX"}, "reads 8 bytes at y+0 (of 128 bytes), which is not all set"},
		{"a store of all words under a mask", []string{"MOVL $-1, AX", "KMOVD AX, K1", "VMOVDQU16 (SI), Z0", "VMOVDQU16 Z0, K1, (DI)", "MOVQ (DI), AX", "VZEROUPPER"}, ""},
		{"a store of all words, but bytes are meant", []string{"MOVL $-1, AX", "KMOVD AX, K1", "VMOVDQU8 (SI), Z0", "VMOVDQU8 Z0, K1, (DI)", "MOVQ (DI), AX"}, "which is not all set"},
		{"a branch on what a masked store may have changed", []string{"VPXORQ Z0, Z0, Z0", "VMOVDQU32 Z0, (DI)", "MOVL $2, AX", "KMOVW AX, K1", "VMOVDQU32 (SI), Z0", "VMOVDQU32 Z0, K1, (DI)", "VZEROUPPER", "CMPQ 56(DI), $0", "JEQ done"}, "the branch depends on a secret: ZF"},
		{"a part of a vector", []string{"VBROADCASTI32X4 112(SI), Z0", "VEXTRACTI64X4 $1, Z0, 96(DI)", "MOVQ 120(DI), AX", "VZEROUPPER"}, ""},
		{"a part of a vector behind a buffer", []string{"VMOVDQU16 (SI), Z0", "VEXTRACTI64X4 $1, Z0, 104(DI)"}, "writes 32 bytes at y+104"},
		{"a broadcast from behind a buffer", []string{"VPBROADCASTW 126(SI), Z0", "VPBROADCASTW 127(SI), Z0"}, "reads 2 bytes at x+127"},
		{"a blend that leaves nothing of the destination", []string{"MOVL $1, AX", "KMOVD AX, K1", "VMOVDQU16 (SI), Z0", "VPBLENDMW Z0, Z0, K1, Z1", "VMOVDQU16 Z1, (DI)", "VZEROUPPER"}, ""},
		{"a blend with what is not set", []string{"MOVL $1, AX", "KMOVD AX, K1", "VMOVDQU16 (SI), Z0", "VPBLENDMW Z0, Z2, K1, Z1", "VMOVDQU16 Z1, (DI)"}, "depends on Z1"},
		{"constants made of vectors that are not set", []string{"VPSUBW Y1, Y1, Y1", "VPCMPEQD Y2, Y2, Y2", "VPCMPGTW Y3, Y3, Y3", "VMOVDQU Y1, (DI)", "VMOVDQU Y2, (DI)", "VMOVDQU Y3, (DI)", "VZEROUPPER"}, ""},
		{"a branch on an element that is secret", []string{"VMOVDQU (SI), X0", "VMOVD X0, AX", "TESTL AX, AX", "JEQ done"}, "the branch depends on a secret: ZF"},
		{"an address that is not aligned", []string{"VMOVDQA64 8(SI), Z0"}, "not a multiple of 64"},
	}
	var bodies [][]string
	for _, tt := range tests {
		bodies = append(bodies, slices.Concat([]string{pointers}, tt.code, []string{"done:", "RET"}))
	}
	programs := assemble(t, bodies...)
	for n, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			mem := NewMemory(1<<40, 1<<14)
			m := New(mem)
			x, y := mem.Alloc("x", 128, 0), mem.Alloc("y", 128, 0)
			x.Define(true)
			err := m.Run(Call{Program: programs[n], Args: []uint64{x.Addr, y.Addr}, Grants: []Grant{{x, Read}, {y, ReadWrite}}})
			var fault *Fault
			switch {
			case tt.fault == "" && err != nil:
				t.Errorf("%v", err)
			case tt.fault != "" && !errors.As(err, &fault):
				t.Errorf("no fault")
			case tt.fault != "" && !strings.Contains(err.Error(), tt.fault):
				t.Errorf("fault %q, not %q", err, tt.fault)
			}
		})
	}
}

// TestTraceDifference: two runs that differ are told apart, and where.
func TestTraceDifference(t *testing.T) {
	ps := assemble(t,
		[]string{"MOVQ x+0(FP), SI", "MOVQ (SI), AX", "TESTQ AX, AX", "JEQ done", "INCQ AX", "done:", "RET"},
		[]string{"MOVQ x+0(FP), SI", "MOVQ (SI), AX", "MOVQ 8(SI)(AX*8), AX", "RET"})
	for _, tt := range []struct {
		name       string
		p          *Program
		difference string
	}{
		{"branch", ps[0], "event 6: f0+16: RET is executed; and with the other secrets f0+13: INCQ AX is executed"},
		{"index", ps[1], "event 5: f1+8: MOVQ 8(SI)(AX*8), AX reads x+8 (of 64 bytes); and with the other secrets f1+8: MOVQ 8(SI)(AX*8), AX reads x+16 (of 64 bytes)"},
	} {
		mem := NewMemory(1<<40, 1<<14)
		m := New(mem)
		x := mem.Alloc("x", 64, 0)
		x.Define(false) // the marks would stop the program
		run := func(secret uint64) *Trace {
			x.SetWord(0, secret)
			m.Trace = &Trace{}
			m.Trace.Keep()
			if err := m.Run(Call{Program: tt.p, Args: []uint64{x.Addr, 0}, Grants: []Grant{{x, Read}}}); err != nil {
				t.Fatal(err)
			}
			return m.Trace
		}
		a, b := run(0), run(1)
		if a.Equal(b) {
			t.Errorf("%s: not noticed", tt.name)
		}
		if got := a.Difference(b, mem); got != tt.difference {
			t.Errorf("%s: %s", tt.name, got)
		}
		if b.Equal(run(2)) != (tt.name == "branch") {
			t.Errorf("%s: another secret", tt.name)
		}
	}
}
