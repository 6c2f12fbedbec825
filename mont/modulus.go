package mont

import (
	"fmt"
	"math/bits"

	"residue/internal/ct"
	"residue/internal/memory"
	"residue/internal/words"
)

// Modulus is an odd modulus prepared for arithmetic. It is immutable, but for Wipe,
// and safe for concurrent use.
type Modulus struct {
	kernel *Kernel
	bits   int
	arith  arithmetic
	number int // words of an Int
	work   int // words that the engine works in

	n   []uint64 // N, in as many words as its length takes
	rr  []uint64 // R² mod N …
	one []uint64 // … and R mod N, in the engine's form
}

// NewModulus prepares the odd big-endian n of at most bits bits for the default
// kernel. bits and the length of the slice are public, the value of n is not. A
// number of bits that is not 1 to [MaxBits] and a modulus that is even, zero or longer
// are errors. NewModulus is constant time in the value of a modulus that is accepted,
// and keeps no reference to n.
func NewModulus(bits int, n []byte) (*Modulus, error) {
	k, err := Default()
	if err != nil {
		return nil, err
	}
	return k.NewModulus(bits, n)
}

// NewModulus is like the function [NewModulus], for the kernel k.
func (k *Kernel) NewModulus(bits int, n []byte) (*Modulus, error) {
	if bits < 1 || bits > MaxBits {
		return nil, fmt.Errorf("mont: a modulus of %d bits, not 1 to %d", bits, MaxBits)
	}
	m := &Modulus{kernel: k, bits: bits, n: make([]uint64, words.Len(bits))}
	if err := setModulus(m.n, n, bits); err != nil {
		clear(m.n)
		return nil, fmt.Errorf("mont: %w", err)
	}
	m.arith = k.arithmetic(bits, m.n)
	m.number, m.work = m.arith.size()
	m.prepare()
	return m, nil
}

// arithmetic returns the arithmetic modulo n, which is at most bits bits long.
func (k *Kernel) arithmetic(bits int, n []uint64) arithmetic {
	if r, ok := k.vectors.fit(bits); ok {
		return newVectorModulus(r, n)
	}
	return newWordModulus(k.words, n)
}

// setModulus sets n to the big-endian b, if that is odd and has at most nbits bits.
func setModulus(n []uint64, b []byte, nbits int) error {
	fits := words.SetBytes(n, b)
	unused := uint(len(n)*words.WordBits - nbits)
	excess := n[len(n)-1] >> 1 >> (words.WordBits - 1 - unused)
	switch { // errors are public, and that there is none
	case !ct.Public(fits) || ct.Public(excess != 0):
		return fmt.Errorf("a modulus of more than %d bits", nbits)
	case ct.Public(words.IsZero(n)) != 0:
		return fmt.Errorf("the modulus is zero")
	case ct.Public(n[0]%2 == 0):
		return fmt.Errorf("the modulus is even")
	}
	return nil
}

// prepare finds R² mod N and R mod N. Where that is quicker only a few bits of R² come
// from a division: for log2 R = j·2^t it is R·2^j mod N squared t times, since a
// Montgomery square takes R·2^j to R·2^(2j).
func (m *Modulus) prepare() {
	sc := borrowScratch(m.work)
	defer returnScratch(sc)
	mem := memory.Carve(memory.Aligned(2 * m.number))
	m.rr, m.one = mem.Take(m.number), mem.Take(m.number)

	log2R := m.arith.log2R()
	t := min(bits.TrailingZeros(uint(log2R)), m.arith.quickSquarings())
	r := make([]uint64, len(m.n))
	words.ModPow2(r, log2R+log2R>>t, m.n)
	m.arith.load(m.rr, r)
	clear(r)
	if t > 0 {
		m.arith.sqr(m.rr, m.rr, t, sc.words)
	}
	m.arith.redc(m.one, m.rr, sc.words)
}

// Kernel returns the kernel that the modulus is prepared for.
func (m *Modulus) Kernel() *Kernel { return m.kernel }

// Bits returns the length that the modulus may have.
func (m *Modulus) Bits() int { return m.bits }

// Wipe zeroes everything that was prepared, which may tell the modulus. m must not be
// used any more, and not be in use.
func (m *Modulus) Wipe() {
	clear(m.n)
	clear(m.rr)
	clear(m.one)
	m.arith.wipe()
}
