package effect

import (
	"fmt"
	"maps"

	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/reg"
)

// Set is a set of registers and flags.
type Set map[reg.ID]bool

// Block is a run of instructions that is entered at its begin and left at its end.
type Block struct {
	From, To int // its nodes in the function
	Insts    []*ir.Instruction
	Effects  []*Effect // of the instructions
	Next     []*Block  // where control goes from here
	// LiveIn and LiveOut are the registers and flags whose values are read later.
	LiveIn, LiveOut Set
}

// Blocks takes a function apart.
func Blocks(fn *ir.Function) ([]*Block, error) {
	var blocks []*Block
	at := map[ir.Label]*Block{}
	block := &Block{}
	end := func(node int) {
		block.To = node
		if block.To > block.From {
			blocks = append(blocks, block)
			block = &Block{From: node}
		}
	}
	for i, node := range fn.Nodes {
		switch n := node.(type) {
		case ir.Label:
			if len(block.Insts) > 0 {
				end(i)
			}
			at[n] = block
		case *ir.Instruction:
			e, err := Of(n)
			if err != nil {
				return nil, fmt.Errorf("%w (in %s)", err, fn.Name)
			}
			block.Insts, block.Effects = append(block.Insts, n), append(block.Effects, e)
			if n.IsBranch || n.IsTerminal {
				end(i + 1)
			}
		}
	}
	end(len(fn.Nodes))
	for i, b := range blocks {
		if err := b.link(at, blocks[i+1:]); err != nil {
			return nil, fmt.Errorf("effect: %s: %w", fn.Name, err)
		}
	}
	live(blocks)
	return blocks, nil
}

// link finds where control goes from a block.
func (b *Block) link(at map[ir.Label]*Block, behind []*Block) error {
	through := true
	if len(b.Insts) > 0 {
		last := b.Insts[len(b.Insts)-1]
		if last.IsBranch {
			label := last.TargetLabel()
			if label == nil || at[*label] == nil {
				return fmt.Errorf("%s leads to no label", last.Opcode)
			}
			b.Next = append(b.Next, at[*label])
		}
		through = !last.IsTerminal && !last.IsUnconditionalBranch()
	}
	if through && len(behind) > 0 {
		b.Next = append(b.Next, behind[0])
	}
	return nil
}

// live finds what is live at the ends of blocks: the least sets that agree with
// what instructions read and write.
func live(blocks []*Block) {
	for _, b := range blocks {
		b.LiveIn, b.LiveOut = Set{}, Set{}
	}
	for changed := true; changed; {
		changed = false
		for i := len(blocks) - 1; i >= 0; i-- {
			b := blocks[i]
			for _, next := range b.Next {
				maps.Copy(b.LiveOut, next.LiveIn)
			}
			in := b.LiveAt(0)
			if len(in) > len(b.LiveIn) {
				b.LiveIn, changed = in, true
			}
		}
	}
}

// LiveAt returns what is live before instruction i of the block.
func (b *Block) LiveAt(i int) Set {
	s := maps.Clone(b.LiveOut)
	for j := len(b.Effects) - 1; j >= i; j-- {
		b.Effects[j].Before(s)
	}
	return s
}

// Before turns what is live after the instruction into what is live before it.
func (e *Effect) Before(s Set) {
	for _, r := range e.Writes {
		delete(s, r)
	}
	for _, r := range e.Reads {
		s[r] = true
	}
}
