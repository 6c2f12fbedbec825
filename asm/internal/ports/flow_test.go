package ports_test

import (
	"fmt"
	"strings"
	"testing"

	"residue/asm/internal/object"
	"residue/asm/internal/ports"
	"residue/asm/internal/x86"
)

// decode returns what the assembler makes of programs.
func decode(t *testing.T, programs ...[]string) (insts [][]x86.Inst) {
	t.Helper()
	var source object.Source
	source.Stubs = "package p\n"
	for i, lines := range programs {
		source.Asm += fmt.Sprintf("TEXT ·f%d(SB), 4, $0-0\n\t%s\n\tRET\n", i, strings.Join(lines, "\n\t"))
		source.Stubs += fmt.Sprintf("\nfunc f%d()\n", i)
	}
	fns, err := source.Assemble()
	if err != nil {
		t.Fatal(err)
	}
	for i := range programs {
		in, err := x86.Decode(fns[fmt.Sprint("f", i)].Code)
		if err != nil {
			t.Fatal(err)
		}
		insts = append(insts, in[:len(in)-1])
	}
	return insts
}

// flow follows code that is executed once; all accesses are at their displacements.
func flow(limited bool, insts []x86.Inst) int {
	f := ports.NewFlow(ports.GoldenCove, true, limited)
	for i := range insts {
		in := &insts[i]
		var accesses []ports.Access
		if m := in.Mem(); m != nil && in.Loads() {
			accesses = append(accesses, ports.Access{Addr: uint64(m.Disp), Bytes: m.Bytes})
		}
		if m := in.Mem(); m != nil && in.Stores() {
			accesses = append(accesses, ports.Access{Addr: uint64(m.Disp), Bytes: m.Bytes, Store: true})
		}
		f.Step(in, false, accesses)
	}
	return f.Cycles()
}

// repeat returns lines n times.
func repeat(n int, lines ...string) (all []string) {
	for range n {
		all = append(all, lines...)
	}
	return all
}

// TestFlow: paths of latencies, and what ports and room add to them.
func TestFlow(t *testing.T) {
	tests := []struct {
		name          string
		lines         []string
		path, limited int
	}{
		{"a chain of multiply-adds", repeat(100, "VPMADD52LUQ Z1, Z2, Z0"), 400, 400},
		{"one that begins anew", repeat(100, "VPXORQ Z0, Z0, Z0", "VPMADD52LUQ Z1, Z2, Z0"), 4, 49 + 4},
		{"eight chains", repeat(100, "VPMADD52LUQ Z1, Z2, Z10", "VPMADD52LUQ Z1, Z2, Z11", "VPMADD52LUQ Z1, Z2, Z12", "VPMADD52LUQ Z1, Z2, Z13",
			"VPMADD52LUQ Z1, Z2, Z14", "VPMADD52LUQ Z1, Z2, Z15", "VPMADD52LUQ Z1, Z2, Z16", "VPMADD52LUQ Z1, Z2, Z17"), 400, 403},
		{"shifts, on one port", repeat(100, "VPSRLQ $1, Z1, Z0"), 1, 100},
		{"from one unit to another and back", repeat(100, "VPMADD52LUQ Z1, Z2, Z0", "VPADDQ Z1, Z0, Z0"), 699, 699},
		{"a pointer through memory", repeat(10, "MOVQ 8(AX), AX"), 50, 50},
		{"a store and a load of it", repeat(10, "VMOVDQU64 Z0, 64(AX)", "VMOVDQU64 64(AX), Z0"), 80, 80},
		{"a store and a load beside it", repeat(10, "VMOVDQU64 Z0, 64(AX)", "VMOVDQU64 128(AX), Z0"), 8, 16},
		{"masks", []string{"VPCMPUQ $1, Z0, Z1, K1", "KADDB K1, K1, K2", "VPADDQ Z1, Z0, K2, Z0"}, 8, 8},
		{"carries", repeat(10, "ADCQ AX, BX"), 10, 10},
		{"a result of two halves", []string{"MULXQ AX, BX, CX", "ADDQ CX, R8"}, 5, 5},
	}
	var programs [][]string
	for _, tt := range tests {
		programs = append(programs, tt.lines)
	}
	for i, insts := range decode(t, programs...) {
		tt := tests[i]
		if got := flow(false, insts); got != tt.path {
			t.Errorf("%s: a path of %d cycles, want %d", tt.name, got, tt.path)
		}
		if got := flow(true, insts); got != tt.limited {
			t.Errorf("%s: %d cycles on a core, want %d", tt.name, got, tt.limited)
		}
	}
}

// TestFlowRoom: what waits fills the core, and what comes later cannot start.
func TestFlowRoom(t *testing.T) {
	long := decode(t, append(repeat(600, "VPMADD52LUQ Z1, Z2, Z0"), repeat(100, "VPMADD52HUQ Z1, Z2, Z3")...))[0]
	// 100 of the later chain can begin only when all but the 97 last of the first have.
	if got := flow(true, long); got < 4*(600-97)+4*100 || got > 4*600+4*100 {
		t.Errorf("%d cycles", got)
	}
	if got := flow(false, long); got != 2400 {
		t.Errorf("a path of %d cycles", got)
	}
}
