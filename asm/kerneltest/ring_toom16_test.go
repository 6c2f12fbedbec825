package kerneltest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"residue/asm/internal/machine"
	"residue/asm/internal/x86"
)

// eachToom16 runs a test for every kernel.
func eachToom16(t *testing.T, f func(t *testing.T, c *toom16Check)) {
	t.Helper()
	for _, kernel := range slices.Sorted(maps.Keys(Toom16Kernels)) {
		if routines(t, kernel) == nil {
			continue
		}
		t.Run(kernel, func(t *testing.T) {
			l := newLab(t, kernel, Toom16MemoryBytes(toom16Polynomials))
			f(t, newToom16Check(NewToom16(l, kernel)))
			if !l.Public {
				aboutCPU(t, l)
			}
		})
	}
}

const toom16Polynomials = 3

// toom16Check is a Toom16 with room for operands and a result.
type toom16Check struct {
	*Toom16
	x, y, z machine.Span
}

func newToom16Check(t *Toom16) *toom16Check {
	return &toom16Check{t, t.Polynomial("x"), t.Polynomial("y"), t.Polynomial("z")}
}

// toom16Kinds are words: random ones, and extremes.
var toom16Kinds = []func(r *rand.Rand) int16{
	func(r *rand.Rand) int16 { return int16(r.Uint32()) },
	func(*rand.Rand) int16 { return -1 << 15 },
	func(*rand.Rand) int16 { return 1<<15 - 1 },
	func(*rand.Rand) int16 { return 1<<toom16Bits - 1 },
	func(r *rand.Rand) int16 { return int16(r.IntN(2)<<toom16Bits - 1<<(toom16Bits-1)) },
	func(r *rand.Rand) int16 { return int16(r.IntN(9) - 4) },
}

func toom16Polynomial(r *rand.Rand, kind int) []int16 {
	x := make([]int16, toom16Words)
	for i := range x {
		x[i] = toom16Kinds[kind](r)
	}
	return x
}

// toom16Product adds x·y modulo X²⁵⁶ + 1 to sum, by the schoolbook method modulo 2^64.
func toom16Product(sum []int64, x, y []int16) {
	for i, v := range x {
		for j, w := range y {
			if p := int64(v) * int64(w); i+j < len(x) {
				sum[i+j] += p
			} else {
				sum[i+j-len(x)] -= p
			}
		}
	}
}

// same returns an error unless z is what sum is modulo 2^13.
func (c *toom16Check) same(what string, sum []int64) error {
	for i, w := range c.WordsOf(c.z) {
		if want := sum[i] & (1<<toom16Bits - 1); int64(w) != want {
			return fmt.Errorf("%s: coefficient %d is %d, want %d", what, i, w, want)
		}
	}
	return nil
}

// evaluate sets both values.
func (c *toom16Check) evaluate(x, y []int16) error {
	c.SetWords(c.x, x)
	c.SetWords(c.y, y)
	if err := c.Evaluate(c.values[0], c.x); err != nil {
		return err
	}
	return c.Evaluate(c.values[1], c.y)
}

// product checks a product.
func (c *toom16Check) product(x, y []int16, inPlace bool) error {
	if err := c.evaluate(x, y); err != nil {
		return err
	}
	w := c.products
	if inPlace {
		w = c.values[0]
	}
	if err := c.Leaves(w, c.values[0], c.values[1]); err != nil {
		return err
	}
	if err := c.Interpolate(c.z, w); err != nil {
		return err
	}
	sum := make([]int64, toom16Words)
	toom16Product(sum, x, y)
	return c.same("product", sum)
}

// sums checks a sum of products, of products and of short ones.
func (c *toom16Check) sums(x, y [][]int16) error {
	sum := make([]int64, toom16Words)
	all := c.values[0]
	for j := range x {
		if err := c.evaluate(x[j], y[j]); err != nil {
			return err
		}
		if err := c.Product(c.values[0], c.values[1], j > 0); err != nil {
			return err
		}
		toom16Product(sum, x[j], y[j])
	}
	if err := c.Join(c.products); err != nil {
		return err
	}
	if err := c.Interpolate(c.z, c.products); err != nil {
		return err
	}
	if err := c.same("sum", sum); err != nil {
		return err
	}
	// Once more the last product.
	last := len(x) - 1
	if err := c.Leaves(all, c.values[0], c.values[1]); err != nil {
		return err
	}
	if err := c.Add(all, c.products); err != nil {
		return err
	}
	toom16Product(sum, x[last], y[last])
	if err := c.Interpolate(c.z, all); err != nil {
		return err
	}
	return c.same("sum and a product", sum)
}

// TestToom16 compares products and sums of them with the schoolbook method.
func TestToom16(t *testing.T) {
	eachToom16(t, func(t *testing.T, c *toom16Check) {
		r := rand.New(rand.NewPCG(164, 1))
		for kind := range toom16Kinds {
			for other := range kind + 1 {
				do(t, c.product(toom16Polynomial(r, kind), toom16Polynomial(r, other), other%2 == 0))
			}
		}
		for count := 1; count <= 3; count++ {
			var x, y [][]int16
			for i := range count {
				x, y = append(x, toom16Polynomial(r, 0)), append(y, toom16Polynomial(r, i))
			}
			do(t, c.sums(x, y))
		}
	})
}

// TestToom16Traces is TestTraces for Toom-Cook.
func TestToom16Traces(t *testing.T) {
	eachToom16(t, func(t *testing.T, c *toom16Check) {
		c.Public = true
		do(t, c.SameTraces(runs, func(run int) error {
			r := rand.New(rand.NewPCG(165, uint64(run)))
			x, y := toom16Polynomial(r, run), toom16Polynomial(r, run+1)
			return c.sums([][]int16{x, y}, [][]int16{y, y})
		}))
	})
}

// TestToom16Faults: routines with a fault do not do what sound ones do.
func TestToom16Faults(t *testing.T) {
	for _, kernel := range slices.Sorted(maps.Keys(Toom16Kernels)) {
		c := newToom16Check(NewToom16(newFaultyLab(t, kernel, Toom16MemoryBytes(toom16Polynomials)), kernel))
		for _, routine := range []struct {
			name   string
			from   []machine.Span
			to     machine.Span
			adding bool
			call   func() error
		}{
			{"Evaluate", []machine.Span{c.x}, c.values[0], false, func() error { return c.Evaluate(c.values[0], c.x) }},
			{"Leaves", c.values[:], c.products, false, func() error { return c.Leaves(c.products, c.values[0], c.values[1]) }},
			{"SetProducts", c.values[:], c.sum, false, func() error { return c.Product(c.values[0], c.values[1], false) }},
			{"AddProducts", c.values[:], c.sum, true, func() error { return c.Product(c.values[0], c.values[1], true) }},
			{"JoinProducts", []machine.Span{c.sum}, c.products, false, func() error { return c.Join(c.products) }},
			{"Add", c.values[:1], c.products, true, func() error { return c.Add(c.products, c.values[0]) }},
			{"Interpolate", []machine.Span{c.products}, c.z, false, func() error { return c.Interpolate(c.z, c.products) }},
		} {
			r := rand.New(rand.NewPCG(166, 1))
			var checks []func() error
			for range 2 {
				var words [][]int16
				for _, s := range append(routine.from, routine.to) {
					x := make([]int16, s.Len/2)
					for i := range x {
						x[i] = int16(r.Uint32())
					}
					words = append(words, x)
				}
				run := func() ([]int16, error) {
					for i, s := range routine.from {
						c.SetWords(s, words[i])
					}
					if routine.adding {
						c.SetWords(routine.to, words[len(words)-1])
					}
					err := routine.call()
					return c.WordsOf(routine.to), err
				}
				want, err := run()
				do(t, err)
				checks = append(checks, func() error {
					got, err := run()
					if err == nil && !slices.Equal(got, want) {
						err = errors.New("another result")
					}
					return err
				})
			}
			name := c.prefix + routine.name + "16"
			t.Run(name, func(t *testing.T) {
				limit(c.Lab, name, 8)
				checkFaults(t, c.Lab, name, checks, func(in x86.Inst, _ string) bool {
					// A register may have already what is copied into it.
					return (in.Op == x86.MOV || in.Op == x86.VMOVDQA64) && in.Args[0].Kind == x86.Register && in.Args[1].Kind == x86.Register
				})
			})
		}
	}
}
