package machine

import "residue/asm/internal/x86"

// masks is an operation of two masks.
func masks(f func(x, y uint64) uint64) func(*Machine, *x86.Inst) {
	return func(m *Machine, in *x86.Inst) { m.put(in, 0, f(m.get(in, 1), m.get(in, 2))) }
}

// unpack puts the low half of the second operand above that of the third.
func unpack(m *Machine, in *x86.Inst) {
	half := 4 * in.Size // bits
	low := m.get(in, 2) & (1<<half - 1)
	m.put(in, 0, m.get(in, 1)<<half|low)
}

// ortest sets the zero flag if no bit is set in either mask, and the carry flag if
// all are.
func ortest(m *Machine, in *x86.Inst) {
	v := m.get(in, 0) | m.get(in, 1)
	m.maskFlags(v == 0, v == width(in))
}

// ktest sets the zero flag if no bit is set in both masks, and the carry flag if none
// of the second is set that is not set in the first.
func ktest(m *Machine, in *x86.Inst) {
	x, y := m.get(in, 0), m.get(in, 1)
	m.maskFlags(x&y == 0, y&^x == 0)
}

func (m *Machine) maskFlags(zero, carry bool) {
	m.zf, m.cf, m.sf, m.of = zero, carry, false, false
}
