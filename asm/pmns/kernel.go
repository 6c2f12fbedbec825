package pmns

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/ifma"
)

// kernel is an avo program for the polynomials of one set.
type kernel struct {
	*ifma.Operation
	Set
	karatsuba bool // the product of x and y by Karatsuba's method
	full      bool // all of Q·M, for the comparison, instead of what reaches words from s − 1 up
}

func (k *kernel) name() string {
	what := "Mul"
	if k.Square {
		what = "Sqr"
	}
	if k.full {
		what += "Full"
	}
	if k.karatsuba {
		what += "Karatsuba"
	}
	return fmt.Sprintf("ifma512%s%dx%d", what, k.Coefficients, k.Words)
}

// wordAt is vector j of word w of a polynomial.
func (k *kernel) wordAt(base reg.Register, w, j int) operand.Mem {
	return ifma.At(base, w*k.vectors()+j)
}

// workAt returns a pointer to polynomial p of the work space, behind the three families
// of rows.
func (k *kernel) workAt(p int) reg.GPVirtual {
	at := k.Words * (3*k.rowVectors() + p*k.vectors())
	return k.Pointer(ifma.At(k.Work, at))
}

// mask is 2^52 − 1 in every lane.
func (k *kernel) mask() operand.Mem { return ifma.At(k.Constants, 2*k.Words*k.rowVectors()) }

// multiply generates a product or a square.
func (k *kernel) multiply() {
	k.Begin(k.name(), "φ", fmt.Sprintf("for %d coefficients of %d words", k.Coefficients, k.Words))
	y := k.productRows
	if k.Square {
		y = k.squareRows
	}
	columns, quotient, upper := k.workAt(0), k.workAt(1), k.workAt(2)
	if k.karatsuba {
		k.productInHalves(y(), columns, upper)
	} else {
		k.product(y(), columns, upper)
	}

	q := k.words(columns, k.inverse(), 0, k.Words, nil)
	k.carry(q)
	k.write(quotient, q)

	reduce := k.reduceTruncated
	if k.full {
		reduce = k.reduceFull
	}
	z := reduce(quotient, columns, upper)
	k.carry(z)
	k.write(k.Z, z)
	k.End()
}

// product writes the low words of x·y, carried, and the high ones, which are not.
//
// In loops the low words come first, so that the high ones are computed while carries
// are waited for. The scheduler of straight-line code finds that by itself, and has more
// to do while the rows of y are written if it sees all words.
func (k *kernel) product(y operandsOf, columns, upper reg.Register) {
	s := k.Words
	var low, high []ifma.Vec
	if k.withoutLoops() {
		c := k.words(k.X, y, 0, 2*s, nil)
		low, high = c[:s*k.vectors()], c[s*k.vectors():]
		k.write(upper, high)
	} else {
		low = k.words(k.X, y, 0, s, nil)
	}
	k.carry(low)
	k.write(columns, low)
	if high == nil {
		k.write(upper, k.words(k.X, y, s, 2*s, nil))
	}
}

// reduceTruncated returns the words from s on of C + Q·M. Those below s − 1 are zero and
// are not computed; what they carry into word s − 1 is less than 2^52, so that rounding
// up what this word has gives what it carries: docs/algorithms.md, "Blocks".
func (k *kernel) reduceTruncated(quotient, columns, upper reg.Register) []ifma.Vec {
	s, n := k.Words, k.vectors()
	more := append(k.read(columns, s-1, s), k.read(upper, 0, s)...)
	z := k.words(quotient, k.modulus(), s-1, 2*s, more)
	highest, z := z[:n], z[n:]
	for _, v := range highest {
		k.VPADDQ(k.mask(), v, v)
	}
	k.carryInto(z, highest)
	return z
}

// reduceFull returns the same from all words of C + Q·M. What low words of C have above
// 52 bits has been carried and is still there, so it is carried again. That is less than
// 2^52, and comes to a word that is zero with all that is carried into it: no more is
// carried out of it than without.
func (k *kernel) reduceFull(quotient, columns, upper reg.Register) []ifma.Vec {
	s, n := k.Words, k.vectors()
	low := k.words(quotient, k.modulus(), 0, s, k.read(columns, 0, s))
	k.carry(low)
	z := k.words(quotient, k.modulus(), s, 2*s, k.read(upper, 0, s))
	k.carryInto(z, low[(s-1)*n:])
	return z
}

func (k *kernel) write(to reg.Register, words []ifma.Vec) {
	k.Write(words, func(i int) operand.Mem { return ifma.At(to, i) })
}

// read returns words first … last−1 of a polynomial.
func (k *kernel) read(from reg.Register, first, last int) (words []ifma.Vec) {
	for i := first * k.vectors(); i < last*k.vectors(); i++ {
		words = append(words, k.Read(ifma.At(from, i)))
	}
	return words
}

// carry adds what words have above 52 bits to the next ones, but what the highest have.
// It stays where it was as well: a madd does not read it.
func (k *kernel) carry(words []ifma.Vec) {
	n := k.vectors()
	for i := 0; i+n < len(words); i += n {
		k.carryInto(words[i+n:], words[i:i+n])
	}
}

// carryInto adds what a word has above 52 bits to the first of others.
func (k *kernel) carryInto(words, below []ifma.Vec) {
	for j, v := range below {
		c := k.ZMM()
		if k.karatsuba { // words can be negative
			k.VPSRAQ(ifma.Imm(ifma.MaddBits), v, c)
		} else {
			k.VPSRLQ(ifma.Imm(ifma.MaddBits), v, c)
		}
		k.VPADDQ(c, words[j], words[j])
	}
}

// sums are the words first … last−1 of a product, each of n̄ vectors, in as many
// registers as let madds on a word take no longer than all of them.
type sums struct {
	extent
	first, last int
	regs        [][]ifma.Vec // of vector (w − first)·n̄ + j
	count       []int
}

// words returns words first … last−1 of x times y, plus those of more.
//
// The coefficients of x are taken one by one, by a loop or in straight-line code. All
// words of one that are needed are multiplied with all rows.
func (k *kernel) words(x reg.Register, y operandsOf, first, last int, more []ifma.Vec) []ifma.Vec {
	return k.wordsOf(extent{k.Words, k.Words, false}, x, y, first, last, more)
}

// extent is how many words the factors of a product have.
type extent struct {
	x, y int
	// carried says that the highest word of each is at most a carry, so that its
	// products have no high halves.
	carried bool
}

// wordsOf is words for factors of other lengths than a coefficient's.
func (k *kernel) wordsOf(e extent, x reg.Register, y operandsOf, first, last int, more []ifma.Vec) []ifma.Vec {
	n := k.vectors()
	s := &sums{extent: e, first: first, last: last, regs: make([][]ifma.Vec, (last-first)*n), count: make([]int, (last-first)*n)}
	counts, total := make([]int, last-first), 0
	s.terms(y, func(m, w int, h ifma.Half, to int) {
		counts[to-first]++
		total += n
	})
	for i := range s.regs {
		s.regs[i] = make([]ifma.Vec, max(1, (counts[i/n]*ifma.MaddLatency*ifma.MaddPorts+total-1)/total))
		if more != nil {
			s.regs[i][0] = more[i]
		}
	}
	if k.withoutLoops() {
		for i := range k.Coefficients {
			k.coefficient(s, x, y, i, i)
		}
	} else {
		for i := range s.regs {
			for r := range s.regs[i] {
				s.regs[i][r] = k.Or(s.regs[i][r])
			}
		}
		xp := k.Pointer(ifma.Word(x, 0))
		moved := map[reg.Register]reg.GPVirtual{}
		pointers := func(m, w int) (operandRows, bool) {
			r, ok := y(m, w)
			if ok {
				r.base = moved[r.base]
			}
			return r, ok
		}
		for m := range e.x {
			for w := range e.y {
				if r, ok := y(m, w); ok && moved[r.base] == nil {
					moved[r.base] = k.Pointer(ifma.Word(r.base, 0))
				}
			}
		}
		k.Loop(k.Coefficients, func() {
			clear(s.count)
			k.coefficient(s, xp, pointers, 0, 0)
			k.ADDQ(ifma.Imm(ifma.WordBytes), xp)
			for _, p := range moved {
				k.SUBQ(ifma.Imm(ifma.WordBytes), p)
			}
		})
	}
	var out []ifma.Vec
	for _, r := range s.regs {
		out = append(out, k.Tree(r))
	}
	return out
}

// terms calls f for all halves of products of words m of x and w of y that reach the
// words first … last−1, with the word that they reach.
func (s *sums) terms(y operandsOf, f func(m, w int, h ifma.Half, to int)) {
	for w := range s.y {
		for m := range s.x {
			if _, ok := y(m, w); !ok {
				continue
			}
			small := s.carried && (m == s.x-1 || w == s.y-1)
			for h, to := range []int{m + w, m + w + 1} {
				if to >= s.first && to < s.last && !(small && ifma.Half(h) == ifma.High) {
					f(m, w, ifma.Half(h), to)
				}
			}
		}
	}
}

// coefficient adds coefficient i of x times X^turn·y.
func (k *kernel) coefficient(s *sums, x reg.Register, y operandsOf, i, turn int) {
	n := k.vectors()
	factors := map[int]ifma.Vec{}
	factor := func(m int) ifma.Vec {
		if f := factors[m]; f != nil && k.Words <= heldWords {
			return f
		}
		factors[m] = k.Broadcast(ifma.Word(x, ifma.Lanes*n*m+i))
		return factors[m]
	}
	type place struct {
		r operandRows
		w int
	}
	rows := map[place][]ifma.Vec{}
	lastM, lastW := -1, -1
	var f ifma.Vec
	s.terms(y, func(m, w int, h ifma.Half, to int) {
		r, _ := y(m, w)
		at := place{r, w}
		if rows[at] == nil {
			for j := range n {
				rows[at] = append(rows[at], k.Read(k.row(r, w, turn, j)))
			}
		}
		if m != lastM || w != lastW {
			f = factor(m)
			lastM, lastW = m, w
		}
		for j := range n {
			v := (to-s.first)*n + j
			k.Madd(h, &s.regs[v][s.count[v]%len(s.regs[v])], rows[at][j], f)
			s.count[v]++
		}
	})
}

// heldWords is the number of words of a coefficient up to which they are held in
// registers while it is multiplied, instead of being loaded for every row.
const heldWords = 6
