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
// the load and store ports idle: a row takes a few columns of one table entry, all
// lanes of them, and stores those lanes that want the entry. That takes no port
// that multiply-adds need, and hides what it costs to read the table from the
// second-level cache. Entry 0, which is the first, is stored whole.

// gatherWidth is the number of columns that a row takes: the largest divisor of the
// width up to 7. More at a time are slower, and fewer leave too much for the end.
func (k kernel) gatherWidth() int {
	n := 7
	for k.width%n != 0 {
		n--
	}
	return n
}

var (
	lookup   = reg.RDX // *ifmaLookup, see lookupField
	entryPtr = reg.RSI // the next columns of the entry
	left     = reg.RBX // rows that the entry still takes; 0: the gather is done
	outPtr   = reg.R9
	wants    = reg.K1 // the lanes that want the entry
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
	"table": 64, "out": 72, "tiles": 80, "share": 88, "rest": 96, "now": 104,
}

// gatherStart prepares to gather a reduction's share of the entries, or as many as
// are left.
func (k kernel) gatherStart() {
	k.Load(k.Param("look"), lookup)
	k.MOVQ(lookupField("share"), left)
	k.CMPQ(left, lookupField("rest"))
	k.CMOVQGT(lookupField("rest"), left)
	k.TESTQ(left, left)
	k.JZ(operand.LabelRef("noGather"))
	k.MOVQ(left, lookupField("now"))
	k.MOVQ(lookupField("table"), entryPtr)
	k.gatherEntry()
	k.Label("noGather")
}

// gatherEntry prepares to gather one entry.
func (k kernel) gatherEntry() {
	k.MOVQ(lookupField("rest"), left)
	k.KMOVB(operand.Mem{Base: lookup, Index: left, Scale: 1, Disp: -1}, wants)
	k.MOVQ(lookupField("out"), outPtr)
	k.MOVQ(lookupField("tiles"), left)
	if n := k.width / k.gatherWidth(); n > 1 {
		k.IMUL3Q(operand.Imm(uint64(n)), left, left)
	}
}

// gatherStep is a row's part of the gather, if that is not done. The label is one
// that the program does not have yet.
func (k kernel) gatherStep(label string) {
	k.TESTQ(left, left)
	k.JZ(operand.LabelRef(label))
	for c := range k.gatherWidth() {
		k.VMOVDQU64(at(entryPtr, c), fresh)
		k.VMOVDQU64(fresh, wants, at(outPtr, c))
	}
	k.advance(k.gatherWidth(), entryPtr, outPtr)
	k.DECQ(left)
	k.JNZ(operand.LabelRef(label))
	k.MOVQ(entryPtr, lookupField("table"))
	k.DECQ(lookupField("rest"))
	k.DECQ(lookupField("now"))
	k.JZ(operand.LabelRef(label))
	k.gatherEntry()
	k.Label(label)
}

// gatherRest finishes the gather: the rows may have been too few.
func (k kernel) gatherRest() {
	k.Label("gatherRest")
	k.TESTQ(left, left)
	k.JZ(operand.LabelRef("gatherDone"))
	k.gatherStep("gatherRestStep")
	k.JMP(operand.LabelRef("gatherRest"))
	k.Label("gatherDone")
}

// lookupMasks generates the routine that says which lanes want which entry.
func (k kernel) lookupMasks() {
	name := k.name("Masks")
	k.Function(name)
	k.SignatureExpr("func(masks *byte, index *uint64, entries int)")
	k.Pragma("noescape")
	k.Doc(name+" sets bit l of masks[entries−1−e] if index[l] = e, for all e from 1 to entries − 1,",
		"and the bits of all lanes for e = 0: entries are 2 or more.")
	masks, index, entries := reg.RDI, reg.RSI, reg.RCX
	wanted, current, one := reg.Z21, reg.Z22, reg.Z23
	k.Load(k.Param("masks"), masks)
	k.Load(k.Param("index"), index)
	k.Load(k.Param("entries"), entries)
	k.VMOVDQU64(at(index, 0), wanted)
	k.VPTERNLOGD(operand.Imm(0xff), one, one, one)
	k.VPSRLQ(operand.Imm(63), one, one)
	mask := operand.Mem{Base: masks, Index: entries, Scale: 1, Disp: -1}
	k.VPCMPEQQ(wanted, wanted, reg.K1)
	k.KMOVB(reg.K1, mask)
	k.DECQ(entries)
	k.VMOVDQA64(one, current)
	k.loop("entry", entries, func() {
		k.VPCMPEQQ(wanted, current, reg.K1)
		k.KMOVB(reg.K1, mask)
		k.VPADDQ(one, current, current)
	})
	k.VZEROUPPER()
	k.RET()
}
