package batch

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gather generates the constant-time table lookup: every lane reads every entry
// and keeps the one that it is after. The table is entries numbers of s digits;
// W digits of all entries are scanned at a time.
func (k kernel) gather() {
	k.Function(fmt.Sprintf("ifma512Gather%d", k.width))
	k.SignatureExpr("func(z, table, index *[8]uint64, entries, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("ifma512Gather%d sets every lane of z to that lane of the table's entry index, for %d·tiles limbs.", k.width, k.width))
	table, index, entries, stride, counter, entry := reg.RSI, reg.RDX, reg.RCX, reg.R10, reg.RAX, reg.RBX
	wanted, current, one, found := reg.Z21, reg.Z22, reg.Z23, reg.K1
	k.Load(k.Param("z"), zPtr)
	k.Load(k.Param("table"), table)
	k.Load(k.Param("index"), index)
	k.Load(k.Param("entries"), entries)
	k.Load(k.Param("tiles"), tiles)
	k.VMOVDQU64(at(index, 0), wanted)
	k.VPTERNLOGD(operand.Imm(0xff), one, one, one)
	k.VPSRLQ(operand.Imm(63), one, one)
	k.IMUL3Q(operand.I32(int32(vectorBytes*k.width)), tiles, stride)
	k.loop("tile", tiles, func() {
		for c := range k.width {
			k.zero(column[c])
		}
		k.zero(current)
		k.MOVQ(table, entry)
		k.MOVQ(entries, counter)
		k.loop("entry", counter, func() {
			k.VPCMPEQQ(wanted, current, found)
			k.VPADDQ(one, current, current)
			for c := range k.width {
				k.VMOVDQU64(at(entry, c), found, column[c])
			}
			k.ADDQ(stride, entry)
		})
		for c := range k.width {
			k.VMOVDQU64(column[c], at(zPtr, c))
		}
		k.advance(k.width, zPtr, table)
	})
	k.VZEROUPPER()
	k.RET()
}
