//go:build amd64 && !purego

package negacyclic

import "residue/internal/cpu"

func init() { kernelNamed[cpu.AVX512].exact16 = newAVX512Exact }

// avx512Exact are products modulo 2^k by the primes of 16 bits, by AVX-512. Values and
// factors are in the order in which asm/negacyclic/ntt16_avx512.go leaves residues.
type avx512Exact struct {
	tables  [2][]int16
	combine []int16
}

// newAVX512Exact returns the routines for a ring, or nil if there are none.
func newAVX512Exact(k, n, sums int, primes []int64) exactVectors[int16] {
	const most = 13 // bits of words that transforms begin with
	if n != n16 || len(primes) != 2 || k > most {
		return nil
	}
	v := &avx512Exact{}
	for i, q := range primes {
		b, largest := newBounds16(q), int64(1)<<(most-1)
		x := b.layers(largest, largest, 5)
		// The words of a factor are times or small of residues.
		if x == 0 || b.terms(x, max(b.small, b.times(x))) < sums || !b.inverse(mostWord16/2, 0, 2, 4) {
			return nil
		}
		v.tables[i] = transformTable16(q)
		centre := v.tables[i][len(v.tables[i])-64:]
		for lane := range 32 {
			centre[lane], centre[32+lane] = 1<<(16-k), 1<<k
		}
	}
	p, q := primes[0], primes[1]
	t := newTable16(q)
	t.all(q)
	t.constant(func(int) int64 { return power(p%q, q-2, q) })
	half := (q - 1) / 2
	t.all(half)
	t.all(p)
	t.all(-p * half)
	t.all(1<<k - 1)
	v.combine = t.words
	return v
}

func (v *avx512Exact) evaluate(e, x []int16) {
	for i, t := range v.tables {
		avx512Evaluate16(&e[i*n16], &x[0], &t[0])
	}
}

func (v *avx512Exact) factor(f, x, scratch []int16) {
	for i, t := range v.tables {
		avx512Evaluate16(&scratch[0], &x[0], &t[0])
		avx512EvaluatedFactor16(&f[2*i*n16], &scratch[0], &t[0])
	}
}

func (v *avx512Exact) mulAdd(sum, x, f []int16) {
	for i, t := range v.tables {
		terms := [1]term16{{&x[i*n16], &f[2*i*n16]}}
		avx512Sum16(&sum[i*n16], &terms[0].x, 1, &t[0], -1)
	}
}

func (v *avx512Exact) interpolate(z, w, scratch []int16) {
	for i, t := range v.tables {
		avx512EvaluatedInverse16(&scratch[i*n16], &w[i*n16], &t[0])
	}
	avx512Combine16(&z[0], &scratch[0], &scratch[n16], &v.combine[0])
}

func (v *avx512Exact) rowWords() int { return 2 * rowsAtOnce * n16 }

// rowsOf returns how many of so many rows are done next.
func rowsOf(left int) int {
	if left >= rowsAtOnce {
		return rowsAtOnce
	}
	return 1
}

func (v *avx512Exact) matVec(z []Poly[int16], a []Evaluated[int16], s []Factor[int16], scratch []int16) {
	for len(z) > 0 {
		rows := rowsOf(len(z))
		for prime := range v.tables {
			var t terms16
			for j, e := range a[:rows*len(s)] {
				t.add(e[prime*n16:], s[j%len(s)][2*prime*n16:])
			}
			v.sums(scratch[prime*rows*n16:], &t, rows, prime)
		}
		v.combineRows(z[:rows], scratch)
		z, a = z[rows:], a[rows*len(s):]
	}
}

func (v *avx512Exact) matVecPoly(z, a []Poly[int16], s []Factor[int16], values, scratch []int16) {
	for len(z) > 0 {
		rows := rowsOf(len(z))
		count := rows * len(s)
		for prime := range v.tables {
			v.evaluateAll(values, a[:count], prime)
			var t terms16
			for j := range count {
				t.add(values[j*n16:], s[j%len(s)][2*prime*n16:])
			}
			v.sums(scratch[prime*rows*n16:], &t, rows, prime)
		}
		v.combineRows(z[:rows], scratch)
		z, a = z[rows:], a[count:]
	}
}

// evaluateAll sets e to the transforms of all x modulo a prime, one behind the other.
func (v *avx512Exact) evaluateAll(e []int16, x []Poly[int16], prime int) {
	t := &v.tables[prime][0]
	for ; len(x) >= 3; e, x = e[3*n16:], x[3:] {
		avx512ThreeEvaluate16(&e[0], &x[0][0], &x[1][0], &x[2][0], t)
	}
	for i := range x {
		avx512Evaluate16(&e[i*n16], &x[i][0], t)
	}
}

// sums sets z to the polynomials of sums modulo a prime, of one row or three.
func (v *avx512Exact) sums(z []int16, t *terms16, rows, prime int) {
	if rows == 1 {
		avx512EvaluatedRow16(&z[0], &t.terms[0].x, t.used, &v.tables[prime][0])
	} else {
		avx512ThreeEvaluatedRows16(&z[0], &t.terms[0].x, t.used/3, &v.tables[prime][0])
	}
}

// combineRows sets z to what rows modulo the two primes are.
func (v *avx512Exact) combineRows(z []Poly[int16], rows []int16) {
	for i, x := range z {
		avx512Combine16(&x[0], &rows[i*n16], &rows[(len(z)+i)*n16], &v.combine[0])
	}
}
