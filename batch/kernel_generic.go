package batch

import (
	"math/bits"

	"residue/internal/words"
)

// generic is the portable kernel. It takes one lane at a time: the digits are
// packed into 64-bit words, and products and reduction go column by column, so
// that three accumulators stay in registers and nothing but finished columns is
// stored. One of the factors of a column sum is kept in reverse order of its
// words: then both are read forwards.
type generic struct{}

// lanes that products without moduli have to compute.
const allLanes = Lanes

func (generic) mul(z, x, y Ints, sc *Scratch) {
	s := len(x)
	w := genericWork(sc, s)
	for lane := range allLanes {
		pack(w.x, x, lane)
		packReversed(w.y, y, lane)
		product(w.t, w.x, w.y)
		unpack(z[:2*s], lane, w.t, 0)
	}
}

func (generic) sqr(z, x Ints, sc *Scratch) {
	s := len(x)
	w := genericWork(sc, s)
	for lane := range allLanes {
		pack(w.x, x, lane)
		packReversed(w.y, x, lane)
		square(w.t, w.x, w.y)
		unpack(z[:2*s], lane, w.t, 0)
	}
}

func (generic) mulMont(z, x, y Ints, m *Moduli, sc *Scratch) {
	w := genericWork(sc, m.limbs)
	for lane := range m.lanes {
		pack(w.x, x, lane)
		packReversed(w.y, y, lane)
		product(w.t, w.x, w.y)
		w.reduce(m, lane)
		unpack(z, lane, w.t, m.limbs*DigitBits)
	}
}

func (generic) sqrMont(z, x Ints, m *Moduli, sc *Scratch) {
	w := genericWork(sc, m.limbs)
	for lane := range m.lanes {
		pack(w.x, x, lane)
		packReversed(w.y, x, lane)
		square(w.t, w.x, w.y)
		w.reduce(m, lane)
		unpack(z, lane, w.t, m.limbs*DigitBits)
	}
}

func (generic) redc(z, t Ints, m *Moduli, sc *Scratch) {
	w := genericWork(sc, m.limbs)
	for lane := range m.lanes {
		pack(w.t, t[:2*m.limbs], lane)
		w.reduce(m, lane)
		unpack(z, lane, w.t, m.limbs*DigitBits)
	}
}

func (generic) gather(z, table Ints, index *Vector, entries int) {
	s := len(z)
	clear(z)
	for e := range entries {
		var mask Vector
		for lane := range mask {
			mask[lane] = words.MaskEqual(index[lane], uint64(e))
		}
		gatherEntry(z, table[e*s:(e+1)*s], &mask)
	}
}

// gatherEntry sets z = z | x & mask, digit by digit. z and x have the same length.
func gatherEntry(z, x Ints, mask *Vector) {
	x = x[:len(z)]
	m0, m1, m2, m3 := mask[0], mask[1], mask[2], mask[3]
	m4, m5, m6, m7 := mask[4], mask[5], mask[6], mask[7]
	for i := range z {
		d, v := &z[i], &x[i]
		d[0] |= v[0] & m0
		d[1] |= v[1] & m1
		d[2] |= v[2] & m2
		d[3] |= v[3] & m3
		d[4] |= v[4] & m4
		d[5] |= v[5] & m5
		d[6] |= v[6] & m6
		d[7] |= v[7] & m7
	}
}

// genericWords is the working memory of the generic kernel for one lane.
type genericWords struct {
	x, y []uint64 // operands; y is reversed
	q    []uint64 // the quotient Q = −t/N mod R
	t    []uint64 // the product, twice as long
}

func genericWork(sc *Scratch, limbs int) genericWords {
	l := packedLen(limbs)
	mem := sc.work.flat()
	take := func(n int) []uint64 {
		w := mem[:n:n]
		mem = mem[n:]
		return w
	}
	return genericWords{x: take(l), y: take(l), q: take(l), t: take(2 * l)}
}

// reduce adds Q·N to w.t: then its low 52·limbs bits are zero, and the rest is
// below 2^(52·limbs) if the contract of mulMont or redc is kept.
func (w genericWords) reduce(m *Moduli, lane int) {
	// Q is modulo R = 2^(52·limbs), not modulo a power of 2^64.
	mask := ^uint64(0) >> (packedLen(m.limbs)*words.WordBits - m.limbs*DigitBits)
	montgomery(w.t, w.q, m.packed[lane], m.packedInv[lane], mask)
}

// product sets t = x·y, given y reversed. t has twice as many words as x and y.
func product(t, x, yr []uint64) {
	l := len(x)
	yr, t = yr[:l], t[:2*l]
	var c0, c1, c2 uint64
	for k := range l {
		c0, c1, c2 = dot(c0, c1, c2, x[:k+1], yr[l-1-k:])
		t[k], c0, c1, c2 = c0, c1, c2, 0
	}
	for k := l; k < 2*l-1; k++ {
		c0, c1, c2 = dot(c0, c1, c2, x[k-l+1:], yr[:2*l-1-k])
		t[k], c0, c1, c2 = c0, c1, c2, 0
	}
	t[2*l-1] = c0
}

// square sets t = x², given x and x reversed. t has twice as many words as x.
func square(t, x, xr []uint64) {
	l := len(x)
	xr, t = xr[:l], t[:2*l]
	var c0, c1, c2 uint64
	for k := range 2*l - 1 {
		// Twice the sum of x[i]·x[k−i] for i < k−i, then x[k/2]².
		lo := max(0, k-l+1)
		n := (k+1)/2 - lo
		d0, d1, d2 := dot(0, 0, 0, x[lo:lo+n], xr[l-1-k+lo:][:n])
		d2 = d2<<1 | d1>>63
		d1 = d1<<1 | d0>>63
		d0 <<= 1
		if k%2 == 0 {
			d0, d1, d2 = mulAcc(d0, d1, d2, x[k/2], x[k/2])
		}
		c0, c1, c2 = add3(c0, c1, c2, d0, d1, d2)
		t[k], c0, c1, c2 = c0, c1, c2, 0
	}
	t[2*l-1] = c0
}

// montgomery adds q·n to t modulo 2^(64·len(t)), with q = −t/n modulo mask + 1
// times 2^(64·(len(q)−1)), given n reversed and ninv = −1/n mod 2^64. Of t only
// the words from len(q) − 1 up are stored: those below become zero.
func montgomery(t, q, nr []uint64, ninv, mask uint64) {
	l := len(q)
	nr, t = nr[:l], t[:2*l]
	n0 := nr[l-1]
	var c0, c1, c2 uint64
	for k := range l {
		c0, c1, c2 = add3(c0, c1, c2, t[k], 0, 0)
		c0, c1, c2 = dot(c0, c1, c2, q[:k], nr[l-1-k:])
		qk := c0 * ninv
		if k == l-1 {
			qk &= mask
		}
		q[k] = qk
		c0, c1, c2 = mulAcc(c0, c1, c2, qk, n0)
		t[k], c0, c1, c2 = c0, c1, c2, 0
	}
	for k := l; k < 2*l; k++ {
		c0, c1, c2 = add3(c0, c1, c2, t[k], 0, 0)
		c0, c1, c2 = dot(c0, c1, c2, q[k-l+1:], nr[:2*l-1-k])
		t[k], c0, c1, c2 = c0, c1, c2, 0
	}
}

// dot returns c + Σ x[i]·y[i] modulo 2^192. y has at least as many words as x.
// It is a function of its own so that the compiler keeps the sum in registers.
//
//go:noinline
func dot(c0, c1, c2 uint64, x, y []uint64) (uint64, uint64, uint64) {
	y = y[:len(x)]
	for i := 0; i < len(x)-1; i += 2 {
		c0, c1, c2 = mulAcc(c0, c1, c2, x[i], y[i])
		c0, c1, c2 = mulAcc(c0, c1, c2, x[i+1], y[i+1])
	}
	if n := len(x); n%2 != 0 {
		c0, c1, c2 = mulAcc(c0, c1, c2, x[n-1], y[n-1])
	}
	return c0, c1, c2
}

// mulAcc returns c + x·y modulo 2^192.
func mulAcc(c0, c1, c2, x, y uint64) (uint64, uint64, uint64) {
	hi, lo := bits.Mul64(x, y)
	return add3(c0, c1, c2, lo, hi, 0)
}

// add3 returns c + d modulo 2^192.
func add3(c0, c1, c2, d0, d1, d2 uint64) (uint64, uint64, uint64) {
	var c uint64
	c0, c = bits.Add64(c0, d0, 0)
	c1, c = bits.Add64(c1, d1, c)
	c2, _ = bits.Add64(c2, d2, c)
	return c0, c1, c2
}
