// Package x86 decodes the amd64 instructions that kernels are made of. It knows
// few operations, and those with their EVEX encodings; whatever it does not know
// is an error, never a guess.
//
// References are to Intel's Software Developer's Manual (SDM), volume 2: section
// 2.1 to 2.2 for prefixes, ModRM and SIB, 2.3 for VEX, 2.7 for EVEX.
package x86

import (
	"encoding/binary"
	"fmt"
)

// Decode decodes a function.
func Decode(code []byte) ([]Inst, error) {
	var insts []Inst
	for offset := 0; offset < len(code); {
		in, err := decodeOne(code, offset)
		if err != nil {
			return insts, fmt.Errorf("x86: offset %d: % x…: %w", offset, code[offset:min(len(code), offset+12)], err)
		}
		insts = append(insts, in)
		offset += in.Len
	}
	return insts, nil
}

// decoder is the state of the decoding of one instruction.
type decoder struct {
	code []byte
	pos  int
	err  error

	key     key
	w       int
	r, x, b byte // bit 3 of the numbers of registers, shifted into place
	r2, v2  byte // bit 4 of them, EVEX only
	vvvv    byte
	l       byte // vector length: 0, 1, 2 for 16, 32, 64 bytes
	mask    byte
	zero    bool
	bcast   bool
	mod, rm byte
	reg     byte
	rex     bool
}

func decodeOne(code []byte, offset int) (in Inst, err error) {
	d := &decoder{code: code, pos: offset}
	d.prefixes()
	d.key.opcode = d.byte()
	if d.key.space == legacy {
		d.escape()
	}
	if d.err != nil {
		return in, d.err
	}
	f := d.form()
	if f == nil {
		return in, fmt.Errorf("no known instruction")
	}
	in = Inst{Offset: offset, Op: f.op, Mask: K0 + Reg(d.mask), Zero: d.zero, Size: d.size(f), Elem: f.op.elem()}
	if f.cond {
		in.Cond = Cond(d.key.opcode & 15)
		if conds[in.Cond].reads == 0 {
			return in, fmt.Errorf("a condition on parity")
		}
	}
	if f.modrm {
		d.modrm()
	}
	for i, a := range f.args {
		if a.kind != 'i' {
			in.Args[i] = d.arg(&in, a)
		}
	}
	in.NArgs = len(f.args)
	d.immediate(&in, f)
	in.Len = d.pos - offset
	if d.err == nil {
		d.err = d.check(&in, f)
	}
	if d.err == nil {
		in.setEffects()
	}
	return in, d.err
}

// next returns the following n bytes, and zeros behind the end.
func (d *decoder) next(n int) []byte {
	if d.pos+n > len(d.code) {
		if d.err == nil {
			d.err = fmt.Errorf("the function ends within the instruction")
		}
		return make([]byte, n)
	}
	d.pos += n
	return d.code[d.pos-n : d.pos]
}

func (d *decoder) byte() byte   { return d.next(1)[0] }
func (d *decoder) int32() int32 { return int32(binary.LittleEndian.Uint32(d.next(4))) }

// prefixes reads what stands before the opcode. In VEX and EVEX prefixes the
// numbers of registers are inverted.
func (d *decoder) prefixes() {
	for d.err == nil {
		p := d.byte()
		switch {
		case p == 0x66 || p == 0xf2 || p == 0xf3:
			if d.key.prefix != 0 {
				d.err = fmt.Errorf("two prefixes")
			}
			d.key.prefix = p
		case p&0xf0 == 0x40:
			d.w, d.rex = int(p>>3&1), true
			d.r, d.x, d.b = p<<1&8, p<<2&8, p<<3&8
			return
		case p == 0xc5:
			d.vex(d.byte()&0x80|0x61, true)
			return
		case p == 0xc4:
			d.vex(d.byte(), false)
			return
		case p == 0x62:
			d.evex()
			return
		default:
			d.pos--
			return
		}
	}
}

var vexPrefix = [4]byte{0, 0x66, 0xf3, 0xf2}

// vex reads the rest of a VEX prefix. In the short form the byte that has W has R
// in its place, and rxb has been made of it.
func (d *decoder) vex(rxb byte, short bool) {
	if d.key.prefix != 0 {
		d.err = fmt.Errorf("a VEX prefix behind another")
	}
	if short {
		d.pos--
	}
	p := d.byte()
	inverted := ^rxb
	d.key.space, d.key.page = vex, rxb&0x1f
	d.r, d.x, d.b = inverted>>4&8, inverted>>3&8, inverted>>2&8
	if !short {
		d.w = int(p >> 7)
	}
	d.vvvv = ^p >> 3 & 15
	d.l = p >> 2 & 1
	d.key.prefix = vexPrefix[p&3]
}

// evex reads the rest of an EVEX prefix (SDM table 2-36).
func (d *decoder) evex() {
	p := d.next(3)
	if d.key.prefix != 0 || p[0]&0x08 != 0 || p[1]&0x04 == 0 {
		d.err = fmt.Errorf("an EVEX prefix behind another, or with reserved bits")
	}
	inverted := ^p[0]
	d.key.space, d.key.page = evex, p[0]&7
	d.r, d.x, d.b, d.r2 = inverted>>4&8, inverted>>3&8, inverted>>2&8, inverted&16
	d.w = int(p[1] >> 7)
	d.vvvv, d.v2 = ^p[1]>>3&15, ^p[2]<<1&16
	d.key.prefix = vexPrefix[p[1]&3]
	d.zero, d.l, d.bcast, d.mask = p[2]&0x80 != 0, p[2]>>5&3, p[2]&0x10 != 0, p[2]&7
	switch {
	case d.l == 3:
		d.err = fmt.Errorf("a vector length that is reserved")
	case d.zero && d.mask == 0:
		d.err = fmt.Errorf("zeroing without a mask")
	}
}

// escape reads the rest of a legacy opcode of more than one byte.
func (d *decoder) escape() {
	if d.key.opcode != 0x0f {
		return
	}
	d.key.page, d.key.opcode = 1, d.byte()
	switch d.key.opcode {
	case 0x38:
		d.key.page, d.key.opcode = 2, d.byte()
	case 0x3a:
		d.key.page, d.key.opcode = 3, d.byte()
	}
}

// form finds the row of the table.
func (d *decoder) form() *form {
	for _, f := range forms[d.key] {
		if f.w >= 0 && f.w != d.w || f.lengths>>d.l&1 == 0 {
			continue
		}
		if f.digit >= 0 && (d.pos >= len(d.code) || d.code[d.pos]>>3&7 != byte(f.digit)) {
			continue
		}
		return f
	}
	return nil
}

// size is that of the operands: general ones are 32 bits wide unless W is set,
// but those of pushes are always 64.
func (d *decoder) size(f *form) int {
	for _, a := range f.args {
		if a.kind == 'v' {
			return 16 << d.l
		}
		if n := maskBytes[a.kind]; n > 0 {
			return n
		}
	}
	switch {
	case f.op == SET:
		return 1
	case f.op == NOP && d.key.prefix == 0x66:
		return 2
	case d.w == 1 || f.op == PUSH || f.op == POP:
		return 8
	}
	return 4
}

// maskBytes are the kinds of operands that are masks of a width.
var maskBytes = map[byte]int{'b': 1, 'w': 2, 'd': 4, 'q': 8}

func (d *decoder) modrm() {
	m := d.byte()
	d.mod, d.reg, d.rm = m>>6, m>>3&7, m&7
}

// arg decodes an operand that is not immediate.
func (d *decoder) arg(in *Inst, a argForm) Arg {
	register := func(general, vector byte) Arg {
		switch a.kind {
		case 'v':
			return Arg{Reg: V0 + Reg(vector)}
		case 'k', 'b', 'w', 'd', 'q':
			if vector > 7 {
				d.err = fmt.Errorf("a mask register of a number beyond 7")
			}
			return Arg{Reg: K0 + Reg(vector&7)}
		case 'e':
			if !d.rex && general >= 4 {
				d.err = fmt.Errorf("the second byte of a register")
			}
		}
		return Arg{Reg: Reg(general)}
	}
	switch a.place {
	case 'A':
		return Arg{Reg: AX}
	case 'O':
		return register(d.key.opcode&7|d.b, 0)
	case 'R':
		return register(d.reg|d.r, d.reg|d.r|d.r2)
	case 'V':
		return register(d.vvvv, d.vvvv|d.v2)
	}
	if d.mod == 3 {
		if a.place == 'm' {
			d.err = fmt.Errorf("a register where only memory can be")
		}
		if d.bcast {
			d.err = fmt.Errorf("embedded rounding")
		}
		// EVEX has bit 4 of a vector's number in X (SDM table 2-37).
		return register(d.rm|d.b, d.rm|d.b|d.evexOnly(d.x<<1))
	}
	if a.place == 'r' {
		d.err = fmt.Errorf("memory where only a register is known")
	}
	if d.bcast && a.place != 'B' {
		d.err = fmt.Errorf("a broadcast of an operand that cannot be one")
	}
	mem := Mem{Broadcast: d.bcast}
	mem.Bytes = in.memoryBytes(&mem)
	d.address(&mem)
	return Arg{Kind: Memory, Mem: mem}
}

func (d *decoder) evexOnly(bit byte) byte {
	if d.key.space == evex {
		return bit
	}
	return 0
}

// address reads SIB and displacement (SDM tables 2-2 and 2-3). A displacement of
// one byte counts in units of the operand's size if the prefix is EVEX (2.7.5).
func (d *decoder) address(m *Mem) {
	m.Base, m.Index = Reg(d.rm|d.b), NoRg
	if d.rm == 4 {
		sib := d.byte()
		m.Base, m.Index, m.Scale = Reg(sib&7|d.b), Reg(sib>>3&7|d.x), 1<<(sib>>6)
		if m.Index == SP {
			m.Index, m.Scale = NoRg, 0
		}
		if sib&7 == 5 && d.mod == 0 {
			m.Base, m.Disp = NoRg, d.int32()
			return
		}
	} else if d.rm == 5 && d.mod == 0 {
		d.err = fmt.Errorf("an address relative to the instruction: kernels have no data of their own")
		return
	}
	switch d.mod {
	case 1:
		m.Disp = int32(int8(d.byte()))
		if d.key.space == evex {
			m.Disp *= int32(m.Bytes)
		}
	case 2:
		m.Disp = d.int32()
	}
}

// immediate reads what follows the operands: an immediate, sign-extended or (ub)
// not, or the distance of a jump.
func (d *decoder) immediate(in *Inst, f *form) {
	var v int64
	switch f.imm {
	case "":
		return
	case "i1":
		v = 1
	case "ib":
		v = int64(int8(d.byte()))
	case "ub":
		v = int64(d.byte())
	case "id":
		v = int64(d.int32())
	case "io": // of the width of the operand
		if in.Size == 8 {
			v = int64(binary.LittleEndian.Uint64(d.next(8)))
		} else {
			v = int64(d.int32())
		}
	case "cb":
		v = int64(int8(d.byte()))
		in.Target = d.pos + int(v)
		return
	case "cd":
		in.Target = d.pos + int(d.int32())
		return
	}
	in.Args[in.NArgs-1] = Arg{Kind: Immediate, Imm: v}
}

// check refuses what the manual calls undefined and what the table cannot say.
func (d *decoder) check(in *Inst, f *form) error {
	usesV := false
	for _, a := range f.args {
		usesV = usesV || a.place == 'V'
	}
	switch {
	case !usesV && (d.vvvv != 0 || d.v2 != 0):
		return fmt.Errorf("a third register in an instruction of two")
	case f.op == NOP && !f.modrm && d.b != 0:
		return fmt.Errorf("an exchange")
	case in.Zero && in.Args[0].Kind == Memory:
		return fmt.Errorf("zeroing of memory")
	case in.Mask != K0 && in.Zero && in.Args[0].Reg.IsMask():
		return fmt.Errorf("zeroing of a mask")
	case in.Mask != K0 && (f.op == VMOVD || f.op == VMOVQ):
		return fmt.Errorf("a mask of an instruction that has none")
	}
	return nil
}
