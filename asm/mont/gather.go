package mont

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
)

// gather generates the constant-time table lookup: all entries are read, and one is
// kept through a mask.
func (k *kernel) gather() {
	name := k.name("Gather")
	k.Function(name)
	k.SignatureExpr("func(z, table *uint64, entries, index int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets z to entry index of a table of numbers of %d vectors. It reads all of them.", name, k.Vectors))
	z := k.Load(k.Param("z"), k.GP64())
	table := k.GP64()
	k.Load(k.Param("table"), table)
	entries := k.GP64()
	k.Load(k.Param("entries"), entries)
	wanted, current, one := k.ZMM(), k.Zeros(), k.AllOnes()
	k.VPBROADCASTQ(k.Argument("index"), wanted)
	k.VPSRLQ(imm(63), one, one)
	found := make([]vec, k.Vectors)
	for v := range found {
		found[v] = k.Zeros()
	}
	k.Label("entry")
	here := k.K()
	k.VPCMPEQQ(wanted, current, here)
	k.VPADDQ(one, current, current)
	for v := range found {
		k.VMOVDQU64(at(table, v), here, found[v])
	}
	k.ADDQ(operand.I32(int32(vectorBytes*k.Vectors)), table)
	k.DECQ(entries)
	k.JNZ(operand.LabelRef("entry"))
	k.Write(found, func(v int) operand.Mem { return at(z, v) })
	k.VZEROUPPER()
	k.RET()
}
