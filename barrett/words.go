package barrett

import (
	"math/bits"

	"residue/barrett/internal/folding"
	"residue/internal/wordmont"
	"residue/internal/words"
)

// wordMachine runs the text of package folding on one number in 64-bit words.
type wordMachine struct{ wordmont.Routines }

var _ folding.SqrMachine[uint64] = wordMachine{}

// Mul multiplies in squares: the longer factor is cut into pieces of the length of the
// shorter one, and a piece's product is added to the high half of the one before.
func (m wordMachine) Mul(z, x, y []uint64) {
	if len(x) < len(y) {
		x, y = y, x
	}
	n := len(y)
	m.Product(z[:2*n], x[:n], y)
	for x, z = x[n:], z[n:]; len(x) >= n; x, z = x[n:], z[n:] {
		m.MulAdd(z[:2*n], x[:n], y)
	}
	for i, d := range x {
		z[i+n] = words.MulAdd(z[i:i+n], y, d)
	}
}

func (m wordMachine) Sqr(z, x []uint64) { m.Square(z, x) }

func (wordMachine) Add(z, x, y []uint64) folding.Bits {
	n := len(y)
	carry := words.Add(z[:n], x[:n], y)
	x = x[:len(z)]
	for i := n; i < len(z); i++ {
		z[i], carry = bits.Add64(x[i], 0, carry)
	}
	return folding.Bits(carry)
}

func (wordMachine) Sub(z, x, y []uint64) folding.Bits {
	n := len(y)
	borrow := words.Sub(z[:n], x[:n], y)
	x = x[:len(z)]
	for i := n; i < len(z); i++ {
		z[i], borrow = bits.Sub64(x[i], 0, borrow)
	}
	return folding.Bits(borrow)
}

func (wordMachine) AddIf(z, x []uint64, where folding.Bits) folding.Bits {
	carry := words.CondAdd(z[:len(x)], x, words.Mask(uint64(where)))
	for i := len(x); i < len(z); i++ {
		z[i], carry = bits.Add64(z[i], 0, carry)
	}
	return folding.Bits(carry)
}

// Correct subtracts x until the difference is below zero, and then nothing; what was
// too much is added at the end.
func (m wordMachine) Correct(z, x []uint64, most int) {
	var below uint64 // all ones if z has become negative
	for range most {
		borrow := words.CondSub(z[:len(x)], x, ^below)
		for i := len(x); i < len(z); i++ {
			z[i], borrow = bits.Sub64(z[i], 0, borrow)
		}
		below |= words.Mask(borrow)
	}
	m.AddIf(z, x, folding.Bits(below&1))
}

func (wordMachine) Copy(z, x []uint64) { copy(z, x) }

func (wordMachine) Both(x, y folding.Bits) uint64 { return uint64(x & y) }
