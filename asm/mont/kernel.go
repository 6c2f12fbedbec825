package mont

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	lanes       = 8  // digits to a vector
	vectorBytes = 64 // bytes to a vector
	wordBytes   = 8  // bytes to a digit
	maddBits    = 52 // what a madd reads of an operand, and the weight of its high half
)

// vec is a vector of eight digits or columns in a virtual register. A nil vec is a
// vector of zeros that no instruction has been spent on.
type vec = reg.VecVirtual

// kernel is an avo program for numbers of one shape.
type kernel struct {
	*build.Context
	Shape
	square bool // a square, not a product
	labels int  // in use

	// The operands; y is nil for squares.
	z, x, y   reg.Register
	constants reg.Register
	work      reg.Register
}

func (k *kernel) name(what string) string { return fmt.Sprintf("ifma512%s%d", what, k.Vectors) }

// operation is what the routine's name begins with.
func (k *kernel) operation() string {
	if k.square {
		return "Sqr"
	}
	return "Mul"
}

// begin starts the function and loads its arguments.
func (k *kernel) begin() {
	name := k.name(k.operation())
	k.Function(name)
	if k.square {
		k.SignatureExpr("func(z, x, constants, work *uint64, times int)")
		k.Doc(fmt.Sprintf("%s sets z = x²/R, and then z = z²/R another times − 1 times, for numbers of %d digits of %d bits.", name, lanes*k.Vectors, k.Bits))
	} else {
		k.SignatureExpr("func(z, x, y, constants, work *uint64)")
		k.Doc(fmt.Sprintf("%s sets z = x·y/R for numbers of %d digits of %d bits.", name, lanes*k.Vectors, k.Bits))
	}
	k.Pragma("noescape")
	k.z = k.Load(k.Param("z"), k.GP64())
	k.x = k.Load(k.Param("x"), k.GP64())
	if !k.square {
		k.y = k.Load(k.Param("y"), k.GP64())
	}
	k.constants = k.Load(k.Param("constants"), k.GP64())
	k.work = k.Load(k.Param("work"), k.GP64())
	if k.square {
		k.Label(again)
	}
}

// again is where a square begins that follows another.
const again = "again"

// end returns, or goes on with the square of the result.
func (k *kernel) end() {
	if k.square {
		k.MOVQ(k.z, k.x)
		times := k.argument("times")
		k.DECQ(times)
		k.JNZ(operand.LabelRef(again))
	}
	k.VZEROUPPER()
	k.RET()
}

// argument is a parameter in memory.
func (k *kernel) argument(name string) operand.Mem {
	b, err := k.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// at is the vector i vectors after a pointer.
func at(base reg.Register, i int) operand.Mem {
	return operand.Mem{Base: base, Disp: vectorBytes * i}
}

// digit is digit i of the number at a pointer.
func digit(base reg.Register, i int) operand.Mem {
	return operand.Mem{Base: base, Disp: wordBytes * i}
}

// The work space, in vectors.

// columnsAt is vector i of the low half of C.
func (k *kernel) columnsAt(i int) operand.Mem { return at(k.work, i) }

// quotientAt is vector i of Q.
func (k *kernel) quotientAt(i int) operand.Mem { return at(k.work, k.Vectors+i) }

// doubledAt is vector i of 2x, see double.
func (k *kernel) doubledAt(i int, alone bool) operand.Mem {
	if alone || !k.exact() {
		return at(k.work, 2*k.Vectors+i)
	}
	return at(k.work, 3*k.Vectors+i)
}

// upperAt is vector i of the high half of C, and topAt the highest vector of the low
// half with what it has above its digits.
func (k *kernel) upperAt(i int) operand.Mem { return at(k.work, 4*k.Vectors+i) }
func (k *kernel) topAt() operand.Mem        { return at(k.work, 5*k.Vectors) }

// The constants of a modulus, in vectors.

// inverseCopy is vector w of N′·β^c, and modulusCopy of N·β^c, which has one more.
func (k *kernel) inverseCopy(c, w int) operand.Mem { return at(k.constants, k.Vectors*c+w) }
func (k *kernel) modulusCopy(c, w int) operand.Mem {
	return at(k.constants, lanes*k.Vectors+(k.Vectors+1)*c+w)
}

// reversed is vector v of N from its top: of digit 8V − 1 − i for low halves, and
// 8V − 2 − i for high ones.
func (k *kernel) reversed(h half, v int) operand.Mem {
	i := lanes*(2*k.Vectors+1) + v
	if h == high {
		i += k.Vectors
	}
	return at(k.constants, i)
}

// mask is β − 1 in every lane.
func (k *kernel) mask() operand.Mem { return at(k.constants, lanes*(2*k.Vectors+1)+2*k.Vectors) }

func imm(n int) operand.Constant { return operand.Imm(uint64(n)) }

// load returns a vector in memory.
func (k *kernel) load(m operand.Mem) vec {
	v := k.ZMM()
	k.VMOVDQU64(m, v)
	return v
}

// store writes vectors to memory.
func (k *kernel) store(vs []vec, to func(i int) operand.Mem) {
	for i, v := range vs {
		k.VMOVDQU64(v, to(i))
	}
}

// broadcast returns a digit in memory, eight times.
func (k *kernel) broadcast(m operand.Mem) vec {
	v := k.ZMM()
	k.VPBROADCASTQ(m, v)
	return v
}

// zeros returns a register of zeros, which no port is needed for.
func (k *kernel) zeros() vec {
	z := k.ZMM()
	k.VPXORQ(z, z, z)
	return z
}

// allOnes returns a register with all bits set.
func (k *kernel) allOnes() vec {
	z := k.ZMM()
	k.VPTERNLOGD(imm(0xff), z, z, z)
	return z
}

// or returns v, or zeros for a nil vec.
func (k *kernel) or(v vec) vec {
	if v == nil {
		return k.zeros()
	}
	return v
}

// sum adds y to *x.
func (k *kernel) sum(x *vec, y vec) {
	switch {
	case y == nil:
	case *x == nil:
		*x = y
	default:
		z := k.ZMM()
		k.VPADDQ(y, *x, z)
		*x = z
	}
}

// half is the half of a digit product that a madd adds.
type half int

const (
	low half = iota
	high
)

// madd adds a half of a·b to *sum.
func (k *kernel) madd(h half, sum *vec, a, b operand.Op) {
	*sum = k.or(*sum)
	if h == low {
		k.VPMADD52LUQ(a, b, *sum)
	} else {
		k.VPMADD52HUQ(a, b, *sum)
	}
}

// up returns a moved up by n lanes, 0 < n < 8, with the highest n lanes of below
// coming in.
func (k *kernel) up(n int, a, below vec) vec {
	if a == nil && below == nil {
		return nil
	}
	z := k.ZMM()
	k.VALIGNQ(imm(lanes-n), k.or(below), k.or(a), z)
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
