package machine

import (
	"math/bits"

	"residue/asm/internal/x86"
)

// semantics is what the operations do, but for jumps. What they read and write
// is checked before and marked after by the machine.
var semantics = [x86.NumOps]func(m *Machine, in *x86.Inst){
	x86.ADD:   func(m *Machine, in *x86.Inst) { m.put(in, 0, m.add(in, m.get(in, 0), m.get(in, 1), false)) },
	x86.ADC:   func(m *Machine, in *x86.Inst) { m.put(in, 0, m.add(in, m.get(in, 0), m.get(in, 1), m.cf)) },
	x86.SUB:   func(m *Machine, in *x86.Inst) { m.put(in, 0, m.sub(in, m.get(in, 0), m.get(in, 1), false)) },
	x86.SBB:   func(m *Machine, in *x86.Inst) { m.put(in, 0, m.sub(in, m.get(in, 0), m.get(in, 1), m.cf)) },
	x86.CMP:   func(m *Machine, in *x86.Inst) { m.sub(in, m.get(in, 0), m.get(in, 1), false) },
	x86.NEG:   func(m *Machine, in *x86.Inst) { m.put(in, 0, m.sub(in, 0, m.get(in, 0), false)) },
	x86.OR:    func(m *Machine, in *x86.Inst) { m.put(in, 0, m.logic(in, m.get(in, 0)|m.get(in, 1))) },
	x86.AND:   func(m *Machine, in *x86.Inst) { m.put(in, 0, m.logic(in, m.get(in, 0)&m.get(in, 1))) },
	x86.XOR:   func(m *Machine, in *x86.Inst) { m.put(in, 0, m.logic(in, m.get(in, 0)^m.get(in, 1))) },
	x86.TEST:  func(m *Machine, in *x86.Inst) { m.logic(in, m.get(in, 0)&m.get(in, 1)) },
	x86.NOT:   func(m *Machine, in *x86.Inst) { m.put(in, 0, ^m.get(in, 0)) },
	x86.MOV:   func(m *Machine, in *x86.Inst) { m.put(in, 0, m.get(in, 1)) },
	x86.LEA:   func(m *Machine, in *x86.Inst) { m.put(in, 0, m.address(&in.Args[1].Mem)) },
	x86.INC:   func(m *Machine, in *x86.Inst) { m.step1(in, m.add) },
	x86.DEC:   func(m *Machine, in *x86.Inst) { m.step1(in, m.sub) },
	x86.IMUL:  func(m *Machine, in *x86.Inst) { m.put(in, 0, m.imul(in, m.get(in, 0), m.get(in, 1))) },
	x86.IMUL3: func(m *Machine, in *x86.Inst) { m.put(in, 0, m.imul(in, m.get(in, 1), m.get(in, 2))) },
	x86.MUL:   mul,
	x86.MULX:  mulx,
	x86.ADCX:  func(m *Machine, in *x86.Inst) { m.addFlag(in, &m.cf) },
	x86.ADOX:  func(m *Machine, in *x86.Inst) { m.addFlag(in, &m.of) },
	x86.SHL:   shl,
	x86.SHR:   shr,
	x86.SAR:   sar,
	x86.ROL:   rol,
	x86.ROR:   ror,
	x86.SHLX:  func(m *Machine, in *x86.Inst) { m.put(in, 0, m.get(in, 1)<<m.countIn(in)) },
	x86.SHRX:  func(m *Machine, in *x86.Inst) { m.put(in, 0, m.get(in, 1)>>m.countIn(in)) },
	x86.SARX:  func(m *Machine, in *x86.Inst) { m.put(in, 0, uint64(signed(in, m.get(in, 1))>>m.countIn(in))) },
	x86.RORX:  func(m *Machine, in *x86.Inst) { m.put(in, 0, rotate(in, m.get(in, 1), -int(in.Args[2].Imm))) },
	x86.PDEP:  pdep,
	x86.PEXT:  pext,
	x86.BZHI:  bzhi,
	x86.ANDN:  func(m *Machine, in *x86.Inst) { m.put(in, 0, m.logic(in, ^m.get(in, 1)&m.get(in, 2))) },
	x86.MOVZB: movz,
	x86.MOVZW: movz,
	x86.SET:   set,
	x86.PUSH:  push,
	x86.POP:   pop,
	x86.CMOV:  cmov,
	x86.NOP:   func(*Machine, *x86.Inst) {},

	x86.VZEROUPPER: vzeroupper,
	x86.KMOV:       func(m *Machine, in *x86.Inst) { m.put(in, 0, m.get(in, 1)) },
	x86.KNOT:       func(m *Machine, in *x86.Inst) { m.put(in, 0, ^m.get(in, 1)) },
	x86.KAND:       masks(func(x, y uint64) uint64 { return x & y }),
	x86.KANDN:      masks(func(x, y uint64) uint64 { return ^x & y }),
	x86.KOR:        masks(func(x, y uint64) uint64 { return x | y }),
	x86.KXOR:       masks(func(x, y uint64) uint64 { return x ^ y }),
	x86.KXNOR:      masks(func(x, y uint64) uint64 { return ^(x ^ y) }),
	x86.KADD:       masks(func(x, y uint64) uint64 { return x + y }),
	x86.KSHIFTL:    func(m *Machine, in *x86.Inst) { m.put(in, 0, m.get(in, 1)<<uint8(in.Args[2].Imm)) },
	x86.KSHIFTR:    func(m *Machine, in *x86.Inst) { m.put(in, 0, m.get(in, 1)>>uint8(in.Args[2].Imm)) },
	x86.KUNPCK:     unpack,
	x86.KORTEST:    ortest,
	x86.KTEST:      ktest,

	x86.VMOVDQU:      move,
	x86.VMOVDQA:      move,
	x86.VMOVDQU64:    move,
	x86.VMOVDQA64:    move,
	x86.VPADDQ:       lanes(func(x, y uint64) uint64 { return x + y }),
	x86.VPSUBQ:       lanes(func(x, y uint64) uint64 { return x - y }),
	x86.VPMULLQ:      lanes(func(x, y uint64) uint64 { return x * y }),
	x86.VPMINUQ:      lanes(func(x, y uint64) uint64 { return min(x, y) }),
	x86.VPMAXUQ:      lanes(func(x, y uint64) uint64 { return max(x, y) }),
	x86.VPAND:        lanes(func(x, y uint64) uint64 { return x & y }),
	x86.VPANDD:       lanes(func(x, y uint64) uint64 { return x & y }),
	x86.VPANDQ:       lanes(func(x, y uint64) uint64 { return x & y }),
	x86.VPANDN:       lanes(func(x, y uint64) uint64 { return ^x & y }),
	x86.VPANDND:      lanes(func(x, y uint64) uint64 { return ^x & y }),
	x86.VPANDNQ:      lanes(func(x, y uint64) uint64 { return ^x & y }),
	x86.VPOR:         lanes(func(x, y uint64) uint64 { return x | y }),
	x86.VPORD:        lanes(func(x, y uint64) uint64 { return x | y }),
	x86.VPORQ:        lanes(func(x, y uint64) uint64 { return x | y }),
	x86.VPXOR:        lanes(func(x, y uint64) uint64 { return x ^ y }),
	x86.VPXORD:       lanes(func(x, y uint64) uint64 { return x ^ y }),
	x86.VPXORQ:       lanes(func(x, y uint64) uint64 { return x ^ y }),
	x86.VPSRLVQ:      lanes(func(x, n uint64) uint64 { return x >> n }),
	x86.VPSLLVQ:      lanes(func(x, n uint64) uint64 { return x << n }),
	x86.VPSRAVQ:      lanes(func(x, n uint64) uint64 { return uint64(int64(x) >> n) }),
	x86.VPSRLQ:       shifts(func(x, n uint64) uint64 { return x >> n }),
	x86.VPSLLQ:       shifts(func(x, n uint64) uint64 { return x << n }),
	x86.VPSRAQ:       shifts(func(x, n uint64) uint64 { return uint64(int64(x) >> n) }),
	x86.VPSHLDQ:      shld,
	x86.VPSHRDQ:      shrd,
	x86.VPTERNLOGD:   ternlog,
	x86.VPTERNLOGQ:   ternlog,
	x86.VPMADD52LUQ:  madd52lo,
	x86.VPMADD52HUQ:  madd52hi,
	x86.VPBROADCASTQ: broadcast,
	x86.VPCMPEQQ:     compare(func(x, y uint64) bool { return x == y }),
	x86.VPCMPGTQ:     compare(func(x, y uint64) bool { return int64(x) > int64(y) }),
	x86.VPCMPQ:       compareBy(signedLess),
	x86.VPCMPUQ:      compareBy(unsignedLess),
	x86.VPTESTMQ:     compare(func(x, y uint64) bool { return x&y != 0 }),
	x86.VPTESTNMQ:    compare(func(x, y uint64) bool { return x&y == 0 }),
	x86.VALIGNQ:      align,
	x86.VPERMQ:       permute,
	x86.VPERMI2Q:     permute2,
	x86.VPERMT2Q:     permute2,
}

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
