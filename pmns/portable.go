package pmns

import (
	"math/bits"

	"residue/internal/words"
)

// portable is the engine in Go, for any shape, width and λ. It keeps the contract of
// vectorRoutines, and like those knows no branch and no address that depends on elements.
//
// Products are gathered in columns: column c of coefficient k has the words of weight
// 2^(w·c). Low halves of the products of words are added to one column, high halves to
// the next.
type portable struct {
	shape
	width  int
	lambda uint64
	full   bool
	// What newConstants makes.
	constants []uint64
}

func newPortable(p *Params, full bool, constants []uint64) *portable {
	return &portable{p.shape(), p.Width, uint64(p.Lambda), full, constants}
}

// mask is a word of ones.
func (e *portable) mask() uint64 { return 1<<e.width - 1 }

// stride is how many words there are from a word of a coefficient to the next.
func (e *portable) stride() int { return lanes * e.coefficientVectors() }

func (e *portable) rowWords() int { return lanes * e.rowVectors() }

func (e *portable) mPrime() []uint64 { return e.constants[:e.s*e.rowWords()] }

func (e *portable) m() []uint64 { return e.constants[e.s*e.rowWords() : 2*e.s*e.rowWords()] }

// The work space has columns, Q, and rows of an operand.
func (e *portable) columns(work []uint64) []uint64 { return work[:2*e.s*e.stride()] }

func (e *portable) quotient(work []uint64) []uint64 {
	return work[2*e.s*e.stride() : 3*e.s*e.stride()]
}

func (e *portable) rows(work []uint64) []uint64 {
	return work[3*e.s*e.stride():][:e.s*e.rowWords()]
}

func (e *portable) mul(z, x, y, work []uint64) {
	rows := e.rows(work)
	e.expand(rows, y)
	columns := e.columns(work)
	clear(columns)
	for w := range e.s {
		for i := range e.n {
			e.addRow(columns[w*e.stride():], rows, x[w*e.stride()+i]&e.mask(), i, 0, e.s, 0, e.s)
		}
	}
	e.reduce(z, work)
}

func (e *portable) sqr(z, x []uint64, times int, work []uint64) {
	e.mul(z, x, x, work)
	for range times - 1 {
		e.mul(z, z, z, work)
	}
}

// expand sets rows to those of the polynomial y.
func (e *portable) expand(rows, y []uint64) {
	for i := range e.n {
		var carry uint64
		for w := range e.s {
			v := y[w*e.stride()+i] & e.mask()
			rows[w*e.rowWords()+e.n+i] = v
			carry += e.lambda * v // λ < 2^7: below 2^60
			rows[w*e.rowWords()+i] = carry & e.mask()
			carry >>= e.width
		}
	}
}

// addRow adds a·Xⁱ·P modulo E for a word a and the rows of a polynomial P: low halves of
// the words from lo to loEnd, and high halves of those from hi to hiEnd, to columns of
// which the first is that of the low half of word 0.
func (e *portable) addRow(columns, rows []uint64, a uint64, i, lo, loEnd, hi, hiEnd int) {
	up := 64 - e.width
	a <<= up // so that the halves of a 128-bit product are those of words, but for a shift
	for w := min(lo, hi); w < max(loEnd, hiEnd); w++ {
		row := rows[w*e.rowWords()+e.n-i:][:e.n]
		switch {
		case w < lo || w >= loEnd:
			to := columns[(w+1)*e.stride():][:e.n]
			for k, b := range row {
				h, _ := bits.Mul64(a, b)
				to[k] += h
			}
		case w < hi || w >= hiEnd:
			to := columns[w*e.stride():][:e.n]
			for k, b := range row {
				to[k] += a * b >> up
			}
		default:
			toLow, toHigh := columns[w*e.stride():][:e.n], columns[(w+1)*e.stride():][:e.n]
			for k, b := range row {
				h, l := bits.Mul64(a, b)
				toLow[k] += l >> up
				toHigh[k] += h
			}
		}
	}
}

// reduce sets z = (C + Q·M)/φ for the columns C of work, of 2s words.
func (e *portable) reduce(z, work []uint64) {
	s, stride := e.s, e.stride()
	c, q := e.columns(work), e.quotient(work)
	e.carry(c, s)
	clear(q)
	for w := range s {
		for i := range e.n {
			e.addRow(q[w*stride:], e.mPrime(), c[w*stride+i], i, 0, s-w, 0, s-w-1)
		}
	}
	e.carry(q, s-1)
	first := max(0, s-2) // the first column whose high halves count
	for w := range s {
		lo, hi := max(0, s-1-w), max(0, first-w)
		if e.full {
			lo, hi = 0, 0
		}
		for i := range e.n {
			e.addRow(c[w*stride:], e.m(), q[w*stride+i]&e.mask(), i, lo, s, hi, s)
		}
	}
	if e.full {
		e.carry(c, s)
	} else {
		e.carryTruncated(c)
	}
	e.carry(c[s*stride:], s-1)
	for w := range s {
		for i := range e.n {
			z[w*stride+i] = c[(s+w)*stride+i] & e.mask()
		}
	}
}

// carry makes the first so many columns words, by carries that end in the next one.
func (e *portable) carry(c []uint64, columns int) {
	stride := e.stride()
	for w := range columns {
		for i := range e.n {
			c[(w+1)*stride+i] += c[w*stride+i] >> e.width
			c[w*stride+i] &= e.mask()
		}
	}
}

// carryTruncated carries out of column s − 1, which lacks what the columns below it would
// have carried into it. That is some c with 0 ≤ c < 2^w, and with it the column would be a
// multiple of 2^w: the next one from what it is.
func (e *portable) carryTruncated(c []uint64) {
	last, next := c[(e.s-1)*e.stride():], c[e.s*e.stride():]
	for i := range e.n {
		next[i] += (last[i] + e.mask()) >> e.width
	}
}

// gather reads all of the table.
func (e *portable) gather(z, table []uint64, index uint64) {
	clear(z)
	for i := range len(table) / len(z) {
		m := words.MaskEqual(uint64(i), index)
		for k, w := range table[i*len(z):][:len(z)] {
			z[k] |= w & m
		}
	}
}
