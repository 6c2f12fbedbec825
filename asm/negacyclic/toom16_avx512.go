package negacyclic

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/lanes"
	"residue/asm/internal/schedule"
)

// Striding Toom-Cook 4 for 256 words of 16 bits in vectors of 32.
//
// A word's index has bits i7 … i0. Toom-Cook 4 is on i1 i0, striding Karatsuba on i2 and then
// on i3; what is left, j = i7 i6 i5 i4, is the coefficient of one of 63 leaves, which are
// polynomials modulo Y¹⁶ + 1. Leaves are lanes, and their coefficients vectors, two to a
// coefficient.
//
// A vector of coefficients has i4 in its halves, i3 and i2 in the quadwords of a half, and
// the four coefficients of Toom-Cook in the words of a quadword. So values at points come
// from words of the same quadword, sums of Karatsuba's from the same half, and nothing is
// transposed on the way to leaves. A half has
//
//	A  quadword 2·i3 + i2: values at ½, −½, 1, −1
//	B  the same: values at 0, ∞, 2, and a word that is free
//	W  quadwords 2·i3 and 2·i3 + 1: the sums over i2 of A and of B
//	Q  quadwords i2 and 2 + i2: the sums over i3 of A and of B
//
// Sums over both are seven words for each j, and go where B, W and Q have free words. In the
// order of points above, with two at a time for ½ and 0, −½ and ∞, 1 and 2, they are in words
// 3 and 7 of B, words 11 and 15 of B, and words 11 and 15 of Q; the seventh, at −1, is word 7
// of W. Word 15 of W has nothing.
//
// Values are A and B of each j in a vector, and then W and Q. Products are all of A, by j, in
// halves one behind the other, then B, W and Q: a coefficient's neighbour is then 32 bytes
// away, its neighbour by i3 16 bytes, and shifts are loads from elsewhere.
type toom16 struct {
	*lanes.Program
	table     reg.Register
	schedules map[string]schedule.Options
}

// The vectors of the table. Patterns of words are the same in every quadword.
const (
	toomA0     = iota // 8, 4, 1, 1: what a₀ and a₁ are multiplied by for A
	toomA2            // 2, 1, 1, 1: likewise a₂ and a₃
	toomB0            // 1, 0, 1, 2: likewise for B
	toomB2            // 0, 0, 4, 8
	toomLower         // quadwords of two vectors: the lower ones of halves
	toomUpper         // and the upper ones
	toomFreeB         // where words of sums over both go in B
	toomFreeWQ        // and in W and Q
	toomGather        // and where they come from
	toomEven          // words 0, 0, 2, 2
	toomOdd           // words 1, 1, 3, 3
	toom3
	toom20
	toom17
	toom65
	toomThird     // 1/3 modulo 2^16
	toomNinth     // 1/9
	toomFifteenth // 1/15
)

const (
	leaf16  = 16 // coefficients of a leaf
	pairs16 = leaf16 / 2
)

// Toom16AVX512 is the file of Toom-Cook 4 on 16-bit words for AVX-512.
func Toom16AVX512() gofile.File {
	f := gofile.File{
		Dir: "negacyclic", Base: "toom16_avx512_amd64", Package: "negacyclic",
		Schedule: map[string]schedule.Options{},
	}
	f.Build = func(ctx *build.Context) {
		t := &toom16{Program: &lanes.Program{Context: ctx, Bytes: lanes.AVX512}, schedules: f.Schedule}
		t.evaluate()
		t.multiply()
		t.addProducts(false)
		t.addProducts(true)
		t.joinProducts()
		t.sum()
		t.interpolate()
	}
	return f
}

// begin starts a function. private are parameters that are pointers to what is accessed
// through nothing else.
func (t *toom16) begin(name, signature, doc string) {
	name = "avx512" + name
	t.Function(name)
	t.SignatureExpr(signature)
	t.Pragma("noescape")
	t.Doc(name + " " + doc)
	t.schedules[name] = schedule.Options{
		Live: map[reg.Kind]int{reg.KindVector: 31, reg.KindOpmask: 7, reg.KindGP: 13},
		Load: 1, Window: 100,
	}
}

// mask returns a mask of words, or of any elements of which there are no more than 32.
func (t *toom16) mask(bits uint32) reg.Register {
	k, r := t.K(), t.GP32()
	t.MOVL(operand.U32(bits), r)
	t.KMOVD(r, k)
	return k
}

// bytes returns a mask of bytes, which is the same for both halves.
func (t *toom16) bytes(bits uint32) reg.Register {
	k, r := t.K(), t.GP64()
	t.MOVQ(operand.U64(uint64(bits)<<32|uint64(bits)), r)
	t.KMOVQ(r, k)
	return k
}

// under changes v to what an instruction makes where a mask is set, and returns it.
func (t *toom16) under(mask reg.Register, v lanes.Vec, instruction func(...operand.Op), operands ...operand.Op) lanes.Vec {
	instruction(append(operands, mask, v)...)
	return v
}

// add returns a + b, and sub returns a − b.
func (t *toom16) add(a lanes.Vec, b operand.Op) lanes.Vec { return t.Of(t.VPADDW, b, a) }
func (t *toom16) sub(a lanes.Vec, b operand.Op) lanes.Vec { return t.Of(t.VPSUBW, b, a) }

// times multiplies by a vector of the table.
func (t *toom16) times(v lanes.Vec, constant int) lanes.Vec {
	return t.Of(t.VPMULLW, t.At(t.table, constant), v)
}

// halves writes the lower half of v to one place and the upper one to another.
func (t *toom16) halves(v lanes.Vec, lower, upper operand.Mem) {
	t.VMOVDQU64(v.AsY(), lower)
	t.VEXTRACTI64X4(lanes.Imm(1), v, upper)
}

// evaluate makes values of coefficients, 2j and 2j + 1 of leaves at a time.
func (t *toom16) evaluate() {
	t.begin("Evaluate16", "func(e, x, table *int16)", "sets e to the values of x.")
	t.table = t.Pointer("table")
	x, e := t.Pointer("x"), t.Pointer("e")
	oddWords, infinity := t.mask(0xaaaaaaaa), t.mask(0x22222222)
	freeB, freeQ, freeW := t.bytes(0xc0c0c0c0), t.bytes(0xc0c00000), t.bytes(0x0000c000)
	for m := range pairs16 {
		// Both doublewords of a quadword have a₀ and a₁, and a₂ and a₃.
		u, v := t.Of(t.VMOVSLDUP, t.At(x, m)), t.Of(t.VMOVSHDUP, t.At(x, m))

		// 8a₀ + 2a₂, 4a₁ + a₃, a₀ + a₂, a₁ + a₃; then sums and differences of two.
		f := t.add(t.times(u, toomA0), t.times(v, toomA2))
		r := t.Of(t.VPROLD, lanes.Imm(16), f)
		a := t.under(oddWords, t.add(r, f), t.VPSUBW, f, r)

		// a₀ and a₀ + 2a₁ + 4a₂ + 8a₃ in doublewords, of which the low words matter.
		b := t.Of(t.VPMADDWD, t.At(t.table, toomB0), u)
		t.VPDPWSSD(t.At(t.table, toomB2), v, b)
		b = t.under(infinity, b, t.VMOVDQU16, v)

		w := t.add(t.Of(t.VPUNPCKLQDQ, b, a), t.Of(t.VPUNPCKHQDQ, b, a))
		q := t.add(t.ofTwo(a, b, toomLower), t.ofTwo(a, b, toomUpper))
		both := t.add(w, t.Of(t.VPERMQ, lanes.Imm(0x4e), w))
		inB, inWQ := t.Read(t.At(t.table, toomFreeB)), t.Read(t.At(t.table, toomFreeWQ))
		b = t.under(freeB, b, t.VPSHUFB, inB, both)
		q = t.under(freeQ, q, t.VPSHUFB, inWQ, both)
		w = t.under(freeW, w, t.VPSHUFB, inWQ, both)
		for i, v := range []lanes.Vec{a, b, w, q} {
			at := t.At(e, leaf16*(i/2)+2*m).Offset(32 * (i % 2))
			t.halves(v, at, at.Offset(64))
		}
	}
	t.End()
}

// ofTwo returns quadwords of a and b by their numbers.
func (t *toom16) ofTwo(a, b lanes.Vec, numbers int) lanes.Vec {
	v := t.Read(t.At(t.table, numbers))
	t.VPERMI2Q(b, a, v)
	return v
}

// multiply multiplies values.
func (t *toom16) multiply() {
	t.begin("Leaves16", "func(w, x, y, work *int16)", "sets w to the products of the values x and y. There is room for 24 vectors in work. w may be x or y.")
	w, x, y, work := t.Pointer("w"), t.Pointer("x"), t.Pointer("y"), t.Pointer("work")
	t.twice(func() {
		xe, xo := t.leaves(x)
		ye, yo := t.leaves(y)
		p0, p1 := t.kept(t.leaf(xe, ye), work, 0), t.kept(t.leaf(xo, yo), work, 8)
		p2 := t.leaf(t.sums(xe, xo), t.kept(t.sums(ye, yo), work, 16))
		t.writeLeaves(t.karatsuba(p0, p1, p2), w)
	}, x, y, w)
}

// twice does something for A and B and then for W and Q, and returns to the caller. The
// pointers move on in between.
func (t *toom16) twice(f func(), pointers ...reg.Register) {
	count := t.GP64()
	t.MOVQ(operand.U32(2), count)
	t.Label("next")
	f()
	for _, p := range pointers {
		t.ADDQ(operand.U32(64*leaf16), p)
	}
	t.DECQ(count)
	t.JNZ(operand.LabelRef("next"))
	t.End()
}

// leaves returns where the even and the odd coefficients of leaves are.
func (t *toom16) leaves(x reg.Register) (even, odd []operand.Op) {
	var all []operand.Op
	for j := range leaf16 {
		all = append(all, t.At(x, j))
	}
	return everyOther(all)
}

// writeLeaves writes coefficients of products of leaves.
func (t *toom16) writeLeaves(vs []operand.Op, w reg.Register) {
	for j, v := range vs {
		at := t.At(w, 0).Offset(32 * j)
		t.halves(v.(lanes.Vec), at, at.Offset(region16))
	}
}

// shorts are the 27 products of two coefficients that a leaf is made of, in memory. A sum of
// products is kept by them, and put together once.
type shorts struct {
	at   reg.Register
	next int // vector
}

// short16 is how many vectors they are, for A and B or for W and Q.
const short16 = 27 * 2

// place returns the place of the next vector.
func (t *toom16) place(s *shorts) operand.Mem {
	s.next++
	return t.At(s.at, s.next-1)
}

// addProducts multiplies values, for a sum.
func (t *toom16) addProducts(add bool) {
	const signature = "func(sum, x, y, work *int16)"
	if add {
		t.begin("AddProducts16", signature, "adds the short products of the values x and y to sum. There is room for 8 vectors in work.")
	} else {
		t.begin("SetProducts16", signature, "sets sum to the short products of the values x and y. There is room for 8 vectors in work.")
	}
	sum, x, y, work := t.Pointer("sum"), t.Pointer("x"), t.Pointer("y"), t.Pointer("work")
	t.twice(func() {
		s := &shorts{at: sum}
		xe, xo := t.leaves(x)
		ye, yo := t.leaves(y)
		t.addShorts(s, xe, ye, add)
		t.addShorts(s, xo, yo, add)
		t.addShorts(s, t.sums(xe, xo), t.kept(t.sums(ye, yo), work, 0), add)
		t.ADDQ(operand.U32(64*short16), sum)
	}, x, y)
}

// addShorts is leaf as far as the products of two coefficients.
func (t *toom16) addShorts(s *shorts, x, y []operand.Op, add bool) {
	if len(x) > 2 {
		xe, xo := everyOther(x)
		ye, yo := everyOther(y)
		t.addShorts(s, xe, ye, add)
		t.addShorts(s, xo, yo, add)
		t.addShorts(s, t.sums(xe, xo), t.sums(ye, yo), add)
		return
	}
	even, odd := t.short(x, y)
	for _, v := range []lanes.Vec{even, odd} {
		at := t.place(s)
		if add {
			v = t.add(v, at)
		}
		t.Write(v, at)
	}
}

// joinProducts makes products of short ones.
func (t *toom16) joinProducts() {
	t.begin("JoinProducts16", "func(w, sum *int16)", "sets w to the products that sum has the short products of.")
	w, sum := t.Pointer("w"), t.Pointer("sum")
	t.twice(func() {
		t.writeLeaves(t.joined(&shorts{at: sum}, leaf16), w)
		t.ADDQ(operand.U32(64*short16), sum)
	}, w)
}

// joined is leaf from the products of two coefficients on.
func (t *toom16) joined(s *shorts, n int) []operand.Op {
	if n == 2 {
		return []operand.Op{t.place(s), t.place(s)}
	}
	p0, p1 := t.joined(s, n/2), t.joined(s, n/2)
	return t.karatsuba(p0, p1, t.joined(s, n/2))
}

// sum adds products to others.
func (t *toom16) sum() {
	t.begin("Add16", "func(sum, w *int16)", "adds the products w to sum.")
	sum, w := t.Pointer("sum"), t.Pointer("w")
	for i := range 2 * leaf16 {
		t.Write(t.add(t.Read(t.At(w, i)), t.At(sum, i)), t.At(sum, i))
	}
	t.End()
}

// kept writes vectors to memory and returns where they are.
func (t *toom16) kept(vs []operand.Op, at reg.Register, first int) []operand.Op {
	for i, v := range vs {
		m := t.At(at, first+i)
		t.Write(v.(lanes.Vec), m)
		vs[i] = m
	}
	return vs
}

// register returns a vector that may be in memory.
func (t *toom16) register(v operand.Op) lanes.Vec {
	if m, ok := v.(operand.Mem); ok {
		return t.Read(m)
	}
	return v.(lanes.Vec)
}

func (t *toom16) sums(a, b []operand.Op) []operand.Op {
	s := make([]operand.Op, len(a))
	for i := range s {
		s[i] = t.add(t.register(a[i]), b[i])
	}
	return s
}

// leaf returns x·y modulo Yⁿ + 1, for polynomials of n coefficients: by striding Karatsuba,
// down to two coefficients.
func (t *toom16) leaf(x, y []operand.Op) []operand.Op {
	if len(x) == 2 {
		even, odd := t.short(x, y)
		return []operand.Op{even, odd}
	}
	xe, xo := everyOther(x)
	ye, yo := everyOther(y)
	p0, p1 := t.leaf(xe, ye), t.leaf(xo, yo)
	return t.karatsuba(p0, p1, t.leaf(t.sums(xe, xo), t.sums(ye, yo)))
}

// short returns x·y modulo Y² + 1.
func (t *toom16) short(x, y []operand.Op) (even, odd lanes.Vec) {
	x0, x1 := t.register(x[0]), t.register(x[1])
	even = t.sub(t.Of(t.VPMULLW, y[0], x0), t.Of(t.VPMULLW, y[1], x1))
	odd = t.add(t.Of(t.VPMULLW, y[1], x0), t.Of(t.VPMULLW, y[0], x1))
	return even, odd
}

// everyOther returns the even and the odd coefficients.
func everyOther(x []operand.Op) (even, odd []operand.Op) {
	for i := 0; i < len(x); i += 2 {
		even, odd = append(even, x[i]), append(odd, x[i+1])
	}
	return even, odd
}

// karatsuba returns the product that has p0 and p1 for products of the even and of the odd
// coefficients, and p2 for that of their sums.
func (t *toom16) karatsuba(p0, p1, p2 []operand.Op) (z []operand.Op) {
	for i := range p0 {
		a := t.register(p0[i])
		var even lanes.Vec
		if i == 0 {
			even = t.sub(a, p1[len(p1)-1])
		} else {
			even = t.add(a, p1[i-1])
		}
		z = append(z, even, t.sub(t.register(p2[i]), t.add(a, p1[i])))
	}
	return z
}

// interpolate makes coefficients of products.
func (t *toom16) interpolate() {
	t.begin("Interpolate16", "func(z, w, table *int16, mask int)", "sets z to the polynomial with the products w, with coefficients of the bits of mask.")
	t.table = t.Pointer("table")
	w := t.Pointer("w")
	outer := t.join(w)
	zero := t.Vec()
	t.VPXORD(zero, zero, zero)
	var low, high [pairs16]lanes.Vec
	for i5 := range 2 {
		var a, b [4]lanes.Vec // by i7 and i6
		for i := range a {
			a[i], b[i] = outer(2*i + i5)
		}
		d := t.coefficients(t.points(a, b))
		l, h := t.naturally(d[:4]), t.naturally(append(d[4:], zero))
		for i := range l {
			low[2*i+i5], high[2*i+i5] = l[i], h[i]
		}
	}

	z, and, bits := t.Pointer("z"), t.Vec(), t.GP64()
	t.Load(t.Param("mask"), bits)
	t.VPBROADCASTW(bits.As32(), and)
	last := t.sub(zero, high[pairs16-1]) // V^64 = −1
	for m, v := range low {
		sum := t.add(v, t.Of(t.VALIGNQ, lanes.Imm(7), last, high[m]))
		t.Write(t.Of(t.VPANDD, and, sum), t.At(z, m))
		last = high[m]
	}
	t.End()
}

// region16 is where the halves of a kind are in products, in bytes.
const region16 = 32 * leaf16

// join does Karatsuba's method on i3, the way back, and returns a function that does it on
// i2, for A and for B: of coefficients 2m and 2m + 1.
func (t *toom16) join(w reg.Register) func(m int) (a, b lanes.Vec) {
	const inA, inB, inW, inQ = 0, region16, 2 * region16, 3 * region16
	at := func(region, m int) operand.Mem { return t.At(w, m).Offset(region) }
	upper, odd := t.mask(0xff00ff00), t.mask(0xf0f0f0f0)
	// Words of lane 1 that sums over both come to, two and two, from words 3 and 7.
	var pairs [3]reg.Register
	for i := range pairs {
		pairs[i] = t.bytes(0x03030000 << (2 * i))
	}
	gather := t.Read(t.At(t.table, toomGather))
	zero := t.Vec()
	t.VPXORD(zero, zero, zero)

	// before returns what is one place by i3 before.
	before := func(region, m int) lanes.Vec {
		if m > 0 {
			return t.Read(at(region, m).Offset(-16))
		}
		last := t.sub(zero, t.Read(at(region, pairs16-1)))
		return t.Of(t.VALIGNQ, lanes.Imm(6), last, t.Read(at(region, m)))
	}
	// inner returns A or B by i3, with i2 = 0 and 1 in the quadwords.
	inner := func(v, before lanes.Vec, sums operand.Mem) lanes.Vec {
		s := t.add(v, before)
		return t.under(upper, s, t.VPSUBW, s, t.Read(sums))
	}
	var za, zb [pairs16]lanes.Vec
	for m := range za {
		za[m] = inner(t.Read(at(inA, m)), before(inA, m), at(inQ, m).Offset(-16))
		zb[m] = inner(t.Read(at(inB, m)), before(inB, m), at(inQ, m))
	}
	outer := func(z *[pairs16]lanes.Vec, m int, sums lanes.Vec) lanes.Vec {
		last := (m + pairs16 - 1) % pairs16
		prev := z[last]
		if m == 0 {
			prev = t.sub(zero, prev)
		}
		e := t.add(z[m], t.Of(t.VALIGNQ, lanes.Imm(7), prev, z[m]))
		return t.under(odd, e, t.VPSUBW, e, sums)
	}
	return func(m int) (a, b lanes.Vec) {
		beforeW := before(inW, m)
		// The sums over i2: A in even quadwords and B in odd ones.
		both := t.Of(t.VPSHUFB, gather, beforeW)
		for i, v := range []lanes.Vec{before(inB, m), t.Read(at(inB, m)), t.Read(at(inQ, m))} {
			t.under(pairs[i], both, t.VPSHUFB, gather, v)
		}
		s := t.add(t.Read(at(inW, m)), beforeW)
		s = t.under(upper, s, t.VPSUBW, s, both)
		return outer(&za, m, t.Of(t.VPUNPCKLQDQ, s, s)), outer(&zb, m, s)
	}
}

// points brings the values at each point into a vector, of those coefficients that have one
// i5. Bits in the lanes are then i4 i3 i6 i2 i7. The order is 0, ∞, 1, −1, ½, −½, 2.
func (t *toom16) points(a, b [4]lanes.Vec) (v [7]lanes.Vec) {
	evenWords, oddWords := t.bytes(0x33333333), t.bytes(0xcccccccc)
	even, odd := t.Read(t.At(t.table, toomEven)), t.Read(t.At(t.table, toomOdd))
	// first has the even words of two vectors, and words also the odd ones.
	first := func(x, y lanes.Vec) lanes.Vec { return t.under(oddWords, x, t.VPSHUFB, even, y) }
	words := func(x, y lanes.Vec) (lanes.Vec, lanes.Vec) {
		old := t.Of(t.VMOVDQA64, x)
		return first(x, y), t.under(evenWords, y, t.VPSHUFB, odd, old)
	}
	pick := func(v [4]lanes.Vec, i7, imm int) lanes.Vec {
		return t.Of(t.VSHUFPS, lanes.Imm(imm), v[2*i7+1], v[2*i7])
	}
	const low, high = 0x88, 0xdd
	v[0], v[1] = words(pick(b, 0, low), pick(b, 1, low))
	v[2], v[3] = words(pick(a, 0, high), pick(a, 1, high))
	v[4], v[5] = words(pick(a, 0, low), pick(a, 1, low))
	v[6] = first(pick(b, 0, high), pick(b, 1, high))
	return v
}

// coefficients returns d₀ … d₆ from the products at points, modulo 2^13. With B = 16:
//
//   - s = (w(1)+w(−1))/2 − d₀ − d₆ = d₂ + d₄ and o = (w(1)−w(−1))/2 = d₁+d₃+d₅ are known
//     modulo 2^(B−1).
//   - u = ((w(½)+w(−½))/2 − 64d₀ − d₆)/4 = 4d₂ + d₄ is known modulo 2^(B−3), and so are
//     d₂ = (u−s)/3 and d₄ = s − d₂.
//   - v = (w(½)−w(−½))/4 = 16d₁ + 4d₃ + d₅ is known modulo 2^(B−2).
//   - w(2) + w(½) = 65(d₀+d₆) + 34(d₁+d₅) + 20(d₂+d₄) + 16d₃. Less 65(d₀+d₆) + 20s it is
//     34o − 18d₃, modulo 2^B; so d₃ is known modulo 2^(B−1). 34o is 17(w(1)−w(−1)).
//   - v − o − 3d₃ = 15d₁ gives d₁, and d₅ = o − d₃ − d₁, both modulo 2^(B−2).
func (t *toom16) coefficients(w [7]lanes.Vec) []lanes.Vec {
	shift := func(instruction func(...operand.Op), v lanes.Vec, n int) lanes.Vec {
		return t.Of(instruction, lanes.Imm(n), v)
	}
	d0, d6 := w[0], w[1]
	d06 := t.add(d0, d6)
	s := t.sub(shift(t.VPSRLW, t.add(w[2], w[3]), 1), d06)
	twiceO := t.sub(w[2], w[3])
	o := shift(t.VPSRLW, twiceO, 1)
	u := t.sub(t.sub(shift(t.VPSRLW, t.add(w[4], w[5]), 1), shift(t.VPSLLW, d0, 6)), d6)
	u = shift(t.VPSRLW, u, 2)
	v := shift(t.VPSRLW, t.sub(w[4], w[5]), 2)
	d2 := t.times(t.sub(u, s), toomThird)
	d4 := t.sub(s, d2)
	rest := t.sub(t.add(t.times(d06, toom65), t.times(s, toom20)), t.add(w[6], w[4]))
	d3 := shift(t.VPSRLW, t.times(t.add(t.times(twiceO, toom17), rest), toomNinth), 1)
	d1 := t.times(t.sub(t.sub(v, o), t.times(d3, toom3)), toomFifteenth)
	d5 := t.sub(t.sub(o, d3), d1)
	return []lanes.Vec{d0, d1, d2, d3, d4, d5, d6}
}

// naturally brings four coefficients in t into the order of the index, by i7 and i6: the
// first is in the words with i1 i0 = 0.
func (t *toom16) naturally(d []lanes.Vec) (z [4]lanes.Vec) {
	even, odd := t.mask(0x5555), t.mask(0xaaaa) // doublewords
	for i6, unpack := range []func(...operand.Op){t.VPUNPCKLWD, t.VPUNPCKHWD} {
		a, b := t.Of(unpack, d[1], d[0]), t.Of(unpack, d[3], d[2])
		old := t.Of(t.VMOVDQA64, a)
		z[i6] = t.under(odd, a, t.VMOVSLDUP, b)
		z[2+i6] = t.under(even, b, t.VMOVSHDUP, old)
	}
	return z
}
