//go:build amd64 && !purego

package negacyclic

import (
	"unsafe"

	"residue/internal/cpu"
	"residue/internal/memory"
)

func init() { kernelNamed[cpu.AVX512].toom16 = newAVX512Toom }

// avx512Toom is Toom-Cook 4 for n = 256 in words of 16 bits by AVX-512.
// asm/negacyclic/toom16_avx512.go says how values lie in memory.
type avx512Toom struct{ table *int16 }

func newAVX512Toom(n int) toomVectors[int16] {
	if n != 256 {
		return nil
	}
	return avx512Toom{&toom16Table[0]}
}

const (
	toom16Words = 64 * 16         // of values and of products: 63 leaves of 16 coefficients, and one of nothing
	toom16Work  = 24 * 32         // of room for products
	toom16Sum   = 2 * 27 * 2 * 32 // of short products
)

// toom16Table has the constants, in the order that the assembly has them in.
var toom16Table = func() []int16 {
	const vectors = 18
	mem := memory.Aligned(8 * vectors)
	t := &table16{words: unsafe.Slice((*int16)(unsafe.Pointer(&mem[0])), 32*vectors)}
	each := func(words ...int64) { t.vector(func(lane int) int64 { return words[lane%len(words)] }) }
	each(8, 4, 1, 1)
	each(2, 1, 1, 1)
	each(1, 0, 1, 2)
	each(0, 0, 4, 8)
	// Numbers of quadwords, those from 8 on of a second vector.
	for upper := range int64(2) {
		t.vector(func(lane int) int64 {
			if lane%4 != 0 {
				return 0
			}
			half, quad := int64(lane/16), int64(lane/4%4)
			return 4*half + 2*upper + quad&1 + quad>>1*8
		})
	}
	// Numbers of words in 128 bits, as those of their bytes.
	words := func(numbers ...int64) {
		t.vector(func(lane int) int64 {
			first := 2 * numbers[lane%len(numbers)]
			return first | (first+1)<<8
		})
	}
	words(0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0, 1, 0, 0, 0, 5)
	words(0, 0, 0, 0, 0, 0, 0, 3, 0, 0, 0, 2, 0, 0, 0, 6)
	words(3, 3, 3, 7, 7, 7, 7, 7)
	words(0, 0, 2, 2, 4, 4, 6, 6)
	words(1, 1, 3, 3, 5, 5, 7, 7)
	for _, c := range []int64{3, 20, 17, 65, int64(inverse3), int64(inverse9), int64(inverse15)} {
		t.all(c)
	}
	return t.words
}()

func (v avx512Toom) evaluatedLen() int { return toom16Words }

func (v avx512Toom) evaluate(e, x []int16) { avx512Evaluate16(&e[0], &x[0], v.table) }

func (v avx512Toom) interpolate(z, w []int16, mask int16) {
	avx512Interpolate16(&z[0], &w[0], v.table, int(mask))
}

func (v avx512Toom) mulScratch() int { return 2*toom16Words + toom16Work }

func (v avx512Toom) mul(z, x, y, scratch []int16, mask int16) {
	ex, rest := scratch[:toom16Words], scratch[toom16Words:]
	ey, work := rest[:toom16Words], rest[toom16Words:]
	avx512Evaluate16(&ex[0], &x[0], v.table)
	avx512Evaluate16(&ey[0], &y[0], v.table)
	avx512Leaves16(&ex[0], &ex[0], &ey[0], &work[0])
	avx512Interpolate16(&z[0], &ex[0], v.table, int(mask))
}

func (v avx512Toom) mulAddScratch() int { return toom16Words + toom16Work }

func (v avx512Toom) mulAdd(sum, x, y, scratch []int16) {
	w, work := scratch[:toom16Words], scratch[toom16Words:]
	avx512Leaves16(&w[0], &x[0], &y[0], &work[0])
	avx512Add16(&sum[0], &w[0])
}

func (v avx512Toom) sumLen() int { return toom16Sum }

func (v avx512Toom) addProduct(sum, x, y, scratch []int16, first bool) {
	if first {
		avx512SetProducts16(&sum[0], &x[0], &y[0], &scratch[0])
	} else {
		avx512AddProducts16(&sum[0], &x[0], &y[0], &scratch[0])
	}
}

func (v avx512Toom) join(w, sum []int16) { avx512JoinProducts16(&w[0], &sum[0]) }
