package machine

import (
	"math/bits"

	"residue/asm/internal/x86"
)

// get returns a general operand or a mask, of the instruction's width.
func (m *Machine) get(in *x86.Inst, i int) uint64 {
	var v uint64
	switch a := &in.Args[i]; {
	case a.Kind == x86.Immediate:
		v = uint64(a.Imm)
	case a.Kind == x86.Memory:
		return m.loadWord(m.address(&a.Mem), in.Size)
	case a.Reg.IsMask():
		v = m.k[a.Reg.Num()]
	default:
		v = m.gp[a.Reg]
	}
	return v & width(in)
}

// put sets a general operand or a mask. What is above a narrow result in a
// register becomes zero.
func (m *Machine) put(in *x86.Inst, i int, v uint64) {
	v &= width(in)
	switch a := &in.Args[i]; {
	case a.Kind == x86.Memory:
		m.storeWord(m.address(&a.Mem), in.Size, v)
	case a.Reg.IsMask():
		m.k[a.Reg.Num()] = v
	default:
		m.gp[a.Reg] = v
	}
}

// width has ones where operands have bits.
func width(in *x86.Inst) uint64 { return ^uint64(0) >> (64 - 8*in.Size) }

// negative reports whether the top bit of an operand is set.
func negative(in *x86.Inst, v uint64) bool { return v>>(8*in.Size-1)&1 != 0 }

// signed is an operand as a number with a sign.
func signed(in *x86.Inst, v uint64) int64 {
	shift := 64 - 8*in.Size
	return int64(v<<shift) >> shift
}

func (m *Machine) result(in *x86.Inst, v uint64) { m.zf, m.sf = v&width(in) == 0, negative(in, v) }

func word(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (m *Machine) add(in *x86.Inst, x, y uint64, carry bool) uint64 {
	sum, c := bits.Add64(x, y, word(carry))
	m.cf = c != 0
	if in.Size < 8 {
		m.cf = sum>>(8*in.Size) != 0
	}
	m.of = negative(in, (x^sum)&(y^sum))
	m.result(in, sum)
	return sum
}

func (m *Machine) sub(in *x86.Inst, x, y uint64, borrow bool) uint64 {
	diff, b := bits.Sub64(x, y, word(borrow)) // operands are narrow: no wider borrow is lost
	m.cf = b != 0
	m.of = negative(in, (x^y)&(x^diff))
	m.result(in, diff)
	return diff
}

func (m *Machine) logic(in *x86.Inst, v uint64) uint64 {
	m.cf, m.of = false, false
	m.result(in, v)
	return v
}

// step1 is INC or DEC: the carry stays.
func (m *Machine) step1(in *x86.Inst, f func(in *x86.Inst, x, y uint64, carry bool) uint64) {
	cf := m.cf
	m.put(in, 0, f(in, m.get(in, 0), 1, false))
	m.cf = cf
}

// imul multiplies; the flags say whether the signed product fits.
func (m *Machine) imul(in *x86.Inst, x, y uint64) uint64 {
	a, b := signed(in, x), signed(in, y)
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	// The high half of a signed product.
	hi -= uint64(a>>63)&uint64(b) + uint64(b>>63)&uint64(a)
	fits := hi == uint64(int64(lo)>>63) && signed(in, lo) == int64(lo)
	m.cf, m.of = !fits, !fits
	return lo
}

// product returns the halves of an unsigned product.
func product(in *x86.Inst, x, y uint64) (hi, lo uint64) {
	hi, lo = bits.Mul64(x, y)
	if in.Size == 4 {
		hi = lo >> 32
	}
	return hi & width(in), lo & width(in)
}

func mul(m *Machine, in *x86.Inst) {
	hi, lo := product(in, m.gp[x86.AX]&width(in), m.get(in, 0))
	m.gp[x86.AX], m.gp[x86.DX] = lo, hi
	m.cf, m.of = hi != 0, hi != 0
}

func mulx(m *Machine, in *x86.Inst) {
	hi, lo := product(in, m.gp[x86.DX]&width(in), m.get(in, 2))
	m.put(in, 1, lo)
	m.put(in, 0, hi)
}

// addFlag adds with a carry that is in, and goes to, one flag.
func (m *Machine) addFlag(in *x86.Inst, flag *bool) {
	sum, c := bits.Add64(m.get(in, 0), m.get(in, 1), word(*flag))
	if in.Size == 4 {
		c = sum >> 32
	}
	*flag = c != 0
	m.put(in, 0, sum)
}

// count is that of a shift (SDM: masked to 5 or 6 bits). A shift by nothing would
// leave the flags alone, and is refused.
func (m *Machine) count(in *x86.Inst) uint64 {
	n := uint64(in.Args[1].Imm) & uint64(8*in.Size-1)
	if n == 0 {
		m.fail("a shift by nothing")
		return 1
	}
	return n
}

func shl(m *Machine, in *x86.Inst) {
	x, n := m.get(in, 0), m.count(in)
	v := x << n
	m.cf = x>>(uint64(8*in.Size)-n)&1 != 0
	m.of = m.cf != negative(in, v)
	m.result(in, v)
	m.put(in, 0, v)
}

func shr(m *Machine, in *x86.Inst) {
	x, n := m.get(in, 0), m.count(in)
	m.cf, m.of = x>>(n-1)&1 != 0, negative(in, x)
	m.result(in, x>>n)
	m.put(in, 0, x>>n)
}

func sar(m *Machine, in *x86.Inst) {
	x, n := m.get(in, 0), m.count(in)
	v := uint64(signed(in, x) >> n)
	m.cf, m.of = x>>(n-1)&1 != 0, false
	m.result(in, v)
	m.put(in, 0, v)
}

// push may save a register that is not set; neither is then what it stores.
func push(m *Machine, in *x86.Inst) {
	m.gp[x86.SP] -= 8
	m.storeWord(m.gp[x86.SP], 8, m.get(in, 0))
	if m.fault == nil && m.vague {
		m.Mem.shadow[m.gp[x86.SP]-m.Mem.base] &^= defined
	}
}

func pop(m *Machine, in *x86.Inst) {
	sp := m.gp[x86.SP]
	offset := int(sp - m.Mem.base)
	if m.Mem.allowed(offset, 8, readable) && !m.Mem.allowed(offset, 8, defined) {
		m.vague = true
		m.Mem.written(offset, 8, false)
	}
	v := m.loadWord(sp, 8)
	m.gp[x86.SP] += 8
	m.put(in, 0, v)
}

func cmov(m *Machine, in *x86.Inst) {
	v := m.get(in, 1) // read in any case
	if !m.holds(in.Cond) {
		v = m.get(in, 0)
	}
	m.put(in, 0, v)
}
