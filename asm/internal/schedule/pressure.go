package schedule

import (
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
)

// pressure counts live registers. A register is live from the first instruction
// that names it to the last, whatever their order, and beyond if its value is.
type pressure struct {
	limit map[reg.Kind]int
	now   map[reg.Kind]int
	live  effect.Set
	left  map[reg.ID]int // instructions without a place that name the register, and one if it is live at the end
}

func newPressure(effects []*effect.Effect, liveIn, liveOut effect.Set, limit map[reg.Kind]int) *pressure {
	p := &pressure{limit: limit, now: map[reg.Kind]int{}, live: effect.Set{}, left: map[reg.ID]int{}}
	for _, e := range effects {
		for _, r := range e.Names() {
			p.left[r]++
		}
	}
	for r := range liveOut {
		p.left[r]++
	}
	for r := range liveIn {
		if !effect.IsFlag(r) {
			p.live[r] = true
			p.now[r.Kind()]++
		}
	}
	return p
}

// change returns how many registers of a kind an instruction makes live, and how
// many it names last.
func (p *pressure) change(e *effect.Effect, kind reg.Kind) (more, less int) {
	for _, r := range e.Names() {
		if r.Kind() != kind {
			continue
		}
		if !p.live[r] {
			more++
		}
		if p.left[r] == 1 {
			less++
		}
	}
	return more, less
}

// allows reports whether an instruction keeps within the bounds, or at least does
// not make it worse.
func (p *pressure) allows(e *effect.Effect) bool {
	for kind, limit := range p.limit {
		more, less := p.change(e, kind)
		if p.now[kind]+more > limit && more > less {
			return false
		}
	}
	return true
}

// place takes account of an instruction that has got its place.
func (p *pressure) place(e *effect.Effect) {
	for _, r := range e.Names() {
		if !p.live[r] {
			p.live[r] = true
			p.now[r.Kind()]++
		}
		p.left[r]--
		if p.left[r] == 0 {
			delete(p.live, r)
			p.now[r.Kind()]--
		}
	}
}
