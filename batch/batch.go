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

// maxTile is the largest number of digits in a super-digit: W + 1 column
// accumulators, their operands and constants fill the 32 vector registers.
const maxTile = 20

// Limbs returns the number of digits that numbers modulo a modulus of the given
// length take: at least (bits + 3)/52, rounded up to a multiple of the number of
// super-digits, so that it splits into super-digits of equal width of at most
// 20 digits. It panics if bits is not between 1 and [MaxBits].
func Limbs(bits int) int {
	if bits < 1 || bits > MaxBits {
		panic("batch: Limbs of a length that is not between 1 and MaxBits")
	}
	least := (bits + headroomBits + DigitBits - 1) / DigitBits
	tiles := (least + maxTile - 1) / maxTile
	return tiles * ((least + tiles - 1) / tiles)
}

// tiling splits a number of limbs into super-digits: limbs = tile · tiles.
// It panics for a number of limbs that [Limbs] never returns.
func tiling(limbs int) (tile, tiles int) {
	tiles = (limbs + maxTile - 1) / maxTile
	if limbs < 1 || limbs > maxLimbs || limbs%tiles != 0 {
		panic("batch: a number of limbs that Limbs does not return")
	}
	return limbs / tiles, tiles
}

// maxLimbs is Limbs(MaxBits).
const maxLimbs = 320
