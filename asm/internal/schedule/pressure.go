package schedule

import (
	"maps"
	"slices"

	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
)

// pressure bounds the live registers of one kind. A register is live from the first
// instruction that names it to the last, whatever their order, and beyond if its
// value is.
//
// It knows how many would be live if all instructions that are left came in the
// order of the program. An instruction may go ahead only if that stays within the
// bound. So there is always a way to go on: a program that fits is never put into an
// order that does not.
type pressure struct {
	kind  reg.Kind
	limit int
	now   int
	live  effect.Set
	left  map[reg.ID]int // instructions that are left and name it, and one if it is live at the end
	names [][]reg.ID     // of this kind, by instruction
	ahead []int          // live registers while an instruction executes, in the order of the program
	done  []bool
}

// newPressures returns one for every kind that has a bound.
func newPressures(effects []*effect.Effect, liveIn, liveOut effect.Set, limits map[reg.Kind]int) (ps []*pressure) {
	for _, kind := range slices.Sorted(maps.Keys(limits)) {
		p := &pressure{kind: kind, limit: limits[kind], live: effect.Set{}, left: map[reg.ID]int{}, done: make([]bool, len(effects))}
		for _, e := range effects {
			names := slices.DeleteFunc(e.Names(), func(r reg.ID) bool { return r.Kind() != kind })
			for _, r := range names {
				p.left[r]++
			}
			p.names = append(p.names, names)
		}
		for r := range liveOut {
			p.left[r]++
		}
		for r := range liveIn {
			if r.Kind() == kind {
				p.live[r] = true
			}
		}
		p.now = len(p.live)
		p.look()
		ps = append(ps, p)
	}
	return ps
}

// look finds what would be live in the order of the program.
func (p *pressure) look() {
	kept := *p
	p.live, p.left = maps.Clone(p.live), maps.Clone(p.left)
	for i := range p.names {
		peak, _ := p.change(i)
		p.ahead = append(p.ahead, peak)
		p.note(i)
	}
	p.now, p.live, p.left = kept.now, kept.live, kept.left
}

// change returns how many registers are live while an instruction executes, if it
// comes now, and how many more are afterwards. A result may take the register of an
// operand that is not needed any more.
func (p *pressure) change(i int) (peak, more int) {
	begin, end, dead := 0, 0, 0
	for _, r := range p.names[i] {
		begins, ends := !p.live[r], p.left[r] == 1
		switch {
		case begins && ends:
			dead++
		case begins:
			begin++
		case ends:
			end++
		}
	}
	return max(p.now, p.now-end+begin+dead), begin - end
}

// allows reports whether an instruction may come now although others are left
// before it, in the order of the program. What it makes live is then live during
// these as well, and what it needs last is not.
func (p *pressure) allows(i int) bool {
	peak, more := p.change(i)
	if peak > max(p.now, p.limit) {
		return false
	}
	if more <= 0 {
		return true
	}
	for j, n := range p.ahead[:i] {
		if !p.done[j] && n+more > p.limit {
			return false
		}
	}
	return peak <= p.limit
}

// place takes account of an instruction that has got its place.
func (p *pressure) place(i int) {
	if _, more := p.change(i); more != 0 {
		for j := range p.ahead[:i] {
			p.ahead[j] += more
		}
	}
	p.done[i] = true
	p.note(i)
}

// note moves on over an instruction.
func (p *pressure) note(i int) {
	for _, r := range p.names[i] {
		p.live[r] = true
		p.left[r]--
		if p.left[r] == 0 {
			delete(p.live, r)
		}
	}
	p.now = len(p.live)
}
