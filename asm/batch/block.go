package batch

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
)

// BlockWidths are the tile widths that there are reductions in blocks for. A
// block is a whole number of tiles, and so is the number.
var BlockWidths = []int{10, 20}

// BlockFile returns the program of the reductions in blocks.
func BlockFile() gofile.File {
	return gofile.File{
		Dir: "batch", Base: "block_ifma512_amd64", Package: "batch",
		Build: func(ctx *build.Context) {
			for _, w := range BlockWidths {
				k := newKernel(ctx, w, 8)
				k.multiplyLow()
				k.addQuotient(truncated)
				k.addQuotient(full)
			}
		},
	}
}

// A reduction in blocks of k digits finds k digits of the quotient at once, as a
// low product with −1/N mod 2^(52k), and then adds their product with N to the
// columns. It is there for the comparison with the window, which is a block of
// one digit; docs/algorithms.md, "Blocks", has the carry out of a block.

// The general registers of the blocks, beside xPtr, yPtr and their pairs, which
// walk the quotient and the modulus.
var (
	inPtr      = reg.R11 // the next column to come into the window
	blockTiles = reg.R8
	middle     = reg.RCX // super-columns that all tiles of the block reach
)

// superColumn adds the products of super pairs of super-digits to the W columns
// of a super-column, starting with digit 0 at xPtr times the super-digit at yPtr
// and going up in x and down in y. Per row, in brings in the window's top column
// and out deals with the one that is done.
func (k kernel) superColumn(name string, in, out func()) {
	k.MOVL(operand.U32(uint32(k.width)), rows.As32())
	k.loop(name+"Row", rows, func() {
		in()
		k.MOVQ(xPtr, xPair)
		k.MOVQ(yPtr, yPair)
		k.MOVQ(super, pairs)
		k.loop(name+"Pair", pairs, func() {
			k.productRow(0, xPair, yPair, rowOptions{})
			k.advance(k.width, xPair)
			k.advance(-k.width, yPair)
		})
		out()
		k.rotate()
		k.advance(1, xPtr)
	})
}

// sums are the accumulators of a triangle, for at most W + 1 columns. If there
// are registers enough, low and high halves have their own: the many products of
// the same column would wait for one another in a narrow triangle.
func (k kernel) sums() (low, high []reg.VecPhysical) {
	n := k.width + 1
	all := append(append([]reg.VecPhysical{}, column...), quotient)
	if len(all) < 2*n {
		return all[:n], all[:n]
	}
	return all[:n], all[n : 2*n]
}

// splitSums zeroes the accumulators of the high halves, if they are apart.
func (k kernel) splitSums() {
	low, high := k.sums()
	for c := range high {
		if high[c] != low[c] {
			k.zero(high[c])
		}
	}
}

// joinSums leaves the sums in the window.
func (k kernel) joinSums() {
	low, high := k.sums()
	for c := range high {
		if high[c] != low[c] {
			k.VPADDQ(high[c], low[c], low[c])
		}
	}
}

// lowTriangle adds, of the product of the super-digits at x and y, what reaches
// its low W columns.
func (k kernel) lowTriangle(x, y reg.Register) {
	low, high := k.sums()
	for i := range k.width {
		f := factor[i%len(factor)]
		k.VMOVDQU64(at(x, i), f)
		for j := range k.width - i {
			d := k.digit[j%len(k.digit)]
			k.VMOVDQU64(at(y, j), d)
			k.VPMADD52LUQ(d, f, low[i+j])
			if i+j+1 < k.width {
				k.VPMADD52HUQ(d, f, high[i+j+1])
			}
		}
	}
}

// highTriangle adds, of the product of the super-digits at x and y, what reaches
// its columns from W − 1 up: the sums are of these W + 1 columns.
func (k kernel) highTriangle(x, y reg.Register) {
	low, high := k.sums()
	first := k.width - 1
	for i := range k.width {
		f := factor[i%len(factor)]
		k.VMOVDQU64(at(x, i), f)
		for j := max(0, first-1-i); j < k.width; j++ {
			d := k.digit[j%len(k.digit)]
			k.VMOVDQU64(at(y, j), d)
			if i+j >= first {
				k.VPMADD52LUQ(d, f, low[i+j-first])
			}
			k.VPMADD52HUQ(d, f, high[i+j+1-first])
		}
	}
}

// multiplyLow generates the low product, for the quotient of a block.
func (k kernel) multiplyLow() {
	k.Function(fmt.Sprintf("ifma512MulLow%d", k.width))
	k.SignatureExpr("func(z, x, y *uint64, tiles int)")
	k.Pragma("noescape")
	k.Doc(fmt.Sprintf("ifma512MulLow%d sets z = x·y modulo 2^(52s) for s = %d·tiles limbs; z may not overlap x or y.", k.width, k.width))
	k.Load(k.Param("z"), zPtr)
	k.Load(k.Param("x"), xPtr)
	k.Load(k.Param("y"), yPtr)
	k.Load(k.Param("tiles"), tiles)
	for c := range k.width {
		k.zero(column[c])
	}
	k.MOVL(operand.U32(1), super.As32())
	k.Label("lowSuper")
	k.CMPQ(super, tiles)
	k.JEQ(operand.LabelRef("last"))
	k.superColumn("low", func() { k.zero(column[k.width]) }, func() { k.emit(zPtr) })
	k.advance(-k.width, xPtr)
	k.advance(k.width, yPtr)
	k.INCQ(super)
	k.JMP(operand.LabelRef("lowSuper"))

	// The last super-column lets nothing out at the top.
	k.Label("last")
	k.splitSums()
	k.MOVQ(tiles, pairs)
	k.loop("triangle", pairs, func() {
		k.lowTriangle(xPtr, yPtr)
		k.advance(k.width, xPtr)
		k.advance(-k.width, yPtr)
	})
	k.joinSums()
	k.drain(zPtr)
	k.VZEROUPPER()
	k.RET()
}

// addQuotient generates the addition of the product of a block of the quotient
// with the modulus.
func (k kernel) addQuotient(r reduction) {
	k.Function("ifma512AddQuotient" + r.suffix(k.width))
	k.SignatureExpr("func(z, t, q, n *uint64, block, tiles int)")
	k.Pragma("noescape")
	doc := []string{
		fmt.Sprintf("ifma512AddQuotient%s adds q·n to the columns t, for a block of k = %d·block digits", r.suffix(k.width), k.width),
		fmt.Sprintf("and s = %d·tiles limbs, and sets z to columns k to k + s − 1 as digits. The k columns", k.width),
		"below cancel, and what is carried out at the top is added to column k + s of t.",
	}
	if r == truncated {
		doc = append(doc, "t points to column k − 1, the lowest that is used.")
	}
	k.Doc(doc...)
	k.Load(k.Param("z"), zPtr)
	k.Load(k.Param("t"), inPtr)
	k.Load(k.Param("q"), xPtr)
	k.Load(k.Param("n"), yPtr)
	k.Load(k.Param("block"), blockTiles)
	k.Load(k.Param("tiles"), tiles)
	k.bias(digitBits, digitMask)
	if r == truncated {
		k.carryOfBlock()
	} else {
		k.lowColumns()
	}
	k.highColumns()
	k.VZEROUPPER()
	k.RET()
}

// carryOfBlock finds what the block carries into column k, from column k − 1
// alone: of the products that end below it, which are left out, it is known that
// they cancel and that they add less than 2^52 to it. The window is left at
// column k, and the pointers at the first pair of super-column block.
func (k kernel) carryOfBlock() {
	for c := range k.width + 1 {
		k.VMOVDQU64(at(inPtr, c), column[c])
	}
	k.advance(k.width+1, inPtr)
	k.splitSums()
	k.MOVQ(xPtr, xPair)
	k.IMUL3Q(operand.I32(int32(vectorBytes*k.width)), blockTiles, super)
	k.ADDQ(super, yPtr)
	k.MOVQ(yPtr, yPair)
	k.MOVQ(blockTiles, pairs)
	k.JMP(operand.LabelRef("carryPair"))
	// The pairs of super-column block − 2 reach column k − 1 with one product.
	_, high := k.sums()
	k.Label("carryNext")
	k.VMOVDQU64(at(xPair, k.width-1), factor[0])
	k.VPMADD52HUQ(at(yPair, -1), factor[0], high[0])
	k.advance(k.width, xPair)
	k.Label("carryPair")
	k.advance(-k.width, yPair)
	k.highTriangle(xPair, yPair)
	k.DECQ(pairs)
	k.JNZ(operand.LabelRef("carryNext"))
	k.joinSums()
	k.VPADDQ(digitMask, column[0], column[0])
	k.carryOut(0)
	k.rotate()
	k.MOVQ(blockTiles, super)
}

// lowColumns computes the k columns that cancel, and carries them. The window is
// left at column k, and the pointers at the first pair of super-column block.
func (k kernel) lowColumns() {
	for c := range k.width {
		k.VMOVDQU64(at(inPtr, c), column[c])
	}
	k.advance(k.width, inPtr)
	k.XORL(super.As32(), super.As32())
	k.Label("lowSuper")
	k.INCQ(super)
	k.superColumn("low", k.columnIn, func() { k.carryOut(0) })
	k.advance(-k.width, xPtr)
	k.advance(k.width, yPtr)
	k.CMPQ(super, blockTiles)
	k.JNE(operand.LabelRef("lowSuper"))
}

// highColumns computes the columns from k on, and stores them as digits.
func (k kernel) highColumns() {
	k.MOVQ(tiles, middle)
	k.SUBQ(blockTiles, middle)
	k.JZ(operand.LabelRef("middleDone"))
	k.Label("middleSuper")
	k.superColumn("middle", k.columnIn, k.digitOut)
	k.advance(-k.width, xPtr)
	k.advance(k.width, yPtr)
	k.DECQ(middle)
	k.JNZ(operand.LabelRef("middleSuper"))
	k.Label("middleDone")

	// From super-column tiles on, the first pair is that of the modulus' highest
	// super-digit.
	k.advance(k.width, xPtr)
	k.advance(-k.width, yPtr)
	k.DECQ(super)
	k.JZ(operand.LabelRef("drain"))
	k.Label("highSuper")
	k.superColumn("high", k.columnIn, k.digitOut)
	k.DECQ(super)
	k.JNZ(operand.LabelRef("highSuper"))
	k.Label("drain")
	for j := range k.width {
		k.VPANDQ(digitMask, column[j], k.digit[0])
		k.VMOVDQU64(k.digit[0], at(zPtr, j))
		if j < k.width-1 {
			k.carryOut(j)
		}
	}
	k.VPSRLQ(operand.Imm(digitBits), column[k.width-1], carry)
	k.VPADDQ(at(inPtr, 0), carry, carry)
	k.VMOVDQU64(carry, at(inPtr, 0))
}

// columnIn loads the column that comes into the window.
func (k kernel) columnIn() {
	k.VMOVDQU64(at(inPtr, 0), column[k.width])
	k.advance(1, inPtr)
}
