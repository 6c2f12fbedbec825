package machine

import "residue/asm/internal/x86"

// places is an operation that puts elements of n bytes of two vectors, or one, into
// other places: element i of the result is the one that f names. Behind the elements of
// the first vector are numbered those of the second, and a negative number stands for
// zero.
func places(n int, f func(in *x86.Inst, i int) int) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) {
		r := m.placed(n, in, f)
		m.setVector(in, &r)
	}
}

func (m *Machine) placed(n int, in *x86.Inst, f func(in *x86.Inst, i int) int) (r Vector) {
	x, y := m.vector(in, 1), &Vector{}
	if in.NArgs > 2 && in.Args[2].Kind != x86.Immediate {
		y = m.vector(in, 2)
	}
	count := in.Size / n
	for i := range count {
		switch from := f(in, i); {
		case from >= count:
			r.set(n, i, y.at(n, from-count))
		case from >= 0:
			r.set(n, i, x.at(n, from))
		}
	}
	return r
}

// second is an element of the second vector. Which elements of the first there are
// instead is up to the mask.
func second(in *x86.Inst, i int) int { return in.Size/in.Elem + i }

// interleave takes elements of both vectors in turn, from byte at on of every 16 bytes.
func interleave(at int) func(in *x86.Inst, i int) int {
	return func(in *x86.Inst, i int) int {
		per := 16 / in.Elem // elements of 16 bytes
		from := i/per*per + at/in.Elem + i%per/2
		if i%2 != 0 {
			return in.Size/in.Elem + from
		}
		return from
	}
}

// withinFour takes every four elements in the order of the immediate's pairs of bits.
func withinFour(in *x86.Inst, i int) int { return i&^3 | immediate(in)>>(2*(i&3))&3 }

// lowFour and highFour do so for half of the elements.
func lowFour(in *x86.Inst, i int) int {
	if i&4 == 0 {
		return withinFour(in, i)
	}
	return i
}

func highFour(in *x86.Inst, i int) int {
	if i&4 != 0 {
		return withinFour(in, i)
	}
	return i
}

// twoAndTwo takes two of every four from the first vector and two from the second.
func twoAndTwo(in *x86.Inst, i int) int {
	if i&2 != 0 {
		return in.Size/4 + withinFour(in, i)
	}
	return withinFour(in, i)
}

// blend takes an element from the second vector where the immediate has a bit, one of
// eight for all.
func blend(in *x86.Inst, i int) int {
	if immediate(in)>>(i%8)&1 != 0 {
		return second(in, i)
	}
	return i
}

// alignBytes takes 16 bytes of both vectors for one number, those of the first above,
// and shifts it right by bytes.
func alignBytes(in *x86.Inst, i int) int {
	switch from := i%16 + immediate(in); {
	case from >= 32:
		return -1
	case from >= 16:
		return i&^15 + from - 16
	default:
		return in.Size + i&^15 + from
	}
}

// quarters takes 16 bytes at a time: the first half of the result from the first vector
// and the second from the second, where the immediate's bits say.
func quarters(in *x86.Inst, i int) int {
	parts := in.Size / 16
	part := i / 2
	bits := parts / 2 // 2 for four parts, 1 for two
	from := immediate(in) >> (bits * part) % parts
	if part >= parts/2 {
		from += parts
	}
	return 2*from + i%2
}

// halves takes 16 bytes at a time, for each of the two a number of four bits: which of
// the four that there are, or zero.
func halves(in *x86.Inst, i int) int {
	choice := immediate(in) >> (i / 2 * 4)
	if choice&8 != 0 {
		return -1
	}
	return 2*(choice&3) + i%2
}

// insert puts the second vector, which is shorter, over a part of the first.
func insert(in *x86.Inst, i int) int {
	part := in.VectorBytes(2) / 8
	at := immediate(in) % (in.Size / 8 / part) * part
	if i >= at && i < at+part {
		return in.Size/8 + i - at
	}
	return i
}

// extract takes a part of a vector.
func extract(m *Machine, in *x86.Inst) {
	part := in.VectorBytes(0) / 8
	at := immediate(in) % (in.Size / 8 / part) * part
	r := m.placed(8, in, func(_ *x86.Inst, i int) int {
		if i >= part {
			return -1
		}
		return at + i
	})
	m.putVector(in, &r)
}

// align takes two vectors for one, the second operand above the third, and shifts it
// right by whole elements.
func align(m *Machine, in *x86.Inst) {
	count := in.Size / in.Elem
	by := immediate(in) % count
	places(in.Elem, func(_ *x86.Inst, i int) int { return (i + by + count) % (2 * count) })(m, in)
}

// permute takes elements of the last operand in the order of the second's.
func permute(m *Machine, in *x86.Inst) {
	index, x := m.vector(in, 1), m.vector(in, 2)
	var r Vector
	count := in.Size / in.Elem
	for i := range count {
		r.set(in.Elem, i, x.at(in.Elem, int(index.at(in.Elem, i)%uint64(count))))
	}
	m.setVector(in, &r)
}

// permuteWide does so, or, with an immediate, takes every four elements in the order of
// its pairs of bits.
func permuteWide(m *Machine, in *x86.Inst) {
	if in.Args[2].Kind == x86.Immediate {
		places(8, withinFour)(m, in)
	} else {
		permute(m, in)
	}
}

// permute2 takes elements of two vectors, the first below the second, in the order
// of a third. VPERMI2 overwrites the order, and VPERMT2 the first vector.
func permute2(m *Machine, in *x86.Inst) {
	index, first, second := &m.v[in.Args[0].Reg.Num()], m.vector(in, 1), m.vector(in, 2)
	switch in.Op {
	case x86.VPERMT2W, x86.VPERMT2D, x86.VPERMT2Q:
		index, first = first, index
	}
	var r Vector
	count := uint64(in.Size / in.Elem)
	for i := range int(count) {
		from := index.at(in.Elem, i) % (2 * count)
		if from < count {
			r.set(in.Elem, i, first.at(in.Elem, int(from)))
		} else {
			r.set(in.Elem, i, second.at(in.Elem, int(from-count)))
		}
	}
	m.setVector(in, &r)
}

// shuffleBytes takes bytes of the second operand in the order of the third's low bits
// within every 16 bytes, or zero where the top bit is set.
func shuffleBytes(m *Machine, in *x86.Inst) {
	x, index := m.vector(in, 1), m.vector(in, 2)
	var r Vector
	for i := range in.Size {
		if at := index.at(1, i); at&0x80 == 0 {
			r.set(1, i, x.at(1, i&^15|int(at&15)))
		}
	}
	m.setVector(in, &r)
}
