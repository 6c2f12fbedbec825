package barrett

import (
	"sync"

	"residue/barrett/internal/folding"
)

// Scratch is working memory for arithmetic modulo one [Modulus]. It may be used for
// one call at a time. Methods that take a *Scratch take one from a pool when it is
// nil, and wipe it before they give it back: that takes part of the time of a product.
type Scratch struct{ words []uint64 }

// Wipe zeroes the scratch, which may hold secrets of earlier calls.
func (s *Scratch) Wipe() { clear(s.words) }

// NewScratch returns scratch for arithmetic modulo m.
func (m *Modulus) NewScratch() *Scratch { return &Scratch{make([]uint64, m.scratchLen())} }

// scratchLen: a number of twice the length, one of the length, and what the text of
// folding works in.
func (m *Modulus) scratchLen() int {
	return 3*m.k + max(m.arith.ReduceScratch(m.k, len(m.m.Folds)),
		m.arith.MulScratch(m.k, m.k), folding.SqrScratch(m.k, m.leafSqr))
}

// parts takes scratch apart.
func (m *Modulus) parts(sc *Scratch) (wide, spare, work []uint64) {
	return sc.words[:2*m.k], sc.words[2*m.k : 3*m.k], sc.words[3*m.k:]
}

var scratches = sync.Pool{New: func() any { return new(Scratch) }}

// borrowScratch returns zeroed words from the pool.
func borrowScratch(n int) *Scratch {
	s := scratches.Get().(*Scratch)
	if cap(s.words) < n {
		s.words = make([]uint64, n)
	}
	s.words = s.words[:n]
	return s
}

func returnScratch(s *Scratch) {
	s.Wipe()
	scratches.Put(s)
}

// use returns sc if it is not nil, and else pooled scratch that done gives back.
func (m *Modulus) use(sc *Scratch) *Scratch {
	n := m.scratchLen()
	if sc == nil {
		return borrowScratch(n)
	}
	if len(sc.words) != n {
		panic("barrett: scratch for another modulus")
	}
	return sc
}

// done gives back what use(sc) returned as used.
func done(sc, used *Scratch) {
	if sc == nil {
		returnScratch(used)
	}
}
