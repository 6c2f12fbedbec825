package batch

import "residue/internal/words"

// packedLen is the number of 64-bit words of a number of the given limbs.
func packedLen(limbs int) int { return words.Len(limbs * DigitBits) }

// pack sets w to the integer in a lane of x, in 64-bit words. w has at least as
// many words as that needs.
func pack(w []uint64, x Ints, lane int) {
	for len(x) >= 16 && len(w) >= 13 {
		pack16((*[13]uint64)(w), (*[16]Vector)(x), lane)
		w, x = w[13:], x[16:]
	}
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

// pack16 is pack for 16 digits, which are 13 words.
func pack16(w *[13]uint64, x *[16]Vector, lane int) {
	lane %= Lanes
	d := func(i int) uint64 { return x[i][lane] & digitMask }
	w[0] = d(0) | d(1)<<52
	w[1] = d(1)>>12 | d(2)<<40
	w[2] = d(2)>>24 | d(3)<<28
	w[3] = d(3)>>36 | d(4)<<16
	w[4] = d(4)>>48 | d(5)<<4 | d(6)<<56
	w[5] = d(6)>>8 | d(7)<<44
	w[6] = d(7)>>20 | d(8)<<32
	w[7] = d(8)>>32 | d(9)<<20
	w[8] = d(9)>>44 | d(10)<<8 | d(11)<<60
	w[9] = d(11)>>4 | d(12)<<48
	w[10] = d(12)>>16 | d(13)<<36
	w[11] = d(13)>>28 | d(14)<<24
	w[12] = d(14)>>40 | d(15)<<12
}

// unpack sets a lane of z to ⌊w/2^from⌋ modulo the width of z. w reaches at least
// to the last bit of the last digit.
func unpack(z Ints, lane int, w []uint64, from int) {
	j, n := uint(from/words.WordBits), uint(from%words.WordBits)
	for i := range z {
		d := w[j] >> (n % words.WordBits)
		// A digit that does not go on in the next word has all its bits now, and
		// what the next word adds is above them.
		if k := j + 1; k < uint(len(w)) {
			d |= w[k] << 1 << ((words.WordBits - 1 - n) % words.WordBits)
		}
		z[i][lane%Lanes] = d & digitMask
		n += DigitBits
		j += n / words.WordBits
		n %= words.WordBits
	}
}
