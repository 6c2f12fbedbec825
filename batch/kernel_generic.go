package batch

import (
	"math/bits"

	"residue/internal/words"
)

// generic is the portable kernel. It takes one lane at a time and packs its
// digits into 64-bit words: then a limb product is one multiplication of 64 bits,
// and products and reduction go row by row.
type generic struct{}

func (generic) form() Reduction { return wholeWords }

func (generic) mul(z, x, y Ints, sc *Scratch) {
	w := genericWork(sc, len(x))
	for lane := range Lanes {
		pack(w.x, x, lane)
		pack(w.y, y, lane)
		product(w.t, w.x, w.y)
		unpack(z, lane, w.t, 0)
	}
}

func (generic) sqr(z, x Ints, sc *Scratch) {
	w := genericWork(sc, len(x))
	for lane := range Lanes {
		pack(w.x, x, lane)
		square(w.t, w.x)
		unpack(z, lane, w.t, 0)
	}
}

func (generic) mulMont(z, x, y Ints, m *Moduli, sc *Scratch) {
	w := genericWork(sc, m.limbs)
	for lane := range m.lanes {
		pack(w.x, x, lane)
		pack(w.y, y, lane)
		product(w.t, w.x, w.y)
		w.reduce(z, m, lane)
	}
}

func (generic) sqrMont(z, x Ints, m *Moduli, sc *Scratch) {
	w := genericWork(sc, m.limbs)
	for lane := range m.lanes {
		pack(w.x, x, lane)
		square(w.t, w.x)
		w.reduce(z, m, lane)
	}
}

func (generic) redc(z, t Ints, m *Moduli, sc *Scratch) {
	w := genericWork(sc, m.limbs)
	for lane := range m.lanes {
		pack(w.t, t, lane)
		w.reduce(z, m, lane)
	}
}

func (k generic) sqrMontGather(z, x Ints, m *Moduli, sc *Scratch, g *gathering, parts int) {
	k.sqrMont(z, x, m, sc)
	if parts == 1 {
		k.gather(g.z[:m.limbs], g.table, &g.index, g.entries, m.lanes)
	}
}

func (generic) gather(z, table Ints, index *Vector, entries, lanes int) {
	s := len(z)
	clear(z)
	for e := range entries {
		x := table[e*s : (e+1)*s]
		var mask Vector
		for lane := range lanes {
			mask[lane] = words.MaskEqual(index[lane], uint64(e))
		}
		if lanes > Lanes/2 {
			gatherEntry(z, x, &mask)
			continue
		}
		for lane := range lanes {
			gatherLane(z, x, lane, mask[lane])
		}
	}
}

// gatherLane sets a lane of z to z | x & mask. z and x have the same length.
func gatherLane(z, x Ints, lane int, mask uint64) {
	x = x[:len(z)]
	lane %= Lanes
	for i := range z {
		z[i][lane] |= x[i][lane] & mask
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
	x, y []uint64 // operands
	t    []uint64 // the product, twice as long
}

func genericWork(sc *Scratch, limbs int) genericWords {
	l, mem := packedLen(limbs), sc.work.flat()
	return genericWords{x: mem[:l:l], y: mem[l : 2*l : 2*l], t: mem[2*l : 4*l : 4*l]}
}

// reduce sets a lane of z to (t + Q·N)/R.
func (w genericWords) reduce(z Ints, m *Moduli, lane int) {
	// Q is modulo R = 2^(52·limbs), and not modulo a power of 2^64.
	mask := ^uint64(0) >> (len(w.x)*words.WordBits - m.limbs*DigitBits)
	montgomery(w.t, m.packed[lane], m.packedInv[lane], mask)
	unpack(z, lane, w.t, m.limbs*DigitBits)
}

// product sets t = x·y. x and y have the same length, and t twice that.
func product(t, x, y []uint64) {
	clear(t)
	for i, d := range y {
		t[i+len(x)] = words.MulAdd(t[i:i+len(x)], x, d)
	}
}

// square sets t = x². t has twice as many words as x.
func square(t, x []uint64) {
	// First the products of different words, then twice that and the squares.
	clear(t)
	for i, d := range x {
		t[i+len(x)] = words.MulAdd(t[2*i+1:i+len(x)], x[i+1:], d)
	}
	var carry, top uint64
	for i, d := range x {
		hi, lo := bits.Mul64(d, d)
		t0, t1 := t[2*i], t[2*i+1]
		t[2*i], carry = bits.Add64(t0<<1|top, lo, carry)
		t[2*i+1], carry = bits.Add64(t1<<1|t0>>63, hi, carry)
		top = t1 >> 63
	}
}

// montgomery adds Q·n to t, so that t becomes divisible by 2^(64·len(n)) or, if
// mask + 1 = 2^p and not 2^64, by 2^(64·(len(n)−1) + p). That is the one Q below
// this power of two. It takes ninv = −1/n mod 2^64. t has twice as many words as
// n; the sum must fit.
func montgomery(t, n []uint64, ninv, mask uint64) {
	var carry uint64
	for i := range n {
		q := t[i] * ninv
		if i == len(n)-1 {
			q &= mask
		}
		high := words.MulAdd(t[i:i+len(n)], n, q)
		t[i+len(n)], carry = bits.Add64(t[i+len(n)], high, carry)
	}
}
