package schedule

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
)

// check reports whether a block in a new order computes what it did before: it has
// the same instructions, and any two of which one needs the other are in the order
// that they had. It compares all pairs.
func check(before, after []ir.Node, mem *memory) error {
	from, to := instructions(before), instructions(after)
	if len(from) != len(to) {
		return fmt.Errorf("%d instructions have become %d", len(from), len(to))
	}
	at := map[*ir.Instruction]int{}
	for i, in := range to {
		at[in] = i
	}
	if len(at) != len(to) {
		return fmt.Errorf("an instruction comes twice")
	}
	var effects []*effect.Effect
	for i, in := range from {
		place, ok := at[in]
		if !ok {
			return fmt.Errorf("instruction %d, %s, is missing", i, in.Opcode)
		}
		e, err := effect.Of(in)
		if err != nil {
			return err
		}
		for j, earlier := range effects {
			if at[from[j]] > place && ordered(earlier, e, mem) {
				return fmt.Errorf("instruction %d, %s, is before instruction %d, %s, which it needs", i, in.Opcode, j, from[j].Opcode)
			}
		}
		effects = append(effects, e)
	}
	return nil
}

func instructions(nodes []ir.Node) (ins []*ir.Instruction) {
	for _, n := range nodes {
		if in, ok := n.(*ir.Instruction); ok {
			ins = append(ins, in)
		}
	}
	return ins
}

// ordered reports whether two instructions must stay in order.
func ordered(a, b *effect.Effect, mem *memory) bool {
	return meet(a.Writes, b.Reads) || meet(a.Reads, b.Writes) || meet(a.Writes, b.Writes) ||
		a.Memory != nil && b.Memory != nil && mem.conflict(a.Memory, b.Memory)
}

func meet(a, b []reg.ID) bool {
	return slices.ContainsFunc(a, func(r reg.ID) bool { return slices.Contains(b, r) })
}
