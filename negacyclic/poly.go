package negacyclic

import (
	"fmt"
	"unsafe"
)

// Word is a machine word that holds a coefficient.
type Word interface{ int16 | int32 }

// Poly is a polynomial by its coefficients, of X⁰ first.
type Poly[W Word] []W

// NTT is a polynomial modulo q by its residues modulo the factors of Xⁿ+1 (see [Prime]), n
// words in [0, q).
type NTT[W Word] []W

// Factor is an [NTT] that was prepared as the second operand of products; [Prime.Factor]
// writes it.
type Factor[W Word] []W

// Evaluated is a polynomial by its values at the points of a method, each a polynomial of
// fewer coefficients; [PowerOfTwo.Evaluate] writes it.
type Evaluated[W Word] []W

// Products is a product of polynomials, or a sum of them, by its values at the points of a
// method; [PowerOfTwo.Interpolate] gives coefficients.
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

// apart panics if the result z overlaps the operand x. Only addresses decide.
func apart[W Word](z, x []W) {
	if len(z) == 0 || len(x) == 0 {
		return
	}
	word := unsafe.Sizeof(W(0))
	a, b := uintptr(unsafe.Pointer(&z[0])), uintptr(unsafe.Pointer(&x[0]))
	if a < b+uintptr(len(x))*word && b < a+uintptr(len(z))*word {
		panic("negacyclic: the result overlaps an operand")
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
