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

// packReversed is pack with the words in reverse order, most significant first.
func packReversed(w []uint64, x Ints, lane int) {
	pack(w, x, lane)
	reverse(w)
}

func reverse(w []uint64) {
	for i, j := 0, len(w)-1; i < j; i, j = i+1, j-1 {
		w[i], w[j] = w[j], w[i]
	}
}

// unpack sets a lane of z to ⌊w/2^from⌋ modulo the width of z.
func unpack(z Ints, lane int, w []uint64, from int) {
	for i := range z {
		bit := from + i*DigitBits
		j, n := bit/words.WordBits, uint(bit%words.WordBits)
		var d uint64
		if j < len(w) {
			d = w[j] >> n
		}
		if j+1 < len(w) {
			d |= w[j+1] << 1 << (words.WordBits - 1 - n)
		}
		z[i][lane%Lanes] = d & digitMask
	}
}
