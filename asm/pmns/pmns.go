// Package pmns generates the AVX512-IFMA kernels of residue/pmns: products of
// polynomials of degree below n modulo Xⁿ − 2, with coefficients of s words of 52 bits,
// and their Montgomery reduction by powers of two.
//
// Word μ of all coefficients is a row of n̄ = ⌈n/8⌉ vectors. Nothing is ever carried
// from lane to lane. A product is a sum over the coefficients i and words m of x: word m
// of coefficient i times X^i·y mod Xⁿ − 2, whose words are rows as well; see rows.go. The
// steps are
//
//  1. C = x·y mod Xⁿ − 2, its low words first, then the high ones (kernel.go),
//  2. Q = C·M′ mod (Xⁿ − 2, φ) with φ = 2^52s: low words,
//  3. the words from s on of C + Q·M, and what is carried into them.
//
// What a reader needs to know first is in docs/algorithms.md, "PMNS".
package pmns

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/ifma"
	"residue/asm/internal/schedule"
)

// Set says how the polynomials of a kernel look.
type Set struct {
	Coefficients int // n
	Words        int // s, of a coefficient
}

// Sets are those that the product has kernels for.
var Sets = []Set{{7, 3}, {8, 4}, {7, 6}, {8, 8}, {8, 10}, {8, 11}, {8, 15}, {8, 20}, {15, 6}, {21, 8}}

// vectors is the number of vectors of a row, n̄.
func (s Set) vectors() int { return (s.Coefficients + ifma.Lanes - 1) / ifma.Lanes }

// rowVectors is the number of vectors of a row that can be read from any of its
// coefficients on: see rows.go.
func (s Set) rowVectors() int {
	return (s.Coefficients + ifma.Lanes*s.vectors() + ifma.Lanes - 1) / ifma.Lanes
}

// withoutLoops says whether a kernel is straight-line code, which is faster as long as
// it fits the caches of instructions.
func (s Set) withoutLoops() bool { return s.Coefficients*s.Words*s.Words <= 7*6*6 }

// inHalves says whether there is a kernel that multiplies by Karatsuba's method.
func (s Set) inHalves() bool { return s.Words >= 8 && s.vectors() == 1 }

// Files returns the programs.
func Files() []gofile.File {
	f := gofile.File{
		Dir: "pmns", Base: "kernel_ifma512_amd64", Package: "pmns",
		Schedule: map[string]schedule.Options{},
	}
	f.Build = func(ctx *build.Context) {
		add := func(square bool, k kernel) {
			k.Operation = &ifma.Operation{Program: &ifma.Program{Context: ctx}, Square: square}
			k.multiply()
			f.Schedule[k.name()] = k.schedule()
		}
		for _, s := range Sets {
			add(false, kernel{Set: s})
			add(true, kernel{Set: s})
			add(false, kernel{Set: s, full: true})
			if s.inHalves() {
				add(false, kernel{Set: s, karatsuba: true})
			}
			p := &ifma.Program{Context: ctx}
			p.Gather(fmt.Sprintf("ifma512Gather%dx%d", s.Coefficients, s.Words), s.Words*s.vectors())
		}
	}
	return []gofile.File{f}
}

// schedule is how a kernel's instructions are put in order.
func (k *kernel) schedule() schedule.Options {
	opt := schedule.Options{
		Window: 30,
		Live:   map[reg.Kind]int{reg.KindVector: 32, reg.KindOpmask: 7, reg.KindGP: 12},
		Load:   1,
	}
	if k.withoutLoops() {
		opt.Window = 300
		opt.Live[reg.KindVector] = 28
		opt.Private = []reg.Register{k.Constants, k.Work}
	}
	return opt
}
