package barrett

import (
	"fmt"
	"math/bits"

	"residue/barrett/internal/folding"
	"residue/internal/ct"
	"residue/internal/words"
)

// Modulus is a modulus n ≥ 1 prepared for arithmetic on one number at a time. It is
// immutable, but for Wipe, and safe for concurrent use.
type Modulus struct {
	kernel  *Kernel
	bits    int
	k       int // words of a residue
	machine folding.SqrMachine[uint64]
	arith   folding.Arithmetic[uint64]
	leafSqr int
	m       folding.Modulus[uint64] // for n·2^shift
	shift   uint64
	constants
}

// NewModulus prepares the big-endian n of at most bits bits for the default kernel.
// bits and the length of the slice are public, the value of n is not. A number of bits
// that is not 1 to [MaxBits] and a modulus that is zero or longer are errors.
// NewModulus is constant time in the value of a modulus that is accepted, and keeps no
// reference to n.
func NewModulus(bits int, n []byte) (*Modulus, error) {
	k, err := Default()
	if err != nil {
		return nil, err
	}
	return k.NewModulus(bits, n, Auto)
}

// NewModulus is like the function [NewModulus], for the kernel k and with so many
// folds, or [Auto]. There are at most [MaxFolds] of them; more are an error.
func (k *Kernel) NewModulus(bits int, n []byte, folds int) (*Modulus, error) {
	if bits < 1 || bits > MaxBits {
		return nil, fmt.Errorf("barrett: a modulus of %d bits, not 1 to %d", bits, MaxBits)
	}
	w := words.Len(bits)
	if most := folding.MaxFolds(w); folds < Auto || folds > most {
		return nil, fmt.Errorf("barrett: %d folds for a modulus of %d bits, not 0 to %d", folds, bits, most)
	}
	c := choices[k.wordsName]
	if folds == Auto {
		folds = c.folds(w)
	}
	m := &Modulus{kernel: k, bits: bits, k: w, machine: wordMachine{k.words}, leafSqr: c.leafSqr}
	m.arith = folding.Arithmetic[uint64]{Machine: m.machine, Leaf: c.leaf}
	m.m.N = make([]uint64, w)
	if err := setModulus(m.m.N, n, bits); err != nil {
		clear(m.m.N)
		return nil, fmt.Errorf("barrett: %w", err)
	}
	m.shift = normalize(m.m.N, words.WordBits*w)
	m.constants = newConstants(m.m.N, words.WordBits, w, folds)
	m.m.Folds, m.m.Mu = m.constants.folds, m.constants.mu
	return m, nil
}

// MaxFolds returns the largest number of folds for a single modulus of so many bits:
// that leave one word above it.
func MaxFolds(bits int) int { return folding.MaxFolds(words.Len(bits)) }

// setModulus sets n to the big-endian b, if that is not zero and has at most bits bits.
func setModulus(n []uint64, b []byte, bits int) error {
	fits := words.SetBytes(n, b)
	unused := uint(len(n)*words.WordBits - bits)
	excess := n[len(n)-1] >> 1 >> (words.WordBits - 1 - unused)
	switch { // errors are public, and that there is none
	case !ct.Public(fits) || ct.Public(excess != 0):
		return fmt.Errorf("a modulus of more than %d bits", bits)
	case ct.Public(words.IsZero(n)) != 0:
		return fmt.Errorf("the modulus is zero")
	}
	return nil
}

// normalize shifts n, which is not zero, so that bit top − 1 is the highest that is set,
// and returns by how much. n has as many words as top bits need, and no higher bit.
func normalize(n []uint64, top int) uint64 {
	shift := words.LeadingZeros(n) - uint64(words.WordBits*len(n)-top)
	words.ShiftLeft(n, shift)
	return shift
}

// constants are what folding needs of a modulus N of k words of W = 2^width, in 64-bit
// words.
type constants struct {
	folds [][]uint64
	mu    []uint64
}

// newConstants finds them for the N of width·k bits in n. All of them are divisions of
// W^k mod N = W^k − N, or 0, with some words behind it: together they have as many steps
// as N has words.
func newConstants(n []uint64, width, k, folds int) (c constants) {
	// N·2^a fills its words, and everything is 2^a times as large.
	l := len(n)
	a := uint(words.WordBits*l - width*k)
	mem := make([]uint64, 5*l+2)
	defer clear(mem)
	d, power, x, rest := mem[:l], mem[l:2*l], mem[2*l:4*l+2], mem[4*l+2:]
	copy(d, n)
	shiftLeft(d, a)
	words.Sub(power, power, d)

	// divide sets q to ⌊(power·W^e − less) / (N·2^a)⌋ and rest to the remainder.
	divide := func(q []uint64, e int, less uint64) {
		n := width * e
		x := x[:l+words.Len(n)]
		clear(x)
		copy(x[n/words.WordBits:], power)
		shiftLeft(x, uint(n%words.WordBits))
		subtractWord(x, less)
		words.DivNormal(q, rest, x, d)
	}
	// The quotient of W^(k+e) − 1 less W^e.
	e := folding.Above(k, folds)
	c.mu = make([]uint64, words.Len(width*e))
	divide(c.mu, e, 1<<a)
	// Only for N = W^k/2 is W^k − N not below N.
	words.CondSub(power, d, ^words.Less(power, d))
	q := make([]uint64, l+1)
	for i := 1; i <= folds; i++ {
		e := folding.Above(k, i)
		divide(q[:words.Len(width*e)], e, 0)
		shiftRight(rest, a)
		c.folds = append(c.folds, append([]uint64(nil), rest...))
	}
	clear(q)
	return c
}

// subtractWord sets x = x − w modulo its width.
func subtractWord(x []uint64, w uint64) {
	for i := range x {
		x[i], w = bits.Sub64(x[i], w, 0)
	}
}

// wipe zeroes the constants.
func (c *constants) wipe() {
	for _, f := range c.folds {
		clear(f)
	}
	clear(c.mu)
}

// Kernel returns the kernel that the modulus is prepared for.
func (m *Modulus) Kernel() *Kernel { return m.kernel }

// Bits returns the length that the modulus may have.
func (m *Modulus) Bits() int { return m.bits }

// Folds returns the number of folds of a reduction.
func (m *Modulus) Folds() int { return len(m.m.Folds) }

// Wipe zeroes everything that was prepared, which may tell the modulus. m must not be
// used any more, and not be in use.
func (m *Modulus) Wipe() {
	clear(m.m.N)
	m.constants.wipe()
	m.shift = 0
}
