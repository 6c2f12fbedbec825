//go:build amd64 && !purego

package batch

// Products and reductions in halves: Karatsuba's products on columns that are not
// carried, and the Montgomery reduction of half a number at a time, whose products
// with the upper half of the modulus are of that kind (docs/algorithms.md,
// "Halves"). Results are the same integers as without.

// ifmaHalves are the assembly routines for one tile width. An odd number of tiles
// is not halved any more.
type ifmaHalves struct {
	mulPair   func(t, x, y, a, b, bias digits)
	addPair   func(t, sum, x, y, a, b digits)
	addMul    func(t, x, y digits, tiles int)
	subtract  func(d, x, y digits, tiles int)
	spreadSum func(t, a, b digits, tiles int)
	addSum    func(t, sum, a, b digits, tiles int)
	fill      func(t, value digits, tiles int)
	clear     func(z, t, n, ninv, work digits, tiles int, look *byte)
	carry     func(z, t digits, tiles int)
}

// halves is the arithmetic in halves of numbers of one size, in one pass over the
// lanes. All columns are signed, and all that its methods do with them is to add.
type halves struct {
	*ifmaHalves
	settleColumns func(t digits, columns int)
	limbs         int // of the whole numbers
	width, lane   int
}

// leastSettled is the least number of limbs of which the products of halves are
// carried before larger ones are made of them: these would not fit in 64 bits.
const leastSettled = 192

// halves returns the arithmetic for numbers of so many limbs that are cut into
// super-digits of a width, from a lane on.
func (k *ifma) halves(limbs int, width uint8, lane int) halves {
	w := int(width)
	return halves{k.halvesOfWidth[w], k.carry, limbs, w, lane}
}

// work is the room for differences and sums. With all that is below it, add takes
// 5s + 2l vectors for numbers of s digits that are halved l times; multiply takes
// s + 2 and what add does for s/2 digits, which is less than 5s.
func (h *halves) work(sc *Scratch) Ints { return sc.work[2*sc.limbs : 7*sc.limbs] }

func (h *halves) at(x Ints) digits { return at(x, h.lane) }

// tiles is the number of super-digits of x.
func (h *halves) tiles(x Ints) int { return len(x) / h.width }

// difference sets the first half of d, and its sign behind it, to x less y; the rest
// of d is returned.
func (h *halves) difference(d, x, y Ints) (diff, rest Ints) {
	n := len(x)
	h.subtract(h.at(d), h.at(x), h.at(y), h.tiles(x))
	return d[:n+1], d[n+1:]
}

// multiply sets t to the columns of x·y, and adds bias to each of the low half of
// them: they are the columns that come from the low halves' product, twice.
func (h *halves) multiply(t, x, y Ints, bias *Vector, work Ints) {
	s, tiles := len(x), h.tiles(x)
	if tiles%2 != 0 {
		h.fill(h.at(t), &bias[h.lane], tiles)
		h.fill(h.at(t[s:]), &unbiased[h.lane], tiles)
		h.addMul(h.at(t), h.at(x), h.at(y), tiles)
		return
	}
	half := s / 2
	a, work := h.difference(work, x[:half], x[half:])
	b, work := h.difference(work, y[half:], y[:half])
	if tiles == 2 {
		h.mulPair(h.at(t), h.at(x), h.at(y), h.at(a), h.at(b), &bias[h.lane])
		return
	}
	h.multiply(t[:s], x[:half], y[:half], bias, work)
	h.fill(h.at(t[s:]), &unbiased[h.lane], tiles/2)
	h.add(t[half:3*half], x[half:], y[half:], work)
	h.spreadSum(h.at(t), h.at(a), h.at(b), tiles/2)
	h.add(t[half:3*half], a[:half], b[:half], work)
	h.settle(t)
}

// pieces sets z = x·y, where x is a whole number of times as long as y: the product of
// each piece of x is added to the columns. A column has those of two products, no more
// than one of twice as many digits would have.
func (h *halves) pieces(z, x, y, work Ints) {
	n := len(y)
	h.fill(h.at(z), &unbiased[h.lane], h.tiles(z))
	for i := 0; i < len(x); i += n {
		if t, piece := z[i:i+2*n], x[i:i+n]; n < leastHalvedProduct {
			h.addMul(h.at(t), h.at(piece), h.at(y), h.tiles(y))
		} else {
			h.add(t, piece, y, work)
		}
	}
	h.carry(h.at(z), h.at(z), h.tiles(z))
}

// add adds x·y to the columns t.
func (h *halves) add(t, x, y, work Ints) {
	s, tiles := len(x), h.tiles(x)
	if tiles%2 != 0 {
		h.addMul(h.at(t), h.at(x), h.at(y), tiles)
		return
	}
	half := s / 2
	a, work := h.difference(work, x[:half], x[half:])
	b, work := h.difference(work, y[half:], y[:half])
	sum, work := work[:3*half], work[3*half:]
	if tiles == 2 {
		h.addPair(h.at(t), h.at(sum), h.at(x), h.at(y), h.at(a), h.at(b))
		return
	}
	h.fill(h.at(sum), &unbiased[h.lane], 3*tiles/2)
	h.add(sum[:s], x[:half], y[:half], work)
	h.add(sum[half:], x[half:], y[half:], work)
	h.addSum(h.at(t), h.at(sum), h.at(a), h.at(b), tiles/2)
	h.add(t[half:3*half], a[:half], b[:half], work)
	h.settle(t)
}

// settle carries the columns t that a product was added to, if it is one of halves of
// large numbers, so that they are small when others are added to them.
func (h *halves) settle(t Ints) {
	if h.limbs >= leastSettled && len(t) == h.limbs {
		h.settleColumns(h.at(t), len(t)-1)
	}
}

// reduce adds q·n to the columns t, where n is the low digits of the modulus, and t
// has twice as many columns: q makes the low half of t, which is biased, vanish, and
// the columns of the high half are left.
func (h *halves) reduce(t, q, n, ninv, work Ints, look *byte) {
	s, tiles := len(n), h.tiles(n)
	if tiles%4 != 0 {
		h.clear(h.at(t[s:]), h.at(t), h.at(n), h.at(ninv), h.at(q), tiles, look)
		return
	}
	half := s / 2
	h.reduce(t[:s], q[:half], n[:half], ninv, work, look)
	h.add(t[half:3*half], q[:half], n[half:], work)
	h.reduce(t[half:3*half], q[half:], n[:half], ninv, work, look)
	h.add(t[s:], q[half:], n[half:], work)
}

// blocks is the number of blocks that reduce makes of so many super-digits.
func (h *halves) blocks(tiles int) int {
	if tiles%4 != 0 {
		return 1
	}
	return 2 * h.blocks(tiles/2)
}

var ifma512HalvesOfWidth = [maxTile + 1]*ifmaHalves{
	10: {ifma512MulPair10, ifma512AddPair10, ifma512AddMul10, ifma512Difference10, ifma512SpreadSum10, ifma512AddSum10, ifma512Fill10, ifma512Clear10, ifma512CarryDigits10},
	12: {ifma512MulPair12, ifma512AddPair12, ifma512AddMul12, ifma512Difference12, ifma512SpreadSum12, ifma512AddSum12, ifma512Fill12, ifma512Clear12, ifma512CarryDigits12},
	14: {ifma512MulPair14, ifma512AddPair14, ifma512AddMul14, ifma512Difference14, ifma512SpreadSum14, ifma512AddSum14, ifma512Fill14, ifma512Clear14, ifma512CarryDigits14},
	15: {ifma512MulPair15, ifma512AddPair15, ifma512AddMul15, ifma512Difference15, ifma512SpreadSum15, ifma512AddSum15, ifma512Fill15, ifma512Clear15, ifma512CarryDigits15},
	16: {ifma512MulPair16, ifma512AddPair16, ifma512AddMul16, ifma512Difference16, ifma512SpreadSum16, ifma512AddSum16, ifma512Fill16, ifma512Clear16, ifma512CarryDigits16},
	18: {ifma512MulPair18, ifma512AddPair18, ifma512AddMul18, ifma512Difference18, ifma512SpreadSum18, ifma512AddSum18, ifma512Fill18, ifma512Clear18, ifma512CarryDigits18},
	20: {ifma512MulPair20, ifma512AddPair20, ifma512AddMul20, ifma512Difference20, ifma512SpreadSum20, ifma512AddSum20, ifma512Fill20, ifma512Clear20, ifma512CarryDigits20},
}

var ifma256HalvesOfWidth = [maxTile + 1]*ifmaHalves{
	10: {ifma256MulPair10, ifma256AddPair10, ifma256AddMul10, ifma256Difference10, ifma256SpreadSum10, ifma256AddSum10, ifma256Fill10, ifma256Clear10, ifma256CarryDigits10},
	12: {ifma256MulPair12, ifma256AddPair12, ifma256AddMul12, ifma256Difference12, ifma256SpreadSum12, ifma256AddSum12, ifma256Fill12, ifma256Clear12, ifma256CarryDigits12},
	14: {ifma256MulPair14, ifma256AddPair14, ifma256AddMul14, ifma256Difference14, ifma256SpreadSum14, ifma256AddSum14, ifma256Fill14, ifma256Clear14, ifma256CarryDigits14},
	15: {ifma256MulPair15, ifma256AddPair15, ifma256AddMul15, ifma256Difference15, ifma256SpreadSum15, ifma256AddSum15, ifma256Fill15, ifma256Clear15, ifma256CarryDigits15},
	16: {ifma256MulPair16, ifma256AddPair16, ifma256AddMul16, ifma256Difference16, ifma256SpreadSum16, ifma256AddSum16, ifma256Fill16, ifma256Clear16, ifma256CarryDigits16},
	18: {ifma256MulPair18, ifma256AddPair18, ifma256AddMul18, ifma256Difference18, ifma256SpreadSum18, ifma256AddSum18, ifma256Fill18, ifma256Clear18, ifma256CarryDigits18},
	20: {ifma256MulPair20, ifma256AddPair20, ifma256AddMul20, ifma256Difference20, ifma256SpreadSum20, ifma256AddSum20, ifma256Fill20, ifma256Clear20, ifma256CarryDigits20},
}
