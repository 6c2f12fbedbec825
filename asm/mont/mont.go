// Package mont generates the AVX512-IFMA kernels of residue/mont: one number, its
// digits across the lanes of vectors.
//
// A number is V vectors of eight digits, digit i in lane i mod 8 of vector i/8, and
// R = β^8V. A Montgomery product has the five steps of the truncated algorithm on
// whole numbers:
//
//  1. the product C = x·y (product.go),
//  2. the carries of its low half (carry.go),
//  3. the quotient Q = C·N′ mod R (rows.go), and its carries,
//  4. the columns from 8V on of C + Q·N, and the carry into them (rows.go),
//  5. the carries of the result (carry.go).
//
// straight.go puts them together for short numbers and looped.go for long ones. What
// a reader needs to know first is in docs/algorithms.md, "One number across the
// lanes".
package mont

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/ifma"
	"residue/asm/internal/schedule"
)

// Shape is the form of the numbers that a kernel is made for.
type Shape struct {
	Vectors int // V
	Bits    int // of a digit: β = 2^Bits
	Digits  int // that can be other than zero in an operand, at most 8V
}

// Shapes are those that the product has kernels for. A modulus of n bits takes the
// first with n + 2 ≤ Bits·Digits, or n + 3 if digits are not exact.
//
// Numbers of up to eight vectors have narrow digits, which saves the ripple of
// carries, except where 2048 bits would need a sixth vector for it. Straight-line
// code spends nothing on digits that a common size does not need.
var Shapes = []Shape{
	{1, slackBits, 8},
	{2, slackBits, 16},
	{3, slackBits, 21},
	{4, slackBits, 32},
	{5, exactBits, 40},
	{6, slackBits, 48},
	{7, slackBits, 56},
	{8, slackBits, 64},
	{9, exactBits, 72},
	{10, exactBits, 80},
	{12, exactBits, 96},
	{15, exactBits, 120},
	{18, exactBits, 144},
	{20, exactBits, 160},
}

// The widths of digits. Exact ones fill what a madd reads of an operand. Others leave
// room for a carry and for a doubling, so that neither needs to be resolved: a digit
// is then below 2^50 + 2^13.
const (
	exactBits = maddBits
	slackBits = maddBits - 2
)

func (s Shape) exact() bool { return s.Bits == exactBits }

// withoutLoops says whether a kernel is straight-line code. That is faster as long as the code of
// an exponentiation fits the caches of instructions.
func (s Shape) withoutLoops() bool { return s.Vectors <= 5 }

// Files returns the programs.
func Files() []gofile.File {
	f := gofile.File{
		Dir: "mont", Base: "kernel_ifma512_amd64", Package: "mont",
		Schedule: map[string]schedule.Options{},
	}
	f.Build = func(ctx *build.Context) {
		for _, s := range Shapes {
			for _, square := range []bool{false, true} {
				k := &kernel{&ifma.Operation{Program: &ifma.Program{Context: ctx}, Square: square}, s}
				if s.withoutLoops() {
					k.straight()
				} else {
					k.looped()
				}
				f.Schedule[k.name(k.operation())] = k.schedule()
			}
			p := &ifma.Program{Context: ctx}
			p.Gather(s.name("Gather"), s.Vectors)
		}
	}
	return []gofile.File{f}
}

// schedule is how a kernel's instructions are put in order. A window of more than
// these brings nothing more, and loops of long numbers little: there the core itself
// looks far enough ahead.
func (k *kernel) schedule() schedule.Options {
	opt := schedule.Options{
		Window: 30,
		Live:   map[reg.Kind]int{reg.KindVector: 28, reg.KindOpmask: 7, reg.KindGP: 12},
		Load:   1,
	}
	if k.withoutLoops() {
		opt.Window = 200
		opt.Private = []reg.Register{k.Constants, k.Work}
	}
	return opt
}
