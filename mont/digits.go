package mont

// Digits are numbers in radix 2^k, k < 64, least significant first. They may be
// redundant: larger than the radix.

// split sets z to the digits of w, of k bits each. What does not fit is lost.
func split(z, w []uint64, k int) {
	mask := uint64(1)<<k - 1
	for i := range z {
		from := i * k
		j, off := from/64, from%64
		var d uint64
		if j < len(w) {
			d = w[j] >> off
		}
		if j+1 < len(w) {
			d |= w[j+1] << 1 << (63 - off)
		}
		z[i] = d & mask
	}
}

// join sets w to the number with the digits x, in radix 2^k, of each of which the
// lowest wide bits count, 63 at most. What does not fit is lost.
func join(w, x []uint64, k, wide int) {
	digit := uint64(1)<<wide - 1
	mask := uint64(1)<<k - 1
	var carry uint64 // into the next digit
	var acc uint64   // n bits that are not yet written
	n, j := 0, 0
	for _, d := range x {
		d = d&digit + carry // carry < 2^(64−k): below 2^64
		carry = d >> k
		d &= mask
		acc |= d << n
		n += k
		if n >= 64 {
			n -= 64
			if j < len(w) {
				w[j] = acc
			}
			j++
			acc = d >> (k - n)
		}
	}
	for ; j < len(w); j++ {
		w[j] = acc
		acc = 0
	}
}
