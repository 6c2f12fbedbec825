package barrett

import (
	"residue/barrett/internal/folding"
	"residue/internal/ct"
	"residue/internal/words"
)

// Int is a residue of one [Modulus]: any number of its words that is the residue modulo
// n. [Modulus.NewInt] makes it.
type Int struct{ words []uint64 }

// Wipe sets x to 0.
func (x *Int) Wipe() { clear(x.words) }

// Set sets z = x, which must be of a modulus of the same length.
func (z *Int) Set(x *Int) { copy(z.words, x.words) }

// NewInt returns a zero.
func (m *Modulus) NewInt() *Int { return &Int{make([]uint64, m.k)} }

// SetBytes sets z to the big-endian b modulo m. b may have any length.
func (m *Modulus) SetBytes(z *Int, b []byte, sc *Scratch) {
	m.check(z, z)
	piece := 8 * m.k
	head := len(b) - max(0, len(b)-1)/piece*piece
	words.SetBytes(z.words, b[:head])
	if head == len(b) {
		return
	}
	u := m.use(sc)
	t, _, work := m.parts(u)
	for b = b[head:]; len(b) > 0; b = b[piece:] {
		copy(t[m.k:], z.words)
		words.SetBytes(t[:m.k], b[:piece])
		m.arith.Reduce(z.words, t, &m.m, work)
	}
	done(sc, u)
}

// FillBytes sets b to x, big-endian and in [0, m), with leading zeros. Bits beyond the
// length of b must be zero; FillBytes reports whether they are, in time that depends on
// the lengths alone.
func (m *Modulus) FillBytes(b []byte, x *Int, sc *Scratch) bool {
	m.check(x, x)
	u := m.use(sc)
	t, z, work := m.parts(u)
	m.last(z, x.words, t, work)
	fits := words.FillBytes(z, b)
	done(sc, u)
	return fits
}

// Mul sets z = x·y modulo m. z may be x or y.
func (m *Modulus) Mul(z, x, y *Int, sc *Scratch) {
	m.check(z, x)
	m.check(z, y)
	u := m.use(sc)
	m.mul(z.words, x.words, y.words, u)
	done(sc, u)
}

// Sqr sets z = x^(2^times) modulo m: it squares times times, which must be at least
// once. z may be x.
func (m *Modulus) Sqr(z, x *Int, times int, sc *Scratch) {
	m.check(z, x)
	if times < 1 {
		panic("barrett: a number of squarings that is not positive")
	}
	u := m.use(sc)
	m.sqr(z.words, x.words, times, u)
	done(sc, u)
}

// Reduce sets z = x mod n, in [0, n), in 64-bit words, least significant first. z has
// as many as Bits needs, and x twice as many; bits of x above twice Bits are ignored.
// It panics if the lengths are not so. z may be a part of x.
//
// Whether n has all of its Bits is public: if not, there are two reductions.
func (m *Modulus) Reduce(z, x []uint64, sc *Scratch) {
	if len(z) != m.k || len(x) != 2*m.k {
		panic("barrett: an operand with the wrong number of words")
	}
	u := m.use(sc)
	t, r, work := m.parts(u)
	copy(t, x)
	words.MaskPow2(t[:words.Len(2*m.bits)], 2*m.bits)
	clear(t[words.Len(2*m.bits):])
	slack := uint64(m.k*words.WordBits - m.bits)
	if ct.Public(words.MaskEqual(m.shift, slack)) != 0 {
		// x·2^shift is below 2^(2·64·k).
		shiftLeft(t, uint(slack))
		m.arith.Reduce(r, t, &m.m, work)
		shiftRight(r, uint(slack))
	} else {
		m.arith.Reduce(r, t, &m.m, work)
		m.last(r, r, t, work)
	}
	copy(z, r)
	done(sc, u)
}

// last sets z = x mod n: x·2^s mod n·2^s is 2^s times that. z may be x.
func (m *Modulus) last(z, x, t, work []uint64) {
	clear(t[copy(t, x):])
	words.ShiftLeft(t, m.shift)
	m.arith.Reduce(z, t, &m.m, work)
	words.ShiftRight(z, m.shift)
}

func (m *Modulus) mul(z, x, y []uint64, sc *Scratch) {
	t, _, work := m.parts(sc)
	m.arith.Mul(t, x, y, work)
	m.arith.Reduce(z, t, &m.m, work)
}

func (m *Modulus) sqr(z, x []uint64, times int, sc *Scratch) {
	t, _, work := m.parts(sc)
	for range times {
		folding.Sqr(m.machine, m.leafSqr, t, x, work)
		m.arith.Reduce(z, t, &m.m, work)
		x = z
	}
}

// shiftLeft sets x = x·2^n modulo the width, for a public n below 64.
func shiftLeft(x []uint64, n uint) {
	if n == 0 {
		return
	}
	var low uint64
	for i, w := range x {
		x[i] = w<<n | low
		low = w >> (words.WordBits - n)
	}
}

// shiftRight sets x = ⌊x/2^n⌋, for a public n below 64.
func shiftRight(x []uint64, n uint) {
	if n == 0 {
		return
	}
	for i := range len(x) - 1 {
		x[i] = x[i]>>n | x[i+1]<<(words.WordBits-n)
	}
	x[len(x)-1] >>= n
}

// check panics if z or x is not an Int of a modulus like m.
func (m *Modulus) check(z, x *Int) {
	if len(z.words) != m.k || len(x.words) != m.k {
		badInt()
	}
}

// badInt is apart so that what calls it is small enough to be inlined.
func badInt() { panic("barrett: an Int of another modulus") }
