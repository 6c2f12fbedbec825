//go:build amd64 && !purego

package batch

// The forms of reduction that are there for comparison: see [Reduction].

// ifmaBlockRoutines are the assembly routines of the reductions in blocks for
// one tile width.
type ifmaBlockRoutines struct {
	mulLow                       func(z, x, y digits, tiles int)
	addQuotient, addQuotientFull func(z, t, q, n digits, block, tiles int)
}

var ifmaBlocksOfWidth = [maxTile + 1]*ifmaBlockRoutines{
	10: {ifma512MulLow10, ifma512AddQuotient10, ifma512AddQuotientFull10},
	20: {ifma512MulLow20, ifma512AddQuotient20, ifma512AddQuotientFull20},
}

func (ifma512) reductions(limbs int) []Reduction {
	forms := []Reduction{{Block: 1}, {Full: true, Block: 1}}
	for block := blockUnit; block <= limbs; block += blockUnit {
		if blockFits(block, limbs) {
			forms = append(forms, Reduction{Block: block}, Reduction{Full: true, Block: block})
		}
	}
	return forms
}

func (ifma512) mulMontBy(r Reduction, z, x, y Ints, m *Moduli, sc *Scratch) {
	w, tiles := tiling(m.limbs)
	t, _, q := ifmaWork(sc)
	if r.Block == 1 {
		ifmaOfWidth[w].mulMontFull(ptr(z), ptr(x), ptr(y), ptr(m.n), ptr(m.ninv), ptr(q), tiles)
		return
	}
	ifmaOfWidth[w].mul(ptr(t), ptr(x), ptr(y), tiles)
	ifma512Digits(ptr(t), ptr(t), noBias, len(t))
	reduceBlocks(r, z, m, sc)
}

func (ifma512) sqrMontBy(r Reduction, z, x Ints, m *Moduli, sc *Scratch) {
	w, tiles := tiling(m.limbs)
	t, raw, q := ifmaWork(sc)
	ifmaOfWidth[w].square(ptr(t), ptr(x), ptr(raw), ptr(squareEdge[maxTile-w:]), tiles)
	if r.Block == 1 {
		ifmaOfWidth[w].reduceFull(ptr(z), ptr(t), ptr(m.n), ptr(m.ninv), ptr(q), tiles)
		return
	}
	unbias(t)
	ifma512Carry(ptr(t), r.Block)
	reduceBlocks(r, z, m, sc)
}

func (ifma512) redcBy(r Reduction, z, t Ints, m *Moduli, sc *Scratch) {
	w, tiles := tiling(m.limbs)
	columns, _, q := ifmaWork(sc)
	bias := allBias
	if r.Block > 1 {
		bias = noBias
	}
	ifma512Digits(ptr(columns), ptr(t), bias, m.limbs)
	ifma512Digits(ptr(columns[m.limbs:]), ptr(t[m.limbs:]), noBias, m.limbs)
	switch {
	case r.Block > 1:
		reduceBlocks(r, z, m, sc)
	case r.Full:
		ifmaOfWidth[w].reduceFull(ptr(z), ptr(columns), ptr(m.n), ptr(m.ninv), ptr(q), tiles)
	default:
		ifmaOfWidth[w].reduce(ptr(z), ptr(columns), ptr(m.n), ptr(m.ninv), ptr(q), tiles, noLookup.arg())
	}
}

// What a column may start from.
var (
	noBias  = &[Lanes]uint64{}
	allBias = func() digits {
		b := &[Lanes]uint64{}
		for lane := range b {
			b[lane] = digitMask
		}
		return b
	}()
)

// reduceBlocks sets z = (t + Q·N)/R for the columns t that begin sc.work, of
// which the first block is digits. Work beyond the 2s columns is used: a column
// that takes the carry out of the number, and the quotient.
func reduceBlocks(r Reduction, z Ints, m *Moduli, sc *Scratch) {
	s, k := m.limbs, r.Block
	w := blockWidth(k)
	f := ifmaBlocksOfWidth[w]
	add, below := f.addQuotient, 1 // columns below k that the sum needs
	if r.Full {
		add, below = f.addQuotientFull, k
	}
	inverse := m.negInverse()
	_, _, q := ifmaWork(sc)
	t := sc.work
	for from := 0; from < s; from += k {
		f.mulLow(ptr(q), ptr(t[from:]), ptr(inverse), k/w)
		out := t[from+k:]
		if from+k == s {
			out = z
		}
		add(ptr(out), ptr(t[from+k-below:]), ptr(q), ptr(m.n), k/w, s/w)
	}
}

// blockWidth returns the width of the tiles for blocks of k digits.
func blockWidth(k int) int {
	if k%maxTile == 0 {
		return maxTile
	}
	return blockUnit
}

// negInverse returns −1/N mod R, computing it when first called. It is what the
// quotient −T/N mod R of a reduction is for T = 1, and the reduction in use
// leaves its quotient in the work space.
func (m *Moduli) negInverse() Ints {
	m.inverseOnce.Do(func() {
		sc := NewScratch(m.limbs)
		t := NewInts(2 * m.limbs)
		for lane := range Lanes {
			t[0][lane] = 1
		}
		ifma512{}.redcBy(Reduction{Block: 1}, NewInts(m.limbs), t, m, sc)
		_, _, q := ifmaWork(sc)
		m.inverse = NewInts(m.limbs)
		copy(m.inverse, q)
		sc.Wipe()
	})
	return m.inverse
}
