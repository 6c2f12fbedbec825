//go:build amd64 && !purego

package barrett

import (
	"residue/barrett/internal/folding"
	"residue/batch"
	"residue/internal/cpu"
)

func init() {
	linearNamed[cpu.IFMA512] = &assembly{batch.Lanes, ifma512Add, ifma512Sub, ifma512ShiftLeft, ifma512ShiftRight}
	linearNamed[cpu.IFMA256] = &assembly{batch.Lanes / 2, ifma256Add, ifma256Sub, ifma256ShiftLeft, ifma256ShiftRight}
}

// The routines see numbers as pointers to the first lane of a pass.
type (
	ifmaSum   func(z, x, y *uint64, where uint64, digits, rest int) uint64
	ifmaShift func(z, x, count *uint64, digits int)
)

// assembly is linear in assembly, for registers of so many lanes: with four, eight
// numbers take two passes.
type assembly struct {
	lanes       int
	plus, less  ifmaSum
	left, right ifmaShift
}

func (a *assembly) add(z, x, y []batch.Vector, where folding.Bits) folding.Bits {
	return a.passes(a.plus, z, x, y, where)
}

func (a *assembly) sub(z, x, y []batch.Vector, where folding.Bits) folding.Bits {
	return a.passes(a.less, z, x, y, where)
}

func (a *assembly) passes(f ifmaSum, z, x, y []batch.Vector, where folding.Bits) (carries folding.Bits) {
	x, rest := x[:len(z)], len(z)-len(y)
	for l := 0; l < batch.Lanes; l += a.lanes {
		c := f(&z[0][l], &x[0][l], &y[0][l], uint64(where>>l), len(y), rest)
		carries |= folding.Bits(c) << l
	}
	return carries
}

func (a *assembly) shiftLeft(z, x []batch.Vector, count *batch.Vector) {
	a.shift(a.left, z, x, count)
}

func (a *assembly) shiftRight(z, x []batch.Vector, count *batch.Vector) {
	a.shift(a.right, z, x, count)
}

func (a *assembly) shift(f ifmaShift, z, x []batch.Vector, count *batch.Vector) {
	x = x[:len(z)]
	for l := 0; l < batch.Lanes; l += a.lanes {
		f(&z[0][l], &x[0][l], &count[l], len(z))
	}
}
