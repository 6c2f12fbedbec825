package negacyclic

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/lanes"
)

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

// transform sets z to the transform of x. end is for what is to be done with the vectors of a
// half after layer 1, before they are written in the order of FIPS 203.
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
