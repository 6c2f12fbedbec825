package negacyclic

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/lanes"
	"residue/asm/internal/schedule"
)

// The transforms of 256 words of 16 bits in vectors of 16.
//
// The first layer forward is done from memory to memory. It leaves two halves of 128 words,
// which go through the other layers one after the other, each in eight vectors: a loop, with
// the constants of a half behind those of the other.
//
// A word's index in its half has seven bits, 6 to 0. Three say in which vector it is, and four
// in which lane. Layers 6, 5 and 4 are butterflies of whole vectors; then three bits change
// places with three others, and layers 3, 2 and 1 are butterflies of whole vectors as well:
//
//	vector   lanes
//	6 5 4    3 2 1 0
//	3 5 4    6 2 1 0    the halves of two vectors
//	3 5 2    6 1 4 0    doublewords
//	3 1 2    6 5 4 0    quadwords
//
// The two of the last steps undo each other the other way round, and change what is to be where
// the bits were. So the way back to the index's order is
//
//	3 2 5    6 4 1 0    doublewords, of the vectors that differ in bit 1
//	3 4 5    6 2 1 0    quadwords, of those that differ in bit 2
//	6 4 5    3 2 1 0    halves
//
// Bit 0 stays in the lanes: the two words of a residue are one doubleword. Where words come
// from memory or go there, halves of vectors are loaded and stored instead of the step of
// halves, which needs a port that few instructions need.
type ntt16AVX2 struct {
	arithmetic
	variant variant16

	table reg.Register
	half  reg.Register // the table's vectors of the half that a loop is at
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

// terms16AVX2 is how many products of residues a sum may have.
const terms16AVX2 = 4

// The vectors of the table of a ring; residue/negacyclic has the same. Constants have two: w
// and w/q (see arithmetic.times).
const (
	avx2Modulus = iota
	avx2Small
	avx2Inverse                                // 1/q mod 2^16
	avx2Turn                                   // what VPSHUFB takes to change the words of doublewords
	avx2R                                      // R = 2^16
	avx2Scale    = avx2R + 2                   // 2^−7, and 2^−7·R for what was divided by R
	avx2Last     = avx2Scale + 2*2             // the same times the constant of layer 7 back
	avx2First    = avx2Last + 2*2              // of layer 7 forward
	avx2Gamma    = avx2First + 2               // 1 and ±γ in turn, by the order of the index
	avx2Halves   = avx2Gamma + 2*2*halfVectors // of each half:
	avx2Forward  = 0                           // 14 constants of layers 6 to 1
	avx2Back     = avx2Forward + 2*halfLayers  // 14 of layers 1 to 6
	avx2Product  = avx2Back + 2*halfLayers     // 1 and ±γ in turn, by the order after layer 1
	avx2HalfSize = avx2Product + 2*halfVectors // vectors of a half
	halfVectors  = 8                           // of coefficients of a half
	halfLayers   = 2 * (halfVectors/2 + 2 + 1) // constants: 1, 2 and 4, twice
	halfBytes    = halfVectors * lanes.AVX2    // of coefficients of a half
	lane128      = lanes.AVX2 / 2              // bytes of half a vector
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
	n.transform(func(r []bounded, z reg.Register) {
		for i, v := range r {
			r[i].Vec = n.canonical(n.makeSmall(v))
		}
		n.writeOrder(r, z)
	})

	n.function(schedules, "Residues16", unary, "sets z to the transform of x in the order of FIPS 203, words that need not be in [0, q).")
	n.transform(func(r []bounded, z reg.Register) {
		n.most = largest(r)
		n.writeOrder(r, z)
	})

	n.function(schedules, "Inverse16", unary, "sets z to the polynomial of which x, in the order of FIPS 203, is the transform, in [0, q).")
	z, x := n.Pointer("z"), n.Pointer("x")
	n.inverse(z, x, n.below(), 0)

	n.function(schedules, "Row16", sums16+")", "sets z to the polynomial of the sum of count products, in [0, q).")
	most := n.sum(func(v bounded, z operand.Mem) { n.Write(v.Vec, z) })
	n.inverse(n.Pointer("z"), n.Pointer("z"), most, 1)

	n.function(schedules, "Mul16", "func(z, x, y, scratch, table *int16)", "sets z to x·y, polynomials, in [0, q). scratch is 256 words.")
	n.multiply()
}

const sums16 = "func(z *int16, terms **int16, count int, table *int16"

// products are the functions that are the same for all moduli.
func (n *ntt16AVX2) products(schedules map[string]schedule.Options) {
	n.function(schedules, "Factor16", "func(f, x, table *int16)", "sets f, of 512 words, to the factor of x, residues in [0, q). In place of 16 words of x it has as many for the products that give even words, and then those for odd ones.")
	n.factor()

	n.function(schedules, "Sum16", sums16+", keep int)", "sets z to the sum of count products, and of z if keep is −1 and not 0, residues in [0, q).")
	n.sum(func(v bounded, z operand.Mem) {
		old := n.Of(n.VPBROADCASTD, n.argument("keep"))
		n.VPAND(z, old, old)
		w, companion := n.constant(n.table, avx2R)
		v = n.add(n.times(v, w, companion), bounded{old, n.below()})
		n.Write(n.belowTwice(v), z)
	})
	n.End()
}

// constant returns the places of w and w/q of a constant.
func (n *ntt16AVX2) constant(base reg.Register, vector int) (w, companion operand.Mem) {
	return n.At(base, vector), n.At(base, vector+1)
}

// eachHalf does f for either half, at which the pointers that are given are.
func (n *ntt16AVX2) eachHalf(label string, f func(), pointers ...reg.Register) {
	n.MOVQ(n.argument("table"), n.half)
	n.ADDQ(operand.I32(avx2Halves*lanes.AVX2), n.half)
	left := n.GP64()
	n.MOVQ(operand.U32(2), left)
	n.Label(label)
	f()
	n.ADDQ(operand.I32(avx2HalfSize*lanes.AVX2), n.half)
	for _, p := range pointers {
		n.ADDQ(operand.I32(halfBytes), p)
	}
	n.DECQ(left)
	n.JNZ(operand.LabelRef(label))
}

// first does layer 7 forward, of any words, and returns a bound of the result.
func (n *ntt16AVX2) first(z, x reg.Register) (most []int) {
	w, companion := n.constant(n.table, avx2First)
	for i := range halfVectors {
		lo := n.read(n.At(x, i), n.all(anyWord))
		hi := n.read(n.At(x, halfVectors+i), n.all(anyWord))
		lo, hi = n.forward(lo, hi, w, companion)
		n.Write(lo.Vec, n.At(z, i))
		n.Write(hi.Vec, n.At(z, halfVectors+i))
		most = lo.most
	}
	return most
}

func (n *ntt16AVX2) read(m operand.Mem, most []int) bounded { return bounded{n.Read(m), most} }

// readHalf returns the words of a half, in the order of the index.
func (n *ntt16AVX2) readHalf(x reg.Register, most []int) []bounded {
	r := make([]bounded, halfVectors)
	for i := range r {
		r[i] = n.read(n.At(x, i), most)
	}
	return r
}

// transform sets z to the transform of x; end writes a half of it.
func (n *ntt16AVX2) transform(end func(r []bounded, z reg.Register)) {
	z, x := n.Pointer("z"), n.Pointer("x")
	most := n.first(z, x)
	n.eachHalf("half", func() {
		r := n.readHalf(z, most)
		n.layersForward(r)
		end(r, z)
	}, z)
	n.End()
}

// The pairs of vectors that differ in the first, second or third of the bits.
var pairsOf = [][][2]int{
	{{0, 4}, {1, 5}, {2, 6}, {3, 7}},
	{{0, 2}, {1, 3}, {4, 6}, {5, 7}},
	{{0, 1}, {2, 3}, {4, 5}, {6, 7}},
}

// layersForward does layers 6 to 1 of a half.
func (n *ntt16AVX2) layersForward(r []bounded) {
	constant := avx2Forward
	layers := func() {
		for layer, pairs := range pairsOf {
			for i, p := range pairs {
				w, companion := n.constant(n.half, constant+i>>(2-layer)*2)
				r[p[0]], r[p[1]] = n.forward(r[p[0]], r[p[1]], w, companion)
			}
			constant += 2 << layer
		}
	}
	layers()
	n.exchangeHalves(r)
	n.exchangeLow(r)
	layers()
}

// layersBack does layers 1 to 6 of a half.
func (n *ntt16AVX2) layersBack(r []bounded) {
	constant := avx2Back
	layers := func() {
		for layer := 2; layer >= 0; layer-- {
			for i, p := range pairsOf[layer] {
				w, companion := n.constant(n.half, constant+i>>(2-layer)*2)
				r[p[0]], r[p[1]] = n.back(r[p[0]], r[p[1]], w, companion)
			}
			constant += 2 << layer
		}
	}
	layers()
	n.within(r, n.variant.settled)
	n.exchangeLow(r)
	n.exchangeHalves(r)
	layers()
}

// exchange replaces the two vectors of pairs by what two instructions make of them.
func (n *ntt16AVX2) exchange(r []bounded, pairs [][2]int, first, second func(v, w lanes.Vec) lanes.Vec) {
	for _, p := range pairs {
		v := []bounded{r[p[0]], r[p[1]]}
		most := largest(v)
		r[p[0]], r[p[1]] = bounded{first(v[0].Vec, v[1].Vec), most}, bounded{second(v[0].Vec, v[1].Vec), most}
	}
}

func (n *ntt16AVX2) unpack(instruction func(...operand.Op)) func(v, w lanes.Vec) lanes.Vec {
	return func(v, w lanes.Vec) lanes.Vec { return n.Of(instruction, w, v) }
}

// exchangeHalves changes the places of the first bit of vectors and the first of lanes.
func (n *ntt16AVX2) exchangeHalves(r []bounded) {
	halves := func(imm int) func(v, w lanes.Vec) lanes.Vec {
		return func(v, w lanes.Vec) lanes.Vec {
			z := n.Vec()
			n.VPERM2I128(lanes.Imm(imm), w, v, z)
			return z
		}
	}
	n.exchange(r, pairsOf[0], halves(0x20), halves(0x31))
}

// doublewords brings a bit of vectors to the third of lanes, that to the second, and that to
// the vectors. quadwords changes the places of a bit of vectors and the second of lanes.
func (n *ntt16AVX2) doublewords(r []bounded, bit int) {
	n.exchange(r, pairsOf[bit], n.unpack(n.VPUNPCKLDQ), n.unpack(n.VPUNPCKHDQ))
}

func (n *ntt16AVX2) quadwords(r []bounded, bit int) {
	n.exchange(r, pairsOf[bit], n.unpack(n.VPUNPCKLQDQ), n.unpack(n.VPUNPCKHQDQ))
}

// exchangeLow brings bits 2 and 1 of the index to the vectors, from where bits 5 and 4 go to
// the lanes, and puts vectors in the order of the bits 3, 2 and 1. It is its own reverse.
func (n *ntt16AVX2) exchangeLow(r []bounded) {
	n.doublewords(r, 2)
	n.quadwords(r, 1)
	r[1], r[2], r[5], r[6] = r[2], r[1], r[6], r[5]
}

// writeOrder writes a half, as layer 1 leaves it, in the order of the index.
func (n *ntt16AVX2) writeOrder(r []bounded, z reg.Register) {
	n.exchangeLow(r)
	for i, v := range r {
		lo, hi := orderPlaces(z, i)
		n.VMOVDQU(v.AsX(), lo)
		n.VEXTRACTI128(lanes.Imm(1), v.Vec, hi)
	}
}

// readOrder is the reverse.
func (n *ntt16AVX2) readOrder(x reg.Register, most []int) []bounded {
	r := make([]bounded, halfVectors)
	for i := range r {
		lo, hi := orderPlaces(x, i)
		v, z := n.Vec(), n.Vec()
		n.VMOVDQU(lo, v.AsX())
		n.VINSERTI128(lanes.Imm(1), hi, v, z)
		r[i] = bounded{z, most}
	}
	n.exchangeLow(r)
	return r
}

// orderPlaces returns where the halves of a vector are, of which bits 3, 5 and 4 are those of
// its number, and bit 6 is that of the half.
func orderPlaces(base reg.Register, i int) (lo, hi operand.Mem) {
	at := operand.Mem{Base: base, Disp: i&3*lanes.AVX2 + i>>2*lane128}
	return at, at.Offset(4 * lanes.AVX2)
}

// inverse sets z to the polynomial of x, of which words have a bound and were divided by R so
// often, and returns to the caller.
func (n *ntt16AVX2) inverse(z, x reg.Register, most []int, divided int) {
	to, from := n.GP64(), n.GP64()
	n.MOVQ(z, to)
	n.MOVQ(x, from)
	n.eachHalf("half", func() {
		r := n.readOrder(from, most)
		n.layersBack(r)
		n.writeHalf(r, to)
		most = largest(r)
	}, to, from)
	n.last(z, most, divided)
	n.End()
}

func (n *ntt16AVX2) writeHalf(r []bounded, z reg.Register) {
	for i, v := range r {
		n.Write(v.Vec, n.At(z, i))
	}
}

// last does layer 7 back, divides by 2^7, and multiplies by R if that is to be made up for.
func (n *ntt16AVX2) last(z reg.Register, most []int, divided int) {
	for i := range halfVectors {
		x, y := n.addable(n.read(n.At(z, i), most), n.read(n.At(z, halfVectors+i), most))
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
		return c>>16 + 1 + q/2 + 1
	})
}

// multiply multiplies polynomials: a half of the transform of x is multiplied and transformed
// back at once. No word of x or y is read after one of z has been written, but by the first
// layer of x, which reads what it writes.
func (n *ntt16AVX2) multiply() {
	z, x, y, scratch := n.Pointer("z"), n.Pointer("x"), n.Pointer("y"), n.Pointer("scratch")
	most := n.first(scratch, y)
	at := n.GP64()
	n.MOVQ(scratch, at)
	var most2 []int
	n.eachHalf("y", func() {
		r := n.readHalf(at, most)
		n.layersForward(r)
		n.writeHalf(r, at)
		most2 = largest(r)
	}, at)
	n.first(z, x)
	n.MOVQ(scratch, at)
	to := n.GP64()
	n.MOVQ(z, to)
	n.eachHalf("x", func() {
		r := n.readHalf(to, most)
		n.layersForward(r)
		for i, v := range r {
			y := n.read(n.At(at, i), most2)
			w, companion := n.constant(n.half, avx2Product+2*i)
			b := n.times(y, w, companion)
			c0, c1 := n.Of(n.VPMADDWD, b.Vec, v.Vec), n.Of(n.VPMADDWD, n.turned(y.Vec), v.Vec)
			r[i] = bounded{n.reduce(c0, c1), n.reduced(1, v.most, largest([]bounded{b, y}))}
		}
		n.layersBack(r)
		n.writeHalf(r, to)
		most = largest(r)
	}, at, to)
	n.last(z, most, 1)
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
	const vectors = 4 // at a time: eight of sums
	most = n.reduced(terms16AVX2, n.most, n.below())
	z, terms, count := n.Pointer("z"), n.Pointer("terms"), n.GP64()
	n.Load(n.Param("count"), count)
	offset := n.GP64() // in bytes, of a polynomial
	n.XORQ(offset, offset)
	n.Label("vectors")
	c := make([]lanes.Vec, 2*vectors)
	for i := range c {
		c[i] = n.Vec()
		n.VPXOR(c[i], c[i], c[i])
	}
	term, left, x, f := n.GP64(), n.GP64(), n.GP64(), n.GP64()
	n.MOVQ(terms, term)
	n.MOVQ(count, left)
	n.Label("term")
	n.MOVQ(operand.Mem{Base: term}, x)
	n.MOVQ(operand.Mem{Base: term, Disp: 8}, f)
	n.ADDQ(operand.I32(16), term)
	n.ADDQ(offset, x)
	n.LEAQ(operand.Mem{Base: f, Index: offset, Scale: 2}, f)
	for i := range vectors {
		v := n.Read(n.At(x, i))
		for j := range 2 {
			n.VPADDD(n.Of(n.VPMADDWD, n.At(f, 2*i+j), v), c[2*i+j], c[2*i+j])
		}
	}
	n.DECQ(left)
	n.JNZ(operand.LabelRef("term"))
	for i := range vectors {
		end(bounded{n.reduce(c[2*i], c[2*i+1]), most}, operand.Mem{Base: z, Index: offset, Scale: 1, Disp: lanes.AVX2 * i})
	}
	n.ADDQ(operand.I32(vectors*lanes.AVX2), offset)
	n.CMPQ(offset, operand.I32(2*halfBytes))
	n.JNE(operand.LabelRef("vectors"))
	return most
}

// argument is where an argument of a function is.
func (n *ntt16AVX2) argument(name string) operand.Mem {
	b, err := n.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}
