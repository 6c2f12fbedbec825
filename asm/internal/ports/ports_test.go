package ports

import (
	"slices"
	"testing"

	"residue/asm/internal/x86"
)

func TestBound(t *testing.T) {
	for _, tt := range []struct {
		name string
		use  use
		want float64
		busy Set
	}{
		{"nothing", use{}, 0, 0},
		{"two ports", use{on(0, 5): 10}, 5, on(0, 5)},
		{"shifts that fit beside madds", use{on(0, 5): 10, on(0): 4}, 7, on(0, 5)},
		{"shifts that do not", use{on(0, 5): 2, on(0): 10}, 10, on(0)},
		{"ports apart", use{on(0, 5): 10, on(2, 3): 12}, 6, on(2, 3)},
		{"three kinds on three ports", use{on(0, 1): 4, on(1, 2): 4, on(0, 2): 4}, 4, on(0, 1, 2)},
	} {
		if got, busy := tt.use.bound(); got != tt.want || busy != tt.busy {
			t.Errorf("%s: %g cycles, ports %b, want %g, %b", tt.name, got, busy, tt.want, tt.busy)
		}
	}
}

// TestLimits: what takes at least half as long as everything is listed.
func TestLimits(t *testing.T) {
	v := register(x86.V0)
	imm := x86.Arg{Kind: x86.Immediate, Imm: 1}
	tally := Count([]Counted{{Insts: []x86.Inst{
		*made(t, "VPMADD52LUQ", 64, v, register(x86.V0+1), register(x86.V0+2)),
		*made(t, "VPSRLQ", 64, v, register(x86.V0+1), imm),
		*made(t, "VALIGNQ", 64, v, register(x86.V0+1), register(x86.V0+2), imm),
	}, Runs: []int{10, 6, 2}}})
	if got, want := tally.Kinds(), []Kind{{"multiply-adds", 10}, {"shifts", 6}, {"shuffles", 2}}; !slices.Equal(got, want) {
		t.Errorf("kinds %v, want %v", got, want)
	}
	for m, want := range map[*Model][]Limit{
		GoldenCove: {{"ports 0, 5", 9}, {"ports 0", 6}},
		Zen5:       {{"ports 0, 1, 2", 6}, {"ports 0, 1", 5}, {"ports 1, 2", 4}},
	} {
		if got := tally.Limits(m); !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", m.Name, got, want)
		}
	}
}

// TestConnected: sets hang together through ports that they share.
func TestConnected(t *testing.T) {
	u := use{on(0, 5): 1, on(0): 1, on(5, 6): 1, on(2, 3): 1}
	for s, want := range map[Set]bool{
		on(0): true, on(0, 5): true, on(0, 5, 6): true, on(5, 6): true, on(2, 3): true,
		on(0, 2, 3): false, on(0, 5, 6, 2, 3): false, on(0, 6): false,
	} {
		if got := u.connected(s); got != want {
			t.Errorf("ports %b: %v, want %v", s, got, want)
		}
	}
}

// TestClassNames: every class has a name of its own.
func TestClassNames(t *testing.T) {
	seen := map[string]bool{}
	for c := range numClasses {
		if name := c.String(); name == "" || seen[name] {
			t.Errorf("class %d is %q", c, name)
		} else {
			seen[name] = true
		}
	}
}

// made returns an instruction on registers of its own.
func made(t *testing.T, name string, vector int, args ...x86.Arg) *x86.Inst {
	t.Helper()
	in, err := x86.Make(name, x86.K0, false, vector, args...)
	if err != nil {
		t.Fatal(err)
	}
	return &in
}

func register(r x86.Reg) x86.Arg { return x86.Arg{Reg: r} }

// TestCycle: a cycle takes what its ports and slots have room for, in any order.
func TestCycle(t *testing.T) {
	v := register(x86.V0)
	imm := x86.Arg{Kind: x86.Immediate, Imm: 1}
	madd := made(t, "VPMADD52LUQ", 64, v, register(x86.V0+1), register(x86.V0+2))
	shift := made(t, "VPSRLQ", 64, v, register(x86.V0+1), imm)
	shuffle := made(t, "VALIGNQ", 64, v, register(x86.V0+1), register(x86.V0+2), imm)
	add := made(t, "ADDQ", 0, register(x86.AX), register(x86.CX))
	for _, tt := range []struct {
		name string
		ins  []*x86.Inst
		left int // how many do not fit
	}{
		{"two madds", []*x86.Inst{madd, madd}, 0},
		{"three", []*x86.Inst{madd, madd, madd}, 1},
		{"a madd that moves over", []*x86.Inst{madd, shift}, 0},
		{"and one that cannot", []*x86.Inst{shift, madd, shuffle}, 1},
		{"two shifts", []*x86.Inst{shift, shift}, 1},
		{"madds and additions", []*x86.Inst{madd, madd, add, add, add, add}, 1},
	} {
		c := NewCycle(GoldenCove, true)
		for range 2 {
			left := 0
			for _, in := range tt.ins {
				if !c.Take(in) {
					left++
				}
			}
			if left != tt.left {
				t.Errorf("%s: %d are left, not %d", tt.name, left, tt.left)
			}
			c.Clear()
		}
	}
}

// TestClasses: every operation on registers has a class, and every class ports and
// a latency on every core.
func TestClasses(t *testing.T) {
	regs := []x86.Arg{register(x86.CX), register(x86.DX), register(x86.BX), register(x86.SI)}
	for op := range x86.NumOps {
		switch op {
		case x86.NOP, x86.VZEROUPPER, x86.PUSH, x86.POP:
			continue
		}
		for _, name := range op.Names() {
			if classes := operation(made(t, name, 64, regs[:x86.Operands(name)]...)); len(classes) == 0 {
				t.Errorf("%s has no class", name)
			}
		}
	}
	for _, m := range Models {
		for c := Free + 1; c < numClasses; c++ {
			if len(m.wide[c]) == 0 || len(m.narrow[c]) == 0 {
				t.Errorf("%s has no ports for class %d", m.Name, c)
			}
			if m.latency[c] == 0 && c != Store && c != VectorStore {
				t.Errorf("%s has no latency for class %d", m.Name, c)
			}
		}
	}
}
