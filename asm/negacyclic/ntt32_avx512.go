package negacyclic

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/lanes"
	"residue/asm/internal/schedule"
)

// The transforms of 256 words of 32 bits by AVX-512 IFMA, two layers at a time, in two passes
// of four layers each. In a pass, sixteen vectors have eight words each, in 64 bits, so that
// the four bits of the index that its layers are about number the vectors.
//
// Between passes, words have 32 bits again. A load of every other 32 bits, from an address that
// is a multiple of 64 or 4 more, gives words in 64 bits for nothing. So the lowest of the four
// bits of lanes of 32 bits becomes one of vectors; and four bits of vectors become lanes when
// two vectors are packed into one, and in two steps that each put the halves of a kind of two
// vectors together:
//
//	vectors  lanes
//	7 6 5 4    3 2 1    words of 64 bits; pass by pass, with bit 0 = 0 and then 1
//	7 6 5    3 2 4 1    packed
//	7 6 2    5 3 4 1
//	7 3 2    6 5 4 1    in memory, with bit 0 below
//	3 2 1 0    6 5 4    words of 64 bits; with bit 7 = 0 and then 1
//
// forward. Back, bit 3 is the one that is constant in the second pass:
//
//	3 2 1 0    6 5 4
//	3 2 1    6 5 0 4    packed
//	3 2 5    1 6 0 4
//	3 6 5    2 1 0 4    in memory, with bit 7 above
//	7 6 5 4    2 1 0
type ntt32AVX512 struct {
	fractions
	name      string
	schedules map[string]schedule.Options
	group     reg.Register // the table's vectors of the group that a loop is at
	even      reg.Register // mask of every other 32 bits
}

// The words of 64 bits of the table of a ring; residue/negacyclic has the same.
const (
	modulus32 = iota
	half32    // ⌊2^51/q⌋
	twice32   // 2q
	one32     // the fraction of 1
	halfAny32 // half32 for words of the first layer
	long32    // the fraction of 1, rounded down, and its tail
	_
	thrice32                  // 3q²
	square32                  // q²
	first32                   // constants of layers 7 and 6 forward
	second32 = first32 + 6    // of 5 and 4, for each of four blocks
	third32  = second32 + 4*5 // of 4 and 5 back
	fourth32 = third32 + 4*5  // of 6 and 7 back, times 2^−8
)

// The vectors behind them, and those of a group, for bit 7 = 0 and 1, of 8 blocks.
const (
	reduce32  = 8 // for 32 numbers, the five high bits of a word, what makes it small
	pack32    = reduce32 + 2
	groups32  = pack32 + 1
	inner32   = 0               // constants of layers 3 and 2 forward
	last32    = inner32 + 5     // of 1 and 0, for each of four blocks
	start32   = last32 + 4*6    // of 0 and 1 back, with tails, for each of four blocks
	outward32 = start32 + 4*2*5 // of 2 and 3 back
	group32   = outward32 + 5   // vectors of a group
)

// NTT32AVX512 is the file of the transforms of 32-bit words for AVX-512.
func NTT32AVX512() gofile.File {
	f := gofile.File{
		Dir: "negacyclic", Base: "ntt32_avx512_amd64", Package: "negacyclic",
		Schedule: map[string]schedule.Options{},
	}
	f.Build = func(ctx *build.Context) {
		n := &ntt32AVX512{schedules: f.Schedule}
		n.Program = &lanes.Program{Context: ctx, Bytes: lanes.AVX512}
		n.forwardHigh()
		n.forwardLow()
		n.forwardOrder()
		n.backOrder()
		n.multiply()
		n.backHigh()
		n.sum()
	}
	return f
}

// begin starts a function and loads what all need.
func (n *ntt32AVX512) begin(name, signature, doc string) {
	n.name = "avx512" + name
	n.Function(n.name)
	n.SignatureExpr(signature)
	n.Pragma("noescape")
	n.Doc(n.name + " " + doc)
	n.table, n.group = n.Pointer("table"), n.GP64()
	n.q = n.spread(modulus32)
	n.even = n.K()
	mask := n.GP32()
	n.MOVL(operand.U32(0x5555), mask)
	n.KMOVD(mask, n.even)
	n.schedules[n.name] = schedule.Options{
		Live:   map[reg.Kind]int{reg.KindVector: 32, reg.KindOpmask: 7, reg.KindGP: 13},
		Window: 48, Load: 1, Private: []reg.Register{n.table, n.group},
	}
}

// split returns the words of a vector of 32 bits that are at even places, or those at odd ones,
// in 64 bits. The last vector of an array must not be read beyond its end.
func (n *ntt32AVX512) split(base reg.Register, i, odd int, last bool) lanes.Vec {
	m := n.At(base, i)
	if odd == 1 && last {
		return n.Of(n.VPSRLQ, lanes.Imm(32), m)
	}
	m.Disp += 4 * odd
	v := n.Vec()
	n.VMOVDQU32_Z(m, n.even, v)
	return v
}

// pack returns the words of two vectors of 64 bits in 32: the bit that tells the vectors apart
// becomes the second of lanes, and the lowest of lanes stays.
func (n *ntt32AVX512) pack(v, w lanes.Vec) lanes.Vec { return n.Of(n.VSHUFPS, lanes.Imm(0x88), w, v) }

// interleave does the same, but the bit becomes the lowest of lanes. v is lost.
func (n *ntt32AVX512) interleave(v, w lanes.Vec, odd reg.Register) lanes.Vec {
	n.VMOVSLDUP(w, odd, v)
	return v
}

// packAll packs pairs that differ in the last bit of the number.
func (n *ntt32AVX512) packAll(v []lanes.Vec) []lanes.Vec {
	w := make([]lanes.Vec, len(v)/2)
	for i := range w {
		w[i] = n.pack(v[2*i], v[2*i+1])
	}
	return w
}

// exchange replaces pairs of vectors whose numbers differ in a bit. What was the bit of vectors
// becomes the highest of lanes, that the next one, and that the bit of vectors.
func (n *ntt32AVX512) exchange(v []lanes.Vec, bit int) {
	n.pairs(v, bit, func(x, y lanes.Vec) (lanes.Vec, lanes.Vec) {
		return n.Of(n.VSHUFI64X2, lanes.Imm(0x88), y, x), n.Of(n.VSHUFI64X2, lanes.Imm(0xdd), y, x)
	})
}

// exchangeQuadwords changes the places of a bit of vectors and the second lowest of lanes.
func (n *ntt32AVX512) exchangeQuadwords(v []lanes.Vec, bit int) {
	n.pairs(v, bit, func(x, y lanes.Vec) (lanes.Vec, lanes.Vec) {
		return n.Of(n.VPUNPCKLQDQ, y, x), n.Of(n.VPUNPCKHQDQ, y, x)
	})
}

func (n *ntt32AVX512) pairs(v []lanes.Vec, bit int, f func(x, y lanes.Vec) (lanes.Vec, lanes.Vec)) {
	for i := range v {
		if j := i | 1<<bit; j != i {
			v[i], v[j] = f(v[i], v[j])
		}
	}
}

// fours calls f for the four groups of four of sixteen vectors that differ in the two bits from
// a bit of their number on, in their order.
func fours(v []lanes.Vec, bit int, f func(x []lanes.Vec, group int)) {
	for group := range 4 {
		var x []lanes.Vec
		at := func(i int) int {
			if bit == 0 {
				return 4*group + i
			}
			return 4*i + group
		}
		for i := range 4 {
			x = append(x, v[at(i)])
		}
		f(x, group)
		for i := range 4 {
			v[at(i)] = x[i]
		}
	}
}

// forwardHigh does layers 7 to 4. Words are brought into [0, 2^27 + q) first, and become residues
// in [2q, 3q) in two layers, and below 5q in the others.
func (n *ntt32AVX512) forwardHigh() {
	n.begin("ForwardHigh32", "func(z, x *int32, table *uint64)", "does layers 7 to 4 of a transform: z is for avx512ForwardLow32 and the like. z may be x.")
	z, x := n.Pointer("z"), n.Pointer("x")
	small := n.Read(n.At(n.table, reduce32))
	var packed [2][]lanes.Vec
	for odd := range 2 {
		v := make([]lanes.Vec, 16)
		fours(v, 2, func(r []lanes.Vec, group int) {
			for i := range r {
				at := 4*i + group
				if odd == 1 {
					r[i] = n.split(z, at, 1, at == 15)
				} else {
					r[i] = n.reduce(z, x, at, small)
				}
			}
			n.forwardFully(r, n.scalars(first32, 6), func() lanes.Vec { return n.spread(halfAny32) }, func() lanes.Vec { return n.spread(twice32) })
		})
		if odd == 1 {
			n.writeStrided(packed[0], z, 0)
		}
		fours(v, 0, func(r []lanes.Vec, group int) { n.forward(r, n.scalars(second32+5*group, 5)) })
		packed[odd] = n.packAll(v)
		n.exchange(packed[odd], 0)
		n.exchange(packed[odd], 1)
	}
	n.writeStrided(packed[1], z, 1)
	n.End()
}

// writeStrided writes eight vectors to every other place. Their number has the bits 7, 3 and 2
// of the index.
func (n *ntt32AVX512) writeStrided(v []lanes.Vec, z reg.Register, first int) {
	for i, w := range v {
		n.Write(w, n.At(z, i>>2*8+i&3*2+first))
	}
}

// reduce writes a vector of words in [0, 2^27 + q) that are those of x modulo q to z, and returns
// the even ones: the table has for the highest five bits what they are modulo q, less what they
// are.
func (n *ntt32AVX512) reduce(z, x reg.Register, i int, small lanes.Vec) lanes.Vec {
	v := n.Read(n.At(x, i))
	w := n.Of(n.VPSRLD, lanes.Imm(27), v)
	n.VPERMI2D(n.At(n.table, reduce32+1), small, w)
	n.Write(n.Of(n.VPADDD, v, w), n.At(z, i))
	even := n.Vec()
	n.VPADDD_Z(v, w, n.even, even)
	return even
}

// advance is by how many vectors a pointer goes forward in a turn of a loop.
type advance struct {
	pointer reg.GPVirtual
	vectors int
}

// eachGroup does f in a loop of two turns, with the table's vectors of a group; pointers advance
// by so many vectors.
func (n *ntt32AVX512) eachGroup(f func(), pointers ...advance) {
	n.Load(n.Param("table"), n.group)
	n.ADDQ(operand.I32(groups32*lanes.AVX512), n.group)
	left := n.GP64()
	n.MOVQ(operand.U32(2), left)
	n.Label("group")
	f()
	n.ADDQ(operand.I32(group32*lanes.AVX512), n.group)
	for _, p := range pointers {
		n.ADDQ(operand.I32(p.vectors*lanes.AVX512), p.pointer)
	}
	n.DECQ(left)
	n.JNZ(operand.LabelRef("group"))
}

// lowLayers does layers 3 to 0 of a group, of eight vectors that forwardHigh wrote. end has each four
// of the result, residues in [0, q), in their order.
func (n *ntt32AVX512) lowLayers(x reg.Register, end func(r []lanes.Vec, group int)) []lanes.Vec {
	v := make([]lanes.Vec, 16)
	for i := range v { // bits 3, 2, 1 and 0
		at := i>>2*2 + i&1
		v[i] = n.split(x, at, i>>1&1, at == 7)
	}
	fours(v, 2, func(r []lanes.Vec, _ int) { n.forward(r, vectors32(n.group, inner32, 5)) })
	fours(v, 0, func(r []lanes.Vec, group int) {
		n.forwardFully(r, vectors32(n.group, last32+6*group, 6), n.half, n.zero)
		end(r, group)
	})
	return v
}

// forwardLow does layers 3 to 0, for multiply.
func (n *ntt32AVX512) forwardLow() {
	n.begin("ForwardLow32", "func(z *uint64, x *int32, table *uint64)", "does layers 3 to 0 of a transform: z, of 256 words of 64 bits, is for avx512Multiply32. x may be the second half of z.")
	z, x := n.Pointer("z"), n.Pointer("x")
	n.eachGroup(func() {
		n.WriteAll(n.lowLayers(x, func([]lanes.Vec, int) {}), z)
	}, advance{x, 8}, advance{z, 16})
	n.End()
}

// forwardOrder does layers 3 to 0, in the order of FIPS 204.
//
//	vectors  lanes
//	3 2 1 0    6 5 4
//	3 2 1    6 5 4 0
//	3 2 4    6 5 1 0
//	3 5 4    2 6 1 0
//	6 5 4    3 2 1 0
func (n *ntt32AVX512) forwardOrder() {
	n.begin("ForwardOrder32", "func(z, x *int32, table *uint64)", "does layers 3 to 0 of a transform: z is in the order of FIPS 204, in [0, q). z may be x.")
	z, x := n.Pointer("z"), n.Pointer("x")
	odd := n.K()
	n.KNOTW(n.even, odd)
	n.eachGroup(func() {
		v := n.lowLayers(x, func([]lanes.Vec, int) {})
		w := make([]lanes.Vec, 8)
		for i := range w {
			w[i] = n.interleave(v[2*i], v[2*i+1], odd)
		}
		n.exchangeQuadwords(w, 0)
		n.exchange(w, 1)
		n.exchange(w, 2)
		n.WriteAll(w, z)
	}, advance{x, 8}, advance{z, 8})
	n.End()
}

// backOrder does layers 0 to 3 back.
//
//	vectors  lanes
//	6 5 4    3 2 1 0
//	6 2 4    5 3 1 0
//	3 2 4    6 5 1 0
//	3 2 1    6 5 4 0
//	3 2 1 0    6 5 4
func (n *ntt32AVX512) backOrder() {
	n.begin("BackOrder32", "func(z, x *int32, table *uint64)", "does layers 0 to 3 of a transform back, of x in the order of FIPS 204, in [0, q): z is for avx512BackHigh32. z may be x.")
	z, x := n.Pointer("z"), n.Pointer("x")
	n.eachGroup(func() {
		w := n.ReadAll(x, 8)
		n.exchange(w, 1)
		n.exchange(w, 2)
		n.exchangeQuadwords(w, 0)
		v := make([]lanes.Vec, 16)
		for i, both := range w {
			v[2*i], v[2*i+1] = n.Vec(), n.Of(n.VPSRLQ, lanes.Imm(32), both)
			n.VMOVDQA32_Z(both, n.even, v[2*i])
		}
		fours(v, 0, func(r []lanes.Vec, group int) {
			var c []constant
			for i := range 5 {
				c = append(c, vectors32(n.group, start32+10*group+2*i, 1)...)
			}
			n.back(r, append(c, n.scalars(one32, 1)...))
		})
		n.lowBack(v, z)
	}, advance{x, 8}, advance{z, 8})
	n.End()
}

// lowBack does layers 2 and 3 back of a group, of residues in [0, q), which leave words below 4q.
func (n *ntt32AVX512) lowBack(v []lanes.Vec, z reg.Register) {
	fours(v, 2, func(r []lanes.Vec, _ int) { n.back(r, vectors32(n.group, outward32, 5)) })
	w := n.packAll(v)
	n.exchange(w, 0)
	n.exchange(w, 1)
	n.WriteAll(w, z)
}

// multiply does layers 3 to 0 of a second operand, multiplies, and does layers 0 to 3 back.
func (n *ntt32AVX512) multiply() {
	n.begin("Multiply32", "func(z *int32, x *uint64, y *int32, table *uint64)", "does layers 3 to 0 of a transform of y, multiplies by x from avx512ForwardLow32, and does layers 0 to 3 back: z is for avx512BackHigh32. z may be x or y.")
	z, x, y := n.Pointer("z"), n.Pointer("x"), n.Pointer("y")
	n.eachGroup(func() {
		v := n.lowLayers(y, func(r []lanes.Vec, group int) {
			var other []operand.Mem
			for i := range r {
				other = append(other, n.At(x, 4*group+i))
			}
			n.multiplyBack(r, other, vectors32(n.group, start32+10*group, 10))
		})
		n.lowBack(v, z)
	}, advance{x, 16}, advance{y, 8}, advance{z, 8})
	n.End()
}

// backHigh does layers 4 to 7 back.
func (n *ntt32AVX512) backHigh() {
	n.begin("BackHigh32", "func(z, x *int32, table *uint64)", "does layers 4 to 7 of a transform back: z is a polynomial, in [0, q). z may be x.")
	z, x := n.Pointer("z"), n.Pointer("x")
	order := n.Read(n.At(n.table, pack32))
	var packed [2][]lanes.Vec
	for bit3 := range 2 {
		v := make([]lanes.Vec, 16)
		fours(v, 0, func(r []lanes.Vec, group int) {
			for i := range r { // bits 7, 6, 5 and 4
				at := 4*group + i
				from := at>>3*8 + bit3*4 + at>>1&3
				r[i] = n.split(x, from, i&1, from == 15)
			}
			n.back(r, n.scalars(third32+5*group, 5))
		})
		fours(v, 2, func(r []lanes.Vec, _ int) { n.back(r, n.scalars(fourth32, 6)) })
		for i := range 8 {
			n.VPERMT2D(v[2*i+1], order, v[2*i])
			packed[bit3] = append(packed[bit3], v[2*i])
		}
	}
	for bit3, vs := range packed {
		for i, v := range vs {
			lo := operand.Mem{Base: z, Disp: lanes.AVX512*2*i + lanes.AVX2*bit3}
			hi := lo
			hi.Disp += lanes.AVX512
			n.VMOVDQU64(v.AsY(), lo)
			n.VEXTRACTI64X4(lanes.Imm(1), v, hi)
		}
	}
	n.End()
}

// sum adds products of residues: words of 32 bits in the order of FIPS 204.
func (n *ntt32AVX512) sum() {
	n.begin("Sum32", "func(z *int32, terms **int32, count int, table *uint64, keep int)", "sets z to the sum of count products, of residues x and f in [0, q) that terms points to in turn, and of z if keep is −1 and not 0, in [0, q).")
	z, terms, count := n.Pointer("z"), n.Pointer("terms"), n.Pointer("count")
	keep, odd := n.K(), n.K()
	n.KNOTW(n.even, odd)
	old := n.Pointer("keep")
	n.KMOVD(old.As32(), keep)
	const vectors = 8
	at, blocks := n.GP64(), n.GP64()
	n.XORQ(at, at)
	n.MOVQ(operand.U32(16/vectors), blocks)
	n.Label("block")
	sums := make([]lanes.Vec, 2*vectors)
	evenKept := n.K()
	n.KANDW(n.even, keep, evenKept)
	for i := range vectors {
		m := operand.Mem{Base: z, Index: at, Scale: 1, Disp: lanes.AVX512 * i}
		sums[2*i], sums[2*i+1] = n.Vec(), n.Vec()
		n.VMOVDQU32_Z(m, evenKept, sums[2*i])
		n.VPSRLQ_Z(lanes.Imm(32), m, keep, sums[2*i+1])
	}
	term, left := n.GP64(), n.GP64()
	n.MOVQ(terms, term)
	n.MOVQ(count, left)
	n.Label("term")
	x, f := n.GP64(), n.GP64()
	n.MOVQ(operand.Mem{Base: term}, x)
	n.MOVQ(operand.Mem{Base: term, Disp: 8}, f)
	for i := range vectors {
		at := func(p reg.Register) operand.Mem {
			return operand.Mem{Base: p, Index: at, Scale: 1, Disp: lanes.AVX512 * i}
		}
		v := n.Read(at(x))
		n.VPADDQ(n.Of(n.VPMULUDQ, at(f), v), sums[2*i], sums[2*i])
		n.VPMADD52LUQ(n.Of(n.VPSRLQ, lanes.Imm(32), v), n.Of(n.VPSRLQ, lanes.Imm(32), at(f)), sums[2*i+1])
	}
	n.ADDQ(lanes.Imm(16), term)
	n.DECQ(left)
	n.JNZ(operand.LabelRef("term"))
	for i, v := range sums {
		sums[i] = n.residue(n.zero(), n.long(n.half(), v, n.scalars(long32, 2)))
	}
	for i := range vectors {
		n.Write(n.interleave(sums[2*i], sums[2*i+1], odd), operand.Mem{Base: z, Index: at, Scale: 1, Disp: lanes.AVX512 * i})
	}
	n.ADDQ(operand.I32(vectors*lanes.AVX512), at)
	n.DECQ(blocks)
	n.JNZ(operand.LabelRef("block"))
	n.End()
}
