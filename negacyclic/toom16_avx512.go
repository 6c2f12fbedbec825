//go:build amd64 && !purego

package negacyclic

import "residue/internal/cpu"

func init() { kernelNamed[cpu.AVX512].toom16 = newAVX512Toom }

// avx512Toom is Toom-Cook 4 for n = 256 in words of 16 bits by AVX-512.
// asm/negacyclic/toom16.go says how values lie in memory.
type avx512Toom struct{ table *int16 }

func newAVX512Toom(n int) toomVectors[int16] {
	if n != 256 {
		return nil
	}
	return avx512Toom{&toom16Table[0]}
}

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

func (v avx512Toom) join(w, sum, scratch []int16) {
	avx512JoinProducts16(&w[0], &sum[0], &scratch[0])
}
