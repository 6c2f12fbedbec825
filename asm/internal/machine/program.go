package machine

import (
	"fmt"
	"hash/fnv"

	"residue/asm/internal/object"
	"residue/asm/internal/x86"
)

// Program is a function ready to be executed.
type Program struct {
	Name  string
	Code  []byte
	Insts []x86.Inst
	// Runs has, for every instruction, how often it has been executed.
	Runs []int
	// jumps has, for every jump, the instruction that it leads to.
	jumps []int
	seed  uint64 // tells this program's instructions from those of others in a trace
}

// Load decodes a function.
func Load(fn *object.Function) (*Program, error) {
	insts, err := x86.Decode(fn.Code)
	if err != nil {
		return nil, fmt.Errorf("machine: %s: %w", fn.Name, err)
	}
	starts := map[int]int{}
	for i := range insts {
		starts[insts[i].Offset] = i
	}
	hash := fnv.New64a()
	hash.Write([]byte(fn.Name))
	p := &Program{Name: fn.Name, Code: fn.Code, Insts: insts, Runs: make([]int, len(insts)), jumps: make([]int, len(insts)), seed: hash.Sum64()}
	for i := range insts {
		in := &insts[i]
		if in.Op != x86.J && in.Op != x86.JMP {
			continue
		}
		to, ok := starts[in.Target]
		if !ok {
			return nil, fmt.Errorf("machine: %s: a jump to offset %d, where no instruction begins", p.at(i), in.Target)
		}
		p.jumps[i] = to
	}
	return p, nil
}

// LoadAll decodes functions.
func LoadAll(fns map[string]*object.Function) (map[string]*Program, error) {
	ps := map[string]*Program{}
	for name, fn := range fns {
		p, err := Load(fn)
		if err != nil {
			return nil, err
		}
		ps[name] = p
	}
	return ps, nil
}

// at names an instruction in messages.
func (p *Program) at(step int) string {
	in := &p.Insts[step]
	return fmt.Sprintf("%s+%d: %s", p.Name, in.Offset, in.String())
}
