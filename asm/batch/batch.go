// Package batch generates the eight-lane AVX512-IFMA kernels of residue/batch.
//
// A kernel is made for one tile width W: a number of s limbs is m super-digits
// of W digits, and m is an argument of the routine. The steps are in window.go;
// multiply.go, square.go and reduce.go put them together. What a reader needs to
// know first is in docs/algorithms.md, "A window of columns".
package batch

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"

	"residue/asm/internal/gofile"
)

// Widths are the tile widths that the product has kernels for.
var Widths = []int{4, 6, 8, 10, 12, 14, 15, 16, 18, 20}

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

// File returns the program.
func File() gofile.File {
	return gofile.File{
		Dir: "batch", Base: "kernel_ifma512_amd64", Package: "batch",
		Build: func(ctx *build.Context) {
			for _, w := range Widths {
				k := kernel{ctx, w}
				k.multiplyMontgomery(truncated)
				k.multiplyMontgomery(full)
				k.reduceColumns(truncated)
				k.reduceColumns(full)
				k.multiply()
				k.squareColumns()
				k.gather()
			}
			lookupMasks(kernel{Context: ctx})
		},
	}
}
