package pmns

import (
	"fmt"
	"io"
	"math/big"

	"residue/internal/memory"
	"residue/internal/words"
)

// Element is an element of one [System], in Montgomery form: the value of its polynomial
// is φ times its own. [System.NewElement] makes it.
//
// An element remembers of how many elements it is the sum, which is public, and bounds
// its coefficients: terms times those of a product.
type Element struct {
	words []uint64
	terms int
}

// NewElement returns a zero.
func (s *System) NewElement() *Element { return &Element{memory.Aligned(s.elementWords()), 1} }

// Wipe sets x to 0.
func (x *Element) Wipe() {
	clear(x.words)
	x.terms = 1
}

// Set sets z = x, which must be of the same system.
func (z *Element) Set(x *Element) {
	copy(z.words, x.words)
	z.terms = x.terms
}

// One sets z = 1.
func (s *System) One(z *Element) {
	s.check(z, z)
	copy(z.words, s.one)
	z.terms = 1
}

// Mul sets z = x·y. z may be x or y. Operands that are sums of more elements than the
// parameters allow for are reduced first, in z's place or in scratch, by a product each.
func (s *System) Mul(z, x, y *Element, sc *Scratch) {
	s.check(z, x)
	s.check(z, y)
	u := s.use(sc)
	xw, yw := x.words, y.words
	if x.terms*y.terms > s.weight {
		xw, yw = s.shortened(xw, x.terms, 0, u), s.shortened(yw, y.terms, 1, u)
	}
	s.arith.mul(z.words, xw, yw, u.words)
	z.terms = 1
	done(sc, u)
}

// Sqr sets z = x^(2^times): it squares times times, which must be at least once. z may be
// x.
func (s *System) Sqr(z, x *Element, times int, sc *Scratch) {
	s.check(z, x)
	if times < 1 {
		panic("pmns: a number of squarings that is not positive")
	}
	u := s.use(sc)
	xw := x.words
	if x.terms*x.terms > s.weight {
		xw = s.shortened(xw, x.terms, 0, u)
	}
	s.arith.sqr(z.words, xw, times, u.words)
	z.terms = 1
	done(sc, u)
}

// Add sets z = x + y, word by word and without a reduction unless there are too many
// terms. z may be x or y.
func (s *System) Add(z, x, y *Element, sc *Scratch) {
	s.check(z, x)
	s.check(z, y)
	u := s.use(sc)
	xw, yw, terms := x.words, y.words, x.terms+y.terms
	if terms > s.reducible {
		xw, yw, terms = s.shortened(xw, x.terms, 0, u), s.shortened(yw, y.terms, 1, u), 2
	}
	s.addMultiple(z.words, xw, yw, 1)
	z.terms = terms
	done(sc, u)
}

// Sub sets z = x − y. It adds a multiple of p to x, in a form that no coefficient of y
// exceeds. z may be x or y.
func (s *System) Sub(z, x, y *Element, sc *Scratch) {
	s.check(z, x)
	s.check(z, y)
	u := s.use(sc)
	xw, yw, xt, yt := x.words, y.words, x.terms, y.terms
	if xt+yt*s.zeroTerms > s.reducible {
		xw, yw, xt, yt = s.shortened(xw, xt, 0, u), s.shortened(yw, yt, 1, u), 1, 1
	}
	above := s.spare(u, 0)
	s.addMultiple(above, xw, s.zero, uint64(yt))
	s.subWords(z.words, above, yw)
	z.terms = xt + yt*s.zeroTerms
	done(sc, u)
}

// Neg sets z = −x. z may be x.
func (s *System) Neg(z, x *Element, sc *Scratch) {
	s.check(z, x)
	u := s.use(sc)
	xw, terms := x.words, x.terms
	if terms*s.zeroTerms > s.reducible {
		xw, terms = s.shortened(xw, terms, 0, u), 1
	}
	above := s.spare(u, 1)
	clear(above)
	s.addMultiple(above, above, s.zero, uint64(terms))
	s.subWords(z.words, above, xw)
	z.terms = terms * s.zeroTerms
	done(sc, u)
}

// Randomise sets z to another polynomial of the same value as x, at random: to x + Z·M
// modulo E, where the coefficients of Z are as many bits from random as the bounds have
// room for. It returns how many that are in all, and z takes that room: the next product
// may begin with a reduction, after which polynomials still differ. z may be x.
//
// What is computed with z has other words then, in every coefficient, than with x, which
// is meant against who measures power or emissions and averages over many runs (L.-S.
// Didier, F.-Y. Dosso, N. El Mrabet, J. Marrez, P. Véron, Randomization of arithmetic over
// polynomial modular number system, ARITH 2019). Set-ups for that want parameters with
// more slack than speed does.
//
// The error is that of random.
func (s *System) Randomise(z, x *Element, random io.Reader, sc *Scratch) (bits int, err error) {
	s.check(z, x)
	u := s.use(sc)
	defer done(sc, u)
	xw, xt := x.words, x.terms
	if s.randomBits(xt) == 0 {
		xw, xt = s.shortened(xw, xt, 0, u), 1
	}
	width := s.randomBits(xt)
	e := s.portable
	columns := e.columns(u.words)
	clear(columns)
	for w := range s.s {
		for i := range s.n {
			columns[w*e.stride()+i] = xw[w*e.stride()+i] & e.mask()
		}
	}
	var b [2]byte
	for i := range s.n {
		if _, err := io.ReadFull(random, b[:]); err != nil {
			return 0, fmt.Errorf("pmns: %w", err)
		}
		a := (uint64(b[0]) | uint64(b[1])<<8) & (1<<width - 1)
		e.addRow(columns, e.m(), a, i, 0, s.s, 0, s.s)
	}
	clear(b[:])
	e.carry(columns, s.s)
	copy(z.words, columns[:len(z.words)])
	z.terms = xt + s.randomTerms(width)
	return s.n * width, nil
}

// randomBits is the width of coefficients of Z that an element of so many terms has room
// for: less than 16, as terms are at most maxTerms.
func (s *System) randomBits(terms int) int {
	width := 0
	for terms+s.randomTerms(width+1) <= s.reducible {
		width++
	}
	return width
}

// randomTerms is the terms of Z·M for Z of the given width: it is at most (2^width − 1)·N_k,
// and N_k is less than an element can be.
func (s *System) randomTerms(width int) int { return 1<<width - 1 }

// Equal reports whether x = y; that it does is public then. It takes as long as two
// conversions.
func (s *System) Equal(x, y *Element, sc *Scratch) bool {
	s.check(x, y)
	u := s.use(sc)
	mem := s.number(u)
	v, w := mem.Take(len(s.p)), mem.Take(len(s.p))
	s.value(v, x.words, mem)
	s.value(w, y.words, mem)
	equal := publicMask(words.Equal(v, w))
	done(sc, u)
	return equal
}

// SetPolynomial sets z to the element whose polynomial has the given coefficients: their
// value is φ times that of z. Those must be from 0 up to what [Params.Bounds] says. The
// coefficients are public.
func (s *System) SetPolynomial(z *Element, coefficients []*big.Int) error {
	s.check(z, z)
	if len(coefficients) != s.n {
		return fmt.Errorf("pmns: %d coefficients, n is %d", len(coefficients), s.n)
	}
	for k, bound := range s.params.Bounds() {
		if c := coefficients[k]; c.Sign() < 0 || c.Cmp(bound) > 0 {
			return fmt.Errorf("pmns: coefficient %d is %s, from 0 to %s are allowed", k, show(c), show(bound))
		}
	}
	copy(z.words, s.fromPolynomial(coefficients))
	z.terms = 1
	return nil
}

// Polynomial returns the coefficients of x, whose value is φ times that of x. It is not
// constant time.
func (s *System) Polynomial(x *Element) []*big.Int {
	s.check(x, x)
	a := zeroPolynomial(s.n)
	for i, c := range a {
		for w := s.s - 1; w >= 0; w-- {
			c.Lsh(c, uint(s.params.Width))
			c.Or(c, new(big.Int).SetUint64(x.words[w*s.portable.stride()+i]&s.portable.mask()))
		}
	}
	return a
}

// shortened returns x as one element: x itself, or spare element i.
func (s *System) shortened(x []uint64, terms, i int, u *Scratch) []uint64 {
	if terms == 1 {
		return x
	}
	z := s.spare(u, i)
	s.arith.mul(z, x, s.one, u.words)
	return z
}

// addMultiple sets z = x + f·y for a public f. Coefficients must fit.
func (s *System) addMultiple(z, x, y []uint64, f uint64) {
	e := s.portable
	for i := range s.n {
		var carry uint64
		for at := i; at < len(z); at += e.stride() {
			carry += x[at]&e.mask() + f*(y[at]&e.mask()) // f ≤ 2^10, and so below 2^63
			z[at] = carry & e.mask()
			carry >>= e.width
		}
	}
}

// subWords sets z = x − y for coefficients of y that are at most those of x.
func (s *System) subWords(z, x, y []uint64) {
	e := s.portable
	for i := range s.n {
		var borrow uint64
		for at := i; at < len(z); at += e.stride() {
			d := x[at]&e.mask() - y[at]&e.mask() - borrow
			z[at] = d & e.mask()
			borrow = d >> 63
		}
	}
}

// check panics if z or x is not an element of a system like s.
func (s *System) check(z, x *Element) {
	if len(z.words) != s.elementWords() || len(x.words) != s.elementWords() {
		badElement()
	}
}

// badElement is apart so that what calls it is small enough to be inlined.
func badElement() { panic("pmns: an element of another system") }
