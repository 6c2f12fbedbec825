package mont

import (
	"residue/internal/memory"
	"residue/internal/words"
)

// NewInt returns a zero.
func (m *Modulus) NewInt() *Int { return &Int{memory.Aligned(m.number)} }

// NewScratch returns scratch for arithmetic modulo m.
func (m *Modulus) NewScratch() *Scratch {
	return &Scratch{memory.Aligned(m.scratchLen())}
}

// SetBytes sets z to the big-endian b modulo m. b may have any length.
func (m *Modulus) SetBytes(z *Int, b []byte, sc *Scratch) {
	m.check(z, z)
	u := m.use(sc)
	m.enter(z.words, b, u)
	done(sc, u)
}

// FillBytes sets b to x, big-endian and in [0, m), with leading zeros. Bits beyond the
// length of b must be zero; FillBytes reports whether they are, in time that depends on
// the lengths alone.
func (m *Modulus) FillBytes(b []byte, x *Int, sc *Scratch) bool {
	m.check(x, x)
	u := m.use(sc)
	fits := m.leave(b, x.words, u)
	done(sc, u)
	return fits
}

// Mul sets z = x·y modulo m. z may be x or y.
func (m *Modulus) Mul(z, x, y *Int, sc *Scratch) {
	m.check(z, x)
	m.check(z, y)
	u := m.use(sc)
	m.arith.mul(z.words, x.words, y.words, u.words)
	done(sc, u)
}

// Sqr sets z = x^(2^times) modulo m: it squares times times, which must be at least
// once. z may be x.
func (m *Modulus) Sqr(z, x *Int, times int, sc *Scratch) {
	m.check(z, x)
	if times < 1 {
		panic("mont: a number of squarings that is not positive")
	}
	u := m.use(sc)
	m.arith.sqr(z.words, x.words, times, u.words)
	done(sc, u)
}

// enter sets z to b in Montgomery form.
func (m *Modulus) enter(z []uint64, b []byte, sc *Scratch) {
	if 8*len(b) <= m.arith.loadBits() {
		w := m.plain(sc)[:words.LenBytes(len(b))]
		words.SetBytes(w, b)
		m.arith.load(z, w)
	} else {
		long := borrowScratch(words.LenBytes(len(b)))
		w := m.plain(sc)[:len(m.n)]
		words.SetBytes(long.words, b)
		words.Mod(w, long.words, m.n)
		m.arith.load(z, w)
		returnScratch(long)
	}
	m.arith.mul(z, z, m.rr, sc.words)
}

// leave sets b to x, which is in Montgomery form, and reports whether it fits.
func (m *Modulus) leave(b []byte, x []uint64, sc *Scratch) bool {
	z := m.spare(sc)
	m.arith.redc(z, x, sc.words)
	w := m.plain(sc)[:len(m.n)+1]
	m.arith.store(w, z)
	w, top := w[:len(m.n)], w[len(m.n)]
	words.CondSub(w, m.n, words.MaskNonZero(top)|^words.Less(w, m.n)) // below 2N
	return words.FillBytes(w, b)
}

// Scratch has what the engine works in first, then an Int, then a number in words.
func (m *Modulus) scratchLen() int { return m.work + m.number + m.plainLen() }

// plainLen is the number of words of a number that is not yet in the engine's form.
func (m *Modulus) plainLen() int { return max(words.Len(m.arith.loadBits()), len(m.n)+1) }

func (m *Modulus) spare(sc *Scratch) []uint64 { return sc.words[m.work : m.work+m.number] }

func (m *Modulus) plain(sc *Scratch) []uint64 { return sc.words[m.work+m.number : m.scratchLen()] }

// use returns sc if it is not nil, and else pooled scratch that done gives back.
func (m *Modulus) use(sc *Scratch) *Scratch {
	n := m.scratchLen()
	if sc == nil {
		return borrowScratch(n)
	}
	if len(sc.words) != n {
		panic("mont: scratch for another modulus")
	}
	return sc
}

// done gives back what use(sc) returned as used.
func done(sc, used *Scratch) {
	if sc == nil {
		returnScratch(used)
	}
}

// check panics if z or x is not an Int of a modulus like m.
func (m *Modulus) check(z, x *Int) {
	if len(z.words) != m.number || len(x.words) != m.number {
		badInt()
	}
}

// badInt is apart so that what calls it is small enough to be inlined.
func badInt() { panic("mont: an Int of another modulus") }
