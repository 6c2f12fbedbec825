package residue

import (
	"cmp"
	"runtime"
	"slices"

	"residue/batch"
	"residue/internal/cpu"
)

// chunk is what one worker does at a time: the rows order[lo:hi] of a run, in one
// vector or, if alone is set, the one row without a vector.
type chunk struct {
	lo, hi int
	alone  bool
}

// packer arranges rows in vectors. It looks at lengths only.
type packer struct {
	cost  vectorCost
	width int // the most rows of a vector
	// alone is what a row costs that is done without a vector; nil if that cannot be
	// done.
	alone func(*row) float64

	best  []float64 // best[i] is the least cost of the first i rows …
	steps []step    // … and how the last of them are done
}

type step struct {
	rows  int8
	alone bool
}

// pack orders the rows and cuts them into chunks, at little cost in all: rows of
// like size together, smaller rows beside larger ones where lanes would be idle
// otherwise. Rows without an odd part come last and alone.
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

// cut finds the cheapest way to cut the ordered rows into vectors of neighbours,
// and returns its cost.
func (p *packer) cut(rows []row, order []int32) float64 {
	p.best = append(p.best[:0], 0)
	p.steps = append(p.steps[:0], step{})
	for i, k := range order {
		r := &rows[k]
		best, how := p.best[i], step{1, true}
		switch {
		case r.limbs == 0: // no vector at all
		case p.alone != nil:
			best += p.alone(r)
		default:
			how.alone = false
			best += p.cost.of(r.limbs, r.ebits, 1)
		}
		limbs, ebits := 0, 0
		for n := 1; n <= min(p.width, i+1) && r.limbs > 0; n++ {
			s := &rows[order[i+1-n]]
			limbs, ebits = max(limbs, s.limbs), max(ebits, s.ebits)
			if c := p.best[i+1-n] + p.cost.of(limbs, ebits, n); c <= best {
				best, how = c, step{int8(n), false}
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
		chunks[n] = chunk{i - int(p.steps[i].rows), i, p.steps[i].alone}
	}
	return chunks
}

// vectorCost estimates the time of vectors in nanoseconds. Only ratios matter.
type vectorCost struct {
	square  float64 // of a Montgomery square, by limbs²
	setup   float64 // of the preparation of a lane, by limbs²
	prepare bool    // whether that has to be done
	live    bool    // whether only the lanes in use take time
}

// costs of the kernels, measured at 2048 bits.
var kernelCosts = map[string]vectorCost{
	cpu.IFMA512: {square: 0.36, setup: 6},
	cpu.IFMA256: {square: 0.7, setup: 6},
	cpu.ADX:     {square: 8 * 0.55, setup: 6, live: true},
	cpu.Generic: {square: 8 * 1.2, setup: 6, live: true},
}

// of returns the cost of a vector of n rows, given the size of its largest ones.
func (c *vectorCost) of(limbs, ebits, n int) float64 {
	const (
		perVector = 1000 // what does not grow with the numbers: pools, calls, the channel
		perLimb   = 10   // of every square or product
	)
	s := float64(limbs)
	square := c.square*s*s + perLimb*s
	// A product takes 4/3 of a square, and there is about one to five exponent
	// bits; the table is half squares.
	products := float64(ebits/5 + min(32, 4+ebits/16))
	t := (float64(ebits)+4./3*products)*square + perVector
	lanes := float64(n)
	if c.live {
		t *= lanes / batch.Lanes
	}
	if c.prepare {
		t += lanes * (c.setup*s*s + perVector)
	}
	return t
}

// newPacker returns a packer for the kernel and a number of rows. own says that
// the vectors' moduli are still to be prepared.
func newPacker(k *batch.Kernel, rows int, own bool) *packer {
	p := &packer{cost: kernelCosts[k.Name()], width: batch.Lanes}
	p.cost.prepare = own
	if p.cost.live {
		// Half-empty vectors cost nothing extra: share the rows among the cores.
		workers := runtime.GOMAXPROCS(0)
		p.width = max(1, min(p.width, (rows+workers-1)/workers))
	}
	return p
}
