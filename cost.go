package residue

import (
	"residue/batch"
	"residue/internal/cpu"
)

// Costs are in core cycles of a Sapphire Rapids. Only their ratios matter: rows are put
// together by them.

// vectorCost is what vectors of a kernel of package batch cost.
type vectorCost struct {
	full, half squareCost // with more rows than half a vector has, and with no more
}

// squareCost is the time of a Montgomery square: of the call, by limbs, by limbs². The
// call stands for look-ups and what else goes with the squares of a power as well.
type squareCost struct{ call, linear, quadratic float64 }

// vectorCosts has the kernels that work on vectors. With the others a row in a vector
// is a row by itself with conversions around it.
//
//	go run ./cmd/residue bench --op sqrmont,mulmont --variant truncated --block 1
var vectorCosts = map[string]vectorCost{
	cpu.IFMA512: {full: squareCost{130, 3.5, 1.54}, half: squareCost{110, 2, 1.53}},
	cpu.IFMA256: {full: squareCost{190, 4, 3.06}, half: squareCost{110, 2, 1.53}},
}

const (
	perChunk = 2500 // what does not grow with the numbers: pools, calls, the channel
	// A product takes so many times as long as a square in a vector, and to prepare a
	// lane of moduli so many times limbs².
	vectorProduct = 1.3
	vectorSetup   = 16
)

// wholeCosts are those of a square of package barrett, for moduli as they are.
//
//	go run ./cmd/residue bench --system barrett --op sqr,mul --kernel ifma512,ifma256
var wholeCosts = map[string]squareCost{
	cpu.IFMA512: {call: 170, linear: 70, quadratic: 1.55},
	cpu.IFMA256: {call: 400, linear: 105, quadratic: 3.05},
}

const (
	// A product takes so many times as long as a square there, and to prepare a lane so
	// many times limbs².
	wholeProduct = 1.1
	wholeSetup   = 8
)

// ofWhole returns the cost of a vector of n rows with moduli of so many bits.
func (c *squareCost) ofWhole(bits, ebits, n int, own bool) float64 {
	s := float64(batch.Limbs(bits))
	square := c.call + c.linear*s + c.quadratic*s*s
	t := powerCost(ebits, square, wholeProduct*square) + perChunk
	if own {
		t += float64(n) * (wholeSetup*s*s + perChunk)
	}
	return t
}

// pow2Cost is the time of a power modulo 2^t. Exponents are taken modulo 2^t as well, and
// the table takes as long as some bits.
//
//	go test ./internal/words -run xxx -bench ExpPow2
func pow2Cost(t, ebits int) float64 {
	if t == 0 {
		return 0
	}
	w := float64((t + 63) / 64)
	return float64(min(t, ebits)+11) * (60 + 14*w + 1.75*w*w)
}

// of returns the cost of a vector of n rows, given the size of its largest ones. own
// says that their moduli are still to be prepared.
func (c *vectorCost) of(limbs, ebits, n int, own bool) float64 {
	s := float64(limbs)
	by := c.full
	if n <= batch.Lanes/2 {
		by = c.half
	}
	square := by.call + by.linear*s + by.quadratic*s*s
	t := powerCost(ebits, square, vectorProduct*square) + perChunk
	if own {
		t += float64(n) * (vectorSetup*s*s + perChunk)
	}
	return t
}

// powerCost is the time of a power whose exponent has so many bits, given those of
// a square and a product.
func powerCost(ebits int, square, product float64) float64 {
	// There are about one to five exponent bits to a product, and the table.
	products := float64(ebits/5 + min(32, 4+ebits/16))
	return float64(ebits)*square + products*product
}

// singleTime is what one number of a length takes: a square, a product with the look-up
// of its factor, and the preparation of a modulus.
type singleTime struct {
	bits                   int
	square, product, setup float64
}

// engineTimes are times in order of lengths: with steps, those of a length hold for all
// lengths from the one before.
type engineTimes struct {
	steps bool
	at    []singleTime
}

// singleTimes are the times of the engines of package mont, by the names of kernels and
// in order of lengths. Those of vectors hold for all lengths up to the one that is named,
// which fills a number of vectors. For words there is a straight line between two
// lengths, and beyond the last a parabola.
//
//	go test ./mont -run xxx -bench 'Arithmetic|SetUp'
var singleTimes = map[string]engineTimes{
	cpu.IFMA512: {true, []singleTime{
		{397, 139, 200, 4700},
		{797, 183, 270, 7600},
		{1047, 280, 390, 12e3},
		{1597, 403, 560, 17e3},
		{2078, 516, 710, 27e3},
		{2397, 783, 1060, 36e3},
		{2797, 954, 1290, 48e3},
		{3197, 1173, 1590, 56e3},
		{3742, 1464, 1920, 68e3},
		{4158, 1716, 2270, 93e3},
		{4990, 2351, 3100, 120e3},
		{6238, 3668, 4780, 160e3},
		{7486, 4843, 6400, 200e3},
		{8318, 5856, 8130, 320e3},
	}},
	cpu.ADX: {false, []singleTime{
		{0, 50, 130, 1500},
		{64, 59, 140, 1800},
		{256, 104, 210, 2500},
		{384, 154, 380, 3200},
		{512, 209, 400, 3800},
		{1024, 675, 930, 6400},
		{2048, 2410, 3230, 17e3},
		{3072, 5210, 6970, 32e3},
		{4096, 9110, 12190, 52e3},
		{6144, 20300, 27300, 110e3},
		{8192, 35700, 47900, 190e3},
	}},
	cpu.Generic: {false, []singleTime{
		{0, 60, 200, 2500},
		{256, 240, 660, 3500},
		{512, 524, 1150, 4e3},
		{1024, 1400, 2450, 6800},
		{2048, 4380, 6760, 18e3},
		{3072, 9020, 13200, 34e3},
		{4096, 15160, 21800, 56e3},
		{6144, 32300, 41800, 115e3},
		{8192, 55600, 77300, 200e3},
	}},
}

// barrettTimes are those of package barrett, by the names of the kernels in words.
//
//	go run ./cmd/residue bench --system barrett --op sqr,mul --kernel adx,generic
var barrettTimes = map[string]engineTimes{
	cpu.ADX: {false, []singleTime{
		{0, 200, 300, 1500},
		{512, 550, 620, 2500},
		{1024, 1200, 1400, 5700},
		{2048, 3300, 3900, 12e3},
		{3072, 6600, 7700, 22e3},
		{4096, 11100, 13200, 33e3},
		{6144, 22600, 26400, 63e3},
		{8192, 37400, 42900, 105e3},
		{12288, 74600, 84e3, 205e3},
		{16384, 122700, 140700, 338e3},
	}},
	cpu.Generic: {false, []singleTime{
		{0, 300, 400, 1500},
		{512, 900, 1000, 2500},
		{1024, 1900, 2100, 5000},
		{2048, 5400, 6100, 11e3},
		{3072, 10700, 12200, 20e3},
		{4096, 18400, 21100, 32e3},
		{6144, 36700, 41800, 63e3},
		{8192, 60e3, 67900, 105e3},
		{12288, 118e3, 133e3, 205e3},
		{16384, 190700, 215300, 345e3},
	}},
}

// primeTimes are those of the primes that package pmns is quicker for, by their length,
// with vectors of 512 bits. At 2048 bits package mont is: its digits fill its lanes there.
//
//	go test ./pmns -run xxx -bench 'Mul|Sqr'
var primeTimes = map[int]singleTime{
	1024: {square: 223, product: 320},
	1536: {square: 370, product: 480},
	3072: {square: 1045, product: 1330},
	4096: {square: 1540, product: 1940},
	6144: {square: 3250, product: 4050},
	8192: {square: 5430, product: 6500},
}

// singleCost returns the cost of one row, for a modulus and an exponent of so many bits.
// prime says that the modulus is one of those that package pmns does.
func (k *kernels) singleCost(bits, ebits int, own, prime bool) float64 {
	if prime {
		at := primeTimes[bits]
		return at.power(ebits, own)
	}
	cost, _ := k.oneCost(bits, ebits, own)
	return cost
}

// power returns the time of a row.
func (at *singleTime) power(ebits int, own bool) float64 {
	t := powerCost(ebits, at.square, at.product) + perChunk
	if own {
		t += at.setup
	}
	return t
}

// oneCost returns the cost of one row, and whether package barrett does it, which is then
// quicker than package mont.
func (k *kernels) oneCost(bits, ebits int, own bool) (cost float64, byBarrett bool) {
	by := singleAt(singleTimes, k.mont.Engine(bits), bits)
	barrett := singleAt(barrettTimes, k.barrett.Engine(), bits)
	cost = by.power(ebits, own)
	// A base enters Montgomery's domain by a product, and leaves it by a reduction. No
	// other cost has that, as all others have it. A residue of package barrett is reduced
	// once more at the end.
	if c := barrett.power(ebits, own) + barrett.square - 1.5*by.product; c < cost {
		return c, true
	}
	return cost, false
}

// singleAt returns the times of an engine at a length.
func singleAt(times map[string]engineTimes, engine string, bits int) singleTime {
	ts := times[engine].at
	last := ts[len(ts)-1]
	if bits > last.bits {
		f := float64(bits) / float64(last.bits)
		return singleTime{bits, last.square * f * f, last.product * f * f, last.setup * f * f}
	}
	i := 0
	for ts[i].bits < bits {
		i++
	}
	b := ts[i]
	if times[engine].steps {
		return b
	}
	a := ts[i-1] // the first is at 0
	f := float64(bits-a.bits) / float64(b.bits-a.bits)
	between := func(x, y float64) float64 { return x + f*(y-x) }
	return singleTime{bits, between(a.square, b.square), between(a.product, b.product), between(a.setup, b.setup)}
}
