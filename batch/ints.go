package batch

import "unsafe"

// Vector is one digit of each of the eight numbers of a batch, one a lane.
type Vector [Lanes]uint64

// Ints is eight non-negative integers of the same number of digits, word-sliced
// and least significant digit first: the integer in lane l is
// Σ (x[i][l] mod 2^52)·2^(52i). Bits 52 to 63 of a digit carry no value: what
// reads digits ignores them, and what writes digits may leave anything there.
//
// The kernels read Ints as whole vectors; [NewInts] aligns them to 64 bytes,
// and other memory works but is slower.
type Ints []Vector

// NewInts returns eight zeros of the given number of digits.
func NewInts(limbs int) Ints {
	// One vector more than needed: the slice starts at the first aligned one.
	buf := make([]uint64, (limbs+1)*Lanes)
	skip := 0
	if r := uintptr(unsafe.Pointer(unsafe.SliceData(buf))) % unsafe.Sizeof(Vector{}); r != 0 {
		skip = int(unsafe.Sizeof(Vector{})-r) / 8
	}
	return unsafe.Slice((*Vector)(unsafe.Pointer(&buf[skip])), limbs)
}

// SetBytes sets the integer in a lane to the big-endian b. Bytes beyond the
// digits of x must be zero; SetBytes reports whether they are, in time that
// depends on the lengths alone.
func (x Ints) SetBytes(lane int, b []byte) bool {
	var lost byte
	var acc uint64 // bits not yet written, fewer than 52 after every digit
	n, i := uint(0), 0
	for k := len(b) - 1; k >= 0; k-- {
		if i == len(x) {
			lost |= b[k]
			continue
		}
		acc |= uint64(b[k]) << n
		n += 8
		if n >= DigitBits {
			x[i][lane] = acc & digitMask
			i++
			n -= DigitBits
			acc = uint64(b[k]) >> (8 - n) // the n bits of b[k] that did not fit
			if i == len(x) {
				lost |= byte(acc)
				acc = 0
			}
		}
	}
	for ; i < len(x); i++ {
		x[i][lane] = acc
		acc = 0
	}
	return lost == 0
}

// FillBytes writes the integer in a lane to b, big-endian, filling it with
// leading zeros. Digits beyond the length of b must be zero; FillBytes reports
// whether they are, in time that depends on the lengths alone.
func (x Ints) FillBytes(lane int, b []byte) bool {
	var acc uint64
	n, i := uint(0), 0
	for k := len(b) - 1; k >= 0; k-- {
		if n < 8 && i < len(x) {
			d := x[i][lane] & digitMask
			i++
			b[k] = byte(acc | d<<n)
			acc = d >> (8 - n)
			n += DigitBits - 8
			continue
		}
		b[k] = byte(acc)
		acc >>= 8
		n -= min(n, 8)
	}
	lost := acc
	for ; i < len(x); i++ {
		lost |= x[i][lane] & digitMask
	}
	return lost == 0
}

// flat returns the words of x, vector by vector.
func (x Ints) flat() []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(unsafe.SliceData(x))), len(x)*Lanes)
}

// wipe zeroes x.
func wipe(x Ints) { clear(x) }
