package kerneltest

import (
	"fmt"
	"math/big"
	"slices"

	"residue/asm/internal/ports"
)

// Operations are the names that Operation takes.
var Operations = []string{"mulmont", "sqrmont", "redc", "mul", "sqr", "gather"}

// Operation returns what executes an operation of the kernel once, on zeros. form is
// "" for truncated reductions and "Full" for the others; block is the number of
// digits of the quotient that are found at once, and entries the length of the table
// of a gather.
func (b *Batch) Operation(name, form string, block, entries int) (func() error, error) {
	s := b.Limbs
	zeros := func(what string, limbs int) Ints {
		x := b.Ints(what, limbs)
		b.Set(x, each(b.Lanes, func(int) *big.Int { return new(big.Int) }), noLitter)
		return x
	}
	x, z, wide := zeros("x", s), b.Ints("z", s), zeros("wide", 2*s)
	switch name {
	case "mulmont":
		if block > 1 {
			return func() error { return b.MulMontBlocks(form, block, z, x, x) }, nil
		}
		return func() error { return b.MulMont(form, z, x, x) }, nil
	case "sqrmont":
		if block > 1 {
			return func() error { return b.SqrMontBlocks(form, block, z, x) }, nil
		}
		return func() error { return b.SqrMont(form, z, x, 1) }, nil
	case "redc":
		return func() error { return b.Redc(form, z, wide) }, nil
	case "mul":
		return func() error { return b.Mul(wide, x, x) }, nil
	case "sqr":
		return func() error { return b.Sqr(wide, x) }, nil
	case "gather":
		table, index := zeros("table", entries*s), zeros("index", 1)
		return func() error { return b.Gather(z, table, index) }, nil
	}
	return nil, fmt.Errorf("kerneltest: no operation %q", name)
}

// each returns f(lane) for every lane.
func each(lanes int, f func(lane int) *big.Int) (vs []*big.Int) {
	for lane := range lanes {
		vs = append(vs, f(lane))
	}
	return vs
}

// Tally executes something and returns the instructions that were executed.
func (l *Lab) Tally(run func() error) (*ports.Tally, error) {
	var counted []ports.Counted
	before := map[*Routine][]int{}
	for _, r := range l.Routines {
		before[r] = slices.Clone(r.Runs)
	}
	if err := run(); err != nil {
		return nil, err
	}
	for r, b := range before {
		runs := slices.Clone(r.Runs)
		for i := range runs {
			runs[i] -= b[i]
		}
		counted = append(counted, ports.Counted{Insts: r.Insts, Runs: runs})
	}
	return ports.Count(counted), nil
}
