package negacyclic

import (
	"fmt"
	"unsafe"
)

// Word is a machine word that holds a coefficient, with its sign.
type Word interface{ int16 | int32 }

// Poly is a polynomial by its n coefficients, of X⁰ first: any words.
type Poly[W Word] []W

// NTT is a polynomial modulo q by its residues modulo the factors of Xⁿ+1 (see [Prime]), n
// words in [0, q).
type NTT[W Word] []W

// Factor is a polynomial that was prepared as the second operand of products, in a form of
// the ring's own; [Prime.Factor] and [ByPrimes.Factors] write it.
type Factor[W Word] []W

// Prepared is an [NTT] that was prepared as an element of a matrix, to be multiplied by vectors
// of coefficients, in a form of the ring's own; [Prime.Prepare] writes it.
type Prepared[W Word] []W

// Evaluated is a polynomial by its values, in a form of the ring's own: at the points of a
// method, each a polynomial of fewer coefficients ([PowerOfTwo.Evaluate]), or modulo the primes
// and the factors of Xⁿ+1 ([ByPrimes.Evaluate]).
type Evaluated[W Word] []W

// Products is a sum of products of polynomials, by its values; zeros are the empty sum.
// [PowerOfTwo.Interpolate] and [ByPrimes.Interpolate] give coefficients.
type Products[W Word] []W

// wordBits returns the bits of a word.
func wordBits[W Word]() uint { return 8 * uint(unsafe.Sizeof(W(0))) }

// size panics if there are not as many words as there must be.
func size(what string, got, want int) {
	if got != want {
		panic(fmt.Sprintf("negacyclic: %s: %d words, want %d", what, got, want))
	}
}

// room returns the first words of scratch; it panics if there are fewer.
func room[W Word](scratch []W, words int) []W {
	if len(scratch) < words {
		panic(fmt.Sprintf("negacyclic: scratch: %d words, want at least %d", len(scratch), words))
	}
	return scratch[:words]
}

// sizes panics if not all have as many words as they must have.
func sizes[W Word, X ~[]W](what string, xs []X, want int) {
	for _, x := range xs {
		size(what, len(x), want)
	}
}

// kept returns x without what the compiler knows of where it comes from. What is behind an
// interface keeps none of its operands, which the compiler cannot see: it would move arrays of
// callers from the stack to the heap.
//
// The words are only addressed through the result, and no call is in between, so nothing moves
// them while their address is a number. It is put together word by word: a copy of the slice
// would have to wait for the stores of its words, some 25 cycles.
func kept[T any](x []T) []T {
	h := struct {
		address  uintptr
		len, cap int
	}{uintptr(unsafe.Pointer(unsafe.SliceData(x))), len(x), len(x)}
	return *(*[]T)(unsafe.Pointer(&h))
}

// clearAll sets polynomials to zero, which is what sums of no products are.
func clearAll[W Word](zs []Poly[W]) {
	for _, z := range zs {
		clear(z)
	}
}

// checkLength returns an error unless n is a power of two in the range that rings have.
func checkLength(n int) error {
	if n < 2 || n > maxLength || n&(n-1) != 0 {
		return fmt.Errorf("negacyclic: n is %d, want a power of two from 2 to %d", n, maxLength)
	}
	return nil
}

// maxLength is the largest n.
const maxLength = 1 << 16
