package mont

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/ifma"
)

// Digits are words, eight to a vector.
const (
	lanes       = ifma.Lanes
	vectorBytes = ifma.VectorBytes
	wordBytes   = ifma.WordBytes
	maddBits    = ifma.MaddBits
)

// vec is a vector of eight digits or columns.
type vec = ifma.Vec

type half = ifma.Half

const (
	low  = ifma.Low
	high = ifma.High
)

func at(base reg.Register, i int) operand.Mem    { return ifma.At(base, i) }
func digit(base reg.Register, i int) operand.Mem { return ifma.Word(base, i) }
func imm(n int) operand.Constant                 { return ifma.Imm(n) }

// kernel is an avo program for numbers of one shape.
type kernel struct {
	*ifma.Operation
	Shape
}

// begin starts the function and loads its arguments.
func (k *kernel) begin() {
	k.Begin(k.name(k.operation()), "R", fmt.Sprintf("for numbers of %d digits of %d bits", lanes*k.Vectors, k.Bits))
}

// name returns the name of a routine.
func (s Shape) name(what string) string { return fmt.Sprintf("ifma512%s%d", what, s.Vectors) }

// operation is what the routine's name begins with.
func (k *kernel) operation() string {
	if k.Square {
		return "Sqr"
	}
	return "Mul"
}

// The work space, in vectors.

// columnsAt is vector i of the low half of C. The highest digit has what is carried
// out of it above.
func (k *kernel) columnsAt(i int) operand.Mem { return at(k.Work, i) }

// quotientAt is vector i of Q.
func (k *kernel) quotientAt(i int) operand.Mem { return at(k.Work, k.Vectors+i) }

// doubledAt is vector i of 2x, see double.
func (k *kernel) doubledAt(i int, alone bool) operand.Mem {
	if alone || !k.exact() {
		return at(k.Work, 2*k.Vectors+i)
	}
	return at(k.Work, 3*k.Vectors+i)
}

// upperAt is vector i of the high half of C.
func (k *kernel) upperAt(i int) operand.Mem { return at(k.Work, 4*k.Vectors+i) }

// The constants of a modulus, in vectors.

// inverseCopy is vector w of N′·β^c, and modulusCopy of N·β^c, which has one more.
func (k *kernel) inverseCopy(c, w int) operand.Mem { return at(k.Constants, k.Vectors*c+w) }

func (k *kernel) modulusCopy(c, w int) operand.Mem {
	return at(k.Constants, lanes*k.Vectors+(k.Vectors+1)*c+w)
}

// reversed is vector v of N from its top: of digit 8V − 1 − i for low halves, and
// 8V − 2 − i for high ones.
func (k *kernel) reversed(h half, v int) operand.Mem {
	i := lanes*(2*k.Vectors+1) + v
	if h == high {
		i += k.Vectors
	}
	return at(k.Constants, i)
}

// mask is β − 1 in every lane.
func (k *kernel) mask() operand.Mem { return at(k.Constants, lanes*(2*k.Vectors+1)+2*k.Vectors) }

// up returns a moved up by n lanes, 0 < n < 8, with the highest n lanes of below
// coming in.
func (k *kernel) up(n int, a, below vec) vec {
	if a == nil && below == nil {
		return nil
	}
	z := k.ZMM()
	k.VALIGNQ(imm(lanes-n), k.Or(below), k.Or(a), z)
	return z
}

// weighted returns a sum of high halves in units of the column above: a high half
// has the weight 2^52, a column above the weight β.
func (k *kernel) weighted(h vec) vec {
	if h == nil || k.exact() {
		return h
	}
	z := k.ZMM()
	k.VPSLLQ(imm(maddBits-k.Bits), h, z)
	return z
}

// lane returns a mask of one lane.
func (k *kernel) lane(n int) reg.OpmaskVirtual {
	g, m := k.GP32(), k.K()
	k.MOVL(operand.U32(1<<n), g)
	k.KMOVB(g, m)
	return m
}
