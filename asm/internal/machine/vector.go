package machine

import (
	"encoding/binary"
	"math/bits"

	"residue/asm/internal/x86"
)

// vector returns a source operand: a register, or a vector in memory. What is shorter
// in memory, one element or a part of a vector, is repeated. It is valid until the next
// call.
func (m *Machine) vector(in *x86.Inst, i int) *Vector {
	a := &in.Args[i]
	if a.Kind == x86.Register {
		return &m.v[a.Reg.Num()]
	}
	addr := m.address(&a.Mem)
	v := &m.tmp
	n := a.Mem.Bytes
	if n < 8 {
		w := repeat(m.loadWord(addr, n), n)
		for l := range v {
			v[l] = w
		}
		return v
	}
	if b := m.load(addr, n); b != nil {
		for l := range v {
			v[l] = binary.LittleEndian.Uint64(b[8*l%n:])
		}
	}
	return v
}

// setVector sets the destination, of which elements that are masked off stay, come
// from the first source or become zero, and what is beyond the vector's length becomes
// zero.
func (m *Machine) setVector(in *x86.Inst, r *Vector) { m.setLanes(in, r, in.VectorBytes(0)/8) }

// setLanes does the same for a result of n lanes.
func (m *Machine) setLanes(in *x86.Inst, r *Vector, n int) {
	dst := &m.v[in.Args[0].Reg.Num()]
	if in.Mask == x86.K0 {
		*dst = *r
	} else {
		old := dst
		if in.Op.Blends() {
			old = &m.v[in.Args[1].Reg.Num()]
		}
		for l := range n {
			keep := m.keep(in, l)
			v := r[l] & keep
			if !in.Zero {
				v |= old[l] &^ keep
			}
			dst[l] = v
		}
	}
	for l := n; l < len(dst); l++ {
		dst[l] = 0
	}
	if in.Size > 16 {
		m.wide = true
	}
}

// keep has ones where the mask lets elements of a lane through.
func (m *Machine) keep(in *x86.Inst, lane int) uint64 {
	n := 8 / in.Elem
	mask := m.k[in.Mask.Num()] >> (n * lane)
	var keep uint64
	for i := range n {
		keep |= -(mask >> i & 1) & ones(in.Elem) << (8 * in.Elem * i)
	}
	return keep
}

// move is a load, a store, or a move from register to register. VMOVDQA wants
// addresses that are multiples of the vector's length.
func move(m *Machine, in *x86.Inst) {
	aligned := in.Op == x86.VMOVDQA || in.Op == x86.VMOVDQA32 || in.Op == x86.VMOVDQA64
	if mem := in.Mem(); mem != nil && aligned && m.address(mem)%uint64(in.Size) != 0 {
		m.fail("the address is not a multiple of %d", in.Size)
		return
	}
	r := *m.vector(in, 1)
	m.putVector(in, &r)
}

// putVector sets the destination, a register or memory.
func (m *Machine) putVector(in *x86.Inst, r *Vector) {
	if in.Args[0].Kind == x86.Register {
		m.setVector(in, r)
		return
	}
	mem := &in.Args[0].Mem
	addr := m.address(mem)
	b := m.store(addr, mem.Bytes)
	all := true
	for l := range len(b) / 8 {
		v := r[l]
		if in.Mask != x86.K0 {
			keep := m.keep(in, l)
			all = all && keep == ^uint64(0)
			v = v&keep | binary.LittleEndian.Uint64(b[8*l:])&^keep
		}
		binary.LittleEndian.PutUint64(b[8*l:], v)
	}
	if b != nil {
		m.stored(int(addr-m.Mem.base), len(b), all)
	}
}

// stored marks what a vector store has written: under a mask that does not let all
// elements through, only if all of it was defined before.
func (m *Machine) stored(offset, n int, all bool) {
	if all {
		m.Mem.written(offset, n, m.tainted)
	} else if m.Mem.allowed(offset, n, defined) {
		m.Mem.written(offset, n, m.tainted || m.Mem.anySecret(offset, n))
	}
}

// lanes is an operation of two vectors, lane by lane.
func lanes(f func(x, y uint64) uint64) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) {
		x, y := m.vector(in, 1), m.vector(in, 2)
		var r Vector
		for l := range in.Size / 8 {
			r[l] = f(x[l], y[l])
		}
		m.setVector(in, &r)
	}
}

// shifts is an operation of a vector and a number; one beyond 63 shifts all out.
func shifts(f func(x, n uint64) uint64) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) {
		x, n := m.vector(in, 1), uint64(in.Args[2].Imm)
		var r Vector
		for l := range in.Size / 8 {
			r[l] = f(x[l], n)
		}
		m.setVector(in, &r)
	}
}

// ternlog looks every bit up in the immediate, a table of eight: the bit of the
// destination counts 4, those of the sources 2 and 1.
func ternlog(m *Machine, in *x86.Inst) {
	x, y, z := m.v[in.Args[0].Reg.Num()], m.vector(in, 1), m.vector(in, 2)
	table := uint8(in.Args[3].Imm)
	pick := func(v uint64, bit int) uint64 {
		if bit != 0 {
			return v
		}
		return ^v
	}
	var r Vector
	for row := range 8 {
		if table>>row&1 == 0 {
			continue
		}
		for l := range in.Size / 8 {
			r[l] |= pick(x[l], row&4) & pick(y[l], row&2) & pick(z[l], row&1)
		}
	}
	m.setVector(in, &r)
}

// low52 are the bits that multiplications of 52-bit digits read.
const low52 = 1<<52 - 1

func madd52lo(m *Machine, in *x86.Inst) {
	acc, x, y := &m.v[in.Args[0].Reg.Num()], m.vector(in, 1), m.vector(in, 2)
	var r Vector
	for l := range in.Size / 8 {
		r[l] = acc[l] + (x[l]&low52)*(y[l]&low52)&low52
	}
	m.setVector(in, &r)
}

func madd52hi(m *Machine, in *x86.Inst) {
	acc, x, y := &m.v[in.Args[0].Reg.Num()], m.vector(in, 1), m.vector(in, 2)
	var r Vector
	for l := range in.Size / 8 {
		hi, lo := bits.Mul64(x[l]&low52, y[l]&low52)
		r[l] = acc[l] + (hi<<12 | lo>>52)
	}
	m.setVector(in, &r)
}

func broadcast(m *Machine, in *x86.Inst) {
	var w uint64
	if a := &in.Args[1]; a.Kind == x86.Register && a.Reg.IsGeneral() {
		w = m.gp[a.Reg]
	} else {
		w = m.vector(in, 1)[0]
	}
	w = repeat(w&ones(in.Elem), in.Elem)
	var r Vector
	for l := range r {
		r[l] = w
	}
	m.setVector(in, &r)
}

func vzeroupper(m *Machine, _ *x86.Inst) {
	for i := range 16 {
		clear(m.v[i][2:])
	}
	m.wide = false
}
