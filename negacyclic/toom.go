package negacyclic

// Toom-Cook 4 takes a polynomial apart into four, a = a₀ + a₁t + a₂t² + a₃t³ with t a power
// of X, and knows the product by its values at the seven points below. Values at ±½ are
// scaled by 8 for an operand, and so by 64 for a product.
const (
	at0 = iota
	atInf
	at1
	atMinus1
	atHalf
	atMinusHalf
	at2
	toomPoints
)

// toomParts is how many polynomials Toom-Cook 4 takes one apart into.
const toomParts = 4

// toomLoss is how many bits of a word [toomCoefficients] loses.
const toomLoss = 3

// toomValue returns the value at a point.
func toomValue[W Word](point int, a0, a1, a2, a3 W) W {
	switch point {
	case at0:
		return a0
	case atInf:
		return a3
	case at1:
		return a0 + a1 + a2 + a3
	case atMinus1:
		return a0 - a1 + a2 - a3
	case atHalf:
		return 8*a0 + 4*a1 + 2*a2 + a3
	case atMinusHalf:
		return 8*a0 - 4*a1 + 2*a2 - a3
	default:
		return a0 + 2*a1 + 4*a2 + 8*a3
	}
}

// toomCoefficients returns the coefficients d₀ … d₆ of the polynomial in t with the values w.
//
// Words have B bits, and the values are known modulo 2^B. Then the d are right modulo
// 2^(B−3):
//
//   - s = (w(1)+w(−1))/2 − d₀ − d₆ = d₂ + d₄ is known modulo 2^(B−1), as halving an even
//     number that is known modulo 2^B gives B−1 bits; so is o = (w(1)−w(−1))/2 = d₁+d₃+d₅.
//   - u = ((w(½)+w(−½))/2 − 64d₀ − d₆)/4 = 4d₂ + d₄ is known modulo 2^(B−3): three halvings.
//     d₂ = (u−s)/3 and d₄ = s − d₂ follow with as many bits, for 3 is odd.
//   - v = (w(½)−w(−½))/4 = 16d₁ + 4d₃ + d₅ is known modulo 2^(B−2).
//   - y = (w(2) − d₀ − 4d₂ − 16d₄ − 64d₆)/2 = d₁ + 4d₃ + 16d₅ is known modulo 2^(B−2), as
//     4d₂ and 16d₄ are known modulo 2^(B−1).
//   - 17o − (v+y) = 9d₃ gives d₃ modulo 2^(B−2), and so p = o − d₃ = d₁ + d₅.
//   - v − y = 15(d₁−d₅), so d₁ = (p + (v−y)/15)/2 is known modulo 2^(B−3), and d₅ = p − d₁.
//
// The bound is reached: no bit more is right for all operands.
func toomCoefficients[W Word](w *[toomPoints]W) (d [toomPoints]W) {
	// Inverses modulo 2^32 are inverses modulo 2^16.
	third, ninth, fifteenth := W(inverse3), W(inverse9), W(inverse15)
	d0, d6 := w[at0], w[atInf]
	s := (w[at1]+w[atMinus1])>>1 - d0 - d6
	o := (w[at1] - w[atMinus1]) >> 1
	u := ((w[atHalf]+w[atMinusHalf])>>1 - d0<<6 - d6) >> 2
	v := (w[atHalf] - w[atMinusHalf]) >> 2
	d2 := (u - s) * third
	d4 := s - d2
	y := (w[at2] - d0 - d2<<2 - d4<<4 - d6<<6) >> 1
	d3 := (17*o - v - y) * ninth
	p := o - d3
	d1 := (p + (v-y)*fifteenth) >> 1
	return [toomPoints]W{d0, d1, d2, d3, d4, p - d1, d6}
}

// Inverses of odd numbers modulo 2^32, as signed words.
var (
	inverse3  = int32(inverseOdd(3))
	inverse9  = int32(inverseOdd(9))
	inverse15 = int32(inverseOdd(15))
)

// inverseOdd returns 1/x modulo 2^32 for an odd x. x·x = 1 modulo 8, and each step of
// Newton's doubles the right bits: 3, 6, 12, 24, 48.
func inverseOdd(x uint32) uint32 {
	y := x
	for range 4 {
		y *= 2 - x*y
	}
	return y
}
