package batch

import (
	"residue/internal/cpu"
	"residue/internal/wordmont"
	"residue/internal/words"
)

// kernelNamed has the kernels of this build; those with vector instructions add
// themselves.
var kernelNamed = func() map[string]*Kernel {
	ks := map[string]*Kernel{}
	for _, name := range cpu.Known {
		if w, ok := wordmont.Named(name); ok {
			ks[name] = &Kernel{name, wordwise{w}}
		}
	}
	return ks
}()

// wordwise is a kernel that takes one lane at a time and packs its digits into
// 64-bit words: then a limb product is one multiplication of 64 bits, and
// products and reductions go row by row. Whole exponentiations stay in words
// (exp_words.go).
type wordwise struct{ wordmont.Routines }

func (wordwise) form() Reduction { return wholeWords }

func (k wordwise) mul(z, x, y Ints, sc *Scratch) {
	w := wordWork(sc, len(x))
	for lane := range Lanes {
		pack(w.x, x, lane)
		pack(w.y, y, lane)
		k.Product(w.t, w.x, w.y)
		unpack(z, lane, w.t, 0)
	}
}

func (k wordwise) sqr(z, x Ints, sc *Scratch) {
	w := wordWork(sc, len(x))
	for lane := range Lanes {
		pack(w.x, x, lane)
		k.Square(w.t, w.x)
		unpack(z, lane, w.t, 0)
	}
}

func (k wordwise) mulPieces(z, x, y Ints, sc *Scratch) {
	// 4·16·52 bits of words for a digit of y are less than the work space has.
	l, mem := packedLen(len(x)), sc.work.flat()
	a, b, t := mem[:l], mem[l:2*l], mem[2*l:4*l]
	for lane := range Lanes {
		pack(a, x, lane)
		pack(b, y, lane)
		k.Product(t, a, b)
		unpack(z, lane, t, 0)
	}
}

func (k wordwise) mulMont(z, x, y Ints, m *Moduli, sc *Scratch) {
	w := wordWork(sc, m.limbs)
	for lane := range m.lanes {
		pack(w.x, x, lane)
		pack(w.y, y, lane)
		k.Product(w.t, w.x, w.y)
		k.reduceLane(z, w.t, m, lane)
	}
}

func (k wordwise) sqrMont(z, x Ints, m *Moduli, sc *Scratch) {
	w := wordWork(sc, m.limbs)
	for lane := range m.lanes {
		pack(w.x, x, lane)
		k.Square(w.t, w.x)
		k.reduceLane(z, w.t, m, lane)
	}
}

func (k wordwise) redc(z, t Ints, m *Moduli, sc *Scratch) {
	w := wordWork(sc, m.limbs)
	for lane := range m.lanes {
		pack(w.t, t, lane)
		k.reduceLane(z, w.t, m, lane)
	}
}

// reduceLane sets a lane of z to (t + Q·N)/R.
func (k wordwise) reduceLane(z Ints, t []uint64, m *Moduli, lane int) {
	// Q is modulo R = 2^(52·limbs), and not modulo a power of 2^64. The sum is
	// below R² and fits in t.
	n := m.packed[lane]
	mask := ^uint64(0) >> (len(n)*words.WordBits - m.limbs*DigitBits)
	k.Reduce(t[len(n):], t, n, m.packedInv[lane], mask)
	unpack(z, lane, t, m.limbs*DigitBits)
}

// wordSpace is working memory for one lane.
type wordSpace struct {
	x, y []uint64 // operands
	t    []uint64 // the product, twice as long
}

func wordWork(sc *Scratch, limbs int) wordSpace {
	l, mem := packedLen(limbs), sc.work.flat()
	return wordSpace{x: mem[:l:l], y: mem[l : 2*l : 2*l], t: mem[2*l : 4*l : 4*l]}
}

func (k wordwise) sqrMontTimes(z, x Ints, times int, m *Moduli, sc *Scratch, g *gathering) {
	k.sqrMont(z, x, m, sc)
	for range times - 1 {
		k.sqrMont(z, z, m, sc)
	}
	k.gather(g.z[:m.limbs], g.table, &g.index, g.entries, m.lanes)
}

func (wordwise) gather(z, table Ints, index *Vector, entries, lanes int) {
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
