package kerneltest

import (
	"fmt"
	"math/big"

	"residue/asm/internal/machine"
	"residue/asm/mont"
)

// Mont is the routines for one number across the lanes of vectors, of one shape, with
// a modulus N < R/2^HeadroomBits: what residue/mont calls, with the constants that
// its prepare makes. A number is 8V words, and digit i is word i. Mul sets z ≡ x·y/R
// modulo N.
type Mont struct {
	Across
	mont.Shape
}

// exactBits is the width of digits that are below 2^52 and no wider. Those that have
// room for a carry are below 2^k + 2^13 for their k bits.
const exactBits = 52

// MontBytes is enough memory for a Mont of V vectors, and for others of its numbers.
func MontBytes(vectors, others int) int {
	return acrossBytes(constantVectors(vectors), workVectors(vectors), vectors, others)
}

// constantVectors is the number of vectors of what is prepared of a modulus: eight
// copies of V vectors and as many of V + 1, two of N in reverse, and a mask.
func constantVectors(v int) int { return 18*v + 9 }

// workVectors is the number of vectors that a product works in.
func workVectors(v int) int { return 5 * v }

// NewMont prepares the modulus 1 for numbers of a shape.
func NewMont(l *Lab, s mont.Shape) *Mont {
	v := s.Vectors
	m := &Mont{newAcross(l, fmt.Sprint(v), constantVectors(v), workVectors(v), v), s}
	m.SetModulus(big.NewInt(1))
	return m
}

// Log2R is the binary logarithm of R = 2^(8kV), for digits of k bits.
func (m *Mont) Log2R() int { return m.Bits * m.Words() }

// Exact says whether digits are below 2^52, all of their bits.
func (m *Mont) Exact() bool { return m.Bits == exactBits }

// HeadroomBits is how many bits more than N a number has room for.
func (m *Mont) HeadroomBits() int {
	if m.Exact() {
		return 2
	}
	return 3
}

// ModulusBits is the length of the longest modulus.
func (m *Mont) ModulusBits() int { return m.Bits*m.Digits - m.HeadroomBits() }

// Limit is what the digits of operands and results are below.
func (m *Mont) Limit() uint64 {
	if m.Exact() {
		return 1 << exactBits
	}
	return 1<<m.Bits + 1<<13
}

// SetModulus sets the constants of a modulus, which are secrets.
func (m *Mont) SetModulus(n *big.Int) {
	s := m.Words()
	r := pow2(m.Log2R())
	inverse := new(big.Int).ModInverse(n, r)
	modulus, negative := m.split(n), m.split(inverse.Sub(r, inverse))
	var words []uint64
	// number adds so many words, of which word i is digit(i) if there is that.
	number := func(length int, digits []uint64, digit func(i int) int) {
		for i := range length {
			var d uint64
			if j := digit(i); 0 <= j && j < s {
				d = digits[j]
			}
			words = append(words, d)
		}
	}
	for c := range vectorLanes {
		number(s, negative, func(i int) int { return i - c })
	}
	for c := range vectorLanes {
		number(s+vectorLanes, modulus, func(i int) int { return i - c })
	}
	number(s, modulus, func(i int) int { return s - 1 - i })
	number(s, modulus, func(i int) int { return s - 2 - i })
	for range vectorLanes {
		words = append(words, 1<<m.Bits-1)
	}
	m.Set(m.constants, words, false)
}

// split returns the digits of a number, in the one way that has none above β − 1.
func (m *Mont) split(v *big.Int) []uint64 {
	v = new(big.Int).Set(v)
	ds := make([]uint64, m.Words())
	d, mask := new(big.Int), minus(pow2(m.Bits), 1)
	for i := range ds {
		ds[i] = d.And(v, mask).Uint64()
		v.Rsh(v, uint(m.Bits))
	}
	if v.Sign() != 0 {
		panic("kerneltest: a number that does not fit")
	}
	return ds
}

// join returns the number with the given digits.
func (m *Mont) join(ds []uint64) *big.Int {
	v, d := new(big.Int), new(big.Int)
	for i := len(ds) - 1; i >= 0; i-- {
		v.Lsh(v, uint(m.Bits))
		v.Add(v, d.SetUint64(ds[i]))
	}
	return v
}

// Big returns a number in memory.
func (m *Mont) Big(x machine.Span) *big.Int { return m.join(m.DigitsAt(x)) }
