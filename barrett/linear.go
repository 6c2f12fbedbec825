package barrett

import (
	"residue/barrett/internal/folding"
	"residue/batch"
)

// linear is sums, differences and shifts of eight numbers in digits, side by side. Bits of
// operands above the digits are ignored, and zero in results.
type linear interface {
	// add sets z = x + y in the lanes of where and z = x in the others, and returns the
	// lanes with a carry. z has the length of x, y has at least one digit and no more
	// than x; z may be x or y.
	add(z, x, y []batch.Vector, where folding.Bits) folding.Bits
	// sub is add with z = x − y, and returns the lanes with a borrow.
	sub(z, x, y []batch.Vector, where folding.Bits) folding.Bits
	// shiftLeft sets z = x·2^count modulo its width, for counts below 52. z may be x.
	shiftLeft(z, x []batch.Vector, count *batch.Vector)
	// shiftRight sets z = ⌊x/2^count⌋, for counts below 52. z may be x.
	shiftRight(z, x []batch.Vector, count *batch.Vector)
}

// linearNamed has the routines of kernels with vector instructions.
var linearNamed = map[string]linear{}

// linearOf returns the routines of a kernel.
func linearOf(k *batch.Kernel) linear {
	if l, ok := linearNamed[k.Name()]; ok {
		return l
	}
	return portable{}
}

const digitMask = 1<<batch.DigitBits - 1

// everywhere is all lanes.
const everywhere folding.Bits = 1<<batch.Lanes - 1

// portable is linear in portable Go.
type portable struct{}

func (portable) add(z, x, y []batch.Vector, where folding.Bits) folding.Bits {
	masks := lanesOf(where, digitMask)
	var carry batch.Vector // 0 or 1
	for i := range z {
		for lane := range batch.Lanes {
			v := x[i][lane]&digitMask + carry[lane]
			if i < len(y) {
				v += y[i][lane] & masks[lane]
			}
			z[i][lane], carry[lane] = v&digitMask, v>>batch.DigitBits
		}
	}
	return bitsOf(&carry)
}

func (portable) sub(z, x, y []batch.Vector, where folding.Bits) folding.Bits {
	masks := lanesOf(where, digitMask)
	var borrow batch.Vector // 0 or 1
	for i := range z {
		for lane := range batch.Lanes {
			v := x[i][lane]&digitMask - borrow[lane]
			if i < len(y) {
				v -= y[i][lane] & masks[lane]
			}
			z[i][lane], borrow[lane] = v&digitMask, v>>63
		}
	}
	return bitsOf(&borrow)
}

func (portable) shiftLeft(z, x []batch.Vector, count *batch.Vector) {
	var handed batch.Vector
	for i := range z {
		for lane, n := range count {
			d := x[i][lane] & digitMask
			z[i][lane] = d<<(n&63)&digitMask | handed[lane]
			handed[lane] = d >> ((batch.DigitBits - n) & 63)
		}
	}
}

func (portable) shiftRight(z, x []batch.Vector, count *batch.Vector) {
	var handed batch.Vector
	for i := len(z) - 1; i >= 0; i-- {
		for lane, n := range count {
			d := x[i][lane] & digitMask
			z[i][lane] = d>>(n&63) | handed[lane]
			handed[lane] = d << ((batch.DigitBits - n) & 63) & digitMask
		}
	}
}

// lanesOf returns a vector of w in the lanes of b and of 0 in the others.
func lanesOf(b folding.Bits, w uint64) (v batch.Vector) {
	for lane := range v {
		v[lane] = -(uint64(b) >> lane & 1) & w
	}
	return v
}

// bitsOf returns the lanes in which v is 1; it is 0 in the others.
func bitsOf(v *batch.Vector) (b folding.Bits) {
	for lane, w := range v {
		b |= folding.Bits(w) << lane
	}
	return b
}
