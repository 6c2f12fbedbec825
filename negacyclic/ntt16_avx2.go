//go:build amd64 && !purego

package negacyclic

import "residue/internal/cpu"

func init() { kernelNamed[cpu.AVX2].prime16 = newAVX2Words }

// avx2Words are transforms of 16-bit words by AVX2. asm/negacyclic/ntt16_avx2.go says where
// words are on the way, and what the table has. That no word overflows, for any coefficients and
// the moduli below, is checked when the routines are generated.
type avx2Words struct {
	table []int16
	wide  bool // q needs the routines that make words small more often
}

// newAVX2Words returns the routines for a ring, or nil if there are none.
func newAVX2Words(q int64, n, layers int) primeVectors[int16] {
	if n != n16 || layers != layers16 {
		return nil
	}
	switch q {
	case 257, 769, 3329:
		return &avx2Words{newAVX2Table(q), false}
	case 7681:
		return &avx2Words{newAVX2Table(q), true}
	}
	return nil
}

func (v *avx2Words) form() Form      { return Montgomery }
func (v *avx2Words) most() int       { return avx2Terms }
func (v *avx2Words) mulScratch() int { return n16 }

// avx2Terms is how many products a sum has at most.
const avx2Terms = 4

func (v *avx2Words) forward(z, x []int16) {
	if v.wide {
		avx2Forward16Wide(&z[0], &x[0], &v.table[0])
	} else {
		avx2Forward16(&z[0], &x[0], &v.table[0])
	}
}

func (v *avx2Words) residues(z, x []int16) {
	if v.wide {
		avx2Residues16Wide(&z[0], &x[0], &v.table[0])
	} else {
		avx2Residues16(&z[0], &x[0], &v.table[0])
	}
}

func (v *avx2Words) inverse(z, x []int16) {
	if v.wide {
		avx2Inverse16Wide(&z[0], &x[0], &v.table[0])
	} else {
		avx2Inverse16(&z[0], &x[0], &v.table[0])
	}
}

func (v *avx2Words) mul(z, x, y, scratch []int16) {
	if v.wide {
		avx2Mul16Wide(&z[0], &x[0], &y[0], &scratch[0], &v.table[0])
	} else {
		avx2Mul16(&z[0], &x[0], &y[0], &scratch[0], &v.table[0])
	}
}

func (v *avx2Words) factor(f, x []int16) { avx2Factor16(&f[0], &x[0], &v.table[0]) }

func (v *avx2Words) product(z, x, f []int16, keep int16) { v.sums(z, &x, &f, 1, keep) }

func (v *avx2Words) sum(z []int16, x []NTT[int16], f []Factor[int16], keep int16) {
	v.sums(z, slices16(x), slices16(f), len(x), keep)
}

func (v *avx2Words) sums(z []int16, x, f *[]int16, count int, keep int16) {
	if keep != 0 {
		avx2AddSum16(&z[0], x, f, count, &v.table[0])
	} else {
		avx2Sum16(&z[0], x, f, count, &v.table[0])
	}
}

func (v *avx2Words) row(z []int16, x []NTT[int16], f []Factor[int16]) {
	if v.wide {
		avx2Row16Wide(&z[0], slices16(x), slices16(f), len(x), &v.table[0])
	} else {
		avx2Row16(&z[0], slices16(x), slices16(f), len(x), &v.table[0])
	}
}

func (v *avx2Words) preparedLen() int { return 2 * n16 }

// A prepared operand is a factor.
func (v *avx2Words) prepare(p, x []int16) { v.factor(p, x) }

func (v *avx2Words) rowOf(z, x []int16, p []Prepared[int16]) {
	var space [maxTerms16]NTT[int16]
	v.row(z, columns16(&space, x, len(p)), factorsOf(p))
}
