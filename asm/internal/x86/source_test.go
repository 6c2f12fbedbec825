package x86_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"residue/asm/internal/object"
	"residue/asm/internal/x86"
)

// TestDecodeKernels decodes every kernel that is committed and compares each
// instruction with the line of the source that the assembler made it of.
func TestDecodeKernels(t *testing.T) {
	var files []string
	for _, dir := range []string{"*", "internal/wordmont"} {
		found, err := filepath.Glob("../../../" + dir + "/*_amd64.s")
		if err != nil || len(found) == 0 {
			t.Fatalf("no kernels: %v", err)
		}
		files = append(files, found...)
	}
	for _, file := range files {
		base := strings.TrimSuffix(file, ".s")
		t.Run(filepath.Base(base), func(t *testing.T) {
			source, err := object.ReadSource(base)
			if err != nil {
				t.Fatal(err)
			}
			if n := compare(t, source); n < strings.Count(source.Asm, "\n")/2 {
				t.Errorf("only %d instructions were compared", n)
			}
		})
	}
}

// TestDecodeForms does the same for a file that has every operation in every
// form, among them those that no kernel uses yet.
func TestDecodeForms(t *testing.T) {
	lines := forms()
	seen := map[string]bool{}
	for _, line := range lines {
		name, _, _ := strings.Cut(line, " ")
		name, _, _ = strings.Cut(name, ".")
		seen[name] = true
	}
	for op := range x86.NumOps {
		switch op {
		case x86.J, x86.CMOV, x86.SET, x86.RET: // the condition is part of the name; the end
			continue
		}
		if !slices.ContainsFunc(op.Names(), func(name string) bool { return seen[name] }) {
			t.Errorf("no form of %s", op)
		}
	}
	const noSplit = 4
	source := object.Source{
		Asm:   fmt.Sprintf("TEXT ·all(SB), %d, $0-0\nstart:\n\t%s\nend:\n\tRET\n", noSplit, strings.Join(lines, "\n\t")),
		Stubs: "package p\n\nfunc all()\n",
	}
	if n := compare(t, source); n < len(lines) {
		t.Errorf("%d instructions of %d lines", n, len(lines))
	}
}

// compare compares what is decoded with the source, and returns the number of
// instructions.
func compare(t *testing.T, source object.Source) (n int) {
	t.Helper()
	fs, err := source.Assemble()
	if err != nil {
		t.Fatal(err)
	}
	text := readText(source.Asm)
	for _, name := range source.Names() {
		fn := fs[name]
		insts, err := x86.Decode(fn.Code)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		want := text[name]
		offsets := map[int]int{} // of the first instruction of a line
		i := 0
		for _, in := range insts {
			if i < len(want) && want[i].line == fn.Line(in.Offset) {
				offsets[i] = in.Offset
				i++
			} else if in.Op != x86.NOP {
				t.Errorf("%s: %v at offset %d comes from no line of its own", name, in.String(), in.Offset)
			}
		}
		if i != len(want) {
			t.Errorf("%s: %d instructions decoded, %d lines", name, i, len(want))
			continue
		}
		i = 0
		for _, in := range insts {
			if offset, ok := offsets[i]; !ok || offset != in.Offset {
				continue
			}
			line := want[i].canonical(func(label string) (string, bool) {
				at, ok := text[name].target(label)
				return fmt.Sprint(offsets[at]), ok
			})
			if got := in.String(); got != line {
				t.Errorf("%s, line %d: % x is decoded as %s, not %s", name, want[i].line, fn.Code[in.Offset:in.Offset+in.Len], got, line)
			}
			compareMade(t, in)
			i++
			n++
		}
	}
	return n
}

// compareMade compares an instruction that was decoded with one that is made of its
// name and operands.
func compareMade(t *testing.T, in x86.Inst) {
	t.Helper()
	vector := 0
	if in.Size > 8 {
		vector = in.Size
	}
	made, err := x86.Make(in.Name(), in.Mask, in.Zero, vector, in.Args[:in.NArgs]...)
	if err != nil {
		t.Errorf("%s: %v", in.String(), err)
		return
	}
	made.Offset, made.Len, made.Target = in.Offset, in.Len, in.Target
	if in.NArgs == 0 {
		made.Size = in.Size
	}
	if made != in {
		t.Errorf("%s is decoded as %+v, and made as %+v", in.String(), in, made)
	}
}

// line is an instruction of the source.
type line struct {
	line     int // of the file
	frame    int // bytes of the function's frame
	op       string
	operands []string
	labels   []string // that stand before it
}

type lines []line

// target returns the instruction that a jump to a label leads to. The assembler
// does not jump to jumps.
func (ls lines) target(label string) (int, bool) {
	at, ok := ls.label(label)
	for ok && ls[at].op == "JMP" {
		at, ok = ls.label(ls[at].operands[0])
	}
	return at, ok
}

func (ls lines) label(name string) (int, bool) {
	for i, l := range ls {
		for _, label := range l.labels {
			if label == name {
				return i, true
			}
		}
	}
	return 0, false
}

// readText reads the instructions of every function of an assembly file.
func readText(asm string) map[string]lines {
	text := map[string]lines{}
	var name string
	var labels []string
	n, frame := 0, 0
	// A function with a frame saves BP and makes room when it is entered, and undoes
	// that where it returns.
	add := func(code string) {
		op, operands, _ := strings.Cut(code, " ")
		l := line{line: n, frame: frame, op: op, labels: labels}
		if operands != "" {
			l.operands = strings.Split(operands, ", ")
		}
		text[name] = append(text[name], l)
		labels = nil
	}
	for raw := range strings.Lines(asm) {
		n++
		code, _, _ := strings.Cut(raw, "//")
		code = strings.TrimSpace(code)
		switch {
		case strings.HasPrefix(code, "TEXT ·"):
			m := textLine.FindStringSubmatch(code)
			name = m[1]
			frame, _ = strconv.Atoi(m[2])
			if frame > 0 {
				add("PUSHQ BP")
				add("MOVQ SP, BP")
				add(fmt.Sprintf("SUBQ $%d, SP", frame))
			}
		case name == "" || code == "" || strings.HasPrefix(code, "PCALIGN"):
		case strings.HasSuffix(code, ":"):
			labels = append(labels, strings.TrimSuffix(code, ":"))
		case code == "RET" && frame > 0:
			add(fmt.Sprintf("ADDQ $%d, SP", frame))
			add("POPQ BP")
			add("RET")
		default:
			add(code)
		}
	}
	return text
}

// aliases are other names of conditional jumps.
var aliases = map[string]string{"JZ": "JEQ", "JNZ": "JNE", "JB": "JCS", "JAE": "JCC", "JC": "JCS", "JNC": "JCC"}

var (
	textLine = regexp.MustCompile(`^TEXT ·(\w+)\(SB\),(?: \w+,)? \$(\d+)`)
	argument = regexp.MustCompile(`^\w+\+(\d+)\(FP\)$`)
	memory   = regexp.MustCompile(`^(-?\w*)\((\w+)\)(?:\((\w+)\*(\d)\))?$`)
)

// canonical is the line as x86.Inst writes it.
func (l line) canonical(label func(string) (string, bool)) string {
	op := l.op
	if name, ok := aliases[op]; ok {
		op = name
	}
	var operands []string
	for _, o := range l.operands {
		if imm, ok := strings.CutPrefix(o, "$"); ok {
			operands = append(operands, "$"+decimal(imm, strings.HasSuffix(op, "L")))
		} else {
			operands = append(operands, canonicalOperand(o, l.frame, label))
		}
	}
	return strings.TrimSpace(op + " " + strings.Join(operands, ", "))
}

func canonicalOperand(o string, frame int, label func(string) (string, bool)) string {
	if m := argument.FindStringSubmatch(o); m != nil {
		offset, _ := strconv.Atoi(m[1])
		offset += 8 // the return address
		if frame > 0 {
			offset += frame + 8 // BP
		}
		return fmt.Sprintf("%d(SP)", offset)
	}
	if m := memory.FindStringSubmatch(o); m != nil {
		s := fmt.Sprintf("(%s)", m[2])
		if disp := decimal(m[1], false); m[1] != "" && disp != "0" {
			s = disp + s
		}
		if m[3] != "" {
			s += fmt.Sprintf("(%s*%s)", m[3], m[4])
		}
		return s
	}
	if at, ok := label(o); ok {
		return at
	}
	return o
}

// decimal is a number as a signed one, of 32 bits if it is short, or else of 64.
func decimal(s string, short bool) string {
	n, err := strconv.ParseInt(s, 0, 64)
	if err != nil {
		u, err := strconv.ParseUint(s, 0, 64)
		if err != nil {
			return s
		}
		n = int64(u)
	}
	if short {
		n = int64(int32(n))
	}
	return fmt.Sprint(n)
}
