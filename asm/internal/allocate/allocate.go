// Package allocate gives physical registers to the virtual ones of avo programs, by
// linear scan (Poletto and Sarkar, Linear scan register allocation, 1999). There is
// no spilling: a program that needs more registers than there are is an error.
//
// In straight-line code a linear scan needs no more registers than are live at once,
// since the intervals' graph is perfect; colouring by the number of neighbours may.
package allocate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
)

// Function sets the allocation of a function. One without virtual registers is left
// alone.
func Function(fn *ir.Function) error {
	fn.Allocation = reg.NewEmptyAllocation()
	if !slices.ContainsFunc(fn.Instructions(), hasVirtual) {
		return nil
	}
	blocks, err := effect.Blocks(fn)
	if err != nil {
		return fmt.Errorf("allocate: %w", err)
	}
	free := newFile(registers())
	free.physical(blocks)
	for _, v := range intervals(blocks) {
		p, ok := free.take(v)
		if !ok {
			return fmt.Errorf("allocate: %s: no register of kind %d is free for what is live from instruction %d to %d", fn.Name, v.id.Kind(), v.from/2, v.to/2)
		}
		fn.Allocation[v.id] = p
	}
	return nil
}

func hasVirtual(in *ir.Instruction) bool {
	return slices.ContainsFunc(in.Registers(), func(r reg.Register) bool { return r.ID().IsVirtual() })
}

// interval is where a register is live, from its first to its last place: 2i is
// where instruction i of the function reads, and 2i + 1 where it writes.
type interval struct {
	id       reg.ID
	from, to int
}

// intervals returns those of the virtual registers, in the order of their begins.
func intervals(blocks []*effect.Block) []interval {
	all := map[reg.ID]*interval{}
	visit(blocks, func(id reg.ID, place int) {
		if !id.IsVirtual() {
			return
		}
		if v := all[id]; v != nil {
			v.from, v.to = min(v.from, place), max(v.to, place)
		} else {
			all[id] = &interval{id, place, place}
		}
	})
	var list []interval
	for _, v := range all {
		list = append(list, *v)
	}
	slices.SortFunc(list, func(a, b interval) int {
		return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(a.id, b.id))
	})
	return list
}

// visit calls f with every register and place where it holds a value that matters,
// or is written.
func visit(blocks []*effect.Block, f func(id reg.ID, place int)) {
	n := 0
	for _, b := range blocks {
		first, last := 2*n, 2*(n+len(b.Effects))-1
		for id := range b.LiveIn {
			f(id, first)
		}
		for id := range b.LiveOut {
			f(id, max(first, last))
		}
		live := maps.Clone(b.LiveOut)
		for i, e := range slices.Backward(b.Effects) {
			for id := range live {
				f(id, 2*(n+i)+1)
			}
			for _, id := range e.Writes {
				f(id, 2*(n+i)+1)
			}
			e.Before(live)
			for id := range live {
				f(id, 2*(n+i))
			}
		}
		n += len(b.Effects)
	}
}
