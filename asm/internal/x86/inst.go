package x86

import (
	"fmt"
	"strings"
)

// Inst is one decoded instruction.
type Inst struct {
	Offset int // of its first byte in the function
	Len    int // in bytes
	Op     Op
	Cond   Cond // of J, CMOV and SET
	Size   int  // bytes of the destination, 1 to 8, or of the longest vector, 16, 32 or 64
	Elem   int  // bytes of an element that a mask bit stands for
	Mask   Reg  // K0 if there is none
	Zero   bool // elements that are masked off become zero, not left as they are
	Target int  // offset that J and JMP lead to
	NArgs  int
	Args   [4]Arg // the destination first, as in Intel's manual

	Reads  Set // registers and flags whose value matters, those of addresses as well
	Writes Set // registers and flags that have a defined value afterwards
	Spoils Set // flags that have an undefined one
	Addr   Set // registers of the address
}

// Kind tells what an operand is.
type Kind uint8

// The kinds of operands.
const (
	Register Kind = iota
	Memory
	Immediate
)

// Arg is an operand.
type Arg struct {
	Kind Kind
	Reg  Reg
	Mem  Mem
	Imm  int64
}

// Mem is an operand in memory: Bytes bytes at Base + Index·Scale + Disp.
type Mem struct {
	Base, Index Reg // NoRg if there is none
	Scale       uint8
	Broadcast   bool // one element, for all of the vector
	Disp        int32
	Bytes       int
}

// Mem returns the operand in memory, or nil. No known instruction has two.
func (in *Inst) Mem() *Mem {
	for i := range in.NArgs {
		if in.Args[i].Kind == Memory {
			return &in.Args[i].Mem
		}
	}
	return nil
}

// setEffects finds Reads, Writes, Spoils and Addr.
func (in *Inst) setEffects() {
	info := &ops[in.Op]
	in.Reads, in.Writes, in.Spoils = info.reads, info.sets, info.spoils
	for i := range in.NArgs {
		arg, access := &in.Args[i], info.access[i]
		switch arg.Kind {
		case Memory:
			for _, r := range []Reg{arg.Mem.Base, arg.Mem.Index} {
				if r != NoRg {
					in.Addr |= SetOf(r)
				}
			}
		case Register:
			if access == 'r' || access == 'x' {
				in.Reads |= SetOf(arg.Reg)
			}
			if access == 'w' || access == 'x' {
				in.Writes |= SetOf(arg.Reg)
			}
		}
	}
	if in.Mask != K0 {
		in.Reads |= SetOf(in.Mask)
		if dst := in.Args[0]; !in.Zero && !in.Op.Blends() && dst.Kind == Register && dst.Reg.IsVector() {
			in.Reads |= SetOf(dst.Reg)
		}
	}
	switch in.Op {
	case J, CMOV:
		in.Reads |= conds[in.Cond].reads
	case SET: // of a register, it leaves the other bytes as they are
		in.Reads |= conds[in.Cond].reads | in.Writes
	case MULX:
		in.Reads |= SetOf(DX)
	case MUL:
		in.Reads |= SetOf(AX)
		in.Writes |= SetOf(AX, DX)
	case PUSH, POP, RET:
		in.Addr |= SetOf(SP)
		in.Writes |= SetOf(SP)
	case SHL, SHR, SAR, ROL, ROR: // a shift by one defines the overflow flag
		if in.Args[1].Imm == 1 {
			in.Writes |= in.Spoils
			in.Spoils = 0
		}
	}
	if in.constant() {
		in.Reads = 0
	}
	in.Reads |= in.Addr
}

// constant reports whether the result does not depend on the operands: the
// idioms for zero and for all bits set.
func (in *Inst) constant() bool {
	same := func(i, j int) bool {
		return in.Args[i].Kind == Register && in.Args[j].Kind == Register && in.Args[i].Reg == in.Args[j].Reg
	}
	if in.Mask != K0 {
		return false
	}
	switch in.Op {
	case XOR, SUB:
		return same(0, 1)
	case VPXOR, VPXORD, VPXORQ, VPSUBW, VPSUBD, VPSUBQ, VPANDN, VPANDND, VPANDNQ, KXOR, KXNOR, KANDN, ANDN:
		return same(1, 2)
	case VPCMPEQW, VPCMPEQD, VPCMPGTW, VPCMPGTD: // into a mask, they wait for the operands
		return same(1, 2) && in.Args[0].Reg.IsVector()
	case VPTERNLOGD, VPTERNLOGQ:
		table := uint8(in.Args[3].Imm)
		return in.Mem() == nil && (table == 0 || table == 0xff)
	}
	return false
}

// Name is the mnemonic of Go's assembler, without the suffixes .Z and .BCST.
func (in *Inst) Name() string {
	info := &ops[in.Op]
	name := info.name + info.widths[in.Size]
	if in.Op.conditional() {
		name += in.Cond.String()
	}
	return name
}

// String is the instruction in the syntax of Go's assembler: the destination
// last, except for CMP, and before it the mask. Numbers are decimal, and a jump
// shows the offset that it leads to.
func (in *Inst) String() string {
	var b strings.Builder
	b.WriteString(in.Name())
	if m := in.Mem(); m != nil && m.Broadcast {
		b.WriteString(".BCST")
	}
	if in.Zero {
		b.WriteString(".Z")
	}
	var operands []string
	if in.Op == J || in.Op == JMP {
		operands = []string{fmt.Sprint(in.Target)}
	}
	for i := in.NArgs - 1; i >= 0; i-- {
		if i == 0 && in.Mask != K0 {
			operands = append(operands, in.Mask.String())
		}
		operands = append(operands, in.argString(i))
	}
	if in.Op == CMP {
		operands[0], operands[1] = operands[1], operands[0]
	}
	if len(operands) > 0 {
		b.WriteString(" " + strings.Join(operands, ", "))
	}
	return b.String()
}

func (in *Inst) argString(i int) string {
	switch a := in.Args[i]; {
	case a.Kind == Immediate:
		return fmt.Sprintf("$%d", a.Imm)
	case a.Kind == Memory:
		return a.Mem.String()
	case a.Reg.IsVector():
		letter := map[int]string{16: "X", 32: "Y", 64: "Z"}[in.VectorBytes(i)]
		return fmt.Sprintf("%s%d", letter, a.Reg.Num())
	default:
		return a.Reg.String()
	}
}

func (m *Mem) String() string {
	var b strings.Builder
	if m.Disp != 0 {
		fmt.Fprint(&b, m.Disp)
	}
	if m.Base != NoRg {
		fmt.Fprintf(&b, "(%v)", m.Base)
	}
	if m.Index != NoRg {
		fmt.Fprintf(&b, "(%v*%d)", m.Index, m.Scale)
	}
	return b.String()
}
