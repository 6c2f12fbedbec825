package mont

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// looped generates a product or a square for numbers of many vectors, whose
// straight-line code would outgrow the caches of instructions. The steps run in loops
// over the eight digits of a vector; a turn takes the same digit of all blocks.
func (k *kernel) looped() {
	k.begin()
	if k.square {
		k.double()
	}
	pairs := k.pairs()

	lower, spill := k.loopedProduct(k.lowerHalf(), pairs)
	digits, out := k.resolve(lower)
	k.store(digits, k.columnsAt)
	k.sum(&spill, k.up(1, nil, out))
	k.VMOVDQU64(digits[k.Vectors-1], k.topAt())
	spillAt := k.quotientAt(0) // until Q is there
	k.VMOVDQU64(spill, spillAt)

	upper, _ := k.loopedProduct(k.upperHalf(), pairs)
	k.VPADDQ(spillAt, upper[0], upper[0])
	k.store(upper, k.upperAt)

	q, _ := k.resolve(k.loopedRows(k.columnsAt(0), k.inverse(), nil))
	k.store(q, k.quotientAt)
	carry, highs := k.carryOfLowerHalf(q, k.load(k.topAt()), true)

	z := k.loopedRows(k.quotientAt(0), k.modulus(), highs)
	k.sum(&z[0], carry)
	for i, v := range z {
		k.VPADDQ(k.upperAt(i), v, v)
	}
	z, _ = k.resolve(z)
	k.store(z, func(i int) operand.Mem { return at(k.z, i) })
	k.end()
}

// loop runs the body n times.
func (k *kernel) loop(n int, body func()) {
	k.labels++
	label := fmt.Sprintf("loop%d", k.labels)
	counter := k.GP32()
	k.MOVL(operand.U32(uint32(n)), counter)
	k.Label(label)
	body()
	k.DECL(counter)
	k.JNZ(operand.LabelRef(label))
}

// pointer returns a register that points to memory, and may be moved.
func (k *kernel) pointer(to operand.Mem) reg.GPVirtual {
	p := k.GP64()
	k.LEAQ(to, p)
	return p
}
