package barrett

import (
	"residue/batch"
	"residue/internal/words"
)

// Mul sets z ≡ x·y modulo n, any such number of Limbs digits. z may be x or y. It
// panics if an operand does not have Limbs digits.
func (m *Moduli) Mul(z, x, y batch.Ints, sc *LaneScratch) {
	m.check(z, x, y)
	u := m.use(sc)
	m.mul(z, x, y, u)
	doneLanes(sc, u)
}

// Sqr sets z ≡ x² modulo n, as [Moduli.Mul].
func (m *Moduli) Sqr(z, x batch.Ints, sc *LaneScratch) {
	m.check(z, x, x)
	u := m.use(sc)
	m.sqr(z, x, u)
	doneLanes(sc, u)
}

// Reduce sets z = x mod n, in [0, n). x has twice as many digits as z; its bits above
// twice Bits are ignored. It panics if z does not have Limbs digits and x twice as many.
// z must not overlap x.
//
// Whether all moduli have all of their Bits is public: if not, there are two reductions.
func (m *Moduli) Reduce(z, x batch.Ints, sc *LaneScratch) {
	if len(z) != m.form.limbs || len(x) != 2*m.form.limbs {
		badLength()
	}
	u := m.use(sc)
	defer doneLanes(sc, u)
	if !m.exact() {
		copy(u.wide, x)
		maskTop(u.wide, 2*m.bits)
		u.arith.Reduce(z, u.wide, &m.m, u.work)
		m.last(z, z, u)
		return
	}
	// x·2^slack is below W^(2·Limbs). The slack is whole digits and a rest.
	slack := m.form.limbs*batch.DigitBits - m.bits
	digits := slack / batch.DigitBits
	clear(u.wide[:digits])
	u.machine.linear.shiftLeft(u.wide[digits:], x, &m.slack)
	maskTop(u.wide, 2*m.bits+slack)
	u.arith.Reduce(z, u.wide, &m.m, u.work)
	u.machine.linear.shiftRight(z, z, &m.slack)
	clear(z[copy(z, z[digits:]):])
}

// maskTop clears the bits of x from bit n up.
func maskTop(x []batch.Vector, n int) {
	for i := n / batch.DigitBits; i < len(x); i++ {
		mask := uint64(0)
		if i == n/batch.DigitBits {
			mask = 1<<(n%batch.DigitBits) - 1
		}
		for lane := range x[i] {
			x[i][lane] &= mask
		}
	}
}

// last sets z = x mod n: x·2^s mod n·2^s is 2^s times that. z may be x.
func (m *Moduli) last(z, x batch.Ints, u *LaneScratch) {
	l, t := u.machine.linear, u.wide
	clear(t[copy(t, x):])
	m.shiftDigits(t, func(i, by int) int { return i - by })
	l.shiftLeft(t, t, &m.rest)
	u.arith.Reduce(z, t, &m.m, u.work)
	l.shiftRight(z, z, &m.rest)
	m.shiftDigits(z, func(i, by int) int { return i + by })
}

// shiftDigits moves the digits of x up or down, in every lane by that of m.digits, one
// bit of it at a time. from says where a digit comes from; outside of x there are zeros.
func (m *Moduli) shiftDigits(x []batch.Vector, from func(i, by int) int) {
	up := from(0, 1) < 0
	for bit := 0; 1<<bit < m.form.limbs; bit++ {
		var mask batch.Vector
		for lane, n := range m.digits {
			mask[lane] = words.Mask(n >> bit & 1)
		}
		for j := range x {
			i := j // from the end that the digits move to
			if up {
				i = len(x) - 1 - j
			}
			var moved batch.Vector
			if k := from(i, 1<<bit); k >= 0 && k < len(x) {
				moved = x[k]
			}
			for lane := range moved {
				x[i][lane] = words.SelectWord(mask[lane], moved[lane], x[i][lane])
			}
		}
	}
}

func (m *Moduli) mul(z, x, y batch.Ints, u *LaneScratch) {
	m.kernel.lanes.Mul(u.wide, x, y, u.machine.scratch[0])
	u.arith.Reduce(z, u.wide, &m.m, u.work)
}

func (m *Moduli) sqr(z, x batch.Ints, u *LaneScratch) {
	m.kernel.lanes.Sqr(u.wide, x, u.machine.scratch[0])
	u.arith.Reduce(z, u.wide, &m.m, u.work)
}

// check panics if one of the operands does not have Limbs digits.
func (m *Moduli) check(z, x, y batch.Ints) {
	if s := m.form.limbs; len(z) != s || len(x) != s || len(y) != s {
		badLength()
	}
}

// badLength is apart so that what calls it is small enough to be inlined.
func badLength() { panic("barrett: an operand with the wrong number of digits") }
