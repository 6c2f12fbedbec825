package x86

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// encodings is the table that the decoder works from, in nearly the notation of
// Intel's manual (SDM volume 2, section 3.1.1): prefix and opcode map, opcode,
// what follows it. The operands come with where they are encoded: a kind,
//
//	g general register   e h the low 8 or 16 bits of one   v vector
//	k mask   b w d q the low 8, 16, 32 or 64 bits of one   i immediate
//
// and a place,
//
//	R ModRM.reg   M ModRM.rm, register or memory   V (E)VEX.vvvv   A register AX
//	O the opcode's low three bits   B like M, or one element for all of a vector
//
// of which m and r stand for M where only memory, or only a register, is known.
//
// The width of general operands is that of REX.W or VEX.W; that of vectors is
// the prefix's, and no prefix named here restricts it but by L0, L1 (not 128 bits)
// and L2 (512 bits).
var encodings = slices.Concat(arithmetic(), ofMasks(), ofShortElements(), []encoding{
	{"85 /r", TEST, "gM gR"},
	{"A9 id", TEST, "gA i"},
	{"F7 /0 id", TEST, "gM i"},
	{"89 /r", MOV, "gM gR"},
	{"8B /r", MOV, "gR gM"},
	{"B8+r io", MOV, "gO i"},
	{"C7 /0 id", MOV, "gM i"},
	{"8D /r", LEA, "gR gm"},
	{"FF /0", INC, "gM"},
	{"FF /1", DEC, "gM"},
	{"F7 /2", NOT, "gM"},
	{"F7 /3", NEG, "gM"},
	{"F7 /4", MUL, "gM"},
	{"0F AF /r", IMUL, "gR gM"},
	{"6B /r ib", IMUL3, "gR gM i"},
	{"69 /r id", IMUL3, "gR gM i"},
	{"C1 /4 ib", SHL, "gM i"},
	{"C1 /5 ib", SHR, "gM i"},
	{"C1 /7 ib", SAR, "gM i"},
	{"D1 /4 i1", SHL, "gM i"},
	{"D1 /5 i1", SHR, "gM i"},
	{"D1 /7 i1", SAR, "gM i"},
	{"C1 /0 ib", ROL, "gM i"},
	{"C1 /1 ib", ROR, "gM i"},
	{"D1 /0 i1", ROL, "gM i"},
	{"D1 /1 i1", ROR, "gM i"},
	{"0F B6 /r", MOVZB, "gR eM"},
	{"0F B7 /r", MOVZW, "gR hM"},
	{"50+r", PUSH, "gO"},
	{"58+r", POP, "gO"},
	{"0F 40+c /r", CMOV, "gR gM"},
	{"0F 90+c /r", SET, "eM"},
	{"70+c cb", J, ""},
	{"0F 80+c cd", J, ""},
	{"EB cb", JMP, ""},
	{"E9 cd", JMP, ""},
	{"C3", RET, ""},
	{"90", NOP, ""},
	{"0F 1F /0", NOP, "gM"},
	{"66.0F 1F /0", NOP, "gM"},
	{"66.0F38 F6 /r", ADCX, "gR gM"},
	{"F3.0F38 F6 /r", ADOX, "gR gM"},
	{"VEX.F2.0F38 F6 /r", MULX, "gR gV gM"},

	{"VEX.66.0F38.L0 F7 /r", SHLX, "gR gM gV"},
	{"VEX.F2.0F38.L0 F7 /r", SHRX, "gR gM gV"},
	{"VEX.F3.0F38.L0 F7 /r", SARX, "gR gM gV"},
	{"VEX.F2.0F3A.L0 F0 /r ub", RORX, "gR gM i"},
	{"VEX.F2.0F38.L0 F5 /r", PDEP, "gR gV gM"},
	{"VEX.F3.0F38.L0 F5 /r", PEXT, "gR gV gM"},
	{"VEX.NP.0F38.L0 F5 /r", BZHI, "gR gM gV"},
	{"VEX.NP.0F38.L0 F2 /r", ANDN, "gR gV gM"},

	{"VEX.NP.0F.L0 77", VZEROUPPER, ""},
	{"VEX.66.0F.W0.L0 92 /r", KMOV, "bR gr"},
	{"VEX.66.0F.W0.L0 93 /r", KMOV, "gR br"},
	{"VEX.NP.0F.W0.L0 92 /r", KMOV, "wR gr"},
	{"VEX.NP.0F.W0.L0 93 /r", KMOV, "gR wr"},
	{"VEX.F2.0F.W0.L0 92 /r", KMOV, "dR gr"},
	{"VEX.F2.0F.W0.L0 93 /r", KMOV, "gR dr"},
	{"VEX.F2.0F.W1.L0 92 /r", KMOV, "qR gr"},
	{"VEX.F2.0F.W1.L0 93 /r", KMOV, "gR qr"},
	{"VEX.66.0F.W0.L1 4B /r", KUNPCK, "wR bV br"},
	{"VEX.NP.0F.W0.L1 4B /r", KUNPCK, "dR wV wr"},
	{"VEX.NP.0F.W1.L1 4B /r", KUNPCK, "qR dV dr"},
	{"VEX.66.0F3A.W0.L0 30 /r ub", KSHIFTR, "bR br i"},
	{"VEX.66.0F3A.W1.L0 30 /r ub", KSHIFTR, "wR wr i"},
	{"VEX.66.0F3A.W0.L0 31 /r ub", KSHIFTR, "dR dr i"},
	{"VEX.66.0F3A.W1.L0 31 /r ub", KSHIFTR, "qR qr i"},
	{"VEX.66.0F3A.W0.L0 32 /r ub", KSHIFTL, "bR br i"},
	{"VEX.66.0F3A.W1.L0 32 /r ub", KSHIFTL, "wR wr i"},
	{"VEX.66.0F3A.W0.L0 33 /r ub", KSHIFTL, "dR dr i"},
	{"VEX.66.0F3A.W1.L0 33 /r ub", KSHIFTL, "qR qr i"},

	{"VEX.F3.0F 6F /r", VMOVDQU, "vR vM"},
	{"VEX.F3.0F 7F /r", VMOVDQU, "vM vR"},
	{"VEX.66.0F 6F /r", VMOVDQA, "vR vM"},
	{"VEX.66.0F 7F /r", VMOVDQA, "vM vR"},
	{"VEX.66.0F D4 /r", VPADDQ, "vR vV vM"},
	{"VEX.66.0F FB /r", VPSUBQ, "vR vV vM"},
	{"VEX.66.0F DB /r", VPAND, "vR vV vM"},
	{"VEX.66.0F DF /r", VPANDN, "vR vV vM"},
	{"VEX.66.0F EB /r", VPOR, "vR vV vM"},
	{"VEX.66.0F EF /r", VPXOR, "vR vV vM"},
	{"VEX.66.0F 73 /2 ub", VPSRLQ, "vV vr i"},
	{"VEX.66.0F 73 /6 ub", VPSLLQ, "vV vr i"},
	{"VEX.66.0F38.W1 45 /r", VPSRLVQ, "vR vV vM"},
	{"VEX.66.0F38.W1 47 /r", VPSLLVQ, "vR vV vM"},
	{"VEX.66.0F38.W0 59 /r", VPBROADCASTQ, "vR vM"},
	{"VEX.66.0F3A.W1.L1 00 /r ub", VPERMQ, "vR vM i"},
	{"VEX.66.0F38.W1 B4 /r", VPMADD52LUQ, "vR vV vM"},
	{"VEX.66.0F38.W1 B5 /r", VPMADD52HUQ, "vR vV vM"},

	{"EVEX.F3.0F.W1 6F /r", VMOVDQU64, "vR vM"},
	{"EVEX.F3.0F.W1 7F /r", VMOVDQU64, "vM vR"},
	{"EVEX.66.0F.W1 6F /r", VMOVDQA64, "vR vM"},
	{"EVEX.66.0F.W1 7F /r", VMOVDQA64, "vM vR"},
	{"EVEX.66.0F.W1 D4 /r", VPADDQ, "vR vV vB"},
	{"EVEX.66.0F.W1 FB /r", VPSUBQ, "vR vV vB"},
	{"EVEX.66.0F.W0 DB /r", VPANDD, "vR vV vB"},
	{"EVEX.66.0F.W1 DB /r", VPANDQ, "vR vV vB"},
	{"EVEX.66.0F.W0 DF /r", VPANDND, "vR vV vB"},
	{"EVEX.66.0F.W1 DF /r", VPANDNQ, "vR vV vB"},
	{"EVEX.66.0F.W0 EB /r", VPORD, "vR vV vB"},
	{"EVEX.66.0F.W1 EB /r", VPORQ, "vR vV vB"},
	{"EVEX.66.0F.W0 EF /r", VPXORD, "vR vV vB"},
	{"EVEX.66.0F.W1 EF /r", VPXORQ, "vR vV vB"},
	{"EVEX.66.0F.W1 73 /2 ub", VPSRLQ, "vV vB i"},
	{"EVEX.66.0F.W1 73 /6 ub", VPSLLQ, "vV vB i"},
	{"EVEX.66.0F.W1 72 /4 ub", VPSRAQ, "vV vB i"},
	{"EVEX.66.0F38.W1 45 /r", VPSRLVQ, "vR vV vB"},
	{"EVEX.66.0F38.W1 46 /r", VPSRAVQ, "vR vV vB"},
	{"EVEX.66.0F38.W1 47 /r", VPSLLVQ, "vR vV vB"},
	{"EVEX.66.0F3A.W1 71 /r ub", VPSHLDQ, "vR vV vB i"},
	{"EVEX.66.0F3A.W1 73 /r ub", VPSHRDQ, "vR vV vB i"},
	{"EVEX.66.0F3A.W0 25 /r ub", VPTERNLOGD, "vR vV vB i"},
	{"EVEX.66.0F3A.W1 25 /r ub", VPTERNLOGQ, "vR vV vB i"},
	{"EVEX.66.0F38.W1 B4 /r", VPMADD52LUQ, "vR vV vB"},
	{"EVEX.66.0F38.W1 B5 /r", VPMADD52HUQ, "vR vV vB"},
	{"EVEX.66.0F38.W1 59 /r", VPBROADCASTQ, "vR vM"},
	{"EVEX.66.0F38.W1 7C /r", VPBROADCASTQ, "vR gr"},
	{"EVEX.66.0F38.W1 40 /r", VPMULLQ, "vR vV vB"},
	{"EVEX.66.0F38.W1 3B /r", VPMINUQ, "vR vV vB"},
	{"EVEX.66.0F38.W1 3F /r", VPMAXUQ, "vR vV vB"},
	{"EVEX.66.0F3A.W1 03 /r ub", VALIGNQ, "vR vV vB i"},
	{"EVEX.66.0F3A.W1.L1 00 /r ub", VPERMQ, "vR vB i"},
	{"EVEX.66.0F38.W1.L1 36 /r", VPERMQ, "vR vV vB"},
	{"EVEX.66.0F38.W1 76 /r", VPERMI2Q, "vR vV vB"},
	{"EVEX.66.0F38.W1 7E /r", VPERMT2Q, "vR vV vB"},
	{"EVEX.66.0F38.W1 29 /r", VPCMPEQQ, "kR vV vB"},
	{"EVEX.66.0F38.W1 37 /r", VPCMPGTQ, "kR vV vB"},
	{"EVEX.66.0F3A.W1 1E /r ub", VPCMPUQ, "kR vV vB i"},
	{"EVEX.66.0F3A.W1 1F /r ub", VPCMPQ, "kR vV vB i"},
	{"EVEX.66.0F38.W1 27 /r", VPTESTMQ, "kR vV vB"},
	{"EVEX.F3.0F38.W1 27 /r", VPTESTNMQ, "kR vV vB"},
})

// arithmetic has the eight operations that are encoded alike: the operation is
// bits 3 to 5 of the opcode or of ModRM (SDM volume 2, table A-6, group 1).
func arithmetic() (es []encoding) {
	for n, op := range []Op{ADD, OR, ADC, SBB, AND, SUB, XOR, CMP} {
		es = append(es,
			encoding{fmt.Sprintf("%02X /r", 8*n+1), op, "gM gR"},
			encoding{fmt.Sprintf("%02X /r", 8*n+3), op, "gR gM"},
			encoding{fmt.Sprintf("%02X id", 8*n+5), op, "gA i"},
			encoding{fmt.Sprintf("81 /%d id", n), op, "gM i"},
			encoding{fmt.Sprintf("83 /%d ib", n), op, "gM i"},
		)
	}
	return es
}

// ofMasks has the operations that are encoded alike for masks of every width: the
// width is that of prefix and W together.
func ofMasks() (es []encoding) {
	for kind, prefix := range map[string]string{"b": "66.0F.W0", "w": "NP.0F.W0", "d": "66.0F.W1", "q": "NP.0F.W1"} {
		for opcode, op := range map[int]Op{0x41: KAND, 0x42: KANDN, 0x45: KOR, 0x46: KXNOR, 0x47: KXOR, 0x4a: KADD} {
			es = append(es, encoding{fmt.Sprintf("VEX.%s.L1 %02X /r", prefix, opcode), op, fmt.Sprintf("%sR %[1]sV %[1]sr", kind)})
		}
		for opcode, op := range map[int]Op{0x44: KNOT, 0x98: KORTEST, 0x99: KTEST} {
			es = append(es, encoding{fmt.Sprintf("VEX.%s.L0 %02X /r", prefix, opcode), op, fmt.Sprintf("%sR %[1]sr", kind)})
		}
		es = append(es,
			encoding{fmt.Sprintf("VEX.%s.L0 90 /r", prefix), KMOV, fmt.Sprintf("%sR %[1]sM", kind)},
			encoding{fmt.Sprintf("VEX.%s.L0 91 /r", prefix), KMOV, fmt.Sprintf("%sm %[1]sR", kind)})
	}
	return es
}

// encoding is one row of the table.
type encoding struct {
	code string
	op   Op
	args string
}

// space is where an opcode is looked up.
type space uint8

const (
	legacy space = iota
	vex
	evex
)

// key is what an instruction is found by: the rest of the row decides among the
// few that share it.
type key struct {
	space  space
	prefix byte // 0, 0x66, 0xf3 or 0xf2
	page   byte // opcode map: 0 for one-byte opcodes, 1 for 0F, 2 for 0F38, 3 for 0F3A
	opcode byte
}

// form is a row ready for use.
type form struct {
	op   Op
	args []argForm
	w    int // what the prefix's W must be, or −1
	// lengths has a bit for every L that the prefix may have: 1, 2 and 4 for vectors of
	// 16, 32 and 64 bytes.
	lengths byte
	modrm   bool
	digit   int // what ModRM.reg must be, or −1
	imm     string
	cond    bool // the opcode's low four bits are a condition
}

// argForm is the kind and the place of an operand.
type argForm struct{ kind, place byte }

var forms = func() map[key][]*form {
	table := map[key][]*form{}
	for _, e := range encodings {
		k, span, f := e.parse()
		for n := range span {
			at := k
			at.opcode += byte(n)
			table[at] = append(table[at], f)
		}
	}
	return table
}()

// parse reads a row. span is the number of opcodes that it stands for.
func (e encoding) parse() (k key, span int, f *form) {
	f = &form{op: e.op, w: -1, lengths: 1 | 2 | 4, digit: -1}
	span = 1
	words := strings.Fields(e.code)
	if _, err := strconv.ParseUint(words[0], 16, 8); (err != nil && !strings.Contains(words[0], "+")) || words[0] == "0F" {
		for _, part := range strings.Split(words[0], ".") {
			e.prefixPart(part, &k, f)
		}
		words = words[1:]
	}
	opcode, suffix, _ := strings.Cut(words[0], "+")
	n, err := strconv.ParseUint(opcode, 16, 8)
	if err != nil {
		panic(fmt.Sprintf("x86: row %q: %v", e.code, err))
	}
	k.opcode = byte(n)
	switch suffix {
	case "r":
		span = 8
	case "c":
		span, f.cond = 16, true
	}
	for _, word := range words[1:] {
		if digit, ok := strings.CutPrefix(word, "/"); ok {
			f.modrm = true
			if digit != "r" {
				f.digit = int(digit[0] - '0')
			}
		} else {
			f.imm = word
		}
	}
	for _, a := range strings.Fields(e.args) {
		if a == "i" {
			f.args = append(f.args, argForm{kind: 'i'})
		} else {
			f.args = append(f.args, argForm{a[0], a[1]})
		}
	}
	return k, span, f
}

func (e encoding) prefixPart(part string, k *key, f *form) {
	switch part {
	case "VEX":
		k.space = vex
	case "EVEX":
		k.space = evex
	case "NP":
	case "66":
		k.prefix = 0x66
	case "F3":
		k.prefix = 0xf3
	case "F2":
		k.prefix = 0xf2
	case "0F":
		k.page = 1
	case "0F38":
		k.page = 2
	case "0F3A":
		k.page = 3
	case "W0", "W1":
		f.w = int(part[1] - '0')
	case "L0":
		f.lengths = 1
	case "L1":
		f.lengths = 2 | 4
	case "L2":
		f.lengths = 4
	default:
		panic(fmt.Sprintf("x86: row %q: what is %q?", e.code, part))
	}
}
