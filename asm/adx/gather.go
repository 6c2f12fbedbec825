package adx

import (
	"github.com/mmcloughlin/avo/operand"
)

// gather generates the constant-time table lookup: all entries are read, eight
// words at a time, and moved to the result if they are wanted.
func (k kernel) gather() {
	k.begin("adxGather", "func(z, table *uint64, index uint64, entries, words int)",
		"adxGather sets z to entry index of the table, reading all of them. Entries have so\nmany words, and there is at least one.",
		"words", "end", "endOfEights", "entries", "table")
	z, entry, current, wanted, stride, found := sums, rows, multiplier, lo, hi, window
	k.keep("words", "words")
	k.keep("entries", "entries")
	k.keep("table", "table")
	k.Load(k.Param("z"), z)
	k.setEnds(z)
	k.Load(k.Param("index"), wanted)
	k.Load(k.Param("words"), stride)
	k.SHLQ(operand.Imm(3), stride)
	k.wordLoop("gather", z, func(n int) {
		k.MOVQ(k.local["table"], entry)
		k.zero(current)
		k.zero(found[:n]...)
		label := map[int]string{maxWidth: "entryOfEight", 1: "entryOfOne"}[n]
		k.Label(label)
		k.CMPQ(current, wanted)
		for i, r := range found[:n] {
			k.CMOVQEQ(word(entry, i), r)
		}
		k.ADDQ(stride, entry)
		k.INCQ(current)
		k.CMPQ(current, k.local["entries"])
		k.JNE(operand.LabelRef(label))
		for i, r := range found[:n] {
			k.MOVQ(r, word(z, i))
		}
		k.advance(n, z)
		k.ADDQ(operand.Imm(uint64(8*n)), k.local["table"])
	})
	k.RET()
}
