package batch

import (
	"residue/internal/words"
)

// MulMont sets z ≡ x·y/R modulo N: below 2N if x and y are, or if x < R and
// y < N. z may be x or y. It panics if an operand does not have Limbs digits.
func (m *Moduli) MulMont(z, x, y Ints, sc *Scratch) {
	m.check(z, x, y)
	u := use(sc, m.limbs)
	m.kernel.impl.mulMont(z, x, y, m, u)
	done(sc, u)
}

// SqrMont sets z ≡ x²/R modulo N: below 2N if x is. z may be x. It panics if an
// operand does not have Limbs digits.
func (m *Moduli) SqrMont(z, x Ints, sc *Scratch) {
	m.check(z, x, x)
	u := use(sc, m.limbs)
	m.kernel.impl.sqrMont(z, x, m, u)
	done(sc, u)
}

// Redc sets z ≡ t/R modulo N: below 2N if t < R·N, below 3N if t < 2·R·N, and so
// on up to t < R·(R−N). z must not overlap t. It panics if z does not have Limbs
// digits and t twice as many.
func (m *Moduli) Redc(z, t Ints, sc *Scratch) {
	checkLen(z, m.limbs)
	checkLen(t, 2*m.limbs)
	u := use(sc, m.limbs)
	m.kernel.impl.redc(z, t, m, u)
	done(sc, u)
}

// ToMontgomery sets z = x·R mod N, below 2N, for any x < R. z may be x. It panics
// if an operand does not have Limbs digits.
func (m *Moduli) ToMontgomery(z, x Ints, sc *Scratch) {
	m.MulMont(z, x, m.rr, sc)
}

// FromMontgomery sets z = x/R mod N, in [0, N), for any x < R. z may be x. It
// panics if an operand does not have Limbs digits.
func (m *Moduli) FromMontgomery(z, x Ints, sc *Scratch) {
	m.check(z, x, x)
	u := use(sc, m.limbs)
	copy(u.wide, x)
	clear(u.wide[m.limbs:])
	// t < R gives z < N + 1: one subtraction is enough.
	m.kernel.impl.redc(z, u.wide, m, u)
	m.subtractOnce(z, u.wide[:m.limbs])
	done(sc, u)
}

// subtractOnce sets z = z − N in the lanes where z ≥ N, and clears bits 52 to 63
// of all digits. d is working memory of as many digits.
func (m *Moduli) subtractOnce(z, d Ints) {
	var borrow Vector // 0 or 1
	for i := range z {
		for lane := range Lanes {
			v := z[i][lane]&digitMask - m.n[i][lane] - borrow[lane]
			d[i][lane] = v & digitMask
			borrow[lane] = v >> 63
		}
	}
	for i := range z {
		for lane := range Lanes {
			z[i][lane] = words.SelectWord(-borrow[lane], z[i][lane]&digitMask, d[i][lane])
		}
	}
}

// check panics if one of the operands does not have m.limbs digits.
func (m *Moduli) check(z, x, y Ints) {
	if len(z) != m.limbs || len(x) != m.limbs || len(y) != m.limbs {
		badLength()
	}
}

func checkLen(x Ints, limbs int) {
	if len(x) != limbs {
		badLength()
	}
}

// badLength is apart so that what calls it is small enough to be inlined.
func badLength() { panic("batch: an operand with the wrong number of digits") }
