package ifma

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// Operation is the program of a product z = x·y/R, or of squares in a row. It has the
// constants of a modulus and a work space.
type Operation struct {
	*Program
	Square bool // no y; the result is squared again as often as asked

	Z, X, Y   reg.Register
	Constants reg.Register
	Work      reg.Register
}

// again is where a square begins that follows another.
const again = "again"

// Begin starts the function and loads its arguments. radix is the name of R, and numbers
// says what numbers it is for.
func (o *Operation) Begin(name, radix, numbers string) {
	o.Function(name)
	if o.Square {
		o.SignatureExpr("func(z, x, constants, work *uint64, times int)")
		o.Doc(fmt.Sprintf("%s sets z = x²/%s, and then z = z²/%[2]s another times − 1 times, %[3]s.", name, radix, numbers))
	} else {
		o.SignatureExpr("func(z, x, y, constants, work *uint64)")
		o.Doc(fmt.Sprintf("%s sets z = x·y/%s %s.", name, radix, numbers))
	}
	o.Pragma("noescape")
	o.Z = o.Load(o.Param("z"), o.GP64())
	o.X = o.Load(o.Param("x"), o.GP64())
	if !o.Square {
		o.Y = o.Load(o.Param("y"), o.GP64())
	}
	o.Constants = o.Load(o.Param("constants"), o.GP64())
	o.Work = o.Load(o.Param("work"), o.GP64())
	if o.Square {
		o.Label(again)
	}
}

// End returns, or goes on with the square of the result.
func (o *Operation) End() {
	if o.Square {
		o.MOVQ(o.Z, o.X)
		times := o.Argument("times")
		o.DECQ(times)
		o.JNZ(operand.LabelRef(again))
	}
	o.VZEROUPPER()
	o.RET()
}
