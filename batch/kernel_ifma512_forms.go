//go:build amd64 && !purego

package batch

// The forms of reduction that are not in use: see Reduction.

func (ifma512) reductions(limbs int) []Reduction {
	return []Reduction{{Block: 1}, {Full: true, Block: 1}}
}

func (k ifma512) mulMontBy(r Reduction, z, x, y Ints, m *Moduli, sc *Scratch) {
	if !r.Full {
		k.mulMont(z, x, y, m, sc)
		return
	}
	w, tiles := tiling(m.limbs)
	_, _, q := ifmaWork(sc)
	ifmaOfWidth[w].mulMontFull(ptr(z), ptr(x), ptr(y), ptr(m.n), ptr(m.ninv), ptr(q), tiles)
}

func (k ifma512) sqrMontBy(r Reduction, z, x Ints, m *Moduli, sc *Scratch) {
	if !r.Full {
		k.sqrMont(z, x, m, sc)
		return
	}
	w, tiles := tiling(m.limbs)
	f := ifmaOfWidth[w]
	t, raw, q := ifmaWork(sc)
	f.square(ptr(t), ptr(x), ptr(raw), ptr(squareEdge[maxTile-w:]), tiles)
	f.reduceFull(ptr(z), ptr(t), ptr(m.n), ptr(m.ninv), ptr(q), tiles)
}

func (k ifma512) redcBy(r Reduction, z, t Ints, m *Moduli, sc *Scratch) {
	if !r.Full {
		k.redc(z, t, m, sc)
		return
	}
	w, tiles := tiling(m.limbs)
	columns, _, q := ifmaWork(sc)
	for i := range t {
		bias := uint64(0)
		if i < m.limbs {
			bias = digitMask
		}
		for l := range t[i] {
			columns[i][l] = t[i][l]&digitMask + bias
		}
	}
	ifmaOfWidth[w].reduceFull(ptr(z), ptr(columns), ptr(m.n), ptr(m.ninv), ptr(q), tiles)
}
