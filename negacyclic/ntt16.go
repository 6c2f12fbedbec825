package negacyclic

import "slices"

// Transforms of vectors of 16-bit words, for n = 256 and residues modulo X² − γ.
//
// Constants are multiplied by P. L. Montgomery's method on signed words (Math. Comp. 44,
// 1985; for signed words G. Seiler, eprint 2018/039). With R = 2^16, w = z·R mod q, centred,
// and w' = w/q mod R,
//
//	times(b, w) = high(b·w) − high(low(b·w')·q) ≡ b·z
//
// where high and low are the halves of a product and low is signed. The two products have the
// same low half, so the difference of the high ones is exact, and
//
//	|times(b, w)| ≤ |b|·q/(2R) + q/2.
//
// The first half of that is for |w| ≤ q/2, and the second for a low half of at most R/2.

const (
	n16      = 256
	layers16 = 7 // n/2^7 = 2 coefficients of a residue
)

// constant16 is a constant z: w and w'.
type constant16 struct{ w, companion int16 }

func newConstant16(z, q int64) constant16 {
	w := centre(z%q<<16%q, q)
	return constant16{int16(w), int16(w * int64(int32(inverseOdd(uint32(q)))))}
}

// small16 is the constant by which words are made small: with m = round(2^15/q),
//
//	small(v) = v − q·round(v·m/2^15)
//
// is at most q·(1/2 + |2^15/q − m|) in absolute value for any word v.
func small16(q int64) int16 { return int16((1<<15 + q/2) / q) }

// bounds16 are bounds of words, in absolute value, for one modulus.
type bounds16 struct{ q, small int64 }

func newBounds16(q int64) bounds16 {
	// q·|2^15/q − m| = |2^15 − q·m|
	off := int64(1)<<15 - q*int64(small16(q))
	return bounds16{q, (q + 2*max(off, -off)) / 2}
}

// times is a bound of times for words of a bound.
func (b bounds16) times(v int64) int64 { return (v*b.q>>16 + b.q + 2) / 2 }

const mostWord16 = 1<<15 - 1

// forward is a bound of residues of any words, or 0 if words would not hold them. The half
// that the first layer does not multiply is made small before it, and that of the layers in
// again, which count from 0.
func (b bounds16) forward(again ...int) int64 {
	return b.layers(b.small, 1<<15, again...)
}

// layers is a bound of residues of words of a bound, that of the half that the first layer
// multiplies apart, or 0.
func (b bounds16) layers(plain, multiplied int64, again ...int) int64 {
	for l := range layers16 {
		if slices.Contains(again, l) {
			plain = b.small
		}
		v := plain + b.times(multiplied)
		if v > mostWord16 {
			return 0
		}
		plain, multiplied = v, v
	}
	return plain
}

// inverse tells whether words hold what a transform back makes of words of a bound. Sums are
// made small after the layers in after, which count from 0.
func (b bounds16) inverse(v int64, after ...int) bool {
	for l := range layers16 {
		sum := 2 * v
		if sum > mostWord16 {
			return false
		}
		v = sum
		if slices.Contains(after, l) {
			v = b.small
		}
		v = max(v, b.times(sum))
	}
	return true
}

// terms returns how many products a sum may have, of words x and f of bounds, so that it is
// at most half of what a word holds: each of two products of 32 bits, and the reduction adds
// at most q/2. The sum itself is below 2^31 then.
func (b bounds16) terms(x, f int64) int {
	return int((mostWord16/2 - 2 - b.q/2) << 16 / (2 * x * f))
}
