package negacyclic

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/lanes"
)

// Products of residues by fractions, on the 52-bit multiplier of AVX-512 IFMA, eight at a time
// in words of 64 bits. A constant w in [0, q) is given by its fraction
//
//	ŵ = round(w·2^52/q)
//
// and b·ŵ + ⌊2^51/q⌋ modulo 2^52 is 2^52·(b·w mod q)/q up to an error between 0 and 2^52/q, if
// |b|/2 is at most ⌊2^51/q⌋ − 1. So the high half of its product with q is b·w mod q, in [0, q):
// no multiple of q is left. b may be negative, as the low half of a product depends on b
// modulo 2^52 only. Products add up before the second multiplication, and it adds to what is in
// its destination. residue/negacyclic has the bounds, and the same for one word at a time.
type fractions struct {
	*lanes.Program
	table reg.Register
	q     lanes.Vec
}

// scalar is word i of the table, and vector is its vector i, behind a pointer.
func (f *fractions) scalar(i int) operand.Mem { return operand.Mem{Base: f.table, Disp: 8 * i} }

// spread returns word i of the table in all lanes.
func (f *fractions) spread(i int) lanes.Vec { return f.Of(f.VPBROADCASTQ, f.scalar(i)) }

// half returns what fractions begin with: half of the error that they may have.
func (f *fractions) half() lanes.Vec { return f.spread(half32) }

func (f *fractions) zero() lanes.Vec {
	z := f.Vec()
	f.VPXORQ(z, z, z)
	return z
}

// constant is where a fraction is: one for all lanes, or a vector.
type constant struct {
	operand.Mem
	all bool
}

// vectors32 returns n constants that lie one after the other.
func vectors32(base reg.Register, at, n int) (cs []constant) {
	for i := range n {
		cs = append(cs, constant{operand.Mem{Base: base, Disp: lanes.AVX512 * (at + i)}, false})
	}
	return cs
}

// scalars returns n constants for all lanes.
func (f *fractions) scalars(at, n int) (cs []constant) {
	for i := range n {
		cs = append(cs, constant{f.scalar(at + i), true})
	}
	return cs
}

// low adds the low half of b·c to a, which it returns.
func (f *fractions) low(a, b lanes.Vec, c constant) lanes.Vec {
	if c.all {
		f.VPMADD52LUQ_BCST(c.Mem, b, a)
	} else {
		f.VPMADD52LUQ(c.Mem, b, a)
	}
	return a
}

// tail adds the high half of b·c to a, which it returns: c is what the fraction of a constant
// has below its lowest bit. b must not be negative.
func (f *fractions) tail(a, b lanes.Vec, c constant) lanes.Vec {
	if c.all {
		f.VPMADD52HUQ_BCST(c.Mem, b, a)
	} else {
		f.VPMADD52HUQ(c.Mem, b, a)
	}
	return a
}

// residue adds the residue of a fraction to a, which it returns.
func (f *fractions) residue(a, fraction lanes.Vec) lanes.Vec {
	f.VPMADD52HUQ(f.q, fraction, a)
	return a
}

func (f *fractions) copy(v lanes.Vec) lanes.Vec { return f.Of(f.VMOVDQA64, v) }

func (f *fractions) add(v, w lanes.Vec) lanes.Vec { return f.Of(f.VPADDQ, w, v) }
func (f *fractions) sub(v, w lanes.Vec) lanes.Vec { return f.Of(f.VPSUBQ, w, v) }

// Two layers together, of four words each. With the constants z of a block, and u and v of the
// two that it is split into, forward
//
//	x₀ + z·x₂ ± (u·x₁ + u·z·x₃)    and    x₀ − z·x₂ ± (v·x₁ − v·z·x₃)
//
// where what is in parentheses is reduced once. c has z, u, u·z, v and −v·z. x₀ grows by less
// than 2q, up or down.
func (f *fractions) forward(x []lanes.Vec, c []constant) {
	first := f.low(f.half(), x[2], c[0])
	second := f.low(f.low(f.half(), x[1], c[1]), x[3], c[2])
	third := f.low(f.low(f.half(), x[1], c[3]), x[3], c[4])
	twice := f.add(x[0], x[0])
	sum := f.residue(x[0], first)
	difference := f.sub(twice, sum)
	x[0], x[1] = f.apart(sum, second)
	x[2], x[3] = f.apart(difference, third)
}

// apart returns a plus and minus the residue of a fraction.
func (f *fractions) apart(a, fraction lanes.Vec) (plus, minus lanes.Vec) {
	twice := f.add(a, a)
	plus = f.residue(a, fraction)
	return plus, f.sub(twice, plus)
}

// forwardFully is forward with residues in [0, q): fractions are added, those of x₀ as well, and
// every sum is reduced. c has z, −z, u, u·z, v and −v·z. What begins returns is added: to the
// fraction of x₀, and to a residue.
func (f *fractions) forwardFully(x []lanes.Vec, c []constant, fraction, residue func() lanes.Vec) {
	base := f.low(fraction(), x[0], f.scalars(one32, 1)[0])
	minus := f.low(f.copy(base), x[2], c[1])
	plus := f.low(base, x[2], c[0])
	second := f.low(f.low(f.zero(), x[1], c[2]), x[3], c[3])
	third := f.low(f.low(f.zero(), x[1], c[4]), x[3], c[5])
	x[0] = f.residue(residue(), f.add(plus, second))
	x[1] = f.residue(residue(), f.sub(plus, second))
	x[2] = f.residue(residue(), f.add(minus, third))
	x[3] = f.residue(residue(), f.sub(minus, third))
}

// sums does the additions of two layers back: x₀ + x₁ + x₂ + x₃, x₀ − x₁, x₂ − x₃ and
// x₀ + x₁ − (x₂ + x₃).
func (f *fractions) sums(x []lanes.Vec) (all, first, second, across lanes.Vec) {
	s, t := f.add(x[0], x[1]), f.add(x[2], x[3])
	return f.add(s, t), f.sub(x[0], x[1]), f.sub(x[2], x[3]), f.sub(s, t)
}

// back is two layers back. With the inverses z, u and v of the constants forward,
//
//	x₀ + x₁ + x₂ + x₃           u·(x₀ − x₁) + v·(x₂ − x₃)
//	z·(x₀ + x₁ − (x₂ + x₃))     u·z·(x₀ − x₁) − v·z·(x₂ − x₃)
//
// c has z, u, v, u·z and −v·z. All but the first, which is four times as large as what it comes
// from, are in [0, q). The first is so as well if c has one more constant, which multiplies it.
func (f *fractions) back(x []lanes.Vec, c []constant) {
	all, first, second, across := f.sums(x)
	x[0] = all
	if len(c) > 5 {
		x[0] = f.residue(f.zero(), f.low(f.half(), all, c[5]))
	}
	x[2] = f.residue(f.zero(), f.low(f.half(), across, c[0]))
	x[1] = f.residue(f.zero(), f.low(f.low(f.half(), first, c[1]), second, c[2]))
	x[3] = f.residue(f.zero(), f.low(f.low(f.half(), first, c[3]), second, c[4]))
}

// multiplyBack is the products of words in [0, q) with others, and back of them, all in [0, q).
// c has the fractions' tails as well, one behind each. Multiples of q² in the sums keep
// differences from being negative: they are below 8q².
func (f *fractions) multiplyBack(x []lanes.Vec, y []operand.Mem, c []constant) {
	for i, begin := range []func() lanes.Vec{
		func() lanes.Vec { return f.spread(thrice32) }, f.zero,
		func() lanes.Vec { return f.spread(square32) }, f.zero,
	} {
		x[i] = f.low(begin(), x[i], constant{y[i], false})
	}
	all, first, second, across := f.sums(x)
	ones := f.scalars(long32, 2)
	x[0] = f.residue(f.zero(), f.long(f.half(), all, ones))
	x[2] = f.residue(f.zero(), f.long(f.half(), across, c[:2]))
	x[1] = f.residue(f.zero(), f.long(f.long(f.half(), first, c[2:4]), second, c[4:6]))
	x[3] = f.residue(f.zero(), f.long(f.long(f.half(), first, c[6:8]), second, c[8:10]))
}

// long adds b·c to a fraction, for b below 2^52: c has a fraction that is rounded down, and its
// tail.
func (f *fractions) long(a, b lanes.Vec, c []constant) lanes.Vec {
	return f.low(f.tail(a, b, c[1]), b, c[0])
}
