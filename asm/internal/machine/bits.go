package machine

import (
	"math/bits"

	"residue/asm/internal/x86"
)

// rotate rotates an operand left by n bits, or right if n is negative.
func rotate(in *x86.Inst, v uint64, n int) uint64 {
	if in.Size == 4 {
		return uint64(bits.RotateLeft32(uint32(v), n))
	}
	return bits.RotateLeft64(v, n)
}

// rol and ror set the carry to the bit that has come round last; the other flags but
// for the overflow stay (SDM, RCL/RCR/ROL/ROR).
func rol(m *Machine, in *x86.Inst) {
	v := rotate(in, m.get(in, 0), int(m.count(in)))
	m.cf = v&1 != 0
	m.of = m.cf != negative(in, v)
	m.put(in, 0, v)
}

func ror(m *Machine, in *x86.Inst) {
	v := rotate(in, m.get(in, 0), -int(m.count(in)))
	m.cf = negative(in, v)
	m.of = m.cf != negative(in, v<<1)
	m.put(in, 0, v)
}

// countIn is the number of bits of a shift that has it in a register.
func (m *Machine) countIn(in *x86.Inst) uint64 { return m.get(in, 2) & uint64(8*in.Size-1) }

// pdep spreads the low bits of the first source over the places that are set in the
// second, and pext is its inverse.
func pdep(m *Machine, in *x86.Inst) {
	src, places := m.get(in, 1), m.get(in, 2)
	var v uint64
	for ; places != 0; places &= places - 1 {
		v |= (src & 1) << bits.TrailingZeros64(places)
		src >>= 1
	}
	m.put(in, 0, v)
}

func pext(m *Machine, in *x86.Inst) {
	src, places := m.get(in, 1), m.get(in, 2)
	var v uint64
	for i := 0; places != 0; places &= places - 1 {
		v |= src >> bits.TrailingZeros64(places) & 1 << i
		i++
	}
	m.put(in, 0, v)
}

// bzhi clears the bits from the one on that the low byte of the second source names;
// the carry says that there is none such.
func bzhi(m *Machine, in *x86.Inst) {
	v, n := m.get(in, 1), m.get(in, 2)&0xff
	v &= 1<<n - 1
	m.logic(in, v)
	m.cf = n >= uint64(8*in.Size)
	m.put(in, 0, v)
}

// movz moves a narrow operand and fills up with zeros.
func movz(m *Machine, in *x86.Inst) {
	n := 1
	if in.Op == x86.MOVZW {
		n = 2
	}
	a := &in.Args[1]
	if a.Kind == x86.Memory {
		m.put(in, 0, m.loadWord(m.address(&a.Mem), n))
	} else {
		m.put(in, 0, m.gp[a.Reg]&(1<<(8*n)-1))
	}
}

// set sets a byte to 1 or 0. The other bytes of a register stay.
func set(m *Machine, in *x86.Inst) {
	v := word(m.holds(in.Cond))
	if a := &in.Args[0]; a.Kind == x86.Memory {
		m.storeWord(m.address(&a.Mem), 1, v)
	} else {
		m.gp[a.Reg] = m.gp[a.Reg]&^0xff | v
	}
}
