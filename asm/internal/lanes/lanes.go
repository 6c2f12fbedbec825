// Package lanes is what programs for coefficients of 16 and 32 bits have in common: vectors
// of one width, in virtual registers and in memory.
//
// A program is written once for 256-bit and 512-bit vectors where the two differ in nothing
// but their width.
package lanes

import (
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

// The widths of vectors, in bytes.
const (
	AVX2   = 32
	AVX512 = 64
)

// Vec is a vector in a virtual register.
type Vec = reg.VecVirtual

// Program is an avo program on vectors of Bytes bytes.
type Program struct {
	*build.Context
	Bytes int
}

// Vec returns a new register.
func (p *Program) Vec() Vec {
	if p.Bytes == AVX2 {
		return p.YMM()
	}
	return p.ZMM()
}

// Of returns what an instruction makes of its operands, in a new register. The operands are
// in the order of Go's assembler, without the destination, which is the last.
func (p *Program) Of(instruction func(...operand.Op), operands ...operand.Op) Vec {
	z := p.Vec()
	instruction(append(operands, z)...)
	return z
}

// At is the vector i vectors after a pointer.
func (p *Program) At(base reg.Register, i int) operand.Mem {
	return operand.Mem{Base: base, Disp: p.Bytes * i}
}

// Imm is an immediate operand.
func Imm(n int) operand.Constant { return operand.Imm(uint64(n)) }

// Read returns a vector in memory.
func (p *Program) Read(m operand.Mem) Vec {
	v := p.Vec()
	p.move(m, v)
	return v
}

// Write writes a vector to memory.
func (p *Program) Write(v Vec, m operand.Mem) { p.move(v, m) }

func (p *Program) move(from, to operand.Op) {
	if p.Bytes == AVX2 {
		p.VMOVDQU(from, to)
	} else {
		p.VMOVDQU64(from, to)
	}
}

// ReadAll returns n vectors from a pointer on.
func (p *Program) ReadAll(base reg.Register, n int) []Vec {
	vs := make([]Vec, n)
	for i := range vs {
		vs[i] = p.Read(p.At(base, i))
	}
	return vs
}

// WriteAll writes vectors from a pointer on.
func (p *Program) WriteAll(vs []Vec, base reg.Register) {
	for i, v := range vs {
		p.Write(v, p.At(base, i))
	}
}

// Pointer returns the parameter of a name, a pointer, in a register.
func (p *Program) Pointer(name string) reg.GPVirtual {
	r := p.GP64()
	p.Load(p.Param(name), r)
	return r
}

// End returns to the caller.
func (p *Program) End() {
	p.VZEROUPPER()
	p.RET()
}
