package words

import "math/bits"

// Arithmetic modulo 2^t on numbers of Len(t) words. The functions work modulo
// 2^(64·words) and mask the bits from t up where a result is handed out. Running
// times depend on lengths and on t alone.

// MaskPow2 clears the bits of z from bit t up; z has Len(t) words.
func MaskPow2(z []uint64, t int) {
	if r := t % 64; r != 0 {
		z[len(z)-1] &= 1<<r - 1
	}
}

// MulLow sets z = x·y mod 2^(64·len(z)). x and y may have any number of words,
// and z must not overlap them.
func MulLow(z, x, y []uint64) {
	clear(z)
	for i := range min(len(x), len(z)) {
		addMulLow(z[i:], y, x[i])
	}
}

// addMulLow sets z = z + x·d mod 2^(64·len(z)).
func addMulLow(z, x []uint64, d uint64) {
	var carry uint64
	n := min(len(x), len(z))
	for j, xj := range x[:n] {
		hi, lo := bits.Mul64(xj, d)
		var c uint64
		lo, c = bits.Add64(lo, carry, 0)
		hi += c // hi ≤ 2^64 − 2: no overflow
		z[j], c = bits.Add64(z[j], lo, 0)
		carry = hi + c // x·d + 2·(2^64 − 1) < 2^128
	}
	for j := n; j < len(z); j++ {
		z[j], carry = bits.Add64(z[j], carry, 0)
	}
}

// sqrLow sets z = x² mod 2^(64·len(z)) for an x of as many words. z must not
// overlap x.
func sqrLow(z, x []uint64) {
	clear(z)
	// Each cross product once, then all of them doubled, then the diagonal.
	for i := 0; 2*i+1 < len(z); i++ {
		addMulLow(z[2*i+1:], x[i+1:], x[i])
	}
	var top uint64
	for i, d := range z {
		z[i] = d<<1 | top
		top = d >> 63
	}
	var carry uint64
	for i := 0; 2*i < len(z); i++ {
		hi, lo := bits.Mul64(x[i], x[i])
		z[2*i], carry = bits.Add64(z[2*i], lo, carry)
		if 2*i+1 < len(z) {
			z[2*i+1], carry = bits.Add64(z[2*i+1], hi, carry)
		}
	}
}

// InversePow2 sets z = 1/x mod 2^t for an odd x of any number of words. z has
// Len(t) words and must not overlap x.
func InversePow2(z, x []uint64, t int) {
	n := Len(t)
	scratch := make([]uint64, 2*n)
	clear(z)
	z[0] = -NegInverse(x[0])
	// Newton: if x·z = 1 mod 2^k then x·z·(2 − x·z) = 1 mod 2^2k.
	for k := 1; k < n; k *= 2 {
		k2 := min(2*k, n)
		e, w := scratch[:k2], scratch[n:n+k2]
		MulLow(e, z[:k], x)
		twoMinus(e)
		MulLow(w, z[:k], e)
		copy(z, w)
	}
	MaskPow2(z, t)
	clear(scratch)
}

// twoMinus sets x = 2 − x mod 2^(64·len(x)).
func twoMinus(x []uint64) {
	var borrow uint64
	x[0], borrow = bits.Sub64(2, x[0], 0)
	for i := 1; i < len(x); i++ {
		x[i], borrow = bits.Sub64(0, x[i], borrow)
	}
}

// pow2Window is the number of exponent bits that one table look-up takes.
const pow2Window = 4

// Pow2Scratch returns the number of words of scratch that ExpPow2 takes for t.
func Pow2Scratch(t int) int { return (1<<pow2Window + 2) * Len(t) }

// ExpPow2 sets z = x^e mod 2^t, with 0^0 = 1. z and x have Len(t) words
// (bits of x from t up are ignored), e any number, and scratch Pow2Scratch(t). z
// may be x. ExpPow2 stops early and returns false when done is closed.
func ExpPow2(z, x, e []uint64, t int, scratch []uint64, done <-chan struct{}) bool {
	if t == 0 {
		return true
	}
	n := Len(t)
	table, acc, tmp := scratch[:n<<pow2Window], scratch[n<<pow2Window:][:n], scratch[(n<<pow2Window)+n:][:n]

	// The exponent's low t bits are enough: an odd x has x^(2^t) = 1, and an even
	// x with an exponent of 2^t > t or more has x^e = 0.
	even := ^Mask(x[0] & 1)
	var above uint64 // the bits of e that are left out
	for i := t / 64; i < len(e); i++ {
		d := e[i]
		if i == t/64 {
			d &^= 1<<(t%64) - 1
		}
		above |= d
	}
	zero := even & MaskNonZero(above)

	clear(table[:n])
	table[0] = 1
	copy(table[n:2*n], x)
	for i := 2; i < 1<<pow2Window; i++ {
		if i%2 == 0 {
			sqrLow(table[i*n:(i+1)*n], table[i/2*n:][:n])
		} else {
			MulLow(table[i*n:(i+1)*n], table[(i-1)*n:i*n], x)
		}
	}

	clear(acc)
	acc[0] = 1
	ebits := min(t, 64*len(e))
	for k := (ebits + pow2Window - 1) / pow2Window * pow2Window; k > 0; k -= pow2Window {
		select {
		case <-done:
			return false
		default:
		}
		for range pow2Window {
			sqrLow(tmp, acc)
			acc, tmp = tmp, acc
		}
		w := e[(k-pow2Window)/64] >> ((k - pow2Window) % 64) & (1<<pow2Window - 1)
		if k > t { // the first window may reach over t
			w &= 1<<(t-k+pow2Window) - 1
		}
		scanTable(z, table, w)
		MulLow(tmp, acc, z)
		acc, tmp = tmp, acc
	}
	for i := range z {
		z[i] = acc[i] &^ zero
	}
	MaskPow2(z, t)
	return true
}

// scanTable sets z to entry number index of the table, reading all of it.
func scanTable(z, table []uint64, index uint64) {
	clear(z)
	for i := 0; len(table) > 0; i++ {
		mask := MaskEqual(uint64(i), index)
		for j, d := range table[:len(z)] {
			z[j] |= d & mask
		}
		table = table[len(z):]
	}
}
