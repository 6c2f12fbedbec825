package batch

import "residue/internal/words"

// packedLen is the number of 64-bit words of a number of the given limbs.
func packedLen(limbs int) int { return words.Len(limbs * DigitBits) }

// pack sets w to the integer in a lane of x, in 64-bit words. w has at least as
// many words as that needs.
func pack(w []uint64, x Ints, lane int) {
	var acc uint64 // the n bits that are not yet written
	var n uint
	j := 0
	for i := range x {
		d := x[i][lane%Lanes] & digitMask
		acc |= d << n
		n += DigitBits
		if n >= words.WordBits {
			n -= words.WordBits
			w[j] = acc
			j++
			acc = d >> (DigitBits - n)
		}
	}
	for ; j < len(w); j++ {
		w[j] = acc
		acc = 0
	}
}

// unpack sets a lane of z to ⌊w/2^from⌋ modulo the width of z.
func unpack(z Ints, lane int, w []uint64, from int) {
	w = w[from/words.WordBits:]
	// acc holds the n bits that are not yet written.
	acc, n := w[0]>>(from%words.WordBits), words.WordBits-uint(from%words.WordBits)
	w = w[1:]
	for i := range z {
		d := acc
		acc >>= DigitBits
		if n < DigitBits {
			var next uint64
			if len(w) > 0 {
				next, w = w[0], w[1:]
			}
			d |= next << n
			acc = next >> (DigitBits - n)
			n += words.WordBits
		}
		n -= DigitBits
		z[i][lane%Lanes] = d & digitMask
	}
}
