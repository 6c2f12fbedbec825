package x86

import (
	"fmt"
	"slices"
)

// Make returns an instruction that has not been decoded, but is given as Go's
// assembler has it: the mnemonic without suffixes, the operands with the
// destination first, the mask (K0 if there is none), and the bytes of its longest
// vector register (0 if it has none). Operands in memory get their length. Offset, Len and
// Target are zero.
func Make(name string, mask Reg, zero bool, vector int, args ...Arg) (Inst, error) {
	m, ok := mnemonics[name]
	if !ok {
		return Inst{}, fmt.Errorf("x86: no known instruction %s", name)
	}
	in := Inst{Op: m.op, Cond: m.cond, Size: m.size, Elem: m.op.elem(), Mask: mask, Zero: zero, NArgs: len(args)}
	if len(args) != len(ops[m.op].access) {
		return Inst{}, fmt.Errorf("x86: %s with %d operands", name, len(args))
	}
	if in.Size == 0 {
		in.Size = vector
	}
	for i, a := range args {
		if a.Kind == Memory {
			a.Mem.Bytes = in.memoryBytes(&a.Mem)
		}
		in.Args[i] = a
	}
	in.setEffects()
	return in, nil
}

// memoryBytes is the length of an operand in memory.
func (in *Inst) memoryBytes(m *Mem) int {
	switch info := &ops[in.Op]; {
	case m.Broadcast && info.bcst != 0:
		return info.bcst
	case m.Broadcast:
		return in.Elem
	case info.memory != 0:
		return info.memory
	}
	return in.Size
}

// VectorBytes is the length of operand i, a vector in a register.
func (in *Inst) VectorBytes(i int) int {
	if short := ops[in.Op].short; i < len(short) {
		switch short[i] {
		case 'x':
			return 16
		case 'y':
			return 32
		case 'h':
			return max(16, in.Size/2)
		}
	}
	return in.Size
}

// mnemonic is what a name in Go's assembler says.
type mnemonic struct {
	op   Op
	cond Cond
	size int // bytes of a general operand or of a mask, or 0
}

// aliases are second names that Go's assembler has for conditions.
var aliases = map[string]string{"EQ": "Z", "NE": "NZ", "CS": "C", "CC": "NC"}

var mnemonics = func() map[string]mnemonic {
	table := map[string]mnemonic{}
	for op := range NumOps {
		widths := ops[op].widths
		switch {
		case op == SET:
			widths = map[int]string{1: ""}
		case len(widths) == 0:
			widths = map[int]string{0: ""}
		}
		for size, suffix := range widths {
			name := ops[op].name + suffix
			if !op.conditional() {
				table[name] = mnemonic{op, 0, size}
				continue
			}
			for c, cond := range conds {
				if cond.reads == 0 {
					continue
				}
				table[name+cond.name] = mnemonic{op, Cond(c), size}
				if alias, ok := aliases[cond.name]; ok && op == J {
					table[name+alias] = mnemonic{op, Cond(c), size}
				}
			}
		}
	}
	return table
}()

// Names returns the mnemonics of an operation.
func (op Op) Names() (names []string) {
	for name, m := range mnemonics {
		if m.op == op {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// elem is the bytes of an element that a mask bit stands for.
func (op Op) elem() int {
	if n := ops[op].elem; n != 0 {
		return n
	}
	return 8
}

// Loads reports whether the instruction reads its operand in memory, and Stores
// whether it writes it.
func (in *Inst) Loads() bool  { return in.memoryAccess('r') }
func (in *Inst) Stores() bool { return in.memoryAccess('w') }

func (in *Inst) memoryAccess(access byte) bool {
	for i := range in.NArgs {
		if in.Args[i].Kind == Memory {
			a := ops[in.Op].access[i]
			return a == access || a == 'x'
		}
	}
	return false
}

// Operands returns the number of operands of an instruction of Go's assembler
// without its mask, or −1 if it is not known.
func Operands(name string) int {
	m, ok := mnemonics[name]
	if !ok {
		return -1
	}
	return len(ops[m.op].access)
}
