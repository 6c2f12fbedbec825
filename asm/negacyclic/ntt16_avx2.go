package negacyclic

import (
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/lanes"
	"residue/asm/internal/schedule"
)

// The transforms of 256 words of 16 bits in vectors of 16.
//
// A layer is a chain of twelve cycles, of which a core can do eight side by side if it sees
// them: it looks ahead no more than some hundred instructions. So what is independent stands
// close together. Words go through registers in four steps, and lie in the memory of the
// result in between: layer 7 by pairs of vectors; layers 6, 5 and 4 of either half; layers 3, 2
// and 1 of either half. A half is eight vectors, and a loop does both, with the constants of one
// behind those of the other.
//
// A word's index in its half has seven bits, 6 to 0. Three say in which vector it is, and four
// in which lane. For layers 3, 2 and 1 three bits change places with three others, so that all
// layers are butterflies of whole vectors:
//
//	vector   lanes
//	6 5 4    3 2 1 0    layers 6, 5, 4
//	3 5 4    6 2 1 0    the halves of vectors, on their way from memory
//	3 5 2    6 1 4 0    doublewords
//	3 1 2    6 5 4 0    quadwords; layers 3, 2, 1
//
// The two last steps, on the vectors that differ in bit 1 and in bit 2, lead back:
//
//	3 2 5    6 4 1 0    doublewords
//	3 4 5    6 2 1 0    quadwords
//	6 4 5    3 2 1 0    the halves of vectors, on their way to or from memory
//
// Bit 0 stays in the lanes: the two words of a residue are one doubleword.
type ntt16AVX2 struct {
	arithmetic
	variant variant16

	table reg.Register
	half  reg.Register // the same, and behind it what comes of the half that a loop is at
	most  []int        // a bound of residues, as Residues16 gives them
}

// variant16 is a set of routines for some moduli.
type variant16 struct {
	name   string
	moduli []int
	// settled is a limit of words before layer 4 back. They come from all vectors into all
	// vectors there, so a single large one would make all large.
	settled int
}

// variants16AVX2 are for all primes that are 1 modulo 256, up to 7681. A word holds 9.8 times
// 3329, and 4.3 times 7681, so that words must be made small more often.
var variants16AVX2 = []variant16{
	{"", []int{257, 769, 3329}, mostWord / 8},
	{"Wide", []int{7681}, mostWord / 4},
}

// exactModulus is the second prime of products modulo 2^k; 3329 is the first.
const exactModulus = 7681

// terms16AVX2 is how many products of residues a sum may have.
const terms16AVX2 = 4

// The vectors of the table of a ring; residue/negacyclic has the same. Constants have two: w
// and w/q (see arithmetic.times).
const (
	avx2Modulus = iota
	avx2Small
	avx2Inverse                                                // 1/q mod 2^16
	avx2Turn                                                   // what VPSHUFB takes to change the words of doublewords
	avx2R                                                      // R = 2^16
	avx2Scale       = avx2R + 2                                // 2^−7, and 2^−7·R for what was divided by R
	avx2Last        = avx2Scale + 2*2                          // the same times the constant of layer 7 back
	avx2First       = avx2Last + 2*2                           // of layer 7 forward
	avx2Gamma       = avx2First + 2                            // 1 and ±γ in turn, by the order of the index
	avx2Halves      = avx2Gamma + 2*2*halfVectors              // of each half:
	avx2ForwardHigh = avx2Halves                               // 7 constants of layers 6, 5, 4
	avx2ForwardLow  = avx2ForwardHigh + 2*threeLayers          // of layers 3, 2, 1
	avx2BackLow     = avx2ForwardLow + 2*threeLayers           // of layers 1, 2, 3
	avx2BackHigh    = avx2BackLow + 2*threeLayers              // of layers 4, 5, 6
	avx2Product     = avx2BackHigh + 2*threeLayers             // 1 and ±γ in turn, by the order after layer 1
	avx2HalfSize    = avx2Product + 2*halfVectors - avx2Halves // vectors of a half
	halfVectors     = 8                                        // of coefficients of a half
	threeLayers     = 1 + 2 + 4                                // constants
	halfBytes       = halfVectors * lanes.AVX2                 // of coefficients of a half
)

// NTT16AVX2 is the file of the transforms of 16-bit words for AVX2.
func NTT16AVX2() gofile.File {
	f := gofile.File{
		Dir: "negacyclic", Base: "ntt16_avx2_amd64", Package: "negacyclic",
		Schedule: map[string]schedule.Options{},
	}
	f.Build = func(ctx *build.Context) {
		all := &ntt16AVX2{}
		all.Program = &lanes.Program{Context: ctx, Bytes: lanes.AVX2}
		for _, v := range variants16AVX2 {
			n := &ntt16AVX2{variant: v, arithmetic: arithmetic{Program: all.Program, moduli: v.moduli}}
			n.transforms(f.Schedule)
			if slices.Contains(v.moduli, exactModulus) {
				one := *n
				one.moduli, one.variant.name = []int{exactModulus}, ""
				one.exact(f.Schedule)
			}
			all.moduli, all.most = append(all.moduli, n.moduli...), append(all.most, n.most...)
		}
		all.products(f.Schedule)
	}
	return f
}

// function starts a function and loads what all need.
func (n *ntt16AVX2) function(schedules map[string]schedule.Options, name, signature, doc string) {
	name = "avx2" + name + n.variant.name
	n.Function(name)
	n.SignatureExpr(signature)
	n.Pragma("noescape")
	n.Doc(name + " " + doc)
	n.table, n.half = n.Pointer("table"), n.GP64()
	n.q = n.Read(n.At(n.table, avx2Modulus))
	n.small = n.At(n.table, avx2Small)
	schedules[name] = schedule.Options{
		Live: map[reg.Kind]int{reg.KindVector: 16, reg.KindGP: 13},
		Load: 1, Private: []reg.Register{n.table, n.half},
	}
}

// transforms are the functions that make words small where the moduli need it.
func (n *ntt16AVX2) transforms(schedules map[string]schedule.Options) {
	const unary = "func(z, x, table *int16)"

	n.function(schedules, "Forward16", unary, "sets z to the transform of x in the order of FIPS 203, residues in [0, q).")
	n.transform(func(r []bounded) {
		for i, v := range r {
			r[i].Vec = n.canonical(n.makeSmall(v))
		}
	})

	n.function(schedules, "Residues16", unary, "sets z to the transform of x in the order of FIPS 203, words that need not be in [0, q).")
	n.transform(func(r []bounded) { n.most = largest(r) })

	n.function(schedules, "Inverse16", unary, "sets z to the polynomial of which x, in the order of FIPS 203, is the transform, in [0, q).")
	z, x := n.Pointer("z"), n.Pointer("x")
	n.inverse(z, x, n.below(), 0)

	n.function(schedules, "Row16", sums16, "sets z to the polynomial of the sum of the count products of x and f, in [0, q).")
	most := n.sum(func(v bounded, z operand.Mem) { n.Write(v.Vec, z) })
	n.inverse(n.Pointer("z"), n.Pointer("z"), most, 1)

	n.function(schedules, "Mul16", "func(z, x, y, scratch, table *int16)", "sets z to x·y, polynomials, in [0, q). scratch is 256 words.")
	n.multiply()
}

const sums16 = "func(z *int16, x, f *[]int16, count int, table *int16)"

// products are the functions that are the same for all moduli.
func (n *ntt16AVX2) products(schedules map[string]schedule.Options) {
	n.function(schedules, "Factor16", "func(f, x, table *int16)", "sets f, of 512 words, to the factor of x, residues in [0, q). In place of 16 words of x it has as many for the products that give even words, and then those for odd ones.")
	n.factor()

	times := func(v bounded) bounded {
		w, companion := n.constant(n.table, avx2R)
		return n.times(v, w, companion)
	}
	n.function(schedules, "Sum16", sums16, "sets z to the sum of the count products of x and f, residues in [0, q).")
	n.sum(func(v bounded, z operand.Mem) { n.Write(n.canonical(times(v)), z) })
	n.End()

	n.function(schedules, "AddSum16", sums16, "adds the sum of the count products of x and f to z, residues in [0, q).")
	n.sum(func(v bounded, z operand.Mem) {
		n.Write(n.belowTwice(n.add(times(v), n.read(z, n.below()))), z)
	})
	n.End()
}

// constant returns the places of w and w/q of a constant.
func (n *ntt16AVX2) constant(base reg.Register, vector int) (w, companion operand.Mem) {
	return n.At(base, vector), n.At(base, vector+1)
}

// eachHalf does f for either half, with a pointer to that of each polynomial.
func (n *ntt16AVX2) eachHalf(label string, f func(at []reg.Register), polynomials ...reg.Register) {
	n.Load(n.Param("table"), n.half)
	var at []reg.Register
	for _, p := range polynomials {
		half := n.GP64()
		n.MOVQ(p, half)
		at = append(at, half)
	}
	left := n.twice(label)
	f(at)
	n.ADDQ(operand.I32(avx2HalfSize*lanes.AVX2), n.half)
	for _, p := range at {
		n.ADDQ(operand.I32(halfBytes), p)
	}
	n.again(label, left)
}

// eachOf does f with a pointer p to both polynomials.
func (n *ntt16AVX2) eachOf(label string, x, y reg.Register, f func(p reg.Register)) {
	p := n.GP64()
	n.MOVQ(x, p)
	left := n.twice(label)
	f(p)
	n.MOVQ(y, p)
	n.again(label, left)
}

// twice begins a loop that is done twice, and again ends it.
func (n *ntt16AVX2) twice(label string) (left reg.GPVirtual) {
	left = n.GP64()
	n.MOVQ(operand.U32(2), left)
	n.Label(label)
	return left
}

func (n *ntt16AVX2) again(label string, left reg.GPVirtual) {
	n.DECQ(left)
	n.JNZ(operand.LabelRef(label))
}
