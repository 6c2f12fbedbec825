package pmns

import (
	"math/big"

	"residue/internal/ct"
	"residue/internal/memory"
	"residue/internal/words"
)

// encoding takes numbers in. A digit of at most ρ is an element, with that as its constant
// coefficient. Its product with P_i, of the value φ³·2^(i·digitBits), has the value φ²
// times that of the digit in the number, and the product of the sum of all with the
// polynomial 1 has the value φ times the number.
type encoding struct {
	digitBits int
	table     [][]uint64 // P_i
	unit      []uint64   // the polynomial 1
}

// newEncoding makes P_i of P_{i−1}, by a product with φ·2^digitBits. As ρ is more than the
// n-th root of p there are hardly more than n digits, and φ ≥ 2n·ρ: there is room for
// their sum.
func (s *System) newEncoding(r *representer) (encoding, error) {
	e := encoding{digitBits: s.params.Rho.BitLen() - 1}
	digits := (s.params.P.BitLen() + e.digitBits - 1) / e.digitBits
	if sum := new(big.Int).Mul(s.params.Rho, big.NewInt(int64(digits))); sum.Cmp(r.phi) >= 0 {
		return e, &ConditionError{"φ > ρ times the digits of p in radix ρ", r.phi, sum}
	}
	unit := zeroPolynomial(s.n)
	unit[0].Set(bigOne)
	e.unit = s.fromPolynomial(unit)
	cube := new(big.Int).Exp(r.phi, big.NewInt(3), r.P)
	last := s.fromPolynomial(r.representation(cube))
	factor := s.fromPolynomial(r.representation(new(big.Int).Mul(r.phi, pow2(e.digitBits))))
	work := memory.Aligned(s.engineWords())
	for range digits {
		e.table = append(e.table, last)
		next := memory.Aligned(s.elementWords())
		s.arith.mul(next, last, factor, work)
		last = next
	}
	return e, nil
}

// SetBytes sets z to the big-endian b modulo p. b may have any length.
func (s *System) SetBytes(z *Element, b []byte, sc *Scratch) {
	s.check(z, z)
	u := s.use(sc)
	mem := s.number(u)
	v := mem.Take(len(s.p))
	if words.LenBytes(len(b)) < len(s.p) {
		words.SetBytes(v, b)
	} else {
		long := borrowScratch(words.LenBytes(len(b)))
		words.SetBytes(long.words, b)
		words.Mod(v, long.words, s.p)
		returnScratch(long)
	}
	s.enter(z.words, v, u)
	z.terms = 1
	done(sc, u)
}

// enter sets z to v, which is below p.
func (s *System) enter(z, v []uint64, u *Scratch) {
	e := s.portable
	digit, sum := s.spare(u, 0), s.spare(u, 1)
	clear(digit)
	clear(sum)
	for i, p := range s.encode.table {
		for w := range s.s {
			width := max(0, min(e.width, s.encode.digitBits-w*e.width))
			digit[w*e.stride()] = bitsAt(v, i*s.encode.digitBits+w*e.width, width)
		}
		s.arith.mul(z, digit, p, u.words)
		s.addMultiple(sum, sum, z, 1)
	}
	s.arith.mul(z, sum, s.encode.unit, u.words)
}

// bitsAt returns n ≤ 52 bits of v, from bit from on.
func bitsAt(v []uint64, from, n int) uint64 {
	i, off := from/64, from%64
	var d uint64
	if i < len(v) {
		d = v[i] >> off
	}
	if i+1 < len(v) {
		d |= v[i+1] << 1 << (63 - off)
	}
	return d & (1<<n - 1)
}

func (s *System) prepareDecoding() {
	p := s.params
	v := new(big.Int).ModInverse(p.Phi(), p.P)
	for range s.n {
		s.decode = append(s.decode, bigWords(v, len(s.p)))
		v.Mul(v, p.Gamma).Mod(v, p.P)
	}
}

// FillBytes sets b to x, big-endian and in [0, p), with leading zeros. Bits beyond the
// length of b must be zero; FillBytes reports whether they are, in time that depends on
// the lengths alone.
func (s *System) FillBytes(b []byte, x *Element, sc *Scratch) bool {
	s.check(x, x)
	u := s.use(sc)
	mem := s.number(u)
	v := mem.Take(len(s.p))
	s.value(v, x.words, mem)
	fits := words.FillBytes(v, b)
	done(sc, u)
	return fits
}

// coefficientWords is the number of 64-bit words of a coefficient.
func (s *System) coefficientWords() int { return words.Len(s.s * s.params.Width) }

// sumWords is the number of those of Σ c_i·(γ^i/φ), with n ≤ 2^7 summands.
func (s *System) sumWords() int { return len(s.p) + s.coefficientWords() + 1 }

// numberWords is what conversions need of scratch.
func (s *System) numberWords() int { return 2*len(s.p) + s.coefficientWords() + s.sumWords() }

// value sets v to the value of x/φ modulo p, in [0, p).
func (s *System) value(v, x []uint64, mem memory.Carve) {
	c, sum := mem.Take(s.coefficientWords()), mem.Take(s.sumWords())
	clear(sum)
	for i, factor := range s.decode {
		s.portable.join(c, x[i:])
		for k, w := range c {
			high := sum[k+len(factor):]
			carry := words.MulAdd(sum[k:k+len(factor)], factor, w)
			for j := range high {
				high[j] += carry
				carry = words.MaskLess(high[j], carry) & 1
			}
		}
	}
	words.Mod(v, sum, s.p)
}

// join sets c to a coefficient, of which x has the words from the first on.
func (e *portable) join(c, x []uint64) {
	clear(c)
	for w := range e.s {
		d := x[w*e.stride()] & e.mask()
		i, off := w*e.width/64, w*e.width%64
		c[i] |= d << off
		if i+1 < len(c) {
			c[i+1] |= d >> 1 >> (63 - off)
		}
	}
}

// publicMask returns whether a mask is set, which everybody may know from now on.
func publicMask(mask uint64) bool { return ct.Public(mask) != 0 }
