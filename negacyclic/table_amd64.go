//go:build amd64 && !purego

package negacyclic

import (
	"unsafe"

	"residue/internal/memory"
)

// vectorTable is a table of constants for routines of vectors, aligned to 64 bytes, that
// grows by one vector after the other.
type vectorTable[W Word] struct {
	lanes int
	words []W
	used  int
}

// newVectorTable returns a table with room for so many vectors.
func newVectorTable[W Word](lanes, vectors int) vectorTable[W] {
	mem := memory.Aligned((lanes*vectors*int(wordBits[W]()) + 63) / 64)
	return vectorTable[W]{lanes: lanes, words: unsafe.Slice((*W)(unsafe.Pointer(&mem[0])), lanes*vectors)}
}

// vector adds a vector.
func (t *vectorTable[W]) vector(word func(lane int) int64) {
	for lane := range t.lanes {
		t.words[t.used+lane] = W(word(lane))
	}
	t.used += t.lanes
}

// all adds a vector of one word.
func (t *vectorTable[W]) all(word int64) { t.vector(func(int) int64 { return word }) }

// table16 is a table for a modulus of 16 bits.
type table16 struct {
	vectorTable[int16]
	q int64
}

func newTable16(q int64, lanes, vectors int) *table16 {
	return &table16{newVectorTable[int16](lanes, vectors), q}
}

// constant adds two vectors for products by z(lane): w and w'.
func (t *table16) constant(z func(lane int) int64) {
	t.vector(func(lane int) int64 { return int64(newConstant16(z(lane), t.q).w) })
	t.vector(func(lane int) int64 { return int64(newConstant16(z(lane), t.q).companion) })
}

// gammas adds the constants c and ±γ·c for a vector that has the words of indices.
func (t *table16) gammas(c int64, index func(lane int) int) {
	g := gammas(t.q, layers16)
	t.constant(func(lane int) int64 {
		if i := index(lane); i&1 == 1 {
			return int64(g[i>>1]) * c
		}
		return c
	})
}
