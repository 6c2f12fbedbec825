package kerneltest

// Halves is the products and reductions in halves of a Batch, as
// batch/kernel_ifma_halves.go has them, routine by routine. The first error stays, and
// nothing is called after it.
type Halves struct {
	*Batch
	// Clears has reductions of one block done by the routine for blocks, too.
	Clears bool

	work Ints
	err  error
}

// halvesVectors is the room that a Halves takes, in numbers.
const halvesVectors = 6

// NewHalves returns the arithmetic in halves of b.
func NewHalves(b *Batch) *Halves {
	return &Halves{Batch: b, work: b.Ints("halves", 5*b.Limbs)}
}

// MulMont sets z = x·y/R.
func (h *Halves) MulMont(z, x, y Ints) error {
	h.multiply(h.columns, x, y, h.allBias, h.work)
	h.reduceColumns(z, In(h.noLook))
	return h.err
}

// Mul sets z = x·y.
func (h *Halves) Mul(z, x, y Ints) error {
	h.multiply(z, x, y, h.noBias, h.work)
	h.run("CarryDigits", z.Limbs()/h.Width, map[string]Operand{"z": InOut(z.Pieces()...), "t": InOut(z.Pieces()...)})
	return h.err
}

// SqrMont sets z = x²/R.
func (h *Halves) SqrMont(z, x Ints) error { return h.sqrMont(z, x, 1, In(h.noLook)) }

// SqrMontTimes is that, times times, with z for x from the second time on, and a gather
// on the way.
func (h *Halves) SqrMontTimes(z, x Ints, times int, g *Gathering) error {
	return h.gathering(h.Width, times*h.blocks(h.Tiles), g, func(look Operand) error { return h.sqrMont(z, x, times, look) })
}

func (h *Halves) sqrMont(z, x Ints, times int, look Operand) error {
	for range times {
		if h.err == nil {
			h.err = h.squareColumns(x)
		}
		h.reduceColumns(z, look)
		x = z
	}
	return h.err
}

// blocks is the number of blocks of a reduction.
func (h *Halves) blocks(tiles int) int {
	if tiles%4 != 0 {
		return 1
	}
	return 2 * h.blocks(tiles/2)
}

func (h *Halves) reduceColumns(z Ints, look Operand) {
	s := h.Limbs
	if h.Tiles%4 != 0 && !h.Clears {
		if h.err == nil {
			h.err = h.Reduce("", z, look)
		}
		return
	}
	h.reduce(h.columns, h.quotient, h.modulus, h.work, look)
	h.run("CarryDigits", h.Tiles, map[string]Operand{"z": Out(z.Pieces()...), "t": In(h.columns.Slice(s, 2*s).Pieces()...)})
}

// run calls a routine for so many tiles.
func (h *Halves) run(name string, tiles int, operands map[string]Operand) {
	if h.err != nil {
		return
	}
	operands["tiles"] = Number(tiles)
	h.err = h.call(h.ofWidth(name), operands)
}

func halvesOf(x Ints) (low, high Ints) {
	half := x.Limbs() / 2
	return x.Slice(0, half), x.Slice(half, 2*half)
}

// difference sets the beginning of d to x − y, and its sign behind it.
func (h *Halves) difference(d, x, y Ints) (diff, rest Ints) {
	n := x.Limbs()
	diff, rest = d.Slice(0, n+1), d.Slice(n+1, d.Limbs())
	h.run("Difference", n/h.Width, map[string]Operand{"d": Out(diff.Pieces()...), "x": In(x.Pieces()...), "y": In(y.Pieces()...)})
	return diff, rest
}

func (h *Halves) fill(t, value Ints) {
	h.run("Fill", t.Limbs()/h.Width, map[string]Operand{"t": Out(t.Pieces()...), "value": In(value.Pieces()...)})
}

func (h *Halves) addMul(t, x, y Ints) {
	h.run("AddMul", x.Limbs()/h.Width, map[string]Operand{"t": InOut(t.Pieces()...), "x": In(x.Pieces()...), "y": In(y.Pieces()...)})
}

func (h *Halves) multiply(t, x, y, bias, work Ints) {
	s, tiles := x.Limbs(), x.Limbs()/h.Width
	if tiles%2 != 0 {
		h.fill(t.Slice(0, s), bias)
		h.fill(t.Slice(s, 2*s), h.noBias)
		h.addMul(t, x, y)
		return
	}
	half := s / 2
	x0, x1 := halvesOf(x)
	y0, y1 := halvesOf(y)
	a, work := h.difference(work, x0, x1)
	b, work := h.difference(work, y1, y0)
	if tiles == 2 {
		h.run("MulPair", 0, map[string]Operand{
			"t": OutAgain(t.Pieces()...), "x": In(x.Pieces()...), "y": In(y.Pieces()...),
			"a": In(a.Pieces()...), "b": In(b.Pieces()...), "bias": In(bias.Pieces()...),
		})
		return
	}
	h.multiply(t.Slice(0, s), x0, y0, bias, work)
	h.fill(t.Slice(s, 3*half), h.noBias)
	h.add(t.Slice(half, 3*half), x1, y1, work)
	sum := InOut(t.Slice(0, 3*half).Pieces()...).With(OutAgain(t.Slice(3*half, 2*s).Pieces()...))
	h.run("SpreadSum", tiles/2, map[string]Operand{"t": sum, "a": In(a.Pieces()...), "b": In(b.Pieces()...)})
	h.add(t.Slice(half, 3*half), a.Slice(0, half), b.Slice(0, half), work)
	h.settle(t)
}

func (h *Halves) add(t, x, y, work Ints) {
	s, tiles := x.Limbs(), x.Limbs()/h.Width
	if tiles%2 != 0 {
		h.addMul(t, x, y)
		return
	}
	half := s / 2
	x0, x1 := halvesOf(x)
	y0, y1 := halvesOf(y)
	a, work := h.difference(work, x0, x1)
	b, work := h.difference(work, y1, y0)
	sum, work := work.Slice(0, 3*half), work.Slice(3*half, work.Limbs())
	operands := map[string]Operand{"t": InOut(t.Pieces()...), "a": In(a.Pieces()...), "b": In(b.Pieces()...)}
	if tiles == 2 {
		operands["sum"], operands["x"], operands["y"] = Work(sum.Pieces()...), In(x.Pieces()...), In(y.Pieces()...)
		h.run("AddPair", 0, operands)
		return
	}
	h.fill(sum, h.noBias)
	h.add(sum.Slice(0, s), x0, y0, work)
	h.add(sum.Slice(half, 3*half), x1, y1, work)
	operands["sum"] = In(sum.Pieces()...)
	h.run("AddSum", tiles/2, operands)
	h.add(t.Slice(half, 3*half), a.Slice(0, half), b.Slice(0, half), work)
	h.settle(t)
}

// leastSettled is the least number of limbs of which the products of halves are
// carried.
const leastSettled = 192

func (h *Halves) settle(t Ints) {
	if h.Limbs >= leastSettled && t.Limbs() == h.Limbs && h.err == nil {
		h.err = h.carry(t)
	}
}

func (h *Halves) reduce(t, q, n, work Ints, look Operand) {
	s, tiles := n.Limbs(), n.Limbs()/h.Width
	low, high := halvesOf(t)
	if tiles%4 != 0 {
		h.run("Clear", tiles, map[string]Operand{
			"z": InOut(high.Pieces()...), "t": In(low.Pieces()...), "n": In(n.Pieces()...), "ninv": In(h.ninv.Pieces()...),
			"work": Work(q.Pieces()...), "look": look,
		})
		q.Define(!h.Public) // some quotient digits are for the next products
		return
	}
	half := s / 2
	n0, n1 := halvesOf(n)
	q0, q1 := halvesOf(q)
	middle := t.Slice(half, 3*half)
	h.reduce(low, q0, n0, work, look)
	h.add(middle, q0, n1, work)
	h.reduce(middle, q1, n0, work, look)
	h.add(high, q1, n1, work)
}
