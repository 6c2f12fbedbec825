package mont

import "github.com/mmcloughlin/avo/operand"

// looped generates a product or a square for numbers of many vectors, whose
// straight-line code would outgrow the caches of instructions. The steps run in loops
// over the eight digits of a vector; a turn takes the same digit of all blocks.
func (k *kernel) looped() {
	k.begin()
	if k.Square {
		k.double()
	}
	pairs := k.pairs()

	lower, spill := k.loopedProduct(k.lowerHalf(), pairs, nil)
	var beside func(last bool)
	if k.carriesInTurns() {
		k.Write(lower, k.columnsAt)
		next := k.columnsInTurns(k.columnsAt(0))
		beside = func(last bool) { next(k.Vectors, last) }
	} else {
		digits, out := k.resolve(lower)
		k.Write(digits, k.columnsAt)
		k.Sum(&spill, k.up(1, nil, out))
	}
	spillAt := k.quotientAt(0) // until Q is there
	k.VMOVDQU64(spill, spillAt)

	upper, _ := k.loopedProduct(k.upperHalf(), pairs, beside)
	k.VPADDQ(spillAt, upper[0], upper[0])
	k.Write(upper, k.upperAt)

	q, _ := k.resolve(k.loopedRows(k.columnsAt(0), k.inverse(), nil))
	k.Write(q, k.quotientAt)
	carry, highs := k.carryOfLowerHalf(q, k.Read(k.columnsAt(k.Vectors-1)), true)

	z := k.loopedRows(k.quotientAt(0), k.modulus(), highs)
	k.Sum(&z[0], carry)
	for i, v := range z {
		k.VPADDQ(k.upperAt(i), v, v)
	}
	z, _ = k.resolve(z)
	k.Write(z, func(i int) operand.Mem { return at(k.Z, i) })
	k.End()
}

// carriesInTurns says whether the carries of C's exact digits are resolved in general
// registers, in the turns of its high half. With more vectors a turn has so many
// instructions that little is won by those that this saves.
func (k *kernel) carriesInTurns() bool { return k.exact() && k.Vectors <= 10 }
