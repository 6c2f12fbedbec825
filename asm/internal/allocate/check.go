package allocate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
)

// Snapshot is a function as it was before its registers were bound.
type Snapshot struct {
	fn     *ir.Function
	blocks []*effect.Block
	insts  []*ir.Instruction // copies
}

// Take keeps what Check needs of a function. One without virtual registers needs no
// check, and gives nil.
func Take(fn *ir.Function) (*Snapshot, error) {
	if !slices.ContainsFunc(fn.Instructions(), hasVirtual) {
		return nil, nil
	}
	blocks, err := effect.Blocks(fn)
	if err != nil {
		return nil, fmt.Errorf("allocate: %w", err)
	}
	s := &Snapshot{fn: fn, blocks: blocks}
	for _, in := range fn.Instructions() {
		kept := *in
		kept.Operands = slices.Clone(in.Operands)
		s.insts = append(s.insts, &kept)
	}
	return s, nil
}

// state says for physical registers which register's value they hold on all ways
// that lead to a place.
type state map[reg.ID]reg.ID

// Check replays the function with virtual and physical names side by side, on all
// ways at once, and reports whether every instruction reads what the virtual
// register was written with. It looks at the bound operands, not at the allocation
// that they were made from.
func (s *Snapshot) Check() error {
	if s == nil {
		return nil
	}
	bound := s.fn.Instructions()
	if len(bound) != len(s.insts) {
		return fmt.Errorf("allocate: %s: %d instructions have become %d", s.fn.Name, len(s.insts), len(bound))
	}
	entry := map[*effect.Block]state{s.blocks[0]: {}}
	starts := map[*effect.Block]int{}
	n := 0
	for _, b := range s.blocks {
		starts[b] = n
		n += len(b.Insts)
	}
	for work := []*effect.Block{s.blocks[0]}; len(work) > 0; {
		b := work[0]
		work = work[1:]
		at := maps.Clone(entry[b])
		for i := range b.Insts {
			j := starts[b] + i
			if err := at.step(s.insts[j], bound[j], b.Effects[i]); err != nil {
				return fmt.Errorf("allocate: %s: instruction %d: %w", s.fn.Name, j, err)
			}
		}
		for _, next := range b.Next {
			if entry[next] == nil {
				entry[next] = maps.Clone(at)
			} else if !entry[next].meet(at) {
				continue
			}
			work = append(work, next)
		}
	}
	return nil
}

// step replays one instruction.
func (s state) step(virtual, bound *ir.Instruction, e *effect.Effect) error {
	physical := map[reg.ID]reg.ID{}
	if err := pair(physical, virtual, bound); err != nil {
		return err
	}
	for _, r := range e.Reads {
		p := r
		if r.IsVirtual() {
			p = physical[r]
		}
		if s.at(p) != r {
			return fmt.Errorf("%s reads a register whose value is not there", bound.Opcode)
		}
	}
	written := map[reg.ID]bool{}
	for _, w := range e.Writes {
		p := w
		if w.IsVirtual() {
			p = physical[w]
		}
		if written[p] {
			return fmt.Errorf("%s writes one register twice", bound.Opcode)
		}
		written[p] = true
		s[p] = w
	}
	return nil
}

// pair finds which physical register stands for which virtual one.
func pair(physical map[reg.ID]reg.ID, virtual, bound *ir.Instruction) error {
	if virtual.Opcode != bound.Opcode || len(virtual.Operands) != len(bound.Operands) {
		return fmt.Errorf("%s has become %s", virtual.Opcode, bound.Opcode)
	}
	for i, o := range virtual.Operands {
		from, to := operand.Registers(o), operand.Registers(bound.Operands[i])
		if len(from) != len(to) {
			return fmt.Errorf("%s: an operand has lost a register", bound.Opcode)
		}
		for j, v := range from {
			p := to[j]
			if p.ID().IsVirtual() || p.Kind() != v.Kind() || p.Size() != v.Size() {
				return fmt.Errorf("%s: %s has become %s", bound.Opcode, v.Asm(), p.Asm())
			}
			if kept, ok := physical[v.ID()]; ok && kept != p.ID() {
				return fmt.Errorf("%s: one register has become two", bound.Opcode)
			}
			if v.ID().IsVirtual() {
				physical[v.ID()] = p.ID()
			} else if v.ID() != p.ID() {
				return fmt.Errorf("%s: %s has become %s", bound.Opcode, v.Asm(), p.Asm())
			}
		}
	}
	return nil
}

// meet leaves what both states agree on, and reports whether that is less than before.
func (s state) meet(t state) (less bool) {
	for _, known := range []state{s, t} {
		for p := range known {
			if s.at(p) != nothing && s.at(p) != t.at(p) {
				s[p] = nothing
				less = true
			}
		}
	}
	return less
}

// at is the register whose value a physical register holds: its own, if nobody has
// written it.
func (s state) at(p reg.ID) reg.ID {
	if v, ok := s[p]; ok {
		return v
	}
	return p
}

// nothing is no register's identifier.
const nothing = ^reg.ID(0)
