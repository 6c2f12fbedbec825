// Package effect says what the instructions of an avo program do to registers,
// virtual or physical, to flags and to memory, as passes over such programs need to
// know. What avo itself says of that is not enough: it knows nothing of flags, and
// takes a masked VPXORQ of a register with itself for a zero. The table is that of
// package x86.
package effect

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/x86"
)

// Effect is what an instruction does.
type Effect struct {
	// Inst is the instruction with registers of its own numbering: its operation,
	// width and form are right, but virtual registers have arbitrary names.
	Inst   x86.Inst
	Reads  []reg.ID // registers and flags whose values matter, those of addresses as well
	Writes []reg.ID // registers and flags that are changed
	Memory *Access  // nil if memory is left alone
}

// Access is an access of memory.
type Access struct {
	operand.Mem
	Bytes         int
	Loads, Stores bool
}

// flag is what stands for a flag among registers.
func flag(f x86.Reg) reg.ID { return reg.ID(0xff)<<8 | reg.ID(f)<<16 }

// IsFlag reports whether an identifier is that of a flag.
func IsFlag(id reg.ID) bool { return id.Kind() == 0xff }

// Of returns the effect of an instruction, or an error if it is not known.
func Of(in *ir.Instruction) (*Effect, error) {
	n := &names{taken: map[x86.Reg]reg.ID{}}
	for _, r := range in.Registers() {
		n.physical(r)
	}
	args, mask, err := n.args(in)
	if err != nil {
		return nil, fmt.Errorf("effect: %s: %w", in.Opcode, err)
	}
	e := &Effect{}
	e.Inst, err = x86.Make(in.Opcode, mask, slices.Contains(in.Suffixes, "Z"), n.vector, args...)
	if err != nil {
		return nil, fmt.Errorf("effect: %w", err)
	}
	e.Reads = n.ids(e.Inst.Reads)
	e.Writes = n.ids(e.Inst.Writes | e.Inst.Spoils)
	for _, o := range in.Operands {
		if m, ok := o.(operand.Mem); ok && (e.Inst.Loads() || e.Inst.Stores()) {
			e.Memory = &Access{Mem: m, Bytes: e.Inst.Mem().Bytes, Loads: e.Inst.Loads(), Stores: e.Inst.Stores()}
		}
	}
	return e, nil
}

// names maps the registers of one instruction to those of package x86: physical
// ones to themselves, virtual ones to some of the same kind that are free.
type names struct {
	taken  map[x86.Reg]reg.ID
	vector int // bytes of the longest vector register
}

// first is the lowest register of a kind, in the order of avo's kinds.
var first = map[reg.Kind]x86.Reg{reg.KindGP: x86.AX, reg.KindVector: x86.V0, reg.KindOpmask: x86.K0}

// kindOf is the inverse of first.
func kindOf(r x86.Reg) reg.Kind {
	switch {
	case r.IsGeneral():
		return reg.KindGP
	case r.IsVector():
		return reg.KindVector
	}
	return reg.KindOpmask
}

func (n *names) physical(r reg.Register) {
	if p := reg.ToPhysical(r); p != nil && p.Kind() != reg.KindPseudo {
		n.taken[first[p.Kind()]+x86.Reg(p.PhysicalIndex())] = p.ID()
	}
}

// implicit are the registers that instructions use without naming them, and K0,
// which stands for no mask.
var implicit = x86.SetOf(x86.AX, x86.DX, x86.SP, x86.K0)

func (n *names) name(r reg.Register) x86.Reg {
	if p := reg.ToPhysical(r); p != nil {
		return first[p.Kind()] + x86.Reg(p.PhysicalIndex())
	}
	for x, id := range n.taken {
		if id == r.ID() {
			return x
		}
	}
	x := first[r.Kind()]
	for ; implicit.Has(x) || n.taken[x] != 0; x++ {
	}
	n.taken[x] = r.ID()
	return x
}

// ids returns the registers of a set, in the order of their identifiers.
func (n *names) ids(s x86.Set) (ids []reg.ID) {
	for ; s != 0; s &= s - 1 {
		r := s.First()
		id, ok := n.taken[r]
		switch {
		case r >= x86.CF:
			id = flag(r)
		case !ok:
			id = reg.LookupPhysical(kindOf(r), reg.Index(r.Num()), wholeOf[kindOf(r)]).ID()
		}
		ids = append(ids, id)
	}
	slices.Sort(ids)
	return ids
}

var wholeOf = map[reg.Kind]reg.Spec{reg.KindGP: reg.S64, reg.KindVector: reg.S512, reg.KindOpmask: reg.S64}

// args returns the operands, the destination first, and the mask. Go's assembler
// has the destination last, and before it the mask; of a comparison of general
// registers it is the other way round.
func (n *names) args(in *ir.Instruction) (args []x86.Arg, mask x86.Reg, err error) {
	mask = x86.K0
	if in.IsBranch {
		return nil, mask, nil
	}
	operands := slices.Clone(in.Operands)
	if in.Opcode != "CMPQ" && in.Opcode != "CMPL" {
		slices.Reverse(operands)
	}
	if want := x86.Operands(in.Opcode); len(operands) == want+1 && want > 0 {
		k, ok := operands[1].(reg.Register)
		if !ok || k.Kind() != reg.KindOpmask {
			return nil, mask, fmt.Errorf("%d operands", len(operands))
		}
		mask = n.name(k)
		operands = slices.Delete(operands, 1, 2)
	}
	for _, o := range operands {
		a, err := n.arg(o, slices.Contains(in.Suffixes, "BCST"))
		if err != nil {
			return nil, mask, err
		}
		args = append(args, a)
	}
	return args, mask, nil
}

func (n *names) arg(o operand.Op, broadcast bool) (x86.Arg, error) {
	switch o := o.(type) {
	case reg.Register:
		if o.Kind() == reg.KindVector {
			n.vector = max(n.vector, int(o.Size()))
		}
		if o.Kind() == reg.KindPseudo {
			return x86.Arg{}, fmt.Errorf("register %s as an operand", o.Asm())
		}
		return x86.Arg{Kind: x86.Register, Reg: n.name(o)}, nil
	case operand.Mem:
		m := x86.Mem{Base: n.base(o.Base), Index: n.base(o.Index), Scale: o.Scale, Broadcast: broadcast, Disp: int32(o.Disp)}
		return x86.Arg{Kind: x86.Memory, Mem: m}, nil
	}
	v, ok := immediate(o)
	if !ok {
		return x86.Arg{}, fmt.Errorf("operand %s", o.Asm())
	}
	return x86.Arg{Kind: x86.Immediate, Imm: v}, nil
}

// base is the register of an address: none if it is one of Go's pseudo registers,
// which stand for constant places.
func (n *names) base(r reg.Register) x86.Reg {
	if r == nil || r.Kind() == reg.KindPseudo {
		return x86.NoRg
	}
	return n.name(r)
}

func immediate(o operand.Op) (int64, bool) {
	switch v := o.(type) {
	case operand.U8:
		return int64(v), true
	case operand.U16:
		return int64(v), true
	case operand.U32:
		return int64(v), true
	case operand.U64:
		return int64(v), true
	case operand.I8:
		return int64(v), true
	case operand.I16:
		return int64(v), true
	case operand.I32:
		return int64(v), true
	case operand.I64:
		return int64(v), true
	}
	return 0, false
}

// Names returns the registers that the instruction reads or writes, each once,
// without flags.
func (e *Effect) Names() (ids []reg.ID) {
	for _, r := range slices.Concat(e.Reads, e.Writes) {
		if !IsFlag(r) && !slices.Contains(ids, r) {
			ids = append(ids, r)
		}
	}
	return ids
}
