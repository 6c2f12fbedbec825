package pmns

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/ifma"
)

// Rows that can be read from any coefficient on. Coefficient k of X^i·P mod Xⁿ − 2 is
// that of P for k − i if k ≥ i, and twice that for k − i + n if not. So if a row has
// the n coefficients of 2P and then those of P, the n from number n − i on are those of
// X^i·P: turning a polynomial is reading it elsewhere, which takes no port that madds
// need. Words are those of 2P as a number of its own, so that nothing is doubled later.

// operandRows are rows of words, one for each word of the coefficients.
type operandRows struct {
	base   reg.Register
	first  int // vector, from base
	stride int // vectors
}

// row returns vector j of word w of X^i times the rows' polynomial.
func (k *kernel) row(r operandRows, w, i, j int) operand.Mem {
	return operand.Mem{
		Base: r.base,
		Disp: ifma.VectorBytes*(r.first+w*r.stride+j) + ifma.WordBytes*(k.Coefficients-i),
	}
}

// operandsOf says which rows word m of x is multiplied with, as word w of them: for
// products the same for all.
type operandsOf func(m, w int) (r operandRows, ok bool)

func (k *kernel) constantRows(first int) operandRows {
	return operandRows{k.Constants, first, k.rowVectors()}
}

// inverse and modulus are the rows of M′ and of M.
func (k *kernel) inverse() operandsOf { return k.same(k.constantRows(0)) }
func (k *kernel) modulus() operandsOf { return k.same(k.constantRows(k.Words * k.rowVectors())) }

func (k *kernel) same(r operandRows) operandsOf {
	return func(m, w int) (operandRows, bool) { return r, true }
}

// workRows is family f of the rows in the work space.
func (k *kernel) workRows(f int) operandRows {
	return operandRows{k.Work, f * k.Words * k.rowVectors(), k.rowVectors()}
}

// productRows writes the rows of y, and returns them. Of a vector the lanes from n on
// are not y's: the coefficients of y are written behind those of 2y, over such lanes.
func (k *kernel) productRows() operandsOf {
	r := k.workRows(0)
	below := make([]ifma.Vec, k.vectors())
	for w := range k.Words {
		for j := range k.vectors() {
			y := k.Read(k.wordAt(k.Y, w, j))
			k.VMOVDQU64(k.shifted(1, y, below[j]), k.row(r, w, k.Coefficients, j))
			below[j] = k.top(y, w)
		}
		for j := range k.vectors() {
			k.VMOVDQU64(k.Read(k.wordAt(k.Y, w, j)), k.row(r, w, 0, j))
		}
	}
	return k.same(r)
}

// squareRows writes what the words of x are multiplied with in x². Word m of x goes with
// x[m] + 2·Σ x[w]·β^(w−m) over w > m, as a number of its own, turned, which means doubled
// once more where it wraps. With x₁ for a word shifted by one bit, and so on, these are
//
//	w = m:      x₀,  wrapped x₁ without its overflow, which belongs to
//	w = m + 1:  x₁, of which nothing comes in from word m; wrapped x₂, with one bit of m;
//	w > m + 1:  x₁ and x₂, with one bit and two of the word below.
func (k *kernel) squareRows() operandsOf {
	diagonal, next, others := k.workRows(0), k.workRows(1), k.workRows(2)
	below := make([]ifma.Vec, k.vectors())
	for w := range k.Words {
		write := func(r operandRows, double, single []ifma.Vec) {
			k.Write(double, func(j int) operand.Mem { return k.row(r, w, k.Coefficients, j) })
			k.Write(single, func(j int) operand.Mem { return k.row(r, w, 0, j) })
		}
		x0, x1 := make([]ifma.Vec, k.vectors()), make([]ifma.Vec, k.vectors())
		for j := range x0 {
			x0[j], x1[j] = k.Read(k.wordAt(k.X, w, j)), k.ZMM()
			k.VPADDQ(x0[j], x0[j], x1[j])
		}
		in := func(n int, x []ifma.Vec) (vs []ifma.Vec) {
			for j, v := range x {
				vs = append(vs, k.shifted(n, v, below[j]))
			}
			return vs
		}
		write(diagonal, x1, x0)
		if w > 0 {
			write(next, in(1, x1), x1)
		}
		if w > 1 {
			write(others, in(2, x0), in(1, x0))
		}
		for j, x := range x0 {
			below[j] = k.top(x, w)
		}
	}
	return func(m, w int) (operandRows, bool) {
		switch {
		case w < m:
			return operandRows{}, false
		case w == m:
			return diagonal, true
		case w == m+1:
			return next, true
		}
		return others, true
	}
}

// top returns word w with its highest bit moved to bit 63, for shifted. What it had
// above is gone. The highest word comes into no other.
func (k *kernel) top(x ifma.Vec, w int) ifma.Vec {
	if w == k.Words-1 {
		return nil
	}
	t := k.ZMM()
	k.VPSLLQ(ifma.Imm(64-ifma.MaddBits), x, t)
	return t
}

// shifted returns a word moved up by n bits, with the highest n of the word below
// coming in. What leaves it stays above it.
func (k *kernel) shifted(n int, x, below ifma.Vec) ifma.Vec {
	z := k.ZMM()
	if below == nil {
		k.VPSLLQ(ifma.Imm(n), x, z)
	} else {
		k.VPSHLDQ(ifma.Imm(n), below, x, z)
	}
	return z
}
