// Package folding is multiplication by Karatsuba's method and reduction by
// Barrett's with folds, written once for whatever machine runs it.
//
// The text knows numbers as slices of words, least significant first, and leaves
// what is done with words to a [Machine]: the abstract processor of
// residue/barrett/model, which counts, or an engine that is made for speed. A
// method of a Machine goes over many words, so that calling it through an
// interface costs nothing that can be seen. A word is of any type: a number's
// digit, or the digits of eight numbers side by side.
//
// The method is that of W. Hasenplaugh, G. Gaubatz, V. Gopal, Fast modular
// reduction, ARITH 18 (2007).
//
// Which operations are executed, and on which words, depends on lengths alone.
// The text is constant time if the machine is.
package folding

// Bits are conditions, one bit a lane. A machine with one number has bit 0.
type Bits uint64

// Machine is arithmetic on numbers of words of type E. Where two numbers of
// different lengths are given, the second is not the longer one, and stands for
// itself with zeros above it.
type Machine[E any] interface {
	// Mul sets z = x·y by a method for few words. z has len(x) + len(y) words and
	// shares no memory with x and y.
	Mul(z, x, y []E)
	// Add sets z = x + y modulo the width and returns the carry. z has the length
	// of x, and may be x or y.
	Add(z, x, y []E) Bits
	// Sub sets z = x − y modulo the width and returns the borrow. z has the length
	// of x, and may be x or y.
	Sub(z, x, y []E) Bits
	// AddIf sets z = z + x modulo the width in the lanes of where, leaves z as it is
	// in the others, and returns the carry.
	AddIf(z, x []E, where Bits) Bits
	// Correct sets z = z mod x where z < (most + 1)·x: it subtracts x at most that
	// many times.
	Correct(z, x []E, most int)
	// Copy sets z = x, of the same length.
	Copy(z, x []E)
	// Both returns the word 1 in the lanes of x and y, and 0 in the others.
	Both(x, y Bits) E
}
