package residue

import (
	"cmp"
	"slices"

	"residue/batch"
)

// way is how rows are done.
type way int8

const (
	inVector  way = iota // together, by package batch
	single               // one row, by package mont; or one that has no odd part
	elsewhere            // one row, by what else a run has
)

// chunk is what one worker does at a time: the rows order[lo:hi] of a run.
type chunk struct {
	lo, hi int
	way    way
}

// packer arranges rows in chunks. It looks at lengths only.
type packer struct {
	kernel kernels
	// own says that the rows' moduli are still to be prepared, and prime that all have
	// one, which package pmns does.
	own, prime bool
	// elsewhere is what a row costs that is done neither in a vector nor by package
	// mont; nil if that cannot be done.
	elsewhere func(*row) float64

	best  []float64 // best[i] is the least cost of the first i rows …
	steps []step    // … and how the last of them are done
}

type step struct {
	rows int8
	way  way
}

// pack orders the rows and cuts them into chunks, at little cost in all: rows of
// like size together, smaller rows beside larger ones where lanes would be idle
// otherwise, and those one at a time that are too few for a vector. Rows without an
// odd part come last.
func (p *packer) pack(rows []row, order []int32) ([]int32, []chunk) {
	uniform := true
	for _, i := range order {
		uniform = uniform && rows[i].likeSize(&rows[order[0]])
	}
	slices.SortFunc(order, func(a, b int32) int { return compareLimbsFirst(&rows[a], &rows[b]) })
	if uniform {
		p.cut(rows, order)
		return order, p.chunks(rows, order)
	}
	other := slices.Clone(order)
	slices.SortFunc(other, func(a, b int32) int { return compareExponentFirst(&rows[a], &rows[b]) })
	if p.cut(rows, other) < p.cut(rows, order) {
		order = other
		p.cut(rows, order)
	}
	return order, p.chunks(rows, order)
}

func (r *row) likeSize(s *row) bool { return r.limbs == s.limbs && r.ebits == s.ebits }

// Both orders put large rows first, so that the last vectors, when some cores have
// nothing left to do, are the short ones; and rows of the same modulus together.
func compareLimbsFirst(a, b *row) int {
	return cmp.Or(cmp.Compare(b.limbs, a.limbs), cmp.Compare(b.ebits, a.ebits), cmp.Compare(a.mod.serial, b.mod.serial))
}

func compareExponentFirst(a, b *row) int {
	return cmp.Or(
		compareBool(a.limbs == 0, b.limbs == 0),
		cmp.Compare(b.ebits, a.ebits), cmp.Compare(b.limbs, a.limbs), cmp.Compare(a.mod.serial, b.mod.serial))
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	default:
		return 1
	}
}

// cut finds the cheapest way to cut the ordered rows into single ones and vectors of
// neighbours, and returns its cost.
func (p *packer) cut(rows []row, order []int32) float64 {
	p.best = append(p.best[:0], 0)
	p.steps = append(p.steps[:0], step{})
	vectors, vectorsKnown := vectorCosts[p.kernel.batch.Name()]
	for i, k := range order {
		r := &rows[k]
		best, how := p.best[i]+p.kernel.singleCost(r.mod.oddBits, r.ebits, p.own, p.prime), step{1, single}
		if p.elsewhere != nil {
			if c := p.best[i] + p.elsewhere(r); c < best || r.limbs == 0 {
				best, how = c, step{1, elsewhere}
			}
		}
		limbs, ebits := 0, 0
		for n := 1; n <= min(batch.Lanes, i+1) && r.limbs > 0 && vectorsKnown; n++ {
			s := &rows[order[i+1-n]]
			limbs, ebits = max(limbs, s.limbs), max(ebits, s.ebits)
			if c := p.best[i+1-n] + vectors.of(limbs, ebits, n, p.own); c < best {
				best, how = c, step{int8(n), inVector}
			}
		}
		p.best = append(p.best, best)
		p.steps = append(p.steps, how)
	}
	return p.best[len(order)]
}

// chunks returns what cut found.
func (p *packer) chunks(rows []row, order []int32) []chunk {
	n := 0
	for i := len(order); i > 0; i -= int(p.steps[i].rows) {
		n++
	}
	chunks := make([]chunk, n)
	for i := len(order); i > 0; i -= int(p.steps[i].rows) {
		n--
		chunks[n] = chunk{i - int(p.steps[i].rows), i, p.steps[i].way}
	}
	return chunks
}
