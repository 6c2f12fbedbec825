// Package batch generates the AVX512-IFMA kernels of residue/batch.
//
// A kernel is made for one tile width W: a number of s limbs is m super-digits
// of W digits, and m is an argument of the routine. The steps are in window.go;
// multiply.go, square.go and reduce.go put them together. What a reader needs to
// know first is in docs/algorithms.md, "A window of columns".
package batch

import (
	"fmt"
	"slices"

	"github.com/mmcloughlin/avo/build"

	"residue/asm/internal/gofile"
)

// Widths are the tile widths that the product has kernels for.
var Widths = []int{4, 6, 8, 10, 12, 14, 15, 16, 18, 20}

// LeastOfMany is the least width of the super-digits of a number that has more
// than one of them.
const LeastOfMany = 10

// reduction says how much of Q·N a Montgomery reduction computes.
type reduction int

const (
	// truncated leaves out the low product of every quotient digit with the
	// modulus: its only effect is a carry that is known without it.
	truncated reduction = iota
	// full computes it. It is there for the comparison.
	full
)

// suffix names a routine of one width and reduction.
func (r reduction) suffix(width int) string {
	if r == full {
		return fmt.Sprintf("Full%d", width)
	}
	return fmt.Sprint(width)
}

// Files returns the programs: with eight lanes in 512-bit registers, and with four
// in 256-bit ones.
func Files() []gofile.File { return []gofile.File{file(8), file(4)} }

func file(lanes int) gofile.File {
	return gofile.File{
		Dir: "batch", Base: fmt.Sprintf("kernel_ifma%d_amd64", 64*lanes), Package: "batch",
		Build: func(ctx *build.Context) {
			for _, w := range Widths {
				k := newKernel(ctx, w, lanes)
				k.multiplyMontgomery(truncated)
				k.squareMontgomery(truncated)
				k.reduceColumns(truncated)
				if lanes == 8 { // the comparison needs one vector width
					k.multiplyMontgomery(full)
					k.squareMontgomery(full)
					k.reduceColumns(full)
				}
				k.multiply()
				k.squareColumns()
				k.gather()
				if w >= LeastOfMany {
					k.halves()
				}
				if slices.Contains(KaratsubaWidths, w) {
					k.squareKaratsuba()
				}
			}
			k := newKernel(ctx, 0, lanes)
			k.lookupMasks()
			k.digits()
			k.carryColumns()
		},
	}
}
