package pmns

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/ifma"
)

// Karatsuba's method on the words of coefficients: with x = x₀ + x₁·β^h and y likewise,
//
//	x·y = x₀y₀ + ((x₀ + x₁)(y₀ + y₁) − x₀y₀ − x₁y₁)·β^h + x₁y₁·β^2h.
//
// A product of words is 2n·n̄ madds, but an addition of words one instruction, so that
// what is saved counts n times. The sums x₀ + x₁ and y₀ + y₁ are carried, and their
// carry out is a word of its own, which only takes low halves.
//
// Words of the middle product are differences, and may be negative, though all of them
// together are not: from here on carries are shifts that keep the sign. The low 52 bits
// of a negative word are those of the word that it is, less what it carries.

// productInHalves is product by Karatsuba's method.
func (k *kernel) productInHalves(y operandsOf, columns, upper reg.Register) {
	s, n := k.Words, k.vectors()
	h := (s + 1) / 2
	rows, _ := y(0, 0)
	sumRows := k.workRows(1)
	x1 := k.Pointer(k.wordAt(k.X, h, 0))
	xSum := k.workAt(1) // where Q will be
	products := k.Pointer(ifma.At(k.Work, k.workRows(2).first))
	k.sumOfHalves(
		func(w, j int) operand.Mem { return k.wordAt(k.X, w, j) },
		func(w, j int) operand.Mem { return k.wordAt(xSum, w, j) })
	for _, turn := range []int{k.Coefficients, 0} {
		k.sumOfHalves(
			func(w, j int) operand.Mem { return k.row(rows, w, turn, j) },
			func(w, j int) operand.Mem { return k.row(sumRows, w, turn, j) })
	}

	low := k.wordsOf(extent{h, h, false}, k.X, k.same(rows), 0, 2*h, nil)
	k.write(products, low)
	upperRows := rows
	upperRows.first += h * rows.stride
	high := k.wordsOf(extent{s - h, s - h, false}, x1, k.same(upperRows), 0, 2*(s-h), nil)
	highAt := k.Pointer(k.wordAt(products, 2*h, 0))
	k.write(highAt, high)
	middle := k.wordsOf(extent{h + 1, h + 1, true}, xSum, k.same(sumRows), 0, 2*h+1, nil)

	for i, v := range middle {
		if i < len(low) {
			k.VPSUBQ(k.wordAt(products, 0, i), v, v)
		}
		if i < len(high) {
			k.VPSUBQ(k.wordAt(highAt, 0, i), v, v)
		}
	}
	for i, v := range middle {
		k.VPADDQ(k.wordAt(products, h, i), v, v)
	}
	word := func(w int) []ifma.Vec {
		if w >= h && w < 3*h+1 {
			return middle[(w-h)*n : (w-h+1)*n]
		}
		return k.read(products, w, w+1)
	}
	var below []ifma.Vec
	for w := range s {
		v := word(w)
		if below != nil {
			k.carryInto(v, below)
		}
		k.Write(v, func(j int) operand.Mem { return k.wordAt(columns, w, j) })
		below = v
	}
	for w := s; w < 2*s; w++ {
		k.Write(word(w), func(j int) operand.Mem { return k.wordAt(upper, w-s, j) })
	}
}

// sumOfHalves writes the words of x₀ + x₁, carried, and what they carry out as word h.
func (k *kernel) sumOfHalves(x, to func(w, j int) operand.Mem) {
	h := (k.Words + 1) / 2
	for j := range k.vectors() {
		var carry ifma.Vec
		for w := range h {
			m, v := k.Read(k.mask()), k.ZMM()
			k.VPANDQ(x(w, j), m, v)
			if h+w < k.Words {
				u := k.ZMM()
				k.VPANDQ(x(h+w, j), m, u)
				k.VPADDQ(u, v, v)
			}
			k.Sum(&v, carry)
			carry = k.ZMM()
			k.VPSRLQ(ifma.Imm(ifma.MaddBits), v, carry)
			k.VMOVDQU64(v, to(w, j))
		}
		k.VMOVDQU64(carry, to(h, j))
	}
}
