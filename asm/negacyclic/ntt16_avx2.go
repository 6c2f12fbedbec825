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

// The vectors of the table that says how residues modulo p and q are put together, modulo 2^k:
// those of a ring up to avx2Small, and these.
const (
	avx2CombineInverse = 2 + iota // a constant, two vectors: 1/p
	_
	avx2CombineHalf  // (q − 1)/2
	avx2CombineFirst // p
	avx2CombineOff   // −p·(q − 1)/2
	avx2CombineMask  // 2^k − 1
	avx2CombineUp    // 2^(16−k)
	avx2CombineDown  // 2^k
)

// exact are the functions for products modulo 2^k by the primes p and q, for a q of moduli.
func (n *ntt16AVX2) exact(schedules map[string]schedule.Options) {
	n.function(schedules, "Centre16", "func(z, x, table *int16)", "sets z to x modulo 2^k as signed numbers, for 2 ≤ k < 15: high(x·2^(16−k)·2^k).")
	z, x := n.Pointer("z"), n.Pointer("x")
	up, down := n.Read(n.At(n.table, avx2CombineUp)), n.Read(n.At(n.table, avx2CombineDown))
	for i := range 2 * halfVectors {
		n.Write(n.Of(n.VPMULHW, down, n.Of(n.VPMULLW, n.At(x, i), up)), n.At(z, i))
	}
	n.End()

	n.function(schedules, "Combine16", "func(z, x, y, table *int16)", "sets z to what is x modulo p and y modulo q, residues, taken modulo 2^k. It is from −p·(q−1)/2 to p·(q−1)/2.")
	n.combine()
}

// combine returns x + p·d, where d = (y − x)/p modulo q is the one of least absolute value. It
// computes e = d + (q − 1)/2, in [0, q).
func (n *ntt16AVX2) combine() {
	z, x, y := n.Pointer("z"), n.Pointer("x"), n.Pointer("y")
	half := bounded{n.Read(n.At(n.table, avx2CombineHalf)), n.bound(func(q, _ int) int { return q / 2 })}
	for i := range 2 * halfVectors {
		v, w := n.read(n.At(x, i), n.below()), n.read(n.At(y, i), n.below()) // p < q
		inverse, companion := n.constant(n.table, avx2CombineInverse)
		e := n.belowTwice(n.add(n.times(n.sub(w, v), inverse, companion), half))
		c := n.Of(n.VPADDW, n.At(n.table, avx2CombineOff), v.Vec)
		c = n.Of(n.VPADDW, c, n.Of(n.VPMULLW, n.At(n.table, avx2CombineFirst), e))
		n.VPAND(n.At(n.table, avx2CombineMask), c, c)
		n.Write(c, n.At(z, i))
	}
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

func (n *ntt16AVX2) read(m operand.Mem, most []int) bounded { return bounded{n.Read(m), most} }

// first does layer 7 forward, of any words, and returns what is known of either half.
func (n *ntt16AVX2) first(z, x reg.Register) (half []bounded) {
	half = make([]bounded, halfVectors)
	w, companion := n.constant(n.table, avx2First)
	for i := range half {
		lo := n.read(n.At(x, i), n.all(anyWord))
		hi := n.read(n.At(x, halfVectors+i), n.all(anyWord))
		lo, hi = n.forward(lo, hi, w, companion)
		n.Write(lo.Vec, n.At(z, i))
		n.Write(hi.Vec, n.At(z, halfVectors+i))
		half[i] = lo
	}
	return half
}

// high does layers 6, 5 and 4 forward of a half.
func (n *ntt16AVX2) high(z reg.Register, known []bounded) []bounded {
	r := n.readHalf(z, known)
	n.layersForward(r, avx2ForwardHigh)
	n.writeHalf(r, z)
	return r
}

// low does layers 3, 2 and 1.
func (n *ntt16AVX2) low(z reg.Register, known []bounded) []bounded {
	r := n.readCrosswise(z, known)
	n.exchange(r)
	n.layersForward(r, avx2ForwardLow)
	return r
}

// transform sets z to the transform of x; end has the vectors of a half, in the order of the index, to be written by writeCrosswise.
func (n *ntt16AVX2) transform(end func(r []bounded)) {
	z, x := n.Pointer("z"), n.Pointer("x")
	known := n.first(z, x)
	n.eachHalf("high", func(at []reg.Register) { known = n.high(at[0], known) }, z)
	n.eachHalf("low", func(at []reg.Register) {
		r := n.low(at[0], known)
		end(r)
		n.exchange(r)
		n.writeCrosswise(r, at[0])
	}, z)
	n.End()
}

// The pairs of vectors that differ in the first, second or third of the bits.
var pairsOf = [][][2]int{
	{{0, 4}, {1, 5}, {2, 6}, {3, 7}},
	{{0, 2}, {1, 3}, {4, 6}, {5, 7}},
	{{0, 1}, {2, 3}, {4, 5}, {6, 7}},
}

// layersForward does three layers of a half, with the constants from one of the half's on.
func (n *ntt16AVX2) layersForward(r []bounded, constant int) {
	for layer, pairs := range pairsOf {
		for i, p := range pairs {
			w, companion := n.constant(n.half, constant+i>>(2-layer)*2)
			r[p[0]], r[p[1]] = n.forward(r[p[0]], r[p[1]], w, companion)
		}
		constant += 2 << layer
	}
}

// layersBack does the same three back.
func (n *ntt16AVX2) layersBack(r []bounded, constant int) {
	for layer := 2; layer >= 0; layer-- {
		for i, p := range pairsOf[layer] {
			w, companion := n.constant(n.half, constant+i>>(2-layer)*2)
			r[p[0]], r[p[1]] = n.back(r[p[0]], r[p[1]], w, companion)
		}
		constant += 2 << layer
	}
}

// exchange brings bits 2 and 1 of the index to the vectors, from where bits 5 and 4 go to the
// lanes, and puts vectors in the order of the bits 3, 2 and 1. It is its own reverse.
func (n *ntt16AVX2) exchange(r []bounded) {
	n.unpack(r, pairsOf[2], n.VPUNPCKLDQ, n.VPUNPCKHDQ)
	n.unpack(r, pairsOf[1], n.VPUNPCKLQDQ, n.VPUNPCKHQDQ)
	r[1], r[2], r[5], r[6] = r[2], r[1], r[6], r[5]
}

// unpack replaces the two vectors of pairs by what two instructions make of them.
func (n *ntt16AVX2) unpack(r []bounded, pairs [][2]int, low, high func(...operand.Op)) {
	for _, p := range pairs {
		v, w := r[p[0]], r[p[1]]
		most := largest([]bounded{v, w})
		r[p[0]], r[p[1]] = bounded{n.Of(low, w.Vec, v.Vec), most}, bounded{n.Of(high, w.Vec, v.Vec), most}
	}
}

// readHalf returns the words of a half, of which the vectors are known to have bounds.
func (n *ntt16AVX2) readHalf(x reg.Register, known []bounded) []bounded {
	r := make([]bounded, halfVectors)
	for i := range r {
		r[i] = n.read(n.At(x, i), known[i].most)
	}
	return r
}

func (n *ntt16AVX2) writeHalf(r []bounded, z reg.Register) {
	for i, v := range r {
		n.Write(v.Vec, n.At(z, i))
	}
}

// crosswise is where the two halves of vector i of a half are in memory, if the first bits of
// vectors and of lanes change places.
func (n *ntt16AVX2) crosswise(base reg.Register, i int) (lo, hi operand.Mem) {
	at := n.At(base, i&3)
	at.Disp += i >> 2 * lanes.AVX2 / 2
	return at, at.Offset(halfVectors / 2 * lanes.AVX2)
}

func (n *ntt16AVX2) readCrosswise(x reg.Register, known []bounded) []bounded {
	r := make([]bounded, halfVectors)
	for i := range r {
		lo, hi := n.crosswise(x, i)
		v, z := n.Vec(), n.Vec()
		n.VMOVDQU(lo, v.AsX())
		n.VINSERTI128(lanes.Imm(1), hi, v, z)
		r[i] = bounded{z, largest([]bounded{known[i&3], known[i&3+4]})}
	}
	return r
}

func (n *ntt16AVX2) writeCrosswise(r []bounded, z reg.Register) {
	for i, v := range r {
		lo, hi := n.crosswise(z, i)
		n.VMOVDQU(v.AsX(), lo)
		n.VEXTRACTI128(lanes.Imm(1), v.Vec, hi)
	}
}

// inverse sets z to the polynomial of x, of which words have a bound and were divided by R so
// often, and returns to the caller.
func (n *ntt16AVX2) inverse(z, x reg.Register, most []int, divided int) {
	known := make([]bounded, halfVectors)
	for i := range known {
		known[i].most = most
	}
	n.eachHalf("low", func(at []reg.Register) {
		r := n.readCrosswise(at[0], known)
		n.exchange(r)
		known = n.lowBack(r, at[1])
	}, x, z)
	n.highBack(z, known, divided)
	n.End()
}

// lowBack does layers 1, 2 and 3 back, and writes vectors in the order of bits 3, 5 and 4. Words
// come from all vectors into all vectors there, so that no bound is to be much larger than others.
func (n *ntt16AVX2) lowBack(r []bounded, z reg.Register) []bounded {
	n.layersBack(r, avx2BackLow)
	n.within(r, n.variant.settled)
	n.exchange(r)
	n.writeHalf(r, z)
	return r
}

// highBack does layers 4, 5 and 6 of both halves, and then layer 7, with which it divides by 2^7,
// and multiplies by R if that is to be made up for.
func (n *ntt16AVX2) highBack(z reg.Register, known []bounded, divided int) {
	n.eachHalf("highBack", func(at []reg.Register) {
		r := n.readCrosswise(at[0], known)
		n.layersBack(r, avx2BackHigh)
		n.writeHalf(r, at[0])
		known = r
	}, z)
	for i := range halfVectors {
		x := n.read(n.At(z, i), known[i].most)
		y := n.read(n.At(z, halfVectors+i), known[i].most)
		x, y = n.addable(x, y)
		w, companion := n.constant(n.table, avx2Scale+2*divided)
		n.Write(n.canonical(n.times(n.add(x, y), w, companion)), n.At(z, i))
		w, companion = n.constant(n.table, avx2Last+2*divided)
		n.Write(n.canonical(n.times(n.sub(x, y), w, companion)), n.At(z, halfVectors+i))
	}
}

// turned changes the two words of each doubleword.
func (n *ntt16AVX2) turned(v lanes.Vec) lanes.Vec { return n.Of(n.VPSHUFB, n.At(n.table, avx2Turn), v) }

// reduce divides doublewords by R modulo q: c0 for even words of the result, c1 for odd ones.
// With m = c/q mod R the low halves of c and m·q are the same, so c/R − m·q/R is the difference
// of the high ones. It is at most |c|/R + q/2.
func (n *ntt16AVX2) reduce(c0, c1 lanes.Vec) lanes.Vec {
	const odd = 0xaa
	words := func(even, other lanes.Vec) lanes.Vec {
		z := n.Vec()
		n.VPBLENDW(lanes.Imm(odd), other, even, z)
		return z
	}
	low := words(c0, n.Of(n.VPSLLD, lanes.Imm(16), c1))
	high := words(n.Of(n.VPSRLD, lanes.Imm(16), c0), c1)
	m := n.Of(n.VPMULLW, n.At(n.table, avx2Inverse), low)
	return n.Of(n.VPSUBW, n.Of(n.VPMULHW, n.q, m), high)
}

// reduced is a bound of what reduce makes of sums of so many products of residues, each of
// which is two of words of bounds.
func (n *ntt16AVX2) reduced(terms int, x, y []int) []int {
	return n.bound(func(q, i int) int {
		c := 2 * terms * x[i] * y[i]
		if c >= 1<<31 {
			panic("asm/negacyclic: a sum of products has more than 32 bits")
		}
		most := c>>16 + 1 + q/2 + 1
		if most > mostWord {
			panic("asm/negacyclic: a sum of products, reduced, has more than 16 bits")
		}
		return most
	})
}

// multiply multiplies polynomials: the transform of y is in scratch, and that of x where the
// result will be. No word of x or y is read after one of z has been written, but by the first
// layer of x, which reads what it writes.
func (n *ntt16AVX2) multiply() {
	z, x, y, scratch := n.Pointer("z"), n.Pointer("x"), n.Pointer("y"), n.Pointer("scratch")
	known := n.first(scratch, y)
	n.first(z, x)
	n.eachOf("highs", scratch, z, func(p reg.Register) {
		n.eachHalf("high", func(at []reg.Register) { known = n.high(at[0], known) }, p)
	})
	n.eachOf("lows", scratch, z, func(p reg.Register) {
		n.eachHalf("low", func(at []reg.Register) {
			known = n.low(at[0], known)
			n.writeHalf(known, at[0])
		}, p)
	})
	n.eachHalf("products", func(at []reg.Register) {
		r := n.readHalf(at[0], known)
		for i, v := range r {
			y := n.read(n.At(at[1], i), known[i].most)
			w, companion := n.constant(n.half, avx2Product+2*i)
			b := n.times(y, w, companion)
			c0, c1 := n.Of(n.VPMADDWD, b.Vec, v.Vec), n.Of(n.VPMADDWD, n.turned(y.Vec), v.Vec)
			r[i] = bounded{n.reduce(c0, c1), n.reduced(1, v.most, largest([]bounded{b, y}))}
		}
		known = n.lowBack(r, at[0])
	}, z, scratch)
	n.highBack(z, known, 1)
	n.End()
}

// factor prepares residues for products: b0 and γ·b1, which with a0 and a1 give even words of
// the product, and b1 and b0, which give odd ones.
func (n *ntt16AVX2) factor() {
	f, x := n.Pointer("f"), n.Pointer("x")
	for i := range 2 * halfVectors {
		v := n.read(n.At(x, i), n.below())
		w, companion := n.constant(n.table, avx2Gamma+2*i)
		n.Write(n.times(v, w, companion).Vec, n.At(f, 2*i))
		n.Write(n.turned(v.Vec), n.At(f, 2*i+1))
	}
	n.End()
}

// sum calls end for the vectors of a sum of products, reduced, with their places in z. x of the
// products are residues of any function here.
func (n *ntt16AVX2) sum(end func(v bounded, z operand.Mem)) (most []int) {
	const (
		vectors    = 4  // at a time: eight of sums
		sliceBytes = 24 // of a slice, which begins with its pointer
	)
	most = n.reduced(terms16AVX2, n.most, n.below())
	z, xs, fs, count := n.Pointer("z"), n.Pointer("x"), n.Pointer("f"), n.GP64()
	n.Load(n.Param("count"), count)
	offset := n.GP64() // in bytes, of a polynomial
	n.XORQ(offset, offset)
	n.Label("vectors")
	nextX, nextF, left, x, f := n.GP64(), n.GP64(), n.GP64(), n.GP64(), n.GP64()
	n.MOVQ(xs, nextX)
	n.MOVQ(fs, nextF)
	n.MOVQ(count, left)
	c := make([]lanes.Vec, 2*vectors)
	product := func(do func(i int, f operand.Mem, x lanes.Vec)) {
		n.MOVQ(operand.Mem{Base: nextX}, x)
		n.MOVQ(operand.Mem{Base: nextF}, f)
		n.ADDQ(operand.I32(sliceBytes), nextX)
		n.ADDQ(operand.I32(sliceBytes), nextF)
		n.ADDQ(offset, x)
		n.LEAQ(operand.Mem{Base: f, Index: offset, Scale: 2}, f)
		for i := range vectors {
			v := n.Read(n.At(x, i))
			do(2*i, n.At(f, 2*i), v)
			do(2*i+1, n.At(f, 2*i+1), v)
		}
	}
	product(func(i int, f operand.Mem, x lanes.Vec) { c[i] = n.Of(n.VPMADDWD, f, x) })
	n.DECQ(left)
	n.JZ(operand.LabelRef("summed"))
	n.Label("term")
	product(func(i int, f operand.Mem, x lanes.Vec) {
		n.VPADDD(n.Of(n.VPMADDWD, f, x), c[i], c[i])
	})
	n.DECQ(left)
	n.JNZ(operand.LabelRef("term"))
	n.Label("summed")
	for i := range vectors {
		end(bounded{n.reduce(c[2*i], c[2*i+1]), most}, operand.Mem{Base: z, Index: offset, Scale: 1, Disp: lanes.AVX2 * i})
	}
	n.ADDQ(operand.I32(vectors*lanes.AVX2), offset)
	n.CMPQ(offset, operand.I32(2*halfBytes))
	n.JNE(operand.LabelRef("vectors"))
	return most
}
