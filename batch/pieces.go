package batch

// leastPiece is the least number of digits of the shorter factor of MulPieces: the
// least width of super-digits of which there is more than one.
const leastPiece = minTileOfMany

// MulPieces sets z = x·y in every lane for factors of different lengths. y has a number
// of digits that [Limbs] returns, at least 10, x up to 16 times as many, a whole number
// of times, and z as many as both; z must not overlap x or y. It panics if the lengths
// are not so. sc is for numbers of y's length.
func (k *Kernel) MulPieces(z, x, y Ints, sc *Scratch) {
	if n := len(y); n < leastPiece || len(x)%n != 0 || len(x) == 0 || len(x) > mostPieces*n {
		badLength()
	}
	checkLen(z, len(x)+len(y))
	u := use(sc, len(y))
	k.impl.mulPieces(z, x, y, u)
	done(sc, u)
}

// mostPieces is how many times as long one factor of MulPieces may be: the work space
// for numbers of the length of the other has room for it in words.
const mostPieces = 16
