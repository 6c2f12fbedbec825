// Package batch does modular arithmetic on eight numbers at a time.
//
// Numbers are word-sliced: digit i of all eight numbers is one [Vector], so
// that one 512-bit instruction works on one digit of every number, and no
// number ever waits for another's carries. The radix is 2^52, the width of
// AVX512-IFMA's multiply-add. Every lane has its own modulus, base and
// exponent; only lengths are shared.
//
// Arithmetic modulo eight odd moduli is Montgomery's with R = 2^(52·limbs) and
// R ≥ 8N in every lane. Between conversions values are almost reduced: below
// 2N, not below N. The reduction is truncated: the half of Q·N that is known to
// cancel is never computed (docs/algorithms.md has the bound and the source).
//
// Everything is constant time in the values of moduli, bases and exponents.
// Lengths (limbs, lanes in use, bits of exponent) are public.
package batch

const (
	// Lanes is the number of numbers in a batch.
	Lanes = 8
	// DigitBits is the width of a digit: the radix is 2^DigitBits.
	DigitBits = 52
	// MaxBits is the length of the largest modulus.
	MaxBits = 16384

	digitMask = 1<<DigitBits - 1
)

// headroomBits is how much larger than the modulus R is at least: R ≥ 8N.
// 4N ≤ R keeps almost-Montgomery values below 2N; the third bit leaves room for
// operands between 2N and 4N.
const headroomBits = 3

// tileWidths are the numbers of digits that a super-digit can have, for which
// there are kernels. The widest leaves 32 vector registers for W + 1 column
// accumulators, their operands and constants.
var tileWidths = [...]int{4, 6, 8, 10, 12, 14, 15, 16, 18, 20}

const (
	maxTile = 20
	// minTileOfMany is the least width of the super-digits of a number that has
	// more than one of them: narrow ones spend more on moving the window.
	minTileOfMany = 10
)

// maxLimbs is Limbs(MaxBits).
const maxLimbs = 320

// Limbs returns the number of digits that numbers modulo a modulus of the given
// length take: at least (bits + 3)/52, rounded up to a whole number of
// super-digits of equal width (by less than 10 digits, by 5 % on average). It
// panics if bits is not between 1 and [MaxBits].
func Limbs(bits int) int {
	if bits < 1 || bits > MaxBits {
		panic("batch: Limbs of a length that is not between 1 and MaxBits")
	}
	least := (bits + headroomBits + DigitBits - 1) / DigitBits
	best := 0
	for _, w := range tileWidths {
		limbs := (least + w - 1) / w * w
		if limbs > w && w < minTileOfMany {
			continue
		}
		if best == 0 || limbs <= best {
			best = limbs
		}
	}
	return best
}

// tiling splits a number of limbs into the widest super-digits that fit:
// limbs = width · tiles. It panics for a number of limbs that [Limbs] never
// returns.
func tiling(limbs int) (width, tiles int) {
	if limbs < 1 || limbs > maxLimbs || tilings[limbs].width == 0 {
		panic("batch: a number of limbs that Limbs does not return")
	}
	t := tilings[limbs]
	return int(t.width), int(t.tiles)
}

// tilings has the super-digits of every number of limbs that Limbs returns.
var tilings = func() (ts [maxLimbs + 1]struct{ width, tiles uint16 }) {
	for _, w := range tileWidths {
		ts[w].width, ts[w].tiles = uint16(w), 1
		if w < minTileOfMany {
			continue
		}
		for tiles := 2; tiles*w <= maxLimbs; tiles++ {
			ts[tiles*w].width, ts[tiles*w].tiles = uint16(w), uint16(tiles)
		}
	}
	return ts
}()
