package machine

import (
	"fmt"
	"strings"
	"testing"

	"residue/asm/internal/x86"
)

// shortTests are instructions on elements of 8, 16 and 32 bits, and on parts of
// vectors, on the same registers and memory as vectorTests.
var shortTests = func() (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	each := func(names string, f func(op string)) {
		for _, op := range strings.Fields(names) {
			f(op)
		}
	}
	for _, l := range []string{"Z", "Y", "X"} {
		bcst := func(op, format string, args ...any) {
			if !noBroadcast[op] {
				add(format, args...)
			}
		}
		three := "VPADDW VPADDD VPSUBW VPSUBD VPMULLW VPMULLD VPMULHW VPMULHUW VPMULHRSW VPMULDQ VPMULUDQ VPMADDWD VPDPWSSD VPMINSW VPMINSD VPMINUW VPMINUD VPMAXSW VPMAXSD VPMAXUW VPMAXUD VPUNPCKLWD VPUNPCKLDQ VPUNPCKLQDQ VPUNPCKHWD VPUNPCKHDQ VPUNPCKHQDQ VPACKSSDW VPACKUSDW VPSHUFB VPBLENDMW VPBLENDMD VPBLENDMQ VPERMW VPERMI2W VPERMI2D VPERMT2W VPERMT2D"
		if l != "X" {
			three += " VPERMD"
		}
		each(three, func(op string) {
			add("%s %s0, %s1, %s2", op, l, l, l)
			add("%s %s2, %s2, %s2", op, l, l, l)
			add("%s %s3, %s3, K1, %s3", op, l, l, l)
			add("%s %s0, %s1, K2, %s1", op, l, l, l)
			add("%s (SI), %s1, K1, %s2", op, l, l)
			add("%s.Z 8(SI), %s1, K2, %s2", op, l, l)
			bcst(op, "%s.BCST 20(SI), %s1, %s1", op, l, l)
			bcst(op, "%s.BCST.Z 8(SI), %s1, K1, %s3", op, l, l)
		})
		each("VPABSW VPABSD VMOVSLDUP VMOVSHDUP", func(op string) {
			add("%s %s0, %s2", op, l, l)
			add("%s %s1, K1, %s2", op, l, l)
			add("%s.Z 4(SI), K2, %s2", op, l)
			bcst(op, "%s.BCST 12(SI), %s2", op, l)
		})
		each("VPSHLDW VPSHLDD VPSHRDW VPSHRDD", func(op string) {
			for _, n := range []int{0, 1, 13, 16, 31, 33} {
				add("%s $%d, %s0, %s1, %s2", op, n, l, l, l)
			}
			add("%s $13, (SI), %s1, K1, %s1", op, l, l)
			bcst(op, "%s.BCST.Z $13, (SI), %s1, K1, %s1", op, l, l)
		})
		each("VPSRLW VPSRLD VPSLLW VPSLLD VPSRAW VPSRAD VPROLD VPRORD", func(op string) {
			for _, n := range []int{0, 1, 13, 15, 16, 31, 32, 64, 255} {
				add("%s $%d, %s0, %s4", op, n, l, l)
			}
			add("%s $7, (SI), K1, %s4", op, l)
			add("%s.Z $7, %s3, K2, %s4", op, l, l)
			bcst(op, "%s.BCST $5, 4(SI), %s1", op, l)
		})
		each("VPSHUFD VPSHUFLW VPSHUFHW", func(op string) {
			for _, n := range []int{0x1b, 0xe4, 0x93, 0xff} {
				add("%s $%d, %s0, %s4", op, n, l, l)
			}
			add("%s $0x4e, (SI), K1, %s4", op, l)
			bcst(op, "%s.BCST $5, 4(SI), %s1", op, l)
		})
		threeI := "VSHUFPS VPALIGNR VALIGND"
		if l != "X" {
			threeI += " VSHUFI32X4 VSHUFI64X2"
		}
		each(threeI, func(op string) {
			for _, n := range []int{0, 1, 5, 13, 16, 27, 31, 32, 0x44, 0xee, 0xd8, 255} {
				add("%s $%d, %s0, %s1, %s2", op, n, l, l, l)
			}
			add("%s $6, (SI), %s1, K1, %s1", op, l, l)
			add("%s.Z $9, %s3, %s1, K2, %s3", op, l, l, l)
			bcst(op, "%s.BCST $0x8d, 8(SI), %s1, %s2", op, l, l)
		})
		each("VMOVDQU8 VMOVDQU16 VMOVDQU32 VMOVDQA32", func(op string) {
			at := map[bool]string{true: "(SI)", false: "6(SI)"}[op == "VMOVDQA32"]
			add("%s %s, %s5", op, at, l)
			add("%s %s, K1, %s5", op, at, l)
			add("%s.Z %s, K2, %s5", op, at, l)
			add("%s %s3, %s", op, l, at)
			add("%s %s3, K1, %s", op, l, at)
			add("%s %s3, %s1", op, l, l)
			add("%s %s3, K2, %s1", op, l, l)
			add("%s.Z %s3, K2, %s1", op, l, l)
		})
		each("VPCMPEQW VPCMPEQD VPCMPGTW VPCMPGTD", func(op string) {
			add("%s %s3, %s1, K1", op, l, l)
			add("%s %s3, %s1, K1, K2", op, l, l)
			add("%s (SI), %s1, K2", op, l)
			bcst(op, "%s.BCST 4(SI), %s1, K1, K1", op, l)
		})
		each("VPCMPW VPCMPD VPCMPUW VPCMPUD", func(op string) {
			for n := range 8 {
				add("%s $%d, %s3, %s1, K2", op, n, l, l)
			}
			add("%s $1, (SI), %s1, K2, K2", op, l)
			bcst(op, "%s.BCST $6, 8(SI), %s1, K1", op, l)
		})
		each("VPBROADCASTW VPBROADCASTD", func(op string) {
			add("%s 10(SI), %s1", op, l)
			add("%s 10(SI), K1, %s1", op, l)
			add("%s.Z X3, K1, %s1", op, l)
			add("%s X3, %s1", op, l)
			add("%s CX, K2, %s1", op, l)
		})
		half := map[string]string{"Z": "Y", "Y": "X", "X": "X"}[l]
		add("VPMOVDW %s1, %s2", l, half)
		add("VPMOVDW %s1, K1, %s1", l, half)
		add("VPMOVDW.Z %s1, K2, %s3", l, half)
	}
	add("VBROADCASTI64X4 8(SI), Z2")
	add("VBROADCASTI64X4.Z 8(SI), K1, Z2")
	for _, l := range []string{"Z", "Y"} {
		parts := []string{"32X4 X", "64X2 X"}
		add("VBROADCASTI32X4 4(SI), %s2", l)
		add("VBROADCASTI32X4 4(SI), K1, %s2", l)
		if l == "Z" {
			parts = append(parts, "64X4 Y")
		}
		for _, part := range parts {
			name, letter, _ := strings.Cut(part, " ")
			for _, n := range []int{0, 1, 2, 3, 255} {
				add("VINSERTI%s $%d, %s0, %s1, %s2", name, n, letter, l, l)
				add("VEXTRACTI%s $%d, %s0, %s2", name, n, l, letter)
			}
			add("VINSERTI%s.Z $1, 8(SI), %s1, K1, %s2", name, l, l)
			add("VINSERTI%s $1, 8(SI), %s1, K2, %s1", name, l, l)
			add("VEXTRACTI%s $1, %s1, K1, %s1", name, l, letter)
			add("VEXTRACTI%s $1, %s1, 4(SI)", name, l)
			add("VEXTRACTI%s $0, %s1, K2, 4(SI)", name, l)
		}
	}
	return append(lines, shortVexTests()...)
}()

// noBroadcast are the operations on elements of 16 and 32 bits that have no form with
// one element of memory for all of a vector.
var noBroadcast = func() map[string]bool {
	none := map[string]bool{}
	for _, op := range strings.Fields("VPADDW VPSUBW VPMULLW VPMULHW VPMULHUW VPMULHRSW VPMADDWD VPMINSW VPMINUW VPMAXSW VPMAXUW VPUNPCKLWD VPUNPCKHWD VPSHUFB VPBLENDMW VPERMW VPERMI2W VPERMT2W VPABSW VMOVSLDUP VMOVSHDUP VPSHLDW VPSHRDW VPSRLW VPSLLW VPSRAW VPSHUFLW VPSHUFHW VPALIGNR VPCMPEQW VPCMPGTW VPCMPW VPCMPUW") {
		none[op] = true
	}
	return none
}()

// shortVexTests are those of which there is nothing with EVEX.
func shortVexTests() (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, l := range []string{"Y", "X"} {
		for _, op := range []string{"VPSIGNW", "VPSIGND", "VPCMPEQW", "VPCMPEQD", "VPCMPGTW", "VPCMPGTD"} {
			add("%s %s0, %s1, %s2", op, l, l, l)
			add("%s %s3, %s3, %s3", op, l, l, l)
			add("%s (SI), %s1, %s2", op, l, l)
		}
		for _, op := range []string{"VPBLENDW", "VPBLENDD"} {
			for _, n := range []int{0, 1, 0x0f, 0xaa, 255} {
				add("%s $%d, %s0, %s1, %s2", op, n, l, l, l)
			}
			add("%s $0x33, (SI), %s1, %s2", op, l, l)
		}
	}
	for n := range 16 {
		add("VPERM2I128 $%d, Y0, Y1, Y2", 17*n)
		add("VPERM2I128 $%d, 8(SI), Y1, Y2", 7*n)
	}
	for n := range 2 {
		add("VINSERTI128 $%d, X0, Y1, Y2", n)
		add("VINSERTI128 $%d, 8(SI), Y1, Y1", n)
		add("VEXTRACTI128 $%d, Y0, X2", n)
		add("VEXTRACTI128 $%d, Y0, 8(SI)", n)
	}
	add("VBROADCASTI128 8(SI), Y2")
	for _, w := range []string{"D", "Q"} {
		add("VMOV%s CX, X2", w)
		add("VMOV%s X2, BX", w)
		add("VMOV%s 12(SI), X2", w)
		add("VMOV%s X2, 12(SI)", w)
	}
	add("VMOVQ X1, X2")
	return lines
}

// TestEveryOperation: all operations are compared with the CPU's, but for jumps.
func TestEveryOperation(t *testing.T) {
	var lines []string
	for _, tt := range generalTests {
		lines = append(lines, tt[0])
	}
	seen := map[x86.Op]bool{}
	for _, p := range assemble(t, lines, vectorTests, shortTests) {
		for i := range p.Insts {
			seen[p.Insts[i].Op] = true
		}
	}
	for op := range x86.NumOps {
		switch op {
		case x86.J, x86.JMP, x86.RET, x86.NOP:
		default:
			if !seen[op] {
				t.Errorf("%v is not compared", op)
			}
		}
	}
}
