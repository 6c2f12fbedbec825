// Package mont does modular arithmetic on one number at a time, for any odd
// modulus.
//
// Package batch fills the lanes of vectors with eight numbers. Here there is one,
// and what it takes is latency. On a CPU with AVX512-IFMA the number lies across
// the lanes, eight digits to a vector, and its Montgomery reduction is done on all
// digits at once; elsewhere, and for numbers that are very short or very long, it
// is done in 64-bit words. A [Modulus] knows which of the two suits it; residues
// are in its own form, an [Int].
//
//	m, err := mont.NewModulus(2048, n) // big-endian bytes
//	if err != nil {
//		return err
//	}
//	x, y := m.NewInt(), m.NewInt()
//	m.SetBytes(x, a, nil)
//	m.SetBytes(y, b, nil)
//	m.Mul(x, x, y, nil)
//	m.FillBytes(out, x, nil) // a·b mod n
//
// Everything is constant time in the values of moduli, residues and exponents.
// Lengths, and numbers of squarings in a row, are public.
package mont

// MaxBits is the length of the largest modulus.
const MaxBits = 16384

// Int is a residue of one [Modulus], in Montgomery form and in the representation
// of the engine that does the arithmetic. [Modulus.NewInt] makes it; it has no
// meaning to other moduli.
type Int struct{ words []uint64 }

// Wipe sets x to 0.
func (x *Int) Wipe() { clear(x.words) }

// Set sets z = x, which must be of the same modulus.
func (z *Int) Set(x *Int) { copy(z.words, x.words) }
