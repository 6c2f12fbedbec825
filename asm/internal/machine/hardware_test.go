package machine

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"residue/asm/internal/native"
	"residue/asm/internal/object"
)

// The operations are compared with the CPU's, one instruction at a time: a
// function loads registers and flags from memory, executes it and stores them.

// state is the layout of that memory, in words: six general registers, masks,
// six vectors; then what the instruction may use as memory, at SI; and the flags.
const (
	generalAt = 0
	maskAt    = 6
	vectorAt  = 8
	memoryAt  = vectorAt + 6*8
	flagsAt   = memoryAt + 16
	constants = flagsAt + 4 // the words 0 and 1
	words     = constants + 2
)

var generalsUsed = []string{"AX", "CX", "DX", "BX", "R8", "R9"}

// vectorTests are instructions on Z0 to Z5, K1, K2 and memory at SI.
var vectorTests = func() (lines []string) {
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	for _, l := range []string{"Z", "Y"} {
		for _, op := range []string{"VPADDQ", "VPSUBQ", "VPMULLQ", "VPMINUQ", "VPMAXUQ", "VPANDD", "VPANDQ", "VPANDND", "VPANDNQ", "VPORD", "VPORQ", "VPXORD", "VPXORQ", "VPSRLVQ", "VPSLLVQ", "VPSRAVQ", "VPMADD52LUQ", "VPMADD52HUQ", "VPERMQ", "VPERMI2Q", "VPERMT2Q"} {
			add("%s %s0, %s1, %s2", op, l, l, l)
			add("%s %s2, %s2, %s2", op, l, l, l)
			add("%s (SI), %s1, K1, %s2", op, l, l)
			add("%s.Z 8(SI), %s1, K2, %s2", op, l, l)
			add("%s.BCST 16(SI), %s1, %s1", op, l, l)
			add("%s.BCST.Z 8(SI), %s1, K1, %s3", op, l, l)
		}
		for _, op := range []string{"VPSHLDQ", "VPSHRDQ"} {
			for _, n := range []int{0, 1, 52, 63, 65} {
				add("%s $%d, %s0, %s1, %s2", op, n, l, l, l)
			}
			add("%s $13, (SI), %s1, K1, %s1", op, l, l)
		}
		for _, op := range []string{"VPTERNLOGD", "VPTERNLOGQ"} {
			for _, n := range []int{0, 1, 2, 4, 8, 16, 32, 64, 128, 0x96, 0xca, 0xe8, 255} {
				add("%s $%d, %s0, %s1, %s2", op, n, l, l, l)
			}
			add("%s $0xca, (SI), %s1, K1, %s2", op, l, l)
			add("%s.BCST.Z $0x5a, 8(SI), %s1, K2, %s2", op, l, l)
		}
		for _, op := range []string{"VPSRLQ", "VPSLLQ", "VPSRAQ"} {
			for _, n := range []int{0, 1, 52, 63, 64, 255} {
				add("%s $%d, %s0, %s4", op, n, l, l)
			}
			add("%s $12, (SI), K1, %s4", op, l)
		}
		for _, n := range []int{0, 1, 2, 3, 4, 7, 8, 255} {
			add("VALIGNQ $%d, %s0, %s1, %s2", n, l, l, l)
			add("VPERMQ $%d, %s0, %s2", n*37%256, l, l)
			add("VPCMPUQ $%d, %s3, %s1, K2", n, l, l)
			add("VPCMPQ $%d, %s3, %s1, K1, K2", n, l, l)
		}
		add("VALIGNQ $3, 8(SI), %s1, K1, %s1", l, l)
		add("VALIGNQ.BCST.Z $1, 8(SI), %s1, K2, %s2", l, l)
		add("VPERMQ $27, (SI), K1, %s3", l)
		add("VPCMPUQ $1, (SI), %s1, K2, K2", l)
		add("VPCMPUQ.BCST $6, 8(SI), %s1, K1", l)
		add("VPCMPGTQ %s3, %s1, K1", l, l)
		add("VPTESTNMQ %s3, %s1, K2, K1", l, l)
		add("VMOVDQU64 8(SI), %s5", l)
		add("VMOVDQU64 8(SI), K1, %s5", l)
		add("VMOVDQU64.Z 8(SI), K2, %s5", l)
		add("VMOVDQU64 %s3, K1, 8(SI)", l)
		add("VMOVDQU64 %s3, 8(SI)", l)
		add("VMOVDQA64 %s3, K2, %s1", l, l)
		add("VPCMPEQQ %s3, %s1, K2", l, l)
		add("VPCMPEQQ %s3, %s3, K1, K2", l, l)
		add("VPTESTMQ (SI), %s1, K1", l)
		add("VPBROADCASTQ 8(SI), %s1", l)
		add("VPBROADCASTQ.Z X3, K1, %s1", l)
		add("VPBROADCASTQ CX, K2, %s1", l)
	}
	for _, op := range []string{"VPADDQ", "VPSUBQ", "VPAND", "VPANDN", "VPOR", "VPXOR", "VPSRLVQ", "VPSLLVQ"} {
		add("%s Y0, Y1, Y2", op)
		add("%s (SI), X1, X2", op)
	}
	for _, k := range []string{"KMOVB", "KMOVW", "KMOVD", "KMOVQ"} {
		add("%s 8(SI), K2", k)
		add("%s K1, 8(SI)", k)
		add("%s CX, K1", k)
		add("%s K2, BX", k)
	}
	for _, w := range []string{"B", "W", "D", "Q"} {
		for _, op := range []string{"KAND", "KANDN", "KOR", "KXOR", "KXNOR", "KADD"} {
			add("%s%s K1, K2, K1", op, w)
			add("%s%s K1, K1, K2", op, w)
		}
		for _, n := range []int{0, 1, 7, 8, 15, 16, 31, 32, 63, 64, 255} {
			add("KSHIFTL%s $%d, K1, K2", w, n)
			add("KSHIFTR%s $%d, K1, K2", w, n)
		}
		add("KNOT%s K1, K1", w)
		add("KMOV%s K2, K1", w)
		for _, op := range []string{"KORTEST", "KTEST"} { // the flags go into BX
			add("%s%s K1, K2\n\tSBBQ BX, BX\n\tADDQ CX, BX", op, w)
			add("%s%s K2, K1\n\tCMOVQEQ CX, BX", op, w)
			add("%s%s K1, K1\n\tCMOVQLT CX, BX", op, w)
		}
	}
	for _, op := range []string{"KUNPCKBW", "KUNPCKWD", "KUNPCKDQ"} {
		add("%s K1, K2, K1", op)
		add("%s K1, K1, K2", op)
	}
	add("VPERMQ $0x1b, Y1, Y2")
	add("VMOVDQA64 (SI), Z2")
	add("VMOVDQA64 Z3, K1, (SI)")
	add("VMOVDQA Y1, (SI)")
	add("VMOVDQA (SI), X2")
	add("VMOVDQU Y1, 8(SI)")
	add("VMOVDQU 8(SI), X1")
	add("VPSRLQ $3, Y1, Y2")
	add("VPSLLQ $64, Y1, Y2")
	add("VZEROUPPER")
	return lines
}()

// generalTests are instructions on the general registers and memory at SI, with
// the flags that they leave defined.
var generalTests = func() (tests [][2]string) {
	add := func(flags, format string, args ...any) {
		tests = append(tests, [2]string{fmt.Sprintf(format, args...), flags})
	}
	for _, w := range []string{"L", "Q"} {
		for _, op := range []string{"ADD", "ADC", "SUB", "SBB", "AND", "OR", "XOR", "CMP", "TEST"} {
			if op == "CMP" {
				add("CZSO", "CMP%s AX, CX", w)
				add("CZSO", "CMP%s AX, $-5", w)
				continue
			}
			add("CZSO", "%s%s CX, AX", op, w)
			add("CZSO", "%s%s $-5, R9", op, w)
			add("CZSO", "%s%s AX, (SI)", op, w)
			if op != "TEST" {
				add("CZSO", "%s%s 8(SI), DX", op, w)
			}
		}
		for _, op := range []string{"INC", "DEC", "NEG", "NOT"} {
			add("CZSO", "%s%s AX", op, w)
			add("CZSO", "%s%s (SI)", op, w)
		}
		add("CO", "IMUL%s CX, AX", w)
		add("CO", "IMUL3%s $1280, CX, AX", w)
		add("CO", "IMUL3%s $-3, 8(SI), AX", w)
		add("CO", "MUL%s CX", w)
		add("CO", "MUL%s (SI)", w)
		add("CZSO", "MULX%s CX, AX, BX", w)
		add("CZSO", "MULX%s (SI), AX, AX", w)
		add("CZSO", "ADCX%s CX, AX", w)
		add("CZSO", "ADOX%s (SI), AX", w)
		add("CZSO", "SHL%s $1, AX", w)
		add("CZSO", "SHR%s $1, AX", w)
		add("CZSO", "SAR%s $1, AX", w)
		add("CZS", "SHL%s $21, AX", w)
		add("CZS", "SHR%s $31, AX", w)
		add("CZS", "SAR%s $17, R9", w)
		add("CZSO", "ROL%s $1, AX", w)
		add("CZSO", "ROR%s $1, R9", w)
		add("CZS", "ROL%s $21, AX", w)
		add("CZS", "ROR%s $31, (SI)", w)
		add("CZSO", "RORX%s $13, AX, R8", w)
		for _, op := range []string{"SHLX", "SHRX", "SARX", "PDEP", "PEXT", "BZHI", "ANDN"} {
			add("CZSO", "%s%s CX, AX, DX", op, w)
		}
		add("CZSO", "SHRX%s CX, (SI), DX", w)
		add("CZSO", "BZHI%s CX, 8(SI), CX", w)
		add("CZSO", "PEXT%s (SI), CX, AX", w)
		add("CZSO", "MOV%s CX, R8", w)
		add("CZSO", "MOV%s $-7, R8", w)
		add("CZSO", "MOV%s CX, 8(SI)", w)
		for _, cond := range []string{"OS", "OC", "CS", "CC", "EQ", "NE", "LS", "HI", "MI", "PL", "LT", "GE", "LE", "GT"} {
			add("CZSO", "CMOV%s%s CX, AX", w, cond)
		}
		add("CZSO", "CMOV%sCC (SI), AX", w)
	}
	for _, cond := range []string{"OS", "OC", "CS", "CC", "EQ", "NE", "LS", "HI", "MI", "PL", "LT", "GE", "LE", "GT"} {
		add("CZSO", "SET%s R9", cond)
	}
	add("CZSO", "SETCS 3(SI)")
	for _, op := range []string{"MOVBLZX", "MOVWLZX", "MOVWQZX"} {
		add("CZSO", "%s CX, AX", op)
		add("CZSO", "%s 3(SI), AX", op)
	}
	add("CZSO", "LEAQ 9(R8)(CX*4), AX")
	add("CZSO", "LEAL -9(R8), AX")
	add("CZSO", "PUSHQ AX\n\tPOPQ R9")
	return tests
}()

func TestGeneralLikeHardware(t *testing.T) {
	if missing := native.Missing("bmi1", "bmi2", "adx"); len(missing) > 0 {
		t.Skipf("this CPU has no %s", strings.Join(missing, ", "))
	}
	var asm strings.Builder
	for n, tt := range generalTests {
		fmt.Fprintf(&asm, "TEXT ·t%d(SB), 4, $0-8\n\tMOVQ state+0(FP), DI\n\tLEAQ %d(DI), SI\n", n, 8*memoryAt)
		for i, r := range generalsUsed {
			fmt.Fprintf(&asm, "\tMOVQ %d(DI), %s\n", 8*(generalAt+i), r)
		}
		fmt.Fprintf(&asm, "\tMOVQ %d(DI), R12\n\tMOVQ %d(DI), R10\n\tMOVQ R8, R11\n\tADDQ R9, R11\n\t%s\n", 8*(constants+1), 8*constants, tt[0])
		for i, flag := range "CZSO" {
			cond := map[rune]string{'C': "CS", 'Z': "EQ", 'S': "MI", 'O': "OS"}[flag]
			if strings.ContainsRune(tt[1], flag) {
				fmt.Fprintf(&asm, "\tMOVQ R10, R11\n\tCMOVQ%s R12, R11\n\tMOVQ R11, %d(DI)\n", cond, 8*(flagsAt+i))
			}
		}
		for i, r := range generalsUsed {
			fmt.Fprintf(&asm, "\tMOVQ %s, %d(DI)\n", r, 8*(generalAt+i))
		}
		asm.WriteString("\tRET\n\n")
	}
	var names []string
	for _, tt := range generalTests {
		names = append(names, tt[0])
	}
	likeHardware(t, asm.String(), names)
}

func TestVectorsLikeHardware(t *testing.T) {
	vectorsLikeHardware(t, vectorTests, "avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512ifma", "avx512_vbmi2")
}

func TestShortElementsLikeHardware(t *testing.T) {
	vectorsLikeHardware(t, shortTests, "avx512f", "avx512vl", "avx512bw", "avx512dq", "avx512_vbmi2", "avx512_vnni")
}

func vectorsLikeHardware(t *testing.T, lines []string, features ...string) {
	t.Helper()
	if missing := native.Missing(features...); len(missing) > 0 {
		t.Skipf("this CPU has no %s", strings.Join(missing, ", "))
	}
	var asm strings.Builder
	for n, line := range lines {
		fmt.Fprintf(&asm, "TEXT ·t%d(SB), 4, $0-8\n\tMOVQ state+0(FP), DI\n\tLEAQ %d(DI), SI\n", n, 8*memoryAt)
		asm.WriteString("\tMOVQ 8(DI), CX\n\tMOVQ 24(DI), BX\n")
		for i := range 2 {
			fmt.Fprintf(&asm, "\tKMOVQ %d(DI), K%d\n", 8*(maskAt+i), i+1)
		}
		for i := range 6 {
			fmt.Fprintf(&asm, "\tVMOVDQU64 %d(DI), Z%d\n", 8*(vectorAt+8*i), i)
		}
		fmt.Fprintf(&asm, "\t%s\n\tMOVQ BX, 24(DI)\n", line)
		for i := range 2 {
			fmt.Fprintf(&asm, "\tKMOVQ K%d, %d(DI)\n", i+1, 8*(maskAt+i))
		}
		for i := range 6 {
			fmt.Fprintf(&asm, "\tVMOVDQU64 Z%d, %d(DI)\n", i, 8*(vectorAt+8*i))
		}
		asm.WriteString("\tVZEROUPPER\n\tRET\n\n")
	}
	likeHardware(t, asm.String(), lines)
}

// likeHardware runs functions t0, t1, … on random and extreme states.
func likeHardware(t *testing.T, asm string, names []string) {
	t.Helper()
	var stubs strings.Builder
	stubs.WriteString("package p\n\n")
	for n := range names {
		fmt.Fprintf(&stubs, "func t%d(state *byte)\n", n)
	}
	fns, err := object.Source{Asm: asm, Stubs: stubs.String()}.Assemble()
	if err != nil {
		t.Fatal(err)
	}
	area, err := native.NewArea(3 << 12)
	if err != nil {
		t.Fatal(err)
	}
	mem := NewMemory(area.Base, len(area.Bytes))
	m := New(mem)
	state := mem.Alloc("state", 8*words, 0)
	r := rand.New(rand.NewPCG(71, 72))
	for n, name := range names {
		p, err := Load(fns[fmt.Sprintf("t%d", n)])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		code, err := native.Load(p.Code)
		if err != nil {
			t.Fatal(err)
		}
		for range 60 {
			fill(r, state)
			copy(area.Bytes, mem.Bytes())
			if err := m.Run(Call{Program: p, Args: []uint64{state.Addr}, Grants: []Grant{{state, ReadWrite}}}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			code.Call([]uint64{state.Addr})
			from := state.offset()
			for i := range words {
				if got, want := state.Bytes()[8*i:8*i+8], area.Bytes[from+8*i:from+8*i+8]; !bytes.Equal(got, want) {
					t.Fatalf("%s: word %d of the state is % x, on the CPU % x", name, i, got, want)
				}
			}
		}
		if err := code.Free(); err != nil {
			t.Fatal(err)
		}
	}
}

// fill sets a state of words that are random, or that are often handled wrong.
func fill(r *rand.Rand, state Span) {
	for i := range words {
		w := r.Uint64()
		switch r.IntN(5) {
		case 0:
			w = []uint64{0, 1, 1<<52 - 1, 1 << 52, 1 << 63, ^uint64(0), 1<<31 - 1, 1 << 31, 1<<32 - 1, 63, 64}[r.IntN(11)]
		case 1:
			w >>= r.IntN(64)
		}
		state.SetWord(i, w)
	}
	if r.IntN(3) == 0 { // extremes of 16 bits, in some words few or one
		for i := vectorAt; i < flagsAt; i++ {
			extremes := []uint64{1 << 15, 1<<15 - 1, 1<<16 - 1, 0, 1}[:1+r.IntN(5)]
			var w uint64
			for range 4 {
				w = w<<16 | extremes[r.IntN(len(extremes))]
			}
			state.SetWord(i, w)
		}
	}
	if r.IntN(2) == 0 { // equal lanes
		for l := range 8 {
			state.SetWord(vectorAt+8+l, state.Word(vectorAt+24+l)^uint64(r.IntN(2)))
		}
	}
	state.SetWord(constants, 0)
	state.SetWord(constants+1, 1)
	state.Define(false)
}
