//go:build amd64 && !purego

package negacyclic

import "residue/internal/cpu"

func init() { kernelNamed[cpu.AVX2].exact16 = newAVX2Exact }

// avx2Exact are products modulo 2^k by the primes of 16 bits, by AVX2. Values are residues
// modulo either, not in [0, q), in the order of FIPS 203, and factors are those of the rings.
type avx2Exact struct {
	rings [2]*avx2Words
	table []int16
}

// newAVX2Exact returns the routines for a ring, or nil if there are none.
//
// What is put together is from −p·(q−1)/2 = −12783360 to 12783360, for p = 3329 and q = 7681.
// Coefficients of sums are below p·q/2 = 12785024. Of at most four products, with second
// operands of at most 2^(k−1), they could be above the former only for k ≥ 8; and then their
// bound is a multiple of 2^8·2^7, of which there is none between the two.
func newAVX2Exact(k, n, sums int, primes []int64) exactVectors[int16] {
	if n != n16 || len(primes) != 2 || sums > avx2Terms || k < 2 || k > 14 {
		return nil
	}
	p, q := primes[0], primes[1]
	v := &avx2Exact{rings: [2]*avx2Words{{newAVX2Table(p), false}, {newAVX2Table(q), true}}}
	t := newTable16(q, avx2Lanes, 10)
	half := (q - 1) / 2
	t.all(q)
	t.all(int64(small16(q)))
	t.constant(func(int) int64 { return power(p, q-2, q) })
	t.all(half)
	t.all(p)
	t.all(-p * half)
	t.all(1<<k - 1)
	t.all(1 << (16 - k))
	t.all(1 << k)
	v.table = t.words
	return v
}

// centre sets z to x modulo 2^k as signed numbers.
func (v *avx2Exact) centre(z, x []int16) { avx2Centre16(&z[0], &x[0], &v.table[0]) }

func (v *avx2Exact) evaluate(e, x []int16) {
	last := e[n16:]
	v.centre(last, x)
	v.rings[0].residues(e, last)
	v.rings[1].residues(last, last)
}

func (v *avx2Exact) factors(f []Factor[int16], x []Poly[int16], scratch []int16) {
	centred, hat := scratch[:n16], scratch[n16:2*n16]
	for j, y := range x {
		v.centre(centred, y)
		for i, r := range v.rings {
			r.forward(hat, centred)
			r.factor(f[j][2*i*n16:], hat)
		}
	}
}

func (v *avx2Exact) mul(z, x, y, scratch []int16) {
	var cx, cy, work [n16]int16
	v.centre(cx[:], x)
	v.centre(cy[:], y)
	for i, r := range v.rings {
		r.mul(scratch[i*n16:], cx[:], cy[:], work[:])
	}
	v.combine(z, scratch)
}

// combine sets z to what the residues in r stand for.
func (v *avx2Exact) combine(z, r []int16) { avx2Combine16(&z[0], &r[0], &r[n16], &v.table[0]) }

func (v *avx2Exact) mulAdd(sum, x, f []int16) {
	for i, r := range v.rings {
		r.product(sum[i*n16:], x[i*n16:], f[2*i*n16:], -1)
	}
}

func (v *avx2Exact) interpolate(z, w, scratch []int16) {
	for i, r := range v.rings {
		r.inverse(scratch[i*n16:], w[i*n16:])
	}
	v.combine(z, scratch)
}

func (v *avx2Exact) rowWords() int { return 2 * n16 }

func (v *avx2Exact) matVec(z []Poly[int16], a []Evaluated[int16], s []Factor[int16], scratch []int16) {
	for i := range z {
		v.row(z[i], a[i*len(s):(i+1)*len(s)], s, scratch)
	}
}

// row sets z to the sum of products of values and factors.
func (v *avx2Exact) row(z []int16, a []Evaluated[int16], s []Factor[int16], scratch []int16) {
	var x [avx2Terms]NTT[int16]
	var f [avx2Terms]Factor[int16]
	for i, r := range v.rings {
		for j, e := range a {
			x[j], f[j] = NTT[int16](e[i*n16:]), s[j][2*i*n16:]
		}
		r.row(scratch[i*n16:], x[:len(a)], f[:len(a)])
	}
	v.combine(z, scratch)
}

func (v *avx2Exact) matVecPoly(z, a []Poly[int16], s []Factor[int16], values, scratch []int16) {
	var space [avx2Terms]Evaluated[int16]
	e := space[:len(s)]
	for j := range e {
		e[j] = values[2*j*n16 : 2*(j+1)*n16]
	}
	for i := range z {
		for j, x := range a[i*len(s) : (i+1)*len(s)] {
			v.evaluate(e[j], x)
		}
		v.row(z[i], e, s, scratch)
	}
}
