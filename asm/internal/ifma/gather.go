package ifma

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// Gather generates the constant-time look-up in a table of numbers of so many vectors:
// all entries are read, and one is kept through a mask.
func (p *Program) Gather(name string, vectors int) {
	p.Function(name)
	p.SignatureExpr("func(z, table *uint64, entries, index int)")
	p.Pragma("noescape")
	p.Doc(fmt.Sprintf("%s sets z to entry index of a table of numbers of %d vectors. It reads all of them.", name, vectors))
	z := p.Load(p.Param("z"), p.GP64())
	table, entries := p.GP64(), p.GP64()
	p.Load(p.Param("table"), table)
	p.Load(p.Param("entries"), entries)
	wanted, current, one := p.ZMM(), p.Zeros(), p.AllOnes()
	p.VPBROADCASTQ(p.Argument("index"), wanted)
	p.VPSRLQ(Imm(63), one, one)
	found := make([]Vec, vectors)
	for v := range found {
		found[v] = p.Zeros()
	}
	p.Label("entry")
	here := p.K()
	p.VPCMPEQQ(wanted, current, here)
	p.VPADDQ(one, current, current)
	for v := range found {
		p.VMOVDQU64(At(table, v), here, found[v])
	}
	p.ADDQ(operand.I32(int32(VectorBytes*vectors)), table)
	p.DECQ(entries)
	p.JNZ(operand.LabelRef("entry"))
	p.Write(found, func(v int) operand.Mem { return At(z, v) })
	p.VZEROUPPER()
	p.RET()
}
