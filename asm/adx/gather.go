package adx

import (
	"fmt"

	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// gather generates the constant-time table lookup: all entries are read, some
// words at a time, and a mask keeps the one that is wanted.
func (k kernel) gather() {
	k.begin("adxGather", "func(z, table *uint64, index uint64, entries, words int)",
		"adxGather sets z to entry index of the table, reading all of them. Entries have so\nmany words, and there is at least one. z is zero if there is no such entry.",
		"mask")
	k.Load(k.Param("z"), sums)
	k.Load(k.Param("table"), tablePtr)
	k.Load(k.Param("index"), index)
	k.Load(k.Param("entries"), entries)
	k.Load(k.Param("words"), left)
	k.MOVQ(left, stride)
	k.SHLQ(operand.Imm(3), stride)
	k.scanVectors(4)
	k.scanVectors(1)
	k.scanWords()
	k.VZEROUPPER()
	k.RET()
}

// Registers of the gather.
var (
	tablePtr, entryPtr = reg.RSI, reg.R8 // the words to be scanned, in the first entry and in the next
	index, ahead       = reg.RBX, reg.R9 // ahead is how far the index is from the next entry
	entries, counter   = reg.RCX, reg.R10
	left               = reg.RDX // words of the result
	stride             = reg.R11 // bytes from entry to entry
	mask, foundWord    = reg.RAX, reg.R12
	found              = []reg.VecPhysical{reg.Y1, reg.Y2, reg.Y3, reg.Y4}
	masked             = []reg.VecPhysical{reg.Y5, reg.Y6, reg.Y7, reg.Y8}
	vectorMask         = reg.Y0
)

const vectorWords = 4

// scanVectors gathers n vectors at a time, as long as there are so many left.
func (k *kernel) scanVectors(n int) {
	k.scan(fmt.Sprintf("vectors%d", n), vectorWords*n, func(label string) {
		for _, f := range found[:n] {
			k.VPXOR(f, f, f)
		}
		k.eachEntry(label, func() {
			k.MOVQ(mask, k.local["mask"])
			k.VPBROADCASTQ(k.local["mask"], vectorMask)
			for i, f := range found[:n] {
				k.VPAND(word(entryPtr, vectorWords*i), vectorMask, masked[i])
				k.VPOR(masked[i], f, f)
			}
		})
		for i, f := range found[:n] {
			k.VMOVDQU(f, word(sums, vectorWords*i))
		}
	})
}

// scanWords gathers the last words one by one.
func (k *kernel) scanWords() {
	k.scan("words", 1, func(label string) {
		k.zero(foundWord)
		k.eachEntry(label, func() {
			k.ANDQ(word(entryPtr, 0), mask)
			k.ORQ(mask, foundWord)
		})
		k.MOVQ(foundWord, word(sums, 0))
	})
}

// scan runs the body for n words at a time as long as there are so many left. The
// number of words is public.
func (k *kernel) scan(label string, n int, body func(label string)) {
	k.JMP(operand.LabelRef(label + "Next"))
	k.Label(label)
	body(label)
	k.advance(n, sums, tablePtr)
	k.Label(label + "Next")
	k.SUBQ(operand.Imm(uint64(n)), left)
	k.JAE(operand.LabelRef(label))
	k.ADDQ(operand.Imm(uint64(n)), left)
}

// eachEntry runs the body for all entries. mask is all ones for the one that is
// wanted, and zero for the others.
func (k *kernel) eachEntry(label string, body func()) {
	k.MOVQ(tablePtr, entryPtr)
	k.MOVQ(index, ahead)
	k.MOVQ(entries, counter)
	k.Label(label + "Entry")
	k.MOVQ(ahead, mask)
	k.SUBQ(operand.Imm(1), mask) // borrows from zero only
	k.SBBQ(mask, mask)
	body()
	k.ADDQ(stride, entryPtr)
	k.DECQ(ahead)
	k.DECQ(counter)
	k.JNZ(operand.LabelRef(label + "Entry"))
}
