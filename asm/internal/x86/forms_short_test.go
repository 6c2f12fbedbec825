package x86_test

import (
	"fmt"
	"strings"
)

// Operations on elements of 8, 16 and 32 bits, by the forms that they have.
var (
	shared3   = "VPADDW VPADDD VPSUBW VPSUBD VPMULLW VPMULLD VPMULHW VPMULHUW VPMULHRSW VPMULDQ VPMULUDQ VPMADDWD VPMINSW VPMINSD VPMINUW VPMINUD VPMAXSW VPMAXSD VPMAXUW VPMAXUD VPUNPCKLWD VPUNPCKLDQ VPUNPCKLQDQ VPUNPCKHWD VPUNPCKHDQ VPUNPCKHQDQ VPACKSSDW VPACKUSDW VPSHUFB"
	shared2   = "VPABSW VPABSD VMOVSLDUP VMOVSHDUP"
	shared2i  = "VPSHUFD VPSHUFLW VPSHUFHW"
	shared3i  = "VSHUFPS VPALIGNR"
	evex3     = "VPDPWSSD VPBLENDMW VPBLENDMD VPBLENDMQ VPERMW VPERMD VPERMI2W VPERMI2D VPERMT2W VPERMT2D"
	evex3i    = "VPSHLDW VPSHLDD VPSHRDW VPSHRDD VALIGND VSHUFI32X4 VSHUFI64X2"
	shifts    = "VPSRLW VPSRLD VPSLLW VPSLLD VPSRAW VPSRAD VPROLD VPRORD"
	moves     = "VMOVDQU8 VMOVDQU16 VMOVDQU32 VMOVDQA32"
	compares  = "VPCMPEQW VPCMPEQD VPCMPGTW VPCMPGTD"
	comparesI = "VPCMPW VPCMPD VPCMPUW VPCMPUD"

	noBroadcast = set("VPADDW VPSUBW VPMULLW VPMULHW VPMULHUW VPMULHRSW VPMADDWD VPMINSW VPMINUW VPMAXSW VPMAXUW VPUNPCKLWD VPUNPCKHWD VPSHUFB VPABSW VMOVSLDUP VMOVSHDUP VPSHUFLW VPSHUFHW VPALIGNR VPBLENDMW VPERMW VPERMI2W VPERMT2W VPSHLDW VPSHRDW VPSRLW VPSLLW VPSRAW VPCMPEQW VPCMPGTW VPCMPW VPCMPUW")
	not128      = set("VPERMD VSHUFI32X4 VSHUFI64X2")
)

func set(names string) map[string]bool {
	s := map[string]bool{}
	for _, name := range strings.Fields(names) {
		s[name] = true
	}
	return s
}

// shortForms returns instructions on elements of 8, 16 and 32 bits, and those that
// move parts of vectors.
func shortForms() (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, l := range []string{"Z", "Y", "X"} {
		for i, v := range vectors {
			a, b, c := l+v, l+vectors[(i+1)%5], l+vectors[(i+3)%5]
			m := places[(3*i+2)%len(places)]
			each := func(names string, f func(op string)) {
				for _, op := range strings.Fields(names) {
					if l != "X" || !not128[op] {
						f(op)
					}
				}
			}
			each(shared3+" "+evex3, func(op string) {
				add("%s %s, %s, %s", op, a, b, c)
				add("%s %s, %s, %s", op, m, b, c)
				add("%s %s, %s, K2, %s", op, a, b, c)
				add("%s.Z %s, %s, K7, %s", op, m, b, c)
				if !noBroadcast[op] {
					add("%s.BCST %s, %s, %s", op, m, b, c)
					add("%s.BCST.Z %s, %s, K1, %s", op, m, b, c)
				}
			})
			each(shared3i+" "+evex3i, func(op string) {
				add("%s $1, %s, %s, %s", op, a, b, c)
				add("%s $255, %s, %s, K3, %s", op, m, b, c)
				add("%s.Z $19, %s, %s, K5, %s", op, a, b, c)
				if !noBroadcast[op] {
					add("%s.BCST $52, %s, %s, K3, %s", op, m, b, c)
				}
			})
			each(shared2, func(op string) {
				add("%s %s, %s", op, a, c)
				add("%s %s, %s", op, m, c)
				add("%s %s, K3, %s", op, a, c)
				add("%s.Z %s, K4, %s", op, m, c)
				if !noBroadcast[op] {
					add("%s.BCST %s, %s", op, m, c)
				}
			})
			each(shared2i+" "+shifts, func(op string) {
				add("%s $27, %s, %s", op, a, c)
				add("%s $12, %s, K5, %s", op, m, c)
				add("%s.Z $12, %s, K6, %s", op, a, c)
				if !noBroadcast[op] {
					add("%s.BCST $5, %s, %s", op, m, c)
				}
			})
			each(moves, func(op string) {
				add("%s %s, %s", op, a, b)
				add("%s %s, %s", op, m, b)
				add("%s %s, %s", op, b, m)
				add("%s %s, K4, %s", op, m, b)
				add("%s.Z %s, K4, %s", op, m, b)
				add("%s %s, K4, %s", op, b, m)
				add("%s %s, K6, %s", op, a, b)
			})
			each(compares, func(op string) {
				add("%s %s, %s, K1", op, a, b)
				add("%s %s, %s, K2, K7", op, m, b)
				if !noBroadcast[op] {
					add("%s.BCST %s, %s, K3", op, m, b)
				}
			})
			each(comparesI, func(op string) {
				add("%s $%d, %s, %s, K1", op, i, a, b)
				add("%s $%d, %s, %s, K2, K7", op, i+3, m, b)
				if !noBroadcast[op] {
					add("%s.BCST $6, %s, %s, K3", op, m, b)
				}
			})
			for _, op := range []string{"VPBROADCASTW", "VPBROADCASTD"} {
				add("%s %s, %s", op, m, a)
				add("%s.Z %s, K2, %s", op, m, a)
				add("%s X%s, K1, %s", op, vectors[(i+2)%5], a)
				add("%s X%s, %s", op, vectors[(i+2)%5], a)
				add("%s %s, %s", op, generals[i%4], a)
				add("%s %s, K3, %s", op, generals[i%4], a)
			}
			half := map[string]string{"Z": "Y", "Y": "X", "X": "X"}[l] + vectors[(i+2)%5]
			add("VPMOVDW %s, %s", a, half)
			add("VPMOVDW %s, K1, %s", a, half)
			add("VPMOVDW.Z %s, K2, %s", a, half)
			if l == "X" {
				lines = append(lines, scalarForms(a, b, m, generals[i%4])...)
			} else {
				lines = append(lines, partForms(l, a, b, vectors[(i+2)%5], m)...)
			}
		}
	}
	for _, l := range []string{"Y", "X"} {
		lines = append(lines, shortVexForms(l)...)
	}
	return lines
}

// scalarForms are moves of one element between vectors a and b, memory and a general
// register.
func scalarForms(a, b, m, general string) []string {
	return []string{
		fmt.Sprintf("VMOVD %s, %s", general, a), fmt.Sprintf("VMOVD %s, %s", a, general),
		fmt.Sprintf("VMOVD %s, %s", m, a), fmt.Sprintf("VMOVD %s, %s", a, m),
		fmt.Sprintf("VMOVQ %s, %s", general, a), fmt.Sprintf("VMOVQ %s, %s", a, general),
		fmt.Sprintf("VMOVQ %s, %s", m, a), fmt.Sprintf("VMOVQ %s, %s", a, m),
		fmt.Sprintf("VMOVQ %s, %s", a, b),
	}
}

// partForms are insertions and extractions of a part of a vector of length l, and
// broadcasts of one; v is the number of the part's register.
func partForms(l, a, b, v, m string) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	parts := []string{"32X4 X", "64X2 X"}
	add("VBROADCASTI32X4 %s, %s", m, a)
	add("VBROADCASTI32X4.Z %s, K4, %s", m, a)
	if l == "Z" {
		parts = append(parts, "64X4 Y")
		add("VBROADCASTI64X4 %s, %s", m, a)
		add("VBROADCASTI64X4 %s, K4, %s", m, a)
	}
	for _, part := range parts {
		name, letter, _ := strings.Cut(part, " ")
		add("VINSERTI%s $1, %s%s, %s, %s", name, letter, v, b, a)
		add("VINSERTI%s $0, %s, %s, %s", name, m, b, a)
		add("VINSERTI%s.Z $1, %s, %s, K2, %s", name, m, b, a)
		add("VEXTRACTI%s $1, %s, %s%s", name, a, letter, v)
		add("VEXTRACTI%s $0, %s, K3, %s%s", name, a, letter, v)
		add("VEXTRACTI%s $1, %s, %s", name, a, m)
		add("VEXTRACTI%s $1, %s, K5, %s", name, a, m)
	}
	return lines
}

// shortVexForms are those with VEX, on vectors of length l.
func shortVexForms(l string) (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, op := range strings.Fields(shared3 + " " + compares + " VPSIGNW VPSIGND") {
		add("%s %s1, %s9, %s14", op, l, l, l)
		for _, m := range places {
			add("%s %s, %s9, %s3", op, m, l, l)
		}
	}
	for _, op := range strings.Fields(shared3i + " VPBLENDW VPBLENDD") {
		add("%s $200, %s1, %s9, %s14", op, l, l, l)
		add("%s $3, 40(R12), %s9, %s3", op, l, l)
	}
	for _, op := range strings.Fields(shared2) {
		add("%s %s1, %s14", op, l, l)
		add("%s -8(R9)(CX*4), %s3", op, l)
	}
	for _, op := range strings.Fields(shared2i) {
		add("%s $228, %s11, %s4", op, l, l)
		add("%s $27, 8(SI), %s13", op, l)
	}
	for _, op := range []string{"VPSRLW", "VPSRLD", "VPSLLW", "VPSLLD", "VPSRAW", "VPSRAD"} {
		add("%s $15, %s1, %s12", op, l, l)
		add("%s $3, %s13, %s2", op, l, l)
	}
	for _, op := range []string{"VPBROADCASTW", "VPBROADCASTD"} {
		add("%s 2(R9), %s2", op, l)
		add("%s X13, %s2", op, l)
	}
	if l == "Y" {
		add("VPERMD Y1, Y12, Y3")
		add("VPERMD 32(R8), Y2, Y13")
		add("VPERM2I128 $49, Y3, Y11, Y2")
		add("VPERM2I128 $32, -32(R10), Y1, Y12")
		add("VINSERTI128 $1, X9, Y14, Y3")
		add("VINSERTI128 $0, 16(R8), Y1, Y13")
		add("VEXTRACTI128 $1, Y12, X3")
		add("VEXTRACTI128 $1, Y2, 48(R11)")
		add("VBROADCASTI128 -16(R9), Y12")
	}
	return lines
}
