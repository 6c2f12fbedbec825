// Package words is constant-time arithmetic on natural numbers of fixed width.
//
// A number is a slice of 64-bit words, least significant first; leading zero
// words are allowed everywhere. Lengths are public. No branch and no index
// depends on a value. Truth values are masks: all ones or zero.
package words

import "math/bits"

// WordBits is the width of a word.
const WordBits = 64

// Len returns how many words hold a number of the given number of bits.
func Len(nbits int) int { return (nbits + WordBits - 1) / WordBits }

// LenBytes returns how many words hold a number of the given number of bytes.
func LenBytes(nbytes int) int { return (nbytes + 7) / 8 }

// SetBytes sets x to the big-endian b. Bytes beyond the width of x must be zero;
// SetBytes reports whether they are, in time that depends on the lengths alone.
func SetBytes(x []uint64, b []byte) bool {
	var lost byte
	for len(b) > 8*len(x) {
		lost |= b[0]
		b = b[1:]
	}
	clear(x)
	for i := range b {
		// b[len(b)-1-i] has the weight 2^(8i).
		x[i/8] |= uint64(b[len(b)-1-i]) << (i % 8 * 8)
	}
	return lost == 0
}

// FillBytes writes x to b, big-endian, filling it with leading zeros. Words
// beyond the length of b must be zero; FillBytes reports whether they are, in
// time that depends on the lengths alone.
func FillBytes(x []uint64, b []byte) bool {
	for i := range b {
		var w uint64
		if i/8 < len(x) {
			w = x[i/8] >> (i % 8 * 8)
		}
		b[len(b)-1-i] = byte(w)
	}
	var lost uint64
	for i := len(b) / 8; i < len(x); i++ {
		w := x[i]
		if i == len(b)/8 {
			w >>= len(b) % 8 * 8
		}
		lost |= w
	}
	return lost == 0
}

// Add sets z = x + y modulo the width and returns the carry, 0 or 1. The three
// have the same length and may be the same memory.
func Add(z, x, y []uint64) (carry uint64) {
	x, y = x[:len(z)], y[:len(z)]
	i := 0
	// Four words at a time keep the carry in the flags.
	for ; i < len(z)-3; i += 4 {
		d0, c := bits.Add64(x[i], y[i], carry)
		d1, c := bits.Add64(x[i+1], y[i+1], c)
		d2, c := bits.Add64(x[i+2], y[i+2], c)
		d3, c := bits.Add64(x[i+3], y[i+3], c)
		z[i], z[i+1], z[i+2], z[i+3], carry = d0, d1, d2, d3, c
	}
	for ; i < len(z); i++ {
		z[i], carry = bits.Add64(x[i], y[i], carry)
	}
	return carry
}

// Sub sets z = x − y modulo the width and returns the borrow, 0 or 1. The three
// have the same length and may be the same memory.
func Sub(z, x, y []uint64) (borrow uint64) {
	x, y = x[:len(z)], y[:len(z)]
	i := 0
	// Four words at a time keep the borrow in the flags.
	for ; i < len(z)-3; i += 4 {
		d0, c := bits.Sub64(x[i], y[i], borrow)
		d1, c := bits.Sub64(x[i+1], y[i+1], c)
		d2, c := bits.Sub64(x[i+2], y[i+2], c)
		d3, c := bits.Sub64(x[i+3], y[i+3], c)
		z[i], z[i+1], z[i+2], z[i+3], borrow = d0, d1, d2, d3, c
	}
	for ; i < len(z); i++ {
		z[i], borrow = bits.Sub64(x[i], y[i], borrow)
	}
	return borrow
}

// CondAdd sets z = z + x if mask is all ones, leaves it if mask is zero, and
// returns the carry. The two have the same length.
func CondAdd(z, x []uint64, mask uint64) (carry uint64) {
	x = x[:len(z)]
	i := 0
	// Four words at a time keep the carry in the flags, which masking destroys.
	for ; i < len(z)-3; i += 4 {
		x0, x1, x2, x3 := x[i]&mask, x[i+1]&mask, x[i+2]&mask, x[i+3]&mask
		x0, c := bits.Add64(x0, z[i], carry)
		x1, c = bits.Add64(x1, z[i+1], c)
		x2, c = bits.Add64(x2, z[i+2], c)
		x3, carry = bits.Add64(x3, z[i+3], c)
		z[i], z[i+1], z[i+2], z[i+3] = x0, x1, x2, x3
	}
	for ; i < len(z); i++ {
		z[i], carry = bits.Add64(z[i], x[i]&mask, carry)
	}
	return carry
}

// CondSub sets z = z − x if mask is all ones, leaves it if mask is zero, and
// returns the borrow. The two have the same length.
func CondSub(z, x []uint64, mask uint64) (borrow uint64) {
	x = x[:len(z)]
	i := 0
	for ; i < len(z)-3; i += 4 {
		x0, x1, x2, x3 := x[i]&mask, x[i+1]&mask, x[i+2]&mask, x[i+3]&mask
		x0, b := bits.Sub64(z[i], x0, borrow)
		x1, b = bits.Sub64(z[i+1], x1, b)
		x2, b = bits.Sub64(z[i+2], x2, b)
		x3, borrow = bits.Sub64(z[i+3], x3, b)
		z[i], z[i+1], z[i+2], z[i+3] = x0, x1, x2, x3
	}
	for ; i < len(z); i++ {
		z[i], borrow = bits.Sub64(z[i], x[i]&mask, borrow)
	}
	return borrow
}

// MulAdd sets z = z + x·y modulo the width and returns the word that overflows.
// z and x have the same length and may be the same memory.
func MulAdd(z, x []uint64, y uint64) (carry uint64) {
	x = x[:len(z)]
	i := 0
	for ; i < len(z)-3; i += 4 {
		h0, p0 := bits.Mul64(x[i], y)
		h1, p1 := bits.Mul64(x[i+1], y)
		h2, p2 := bits.Mul64(x[i+2], y)
		h3, p3 := bits.Mul64(x[i+3], y)
		// x·y + z + carry is below 2^(64·5): the last sums do not overflow.
		p0, c := bits.Add64(p0, carry, 0)
		p1, c = bits.Add64(p1, h0, c)
		p2, c = bits.Add64(p2, h1, c)
		p3, c = bits.Add64(p3, h2, c)
		h3, _ = bits.Add64(h3, 0, c)
		z[i], c = bits.Add64(z[i], p0, 0)
		z[i+1], c = bits.Add64(z[i+1], p1, c)
		z[i+2], c = bits.Add64(z[i+2], p2, c)
		z[i+3], c = bits.Add64(z[i+3], p3, c)
		carry, _ = bits.Add64(h3, 0, c)
	}
	for ; i < len(z); i++ {
		hi, lo := bits.Mul64(x[i], y)
		lo, c := bits.Add64(lo, carry, 0)
		hi += c
		z[i], c = bits.Add64(z[i], lo, 0)
		carry = hi + c
	}
	return carry
}

// MulSub sets z = z − x·y modulo the width and returns the word that is
// borrowed. z and x have the same length and may be the same memory.
func MulSub(z, x []uint64, y uint64) (borrow uint64) {
	x = x[:len(z)]
	i := 0
	for ; i < len(z)-3; i += 4 {
		h0, p0 := bits.Mul64(x[i], y)
		h1, p1 := bits.Mul64(x[i+1], y)
		h2, p2 := bits.Mul64(x[i+2], y)
		h3, p3 := bits.Mul64(x[i+3], y)
		// x·y + borrow is at most 2^(64·5) − 2^64: the last sums do not overflow.
		p0, c := bits.Add64(p0, borrow, 0)
		p1, c = bits.Add64(p1, h0, c)
		p2, c = bits.Add64(p2, h1, c)
		p3, c = bits.Add64(p3, h2, c)
		h3, _ = bits.Add64(h3, 0, c)
		z[i], c = bits.Sub64(z[i], p0, 0)
		z[i+1], c = bits.Sub64(z[i+1], p1, c)
		z[i+2], c = bits.Sub64(z[i+2], p2, c)
		z[i+3], c = bits.Sub64(z[i+3], p3, c)
		borrow, _ = bits.Add64(h3, 0, c)
	}
	for ; i < len(z); i++ {
		hi, lo := bits.Mul64(x[i], y)
		lo, c := bits.Add64(lo, borrow, 0)
		hi += c
		z[i], c = bits.Sub64(z[i], lo, 0)
		borrow = hi + c
	}
	return borrow
}

// NegInverse returns −1/n mod 2^64 for an odd n.
func NegInverse(n uint64) uint64 {
	// An odd square is 1 mod 8, so n is its own inverse to 3 bits, and
	// 3n ⊕ 2 is its inverse to 5; every step doubles the number of right bits:
	// 5, 10, 20, 40, 80.
	v := 3*n ^ 2
	for range 4 {
		v *= 2 - n*v
	}
	return -v
}
