package machine

import (
	"encoding/binary"
	"math/bits"

	"residue/asm/internal/x86"
)

// vector returns a source operand: a register, a vector in memory or one element
// of memory for all. It is valid until the next call.
func (m *Machine) vector(in *x86.Inst, i int) *Vector {
	a := &in.Args[i]
	if a.Kind == x86.Register {
		return &m.v[a.Reg.Num()]
	}
	addr := m.address(&a.Mem)
	v := &m.tmp
	if a.Mem.Broadcast || a.Mem.Bytes < in.Size {
		w := m.loadWord(addr, a.Mem.Bytes)
		if a.Mem.Bytes == 4 {
			w |= w << 32
		}
		for l := range v {
			v[l] = w
		}
		return v
	}
	b := m.load(addr, in.Size)
	for l := range len(b) / 8 {
		v[l] = binary.LittleEndian.Uint64(b[8*l:])
	}
	return v
}

// setVector sets the destination, of which elements that are masked off stay or
// become zero, and what is beyond the vector's length becomes zero.
func (m *Machine) setVector(in *x86.Inst, r *Vector) {
	dst := &m.v[in.Args[0].Reg.Num()]
	n := in.Size / 8
	if in.Mask == x86.K0 {
		*dst = *r
	} else {
		for l := range n {
			keep := m.keep(in, l)
			old := dst[l]
			if in.Zero {
				old = 0
			}
			dst[l] = r[l]&keep | old&^keep
		}
	}
	for l := n; l < len(dst); l++ {
		dst[l] = 0
	}
	if n > 2 {
		m.wide = true
	}
}

// keep has ones where the mask lets elements of a lane through.
func (m *Machine) keep(in *x86.Inst, lane int) uint64 {
	mask := m.k[in.Mask.Num()]
	if in.Elem == 8 {
		return -(mask >> lane & 1)
	}
	return -(mask>>(2*lane)&1)>>32 | -(mask>>(2*lane+1)&1)<<32
}

// move is a load, a store, or a move from register to register. VMOVDQA wants
// addresses that are multiples of the vector's length.
func move(m *Machine, in *x86.Inst) {
	aligned := in.Op == x86.VMOVDQA || in.Op == x86.VMOVDQA64
	if mem := in.Mem(); mem != nil && aligned && m.address(mem)%uint64(in.Size) != 0 {
		m.fail("the address is not a multiple of %d", in.Size)
		return
	}
	src := m.vector(in, 1)
	if in.Args[0].Kind == x86.Register {
		r := *src
		m.setVector(in, &r)
		return
	}
	addr := m.address(&in.Args[0].Mem)
	b := m.store(addr, in.Size)
	for l := range len(b) / 8 {
		v := src[l]
		if in.Mask != x86.K0 {
			keep := m.keep(in, l)
			v = v&keep | binary.LittleEndian.Uint64(b[8*l:])&^keep
		}
		binary.LittleEndian.PutUint64(b[8*l:], v)
	}
	if b != nil {
		m.stored(in, int(addr-m.Mem.base))
	}
}

// stored marks what a vector store has written: under a mask that does not let all
// elements through, only if all of it was defined before.
func (m *Machine) stored(in *x86.Inst, offset int) {
	all := true
	for l := range in.Size / 8 {
		all = all && (in.Mask == x86.K0 || m.keep(in, l) == ^uint64(0))
	}
	if all {
		m.Mem.written(offset, in.Size, m.tainted)
	} else if m.Mem.allowed(offset, in.Size, defined) {
		m.Mem.written(offset, in.Size, m.tainted || m.Mem.anySecret(offset, in.Size))
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

// shld shifts left and brings in the high bits of the second operand.
func shld(m *Machine, in *x86.Inst) {
	x, y, n := m.vector(in, 1), m.vector(in, 2), uint64(in.Args[3].Imm)&63
	var r Vector
	for l := range in.Size / 8 {
		r[l] = x[l]<<n | y[l]>>(64-n)
	}
	m.setVector(in, &r)
}

// shrd shifts right and brings in the low bits of the second operand.
func shrd(m *Machine, in *x86.Inst) {
	x, y, n := m.vector(in, 1), m.vector(in, 2), uint64(in.Args[3].Imm)&63
	var r Vector
	for l := range in.Size / 8 {
		r[l] = x[l]>>n | y[l]<<(64-n)
	}
	m.setVector(in, &r)
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
	var r Vector
	for l := range r {
		r[l] = w
	}
	m.setVector(in, &r)
}

// compare sets a bit of a mask for every lane; lanes that are masked off have 0.
func compare(f func(x, y uint64) bool) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) {
		x, y := m.vector(in, 1), m.vector(in, 2)
		var k uint64
		for l := range in.Size / 8 {
			k |= word(f(x[l], y[l])) << l
		}
		if in.Mask != x86.K0 {
			k &= m.k[in.Mask.Num()]
		}
		m.k[in.Args[0].Reg.Num()] = k
		if in.Size > 16 {
			m.wide = true
		}
	}
}

func vzeroupper(m *Machine, _ *x86.Inst) {
	for i := range 16 {
		clear(m.v[i][2:])
	}
	m.wide = false
}
