package pmns

import (
	"math/big"

	"residue/internal/ct"
	"residue/internal/words"
)

// encoding takes numbers in: Σ d_i·P_i for the digits d_i of a number in radix
// 2^digitBits and polynomials P_i with the values φ²·2^(i·digitBits). Its reduction has
// the value φ times the number.
type encoding struct {
	digitBits int
	table     [][]uint64 // P_i
}

// digits returns how many digits numbers of so many bits have.
func (e *encoding) digits(bits int) int { return (bits + e.digitBits - 1) / e.digitBits }

// newEncoding takes the longest digits with which the sum is within the bounds: below
// digits·2^digitBits times what elements are at most. It makes P_i of P_{i−1} by a
// product with φ·2^digitBits.
func (s *System) newEncoding(r *representer) encoding {
	bits := s.params.P.BitLen()
	bound, ns := s.params.Bounds(), norms(s.params.M, s.params.Lambda)
	e := encoding{digitBits: s.params.Width * s.s}
	for ; e.digitBits > 1; e.digitBits-- {
		factor := new(big.Int).Mul(pow2(e.digitBits), big.NewInt(int64(e.digits(bits))))
		c := make([]*big.Int, s.n)
		for k := range c {
			c[k] = new(big.Int).Mul(bound[k], factor)
		}
		if closed(c, bound, ns, r.phi) == s.n {
			break
		}
	}
	square := new(big.Int).Mul(r.phi, r.phi)
	last := s.fromPolynomial(r.representation(square))
	factor := s.fromPolynomial(r.representation(new(big.Int).Mul(r.phi, pow2(e.digitBits))))
	work := alignedWords(s.engineWords())
	for range e.digits(bits) {
		e.table = append(e.table, last)
		next := alignedWords(s.elementWords())
		s.arith.mul(next, last, factor, work)
		last = next
	}
	return e
}

// SetBytes sets z to the big-endian b modulo p. b may have any length.
func (s *System) SetBytes(z *Element, b []byte, sc *Scratch) {
	s.check(z, z)
	u := s.use(sc)
	mem := s.number(u)
	v := mem.take(len(s.p))
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
	columns := e.columns(u.words)
	clear(columns)
	for i, p := range s.encode.table {
		from := i * s.encode.digitBits
		for w := 0; w*e.width < s.encode.digitBits; w++ {
			d := bitsAt(v, from+w*e.width, min(e.width, s.encode.digitBits-w*e.width))
			e.addProduct(columns[w*e.stride():], p, d)
		}
	}
	e.reduce(z, u.words)
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
	v := mem.take(len(s.p))
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
func (s *System) value(v, x []uint64, mem carve) {
	c, sum := mem.take(s.coefficientWords()), mem.take(s.sumWords())
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

// addProduct adds a·x to columns, for a word a and an element x.
func (e *portable) addProduct(columns, x []uint64, a uint64) {
	for w := range e.s {
		e.addWords(columns[w*e.stride():], x[w*e.stride():], a)
	}
}

// publicMask returns whether a mask is set, which everybody may know from now on.
func publicMask(mask uint64) bool { return ct.Public(mask) != 0 }
