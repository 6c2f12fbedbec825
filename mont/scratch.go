package mont

import (
	"sync"

	"residue/internal/memory"
)

// Scratch is working memory for arithmetic modulo one modulus. It may be used for
// one call at a time. Methods that take a *Scratch take one from a pool when it is
// nil, and wipe it before they give it back: that takes part of the time of a
// product.
type Scratch struct{ words []uint64 }

// Wipe zeroes the scratch, which may hold secrets of earlier calls.
func (s *Scratch) Wipe() { clear(s.words) }

var scratches = sync.Pool{New: func() any { return new(Scratch) }}

// borrowScratch returns zeroed words from the pool, aligned like all numbers.
func borrowScratch(n int) *Scratch {
	s := scratches.Get().(*Scratch)
	if cap(s.words) < n {
		s.words = memory.Aligned(n)
	}
	s.words = s.words[:n]
	return s
}

func returnScratch(s *Scratch) {
	s.Wipe()
	scratches.Put(s)
}
