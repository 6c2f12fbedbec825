// Package model is an abstract processor, on which algorithms of modular
// multiplication can be compared: it computes right results, and counts what that
// takes.
//
// A [Processor] has words of 4 to 64 bits. An addition of two words and a carry
// costs one cycle, a multiplication of two words, which gives two, costs Mul, and
// memory costs nothing or what is asked for. The processor is that of W.
// Hasenplaugh, G. Gaubatz, V. Gopal, Fast modular reduction, ARITH 18 (2007), whose
// example has 8 bits and multiplies in 2 cycles, as an AVR does.
//
// Karatsuba's products and Barrett's reduction with folds are the text that the
// engines of residue/barrett run. Montgomery's forms are here.
//
// Nothing here is constant time, and nothing is fast.
package model

import "fmt"

// Scan is the order in which a schoolbook product is made.
type Scan int

const (
	// Operand takes a word of one factor times all of the other (two additions a
	// multiplication).
	Operand Scan = iota
	// Product makes a word of the product after the other, with three words in
	// registers (three additions): Comba's method.
	Product
)

// Processor is what the abstract processor can do, and what that costs.
type Processor struct {
	// Word is the number of bits of a word, 4 to 64.
	Word int
	// Mul is the cycles of a multiplication. An addition, a subtraction and a logical
	// operation cost 1.
	Mul int
	// Load and Store are the cycles of getting a word from memory and of putting it
	// there. The words that an inner loop works with (a word of the outer operand,
	// sums, carries, the quotient) are in registers.
	Load, Store int
	// Carry is the cycles of a carry into the higher word of two when a third is
	// added to them. Koç, Acar and Kaliski (Analyzing and comparing Montgomery
	// multiplication algorithms, IEEE Micro 16, 1996), who call that one addition, do
	// not count it.
	Carry int
	// Masked says that nothing is decided by a branch on data: a number that may have
	// to be added is masked and added, carries run to the end, corrections are always
	// made. Otherwise what need not be done is not, and branches are free.
	Masked bool
	// Scan is the order of schoolbook products.
	Scan Scan
}

// Validate returns an error for a processor that cannot be.
func (p Processor) Validate() error {
	switch {
	case p.Word < 4 || p.Word > 64:
		return fmt.Errorf("model: words of %d bits (only 4 to 64)", p.Word)
	case p.Mul < 0 || p.Load < 0 || p.Store < 0 || p.Carry < 0:
		return fmt.Errorf("model: an operation of less than 0 cycles")
	case p.Scan != Operand && p.Scan != Product:
		return fmt.Errorf("model: scan %d is neither Operand nor Product", p.Scan)
	}
	return nil
}

// Count is a number of operations.
type Count struct {
	Mul   int `json:"mul"`
	Add   int `json:"add"` // subtractions and logical operations as well
	Carry int `json:"carry"`
	Load  int `json:"load"`
	Store int `json:"store"`
}

// Cycles returns what the operations cost.
func (p Processor) Cycles(c Count) int {
	return c.Add + p.Mul*c.Mul + p.Carry*c.Carry + p.Load*c.Load + p.Store*c.Store
}

// Words returns how many words hold a number of nbits bits.
func (p Processor) Words(nbits int) int { return (nbits + p.Word - 1) / p.Word }
