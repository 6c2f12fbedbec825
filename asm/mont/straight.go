package mont

import "github.com/mmcloughlin/avo/operand"

// straight generates a product or a square without loops. The upper half of C is
// needed last, but its instructions stand between the others: they do not depend on
// what is waited for there, and the scheduler moves them to where there is room.
func (k *kernel) straight() {
	k.begin()
	if k.Square {
		k.double()
	}
	pairs := k.pairs()
	columnAt := func(i int) operand.Mem { return digit(k.Work, i) }
	quotientDigit := func(i int) operand.Mem { return digit(k.Work, lanes*k.Vectors+i) }

	lower, spill := k.product(k.lowerChains(), k.lowerHalf(), pairs)
	var top vec // lane 7 has all of column 8V − 1
	var nextColumns, nextQuotients func(n int)
	if k.exact() {
		k.Write(lower, k.columnsAt)
		nextColumns = k.columnsInOrder(columnAt)
	} else {
		digits, out := k.carry(lower)
		k.Write(digits, k.columnsAt)
		top = digits[k.Vectors-1]
		k.Sum(&spill, k.up(1, nil, out))
	}
	upper, _ := k.product(2, k.upperHalf(), pairs)
	k.Sum(&upper[0], spill)

	q, _ := k.carry(k.rows(columnAt, k.inverse(), nil, nextColumns))
	k.Write(q, k.quotientAt)
	if k.exact() {
		nextQuotients = k.rippleInOrder(quotientDigit)
	}

	z := k.rows(quotientDigit, k.modulus(), upper, nextQuotients)
	if k.exact() {
		for i := range q {
			q[i] = k.Read(k.quotientAt(i))
		}
		top = k.Read(k.columnsAt(k.Vectors - 1))
	}
	carry, _ := k.carryOfLowerHalf(q, top, false)
	k.Sum(&z[0], carry)

	z, _ = k.resolve(z)
	k.Write(z, func(i int) operand.Mem { return at(k.Z, i) })
	k.End()
}

// lowerChains is the number of chains for the lower half of C, which everything waits
// for. Those of narrow digits count twice, for low and high halves.
func (k *kernel) lowerChains() int {
	if k.exact() {
		return 4
	}
	return 2
}
