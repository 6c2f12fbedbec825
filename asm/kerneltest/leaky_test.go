package kerneltest

import (
	"strings"
	"testing"
)

// TestLeaky: kernels with faults do not pass. Leaks are found twice: by the marks
// of secrets, and without those by comparing traces.
func TestLeaky(t *testing.T) {
	rs, err := Load("testdata/leaky_amd64")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		marks string // what is said of a run in which x is a secret
		trace string // what is said of runs with different x; empty if they are the same
	}{
		{"sound", "", ""},
		{"branches", "JEQ 53: the branch depends on a secret: ZF", "branches+47: VMOVDQU64 Z0, (DI) is executed"},
		{"stops", "the branch depends on a secret: ZF", "stops+"},
		{"indexes", "VMOVDQU64 (SI)(AX*1), Z0: the address depends on a secret: AX", "reads x+"},
		{"scatters", "MOVQ AX, (DI)(AX*8): the address depends on a secret: AX", "writes y+"},
		{"beyond", "reads 64 bytes at x+512 (of 512 bytes), which this call must not read", "same"},
		{"overwrites", "writes 64 bytes at y+480 (of 512 bytes), which this call must not write", "same"},
		{"operand", "writes 8 bytes at x+0 (of 512 bytes), which this call must not write", "same"},
		{"garbage", "stores what depends on Z1, which is not set", "same"},
		{"clobbers", "R14 is changed", "same"},
		{"frame", "BP is changed", "same"},
		{"upper", "no VZEROUPPER since the last wide vector", "same"},
		{"forever", "instructions and no end", "same"},
	} {
		l := NewLab(1<<14, rs)
		l.area, l.OnCPU = nil, nil // some would crash
		x, y := l.Alloc("x", 64), l.Alloc("y", 64)
		l.Limit = 1 << 16
		run := func(secret int) error {
			words := make([]uint64, 64)
			for i := range words {
				words[i] = uint64(secret * (i + 1) % 8)
			}
			l.Set(x, words, false)
			return l.Call(tt.name, map[string]Operand{"x": In(x), "y": OutPart(y)})
		}
		says := func(err error, what string) {
			t.Helper()
			switch {
			case what == "" && err != nil:
				t.Errorf("%s: %v", tt.name, err)
			case what != "" && err == nil:
				t.Errorf("%s: nothing is found", tt.name)
			case what != "" && !strings.Contains(err.Error(), what):
				t.Errorf("%s: found %q, not %q", tt.name, err, what)
			}
		}
		says(run(1), tt.marks)
		if tt.trace == "same" {
			continue
		}
		l.Public = true
		says(l.SameTraces(3, run), tt.trace)
	}
}
