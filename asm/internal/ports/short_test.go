package ports_test

import (
	"math"
	"regexp"
	"testing"

	"residue/asm/internal/ports"
	"residue/asm/internal/x86"
)

var zmm = regexp.MustCompile(`Z(\d)`)

// TestShortElements: instructions on elements of 8, 16 and 32 bits cost what was
// measured on a Sapphire Rapids: cycles for one among others of its kind, for one and a
// shift (port 0), for one and an alignment (port 5), all at 512 bits; for one among
// others of its kind at 256 bits; and the latency.
func TestShortElements(t *testing.T) {
	const third, sixth = 1. / 3, 1. / 6
	tests := []struct {
		line                        string
		alone, shift, align, narrow float64
		latency                     int
	}{
		{"VPADDW Z14, Z15, Z0", 0.5, 1, 1, third, 1},
		{"VPMULLW Z14, Z15, Z0", 0.5, 1, 1, 0.5, 5},
		{"VPMADDWD Z14, Z15, Z0", 0.5, 1, 1, 0.5, 5},
		{"VPMULDQ Z14, Z15, Z0", 0.5, 1, 1, 0.5, 5},
		{"VPDPWSSD Z14, Z15, Z0", 0.5, 1, 1, 0.5, 5},
		{"VPMULLD Z14, Z15, Z0", 1, 1.5, 1.5, 1, 10},
		{"VPMINSW Z14, Z15, Z0", 1, 2, 1, 0.5, 1},
		{"VPABSW Z14, Z0", 1, 2, 1, 0.5, 1},
		{"VPSRAW $3, Z14, Z0", 1, 2, 1, 0.5, 1},
		{"VPROLD $3, Z14, Z0", 1, 2, 1, 0.5, 1},
		{"VPSHLDW $3, Z14, Z15, Z0", 1, 2, 1, 0.5, 1},
		{"VPUNPCKLWD Z14, Z15, Z0", 1, 1, 2, 0.5, 1},
		{"VPSHUFB Z14, Z15, Z0", 1, 1, 2, 0.5, 1},
		{"VMOVSHDUP Z14, Z0", 1, 1, 2, 0.5, 1},
		{"VMOVSHDUP Z14, K1, Z0", 1, 1, 2, 0.5, 1},
		{"VPALIGNR $3, Z14, Z15, Z0", 1, 1, 2, 1, 1},
		{"VPERMW Z14, Z15, Z0", 1, 2, 2, 1, 3},
		{"VPERMD Z14, Z15, Z0", 1, 1, 2, 1, 3},
		{"VPERMT2W Z14, Z15, Z0", 2, 2, 3, 2, 7},
		{"VPERMT2D Z14, Z15, Z0", 1, 1, 2, 1, 3},
		{"VSHUFI64X2 $3, Z14, Z15, Z0", 1, 1, 2, 1, 3},
		{"VPACKUSDW Z14, Z15, Z0", 1, 1, 2, 1, 3},
		{"VPBLENDMD Z14, Z15, K1, Z0", 0.5, 1, 1, third, 1},
		{"VPBLENDMW Z14, Z15, K1, Z0", 0.5, 1, 1, third, 3},
		{"VPADDW Z14, Z15, K1, Z0", 0.5, 1, 1, third, 3},
		{"VPADDD Z14, Z15, K1, Z0", 0.5, 1, 1, third, 1},
		{"VMOVDQU16.Z Z14, K1, Z0", 0.5, 1, 1, third, 3},
		{"VPBROADCASTW AX, Z0", 1, 1, 2, 1, 3},
		{"VPCMPGTW Z14, Z15, K1", 1, 1, 2, 1, 3},
		{"VPSUBW Z14, Z14, Z0", sixth, 1, 1, sixth, 0},
		{"VPMOVDW Z14, Y0", 2, 2, 3, 1, 4},
		{"VINSERTI64X4 $1, Y14, Z15, Z0", 1, 1, 2, 0, 3},
		{"VINSERTI32X4 $1, (SI), Z15, Z0", 0.5, 1, 1, third, 1},
		{"VEXTRACTI32X4 $1, Z14, X0", 1, 1, 2, 1, 3},
		{"VMOVSHDUP (SI), Z0", 0.5, 1, 1, third, 8},
		{"VPBROADCASTW (SI), Z0", 1, 1, 2, 1, 3},
	}
	var programs [][]string
	for _, tt := range tests {
		line := tt.line
		programs = append(programs, []string{line}, []string{line, "VPSRLQ $3, Z14, Z1"}, []string{line, "VALIGNQ $1, Z14, Z14, Z1"})
		if tt.narrow == 0 {
			programs = append(programs, nil) // there is none
			continue
		}
		line = regexp.MustCompile(`Y(\d)`).ReplaceAllString(line, "X$1")
		programs = append(programs, []string{zmm.ReplaceAllString(line, "Y$1")})
	}
	decoded := decode(t, programs...)
	for i, tt := range tests {
		for j, want := range []float64{tt.alone, tt.shift, tt.align, tt.narrow} {
			insts := decoded[4*i+j]
			if got := bound(insts); math.Abs(got-want) > 1e-9 {
				t.Errorf("%s, case %d: %.2f cycles, measured were %.2f", tt.line, j, got, want)
			}
		}
		if got := ports.GoldenCove.Latency(&decoded[4*i][0]); got != tt.latency {
			t.Errorf("%s: latency %d, measured was %d", tt.line, got, tt.latency)
		}
	}
}

// bound is what the ports of a Golden Cove need for instructions.
func bound(insts []x86.Inst) float64 {
	runs := make([]int, len(insts))
	for i := range runs {
		runs[i] = 1
	}
	cycles, _ := ports.Count([]ports.Counted{{Insts: insts, Runs: runs}}).Bound(ports.GoldenCove)
	return cycles
}

// TestVectorConstants: a difference of a vector with itself costs no port, ones made
// by a comparison do.
func TestVectorConstants(t *testing.T) {
	for i, insts := range decode(t, []string{"VPSUBD Y1, Y1, Y2"}, []string{"VPCMPGTW Y1, Y1, Y2"}, []string{"VPCMPEQW Y1, Y1, Y2"}, []string{"VPCMPEQW Y1, Y3, Y2"}, []string{"VPSUBW (SI), Y1, Y2"}) {
		free := ports.Classes(&insts[0], false)[0] == ports.Free
		if want := i < 2; free != want {
			t.Errorf("%s: free %v, not %v", insts[0].String(), free, want)
		}
	}
}

// TestShortPath: a chain of Montgomery products of 16 bits with a subtraction.
func TestShortPath(t *testing.T) {
	product := []string{"VPMULLW Z14, Z0, Z1", "VPMULHW Z14, Z0, Z2", "VPMULHW Z15, Z1, Z1", "VPSUBW Z1, Z2, Z0"}
	for i, insts := range decode(t, repeat(10, product...), repeat(10, "VPADDW Z1, Z0, K1, Z0"), repeat(10, "VPADDD Z1, Z0, K1, Z0"), repeat(10, "VPERMW Z0, Z1, Z0")) {
		want := []int{10*(5+5+1+1+1) - 1, 30, 10, 30}[i]
		if got := flow(false, insts); got != want {
			t.Errorf("%s: a path of %d cycles, want %d", insts[0].String(), got, want)
		}
	}
}
