package mont

import (
	"sync"
	"unsafe"
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
		s.words = alignedWords(n)
	}
	s.words = s.words[:n]
	return s
}

func returnScratch(s *Scratch) {
	s.Wipe()
	scratches.Put(s)
}

// alignment is that of numbers, in bytes: a vector and a line of the cache.
const alignment = 64

// alignedWords returns n zeroed words.
func alignedWords(n int) []uint64 {
	const most = alignment / 8
	mem := make([]uint64, n+most-1)
	skip := 0
	if r := uintptr(unsafe.Pointer(unsafe.SliceData(mem))) % alignment; r != 0 {
		skip = int(alignment-r) / 8
	}
	return mem[skip : skip+n : skip+n]
}

// carve cuts numbers off a piece of memory.
type carve []uint64

func (c *carve) take(n int) (x []uint64) {
	x, *c = (*c)[:n:n], (*c)[n:]
	return x
}
