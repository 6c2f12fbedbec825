package words

import "math/bits"

// Mask returns all ones for a bit of 1 and zero for a bit of 0.
func Mask(bit uint64) uint64 { return -bit }

// MaskZero returns all ones if w is zero.
func MaskZero(w uint64) uint64 {
	// The top bit of w | −w is set in every word but zero.
	return ((w | -w) >> 63) - 1
}

// MaskNonZero returns all ones if w is not zero.
func MaskNonZero(w uint64) uint64 { return ^MaskZero(w) }

// MaskEqual returns all ones if a = b.
func MaskEqual(a, b uint64) uint64 { return MaskZero(a ^ b) }

// MaskLess returns all ones if a < b.
func MaskLess(a, b uint64) uint64 {
	_, borrow := bits.Sub64(a, b, 0)
	return -borrow
}

// SelectWord returns a if mask is all ones, and b if it is zero.
func SelectWord(mask, a, b uint64) uint64 { return b ^ mask&(a^b) }

// IsZero returns all ones if x is zero.
func IsZero(x []uint64) uint64 {
	var or uint64
	for _, w := range x {
		or |= w
	}
	return MaskZero(or)
}

// Equal returns all ones if x = y. The two have the same length.
func Equal(x, y []uint64) uint64 {
	y = y[:len(x)]
	var or uint64
	for i := range x {
		or |= x[i] ^ y[i]
	}
	return MaskZero(or)
}

// Less returns all ones if x < y. The two have the same length.
func Less(x, y []uint64) uint64 {
	y = y[:len(x)]
	var borrow uint64
	for i := range x {
		_, borrow = bits.Sub64(x[i], y[i], borrow)
	}
	return -borrow
}

// Select sets z = x if mask is all ones, and z = y if it is zero. The three have
// the same length and may be the same memory.
func Select(z, x, y []uint64, mask uint64) {
	x, y = x[:len(z)], y[:len(z)]
	for i := range z {
		z[i] = SelectWord(mask, x[i], y[i])
	}
}

// CondAssign sets z = x if mask is all ones. The two have the same length.
func CondAssign(z, x []uint64, mask uint64) {
	x = x[:len(z)]
	for i := range z {
		z[i] = SelectWord(mask, x[i], z[i])
	}
}
