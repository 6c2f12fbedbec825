package allocate

import (
	"slices"

	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
)

// file is the physical registers.
type file struct {
	order []reg.ID                // that can be given away, the preferred first
	used  map[reg.ID]map[int]bool // places at which the program itself uses a register
	until map[reg.ID]int          // the last place of the interval that has the register, or −1
}

// registers returns what can be given away: all that are not reserved, R14 (which
// Go's calling convention reserves) and BP left out.
func registers() (ids []reg.ID) {
	for _, family := range []*reg.Family{reg.GeneralPurpose, reg.Vector, reg.Opmask} {
		for _, r := range family.Registers() {
			kept := r.ID() == reg.R14.ID() || r.Info()&(reg.Restricted|reg.BasePointer) != 0
			if !kept && !slices.Contains(ids, r.ID()) {
				ids = append(ids, r.ID())
			}
		}
	}
	return ids
}

func newFile(order []reg.ID) *file {
	f := &file{order: order, used: map[reg.ID]map[int]bool{}, until: map[reg.ID]int{}}
	for _, id := range order {
		f.until[id], f.used[id] = -1, map[int]bool{}
	}
	return f
}

// physical notes where the program names registers itself.
func (f *file) physical(blocks []*effect.Block) {
	visit(blocks, func(id reg.ID, place int) {
		if places := f.used[id]; places != nil {
			places[place] = true
		}
	})
}

// take returns a register for an interval. Of those that are free it is the first.
func (f *file) take(v interval) (reg.ID, bool) {
	for _, id := range f.order {
		if id.Kind() != v.id.Kind() || f.until[id] >= v.from || f.meets(id, v) {
			continue
		}
		f.until[id] = v.to
		return id, true
	}
	return 0, false
}

func (f *file) meets(id reg.ID, v interval) bool {
	for place := v.from; place <= v.to; place++ {
		if f.used[id][place] {
			return true
		}
	}
	return false
}
