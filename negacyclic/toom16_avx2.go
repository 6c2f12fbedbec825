//go:build amd64 && !purego

package negacyclic

import "residue/internal/cpu"

func init() { kernelNamed[cpu.AVX2].toom16 = newAVX2Toom }

// avx2Toom is Toom-Cook 4 for n = 256 in words of 16 bits by AVX2.
// asm/negacyclic/toom16.go says how values lie in memory.
type avx2Toom struct{ table *int16 }

func newAVX2Toom(n int) toomVectors[int16] {
	if n != 256 {
		return nil
	}
	return avx2Toom{&toom16Table[0]}
}

func (v avx2Toom) evaluatedLen() int { return toom16Words }

func (v avx2Toom) evaluate(e, x []int16) { avx2Evaluate16(&e[0], &x[0], v.table) }

func (v avx2Toom) interpolate(z, w []int16, mask int16) {
	avx2Interpolate16(&z[0], &w[0], v.table, int(mask))
}

func (v avx2Toom) mulScratch() int { return 2*toom16Words + toom16Work }

func (v avx2Toom) mul(z, x, y, scratch []int16, mask int16) {
	ex, rest := scratch[:toom16Words], scratch[toom16Words:]
	ey, work := rest[:toom16Words], rest[toom16Words:]
	avx2Evaluate16(&ex[0], &x[0], v.table)
	avx2Evaluate16(&ey[0], &y[0], v.table)
	avx2Leaves16(&ex[0], &ex[0], &ey[0], &work[0])
	avx2Interpolate16(&z[0], &ex[0], v.table, int(mask))
}

func (v avx2Toom) mulAddScratch() int { return toom16Words + toom16Work }

func (v avx2Toom) mulAdd(sum, x, y, scratch []int16) {
	w, work := scratch[:toom16Words], scratch[toom16Words:]
	avx2Leaves16(&w[0], &x[0], &y[0], &work[0])
	avx2Add16(&sum[0], &w[0])
}

func (v avx2Toom) sumLen() int { return toom16Sum }

func (v avx2Toom) addProduct(sum, x, y, scratch []int16, first bool) {
	if first {
		avx2SetProducts16(&sum[0], &x[0], &y[0], &scratch[0])
	} else {
		avx2AddProducts16(&sum[0], &x[0], &y[0], &scratch[0])
	}
}

func (v avx2Toom) join(w, sum, scratch []int16) {
	avx2JoinProducts16(&w[0], &sum[0], &scratch[0])
}
