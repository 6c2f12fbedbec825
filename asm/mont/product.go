package mont

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/ifma"
)

// pair is the product of block t of x, whose eight digits are taken one by one, with
// a vector that has the weight of vector v.
type pair struct {
	t, v int
	y    operand.Mem
}

// pairs returns those of a product. In a square, block t goes with vector t itself
// and with 2x above it.
func (k *kernel) pairs() []pair {
	var ps []pair
	for t := range k.Vectors {
		if !k.Square {
			for v := range k.Vectors {
				ps = append(ps, pair{t, v, at(k.Y, v)})
			}
			continue
		}
		ps = append(ps, pair{t, t, at(k.X, t)})
		for v := t + 1; v < k.Vectors; v++ {
			ps = append(ps, pair{t, v, k.doubledAt(v, v == t+1)})
		}
	}
	return ps
}

// double computes 2x for the pairs of a square. A block's own digits are not part of
// what is doubled, so the bit that the highest of them carries must not come into
// the vector above; for other blocks it must, so both forms are kept. Digits that
// have room for a doubling carry nothing.
func (k *kernel) double() {
	// All digits of vector 0 are in block 0, which is what vector 1 is alone with.
	var below vec
	for v := 1; v < k.Vectors; v++ {
		x := k.Read(at(k.X, v))
		d := k.ZMM()
		k.VPADDQ(x, x, d)
		if !k.exact() {
			k.VMOVDQU64(d, k.doubledAt(v, true))
			continue
		}
		// The highest bit of each digit. What is above the digit does not count.
		carry := k.ZMM()
		k.VPSLLQ(imm(64-k.Bits), x, carry)
		k.VPSRLQ(imm(63), carry, carry)
		with := func(carried vec) vec {
			s := k.ZMM()
			k.VPORQ(carried, d, s) // the lowest bit of d is clear
			return s
		}
		k.VMOVDQU64(with(k.up(1, carry, nil)), k.doubledAt(v, true))
		if v > 1 {
			k.VMOVDQU64(with(k.up(1, carry, below)), k.doubledAt(v, false))
		}
		below = carry
	}
}

// columns are sums for a range of the vectors of a product's columns.
type columns struct {
	first int // vector
	sums  []vec
	spill vec // lanes that left the highest vector, if spills is set
	// spills says that they are to be kept.
	spills bool
}

func (c *columns) at(d int) *vec { return &c.sums[d-c.first] }

// moveUp moves columns up by n lanes.
func (k *kernel) moveUp(n int, c *columns) {
	if c.spills {
		c.spill = k.up(n, c.spill, c.sums[len(c.sums)-1])
	}
	for i := len(c.sums) - 1; i >= 0; i-- {
		var below vec
		if i > 0 {
			below = c.sums[i-1]
		}
		c.sums[i] = k.up(n, c.sums[i], below)
	}
}

// chain is a sum of digit products that stands some lanes below its place. Low and
// high halves share the columns if they have the same weight.
type chain struct{ low, high *columns }

// newChain returns a chain for the range's vectors.
func (k *kernel) newChain(r halfRange) chain {
	fresh := func() *columns {
		return &columns{first: r.first, sums: make([]vec, k.Vectors), spills: r.spills}
	}
	c := chain{low: fresh()}
	c.high = c.low
	if !k.exact() {
		c.high = fresh()
	}
	return c
}

func (c chain) each(f func(*columns)) {
	f(c.low)
	if c.high != c.low {
		f(c.high)
	}
}

// total adds what a chain has of high halves to its low ones.
func (k *kernel) total(c chain) *columns {
	if c.high != c.low {
		for i, h := range c.high.sums {
			k.Sum(&c.low.sums[i], k.weighted(h))
		}
		k.Sum(&c.low.spill, k.weighted(c.high.spill))
	}
	return c.low
}

// halfRange is the half of the columns of a product that is computed: V vectors. Of
// the lower half, the lanes that move out at its top are kept.
type halfRange struct {
	first  int // vector
	spills bool
}

func (k *kernel) lowerHalf() halfRange { return halfRange{0, true} }
func (k *kernel) upperHalf() halfRange { return halfRange{k.Vectors, false} }

// includes says whether vector d is in the range.
func (k *kernel) includes(r halfRange, d int) bool {
	return d >= r.first && d < r.first+k.Vectors
}

// product adds up half of the columns of x times what the pairs say, and what spills
// out of it.
//
// Digit 8t+c of x times vector v belongs c lanes up from vector t+v, its high halves
// c + 1 lanes. No operand is moved for that: digits with the same c are summed in a
// chain, and Horner's rule moves the sums. With m chains the digits go in 8/m groups,
// from the highest down; chain o has what belongs o lanes up modulo m. It is moved up
// by m lanes between groups, and by o lanes at the end.
func (k *kernel) product(m int, r halfRange, pairs []pair) (sums []vec, spill vec) {
	cs := make([]chain, m)
	for o := range cs {
		cs[o] = k.newChain(r)
	}
	for base := lanes - m; base >= 0; base -= m {
		for t := range k.Vectors {
			k.productBlock(cs, r, t, base, pairs)
		}
		if base > 0 {
			for _, c := range cs {
				c.each(func(c *columns) { k.moveUp(m, c) })
			}
		}
		if base == m && r.spills {
			k.joinSpills(cs)
		}
	}
	all := k.total(cs[0])
	for o := 1; o < m; o++ {
		c := k.total(cs[o])
		k.moveUp(o, c)
		for i, v := range c.sums {
			k.Sum(&all.sums[i], v)
		}
		k.Sum(&all.spill, c.spill)
	}
	return all.sums, all.spill
}

// productBlock adds the digits of block t that are in the group from base on. Of the
// highest digit of a group the high halves belong to the group above, and those of
// digit 7 to the vector above in the last group.
func (k *kernel) productBlock(cs []chain, r halfRange, t, base int, pairs []pair) {
	loaded := map[int]vec{}
	factor := func(c int) vec {
		if c < 0 || lanes*t+c >= k.Digits {
			return nil
		}
		if loaded[c] == nil {
			loaded[c] = k.Broadcast(digit(k.X, lanes*t+c))
		}
		return loaded[c]
	}
	for _, p := range pairs {
		d := p.t + p.v
		inside, above := k.includes(r, d), base == 0 && k.includes(r, d+1)
		if p.t != t || !inside && !above {
			continue
		}
		y := k.Read(p.y)
		if inside {
			for o := range cs {
				if f := factor(base + o); f != nil {
					k.Madd(low, cs[o].low.at(d), y, f)
				}
			}
			for o := range cs {
				if f := factor(base + o - 1); f != nil {
					k.Madd(high, cs[o].high.at(d), y, f)
				}
			}
		}
		if above {
			if f := factor(lanes - 1); f != nil {
				k.Madd(high, cs[0].high.at(d+1), y, f)
			}
		}
	}
}

// joinSpills makes one vector of what the chains have spilled, when no more than the
// last move is to come.
func (k *kernel) joinSpills(cs []chain) {
	for o, c := range cs {
		s := c.low.spill
		if c.high != c.low {
			k.Sum(&s, k.weighted(c.high.spill))
		}
		c.each(func(c *columns) { c.spill = nil })
		if o > 0 {
			s = k.up(o, s, nil)
		}
		k.Sum(&cs[0].low.spill, s)
	}
}

// loopedProduct is product with one chain, in a loop over the digits of a block. If beside
// is not nil, it is done in each of the eight turns as well, and told which is the last.
func (k *kernel) loopedProduct(r halfRange, pairs []pair, beside func(last bool)) (sums []vec, spill vec) {
	if beside == nil {
		beside = func(bool) {}
	}
	c := k.newChain(r)
	c.each(func(c *columns) {
		for i := range c.sums {
			c.sums[i] = k.Zeros()
		}
		if c.spills {
			c.spill = k.Zeros()
		}
	})
	p := k.Pointer(digit(k.X, lanes-1))
	k.Loop(lanes-1, func() {
		beside(false)
		k.productTurn(c, r, p, false, pairs)
		k.SUBQ(imm(wordBytes), p)
	})
	beside(true)
	k.productTurn(c, r, k.X, true, pairs)
	all := k.total(c)
	return all.sums, all.spill
}

// productTurn moves the chain up by a lane, and adds the digit at p of every block,
// and the high halves of the digit below it. lowest says that this is digit 0: then
// the digit below is in the block below.
func (k *kernel) productTurn(c chain, r halfRange, p reg.Register, lowest bool, pairs []pair) {
	c.each(func(c *columns) {
		one := func(a, below vec) { k.VALIGNQ(imm(lanes-1), below, a, a) }
		if c.spills {
			one(c.spill, c.sums[len(c.sums)-1])
		}
		for i := len(c.sums) - 1; i > 0; i-- {
			one(c.sums[i], c.sums[i-1])
		}
		one(c.sums[0], k.Zeros())
	})
	// Where a turn adds so much to one sum that its madds wait for each other longer
	// than all take, high halves have a second sum, which costs an addition.
	count, total := make([]int, k.Vectors), 0
	for _, q := range pairs {
		if d := q.t + q.v; k.includes(r, d) {
			count[d-r.first] += 2
			total += 2
		}
	}
	seconds := make([]vec, k.Vectors)
	highs := func(d int) *vec {
		if k.exact() && count[d-r.first]*ifma.MaddLatency > total/ifma.MaddPorts {
			return &seconds[d-r.first]
		}
		return c.high.at(d)
	}
	blocks := k.alternating()
	if lowest {
		blocks = append(blocks, k.Vectors) // for the highest digit's high halves
	}
	for _, t := range blocks {
		var l, h vec
		for _, q := range pairs {
			d, takesLow, takesHigh := q.t+q.v, q.t == t, q.t == t
			if lowest {
				takesHigh = q.t == t-1
			}
			if lowest && takesHigh {
				d++
			}
			if !takesLow && !takesHigh || !k.includes(r, d) {
				continue
			}
			y := k.Read(q.y)
			if takesLow {
				if l == nil {
					l = k.Broadcast(at(p, t))
				}
				k.Madd(low, c.low.at(d), y, l)
			}
			if takesHigh {
				if h == nil {
					h = k.Broadcast(operand.Mem{Base: p, Disp: vectorBytes*t - wordBytes})
				}
				k.Madd(high, highs(d), y, h)
			}
		}
	}
	for i, s := range seconds {
		if s != nil {
			k.VPADDQ(s, c.low.sums[i], c.low.sums[i])
		}
	}
}

// alternating are the blocks of a number in an order in which long rows of a triangle
// and short ones take turns, so that no sum is added to twice within few
// instructions.
func (k *kernel) alternating() []int {
	var order []int
	for i := range (k.Vectors + 1) / 2 {
		order = append(order, i)
		if j := k.Vectors - 1 - i; j != i {
			order = append(order, j)
		}
	}
	return order
}
