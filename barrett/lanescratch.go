package barrett

import (
	"sync"

	"residue/barrett/internal/folding"
	"residue/batch"
)

// LaneScratch is working memory for arithmetic with [Moduli] of one form. It may be
// used for one call at a time. Methods that take a *LaneScratch take one from a pool
// when it is nil, and wipe it before they give it back.
type LaneScratch struct {
	form    laneForm
	machine *laneMachine
	arith   folding.Arithmetic[batch.Vector]
	memory  batch.Ints // all that follows
	wide    batch.Ints // a number of twice the length
	spare   batch.Ints
	work    batch.Ints // for the text of folding
}

// NewScratch returns scratch for arithmetic modulo m.
func (m *Moduli) NewScratch() *LaneScratch {
	return newLaneScratch(m.kernel, m.form)
}

func newLaneScratch(k *Kernel, f laneForm) *LaneScratch {
	s := &LaneScratch{form: f, machine: newLaneMachine(k.lanes, f)}
	s.arith = folding.Arithmetic[batch.Vector]{Machine: s.machine, Leaf: noLeaf}
	n := f.limbs
	s.memory = batch.NewInts(3*n + s.arith.ReduceScratch(n, f.folds))
	s.wide, s.spare, s.work = s.memory[:2*n], s.memory[2*n:3*n], s.memory[3*n:]
	return s
}

// Wipe zeroes the scratch, which may hold secrets of earlier calls.
func (s *LaneScratch) Wipe() {
	s.machine.wipe()
	clear(s.memory)
}

var lanePools [maxLaneLimbs + 1][maxLaneFolds + 1]sync.Pool

func (f laneForm) pool() *sync.Pool { return &lanePools[f.limbs][f.folds] }

// use returns sc if it is not nil, and else pooled scratch that done gives back.
func (m *Moduli) use(sc *LaneScratch) *LaneScratch {
	if sc != nil {
		if sc.form != m.form || sc.machine.kernel != m.kernel.lanes {
			panic("barrett: scratch for other moduli")
		}
		return sc
	}
	s, ok := m.form.pool().Get().(*LaneScratch)
	if !ok || s.machine.kernel != m.kernel.lanes {
		return m.NewScratch()
	}
	return s
}

// doneLanes gives back what use(sc) returned as used.
func doneLanes(sc, used *LaneScratch) {
	if sc == nil {
		used.Wipe()
		used.form.pool().Put(used)
	}
}
