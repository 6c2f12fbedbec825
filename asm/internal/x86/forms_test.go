package x86_test

import "fmt"

// The operands that forms is made of: registers of low and of high numbers, since
// every bit of a number has a place of its own in the prefix, and displacements of
// one byte, of one byte times the vector, and of four.
var (
	generals = []string{"AX", "CX", "R9", "R15"}
	places   = []string{"(AX)", "64(R9)", "-64(SI)", "8(DX)", "8192(R13)", "-129(BP)", "(R12)", "(SP)", "56(SP)", "(BX)(R10*8)", "-1(R11)(CX*1)", "128(R13)(R9*4)", "16(BP)(AX*2)"}
	vectors  = []string{"0", "7", "12", "17", "31"}
)

// forms returns instructions in Go's syntax, each operation in every form.
func forms() (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, op := range []string{"ADD", "OR", "ADC", "SBB", "AND", "SUB", "XOR"} {
		for _, width := range []string{"L", "Q"} {
			for i, r := range generals {
				add("%s%s %s, %s", op, width, r, generals[3-i])
				add("%s%s $%d, %s", op, width, []int{1, -128, 127, 4096}[i], r)
			}
			for _, m := range places {
				add("%s%s %s, R8", op, width, m)
				add("%s%s DX, %s", op, width, m)
				add("%s%s $1000, %s", op, width, m)
			}
		}
	}
	for _, r := range generals {
		add("CMPQ %s, DX", r)
		add("CMPQ %s, $1", r)
		add("CMPL R10, $100000")
		add("CMPQ 8(%s), DI", r)
		add("TESTQ %s, %s", r, r)
		add("TESTL $256, %s", r)
		add("MOVQ %s, R10", r)
		add("MOVL SI, %s", r)
		add("MOVL $20, %s", r)
		add("MOVL $0xaaaaaaaa, %s", r)
		add("MOVQ $-1, %s", r)
		add("MOVQ $0x123456789abcdef0, %s", r)
		add("INCQ %s", r)
		add("DECL %s", r)
		add("NEGQ %s", r)
		add("NOTQ %s", r)
		add("IMULQ %s, R11", r)
		add("IMUL3Q $1280, %s, SI", r)
		add("IMUL3L $5, %s, R14", r)
		add("MULQ %s", r)
		add("SHLQ $1, %s", r)
		add("SHRQ $52, %s", r)
		add("SARL $3, %s", r)
		add("MULXQ %s, BX, R12", r)
		add("ADCXQ %s, R13", r)
		add("ADOXQ R14, %s", r)
		add("ROLQ $1, %s", r)
		add("RORL $31, %s", r)
		add("RORXQ $52, %s, BP", r)
		add("MOVBLZX %s, R9", r)
		add("MOVWLZX %s, DI", r)
		add("MOVWQZX %s, DI", r)
		for _, op := range []string{"SHLX", "SHRX", "SARX", "BZHI", "PDEP", "PEXT", "ANDN"} {
			add("%sQ %s, BX, R12", op, r)
			add("%sL R10, %s, DX", op, r)
		}
		for _, cond := range []string{"EQ", "NE", "CS", "CC", "LT", "GE", "LE", "GT", "HI", "LS", "MI", "PL"} {
			add("CMOVQ%s %s, DI", cond, r)
			add("SET%s %s", cond, r)
		}
		add("SETOS SI")
	}
	for _, m := range places {
		add("MOVQ %s, R10", m)
		add("MOVL CX, %s", m)
		add("MOVQ $7, %s", m)
		add("LEAQ %s, R8", m)
		add("INCQ %s", m)
		add("DECQ %s", m)
		add("MULXQ %s, AX, R15", m)
		add("ADCXQ %s, AX", m)
		add("ADOXQ %s, R9", m)
		add("ROLQ $7, %s", m)
		add("RORXL $7, %s, R14", m)
		add("SHRXQ AX, %s, R15", m)
		add("BZHIL R11, %s, AX", m)
		add("PEXTQ %s, AX, R15", m)
		add("MOVBLZX %s, R13", m)
		add("MOVWLZX %s, BX", m)
		add("SETHI %s", m)
		for i, k := range []string{"KMOVB", "KMOVW", "KMOVD", "KMOVQ"} {
			add("%s %s, K%d", k, m, i)
			add("%s K%d, %s", k, 7-i, m)
		}
	}
	for _, k := range []string{"KMOVB", "KMOVW", "KMOVD", "KMOVQ"} {
		add("%s AX, K1", k)
		add("%s R13, K7", k)
		add("%s K3, R9", k)
		add("%s K4, BX", k)
	}
	for _, w := range []string{"B", "W", "D", "Q"} {
		for i := range 8 {
			a, b, c := i, (i+3)%8, (i+5)%8
			for _, op := range []string{"KAND", "KANDN", "KOR", "KXOR", "KXNOR", "KADD"} {
				add("%s%s K%d, K%d, K%d", op, w, a, b, c)
			}
			for _, op := range []string{"KMOV", "KNOT", "KORTEST", "KTEST"} {
				add("%s%s K%d, K%d", op, w, a, c)
			}
			add("KSHIFTL%s $%d, K%d, K%d", w, 9*i, a, b)
			add("KSHIFTR%s $255, K%d, K%d", w, b, c)
		}
	}
	for _, op := range []string{"KUNPCKBW", "KUNPCKWD", "KUNPCKDQ"} {
		add("%s K1, K0, K7", op)
		add("%s K7, K4, K3", op)
	}
	for _, cond := range []string{"OS", "OC", "CS", "CC", "EQ", "NE", "LS", "HI", "MI", "PL", "LT", "GE", "LE", "GT"} {
		add("J%s start", cond)
		add("J%s end", cond)
	}
	add("JMP start")
	add("JMP end")
	add("NOPL AX")
	add("VZEROUPPER")
	lines = append(lines, vectorForms()...)
	lines = append(lines, shortForms()...)
	// The assembler keeps account of pushes: they come in pairs, last.
	add("PUSHQ R12")
	add("POPQ R12")
	return lines
}

func vectorForms() (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, l := range []string{"Z", "Y", "X"} {
		for i, v := range vectors {
			a, b, c := l+v, l+vectors[(i+1)%5], l+vectors[(i+3)%5]
			m := places[(3*i+2)%len(places)]
			for _, op := range []string{"VPADDQ", "VPSUBQ", "VPMULLQ", "VPMINUQ", "VPMAXUQ", "VPANDD", "VPANDQ", "VPANDND", "VPANDNQ", "VPORD", "VPORQ", "VPXORD", "VPXORQ", "VPSRLVQ", "VPSLLVQ", "VPSRAVQ", "VPMADD52LUQ", "VPMADD52HUQ", "VPERMI2Q", "VPERMT2Q", "VPERMQ"} {
				if op == "VPERMQ" && l == "X" {
					continue // there is none
				}
				add("%s %s, %s, %s", op, a, b, c)
				add("%s %s, %s, %s", op, m, b, c)
				add("%s %s, %s, K2, %s", op, a, b, c)
				add("%s.Z %s, %s, K7, %s", op, m, b, c)
				add("%s.BCST %s, %s, %s", op, m, b, c)
				add("%s.BCST.Z %s, %s, K1, %s", op, m, b, c)
			}
			for _, op := range []string{"VPSHLDQ", "VPSHRDQ", "VPTERNLOGD", "VPTERNLOGQ", "VALIGNQ"} {
				add("%s $1, %s, %s, %s", op, a, b, c)
				add("%s $255, %s, %s, %s", op, m, b, c)
				add("%s.BCST $52, %s, %s, K3, %s", op, m, b, c)
			}
			for _, op := range []string{"VPSRLQ", "VPSLLQ", "VPSRAQ", "VPERMQ"} {
				if op == "VPERMQ" && l == "X" {
					continue
				}
				add("%s $52, %s, %s", op, a, c)
				add("%s.Z $12, %s, K5, %s", op, a, c)
				add("%s $12, %s, K5, %s", op, m, c)
				add("%s.BCST $63, %s, %s", op, m, c)
			}
			for _, op := range []string{"VMOVDQU64", "VMOVDQA64"} {
				add("%s %s, %s", op, a, b)
				add("%s %s, %s", op, m, b)
				add("%s %s, %s", op, b, m)
				add("%s %s, K4, %s", op, m, b)
				add("%s.Z %s, K4, %s", op, m, b)
				add("%s %s, K4, %s", op, b, m)
				add("%s %s, K6, %s", op, a, b)
			}
			for _, op := range []string{"VPCMPEQQ", "VPCMPGTQ", "VPTESTMQ", "VPTESTNMQ"} {
				add("%s %s, %s, K1", op, a, b)
				add("%s %s, %s, K2, K7", op, m, b)
				add("%s.BCST %s, %s, K3", op, m, b)
			}
			for _, op := range []string{"VPCMPQ", "VPCMPUQ"} {
				add("%s $%d, %s, %s, K1", op, i, a, b)
				add("%s $%d, %s, %s, K2, K7", op, i+3, m, b)
				add("%s.BCST $6, %s, %s, K3", op, m, b)
			}
			add("VPBROADCASTQ %s, %s", m, a)
			add("VPBROADCASTQ.Z %s, K2, %s", m, a)
			add("VPBROADCASTQ X%s, %s", vectors[(i+2)%5], a)
			add("VPBROADCASTQ %s, %s", generals[i%4], a)
		}
	}
	for _, l := range []string{"Y", "X"} {
		for _, op := range []string{"VPADDQ", "VPSUBQ", "VPAND", "VPANDN", "VPOR", "VPXOR", "VPSRLVQ", "VPSLLVQ"} {
			add("%s %s1, %s9, %s14", op, l, l, l)
			for _, m := range places {
				add("%s %s, %s9, %s3", op, m, l, l)
			}
		}
		for _, op := range []string{"VMOVDQU", "VMOVDQA"} {
			add("%s %s3, %s12", op, l, l)
			for _, m := range places {
				add("%s %s, %s12", op, m, l)
				add("%s %s5, %s", op, l, m)
			}
		}
		add("VPSRLQ $3, %s1, %s12", l, l)
		add("VPSLLQ $3, %s13, %s2", l, l)
		add("VPBROADCASTQ (R9), %s2", l)
		add("VPBROADCASTQ X13, %s2", l)
	}
	return lines
}
