package words

// LeadingZeros returns the number of leading zero bits of x: 64·len(x) for zero.
func LeadingZeros(x []uint64) uint64 {
	var top, zeros uint64 // the top word that is not zero, the words above it
	for i := len(x) - 1; i >= 0; i-- {
		none := MaskZero(top)
		zeros += none & MaskZero(x[i]) & 1
		top |= none & x[i]
	}
	// If all words are zero, they have been counted already.
	return zeros*WordBits + leadingZeros64(top)&MaskNonZero(top)
}

// setBit sets the zero x to 2^n, for a secret n below 64·len(x).
func setBit(x []uint64, n uint64) {
	for i := range x {
		x[i] = MaskEqual(uint64(i), n/WordBits) & (1 << (n % WordBits))
	}
}

// leadingZeros64 is bits.LeadingZeros64 without the table that the portable
// version of that looks its argument up in.
func leadingZeros64(w uint64) uint64 {
	n := MaskZero(w) & 1
	for shift := uint(32); shift > 0; shift /= 2 {
		none := MaskZero(w >> (64 - shift))
		n += none & uint64(shift)
		w = SelectWord(none, w<<shift, w)
	}
	return n
}

// ShiftLeft sets x = x·2^n modulo the width, for a secret n below 64·len(x).
func ShiftLeft(x []uint64, n uint64) {
	low, carry := n%WordBits, uint64(0)
	for i, w := range x {
		x[i] = w<<low | carry
		carry = w >> 1 >> (WordBits - 1 - low)
	}
	// Then the shift by words, one bit of its length at a time.
	for k := 0; 1<<k < len(x); k++ {
		by, mask := 1<<k, Mask(n/WordBits>>k&1)
		for i := len(x) - 1; i >= by; i-- {
			x[i] = SelectWord(mask, x[i-by], x[i])
		}
		for i := range x[:by] {
			x[i] &^= mask
		}
	}
}

// ShiftRight sets x = ⌊x/2^n⌋, for a secret n below 64·len(x).
func ShiftRight(x []uint64, n uint64) {
	low, carry := n%WordBits, uint64(0)
	for i := len(x) - 1; i >= 0; i-- {
		w := x[i]
		x[i] = w>>low | carry
		carry = w << 1 << (WordBits - 1 - low)
	}
	// Then the shift by words, one bit of its length at a time.
	for k := 0; 1<<k < len(x); k++ {
		by, mask := 1<<k, Mask(n/WordBits>>k&1)
		for i := 0; i < len(x)-by; i++ {
			x[i] = SelectWord(mask, x[i+by], x[i])
		}
		for i := range x[len(x)-by:] {
			x[len(x)-by+i] &^= mask
		}
	}
}
