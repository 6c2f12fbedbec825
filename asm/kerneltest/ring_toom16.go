package kerneltest

import (
	"encoding/binary"

	"residue/asm/internal/machine"
)

// Toom16 is the routines for polynomials modulo X²⁵⁶ + 1 and 2^13 by Toom-Cook 4, in words of
// 16 bits, of one kernel: what residue/negacyclic calls.
type Toom16 struct {
	*Lab
	prefix      string // of the names of routines
	table, work machine.Span
	values      [2]machine.Span
	products    machine.Span
	sum         machine.Span
}

const (
	toom16Bits   = 13
	toom16Words  = 256
	toom16Values = 1024 // words of values, and of products
	toom16Sum    = 2 * 27 * 2 * 32
)

// Toom16Kernels are the kernels, with the prefixes of their routines.
var Toom16Kernels = map[string]string{"toom16-avx2": "avx2", "toom16-avx512": "avx512"}

// Toom16MemoryBytes is enough memory for a Toom16 and so many polynomials.
func Toom16MemoryBytes(polynomials int) int { return 1<<16 + polynomials*(2*toom16Words+512) }

// NewToom16 makes room for values and products, no better aligned than their words.
func NewToom16(l *Lab, kernel string) *Toom16 {
	t := &Toom16{Lab: l, prefix: Toom16Kernels[kernel]}
	words := toom16Table()
	t.table = l.Mem.Alloc("table", 2*len(words), 0)
	t.set(t.table, words, false)
	room := func(name string, words int) machine.Span { return l.Mem.Alloc(name, 2*words, 2) }
	t.values = [2]machine.Span{room("values", toom16Values), room("other values", toom16Values)}
	t.products, t.sum, t.work = room("products", toom16Values), room("sum", toom16Sum), room("work", 1024)
	return t
}

// toom16Table is the table, from what the generator says about it.
func toom16Table() (words []int16) {
	vector := func(word func(lane int) int) {
		for lane := range 32 {
			words = append(words, int16(word(lane)))
		}
	}
	each := func(quad ...int) { vector(func(lane int) int { return quad[lane%4] }) }
	each(8, 4, 1, 1)
	each(2, 1, 1, 1)
	each(1, 0, 1, 2)
	each(0, 0, 4, 8)
	for _, quads := range [][]int{{0, 1, 8, 9, 4, 5, 12, 13}, {2, 3, 10, 11, 6, 7, 14, 15}} {
		vector(func(lane int) int {
			if lane%4 > 0 {
				return 0
			}
			return quads[lane/4]
		})
	}
	// Bytes of 128 bits, or of two times 128, by the words that they belong to; 8 is none.
	shuffle := func(from string) {
		vector(func(lane int) int {
			if n := int(from[lane%len(from)] - '0'); n < 8 {
				return 0x0100 + 0x0202*n
			}
			return 0x8080
		})
	}
	shuffle("8880888488818885")
	shuffle("8888888388888888")
	shuffle("8888888888828886")
	shuffle("33377777")
	shuffle("88878888")
	shuffle("38887888")
	shuffle("83888788")
	shuffle("88388878")
	shuffle("10325476")
	shuffle("00224466")
	shuffle("11335577")
	for _, c := range []int{3, 20, 17, 65, 43691, 36409, 61167} {
		each(c, c, c, c)
	}
	return words
}

// Polynomial returns room for a polynomial.
func (t *Toom16) Polynomial(name string) machine.Span { return t.Mem.Alloc(name, 2*toom16Words, 2) }

// SetWords sets words, which are secrets.
func (t *Toom16) SetWords(s machine.Span, words []int16) { t.set(s, words, !t.Public) }

func (t *Toom16) set(s machine.Span, words []int16, secret bool) {
	for i, w := range words {
		binary.LittleEndian.PutUint16(s.Bytes()[2*i:], uint16(w))
	}
	s.Define(secret)
}

// WordsOf returns words.
func (t *Toom16) WordsOf(s machine.Span) []int16 {
	words := make([]int16, s.Len/2)
	for i := range words {
		words[i] = int16(binary.LittleEndian.Uint16(s.Bytes()[2*i:]))
	}
	return words
}

func (t *Toom16) call(name string, operands map[string]Operand) error {
	operands["table"], operands["work"] = In(t.table), Work(t.work)
	return t.Call(t.prefix+name+"16", operands)
}

// Evaluate sets e to the values of x.
func (t *Toom16) Evaluate(e, x machine.Span) error {
	return t.call("Evaluate", map[string]Operand{"e": Out(e), "x": In(x)})
}

// Leaves sets w to the products of values, which may be in its place.
func (t *Toom16) Leaves(w, x, y machine.Span) error {
	to := OutAgain(w)
	if w == x || w == y {
		to = InOut(w)
	}
	return t.call("Leaves", map[string]Operand{"w": to, "x": In(x), "y": In(y)})
}

// Add adds the products w to sum.
func (t *Toom16) Add(sum, w machine.Span) error {
	return t.call("Add", map[string]Operand{"sum": InOut(sum), "w": In(w)})
}

// Product adds the short products of values to the sum, or sets it to them.
func (t *Toom16) Product(x, y machine.Span, add bool) error {
	name, to := "SetProducts", OutAgain(t.sum)
	if add {
		name, to = "AddProducts", InOut(t.sum)
	}
	return t.call(name, map[string]Operand{"sum": to, "x": In(x), "y": In(y)})
}

// Join sets w to the products of the sum.
func (t *Toom16) Join(w machine.Span) error {
	return t.call("JoinProducts", map[string]Operand{"w": OutAgain(w), "sum": In(t.sum)})
}

// Interpolate sets z to the polynomial of w.
func (t *Toom16) Interpolate(z, w machine.Span) error {
	return t.call("Interpolate", map[string]Operand{"z": OutAgain(z), "w": In(w), "mask": Number(1<<toom16Bits - 1)})
}
