package pmns

import (
	"math/big"
	"sync"

	"residue/internal/memory"
)

// Scratch is working memory for one system. It may be used for one call at a time.
// Methods that take a *Scratch take one from a pool when it is nil, and wipe it before
// they give it back.
type Scratch struct{ words []uint64 }

// Wipe zeroes the scratch, which may hold secrets of earlier calls.
func (s *Scratch) Wipe() { clear(s.words) }

var scratches = sync.Pool{New: func() any { return new(Scratch) }}

// borrowScratch returns zeroed words from the pool, aligned like elements.
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

// setWords sets z[0], z[stride] … to the s words of v, of width bits, modulo
// 2^(s·width).
func setWords(z []uint64, stride, s, width int, v *big.Int) {
	mask := new(big.Int).SetUint64(^uint64(0) >> (64 - width))
	d, t := new(big.Int).Set(v), new(big.Int)
	for w := range s {
		z[w*stride] = t.And(d, mask).Uint64()
		d.Rsh(d, uint(width))
	}
}

// bigWords returns v in n words of 64 bits.
func bigWords(v *big.Int, n int) []uint64 {
	w := make([]uint64, n)
	setWords(w, 1, n, 64, v)
	return w
}
