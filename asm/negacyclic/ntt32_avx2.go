package negacyclic

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/lanes"
	"residue/asm/internal/schedule"
)

// The transforms of 256 words of 32 bits by AVX2, in three steps from memory to memory. The first
// has layers 7, 6 and 5, four times on eight vectors that lie 32 words apart. The second has
// layers 4, 3 and 2 of eight vectors side by side, of which bits 5, 4 and 3 of the index are the
// number, and the third layers 1 and 0 of the same:
//
//	vectors  lanes
//	5 4 3    2 1 0    layers 4 and 3
//	2 4 3    5 1 0    layer 2
//	2 0 3    5 4 1
//	2 0 1    5 3 4    layers 1 and 0
//
// Back, the same in reverse. With eight vectors at a time, a layer takes longer until its results
// are there than to issue. Short steps let a core see the next eight vectors sooner.
type ntt32AVX2 struct {
	*lanes.Program
	schedules map[string]schedule.Options
	table     reg.Register
	group     reg.Register // the table's vectors of the eight vectors that a loop is at
	q         lanes.Vec
}

// The vectors of the table of a ring; residue/negacyclic has the same. Constants have two.
const (
	avx2Modulus32 = iota
	avx2Inverse32                      // 1/q mod 2^32
	avx2Round32                        // round(2^31/q) in the high halves of words, and 0
	avx2R32                            // the constant 2^32
	avx2High32    = avx2R32 + 2        // 7 of layers 7 to 5
	avx2Outer32   = avx2High32 + 2*7   // 6 of layers 5 and 6 back
	avx2Scale32   = avx2Outer32 + 2*6  // 2^−8, and with it the constant of layer 7 back
	avx2ScaleR32  = avx2Scale32 + 2*2  // the same times 2^32
	avx2Groups32  = avx2ScaleR32 + 2*2 // for each eight vectors:
	avx2Low32     = 0                  // 16 of layers 4 to 0
	avx2Back32    = avx2Low32 + 2*16   // 16 of layers 0 to 4 back
	avx2Group32   = avx2Back32 + 2*16  // vectors of a group
	eightBytes32  = 8 * lanes.AVX2     // of eight vectors
	strideBytes32 = 256 / 8 * 4        // of the words that are apart in the first pass
	avx2Columns32 = 4                  // turns of a pass
	strideLanes32 = strideBytes32 / lanes.AVX2
)

// NTT32AVX2 is the file of the transforms of 32-bit words for AVX2.
func NTT32AVX2() gofile.File {
	f := gofile.File{
		Dir: "negacyclic", Base: "ntt32_avx2_amd64", Package: "negacyclic",
		Schedule: map[string]schedule.Options{},
	}
	f.Build = func(ctx *build.Context) {
		n := &ntt32AVX2{schedules: f.Schedule}
		n.Program = &lanes.Program{Context: ctx, Bytes: lanes.AVX2}
		n.forwardHigh()
		n.forwardLow()
		n.forwardOrder()
		n.backOrder()
		n.multiply()
		n.backHigh()
		n.factor()
		n.sum()
	}
	return f
}

// begin starts a function and loads what all need.
func (n *ntt32AVX2) begin(name, signature, doc string) {
	name = "avx2" + name
	n.Function(name)
	n.SignatureExpr(signature)
	n.Pragma("noescape")
	n.Doc(name + " " + doc)
	n.table, n.group = n.Pointer("table"), n.GP64()
	n.q = n.Read(n.At(n.table, avx2Modulus32))
	n.schedules[name] = schedule.Options{
		Live:   map[reg.Kind]int{reg.KindVector: 16, reg.KindGP: 13},
		Window: 60, Load: 1, Private: []reg.Register{n.table, n.group},
	}
}

// barrett is where a constant w is, centred: w, and round(w·2^32/q).
type barrett struct {
	w, quotient operand.Mem
	all         bool // lanes have the same
}

// constants returns n constants that lie one after the other.
func (n *ntt32AVX2) constants(base reg.Register, at, count int, all bool) (cs []barrett) {
	for i := range count {
		cs = append(cs, barrett{n.At(base, at+2*i), n.At(base, at+2*i+1), all})
	}
	return cs
}

// high returns the high halves of products: even and odd ones, in 64 bits.
func (n *ntt32AVX2) high(even, odd lanes.Vec) lanes.Vec {
	z := n.Vec()
	n.VPBLENDD(lanes.Imm(0xaa), odd, n.Of(n.VMOVSHDUP, even), z)
	return z
}

// times returns b·w modulo q: with k = ⌊b·round(w·2^32/q)/2^32⌋, that is b·w − k·q. It is above
// −q/4 and below 5q/4 for any b, as the fraction that is rounded is off by at most ½, and that
// times b/2^32 by at most ¼.
func (n *ntt32AVX2) times(b lanes.Vec, c barrett) lanes.Vec {
	even := n.Of(n.VPMULDQ, c.quotient, b)
	var quotient operand.Op = c.quotient
	if !c.all {
		quotient = n.Of(n.VMOVSHDUP, c.quotient)
	}
	odd := n.Of(n.VPMULDQ, quotient, n.Of(n.VMOVSHDUP, b))
	k := n.high(even, odd)
	return n.Of(n.VPSUBD, n.Of(n.VPMULLD, n.q, k), n.Of(n.VPMULLD, c.w, b))
}

// small returns x − k·q for k = round(⌊x/2^16⌋·m/2^15), m = round(2^31/q). For 2^18 < q, k is
// off from x/q by at most ½ for its rounding, ¼ for what is left out of x, and half of
// |x|/2^31 for the rounding of m. So the result is at most 5q/4 for any x, and below q for
// |x| < 12q.
func (n *ntt32AVX2) small(x lanes.Vec) lanes.Vec {
	k := n.Of(n.VPSRAD, lanes.Imm(16), n.Of(n.VPMULHRSW, n.At(n.table, avx2Round32), x))
	return n.Of(n.VPSUBD, n.Of(n.VPMULLD, n.q, k), x)
}

// positive brings words of [−q, q) into [0, q): of x and x + q, taken without sign, the lesser
// one is that. below does the same for words of [0, 2q) and x − q.
func (n *ntt32AVX2) positive(x lanes.Vec) lanes.Vec {
	return n.Of(n.VPMINUD, n.Of(n.VPADDD, n.q, x), x)
}

func (n *ntt32AVX2) below(x lanes.Vec) lanes.Vec {
	return n.Of(n.VPMINUD, n.Of(n.VPSUBD, n.q, x), x)
}

// layer calls f for the pairs of eight vectors whose numbers differ in a bit, with the constant
// of each: as many constants as there are values of the bits of mask, in their order.
func layer(v []lanes.Vec, bit, mask int, c []barrett, f func(x, y lanes.Vec, c barrett) (lanes.Vec, lanes.Vec)) {
	for i := range v {
		j := i | 1<<bit
		if j == i {
			continue
		}
		at := 0
		for b := 2; b >= 0; b-- {
			if mask>>b&1 == 1 {
				at = 2*at + i>>b&1
			}
		}
		v[i], v[j] = f(v[i], v[j], c[at])
	}
}

// forward is the butterfly of Cooley and Tukey, which adds at most 5q/4 to the bound of x.
func (n *ntt32AVX2) forward(x, y lanes.Vec, c barrett) (lanes.Vec, lanes.Vec) {
	t := n.times(y, c)
	return n.Of(n.VPADDD, t, x), n.Of(n.VPSUBD, t, x)
}

// first is forward for any x.
func (n *ntt32AVX2) first(x, y lanes.Vec, c barrett) (lanes.Vec, lanes.Vec) {
	return n.forward(n.small(x), y, c)
}

// back is the butterfly of Gentleman and Sande, which doubles the bound.
func (n *ntt32AVX2) back(x, y lanes.Vec, c barrett) (lanes.Vec, lanes.Vec) {
	return n.Of(n.VPADDD, y, x), n.times(n.Of(n.VPSUBD, y, x), c)
}

// turns does f in a loop of four turns; pointers advance by so many bytes.
func (n *ntt32AVX2) turns(label string, f func(), bytes int, pointers ...reg.GPVirtual) {
	left := n.GP64()
	n.MOVQ(operand.U32(avx2Columns32), left)
	n.Label(label)
	f()
	for _, p := range pointers {
		n.ADDQ(operand.I32(bytes), p)
	}
	n.DECQ(left)
	n.JNZ(operand.LabelRef(label))
}

// groups does f in such a loop, with the table's vectors of a group and pointers to eight vectors
// each: the parameters of the names.
func (n *ntt32AVX2) groups(label string, f func(p []reg.GPVirtual), parameters ...string) {
	n.Load(n.Param("table"), n.group)
	n.ADDQ(operand.I32(avx2Groups32*lanes.AVX2), n.group)
	var p []reg.GPVirtual
	for _, name := range parameters {
		p = append(p, n.Pointer(name))
	}
	n.turns(label, func() {
		f(p)
		n.ADDQ(operand.I32(avx2Group32*lanes.AVX2), n.group)
	}, eightBytes32, p...)
}

func (n *ntt32AVX2) stride(p reg.Register, i int) operand.Mem { return n.At(p, strideLanes32*i) }

// forwardHigh does layers 7 to 5, which leave words below 5q in absolute value.
func (n *ntt32AVX2) forwardHigh() {
	n.begin("ForwardHigh32", "func(z, x, table *int32)", "does layers 7 to 5 of a transform: z is for avx2ForwardLow32 and the like. z may be x.")
	z, x := n.Pointer("z"), n.Pointer("x")
	n.turns("column", func() {
		v := make([]lanes.Vec, 8)
		for i := range v {
			v[i] = n.Read(n.stride(x, i))
		}
		c := n.constants(n.table, avx2High32, 7, true)
		layer(v, 2, 0, c, n.first)
		layer(v, 1, 4, c[1:], n.forward)
		layer(v, 0, 6, c[3:], n.forward)
		for i, w := range v {
			n.Write(w, n.stride(z, i))
		}
	}, lanes.AVX2, z, x)
	n.End()
}

// exchange replaces the two vectors of pairs whose numbers differ in a bit by what two
// instructions make of them.
func exchange(v []lanes.Vec, bit int, first, second func(x, y lanes.Vec) lanes.Vec) {
	for i := range v {
		if j := i | 1<<bit; j != i {
			v[i], v[j] = first(v[i], v[j]), second(v[i], v[j])
		}
	}
}

// halves changes the places of the first bit of vectors and the first of lanes.
func (n *ntt32AVX2) halves(v []lanes.Vec) {
	half := func(imm int) func(x, y lanes.Vec) lanes.Vec {
		return func(x, y lanes.Vec) lanes.Vec {
			z := n.Vec()
			n.VPERM2I128(lanes.Imm(imm), y, x, z)
			return z
		}
	}
	exchange(v, 2, half(0x20), half(0x31))
}

// inward brings a bit of vectors to the second of lanes, that to the third, and that to the
// vectors. outward is the reverse.
func (n *ntt32AVX2) inward(v []lanes.Vec, bit int) {
	words := func(imm int) func(x, y lanes.Vec) lanes.Vec {
		return func(x, y lanes.Vec) lanes.Vec { return n.Of(n.VSHUFPS, lanes.Imm(imm), y, x) }
	}
	exchange(v, bit, words(0x88), words(0xdd))
}

func (n *ntt32AVX2) outward(v []lanes.Vec, bit int) {
	exchange(v, bit,
		func(x, y lanes.Vec) lanes.Vec { return n.Of(n.VPUNPCKLDQ, y, x) },
		func(x, y lanes.Vec) lanes.Vec { return n.Of(n.VPUNPCKHDQ, y, x) })
}

// middle does layers 4 to 2 of all words.
func (n *ntt32AVX2) middle(z, x string) {
	n.groups("middle", func(p []reg.GPVirtual) {
		v := n.ReadAll(p[1], 8)
		c := n.constants(n.group, avx2Low32, 6, true)
		layer(v, 1, 4, c, n.forward)
		layer(v, 0, 6, c[2:], n.forward)
		n.halves(v)
		layer(v, 2, 3, n.constants(n.group, avx2Low32+2*6, 4, false), n.forward)
		n.WriteAll(v, p[0])
	}, z, x)
}

// low does layers 1 and 0 of eight vectors, which leave words below 45q/4 in absolute value.
func (n *ntt32AVX2) low(x reg.Register) []lanes.Vec {
	v := n.ReadAll(x, 8)
	c := n.constants(n.group, avx2Low32+2*10, 6, false)
	n.inward(v, 1)
	n.inward(v, 0)
	layer(v, 0, 4, c, n.forward)
	layer(v, 1, 5, c[2:], n.forward)
	return v
}

// lowBack does layers 0 and 1 back.
func (n *ntt32AVX2) lowBack(v []lanes.Vec, z reg.Register) {
	c := n.constants(n.group, avx2Back32, 6, false)
	layer(v, 1, 5, c, n.back)
	layer(v, 0, 4, c[4:], n.back)
	n.outward(v, 0)
	n.outward(v, 1)
	n.WriteAll(v, z)
}

// middleBack does layers 2 to 4 back. Bounds are 32 times as large then as before layer 0, or
// 16 times 5q/4 and less for words that have been products.
func (n *ntt32AVX2) middleBack(z string) {
	n.groups("middleBack", func(p []reg.GPVirtual) {
		v := n.ReadAll(p[0], 8)
		layer(v, 2, 3, n.constants(n.group, avx2Back32+2*6, 4, false), n.back)
		n.halves(v)
		c := n.constants(n.group, avx2Back32+2*10, 6, true)
		layer(v, 0, 6, c, n.back)
		layer(v, 1, 4, c[4:], n.back)
		n.WriteAll(v, p[0])
	}, z)
}

// forwardLow does layers 4 to 0, for multiply.
func (n *ntt32AVX2) forwardLow() {
	n.begin("ForwardLow32", "func(z, x, table *int32)", "does layers 4 to 0 of a transform: z is for avx2Multiply32. z may be x.")
	n.middle("z", "x")
	n.groups("low", func(p []reg.GPVirtual) { n.WriteAll(n.low(p[0]), p[0]) }, "z")
	n.End()
}

// forwardOrder does layers 4 to 0, in the order of FIPS 204.
func (n *ntt32AVX2) forwardOrder() {
	n.begin("ForwardOrder32", "func(z, x, table *int32)", "does layers 4 to 0 of a transform: z is in the order of FIPS 204, in [0, q). z may be x.")
	n.middle("z", "x")
	n.groups("low", func(p []reg.GPVirtual) {
		v := n.low(p[0])
		n.outward(v, 0)
		n.outward(v, 1)
		n.halves(v)
		for i, w := range v {
			n.Write(n.positive(n.small(w)), n.At(p[0], i))
		}
	}, "z")
	n.End()
}

// backOrder does layers 0 to 4 back.
func (n *ntt32AVX2) backOrder() {
	n.begin("BackOrder32", "func(z, x, table *int32)", "does layers 0 to 4 of a transform back, of x in the order of FIPS 204, in [0, q): z is for avx2BackHigh32. z may be x.")
	n.groups("low", func(p []reg.GPVirtual) {
		v := n.ReadAll(p[1], 8)
		n.halves(v)
		n.inward(v, 1)
		n.inward(v, 0)
		n.lowBack(v, p[0])
	}, "z", "x")
	n.middleBack("z")
	n.End()
}

// reduced returns sums of products modulo q, divided by 2^32, from even and odd ones in 64 bits:
// with m = sum/q mod 2^32, the difference of sum and m·q is a multiple of 2^32. The result is
// at most q/2 more than the sum over 2^32, in absolute value.
func (n *ntt32AVX2) reduced(even, odd lanes.Vec) lanes.Vec {
	inverse := n.At(n.table, avx2Inverse32)
	for _, v := range []lanes.Vec{even, odd} {
		m := n.Of(n.VPMULDQ, n.q, n.Of(n.VPMULDQ, inverse, v))
		n.VPSUBQ(m, v, v)
	}
	return n.high(even, odd)
}

// multiply does layers 4 to 0 of a second operand, multiplies, and does layers 0 to 4 back. Of
// words below 45q/4, a product over 2^32 is below q/4, for q < 2^23. So what goes back is below
// 3q/4.
func (n *ntt32AVX2) multiply() {
	n.begin("Multiply32", "func(z, x, y, table *int32)", "does layers 4 to 0 of a transform of y, multiplies by x from avx2ForwardLow32, and does layers 0 to 4 back: z, which is divided by 2^32, is for avx2BackHigh32. z may be y.")
	n.middle("z", "y")
	n.groups("low", func(p []reg.GPVirtual) {
		v := n.low(p[0])
		for i, w := range v {
			even := n.Of(n.VPMULDQ, n.At(p[1], i), w)
			odd := n.Of(n.VPMULDQ, n.Of(n.VMOVSHDUP, n.At(p[1], i)), n.Of(n.VMOVSHDUP, w))
			v[i] = n.reduced(even, odd)
		}
		n.lowBack(v, p[0])
	}, "z", "x")
	n.middleBack("z")
	n.End()
}

// backHigh does layers 5 to 7 back, with words below 256q.
func (n *ntt32AVX2) backHigh() {
	n.begin("BackHigh32", "func(z, x, table, last *int32)", "does layers 5 to 7 of a transform back: z is a polynomial, in [0, q). last has the constants of the last layer. z may be x.")
	z, x, last := n.Pointer("z"), n.Pointer("x"), n.Pointer("last")
	n.turns("column", func() {
		v := make([]lanes.Vec, 8)
		for i := range v {
			v[i] = n.Read(n.stride(x, i))
		}
		c := n.constants(n.table, avx2Outer32, 6, true)
		layer(v, 0, 6, c, n.back)
		layer(v, 1, 4, c[4:], n.back)
		ends := n.constants(last, 0, 2, true)
		layer(v, 2, 0, ends[1:], func(x, y lanes.Vec, c barrett) (lanes.Vec, lanes.Vec) {
			x, y = n.back(x, y, c)
			return n.times(x, ends[0]), y
		})
		for i, w := range v {
			n.Write(n.below(n.positive(w)), n.stride(z, i))
		}
	}, lanes.AVX2, z, x)
	n.End()
}

// factor multiplies residues in [0, q) by 2^32. A quotient that is rounded down, times such words,
// is too small by less than q/2^32 < 2^−9: times does not give a negative word, nor one of 2q.
func (n *ntt32AVX2) factor() {
	n.begin("Factor32", "func(f, x, table *int32)", "sets f to x·2^32 modulo q, in [0, q), word by word.")
	f, x := n.Pointer("f"), n.Pointer("x")
	n.turns("vectors", func() {
		c := n.constants(n.table, avx2R32, 1, true)[0]
		for i, v := range n.ReadAll(x, 8) {
			n.Write(n.below(n.times(v, c)), n.At(f, i))
		}
	}, eightBytes32, f, x)
	n.End()
}

// sum adds products of residues. For at most 64 of them, and q < 2^23, a sum over 2^32 is below
// q/8, so that the result is above −q/2, and below 2q with what z was.
func (n *ntt32AVX2) sum() {
	n.begin("Sum32", "func(z *int32, terms **int32, count int, table *int32, keep int)", "sets z to the sum of count products, of residues x and of f from avx2Factor32 that terms points to in turn, and of z if keep is −1 and not 0, in [0, q).")
	z, terms, count := n.Pointer("z"), n.Pointer("terms"), n.Pointer("count")
	keep, err := n.Param("keep").Resolve()
	if err != nil {
		panic(err)
	}
	old := n.Of(n.VPBROADCASTD, keep.Addr)
	const vectors = 4
	at, left, term, x, f := n.GP64(), n.GP64(), n.GP64(), n.GP64(), n.GP64()
	n.XORQ(at, at)
	n.Label("block")
	sums := make([]lanes.Vec, 2*vectors)
	for i := range sums {
		sums[i] = n.Vec()
		n.VPXOR(sums[i], sums[i], sums[i])
	}
	n.MOVQ(terms, term)
	n.MOVQ(count, left)
	n.Label("term")
	n.MOVQ(operand.Mem{Base: term}, x)
	n.MOVQ(operand.Mem{Base: term, Disp: 8}, f)
	for i := range vectors {
		m := operand.Mem{Base: x, Index: at, Scale: 1, Disp: lanes.AVX2 * i}
		o := operand.Mem{Base: f, Index: at, Scale: 1, Disp: lanes.AVX2 * i}
		even := n.Of(n.VPMULDQ, o, n.Read(m))
		odd := n.Of(n.VPMULDQ, n.Of(n.VMOVSHDUP, o), n.Of(n.VMOVSHDUP, m))
		n.VPADDQ(even, sums[2*i], sums[2*i])
		n.VPADDQ(odd, sums[2*i+1], sums[2*i+1])
	}
	n.ADDQ(lanes.Imm(16), term)
	n.DECQ(left)
	n.JNZ(operand.LabelRef("term"))
	for i := range vectors {
		m := operand.Mem{Base: z, Index: at, Scale: 1, Disp: lanes.AVX2 * i}
		kept := n.Vec()
		n.VPAND(m, old, kept)
		v := n.Of(n.VPADDD, kept, n.reduced(sums[2*i], sums[2*i+1]))
		n.Write(n.below(n.positive(v)), m)
	}
	n.ADDQ(operand.I32(vectors*lanes.AVX2), at)
	n.CMPQ(at, operand.I32(4*256))
	n.JNE(operand.LabelRef("block"))
	n.End()
}
