package batch

import "sync"

// Karatsuba's method computes 2·a·b, the product in the middle of (a + b·β^n)²,
// as (a + b)² − a² − b²: one square in place of a product that costs two. The ifma
// kernels square that way, halving a number until it is in tiles. The assembly
// knows how to square a tile and how to put halves together; what is here is the
// recursion, as a list of steps. docs/algorithms.md, "Karatsuba squares".

// squareTiles are the tiles that squares are halved into, in digits. With narrower
// ones Karatsuba's method is no quicker than the schoolbook's, at least where
// additions share the ports of the multiply-adds.
var squareTiles = [...]int{20, 18, 16, 15, 14}

// leastHalvedSquare is the number of limbs from which on numbers are halved. Below it
// there would be two tiles of less than 20 digits, which gain nothing that shows
// (residue bench --op sqrmont --variant truncated,schoolbook).
const leastHalvedSquare = 40

// squareTiling cuts a square of so many limbs into m tiles of w digits for
// Karatsuba's method, m = 2, 4, 8 or 16. ok is false if that is not possible.
func squareTiling(limbs int) (w, m int, ok bool) {
	for _, w := range squareTiles {
		if m := limbs / w; limbs >= leastHalvedSquare && limbs%w == 0 && m&(m-1) == 0 {
			return w, m, true
		}
	}
	return 0, 0, false
}

// squareStep is a step of a square as the assembly reads it. Places are in bytes:
// x and y from the start of the number or, if inWork is 1, of the work space; z
// from the start of the work space, bias from that of squareBiases.
type squareStep struct {
	kind, inWork, x, y, z, bias, tiles int
}

// The kinds of steps. n is the number of digits of so many tiles. What a square
// has in the middle is (s² − a² − b²)·β^n, for s = a + b.
const (
	stepEnd     = iota // the end of the list
	stepSquare         // z[0:2n] = x²; one tile
	stepSum            // z[0:n+1] = x + y
	stepMiddle         // z[0:4n] has a² and b², and receives the middle, for s = x; one tile
	stepCombine        // the same for s = y and x[0:2n] = (s mod β^n)²
	stepCarry          // z[n:3n] become digits; z[3n] receives the carry
)

// mostCarried is the number of tiles up to which columns fit 64 bits as they are.
const mostCarried = 8

// squarePlan returns the steps of a square of m tiles of w digits. Of s = w·m digits
// they use 6s vectors of work space at most: the first 2s become the columns of the
// square, the low half of them biased, and halves of n = s/2, s/4, … digits have a
// sum of n + 1 digits and the 2n columns of its square.
func squarePlan(w, m int) []squareStep {
	p := planner{width: w}
	p.square(place{}, m, 0, 2*w*m, 1)
	return append(p.steps, squareStep{kind: stepEnd})
}

type planner struct {
	width int
	steps []squareStep
}

// place is where a number begins: at a vector of the number to square or, if
// inWork is 1, of the work space.
type place struct{ inWork, at int }

// square plans z = x² for m tiles. The work space is free from a place on. The low
// half of the columns receives bias times β − 1.
//
// With halves, the columns of a² are biased in their low half by as much as those
// of x² are to be, those of (a + b)² by twice as much, and those of b² not at all:
// in the second quarter of x² that makes 2 − 1 times the bias, and in the two
// above nothing.
func (p *planner) square(x place, m, z, free, bias int) {
	if m == 1 {
		p.add(squareStep{kind: stepSquare, inWork: x.inWork, x: x.at, z: z, bias: biasPlace(bias), tiles: 1})
		return
	}
	m /= 2
	n := m * p.width
	sum, columns := free, free+n+1
	high := place{x.inWork, x.at + n}
	p.add(squareStep{kind: stepSum, inWork: x.inWork, x: x.at, y: high.at, z: sum, tiles: m})
	p.square(x, m, z, columns, bias)
	p.square(high, m, z+2*n, columns, 0)
	if m == 1 {
		p.add(squareStep{kind: stepMiddle, inWork: 1, x: sum, z: z, bias: biasPlace(2 * bias), tiles: m})
		return
	}
	p.square(place{1, sum}, m, columns, columns+2*n, 2*bias)
	p.add(squareStep{kind: stepCombine, inWork: 1, x: columns, y: sum, z: z, tiles: m})
	if 2*m > mostCarried {
		p.add(squareStep{kind: stepCarry, z: z, tiles: m})
	}
}

// add adds a step, with places in vectors.
func (p *planner) add(s squareStep) {
	const vectorBytes = 8 * Lanes
	for _, place := range []*int{&s.x, &s.y, &s.z, &s.bias} {
		*place *= vectorBytes
	}
	p.steps = append(p.steps, s)
}

// squareBiases has, for each bias, what a biased column starts from, and the bits
// that come in from the right when it is doubled: 0 once; β − 1 once, which is odd,
// and 2, 4, 8 and 16 times.
var squareBiases = func() Ints {
	const least, most = 2, 16
	t := NewInts(2)
	odd := NewInts(2)
	for lane := range Lanes {
		odd[0][lane], odd[1][lane] = digitMask>>1, ^uint64(0)
	}
	t = append(t, odd...)
	for bias := uint64(least); bias <= most; bias *= 2 {
		even := NewInts(2)
		for lane := range Lanes {
			even[0][lane] = bias / 2 * digitMask
		}
		t = append(t, even...)
	}
	return t
}()

// biasPlace is where squareBiases has a bias that is 0 or a power of two.
func biasPlace(bias int) (at int) {
	for ; bias > 0; bias /= 2 {
		at += 2
	}
	return at
}

// karatsubaMadds is the number of multiply-adds of a square of m tiles: sums take
// two a digit, and so does the carry of a sum but for one tile, where it takes one.
func karatsubaMadds(w, m int) int {
	if m == 1 {
		return w*w + w
	}
	half := karatsubaMadds(w, m/2)
	n := m / 2 * w
	if m == 2 {
		return 3*half + 3*n
	}
	return 3*half + 4*n
}

// squarePlans are the plans that have been asked for, by limbs.
var squarePlans [maxLimbs + 1]struct {
	once  sync.Once
	steps []squareStep
}

// planFor returns the plan of a number of limbs that squareTiling has tiles for.
func planFor(limbs int) []squareStep {
	p := &squarePlans[limbs]
	p.once.Do(func() {
		w, m, _ := squareTiling(limbs)
		p.steps = squarePlan(w, m)
	})
	return p.steps
}
