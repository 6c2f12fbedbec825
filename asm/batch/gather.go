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
	name := k.name(fmt.Sprintf("Gather%d", k.width))
	k.Function(name)
	k.SignatureExpr("func(z, table, index *uint64, entries, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("%s sets every lane of z to that lane of the table's entry index, for %d·tiles limbs.", name, k.width))
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

// A gather can ride along with the rows of a reduction, whose instructions leave
// the load ports idle: a row scans two table entries for four columns of the
// result. That hides what it costs to read the table from the second-level cache.
// The registers are those that a reduction does not use.
const (
	gatherColumns = 4
	gatherEntries = 2 // in a row
)

var (
	lookup   = reg.RDX // *ifmaLookup, see lookupField
	entryPtr = reg.RSI // the group's columns of the next entry
	left     = reg.RBX // entries that the group still has to scan; 0: the gather is done
	outPtr   = reg.R9
)

// lookupField is the memory of a field of ifmaLookup, which begins with 64 bytes
// of masks: the lanes that want an entry, a byte each, the last entry first.
func lookupField(name string) operand.Mem {
	offset, ok := lookupOffsets[name]
	if !ok {
		panic("asm: ifmaLookup has no field " + name)
	}
	return operand.Mem{Base: lookup, Disp: offset}
}

var lookupOffsets = map[string]int{
	"table": 64, "out": 72, "stride": 80, "rewind": 88, "entries": 96,
	"share": 104, "rest": 112, "groups": 120, "offset": 128,
}

// gathered are the registers that a group's columns are gathered in. The last one
// changes places behind the first super-column, where factor[0] is not in use but
// nextQ is.
var gathered = [gatherColumns]reg.VecPhysical{fresh, ones, factor[1], nextQ}

// gatherStart prepares to gather a reduction's share of the groups of columns, or
// as many as are left.
func (k kernel) gatherStart() {
	k.Load(k.Param("look"), lookup)
	k.MOVQ(lookupField("share"), left)
	k.CMPQ(left, lookupField("rest"))
	k.CMOVQGT(lookupField("rest"), left)
	k.TESTQ(left, left)
	k.JZ(operand.LabelRef("noGather"))
	k.SUBQ(left, lookupField("rest"))
	k.MOVQ(left, lookupField("groups"))
	k.MOVQ(lookupField("table"), entryPtr)
	k.MOVQ(lookupField("out"), outPtr)
	k.ADDQ(lookupField("offset"), entryPtr)
	k.ADDQ(lookupField("offset"), outPtr)
	k.MOVQ(lookupField("entries"), left)
	k.Label("noGather")
	for _, z := range gathered {
		k.zero(z)
	}
	k.zero(factor[0])
}

// gatherStep scans two entries, if the gather is not done. The label is one that
// the program does not have yet.
func (k kernel) gatherStep(label string, into [gatherColumns]reg.VecPhysical) {
	k.TESTQ(left, left)
	k.JZ(operand.LabelRef(label))
	for n := range gatherEntries {
		k.KMOVB(operand.Mem{Base: lookup, Index: left, Scale: 1, Disp: -1 - n}, reg.K1)
		for c, z := range into {
			k.VMOVDQU64(at(entryPtr, c), reg.K1, z)
		}
		k.ADDQ(lookupField("stride"), entryPtr)
	}
	k.SUBQ(operand.Imm(gatherEntries), left)
	k.JNZ(operand.LabelRef(label))
	// The group is complete: the next one begins four columns on in entry 0.
	for c, z := range into {
		k.VMOVDQU64(z, at(outPtr, c))
		k.zero(z)
	}
	k.advance(gatherColumns, outPtr)
	k.ADDQ(lookupField("rewind"), entryPtr)
	k.ADDQ(operand.I32(vectorBytes*gatherColumns), lookupField("offset"))
	k.DECQ(lookupField("groups"))
	k.JZ(operand.LabelRef(label))
	k.MOVQ(lookupField("entries"), left)
	k.Label(label)
}

// gatherRest finishes the gather: the rows may have been too few.
func (k kernel) gatherRest() {
	k.Label("gatherRest")
	k.TESTQ(left, left)
	k.JZ(operand.LabelRef("gatherDone"))
	k.gatherStep("gatherRestStep", gathered)
	k.JMP(operand.LabelRef("gatherRest"))
	k.Label("gatherDone")
}

// lookupMasks generates the routine that says which lanes want which entry.
func (k kernel) lookupMasks() {
	name := k.name("Masks")
	k.Function(name)
	k.SignatureExpr("func(masks *byte, index *uint64, entries int)")
	k.Pragma("noescape")
	k.Doc(name + " sets bit l of masks[entries−1−e] if index[l] = e, for all e below entries.")
	masks, index, entries := reg.RDI, reg.RSI, reg.RCX
	wanted, current, one := reg.Z21, reg.Z22, reg.Z23
	k.Load(k.Param("masks"), masks)
	k.Load(k.Param("index"), index)
	k.Load(k.Param("entries"), entries)
	k.VMOVDQU64(at(index, 0), wanted)
	k.VPTERNLOGD(operand.Imm(0xff), one, one, one)
	k.VPSRLQ(operand.Imm(63), one, one)
	k.zero(current)
	k.loop("entry", entries, func() {
		k.VPCMPEQQ(wanted, current, reg.K1)
		k.KMOVB(reg.K1, operand.Mem{Base: masks, Index: entries, Scale: 1, Disp: -1})
		k.VPADDQ(one, current, current)
	})
	k.VZEROUPPER()
	k.RET()
}
