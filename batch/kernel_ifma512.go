//go:build amd64 && !purego

package batch

import (
	"residue/internal/cpu"
)

func init() { kernelNamed[cpu.IFMA512] = &Kernel{cpu.IFMA512, ifma512{}} }

// ifma512 is the kernel for AVX512-IFMA: eight lanes of 64 bits in a register,
// two 52-bit multiply-adds a cycle where the core has two ports for them.
type ifma512 struct{}

func ptr(x Ints) digits { return (*[Lanes]uint64)(&x[0]) }

// ifmaRoutines are the assembly routines of one tile width. They take the number
// of tiles as an argument.
type ifmaRoutines struct {
	mulMont, mulMontFull func(z, x, y, n, ninv, work digits, tiles int)
	reduce               func(z, t, n, ninv, work digits, tiles int, look *byte)
	reduceFull           func(z, t, n, ninv, work digits, tiles int)
	mul                  func(z, x, y digits, tiles int)
	square               func(t, x, raw, edge digits, tiles int)
	gather               func(z, table, index digits, entries, tiles int)
}

var ifmaOfWidth = [maxTile + 1]*ifmaRoutines{
	4:  {ifma512MulMont4, ifma512MulMontFull4, ifma512Reduce4, ifma512ReduceFull4, ifma512Mul4, ifma512Square4, ifma512Gather4},
	6:  {ifma512MulMont6, ifma512MulMontFull6, ifma512Reduce6, ifma512ReduceFull6, ifma512Mul6, ifma512Square6, ifma512Gather6},
	8:  {ifma512MulMont8, ifma512MulMontFull8, ifma512Reduce8, ifma512ReduceFull8, ifma512Mul8, ifma512Square8, ifma512Gather8},
	10: {ifma512MulMont10, ifma512MulMontFull10, ifma512Reduce10, ifma512ReduceFull10, ifma512Mul10, ifma512Square10, ifma512Gather10},
	12: {ifma512MulMont12, ifma512MulMontFull12, ifma512Reduce12, ifma512ReduceFull12, ifma512Mul12, ifma512Square12, ifma512Gather12},
	14: {ifma512MulMont14, ifma512MulMontFull14, ifma512Reduce14, ifma512ReduceFull14, ifma512Mul14, ifma512Square14, ifma512Gather14},
	15: {ifma512MulMont15, ifma512MulMontFull15, ifma512Reduce15, ifma512ReduceFull15, ifma512Mul15, ifma512Square15, ifma512Gather15},
	16: {ifma512MulMont16, ifma512MulMontFull16, ifma512Reduce16, ifma512ReduceFull16, ifma512Mul16, ifma512Square16, ifma512Gather16},
	18: {ifma512MulMont18, ifma512MulMontFull18, ifma512Reduce18, ifma512ReduceFull18, ifma512Mul18, ifma512Square18, ifma512Gather18},
	20: {ifma512MulMont20, ifma512MulMontFull20, ifma512Reduce20, ifma512ReduceFull20, ifma512Mul20, ifma512Square20, ifma512Gather20},
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

// The parts of the work space, in vectors: 2s columns of a square, 2s columns of
// its cross products, s digits of the quotient.
func ifmaWork(sc *Scratch) (columns, raw, quotient Ints) {
	s := sc.limbs
	return sc.work[:2*s], sc.work[2*s : 4*s], sc.work[4*s : 5*s]
}

func (ifma512) mulMont(z, x, y Ints, m *Moduli, sc *Scratch) {
	w, tiles := tiling(m.limbs)
	_, _, q := ifmaWork(sc)
	ifmaOfWidth[w].mulMont(ptr(z), ptr(x), ptr(y), ptr(m.n), ptr(m.ninv), ptr(q), tiles)
}

func (k ifma512) sqrMont(z, x Ints, m *Moduli, sc *Scratch) {
	k.square(z, x, m, sc, noLookup.arg())
}

func (ifma512) square(z, x Ints, m *Moduli, sc *Scratch, look *byte) {
	w, tiles := tiling(m.limbs)
	f := ifmaOfWidth[w]
	t, raw, q := ifmaWork(sc)
	f.square(ptr(t), ptr(x), ptr(raw), ptr(squareEdge[maxTile-w:]), tiles)
	f.reduce(ptr(z), ptr(t), ptr(m.n), ptr(m.ninv), ptr(q), tiles, look)
}

func (k ifma512) redc(z, t Ints, m *Moduli, sc *Scratch) {
	k.redcBy(Reduction{Block: 1}, z, t, m, sc)
}

func (ifma512) mul(z, x, y Ints, _ *Scratch) {
	w, tiles := tiling(len(x))
	ifmaOfWidth[w].mul(ptr(z), ptr(x), ptr(y), tiles)
}

func (ifma512) sqr(z, x Ints, sc *Scratch) {
	w, tiles := tiling(len(x))
	_, raw, _ := ifmaWork(sc)
	ifmaOfWidth[w].square(ptr(z), ptr(x), ptr(raw), ptr(squareEdge[maxTile-w:]), tiles)
	unbias(z)
	ifma512Carry(ptr(z), len(z)-1)
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

// noLookup gathers nothing; it is never written to.
var noLookup ifmaLookup

func (k ifma512) sqrMontGather(z, x Ints, m *Moduli, sc *Scratch, g *gathering, parts int) {
	l := &g.ifma
	if g.done == 0 {
		ifma512Masks(l.arg(), (*[Lanes]uint64)(&g.index), g.entries)
		l.stride = m.limbs * vectorBytes
		l.rewind = gatherGroup*vectorBytes - g.entries*l.stride
		l.entries = g.entries
	}
	if rest := gatherGroups(m.limbs) - g.done; rest > 0 {
		l.groups = (rest + parts - 1) / parts
		l.table, l.out = ptr(g.table[gatherGroup*g.done:]), ptr(g.z[gatherGroup*g.done:])
		g.done += l.groups
	}
	k.square(z, x, m, sc, l.arg())
}

func (ifma512) gather(z, table Ints, index *Vector, entries, _ int) {
	w, tiles := tiling(len(z))
	ifmaOfWidth[w].gather(ptr(z), ptr(table), (*[Lanes]uint64)(index), entries, tiles)
}
