package negacyclic

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/lanes"
	"residue/asm/internal/schedule"
)

// The transforms of 256 words of 32 bits by AVX2: two layers at a time, on four vectors, from
// memory to memory. Short steps let a core see the next four vectors sooner.
//
// Products of 64 bits are of every other word. Their high halves, the even ones and then the odd
// ones, are put into one vector by one shuffle, which leaves the two lowest bits of lanes in each
// other's places. Words that are not multiplied take a shuffle for that. Places of the bits of
// the index, forward, for vectors, and for lanes of which two bits change places in a step:
//
//	vectors      lanes
//	7 6 5 4 3    2 1 0    layers 7 and 6
//	7 6 5 4 3    2 0 1    layers 5 and 4
//	7 6 2 4 3    5 1 0    layers 3 and 2
//	7 6 0 4 1    5 2 3    layers 1 and 0
//	7 6 0 4 1    5 3 2    for products
//	7 6 5 4 3    2 1 0    in the order of FIPS 204
//
// Back:
//
//	7 6 0 4 1    5 2 3    layers 0 and 1
//	7 6 2 4 3    5 0 1    layers 2 and 3
//	7 6 5 4 3    2 1 0    layers 4 and 5
//	7 6 5 4 3    2 0 1    layers 6 and 7
//	7 6 5 4 3    2 1 0
type ntt32AVX2 struct {
	*lanes.Program
	schedules map[string]schedule.Options
	table     reg.Register
	group     reg.Register // the table's vectors of the eight vectors that a loop is at
	q         lanes.Vec
	inverse   lanes.Vec // 1/q mod 2^32
}

// The vectors of the table of a ring; residue/negacyclic has the same. Constants w are
// w·2^32 mod q, centred.
const (
	avx2Modulus32 = iota
	avx2Inverse32
	avx2Round32                       // round(2^31/q) in the high halves of words, and 0
	avx2Twice32                       // 2q
	avx2R32                           // the constant 2^32
	avx2High32                        // 5 constants of layers 7 and 6
	avx2Scale32  = avx2High32 + 5     // 6 of layers 6 and 7 back, times 2^−8
	avx2ScaleR32 = avx2Scale32 + 6    // the same times 2^32
	avx2Groups32 = avx2ScaleR32 + 6   // for each eight vectors:
	avx2Second32 = 0                  // 5 of layers 5 and 4
	avx2Third32  = avx2Second32 + 5   // 5 of layers 3 and 2, for bit 4 = 0 and 1
	avx2Fourth32 = avx2Third32 + 2*5  // of 1 and 0
	avx2First32  = avx2Fourth32 + 2*5 // of 0 and 1 back
	avx2Back32   = avx2First32 + 2*5  // of 2 and 3 back
	avx2Outer32  = avx2Back32 + 2*5   // 5 of 4 and 5 back
	avx2Group32  = avx2Outer32 + 5    // vectors of a group
	eightBytes32 = 8 * lanes.AVX2     // of eight vectors
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
		n.transform()
		n.inverseTransform()
		n.multiply()
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
	n.inverse = n.Read(n.At(n.table, avx2Inverse32))
	n.schedules[name] = schedule.Options{
		Live:   map[reg.Kind]int{reg.KindVector: 16, reg.KindGP: 13},
		Window: 60, Load: 5, Private: []reg.Register{n.table, n.group},
	}
}

// turns does f in a loop of four turns; pointers advance by so many bytes.
func (n *ntt32AVX2) turns(label string, f func(), bytes int, pointers ...reg.GPVirtual) {
	left := n.GP64()
	n.MOVQ(operand.U32(4), left)
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

// halves32 are words in the low halves of 64 bits, the even ones of a vector and the odd ones:
// vectors, or where they are. Sums of products have all 64 bits.
type halves32 struct{ even, odd operand.Op }

// apart returns the words of a vector; the odd ones take an instruction, unless they come from
// memory.
func (n *ntt32AVX2) apart(v operand.Op) halves32 {
	return halves32{v, n.Of(n.VMOVSHDUP, v)}
}

// read is apart for words that are multiplied more than once.
func (n *ntt32AVX2) read(m operand.Mem) halves32 {
	return halves32{n.Read(m), n.Of(n.VMOVSHDUP, m)}
}

// constant32 is where a constant is. In pairs, even words and the odd ones behind them have the
// same.
type constant32 struct {
	operand.Mem
	pairs bool
}

// constants returns constants that lie one after the other.
func (n *ntt32AVX2) constants(base reg.Register, at, count int, pairs bool) (cs []constant32) {
	for i := range count {
		cs = append(cs, constant32{n.At(base, at+i), pairs})
	}
	return cs
}

// times returns products of 64 bits.
func (n *ntt32AVX2) times(x halves32, c constant32) halves32 {
	odd := operand.Op(c.Mem)
	if !c.pairs {
		odd = n.Of(n.VMOVSHDUP, c.Mem)
	}
	return halves32{n.Of(n.VPMULDQ, c.Mem, x.even), n.Of(n.VPMULDQ, odd, x.odd)}
}

// plus returns sums of 64 bits.
func (n *ntt32AVX2) plus(x, y halves32) halves32 {
	return halves32{n.Of(n.VPADDQ, y.even, x.even), n.Of(n.VPADDQ, y.odd, x.odd)}
}

// montgomery returns sums of products over 2^32 modulo q in the high halves: with m =
// sum/q mod 2^32, the difference of sum and m·q is a multiple of 2^32. It is at most q/2 more
// than the sum over 2^32, in absolute value.
func (n *ntt32AVX2) montgomery(sum halves32) (even, odd lanes.Vec) {
	reduced := func(v operand.Op) lanes.Vec {
		m := n.Of(n.VPMULDQ, n.q, n.Of(n.VPMULDQ, n.inverse, v))
		return n.Of(n.VPSUBQ, m, v)
	}
	return reduced(sum.even), reduced(sum.odd)
}

// reduced puts what montgomery returns into one vector, with two bits of lanes exchanged.
func (n *ntt32AVX2) reduced(sum halves32) lanes.Vec {
	even, odd := n.montgomery(sum)
	return n.Of(n.VSHUFPS, lanes.Imm(0xdd), odd, even)
}

// exchanged does the same to the lanes of words as they are.
func (n *ntt32AVX2) exchanged(v operand.Op) lanes.Vec { return n.Of(n.VPSHUFD, lanes.Imm(0xd8), v) }

// inOrder is reduced without the exchange.
func (n *ntt32AVX2) inOrder(sum halves32) lanes.Vec {
	even, odd := n.montgomery(sum)
	z := n.Vec()
	n.VPBLENDD(lanes.Imm(0xaa), odd, n.Of(n.VMOVSHDUP, even), z)
	return z
}

// small returns x − k·q for k = round(⌊x/2^16⌋·m/2^15), m = round(2^31/q). For 2^18 < q, k is
// off from x/q by at most ½ for its rounding, ¼ for what is left out of x, and half of
// |x|/2^31 for the rounding of m. So the result is at most 5q/4 for any x, and below q for
// |x| < 12q.
func (n *ntt32AVX2) small(x operand.Op) lanes.Vec {
	k := n.Of(n.VPSRAD, lanes.Imm(16), n.Of(n.VPMULHRSW, n.At(n.table, avx2Round32), x))
	return n.Of(n.VPSUBD, n.Of(n.VPMULLD, n.q, k), x)
}

// positive brings words of [−q, q) into [0, q): of x and x + q, taken without sign, the lesser
// one is that.
func (n *ntt32AVX2) positive(x lanes.Vec) lanes.Vec {
	return n.Of(n.VPMINUD, n.Of(n.VPADDD, n.q, x), x)
}

// residue brings words of [−2q, 2q) into [0, q), as positive does in two steps.
func (n *ntt32AVX2) residue(x lanes.Vec) lanes.Vec {
	x = n.Of(n.VPMINUD, n.Of(n.VPADDD, n.At(n.table, avx2Twice32), x), x)
	return n.Of(n.VPMINUD, n.Of(n.VPSUBD, n.q, x), x)
}
