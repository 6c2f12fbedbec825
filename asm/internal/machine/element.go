package machine

import "residue/asm/internal/x86"

// Elements of n bytes, n = 1, 2, 4 or 8: element 0 is the lowest.

// at returns element i.
func (v *Vector) at(n, i int) uint64 { return v[n*i/8] >> (8 * (n * i % 8)) & ones(n) }

// signed returns element i as a number with a sign.
func (v *Vector) signed(n, i int) int64 { return extend(v.at(n, i), n) }

// set sets element i to the low bits of e.
func (v *Vector) set(n, i int, e uint64) {
	word, shift := &v[n*i/8], 8*(n*i%8)
	*word = *word&^(ones(n)<<shift) | e&ones(n)<<shift
}

// ones has the bits of an element set.
func ones(n int) uint64 { return ^uint64(0) >> (64 - 8*n) }

// extend extends the sign of an element.
func extend(e uint64, n int) int64 { return int64(e<<(64-8*n)) >> (64 - 8*n) }

// repeat fills a word with an element.
func repeat(e uint64, n int) uint64 {
	for ; n < 8; n *= 2 {
		e |= e << (8 * n)
	}
	return e
}

const low32 = 1<<32 - 1

// elements is an operation of two vectors, by elements of n bytes, of which the low
// bits of the result count.
func elements(n int, f func(x, y uint64) uint64) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) {
		x, y := m.vector(in, 1), m.vector(in, 2)
		var r Vector
		for i := range in.Size / n {
			r.set(n, i, f(x.at(n, i), y.at(n, i)))
		}
		m.setVector(in, &r)
	}
}

// signedElements is the same of elements with a sign.
func signedElements(n int, f func(x, y int64) int64) func(*Machine, *x86.Inst) {
	return elements(n, func(x, y uint64) uint64 { return uint64(f(extend(x, n), extend(y, n))) })
}

// signedElement is an operation of one vector.
func signedElement(n int, f func(x int64) int64) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) {
		x := m.vector(in, 1)
		var r Vector
		for i := range in.Size / n {
			r.set(n, i, uint64(f(x.signed(n, i))))
		}
		m.setVector(in, &r)
	}
}

// shiftElements is an operation of a vector and a number, which may be larger than
// elements are long.
func shiftElements(n int, f func(x, by uint64) uint64) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) {
		x, by := m.vector(in, 1), uint64(immediate(in))
		var r Vector
		for i := range in.Size / n {
			r.set(n, i, f(x.at(n, i), by))
		}
		m.setVector(in, &r)
	}
}

// immediate is the last operand, a byte.
func immediate(in *x86.Inst) int { return int(uint8(in.Args[in.NArgs-1].Imm)) }

// shld shifts left and brings in the high bits of the second operand.
func shld(m *Machine, in *x86.Inst) {
	width := 8 * in.Elem
	by := immediate(in) % width
	elements(in.Elem, func(x, y uint64) uint64 { return x<<by | y>>(width-by) })(m, in)
}

// shrd shifts right and brings in the low bits of the second operand.
func shrd(m *Machine, in *x86.Inst) {
	width := 8 * in.Elem
	by := immediate(in) % width
	elements(in.Elem, func(x, y uint64) uint64 { return x>>by | y<<(width-by) })(m, in)
}

func abs(x int64) int64 { return max(x, -x) }

// sign is x with its sign changed by that of y, or zero if y is.
func sign(x, y int64) int64 {
	switch {
	case y < 0:
		return -x
	case y == 0:
		return 0
	}
	return x
}

// dot is the sum of the products of the two signed 16-bit halves.
func dot(x, y uint64) uint64 {
	return uint64(extend(x, 2)*extend(y, 2) + extend(x>>16, 2)*extend(y>>16, 2))
}

func dotAdd(m *Machine, in *x86.Inst) {
	acc, x, y := &m.v[in.Args[0].Reg.Num()], m.vector(in, 1), m.vector(in, 2)
	var r Vector
	for i := range in.Size / 4 {
		r.set(4, i, acc.at(4, i)+dot(x.at(4, i), y.at(4, i)))
	}
	m.setVector(in, &r)
}

// pack makes elements of 16 bits of the signed ones of 32, of the nearest value from
// least to most: within every 16 bytes, those of the first operand, then those of the
// second.
func pack(least, most int64) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) {
		x, y := m.vector(in, 1), m.vector(in, 2)
		var r Vector
		for i := range in.Size / 2 {
			from, v := i&^7/2|i&3, x
			if i&4 != 0 {
				v = y
			}
			r.set(2, i, uint64(min(max(v.signed(4, from), least), most)))
		}
		m.setVector(in, &r)
	}
}

// truncate makes elements of 16 bits of those of 32.
func truncate(m *Machine, in *x86.Inst) {
	x := m.vector(in, 1)
	var r Vector
	for i := range in.Size / 4 {
		r.set(2, i, x.at(4, i))
	}
	m.setLanes(in, &r, in.Size/16)
}

// moveScalar moves n bytes between a vector, memory and a general register. What is
// above them in a register becomes zero.
func moveScalar(n int) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) {
		var w uint64
		switch from := &in.Args[1]; {
		case from.Kind == x86.Memory:
			w = m.loadWord(m.address(&from.Mem), n)
		case from.Reg.IsVector():
			w = m.v[from.Reg.Num()].at(n, 0)
		default:
			w = m.gp[from.Reg] & ones(n)
		}
		switch to := &in.Args[0]; {
		case to.Kind == x86.Memory:
			m.storeWord(m.address(&to.Mem), n, w)
		case to.Reg.IsVector():
			m.setVector(in, &Vector{w})
		default:
			m.gp[to.Reg] = w
		}
	}
}
