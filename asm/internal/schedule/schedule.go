// Package schedule puts the instructions of avo programs into an order in which a
// core waits little: list scheduling within basic blocks, before registers are
// allocated. A program can then be written step by step, as it is understood.
//
// The core is simulated cycle by cycle. Of the instructions whose operands are
// there, the one with the longest path of latencies to the end of its block goes
// first, if a port is free (Cooper and Torczon, Engineering a Compiler, chapter 12).
package schedule

import (
	"fmt"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
	"residue/asm/internal/ports"
	"residue/asm/internal/x86"
)

// Options say for what core, and within which bounds, a function is scheduled.
type Options struct {
	Model *ports.Model // nil: Golden Cove

	// Window is how many instructions that have no place yet are looked at, in the
	// order of the program; 0 for all.
	Window int

	// Live is how many registers of a kind may be live. They are no more than that, or
	// than in the order of the program. A kind that is missing has no bound.
	Live map[reg.Kind]int

	// Load is the latency that loads are given; 0 for the model's. A core that loads
	// ahead hides it, and a small one keeps registers free.
	Load int

	// Private are base registers of addresses. What is accessed through one of them, or
	// through a register that LEAQ makes of it, is accessed through no other. Otherwise
	// memory that is addressed through two registers is taken for the same.
	Private []reg.Register
}

// Function schedules every block of a function. An instruction whose effect is not
// known is an error.
func Function(fn *ir.Function, opt Options) error {
	if opt.Model == nil {
		opt.Model = ports.GoldenCove
	}
	blocks, err := effect.Blocks(fn)
	if err != nil {
		return fmt.Errorf("schedule: %w", err)
	}
	mem, err := newMemory(blocks, opt.Private)
	if err != nil {
		return fmt.Errorf("schedule: %s: %w", fn.Name, err)
	}
	var nodes []ir.Node
	wide := wideVectors(blocks)
	for _, b := range blocks {
		before := fn.Nodes[b.From:b.To]
		after := newOrder(b, &opt, mem, wide).nodes(before)
		if err := check(before, after, mem); err != nil {
			return fmt.Errorf("schedule: %s: %w", fn.Name, err)
		}
		nodes = append(nodes, after...)
	}
	fn.Nodes = nodes
	return nil
}

// wideVectors reports whether 512-bit vectors are in use.
func wideVectors(blocks []*effect.Block) bool {
	for _, b := range blocks {
		for _, e := range b.Effects {
			if e.Inst.Size == 64 {
				return true
			}
		}
	}
	return false
}

// order is the new order of a block's instructions.
type order []*ir.Instruction

// newOrder schedules a block. What must stay where it is parts it into pieces.
func newOrder(b *effect.Block, opt *Options, mem *memory, wide bool) (o order) {
	for from := 0; from < len(b.Insts); {
		to := from
		for to < len(b.Insts) && !fixed(b, to) {
			to++
		}
		if to > from {
			p := newPiece(b.Effects[from:to], b.LiveAt(from), b.LiveAt(to), opt, mem, wide)
			for _, i := range p.schedule() {
				o = append(o, b.Insts[from+i])
			}
		}
		for to < len(b.Insts) && fixed(b, to) {
			o = append(o, b.Insts[to])
			to++
		}
		from = to
	}
	return o
}

// fixed reports whether an instruction stays where it is: a jump and the comparison
// that is fused with it, and what has effects beside those of its operands.
func fixed(b *effect.Block, i int) bool {
	switch in := &b.Effects[i].Inst; in.Op {
	case x86.J, x86.JMP, x86.RET, x86.VZEROUPPER, x86.PUSH, x86.POP:
		return true
	default:
		return i+1 < len(b.Effects) && ports.Fuses(in, &b.Effects[i+1].Inst)
	}
}

// nodes returns the block in the new order. Labels stay in front, and a comment
// before the instruction that it stood before.
func (o order) nodes(before []ir.Node) (after []ir.Node) {
	comments := map[*ir.Instruction][]ir.Node{}
	var pending []ir.Node
	for _, node := range before {
		switch n := node.(type) {
		case *ir.Instruction:
			comments[n], pending = pending, nil
		case *ir.Comment:
			pending = append(pending, n)
		default:
			after = append(after, n)
		}
	}
	for _, in := range o {
		after = append(append(after, comments[in]...), in)
	}
	return append(after, pending...)
}
