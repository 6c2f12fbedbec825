package schedule

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
	"residue/asm/internal/x86"
)

// memory knows which accesses may be of the same bytes.
type memory struct {
	private []reg.Register
	// places has pointers that are set once in the function, to another such pointer
	// and a displacement.
	places map[reg.ID]operand.Mem
}

// newMemory looks for pointers that are made of others. It is an error if a pointer
// to private memory gets where it is not followed.
func newMemory(blocks []*effect.Block, private []reg.Register) (*memory, error) {
	m := &memory{private: private, places: map[reg.ID]operand.Mem{}}
	straight := !loops(blocks)
	written, atEntry := map[reg.ID]int{}, map[reg.ID]int{}
	for i, b := range blocks {
		for _, e := range b.Effects {
			for _, r := range e.Writes {
				written[r]++
				if i == 0 && straight {
					atEntry[r]++
				}
			}
		}
	}
	// What is set once, before any loop, is the same in all of the function.
	once := func(r reg.Register) bool {
		n := written[r.ID()]
		return n == 0 || n == 1 && atEntry[r.ID()] == 1
	}
	for _, b := range blocks {
		for i, in := range b.Insts {
			e := b.Effects[i]
			if p, ok := pointer(in, e); ok && written[e.Writes[0]] == 1 && once(p.Base) {
				m.places[e.Writes[0]] = p
				continue
			}
			for _, p := range private {
				if escapes(p, in, e) {
					return nil, fmt.Errorf("%s takes a pointer to private memory where it is not followed", in.Opcode)
				}
			}
		}
	}
	return m, nil
}

// loops reports whether a jump leads back to the first block.
func loops(blocks []*effect.Block) bool {
	return slices.ContainsFunc(blocks, func(b *effect.Block) bool { return slices.Contains(b.Next, blocks[0]) })
}

// pointer returns what LEAQ makes of a register alone, or MOVQ copies.
func pointer(in *ir.Instruction, e *effect.Effect) (operand.Mem, bool) {
	if e.Inst.Size != 8 || len(in.Operands) != 2 {
		return operand.Mem{}, false
	}
	switch from := in.Operands[0].(type) {
	case operand.Mem:
		return from, e.Inst.Op == x86.LEA && from.Index == nil
	case reg.Register:
		_, toRegister := in.Operands[1].(reg.Register)
		return operand.Mem{Base: from}, e.Inst.Op == x86.MOV && toRegister
	}
	return operand.Mem{}, false
}

// escapes reports whether an instruction makes something of a pointer that lasts:
// all but an address, a comparison and a change of the pointer itself.
func escapes(p reg.Register, in *ir.Instruction, e *effect.Effect) bool {
	id := p.ID()
	if p.Kind() == reg.KindPseudo || !slices.Contains(e.Reads, id) {
		return false
	}
	others := slices.ContainsFunc(e.Writes, func(w reg.ID) bool { return w != id && !effect.IsFlag(w) })
	if e.Memory == nil {
		return others
	}
	itself := slices.ContainsFunc(in.Operands, func(o operand.Op) bool {
		r, ok := o.(reg.Register)
		return ok && r.ID() == id
	})
	return itself && (others || e.Memory.Stores)
}

// conflict reports whether two accesses of memory must stay in order: one of them
// stores, and they may be of the same bytes.
//
// Displacements from the same registers are compared as if these had not changed in
// between. If they have, what changed them stands between the two in any order.
func (m *memory) conflict(a, b *effect.Access) bool {
	if !a.Stores && !b.Stores {
		return false
	}
	x, y := m.place(a.Mem), m.place(b.Mem)
	switch {
	case !same(x.Base, y.Base):
		return !m.isPrivate(x.Base) && !m.isPrivate(y.Base)
	case !same(x.Index, y.Index) || x.Scale != y.Scale:
		return true
	}
	return x.Disp < y.Disp+b.Bytes && y.Disp < x.Disp+a.Bytes
}

// place is an address by the pointer that its own is made of.
func (m *memory) place(a operand.Mem) operand.Mem {
	for {
		p, ok := m.places[a.Base.ID()]
		if !ok || a.Base.Kind() == reg.KindPseudo {
			return a
		}
		a.Base, a.Disp = p.Base, a.Disp+p.Disp
	}
}

// isPrivate reports whether what is accessed through a register is accessed through
// no other. No pointer leads to the arguments of a function.
func (m *memory) isPrivate(r reg.Register) bool {
	return same(r, reg.FramePointer) || slices.ContainsFunc(m.private, func(p reg.Register) bool { return same(r, p) })
}

// same reports whether two registers are one. Go's pseudo registers have nothing
// but names.
func same(a, b reg.Register) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ID() == b.ID() && (a.Kind() != reg.KindPseudo || a.Asm() == b.Asm())
}
