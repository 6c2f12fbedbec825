package negacyclic

import (
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/lanes"
)

// Two layers forward, of four vectors in memory. With the constants z of a block, and u and v of
// the two that it is split into,
//
//	x₀ + z·x₂ ± (u·x₁ + u·z·x₃)    and    x₀ − z·x₂ ± (v·x₁ − v·z·x₃)
//
// where what is in parentheses is reduced once. c has z, u, u·z, v and −v·z. For words below
// 6q and q < 2^23, products by z are at most q/2 + 6q·q/2^33 < 0.51q and sums of two at most
// q/2 + 6q·q/2^32 < 0.52q: words grow by less than 1.03q, up or down. For any words they are at
// most 3q/4 and q.
func (n *ntt32AVX2) forward(x []operand.Mem, x0 operand.Op, c []constant32) []lanes.Vec {
	x1, x2, x3 := n.read(x[1]), n.read(x[2]), n.read(x[3])
	first := n.reduced(n.times(x2, c[0]))
	second := n.reduced(n.plus(n.times(x1, c[1]), n.times(x3, c[2])))
	third := n.reduced(n.plus(n.times(x1, c[3]), n.times(x3, c[4])))
	base := n.exchanged(x0)
	sum, difference := n.add(base, first), n.sub(base, first)
	return []lanes.Vec{n.add(sum, second), n.sub(sum, second), n.add(difference, third), n.sub(difference, third)}
}

// back is two layers back. With the inverses z, u and v of the constants forward,
//
//	x₀ + x₁ + x₂ + x₃           u·(x₀ − x₁) + v·(x₂ − x₃)
//	z·(x₀ + x₁ − (x₂ + x₃))     u·z·(x₀ − x₁) − v·z·(x₂ − x₃)
//
// c has z, u, v, u·z and −v·z. The first is four times as large as what it comes from, at most
// 256q after all layers, which is below 2^31 for q < 2^23, and the others are at most q/2 and
// 256q·q/2^32 < q/2. The first is so as well if c has one more constant, which multiplies it.
func (n *ntt32AVX2) back(x []lanes.Vec, c []constant32) []lanes.Vec {
	s, t := n.add(x[0], x[1]), n.add(x[2], x[3])
	all, across := n.add(s, t), n.apart(n.sub(s, t))
	first, second := n.apart(n.sub(x[0], x[1])), n.apart(n.sub(x[2], x[3]))
	z := make([]lanes.Vec, 4)
	if len(c) > 5 {
		z[0] = n.reduced(n.times(n.apart(all), c[5]))
	} else {
		z[0] = n.exchanged(all)
	}
	z[1] = n.reduced(n.plus(n.times(first, c[1]), n.times(second, c[2])))
	z[2] = n.reduced(n.times(across, c[0]))
	z[3] = n.reduced(n.plus(n.times(first, c[3]), n.times(second, c[4])))
	return z
}

func (n *ntt32AVX2) add(v, w lanes.Vec) lanes.Vec { return n.Of(n.VPADDD, w, v) }
func (n *ntt32AVX2) sub(v, w lanes.Vec) lanes.Vec { return n.Of(n.VPSUBD, w, v) }

// far are four vectors of 32 that differ in bits 7 and 6 of the index, and near those of eight
// that differ in bits 5 and 4. inner are those of which the second of three bits is given: the
// bit that leads in the number of the four is the third of them.
func (n *ntt32AVX2) far(base reg.Register, i int) []operand.Mem {
	return n.vectors(base, i, i+8, i+16, i+24)
}

func (n *ntt32AVX2) near(base reg.Register, bit3 int) []operand.Mem {
	return n.vectors(base, bit3, bit3+2, bit3+4, bit3+6)
}

func (n *ntt32AVX2) inner(base reg.Register, bit4 int) []operand.Mem {
	return n.vectors(base, 2*bit4, 2*bit4+4, 2*bit4+1, 2*bit4+5)
}

func (n *ntt32AVX2) vectors(base reg.Register, at ...int) (ms []operand.Mem) {
	for _, i := range at {
		ms = append(ms, n.At(base, i))
	}
	return ms
}

func (n *ntt32AVX2) readAll(ms []operand.Mem) (v []lanes.Vec) {
	for _, m := range ms {
		v = append(v, n.Read(m))
	}
	return v
}

func (n *ntt32AVX2) writeAll(v []lanes.Vec, ms []operand.Mem) {
	for i, w := range v {
		n.Write(w, ms[i])
	}
}

// pairs replaces the two vectors of pairs whose numbers differ in a bit by what two instructions
// make of them.
func (n *ntt32AVX2) pairs(v []lanes.Vec, bit int, first, second func(x, y lanes.Vec) lanes.Vec) {
	for i := range v {
		if j := i | 1<<bit; j != i {
			v[i], v[j] = first(v[i], v[j]), second(v[i], v[j])
		}
	}
}

// halves changes the places of a bit of vectors and the first of lanes.
func (n *ntt32AVX2) halves(v []lanes.Vec, bit int) {
	half := func(imm int) func(x, y lanes.Vec) lanes.Vec {
		return func(x, y lanes.Vec) lanes.Vec {
			z := n.Vec()
			n.VPERM2I128(lanes.Imm(imm), y, x, z)
			return z
		}
	}
	n.pairs(v, bit, half(0x20), half(0x31))
}

// unpack brings a bit of vectors to the lowest of lanes, that to the second of lanes, and that to
// the vectors.
func (n *ntt32AVX2) unpack(v []lanes.Vec, bit int) {
	n.pairs(v, bit,
		func(x, y lanes.Vec) lanes.Vec { return n.Of(n.VPUNPCKLDQ, y, x) },
		func(x, y lanes.Vec) lanes.Vec { return n.Of(n.VPUNPCKHDQ, y, x) })
}

// upper does layers 7 to 2, and leaves words below 4.4q in absolute value: 5q/4, 7q/4 for layers
// 7 and 6, 1.03q for 5 and 4.
func (n *ntt32AVX2) upper(label, z, x string) {
	to, from := n.Pointer(z), n.Pointer(x)
	n.turns(label+"First", func() {
		for i := range 2 {
			x := n.far(from, i)
			n.writeAll(n.forward(x, n.small(n.Read(x[0])), n.constants(n.table, avx2High32, 5, true)), n.far(to, i))
		}
	}, 2*lanes.AVX2, to, from)
	n.groups(label+"Second", func(p []reg.GPVirtual) {
		for bit3 := range 2 {
			x := n.near(p[0], bit3)
			v := n.forward(x, x[0], n.constants(n.group, avx2Second32, 5, true))
			n.halves(v, 1)
			n.writeAll(v, x)
		}
	}, z)
	n.groups(label+"Third", func(p []reg.GPVirtual) {
		for bit4 := range 2 {
			x := n.inner(p[0], bit4)
			v := n.forward(x, x[0], n.constants(n.group, avx2Third32+5*bit4, 5, true))
			n.unpack(v, 0)
			n.unpack(v, 1)
			n.writeAll(v, x)
		}
	}, z)
}

// transform does all layers. Words that are not multiplied are made small before the last two,
// below q in absolute value, and so all are below 2.03q there; but closer, small leaves at most
// 3q/4 and q/2^7 of words below 6q, which makes it 1.8q.
func (n *ntt32AVX2) transform() {
	n.begin("Forward32", "func(z, x, table *int32)", "sets z to the transform of x, of 256 words of any value, in the order of FIPS 204, in [0, q). z may be x.")
	n.upper("upper", "z", "x")
	n.groups("lower", func(p []reg.GPVirtual) {
		for bit4 := range 2 {
			x := n.inner(p[0], bit4)
			v := n.forward(x, n.small(n.Read(x[0])), n.constants(n.group, avx2Fourth32+5*bit4, 5, false))
			for i, w := range v {
				v[i] = n.residue(w)
			}
			n.unpack(v, 1)
			n.unpack(v, 0)
			n.halves(v, 0)
			n.writeAll(v, x)
		}
	}, "z")
	n.End()
}

// lowerBack does layers 0 and 1 back of four vectors.
func (n *ntt32AVX2) lowerBack(x []lanes.Vec, bit4 int, z []operand.Mem) {
	v := n.back(x, n.constants(n.group, avx2First32+5*bit4, 5, false))
	n.unpack(v, 0)
	n.unpack(v, 1)
	v[1], v[2] = v[2], v[1]
	n.writeAll(v, z)
}

// upperBack does layers 2 to 7 back, with the constants of the last two from one of the table on.
func (n *ntt32AVX2) upperBack(z string, last int) {
	n.groups("thirdBack", func(p []reg.GPVirtual) {
		for bit4 := range 2 {
			x := n.inner(p[0], bit4)
			v := n.back(n.readAll(x), n.constants(n.group, avx2Back32+5*bit4, 5, true))
			n.halves(v, 0)
			n.writeAll(v, x)
		}
	}, z)
	n.groups("secondBack", func(p []reg.GPVirtual) {
		for bit3 := range 2 {
			x := n.near(p[0], bit3)
			n.writeAll(n.back(n.readAll(x), n.constants(n.group, avx2Outer32, 5, true)), x)
		}
	}, z)
	p := n.Pointer(z)
	n.turns("firstBack", func() {
		for i := range 2 {
			x := n.far(p, i)
			v := n.back(n.readAll(x), n.constants(n.table, last, 6, true))
			for i, w := range v {
				v[i] = n.positive(w)
			}
			n.writeAll(v, x)
		}
	}, 2*lanes.AVX2, p)
}

// inverseTransform does all layers back.
func (n *ntt32AVX2) inverseTransform() {
	n.begin("Inverse32", "func(z, x, table *int32)", "sets z to the polynomial of the transform x in the order of FIPS 204, both of 256 words in [0, q). z may be x.")
	n.groups("fourthBack", func(p []reg.GPVirtual) {
		for bit4 := range 2 {
			v := n.readAll(n.inner(p[1], bit4))
			n.halves(v, 0)
			n.unpack(v, 0)
			n.unpack(v, 1)
			v[1], v[2] = v[2], v[1]
			n.lowerBack(v, bit4, n.inner(p[0], bit4))
		}
	}, "z", "x")
	n.upperBack("z", avx2Scale32)
	n.End()
}
