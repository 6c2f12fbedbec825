package mont

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// carry moves what columns hold above their digits to the next lane. It returns the
// digits and, in lane 7, what the highest column carried out.
//
// Digits that are not exact are done with that: they are now below β + 2^13. An exact
// one can be β or a little more, or β − 1 and pass on what it may receive: ripple or
// rippleInOrder follow.
func (k *kernel) carry(columns []vec) (digits []vec, out vec) {
	for _, x := range columns {
		c, d, s := k.ZMM(), k.ZMM(), k.ZMM()
		k.VPSRLQ(imm(k.Bits), x, c)
		k.VPANDQ(k.mask(), x, d)
		k.VPADDQ(k.up(1, c, out), d, s)
		digits = append(digits, s)
		out = c
	}
	return digits, out
}

// resolve is carry, with all carries resolved.
func (k *kernel) resolve(columns []vec) (digits []vec, out vec) {
	digits, out = k.carry(columns)
	if k.exact() {
		k.ripple(digits)
	}
	return digits, out
}

// ripple adds carries of one to exact digits, in place. Bits above those of a digit
// stay: madds do not read them, and in the highest digit they are what is carried
// out.
//
// Which digits receive a carry is a sum of two binary numbers. With G the digits above
// β − 1 and P those equal to it, each a bit, P + 2G differs from P in the bits of
// those that receive one.
func (k *kernel) ripple(digits []vec) {
	const equal, above = 0, 6 // predicates of VPCMPUQ
	const perWord = 8         // vectors whose lanes fill a general register
	// bits returns a word with the lanes for which the predicate holds.
	bits := func(vs []vec, predicate int) reg.GPVirtual {
		var word reg.GPVirtual
		for i := len(vs) - 1; i >= 0; i-- {
			m, g := k.K(), k.GP64()
			k.VPCMPUQ(imm(predicate), k.mask(), vs[i], m)
			k.KMOVB(m, g.As32())
			if i > 0 {
				k.SHLQ(imm(lanes*i), g)
			}
			if word == nil {
				word = g
			} else {
				k.ORQ(g, word)
			}
		}
		return word
	}
	var sums, ps []reg.GPVirtual
	for first := 0; first < len(digits); first += perWord {
		vs := digits[first:min(first+perWord, len(digits))]
		sums = append(sums, bits(vs, above))
		ps = append(ps, bits(vs, equal))
	}
	add := func(x []reg.GPVirtual) {
		for i, s := range sums {
			if i == 0 {
				k.ADDQ(x[i], s)
			} else {
				k.ADCQ(x[i], s)
			}
		}
	}
	add(sums) // 2G
	add(ps)
	for i, s := range sums {
		k.XORQ(ps[i], s)
	}
	ones := k.AllOnes()
	for v, d := range digits {
		g := sums[v/perWord]
		if i := v % perWord; i > 0 {
			t := k.GP64()
			k.MOVQ(g, t)
			k.SHRQ(imm(lanes*i), t)
			g = t
		}
		m := k.K()
		k.KMOVB(g.As32(), m)
		k.VPSUBQ(ones, d, m, d)
	}
}

// Numbers whose digits are only used one by one can have their carries resolved in
// memory by general registers, in order, while the first digits are already in use:
// the vector unit has enough to do. Each of these returns a function that does the
// next n digits.

// columnsInOrder makes columns digits, from columns that nothing was done to. Bits
// above those of a digit stay. The lowest column is one low half, and carries nothing.
func (k *kernel) columnsInOrder(m func(i int) operand.Mem) (next func(n int)) {
	bits := k.GP64()
	k.MOVQ(operand.U32(uint32(k.Bits)), bits)
	var carry reg.GPVirtual
	i := 0
	return func(n int) {
		for end := i + n; i < end; i++ {
			if i == 0 {
				continue
			}
			x := k.GP64()
			k.MOVQ(m(i), x)
			if carry != nil {
				s := k.GP64()
				k.LEAQ(operand.Mem{Base: x, Index: carry, Scale: 1}, s)
				k.MOVQ(s, m(i))
				x = s
			}
			if i < lanes*k.Vectors-1 {
				carry = k.GP64()
				k.SHRXQ(bits, x, carry)
			}
		}
	}
}

// columnsInTurns is columnsInOrder for loops: each call does the next n digits, from a
// pointer that moves on if they are not the last.
func (k *kernel) columnsInTurns(first operand.Mem) (next func(n int, last bool)) {
	bits, carry, p := k.GP64(), k.GP64(), k.Pointer(first)
	k.MOVQ(operand.U32(uint32(k.Bits)), bits)
	k.XORL(carry.As32(), carry.As32())
	return func(n int, last bool) {
		for i := range n {
			x := k.GP64()
			k.MOVQ(digit(p, i), x)
			k.ADDQ(carry, x)
			k.MOVQ(x, digit(p, i))
			if !last || i < n-1 {
				k.SHRXQ(bits, x, carry)
			}
		}
		if !last {
			k.ADDQ(operand.I32(int32(wordBytes*n)), p)
		}
	}
}

// rippleInOrder adds carries of one to digits that carry has made. Adding 2^64 − β
// leaves what a digit carries out in the flag. Digits 0 and 1 are below β, since the
// lowest column is one low half.
func (k *kernel) rippleInOrder(m func(i int) operand.Mem) (next func(n int)) {
	const first = 2 // digit that can be β or more
	c := k.GP64()
	k.MOVQ(operand.U64(-(uint64(1) << k.Bits)), c)
	i := 0
	return func(n int) {
		for end := i + n; i < end; i++ {
			if i < first {
				continue
			}
			x := k.GP64()
			k.MOVQ(c, x)
			if i == first {
				k.ADDQ(m(i), x)
				continue
			}
			k.ADCQ(m(i), x)
			k.MOVQ(x, m(i))
		}
	}
}
