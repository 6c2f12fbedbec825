package schedule

import (
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/effect"
)

// conflict reports whether two accesses of memory must stay in order: one of them
// stores, and they may be of the same bytes.
//
// Displacements from the same registers are compared as if these had not changed in
// between. If they have, what changed them stands between the two in any order.
func (opt *Options) conflict(a, b *effect.Access) bool {
	switch {
	case !a.Stores && !b.Stores:
		return false
	case !same(a.Base, b.Base):
		return !opt.private(a.Base) && !opt.private(b.Base)
	case !same(a.Index, b.Index) || a.Scale != b.Scale:
		return true
	}
	return a.Disp < b.Disp+b.Bytes && b.Disp < a.Disp+a.Bytes
}

// private reports whether what is accessed through a register is accessed through
// no other. No pointer leads to the arguments of a function.
func (opt *Options) private(r reg.Register) bool {
	if same(r, reg.FramePointer) {
		return true
	}
	for _, p := range opt.Private {
		if same(r, p) {
			return true
		}
	}
	return false
}

// same reports whether two registers are one. Go's pseudo registers have nothing
// but names.
func same(a, b reg.Register) bool {
	if a == nil || b == nil {
		return a == b
	}
	return a.ID() == b.ID() && (a.Kind() != reg.KindPseudo || a.Asm() == b.Asm())
}
