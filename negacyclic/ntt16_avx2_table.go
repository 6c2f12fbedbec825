//go:build amd64 && !purego

package negacyclic

import (
	"unsafe"

	"residue/internal/memory"
)

// avx2Table is a table of vectors that grows.
type avx2Table struct {
	q     int64
	words []int16 // aligned
	used  int
}

const avx2Lanes = 16

// emptyAVX2Table returns a table with room for vectors.
func emptyAVX2Table(q int64, vectors int) *avx2Table {
	mem := memory.Aligned(vectors * avx2Lanes / 4)
	return &avx2Table{q: q, words: unsafe.Slice((*int16)(unsafe.Pointer(&mem[0])), vectors*avx2Lanes)}
}

// newAVX2Table returns the vectors of constants that asm/negacyclic/ntt16_avx2.go lists.
func newAVX2Table(q int64) []int16 {
	const vectors = 4 + 2 + 4 + 4 + 2 + 32 + 2*(2*28+16)
	t := emptyAVX2Table(q, vectors)
	t.all(q)
	t.all(int64(small16(q)))
	t.all(int64(int32(inverseOdd(uint32(q)))))
	t.vector(func(lane int) int64 { // the bytes of words 1, 0, 3, 2, … of each 128 bits
		at := int64(2 * (lane ^ 1) % 16)
		return at | (at+1)<<8
	})
	z := zetas(q, layers16)
	back := inverses(z, q)
	scale, r := power((q+1)/2, layers16, q), int64(1)<<16%q
	t.constant(func(int) int64 { return r })
	for _, c := range []int64{1, back[1]} {
		t.constant(func(int) int64 { return c * scale % q })
		t.constant(func(int) int64 { return c * scale % q * r })
	}
	t.constant(func(int) int64 { return z[1] })
	for vector := range n16 / avx2Lanes {
		t.gammas(func(lane int) int { return vector*avx2Lanes + lane })
	}
	for half := range 2 {
		for layer := 6; layer > 0; layer-- {
			t.layer(half, layer, z)
		}
		for layer := 1; layer < 7; layer++ {
			t.layer(half, layer, back)
		}
		for vector := range n16 / 2 / avx2Lanes {
			t.gammas(func(lane int) int { return avx2Index(half, vector, lane) })
		}
	}
	return t.words
}

func (t *avx2Table) vector(word func(lane int) int64) {
	for lane := range avx2Lanes {
		t.words[t.used+lane] = int16(word(lane))
	}
	t.used += avx2Lanes
}

func (t *avx2Table) all(word int64) { t.vector(func(int) int64 { return word }) }

// constant adds two vectors for products by z(lane).
func (t *avx2Table) constant(z func(lane int) int64) {
	t.vector(func(lane int) int64 { return int64(newConstant16(z(lane), t.q).w) })
	t.vector(func(lane int) int64 { return int64(newConstant16(z(lane), t.q).companion) })
}

// gammas adds the constants 1 and ±γ for a vector that has the words of indices.
func (t *avx2Table) gammas(index func(lane int) int) {
	g := gammas(t.q, layers16)
	t.constant(func(lane int) int64 {
		if i := index(lane); i&1 == 1 {
			return int64(g[i>>1])
		}
		return 1
	})
}

// layer adds the constants of the butterflies of a half, on a bit of the index. On a bit above 3,
// all lanes have the same.
func (t *avx2Table) layer(half, bit int, zetas []int64) {
	blocks := zetas[1<<(7-bit) : 2<<(7-bit)]
	if bit > 3 {
		for block := range 1 << (6 - bit) {
			t.constant(func(int) int64 { return blocks[half<<(6-bit)+block] })
		}
		return
	}
	for vector := 0; vector < 8; vector += 2 << (bit - 1) {
		t.constant(func(lane int) int64 { return blocks[avx2Index(half, vector, lane)>>(bit+1)] })
	}
}

// avx2Index returns which word of a polynomial is in a lane at layers 3 to 1: vectors are numbered
// by bits 3, 2, 1 of the index, and lanes by 6, 5, 4, 0.
func avx2Index(half, vector, lane int) int {
	return half<<7 | lane>>1<<4 | vector<<1 | lane&1
}
