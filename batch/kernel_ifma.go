//go:build amd64 && !purego

package batch

import (
	"residue/internal/cpu"
)

func init() {
	kernelNamed[cpu.IFMA512] = &Kernel{cpu.IFMA512, ifmaForms{ifma512}}
	kernelNamed[cpu.IFMA256] = &Kernel{cpu.IFMA256, ifma256}
}

// ifma is the kernel for AVX512-IFMA: 64-bit lanes, and two 52-bit multiply-adds a
// cycle where the core has two ports for them. Registers hold eight lanes or four;
// with four, eight numbers take two passes.
type ifma struct {
	lanes         int
	ofWidth       *[maxTile + 1]*ifmaRoutines
	halvesOfWidth *[maxTile + 1]*ifmaHalves
	squareOfWidth *[maxTile + 1]ifmaSquareKaratsuba
	masks         func(masks *byte, index digits, entries int)
	digits        func(z, x, addend digits, limbs int)
	carry         func(t digits, columns int)

	// half, if it is not nil, serves batches of no more lanes than it has: where
	// 256-bit additions have a port of their own, a pass of it is quicker.
	half *ifma
}

var (
	ifma512 = &ifma{Lanes, &ifma512OfWidth, &ifma512HalvesOfWidth, &ifma512KaratsubaOfWidth, ifma512Masks, ifma512Digits, ifma512Carry, ifma256}
	ifma256 = &ifma{Lanes / 2, &ifma256OfWidth, &ifma256HalvesOfWidth, &ifma256KaratsubaOfWidth, ifma256Masks, ifma256Digits, ifma256Carry, nil}
)

// serving returns the kernel for a batch of so many lanes.
func (k *ifma) serving(lanes int) *ifma {
	if k.half != nil && lanes <= k.half.lanes {
		return k.half
	}
	return k
}

// digits is how the assembly sees vectors: a pointer to the first lane of a pass.
type digits = *uint64

func at(x Ints, lane int) digits { return &x[0][lane] }

// ifmaRoutines are the assembly routines of one tile width. They take the number
// of tiles as an argument. The full forms, for the comparison, are there for
// eight lanes only.
type ifmaRoutines struct {
	mulMont    ifmaMulMont
	squareMont ifmaSquareMont
	reduce     func(z, t, n, ninv, work digits, tiles int, look *byte)
	mul        func(z, x, y digits, tiles int)
	square     func(t, x, raw, edge digits, tiles int)
	gather     func(z, table, index digits, entries, tiles int)

	mulMontFull    ifmaMulMont
	squareMontFull ifmaSquareMont
	reduceFull     func(z, t, n, ninv, work digits, tiles int)
}

type (
	ifmaMulMont    func(z, x, y, n, ninv, work digits, tiles int)
	ifmaSquareMont func(z, x, t, raw, edge, n, ninv, work digits, tiles, times int, look *byte)
)

var ifma512OfWidth = [maxTile + 1]*ifmaRoutines{
	4:  {ifma512MulMont4, ifma512SquareMont4, ifma512Reduce4, ifma512Mul4, ifma512Square4, ifma512Gather4, ifma512MulMontFull4, ifma512SquareMontFull4, ifma512ReduceFull4},
	6:  {ifma512MulMont6, ifma512SquareMont6, ifma512Reduce6, ifma512Mul6, ifma512Square6, ifma512Gather6, ifma512MulMontFull6, ifma512SquareMontFull6, ifma512ReduceFull6},
	8:  {ifma512MulMont8, ifma512SquareMont8, ifma512Reduce8, ifma512Mul8, ifma512Square8, ifma512Gather8, ifma512MulMontFull8, ifma512SquareMontFull8, ifma512ReduceFull8},
	10: {ifma512MulMont10, ifma512SquareMont10, ifma512Reduce10, ifma512Mul10, ifma512Square10, ifma512Gather10, ifma512MulMontFull10, ifma512SquareMontFull10, ifma512ReduceFull10},
	12: {ifma512MulMont12, ifma512SquareMont12, ifma512Reduce12, ifma512Mul12, ifma512Square12, ifma512Gather12, ifma512MulMontFull12, ifma512SquareMontFull12, ifma512ReduceFull12},
	14: {ifma512MulMont14, ifma512SquareMont14, ifma512Reduce14, ifma512Mul14, ifma512Square14, ifma512Gather14, ifma512MulMontFull14, ifma512SquareMontFull14, ifma512ReduceFull14},
	15: {ifma512MulMont15, ifma512SquareMont15, ifma512Reduce15, ifma512Mul15, ifma512Square15, ifma512Gather15, ifma512MulMontFull15, ifma512SquareMontFull15, ifma512ReduceFull15},
	16: {ifma512MulMont16, ifma512SquareMont16, ifma512Reduce16, ifma512Mul16, ifma512Square16, ifma512Gather16, ifma512MulMontFull16, ifma512SquareMontFull16, ifma512ReduceFull16},
	18: {ifma512MulMont18, ifma512SquareMont18, ifma512Reduce18, ifma512Mul18, ifma512Square18, ifma512Gather18, ifma512MulMontFull18, ifma512SquareMontFull18, ifma512ReduceFull18},
	20: {ifma512MulMont20, ifma512SquareMont20, ifma512Reduce20, ifma512Mul20, ifma512Square20, ifma512Gather20, ifma512MulMontFull20, ifma512SquareMontFull20, ifma512ReduceFull20},
}

var ifma256OfWidth = [maxTile + 1]*ifmaRoutines{
	4:  {ifma256MulMont4, ifma256SquareMont4, ifma256Reduce4, ifma256Mul4, ifma256Square4, ifma256Gather4, nil, nil, nil},
	6:  {ifma256MulMont6, ifma256SquareMont6, ifma256Reduce6, ifma256Mul6, ifma256Square6, ifma256Gather6, nil, nil, nil},
	8:  {ifma256MulMont8, ifma256SquareMont8, ifma256Reduce8, ifma256Mul8, ifma256Square8, ifma256Gather8, nil, nil, nil},
	10: {ifma256MulMont10, ifma256SquareMont10, ifma256Reduce10, ifma256Mul10, ifma256Square10, ifma256Gather10, nil, nil, nil},
	12: {ifma256MulMont12, ifma256SquareMont12, ifma256Reduce12, ifma256Mul12, ifma256Square12, ifma256Gather12, nil, nil, nil},
	14: {ifma256MulMont14, ifma256SquareMont14, ifma256Reduce14, ifma256Mul14, ifma256Square14, ifma256Gather14, nil, nil, nil},
	15: {ifma256MulMont15, ifma256SquareMont15, ifma256Reduce15, ifma256Mul15, ifma256Square15, ifma256Gather15, nil, nil, nil},
	16: {ifma256MulMont16, ifma256SquareMont16, ifma256Reduce16, ifma256Mul16, ifma256Square16, ifma256Gather16, nil, nil, nil},
	18: {ifma256MulMont18, ifma256SquareMont18, ifma256Reduce18, ifma256Mul18, ifma256Square18, ifma256Gather18, nil, nil, nil},
	20: {ifma256MulMont20, ifma256SquareMont20, ifma256Reduce20, ifma256Mul20, ifma256Square20, ifma256Gather20, nil, nil, nil},
}

// squareEdge is what the columns of a square that no cross product reaches start
// from: biased ones, then zeros. A triangle of width W reads 2W vectors around
// the middle.
var squareEdge = func() Ints {
	e := NewInts(2 * maxTile)
	for c := range maxTile {
		for l := range Lanes {
			e[c][l] = 1<<(DigitBits-1) - 1
		}
	}
	return e
}()

// The parts of the work space, in vectors: 2s columns of a product or square, 2s
// columns of a square's cross products, s digits of the quotient. Products and
// reductions in halves have 5s of their own, from where the cross products are.
func ifmaWork(sc *Scratch) (columns, raw, quotient Ints) {
	s := sc.limbs
	return sc.work[:2*s], sc.work[2*s : 4*s], sc.work[7*s : 8*s]
}

func (k *ifma) form() Reduction { return Reduction{Block: 1} }

func (k *ifma) mulMont(z, x, y Ints, m *Moduli, sc *Scratch) {
	k = k.serving(m.lanes)
	w, tiles := tiling(m.limbs)
	t, _, q := ifmaWork(sc)
	halved := halvedWidths[m.limbs]
	for l := 0; l < m.lanes; l += k.lanes {
		if halved.product != 0 {
			h := k.halves(m.limbs, halved.product, l)
			h.multiply(t, x, y, biased, h.work(sc))
			k.reduceColumns(z, m, sc, l, &noLookup)
			continue
		}
		k.ofWidth[w].mulMont(at(z, l), at(x, l), at(y, l), at(m.n, l), at(m.ninv, l), at(q, l), tiles)
	}
}

func (k *ifma) sqrMont(z, x Ints, m *Moduli, sc *Scratch) {
	k = k.serving(m.lanes)
	for l := 0; l < m.lanes; l += k.lanes {
		k.squareTimes(z, x, 1, m, sc, l, &noLookup)
	}
}

// squareTimes squares times times in the lanes of one pass.
func (k *ifma) squareTimes(z, x Ints, times int, m *Moduli, sc *Scratch, l int, look *ifmaLookup) {
	_, _, halved := squareTiling(m.limbs)
	switch {
	case halvedWidths[m.limbs].reduction != 0:
		for range times {
			k.squareColumns(x, sc, l)
			k.reduceColumns(z, m, sc, l, look)
			x = z
		}
	case halved:
		k.squareKaratsuba(z, x, times, m, sc, l, look.arg())
	default:
		w, _ := tiling(m.limbs)
		squareMont(k.ofWidth[w].squareMont, z, x, times, m, sc, l, look.arg())
	}
}

// squareColumns sets the 2s columns that begin sc.work to those of x², the low s of
// them biased, in the lanes of one pass.
func (k *ifma) squareColumns(x Ints, sc *Scratch, l int) {
	if _, _, halved := squareTiling(len(x)); halved {
		k.squareKaratsuba(x, x, 0, nil, sc, l, nil)
		return
	}
	w, tiles := tiling(len(x))
	t, raw, _ := ifmaWork(sc)
	k.ofWidth[w].square(at(t, l), at(x, l), at(raw, l), at(squareEdge[maxTile-w:], l), tiles)
}

// squareMont squares times times in the lanes of one pass, each time in one routine.
func squareMont(f ifmaSquareMont, z, x Ints, times int, m *Moduli, sc *Scratch, l int, look *byte) {
	w, tiles := tiling(m.limbs)
	t, raw, q := ifmaWork(sc)
	f(at(z, l), at(x, l), at(t, l), at(raw, l), at(squareEdge[maxTile-w:], l),
		at(m.n, l), at(m.ninv, l), at(q, l), tiles, times, look)
}

// reduceColumns sets z to the 2s columns that begin sc.work, the low s of them
// biased, over R, in the lanes of one pass.
func (k *ifma) reduceColumns(z Ints, m *Moduli, sc *Scratch, l int, look *ifmaLookup) {
	t, _, q := ifmaWork(sc)
	if w := halvedWidths[m.limbs].reduction; w != 0 {
		h := k.halves(m.limbs, w, l)
		h.reduce(t, q, m.n, m.ninv, h.work(sc), look.arg())
		h.carry(at(z, l), at(t[m.limbs:], l), h.tiles(z))
		return
	}
	w, tiles := tiling(m.limbs)
	k.ofWidth[w].reduce(at(z, l), at(t, l), at(m.n, l), at(m.ninv, l), at(q, l), tiles, look.arg())
}

// reductionBlocks returns the number of routines that a square gives the look to, and
// the width of their tiles.
func (k *ifma) reductionBlocks(limbs int) (width, blocks int) {
	w := halvedWidths[limbs].reduction
	if w == 0 {
		return squareWidth(limbs), 1
	}
	h := k.halves(limbs, w, 0)
	return int(w), h.blocks(limbs / int(w))
}

func (k *ifma) redc(z, t Ints, m *Moduli, sc *Scratch) {
	k = k.serving(m.lanes)
	columns, _, _ := ifmaWork(sc)
	for l := 0; l < m.lanes; l += k.lanes {
		k.cut(columns, t, biased, l)
		k.reduceColumns(z, m, sc, l, &noLookup)
	}
}

// What the columns that a reduction clears start from.
var (
	unbiased = &Vector{}
	biased   = &Vector{digitMask, digitMask, digitMask, digitMask, digitMask, digitMask, digitMask, digitMask}
)

// cut sets columns to the digits t, with a bias in the low half.
func (k *ifma) cut(columns, t Ints, bias *Vector, l int) {
	s := len(t) / 2
	k.digits(at(columns, l), at(t, l), &bias[l], s)
	k.digits(at(columns[s:], l), at(t[s:], l), &unbiased[l], s)
}

func (k *ifma) mul(z, x, y Ints, sc *Scratch) {
	w, tiles := tiling(len(x))
	halved := halvedWidths[len(x)]
	for l := 0; l < Lanes; l += k.lanes {
		if halved.product != 0 {
			h := k.halves(len(x), halved.product, l)
			h.multiply(z, x, y, unbiased, h.work(sc))
			h.carry(at(z, l), at(z, l), h.tiles(z))
			continue
		}
		k.ofWidth[w].mul(at(z, l), at(x, l), at(y, l), tiles)
	}
}

func (k *ifma) mulPieces(z, x, y Ints, sc *Scratch) {
	w := halvedWidths[len(y)].product
	if w == 0 {
		widest, _ := tiling(len(y))
		w = uint8(widest)
	}
	for l := 0; l < Lanes; l += k.lanes {
		h := k.halves(len(y), w, l)
		h.pieces(z, x, y, h.work(sc))
	}
}

func (k *ifma) sqr(z, x Ints, sc *Scratch) {
	w, tiles := tiling(len(x))
	_, raw, _ := ifmaWork(sc)
	for l := 0; l < Lanes; l += k.lanes {
		k.ofWidth[w].square(at(z, l), at(x, l), at(raw, l), at(squareEdge[maxTile-w:], l), tiles)
	}
	unbias(z)
	for l := 0; l < Lanes; l += k.lanes {
		k.carry(at(z, l), len(z)-1)
	}
}

// unbias takes away the bias of the low half of a square's columns: R − 1 in all.
// One more in column 0 makes it R, which is taken away in column s. If that
// wraps, the carry that comes into the column is at least 1, and arrives before
// anything is carried out of it.
func unbias(t Ints) {
	s := len(t) / 2
	for lane := range Lanes {
		t[0][lane]++
		t[s][lane]--
	}
}

func (l *ifmaLookup) arg() *byte { return &l.masks[0] }

// noLookup gathers nothing, and nothing of it changes.
var noLookup ifmaLookup

func (k *ifma) sqrMontTimes(z, x Ints, times int, m *Moduli, sc *Scratch, g *gathering) {
	k = k.serving(m.lanes)
	w, blocks := k.reductionBlocks(m.limbs)
	parts := times * blocks
	for l := 0; l < m.lanes; l += k.lanes {
		look := &g.ifma[l/k.lanes]
		k.masks(look.arg(), &g.index[l], g.entries)
		look.table, look.out = at(g.table, l), at(g.z, l)
		look.tiles = len(g.z) / w
		look.share, look.rest = (g.entries+parts-1)/parts, g.entries
		k.squareTimes(z, x, times, m, sc, l, look)
	}
}

func (k *ifma) gather(z, table Ints, index *Vector, entries, lanes int) {
	k = k.serving(lanes)
	w, tiles := tiling(len(z))
	for l := 0; l < lanes; l += k.lanes {
		k.ofWidth[w].gather(at(z, l), at(table, l), &index[l], entries, tiles)
	}
}
