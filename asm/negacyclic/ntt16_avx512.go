package negacyclic

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/lanes"
	"residue/asm/internal/schedule"
)

// The transforms of 256 words of 16 bits in eight vectors of 32.
//
// A word's index has eight bits. Three say in which vector it is: x, y, z, so that vector
// 4x + 2y + z has it. Five say in which lane: l4 … l0. At first x, y, z are bits 7, 6, 5 of
// the index, and a layer on one of those is a butterfly of whole vectors. Then a bit that is
// done with changes places with one that is in the lanes:
//
//	layers      x y z   l4 l3 l2 l1 l0
//	7, 6, 5     7 6 5    4  3  2  1  0
//	4           4 6 5    7  3  2  1  0    halves: x ↔ l4
//	3           4 3 5    6  7  2  1  0    quarters: y → l4 → l3 → y
//	2           4 3 2    6  7  5  1  0    quadwords: z ↔ l2
//	1           1 3 2    6  7  5  4  0    doublewords: x ↔ l1
//
// What follows brings the residues into the order of FIPS 203, which is that of the index:
//
//	5 3 2    6  7  4  1  0    x → l1 → l2 → x
//	5 3 4    6  7  2  1  0    z ↔ l2
//	5 7 4    3  6  2  1  0    y → l4 → l3 → y
//	5 7 6    4  3  2  1  0    z → l4 → l3 → z
//
// The way back goes
//
//	            5 7 6    4  3  2  1  0
//	            5 3 6    7  4  2  1  0    y → l4 → l3 → y
//	            5 3 4    6  7  2  1  0    z → l4 → l3 → z
//	            5 3 2    6  7  4  1  0    z ↔ l2
//	1           1 3 2    6  7  5  4  0    x → l2 → l1 → x
//	2           4 3 2    6  7  5  1  0    x ↔ l1
//	3           4 3 5    6  7  2  1  0    z ↔ l2
//	4           4 6 5    3  7  2  1  0    y ↔ l4
//	5, 6, 7     7 6 5    4  3  2  1  0    x → l4 → l3 → x
type ntt16 struct {
	*lanes.Program
	plan plan16

	table  reg.Register
	q      lanes.Vec
	masks  map[uint32]reg.Register
	labels int
	offset bool // operands of sums are at an offset, which is a parameter
}

// plan16 says before which layers forward, and after which ones back, words are made small, in
// the half that a layer does not multiply. They count from 0 in the order in which they are done.
// Before the first layer forward it is always done.
type plan16 struct {
	name          string
	again, sparse []int
}

// plans16 are for q up to 3329 and up to 7681; the proof is in negacyclic/ntt16.go.
var plans16 = []plan16{
	{"", nil, []int{0, 3}},
	{"Wide", []int{5}, []int{0, 2, 4}},
}

// The vectors of the table of a ring. Constants have two: w and w'.
const (
	modulus16 = iota
	small16
	negInverse16 // −1/q mod 2^16 in even words, and 0 in odd ones
	inverse16    // 1/q mod 2^16
	forward16    // 23 constants, in the order in which they are used; back all but the last
	back16       = forward16 + 2*constants16
	scale16      = back16 + 2*(constants16-1) // 2^−7, and for what was divided by R
	last16       = scale16 + 2*2              // with it the constant of the last layer back, likewise
	gamma16      = last16 + 2*2               // 1 and ±γ in turn, for every vector before layer 1 back
	gammaR16     = gamma16 + 2*vectors16      // R and ±γ·R in turn, in the order of FIPS 203
	unit16       = gammaR16 + 2*vectors16     // R
	centre16     = unit16 + 2                 // 2^(16−k) and 2^k, for products modulo 2^k
	first16      = centre16 + 2               // with 2^(k−16), the constant of the first layer forward
	constants16  = 1 + 2 + 4 + 4*4
	vectors16    = 8
)

// NTT16AVX512 is the file of the transforms of 16-bit words for AVX-512.
func NTT16AVX512() gofile.File {
	f := gofile.File{
		Dir: "negacyclic", Base: "ntt16_avx512_amd64", Package: "negacyclic",
		Schedule: map[string]schedule.Options{},
	}
	f.Build = func(ctx *build.Context) {
		for _, plan := range plans16 {
			n := &ntt16{Program: &lanes.Program{Context: ctx, Bytes: lanes.AVX512}, plan: plan}
			n.transforms(f.Schedule)
		}
		n := &ntt16{Program: &lanes.Program{Context: ctx, Bytes: lanes.AVX512}}
		n.products(f.Schedule)
	}
	return f
}

// begin starts a function and loads what all need.
func (n *ntt16) begin(schedules map[string]schedule.Options, name, signature, doc string) {
	name = "avx512" + name
	n.Function(name)
	n.SignatureExpr(signature)
	n.Pragma("noescape")
	n.Doc(name + " " + doc)
	n.table = n.Pointer("table")
	n.q = n.Read(n.At(n.table, modulus16))
	n.masks = map[uint32]reg.Register{}
	schedules[name] = schedule.Options{
		Live: map[reg.Kind]int{reg.KindVector: 30, reg.KindOpmask: 7, reg.KindGP: 13},
		Load: 1, Private: []reg.Register{n.table},
	}
}

// mask returns a mask that is set where it is first used.
func (n *ntt16) mask(bits uint32) reg.Register {
	if n.masks[bits] == nil {
		k, r := n.K(), n.GP32()
		n.MOVL(operand.U32(bits), r)
		n.KMOVD(r, k)
		n.masks[bits] = k
	}
	return n.masks[bits]
}

// The masks: of doublewords, and of words.
const (
	evenMask = 0x5555
	oddMask  = 0xaaaa
	oddWords = 0xaaaaaaaa
)

// transforms are the functions that depend on the plan.
func (n *ntt16) transforms(schedules map[string]schedule.Options) {
	const unary = "func(z, x, table *int16)"
	p := n.plan.name
	n.begin(schedules, "Forward16"+p, unary, "sets z to the transform of x in the order of FIPS 203, residues in [0, q).")
	r := n.read("x")
	n.forward(r)
	n.toOrder(r)
	for i, v := range r {
		r[i] = n.canonical(n.small(v))
	}
	n.writeOrder(r, "z")

	n.begin(schedules, "Residues16"+p, unary, "sets z to the transform of x in the order of the vectors, words that need not be in [0, q).")
	r = n.read("x")
	n.forward(r)
	n.write(r, "z")

	n.begin(schedules, "Inverse16"+p, unary, "sets z to the polynomial of which x, in the order of FIPS 203, is the transform, in [0, q).")
	r = n.readOrder("x")
	n.fromOrder(r)
	n.back(r, 0)
	n.write(r, "z")

	n.begin(schedules, "Row16"+p, "func(z *int16, x, f *[]int16, count int, table *int16)", "sets z to the polynomial of the sum of the count products of x and f, in [0, q).")
	r = fromVectors(n.sum())
	n.fromOrder(r)
	n.back(r, 0)
	n.write(r, "z")

	n.begin(schedules, "ThreeResidues16"+p, "func(z, x0, x1, x2, table *int16)", "is Residues16 of three, one behind the other in z.")
	var all []lanes.Vec
	for i := range 3 {
		r := n.read(fmt.Sprint("x", i))
		n.forward(r)
		all = append(all, r...)
	}
	n.write(all, "z")

	n.begin(schedules, "ThreeRows16"+p, threeRows, "is Row16 of three, with the same f for all; x follow those of the row before.")
	rows := n.sums("f")
	for i := range rows {
		rows[i] = fromVectors(rows[i])
		n.fromOrder(rows[i])
		n.back(rows[i], 0)
	}
	n.writeRows(rows)

	n.begin(schedules, "PreparedRow16"+p, "func(z *int16, x, f *[]int16, count int, table *int16)", "sets z to the polynomial of the sum of the count products of x, in the order of the vectors, and prepared f, in [0, q).")
	r = n.sum()
	n.back(r, 1)
	n.write(r, "z")

	n.begin(schedules, "ThreePreparedRows16"+p, threeRows, "is PreparedRow16 of three, with the same x for all; f follow those of the row before.")
	rows = n.sums("x")
	for _, r := range rows {
		n.back(r, 1)
	}
	n.writeRows(rows)

	if p == "Wide" {
		n.exact(schedules)
	}

	n.begin(schedules, "Mul16"+p, "func(z, x, y, table *int16)", "sets z to x·y, polynomials, in [0, q).")
	r = n.read("x")
	n.product(r, n.read("y"), n.forward)
	n.back(r, 1)
	n.write(r, "z")
}

// threeRows is the signature of functions of three rows at once.
const threeRows = "func(z0, z1, z2 *int16, x, f *[]int16, count int, table *int16)"

func (n *ntt16) writeRows(rows [3][]lanes.Vec) {
	for i, r := range rows {
		n.WriteAll(r, n.Pointer(fmt.Sprint("z", i)))
	}
	n.End()
}

// product replaces the polynomial r by the transform of its product with s, divided by R.
func (n *ntt16) product(r, s []lanes.Vec, transform func([]lanes.Vec)) {
	transform(r)
	transform(s)
	for i := range r {
		b := n.times(s[i], gamma16+2*i)
		r[i] = n.reduce(n.Of(n.VPMADDWD, b, r[i]), n.Of(n.VPMADDWD, n.turned(s[i]), r[i]))
	}
}

// products are the functions that do not.
func (n *ntt16) products(schedules map[string]schedule.Options) {
	n.begin(schedules, "Factor16", "func(f, x, table *int16)", "sets f to the factor of x, residues in [0, q). In place of 32 words of x it has as many for the products that give even words, and then those for odd ones.")
	x, f := n.Pointer("x"), n.Pointer("f")
	for i := range vectors16 {
		v := n.Read(n.At(x, i))
		n.Write(n.times(v, gammaR16+2*i), n.At(f, 2*i))
		n.Write(n.turned(n.times(v, unit16)), n.At(f, 2*i+1))
	}
	n.End()

	n.begin(schedules, "Prepare16", "func(f, x, table *int16)", "sets f to the factor of x, residues in [0, q), in the order of the vectors. Products with it are divided by R.")
	r := n.readOrder("x")
	n.fromOrder(r)
	f = n.Pointer("f")
	for i, v := range r {
		n.Write(n.times(v, gamma16+2*i), n.At(f, 2*i))
		n.Write(n.turned(v), n.At(f, 2*i+1))
	}
	n.End()

	n.begin(schedules, "Sum16", "func(z *int16, x, f *[]int16, count int, table *int16, keep int)", "sets z to the sum of the count products of x and f, and of z if keep is −1 and not 0, residues in [0, q).")
	sum := n.sum()
	z, keep := n.Pointer("z"), n.Vec()
	k := n.GP64()
	n.Load(n.Param("keep"), k)
	n.VPBROADCASTD(k.As32(), keep)
	for i, v := range sum {
		old := n.Of(n.VPANDD, n.At(z, i), keep)
		n.Write(n.canonical(n.small(n.Of(n.VPADDW, old, v))), n.At(z, i))
	}
	n.End()
}

// read returns a polynomial of coefficients.
func (n *ntt16) read(name string) []lanes.Vec { return n.ReadAll(n.Pointer(name), vectors16) }

// write writes a polynomial of coefficients and returns to the caller.
func (n *ntt16) write(r []lanes.Vec, name string) {
	n.WriteAll(r, n.Pointer(name))
	n.End()
}

// inOrder is the vector in memory that has x, y, z for bits 5, 7, 6 of the index.
func inOrder(register int) int {
	x, y, z := register>>2, register>>1&1, register&1
	return 4*y + 2*z + x
}

// fromVectors returns vectors in the order of FIPS 203 by their x, y, z.
func fromVectors(m []lanes.Vec) []lanes.Vec {
	r := make([]lanes.Vec, len(m))
	for i := range r {
		r[i] = m[inOrder(i)]
	}
	return r
}

func (n *ntt16) readOrder(name string) []lanes.Vec { return fromVectors(n.read(name)) }

func (n *ntt16) writeOrder(r []lanes.Vec, name string) { n.write(toVectors(r), name) }

// toVectors is the reverse of fromVectors.
func toVectors(r []lanes.Vec) []lanes.Vec {
	m := make([]lanes.Vec, len(r))
	for i, v := range r {
		m[inOrder(i)] = v
	}
	return m
}

// add returns a + b, and sub returns a − b.
func (n *ntt16) add(a, b operand.Op) lanes.Vec { return n.Of(n.VPADDW, b, a) }
func (n *ntt16) sub(a, b operand.Op) lanes.Vec { return n.Of(n.VPSUBW, b, a) }

// times multiplies by a constant of the table.
func (n *ntt16) times(b lanes.Vec, constant int) lanes.Vec {
	high := n.Of(n.VPMULHW, n.At(n.table, constant), b)
	low := n.Of(n.VPMULLW, n.At(n.table, constant+1), b)
	return n.sub(high, n.Of(n.VPMULHW, n.q, low))
}

// small makes any words small.
func (n *ntt16) small(v lanes.Vec) lanes.Vec {
	return n.sub(v, n.Of(n.VPMULLW, n.q, n.Of(n.VPMULHRSW, n.At(n.table, small16), v)))
}

// canonical brings words of (−q, q) into [0, q): as unsigned words, v + q is the smaller of
// v and v + q if v is negative.
func (n *ntt16) canonical(v lanes.Vec) lanes.Vec {
	return n.Of(n.VPMINUW, n.add(v, n.q), v)
}

// turned changes the two words of each pair.
func (n *ntt16) turned(v lanes.Vec) lanes.Vec { return n.Of(n.VPROLD, lanes.Imm(16), v) }

// reduce divides doublewords by R modulo q: c0 for even words of the result, c1 for odd ones.
// With m = −c/q mod R in the low word, the low word of c + m·q is zero.
func (n *ntt16) reduce(c0, c1 lanes.Vec) lanes.Vec {
	for _, c := range []lanes.Vec{c0, c1} {
		n.VPDPWSSD(n.q, n.Of(n.VPMULLW, n.At(n.table, negInverse16), c), c)
	}
	return n.Of(n.VPBLENDMW, c1, n.Of(n.VPSRLD, lanes.Imm(16), c0), n.mask(oddWords))
}
