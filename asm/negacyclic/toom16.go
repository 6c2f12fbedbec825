package negacyclic

import (
	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/lanes"
	"residue/asm/internal/schedule"
)

// Striding Toom-Cook 4 for 256 words of 16 bits, in vectors of 32 words.
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
// order of points above, two at a time for ½ and 0, −½ and ∞, 1 and 2, they are in words
// 3 and 7 of B, words 11 and 15 of B, and words 11 and 15 of Q; the seventh, at −1, is word 7
// of W. Word 15 of W has nothing.
//
// Values are A and B of each j in a vector, and then W and Q. Products are all of A, by j, in
// halves one behind the other, then B, W and Q: a coefficient's neighbour is then 32 bytes
// away, its neighbour by i3 16 bytes, and shifts are loads from elsewhere.
//
// With vectors of 16 words each half is a vector, and values lie as products do.
type toom16 struct {
	*lanes.Program
	prefix    string // of names
	name      string // of the function
	schedules map[string]schedule.Options
	options   schedule.Options
	table     reg.Register
	work      shorts // memory that leaf works in
	// inMemory is the number of coefficients from which on leaf keeps sums and products in
	// memory: there are no registers for them.
	inMemory int
}

// The vectors of the table. Patterns of words are the same in every quadword.
const (
	toomA0       = iota // 8, 4, 1, 1: what a₀ and a₁ are multiplied by for A
	toomA2              // 2, 1, 1, 1: likewise a₂ and a₃
	toomB0              // 1, 0, 1, 2: likewise for B
	toomB2              // 0, 0, 4, 8
	toomLower           // quadwords of two vectors: the lower ones of halves
	toomUpper           // and the upper ones
	toomFreeB           // the words of sums over both for the free ones of B, or zero
	toomFreeW           // of W
	toomFreeQ           // and of Q
	toomGather          // where they come from
	toomGatherW         // from W and nowhere else, or zero
	toomGatherB0        // from the lower 128 bits of B
	toomGatherB1        // from the upper ones
	toomGatherQ         // from Q
	toomTurned          // words 1, 0, 3, 2
	toomEven            // words 0, 0, 2, 2
	toomOdd             // words 1, 1, 3, 3
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

// begin starts a function, and returns its frame of so many bytes if it has one.
func (t *toom16) begin(name, signature, doc string, frame ...int) (m operand.Mem) {
	name = t.prefix + name
	t.Function(name)
	t.Attributes(attr.NOSPLIT)
	t.SignatureExpr(signature)
	t.Pragma("noescape")
	t.Doc(name + " " + doc)
	t.schedules[name] = t.options
	t.name = name
	for _, bytes := range frame {
		m = t.AllocLocal(bytes)
	}
	return m
}

// private says what is accessed through nothing but these pointers.
func (t *toom16) private(pointers ...reg.Register) {
	o := t.schedules[t.name]
	o.Private = pointers
	t.schedules[t.name] = o
}

// add returns a + b, and sub returns a − b.
func (t *toom16) add(a lanes.Vec, b operand.Op) lanes.Vec { return t.Of(t.VPADDW, b, a) }
func (t *toom16) sub(a lanes.Vec, b operand.Op) lanes.Vec { return t.Of(t.VPSUBW, b, a) }

// times multiplies by a vector of the table.
func (t *toom16) times(v lanes.Vec, constant int) lanes.Vec {
	return t.Of(t.VPMULLW, t.constant(constant), v)
}

// constant is where the table has a vector.
func (t *toom16) constant(i int) operand.Mem {
	return operand.Mem{Base: t.table, Disp: lanes.AVX512 * i}
}

// products are the functions that are the same with vectors of any length.
func (t *toom16) products() {
	t.multiply()
	t.addProducts(false)
	t.addProducts(true)
	t.joinProducts()
	t.sum()
}

// multiply multiplies values.
func (t *toom16) multiply() {
	t.begin("Leaves16", "func(w, x, y, work *int16)", "sets w to the products of the values x and y. work has room for 1024 words. w may be x or y.")
	w, x, y, work := t.Pointer("w"), t.Pointer("x"), t.Pointer("y"), t.Pointer("work")
	t.private(work)
	t.each(func() {
		t.work = shorts{at: work}
		t.writeLeaves(t.leaf(t.leaves(x), t.leaves(y)), w)
	}, x, y, w)
}

// each does something for A and B and then for W and Q, or for each of them, and returns to
// the caller. The pointers move on in between.
func (t *toom16) each(f func(), pointers ...reg.Register) {
	count := t.GP64()
	t.MOVQ(operand.U32(4*region16/(leaf16*t.Bytes)), count)
	t.Label("next")
	f()
	for _, p := range pointers {
		t.ADDQ(operand.U32(t.Bytes*leaf16), p)
	}
	t.DECQ(count)
	t.JNZ(operand.LabelRef("next"))
	t.End()
}

// leaves returns where the coefficients of leaves are.
func (t *toom16) leaves(x reg.Register) (all []operand.Op) {
	for j := range leaf16 {
		all = append(all, t.At(x, j))
	}
	return all
}

// writeLeaves writes coefficients of products of leaves.
func (t *toom16) writeLeaves(vs []operand.Op, w reg.Register) {
	for j, v := range vs {
		if t.Bytes == lanes.AVX2 {
			t.Write(v.(lanes.Vec), t.At(w, j))
			continue
		}
		at := operand.Mem{Base: w, Disp: 32 * j}
		t.halves(v.(lanes.Vec), at, at.Offset(region16))
	}
}

// shorts are vectors in memory, one behind the other: the 27 products of two coefficients
// that leaves are made of. A sum of products is kept by them, and put together once.
type shorts struct {
	at   reg.Register
	next int // vector
}

// short16 is how many vectors they are.
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
		t.begin("AddProducts16", signature, "adds the short products of the values x and y to sum. work has room for 1024 words.")
	} else {
		t.begin("SetProducts16", signature, "sets sum to the short products of the values x and y. work has room for 1024 words.")
	}
	sum, x, y, work := t.Pointer("sum"), t.Pointer("x"), t.Pointer("y"), t.Pointer("work")
	t.private(sum, work)
	t.each(func() {
		t.work = shorts{at: work}
		t.addShorts(&shorts{at: sum}, t.leaves(x), t.leaves(y), add)
		t.ADDQ(operand.U32(t.Bytes*short16), sum)
	}, x, y)
}

// addShorts is leaf as far as the products of two coefficients.
func (t *toom16) addShorts(s *shorts, x, y []operand.Op, add bool) {
	if len(x) > 2 {
		xe, xo := everyOther(x)
		ye, yo := everyOther(y)
		t.addShorts(s, xe, ye, add)
		t.addShorts(s, xo, yo, add)
		defer t.free(t.work.next)
		xs, ys := t.operands(t.sums(xe, xo), t.sums(ye, yo))
		t.addShorts(s, xs, ys, add)
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
	t.begin("JoinProducts16", "func(w, sum, work *int16)", "sets w to the products that sum has the short products of. work has room for 1024 words.")
	w, sum, work := t.Pointer("w"), t.Pointer("sum"), t.Pointer("work")
	t.private(w, sum, work)
	t.each(func() {
		t.work = shorts{at: work}
		t.writeLeaves(t.joined(&shorts{at: sum}, leaf16), w)
		t.ADDQ(operand.U32(t.Bytes*short16), sum)
	}, w)
}

// joined is leaf from the products of two coefficients on.
func (t *toom16) joined(s *shorts, n int) []operand.Op {
	if n == 2 {
		return []operand.Op{t.place(s), t.place(s)}
	}
	defer t.free(t.work.next)
	half := func() []operand.Op {
		p := t.joined(s, n/2)
		if t.Bytes == lanes.AVX2 {
			p = t.kept(p)
		}
		return p
	}
	p0, p1 := half(), half()
	return t.karatsuba(p0, p1, t.joined(s, n/2))
}

// sum adds products to others.
func (t *toom16) sum() {
	t.begin("Add16", "func(sum, w *int16)", "adds the products w to sum.")
	sum, w := t.Pointer("sum"), t.Pointer("w")
	for i := range 4 * region16 / t.Bytes {
		t.Write(t.add(t.Read(t.At(w, i)), t.At(sum, i)), t.At(sum, i))
	}
	t.End()
}

// kept writes vectors to memory, if there are many, and returns where they are.
func (t *toom16) kept(vs []operand.Op) []operand.Op {
	if 2*len(vs) < t.inMemory {
		return vs
	}
	for i, v := range vs {
		if v, ok := v.(lanes.Vec); ok {
			m := t.place(&t.work)
			t.Write(v, m)
			vs[i] = m
		}
	}
	return vs
}

// free gives back what kept took since the next vector was this one.
func (t *toom16) free(next int) { t.work.next = next }

// operands are x and y for a leaf: y in memory if there are many, and x if there are many
// for so few registers.
func (t *toom16) operands(x, y []operand.Op) (_, _ []operand.Op) {
	if t.Bytes == lanes.AVX2 {
		x = t.kept(x)
	}
	return x, t.kept(y)
}

// register returns a vector that may be in memory.
func (t *toom16) register(v operand.Op) lanes.Vec {
	if m, ok := v.(operand.Mem); ok {
		return t.Read(m)
	}
	return v.(lanes.Vec)
}

// sums returns a + b.
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
	defer t.free(t.work.next)
	p0, p1 := t.kept(t.leaf(xe, ye)), t.kept(t.leaf(xo, yo))
	xs, ys := t.operands(t.sums(xe, xo), t.sums(ye, yo))
	return t.karatsuba(p0, p1, t.leaf(xs, ys))
}

// short returns x·y modulo Y² + 1.
func (t *toom16) short(x, y []operand.Op) (even, odd lanes.Vec) {
	x0, x1, y0, y1 := t.register(x[0]), t.register(x[1]), t.register(y[0]), t.register(y[1])
	even = t.sub(t.Of(t.VPMULLW, y0, x0), t.Of(t.VPMULLW, y1, x1))
	odd = t.add(t.Of(t.VPMULLW, y1, x0), t.Of(t.VPMULLW, y0, x1))
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

// region16 is where the halves of a kind are in products, in bytes.
const region16 = 32 * leaf16

// points brings the values at each point into a vector, of those coefficients that have one
// i5, and one i4 if vectors have no room for both. a and b are by i7 and i6. Bits in the lanes
// are then i4 i3 i6 i2 i7. The order is 0, ∞, 1, −1, ½, −½, 2.
//
// first returns the even words of two vectors, and words also the odd ones.
func (t *toom16) points(a, b [4]lanes.Vec, first func(x, y lanes.Vec) lanes.Vec, words func(x, y lanes.Vec) (_, _ lanes.Vec)) (v [7]lanes.Vec) {
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

// naturally brings four coefficients in t into the order of the index, by i7 and i6: the
// first is in the words with i1 i0 = 0. exchange returns the even doublewords of two vectors
// and the odd ones.
func (t *toom16) naturally(d []lanes.Vec, exchange func(a, b lanes.Vec) (_, _ lanes.Vec)) (z [4]lanes.Vec) {
	for i6, unpack := range []func(...operand.Op){t.VPUNPCKLWD, t.VPUNPCKHWD} {
		z[i6], z[2+i6] = exchange(t.Of(unpack, d[1], d[0]), t.Of(unpack, d[3], d[2]))
	}
	return z
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
