package words

import "math/bits"

// Inverse modulo an odd number, in constant time: the division steps of D. J.
// Bernstein and B.-Y. Yang, "Fast constant-time gcd computation and modular
// inversion" (https://eprint.iacr.org/2019/266), 62 at a time on single words,
// with the transition matrix then applied to the whole numbers.

// batchSteps is how many division steps one transition matrix holds: its
// entries are at most 2^62 in absolute value, and so are the row sums.
const batchSteps = 62

// divSteps returns how many division steps bring g to 0 for numbers below 2^n
// (theorem 11.2 of the paper).
func divSteps(n int) int {
	if n < 46 {
		return (49*n + 80) / 17
	}
	return (49*n + 57) / 17
}

// transition is 2^62 times the matrix of 62 division steps:
// f' = (u·f + v·g)/2^62, g' = (q·f + r·g)/2^62.
type transition struct{ u, v, q, r int64 }

// divStepsWord makes 62 division steps from delta and the low words of f and g.
func divStepsWord(delta int64, f, g uint64) (int64, transition) {
	// (u, v) and (q, r) express the current f and g, times 2^i, in the first ones.
	u, v, q, r := uint64(1), uint64(0), uint64(0), uint64(1)
	for range batchSteps {
		odd := Mask(g & 1)
		swap := uint64(-delta>>63) & odd // delta > 0 and g odd

		// If swapping, (f, g) becomes (g, −f); delta becomes −delta.
		delta = (delta ^ int64(swap)) - int64(swap)
		f, g = f^(f^g)&swap, g^(g^(-f))&swap
		u, q = u^(u^q)&swap, q^(q^(-u))&swap
		v, r = v^(v^r)&swap, r^(r^(-v))&swap

		delta++
		g = (g + f&odd) >> 1 // f, g and so on: only low bits count
		q += u & odd
		r += v & odd
		u <<= 1
		v <<= 1
	}
	return delta, transition{int64(u), int64(v), int64(q), int64(r)}
}

// InverseScratch returns the number of words of scratch that InverseOdd takes
// for numbers of n words.
func InverseScratch(n int) int { return 4*(n+1) + 4*n }

// InverseOdd sets z = 1/x mod n for an odd n and any x < n, and reports whether
// there is an inverse; without one z is unspecified. z, x and n have the same
// number of words, and scratch InverseScratch of it; z may be x. The time depends
// on the number of words alone. The inverse modulo 1 is 0.
func InverseOdd(z, x, n, scratch []uint64) bool {
	l := len(n)
	take := func(words int) []uint64 {
		s := scratch[:words]
		scratch = scratch[words:]
		clear(s)
		return s
	}
	// f and g are in two's complement, with a word more: |u·f + v·g| < 2^(64l+62).
	// d and e are in [0, n), and d·x = f, e·x = g modulo n throughout.
	f, g, f2, g2 := take(l+1), take(l+1), take(l+1), take(l+1)
	d, e, d2, e2 := take(l), take(l), take(l), take(l)
	copy(f, n)
	copy(g, x)
	e[0] = 1
	reduceOnce(e, n, 0) // n may be 1

	ninv := NegInverse(n[0])
	delta := int64(1)
	for steps := divSteps(64 * l); steps > 0; steps -= batchSteps {
		var m transition
		delta, m = divStepsWord(delta, f[0], g[0])
		combine(f2, f, g, m.u, m.v)
		combine(g2, f, g, m.q, m.r)
		combineMod(d2, d, e, n, m.u, m.v, ninv)
		combineMod(e2, d, e, n, m.q, m.r, ninv)
		f, f2, g, g2, d, d2, e, e2 = f2, f, g2, g, d2, d, e2, e
	}

	// Now g is 0 and f is the greatest common divisor or its negative.
	negative := Mask(f[l] >> 63)
	var carry, rest uint64 // of |f| − 1
	carry = negative & 1
	for i := range f {
		var w uint64
		w, carry = bits.Add64(f[i]^negative, 0, carry)
		if i == 0 {
			w ^= 1
		}
		rest |= w
	}
	NegMod(z, d, n, negative)
	return rest == 0
}

// combine sets z = (a·x + b·y)/2^62 on two's complement numbers, for |a| + |b|
// ≤ 2^62 and a sum that is divisible.
func combine(z, x, y []uint64, a, b int64) {
	// a·x = |a|·(±x), and −x = ^x + 1. The carry stays below 2^63: each step adds
	// at most 2^62·(2^64 − 1), and what the top word loses is beyond the number.
	x, y = x[:len(z)], y[:len(z)]
	am, bm := uint64(a>>63), uint64(b>>63)
	aa, bb := uint64(a)^am-am, uint64(b)^bm-bm
	ca, cb := am&1, bm&1
	var hi, low uint64
	for i := range z {
		var xi, yi uint64
		xi, ca = bits.Add64(x[i]^am, ca, 0)
		yi, cb = bits.Add64(y[i]^bm, cb, 0)
		var lo uint64
		lo, hi = mulAdd2(aa, xi, bb, yi, hi)
		if i > 0 {
			z[i-1] = low>>batchSteps | lo<<(64-batchSteps)
		}
		low = lo
	}
	z[len(z)-1] = uint64(int64(low) >> batchSteps)
}

// combineMod sets z = (a·x + b·y)/2^62 mod n for x and y in [0, n), |a| + |b| ≤
// 2^62 and ninv = −1/n mod 2^64.
func combineMod(z, x, y, n []uint64, a, b int64, ninv uint64) {
	// With negative factors n − x and n − y stand for −x and −y, so that the sum is
	// in [0, 2^62·n]. With q·n, q < 2^62, it is divisible and below 2^63·n: the
	// quotient is below 2n.
	x, y, n = x[:len(z)], y[:len(z)], n[:len(z)]
	am, bm := uint64(a>>63), uint64(b>>63)
	aa, bb := uint64(a)^am-am, uint64(b)^bm-bm
	var q, hi, low, hiq, ca, cb, c uint64
	for i := range z {
		xi, yi := x[i], y[i]
		var nx, ny uint64
		nx, ca = bits.Sub64(n[i], xi, ca)
		ny, cb = bits.Sub64(n[i], yi, cb)
		xi ^= (xi ^ nx) & am
		yi ^= (yi ^ ny) & bm
		var lo uint64
		lo, hi = mulAdd2(aa, xi, bb, yi, hi)
		if i == 0 {
			q = lo * ninv & (1<<batchSteps - 1)
		}
		qh, ql := bits.Mul64(q, n[i])
		ql, c = bits.Add64(ql, hiq, 0)
		qh += c
		lo, c = bits.Add64(lo, ql, 0)
		hiq = qh + c
		if i > 0 {
			z[i-1] = low>>batchSteps | lo<<(64-batchSteps)
		}
		low = lo
	}
	top, _ := bits.Add64(hi, hiq, 0)
	z[len(z)-1] = low>>batchSteps | top<<(64-batchSteps)
	reduceOnce(z, n, top>>batchSteps)
}

// mulAdd2 returns a·x + b·y + c, which must be below 2^128.
func mulAdd2(a, x, b, y, c uint64) (lo, hi uint64) {
	h1, l1 := bits.Mul64(a, x)
	h2, l2 := bits.Mul64(b, y)
	lo, carry := bits.Add64(l1, l2, 0)
	hi, _ = bits.Add64(h1, h2, carry)
	lo, carry = bits.Add64(lo, c, 0)
	return lo, hi + carry
}

// reduceOnce sets x = x mod n for x = high·2^(64·len(x)) + x below 2n.
func reduceOnce(x, n []uint64, high uint64) {
	CondSub(x, n, ^Less(x, n)|MaskNonZero(high))
}

// NegMod sets z = −x mod n if mask is all ones, and z = x if it is zero, for x in
// [0, n). The three have the same length; z may be x.
func NegMod(z, x, n []uint64, mask uint64) {
	mask &^= IsZero(x) // −0 is 0, not n
	var borrow uint64
	for i, d := range x {
		var neg uint64
		neg, borrow = bits.Sub64(n[i], d, borrow)
		z[i] = SelectWord(mask, neg, d)
	}
}
