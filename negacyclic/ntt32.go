package negacyclic

import "math/bits"

// Transforms of vectors of 32-bit words for n = 256, with products by fractions as in
// fraction.go. What is left of a product b·w modulo 2^F and q is exact if the error of the
// fraction of w is small: with ŵ = round(w·2^F/q),
//
//	b·ŵ = 2^F·b·w/q + e,  |e| ≤ |b|/2
//
// so the fraction of a sum of products is off by at most half of the sum of |b|. With h =
// ⌊2^F/(2q)⌋ added and |e| < h, it is between 0 and 2^F/q above 2^F·r/q, for the residue r of
// the sum, and its product with q/2^F is in [r, r + 1).
//
// F = 52 is what AVX-512 IFMA has. For q < 2^23, h ≥ 2^28, so that a sum may have |b| up to
// 2^29 altogether:
//
//   - In layers 7 and 6, four words in [0, 2^27 + q − 1]. The error of one of them is taken about
//     its middle, and is half as large: 3.5·(2^27 + q) < 2^29. Results are in [2q, 3q).
//   - In layers 5 and 4 two words below 3q. Results are in (0, 5q), and so they need no sign in
//     between, in 32 bits.
//   - In layers 3 and 2 two words below 5q. Results are in (−2q, 7q).
//   - In layers 1 and 0 four words below 7q. Results are in [0, q).
//
// Back from residues in [0, q), the sums x₀ of four words that are not multiplied are below 4q
// after layers 0 and 1 of what was not a product, but there they are reduced as well; below 4q
// after layers 2 and 3, and 16q after 4 and 5. In layers 6 and 7, two differences are at most
// 16q each, and the sum of four, which is multiplied by 2^−8, is below 64q < 2^29.
//
// A product of residues is below q² < 2^46, and products are below 8q² < 2^52 in the sums and
// differences of layers 0 and 1 back. As many such sums are multiplied, their constants have
// tails: w·2^52/q = ŵ + t/2^52, both rounded down. Then b·ŵ + ⌊b·t/2^52⌋ is too small by less
// than 2, for 0 ≤ b < 2^52.
const (
	n32      = 256
	layers32 = 8
	// mostModulus32 bounds q for the vectors of AVX-512. All of the above is for q below it,
	// and costs nothing in smaller moduli.
	mostModulus32 = 1 << 23
)

const fractionBits = 52

// fraction52 returns round(w·2^52/q) for 0 ≤ w < q < 2^23.
func fraction52(w, q uint64) uint64 {
	hi, lo := bits.Mul64(w, 1<<fractionBits)
	lo, carry := bits.Add64(lo, q/2, 0)
	f, _ := bits.Div64(hi+carry, lo, q)
	return f
}

// fractionAndTail returns ⌊w·2^52/q⌋, and the same of the remainder.
func fractionAndTail(w, q uint64) (fraction, tail uint64) {
	hi, lo := bits.Mul64(w, 1<<fractionBits)
	fraction, rest := bits.Div64(hi, lo, q)
	hi, lo = bits.Mul64(rest, 1<<fractionBits)
	tail, _ = bits.Div64(hi, lo, q)
	return fraction, tail
}

// halfAny52 is ⌊2^51/q⌋ less the error of b times the fraction of 1, for b in the middle of
// [0, 2^27 + q): so far can the product be off for other b, up or down.
func halfAny52(q uint64) uint64 {
	middle := int64(1<<27+q) / 2
	// fraction − 2^52/q = (fraction·q − 2^52)/q
	off := int64(fraction52(1, q)*q) - 1<<fractionBits
	return uint64(int64(1<<(fractionBits-1)/q) - middle*off/int64(q))
}
