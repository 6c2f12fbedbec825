//go:build amd64 && !purego

package batch

// The forms of reduction that are there for comparison: see [Reduction].

// ifmaForms is the kernel with eight lanes and these forms.
type ifmaForms struct{ *ifma }

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

func (ifmaForms) reductions(limbs int) []Reduction {
	forms := []Reduction{{Block: 1}}
	if halvedWidths[limbs].product != 0 {
		forms = append(forms, Reduction{Schoolbook: true, Block: 1})
	}
	forms = append(forms, Reduction{Full: true, Block: 1})
	for block := blockUnit; block <= limbs; block += blockUnit {
		if blockFits(block, limbs) {
			forms = append(forms, Reduction{Block: block}, Reduction{Full: true, Block: block})
		}
	}
	return forms
}

func (ifmaForms) mulMontBy(r Reduction, z, x, y Ints, m *Moduli, sc *Scratch) {
	w, tiles := tiling(m.limbs)
	t, _, q := ifmaWork(sc)
	if r.Block == 1 {
		f := ifma512OfWidth[w].mulMontFull
		if r.Schoolbook {
			f = ifma512OfWidth[w].mulMont
		}
		f(at(z, 0), at(x, 0), at(y, 0), at(m.n, 0), at(m.ninv, 0), at(q, 0), tiles)
		return
	}
	ifma512OfWidth[w].mul(at(t, 0), at(x, 0), at(y, 0), tiles)
	ifma512Digits(at(t, 0), at(t, 0), &unbiased[0], len(t))
	reduceBlocks(r, z, m, sc)
}

func (ifmaForms) sqrMontBy(r Reduction, z, x Ints, m *Moduli, sc *Scratch) {
	w, tiles := tiling(m.limbs)
	if r.Block == 1 {
		f := ifma512OfWidth[w].squareMontFull
		if r.Schoolbook {
			f = ifma512OfWidth[w].squareMont
		}
		squareMont(f, z, x, 1, m, sc, 0, noLookup.arg())
		return
	}
	t, raw, _ := ifmaWork(sc)
	ifma512OfWidth[w].square(at(t, 0), at(x, 0), at(raw, 0), at(squareEdge[maxTile-w:], 0), tiles)
	unbias(t)
	ifma512Carry(at(t, 0), r.Block)
	reduceBlocks(r, z, m, sc)
}

func (ifmaForms) redcBy(r Reduction, z, t Ints, m *Moduli, sc *Scratch) {
	w, tiles := tiling(m.limbs)
	columns, _, q := ifmaWork(sc)
	bias := unbiased
	if r.Block == 1 {
		bias = biased
	}
	ifma512.cut(columns, t, bias, 0)
	switch {
	case r.Schoolbook:
		ifma512OfWidth[w].reduce(at(z, 0), at(columns, 0), at(m.n, 0), at(m.ninv, 0), at(q, 0), tiles, noLookup.arg())
		return
	case r.Block == 1:
		ifma512OfWidth[w].reduceFull(at(z, 0), at(columns, 0), at(m.n, 0), at(m.ninv, 0), at(q, 0), tiles)
		return
	}
	reduceBlocks(r, z, m, sc)
}

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
		f.mulLow(at(q, 0), at(t[from:], 0), at(inverse, 0), k/w)
		out := t[from+k:]
		if from+k == s {
			out = z
		}
		add(at(out, 0), at(t[from+k-below:], 0), at(q, 0), at(m.n, 0), k/w, s/w)
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
		ifma512.redc(NewInts(m.limbs), t, m, sc)
		_, _, q := ifmaWork(sc)
		m.inverse = NewInts(m.limbs)
		copy(m.inverse, q)
		sc.Wipe()
	})
	return m.inverse
}
