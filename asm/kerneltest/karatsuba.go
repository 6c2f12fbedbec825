package kerneltest

import (
	"fmt"

	"residue/asm/internal/machine"
)

// Squares by Karatsuba's method, as residue/batch does them: the routines take a
// list of steps, which is made here once more, and is public.

// karatsuba is the tiles of a square and what its routine needs beside operands.
type karatsuba struct {
	width, tiles int
	biases       Ints
	steps        machine.Span
}

// squareTiles are the tiles that squares are halved into, the ones to take first.
var squareTiles = []int{20, 18, 16, 15, 14}

// karatsubaOf returns what the product squares the kernel's numbers with: nil if they
// cannot be halved into tiles.
func karatsubaOf(b *Batch) *karatsuba {
	const leastHalved = 40
	if b.Limbs < leastHalved {
		return nil
	}
	for _, w := range squareTiles {
		for m := 2; w*m <= b.Limbs; m *= 2 {
			if w*m == b.Limbs {
				return newKaratsuba(b, w, m)
			}
		}
	}
	return nil
}

// newKaratsuba prepares squares of a power of two of tiles, which may be 1.
func newKaratsuba(b *Batch, width, tiles int) *karatsuba {
	k := &karatsuba{width: width, tiles: tiles, biases: b.Ints("biases", 12)}
	for lane := range b.Lanes {
		for row := range k.biases.Limbs() / 2 {
			start, in := uint64(0), uint64(0)
			switch {
			case row == 1:
				start, in = 1<<(digitBits-1)-1, ^uint64(0)
			case row > 1:
				start = digitMask << (row - 2)
			}
			k.biases.SetDigit(2*row, lane, start)
			k.biases.SetDigit(2*row+1, lane, in)
		}
	}
	k.biases.Define(false)
	words := k.plan()
	k.steps = b.Alloc("steps", len(words))
	for i, v := range words {
		k.steps.SetWord(i, uint64(v))
	}
	k.steps.Define(false)
	return k
}

// plan returns the words of the list of steps: kind, whether the operands are in
// the work space, x, y, z, bias, tiles.
func (k *karatsuba) plan() (words []int) {
	const square, sum, middle, combine, carry = 1, 2, 3, 4, 5
	step := func(kind, inWork, x, y, z, bias, tiles int) {
		words = append(words, kind, inWork, x*vectorBytes, y*vectorBytes, z*vectorBytes, bias*2*vectorBytes, tiles)
	}
	// bias is a row of the table; the next one has twice as much.
	twice := func(bias int) int {
		if bias > 0 {
			bias++
		}
		return bias
	}
	var halve func(inWork, x, tiles, z, free, bias int)
	halve = func(inWork, x, tiles, z, free, bias int) {
		if tiles == 1 {
			step(square, inWork, x, 0, z, bias, 1)
			return
		}
		half := tiles / 2
		n := half * k.width
		s2 := free + n + 1
		step(sum, inWork, x, x+n, free, 0, half)
		halve(inWork, x, half, z, s2, bias)
		halve(inWork, x+n, half, z+2*n, s2, 0)
		if half == 1 {
			step(middle, 1, free, 0, z, twice(bias), 1)
			return
		}
		halve(1, free, half, s2, s2+2*n, twice(bias))
		step(combine, 1, s2, free, z, 0, half)
		if tiles == 16 {
			step(carry, 0, 0, 0, z, 0, half)
		}
	}
	halve(0, 0, k.tiles, 0, 2*k.width*k.tiles, 1)
	return append(words, make([]int, 7)...)
}

// sqrMontKaratsuba is SqrMont by Karatsuba's method.
func (b *Batch) sqrMontKaratsuba(z, x Ints, times int, look Operand) error {
	return b.squareKaratsuba(OutAgain(z.Pieces()...), x, times, look)
}

// squareColumns sets the columns to those of x², the low half of them biased, by
// Karatsuba's method where the product does.
func (b *Batch) squareColumns(x Ints) error {
	if !b.byKaratsuba() {
		return b.Square(x)
	}
	defer b.columns.Define(!b.Public) // which Reduce and others read
	return b.squareKaratsuba(Number(0), x, 0, Number(0))
}

// squareKaratsuba calls the routine: without a reduction if times is 0.
func (b *Batch) squareKaratsuba(z Operand, x Ints, times int, look Operand) error {
	k := b.karatsuba
	area := b.work.Slice(0, 6*b.Limbs)
	return b.call(fmt.Sprintf("SquareKaratsuba%d", k.width), map[string]Operand{
		"z": z, "x": In(x.Pieces()...), "t": Work(area.Pieces()...), "steps": In(k.steps),
		"biases": In(k.biases.Pieces()...), "n": In(b.modulus.Pieces()...), "ninv": In(b.ninv.Pieces()...),
		"work": Work(b.quotient.Pieces()...), "tiles": Number(k.tiles), "times": Number(times), "look": look,
	})
}

// byKaratsuba reports whether Montgomery squares with the reduction in use are by
// Karatsuba's method.
func (b *Batch) byKaratsuba() bool { return b.karatsuba != nil && !b.Schoolbook && !b.InTwo }

// squareWidth is the width of the tiles of the routine that squares then.
func (b *Batch) squareWidth() int {
	if b.byKaratsuba() {
		return b.karatsuba.width
	}
	return b.Width
}
