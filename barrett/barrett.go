// Package barrett does modular arithmetic for any modulus, even ones too, without a
// domain of Montgomery's: residues are plain numbers.
//
// A number is reduced by Barrett's method (P. Barrett, Implementing the Rivest Shamir
// and Adleman public key encryption algorithm on a standard digital signal processor,
// CRYPTO '86): the quotient is estimated by a product with a reciprocal, and what that
// misses by is subtracted. Before that, folds make the number shorter, and all
// products may be Karatsuba's (W. Hasenplaugh, G. Gaubatz, V. Gopal, Fast modular
// reduction, ARITH 18, 2007). The text of the method is in internal/folding. Two
// engines run it: a [Modulus] is for one number at a time, in 64-bit words, and
// [Moduli] are for eight, in the lanes of package batch.
//
//	m, err := barrett.NewModulus(2048, n) // big-endian bytes
//	if err != nil {
//		return err
//	}
//	x, y := m.NewInt(), m.NewInt()
//	m.SetBytes(x, a, nil)
//	m.SetBytes(y, b, nil)
//	m.Mul(x, x, y, nil)
//	m.FillBytes(out, x, nil) // a·b mod n
//
// Inside, the modulus is the multiple n·2^s whose highest bit is that of a word or
// digit, so that how long n is does not show. A number modulo n·2^s is one modulo n;
// only what is handed out is reduced to below n.
//
// Everything is constant time in the values of moduli, residues and exponents.
// Lengths, numbers of folds and numbers of squarings in a row are public.
package barrett

// MaxBits is the length of the largest modulus.
const MaxBits = 16384

// Auto stands for the number of folds that is quickest for a length.
const Auto = -1
