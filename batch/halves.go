package batch

import "math/bits"

// The sizes, in limbs, from which on the ifma kernels do products and reductions in
// halves (docs/algorithms.md, "Halves"): from there on BenchmarkHalves finds them
// quicker.
const (
	leastHalvedProduct   = 36
	leastHalvedReduction = 72
)

const (
	// mostHalvings is how often halving makes a product quicker.
	mostHalvings = 3
	// leastHalf is the least width of super-digits for which that is so. Narrower
	// ones are for numbers that have no others to halve.
	leastHalf = 12
)

// halvedWidths has, for every number of limbs, the width of the super-digits of
// products and of reductions in halves, or 0 where there are none. A product needs an
// even number of super-digits, a reduction a multiple of four.
var halvedWidths = func() (ws [maxLimbs + 1]struct{ product, reduction uint8 }) {
	for limbs := leastHalvedProduct; limbs <= maxLimbs; limbs++ {
		w := halvedWidth(limbs)
		if tilings[limbs].width == 0 || w == 0 {
			continue
		}
		ws[limbs].product = uint8(w)
		if limbs >= leastHalvedReduction && limbs/w%4 == 0 {
			ws[limbs].reduction = uint8(w)
		}
	}
	return ws
}()

// halvedWidth returns the width of the super-digits that can be halved most often,
// and of those the largest, or 0 if none can.
func halvedWidth(limbs int) int {
	best, most := 0, 0
	for _, w := range tileWidths {
		if w < minTileOfMany || limbs%w != 0 {
			continue
		}
		n := min(mostHalvings, bits.TrailingZeros(uint(limbs/w)))
		if n > 0 && (n >= most || best < leastHalf) {
			best, most = w, n
		}
	}
	return best
}

// mulMadds and reduceMadds are the numbers of vector multiply-adds of products and
// reductions in halves, of so many super-digits.
func mulMadds(width, tiles int) int {
	if tiles%2 != 0 {
		return 2 * width * tiles * width * tiles
	}
	return 3 * mulMadds(width, tiles/2)
}

func reduceMadds(width, tiles int) int {
	if tiles%4 != 0 {
		return 2 * width * tiles * width * tiles
	}
	return 2 * (reduceMadds(width, tiles/2) + mulMadds(width, tiles/2))
}
