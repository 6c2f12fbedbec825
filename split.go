package residue

import (
	"math/bits"
	"sync"

	"residue/internal/ct"
	"residue/internal/words"
)

// split is a modulus taken apart into n = 2^t·m with m odd.
type split struct {
	size    int    // length of n in bytes
	t       int    // trailing zero bits of n
	oddBits int    // length that m is taken to have: at least its own
	odd     []byte // m, big-endian
	serial  int    // tells the moduli of a batch apart

	once sync.Once
	half *pow2Half // see pow2
}

// init takes n apart. n is kept if it is odd. No error says more about a value
// than that it is zero, or too long.
func (s *split) init(n []byte) error {
	if len(n) > MaxBits/8 {
		return errTooLarge(8 * len(n))
	}
	t := trailingZeros(n)
	if t == 8*len(n) {
		return ErrModulusZero
	}
	s.size, s.t, s.oddBits, s.odd = len(n), t, 8*len(n)-t, n
	if t > 0 {
		s.odd = shiftRight(n, t)
	}
	return nil
}

// powerOfTwo reports whether the lengths alone say that m is 1, so that there is
// nothing to be done modulo m.
func (s *split) powerOfTwo() bool { return s.oddBits == 1 && s.t > 0 }

// pow2 returns what the arithmetic modulo 2^t needs. t is not 0.
func (s *split) pow2() *pow2Half {
	s.once.Do(func() { s.half = newPow2Half(s) })
	return s.half
}

// trailingZeros returns the number of trailing zero bits of n, 8·len(n) if it is
// zero. Its time depends on the result, which is public.
func trailingZeros(n []byte) int {
	for i := len(n) - 1; i >= 0; i-- {
		if ct.Public(n[i] != 0) {
			return 8*(len(n)-1-i) + ct.Public(bits.TrailingZeros8(n[i]))
		}
	}
	return 8 * len(n)
}

// shiftRight returns ⌊n/2^t⌋ without the bytes that the shift empties.
func shiftRight(n []byte, t int) []byte {
	whole := n[:len(n)-t/8]
	out := make([]byte, (8*len(n)-t+7)/8)
	for i := 1; i <= len(out); i++ { // from the low end
		v := uint16(whole[len(whole)-i])
		if i < len(whole) {
			v |= uint16(whole[len(whole)-i-1]) << 8
		}
		out[len(out)-i] = byte(v >> (t % 8))
	}
	return out
}

// oddWords returns m in words.
func (s *split) oddWords(a *arena) []uint64 {
	m := a.take(words.LenBytes(len(s.odd)))
	words.SetBytes(m, s.odd)
	return m
}
