package negacyclic

import (
	"fmt"
	"math/bits"
)

// ByPrimes is the ring Z_q[X]/(Xⁿ+1) with q = 2^k by transforms modulo one prime or two that
// are large enough for the exact coefficients of a product, which are reduced afterwards.
// Words have 32 bits.
//
// A coefficient of a sum of m products, of operands in [−q/2, q/2), is at most m·n·q²/4 in
// absolute value. It must be below P/2, for the P that the primes multiply to.
type ByPrimes struct {
	n, k, sums int
	rings      []*Prime[int32]
	inverse    int64 // of the first prime modulo the second
}

// The primes: 2^27 divides p − 1 for the first, and 2^26 for the second, so both have
// complete transforms of every length that rings have.
var crtPrimes = [...]int64{15<<27 + 1, 27<<26 + 1}

// NewByPrimes returns the ring with q = 2^k for sums of at most the given number of products.
// It has one prime if that suffices. It takes the kernel in use, and it is an error if
// RESIDUE_KERNEL names one that cannot be used.
func NewByPrimes(k, n, sums int) (*ByPrimes, error) {
	kernel, err := Default()
	if err != nil {
		return nil, err
	}
	return NewByPrimesOn(kernel, k, n, sums)
}

// NewByPrimesOn is NewByPrimes on a kernel.
func NewByPrimesOn(kernel *Kernel, k, n, sums int) (*ByPrimes, error) {
	if err := checkLength(n); err != nil {
		return nil, err
	}
	if k < 1 || k > 31 {
		return nil, fmt.Errorf("negacyclic: k is %d, want 1 to 31", k)
	}
	if sums < 1 || sums > 1<<16 {
		return nil, fmt.Errorf("negacyclic: sums of %d products, want 1 to %d", sums, 1<<16)
	}
	r := &ByPrimes{n: n, k: k, sums: sums}
	// The product of the primes is above 2^61; 2·m·n·2^(2k−2) ≤ 2^(width+1) must be below P.
	width := bits.Len(uint(sums-1)) + bits.Len(uint(n-1)) + 2*k - 2
	count := 1
	if int64(1)<<min(width+1, 62) >= crtPrimes[0] {
		count = 2
	}
	if width+1 > 61 {
		return nil, fmt.Errorf("negacyclic: coefficients of %d bits for k = %d, n = %d and sums of %d, want at most 60", width, k, n, sums)
	}
	for _, p := range crtPrimes[:count] {
		ring, err := NewPrimeOn[int32](kernel, p, n)
		if err != nil {
			return nil, err
		}
		r.rings = append(r.rings, ring)
	}
	r.inverse = power(crtPrimes[0]%crtPrimes[1], crtPrimes[1]-2, crtPrimes[1])
	return r, nil
}

// N returns n.
func (r *ByPrimes) N() int { return r.n }

// K returns the k of q = 2^k.
func (r *ByPrimes) K() int { return r.k }

// Kernel returns the name of the kernel whose routines transform: the one that the ring was
// made on, or generic if that has none for its primes.
func (r *ByPrimes) Kernel() string { return r.rings[0].Kernel() }

// Primes returns how many primes there are.
func (r *ByPrimes) Primes() int { return len(r.rings) }

// EvaluatedLen returns the words of an [Evaluated] and of [Products]: transforms modulo each
// prime.
func (r *ByPrimes) EvaluatedLen() int { return r.n * len(r.rings) }

// Evaluate sets e to the transforms of x. e must not overlap x.
func (r *ByPrimes) Evaluate(e Evaluated[int32], x Poly[int32]) {
	size("values", len(e), r.EvaluatedLen())
	size("operand", len(x), r.n)
	apart(e, x)
	for i, ring := range r.rings {
		part := e[i*r.n : (i+1)*r.n]
		for j, v := range x {
			part[j] = v << (32 - r.k) >> (32 - r.k) // x mod q in [−q/2, q/2)
		}
		ring.kernel.forward(part, part)
	}
}

// MulAdd adds x·y to sum, from values of both. sum is Products of zeros to begin with, and
// must not overlap the others.
func (r *ByPrimes) MulAdd(sum Products[int32], x, y Evaluated[int32]) {
	size("sum", len(sum), r.EvaluatedLen())
	size("values", len(x), r.EvaluatedLen())
	size("values", len(y), r.EvaluatedLen())
	for i, ring := range r.rings {
		lo, hi := i*r.n, (i+1)*r.n
		ring.MulAddNTT(NTT[int32](sum[lo:hi]), NTT[int32](x[lo:hi]), Factor[int32](y[lo:hi]))
	}
}

// InterpolateScratch returns the words of scratch of Interpolate.
func (r *ByPrimes) InterpolateScratch() int { return r.EvaluatedLen() }

// Interpolate sets z to the polynomial of w, with coefficients in [0, q).
func (r *ByPrimes) Interpolate(z Poly[int32], w Products[int32], scratch []int32) {
	size("result", len(z), r.n)
	size("values", len(w), r.EvaluatedLen())
	scratch = room(scratch, r.InterpolateScratch())
	copy(scratch, w)
	for i, ring := range r.rings {
		part := scratch[i*r.n : (i+1)*r.n]
		ring.kernel.inverse(part, part)
	}
	mask := int64(1)<<r.k - 1
	p0 := crtPrimes[0]
	if len(r.rings) == 1 {
		for i, v := range scratch {
			z[i] = int32(signed(int64(v), p0) & mask)
		}
		return
	}
	second := r.rings[1]
	for i, v := range scratch[:r.n] {
		// c = v + p₀·d with d = (u − v)/p₀ modulo p₁, in [0, P); P < 2^62. v < p₀ < 2p₁.
		u := int64(scratch[r.n+i]) - int64(v) + 2*crtPrimes[1]
		d := second.mod(second.mod(uint64(u)) * uint64(r.inverse))
		z[i] = int32(signed(int64(v)+p0*int64(d), p0*crtPrimes[1]) & mask)
	}
}

// signed returns v for 0 ≤ v < p/2 and else v − p, for an odd p < 2^62.
func signed(v, p int64) int64 { return v - p&((p/2-v)>>63) }

// MulScratch returns the words of scratch of Mul.
func (r *ByPrimes) MulScratch() int { return 4 * r.EvaluatedLen() }

// Mul sets z to x·y; it may be either of them.
func (r *ByPrimes) Mul(z, x, y Poly[int32], scratch []int32) {
	scratch = room(scratch, r.MulScratch())
	m := r.EvaluatedLen()
	ex, ey := Evaluated[int32](scratch[:m]), Evaluated[int32](scratch[m:2*m])
	sum, rest := Products[int32](scratch[2*m:3*m]), scratch[3*m:]
	r.Evaluate(ex, x)
	r.Evaluate(ey, y)
	clear(sum)
	r.MulAdd(sum, ex, ey)
	r.Interpolate(z, sum, rest)
}

// MatVecScratch returns the words of scratch of MatVec.
func (r *ByPrimes) MatVecScratch() int { return 2 * r.EvaluatedLen() }

// MatVec sets z to A·s, for a matrix of len(z) rows and len(s) columns, row by row in a. It
// transforms back once a row. A row must not have more products than the ring is for.
func (r *ByPrimes) MatVec(z []Poly[int32], a, s []Evaluated[int32], scratch []int32) {
	size("matrix", len(a), len(z)*len(s))
	if len(s) > r.sums {
		panic(fmt.Sprintf("negacyclic: sums of %d products, want at most %d", len(s), r.sums))
	}
	scratch = room(scratch, r.MatVecScratch())
	sum, rest := Products[int32](scratch[:r.EvaluatedLen()]), scratch[r.EvaluatedLen():]
	for i := range z {
		clear(sum)
		for j, y := range s {
			r.MulAdd(sum, a[i*len(s)+j], y)
		}
		r.Interpolate(z[i], sum, rest)
	}
}
