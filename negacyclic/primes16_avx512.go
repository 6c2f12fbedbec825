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
		x := b.layers(largest, 1<<15, 5)
		// The words of a factor are times or small of residues.
		if x == 0 || b.terms(x, max(b.small, b.times(x))) < sums || b.terms(x, x) < 1 || !b.inverse(mostWord16/2, 0, 2, 4) {
			return nil
		}
		t := transformTable16(q)
		t.all(1 << (16 - k))
		t.all(1 << k)
		inverse := power(1<<(16-k)%q, q-2, q)
		t.constant(func(int) int64 { return zetas(q, layers16)[1] * inverse % q })
		v.tables[i] = t.words
	}
	p, q := primes[0], primes[1]
	const vectors = 7
	t := newTable16(q, avx512Words16, vectors)
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
		avx512Exact16(&e[i*n16], &x[0], &t[0])
	}
}

func (v *avx512Exact) mul(z, x, y, scratch []int16) {
	for i, t := range v.tables {
		avx512ExactMul16(&scratch[i*n16], &x[0], &y[0], &t[0])
	}
	avx512Combine16(&z[0], &scratch[0], &scratch[n16], &v.combine[0])
}

// factors evaluates so many at once as there are in three rows of one.
func (v *avx512Exact) factors(f []Factor[int16], x []Poly[int16], scratch []int16) {
	for len(f) > 0 {
		count := rowsOf(len(f))
		for i, t := range v.tables {
			v.evaluateAll(scratch, x[:count], i)
			for j, g := range f[:count] {
				avx512ExactFactor16(&g[2*i*n16], &scratch[j*n16], &t[0])
			}
		}
		f, x = f[count:], x[count:]
	}
}

func (v *avx512Exact) mulAdd(sum, x, f []int16) {
	for i, t := range v.tables {
		x, f := x[i*n16:], f[2*i*n16:]
		avx512Sum16(&sum[i*n16], &x, &f, 1, &t[0], -1)
	}
}

func (v *avx512Exact) interpolate(z, w, scratch []int16) {
	for i, t := range v.tables {
		avx512ExactInverse16(&scratch[i*n16], &w[i*n16], &t[0])
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
			v.sums(scratch[prime*rows*n16:], slices16(a), s, rows, prime, prime*n16)
		}
		v.combineRows(z[:rows], scratch)
		z, a = z[rows:], a[rows*len(s):]
	}
}

func (v *avx512Exact) matVecPoly(z, a []Poly[int16], s []Factor[int16], values, scratch []int16) {
	var space [rowsAtOnce * maxTerms16]Evaluated[int16]
	e := space[:min(len(z), rowsAtOnce)*len(s)]
	for j := range e {
		e[j] = values[j*n16 : (j+1)*n16]
	}
	for len(z) > 0 {
		rows := rowsOf(len(z))
		for prime := range v.tables {
			v.evaluateAll(values, a[:rows*len(s)], prime)
			v.sums(scratch[prime*rows*n16:], slices16(e), s, rows, prime, 0)
		}
		v.combineRows(z[:rows], scratch)
		z, a = z[rows:], a[rows*len(s):]
	}
}

// evaluateAll sets e to the transforms of all x modulo a prime, one behind the other.
func (v *avx512Exact) evaluateAll(e []int16, x []Poly[int16], prime int) {
	t := &v.tables[prime][0]
	for ; len(x) >= 3; e, x = e[3*n16:], x[3:] {
		avx512ThreeExact16(&e[0], &x[0][0], &x[1][0], &x[2][0], t)
	}
	for i := range x {
		avx512Exact16(&e[i*n16], &x[i][0], t)
	}
}

// sums sets z to the polynomials of sums modulo a prime, of one row or three. x begins at a
// word of its slices.
func (v *avx512Exact) sums(z []int16, x *[]int16, f []Factor[int16], rows, prime, at int) {
	const bytes = 2
	xAt, fAt := bytes*at, 2*bytes*n16*prime
	table := &v.tables[prime][0]
	if rows == 1 {
		avx512ExactRow16(&z[0], x, slices16(f), len(f), xAt, fAt, table)
	} else {
		avx512ThreeExactRows16(&z[0], &z[n16], &z[2*n16], x, slices16(f), len(f), xAt, fAt, table)
	}
}

// combineRows sets z to what rows modulo the two primes are.
func (v *avx512Exact) combineRows(z []Poly[int16], rows []int16) {
	for i, x := range z {
		avx512Combine16(&x[0], &rows[i*n16], &rows[(len(z)+i)*n16], &v.combine[0])
	}
}
