// Package ifma is what programs for the vector multiply-add of AVX512-IFMA have in
// common: vectors in virtual registers and in memory, sums that begin with nothing,
// loops.
package ifma

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"
)

const (
	Lanes       = 8  // words to a vector
	VectorBytes = 64 // bytes to a vector
	WordBytes   = 8  // bytes to a word
	MaddBits    = 52 // what a madd reads of an operand, and the weight of its high half

	MaddLatency = 4 // cycles until a madd's result is there
	MaddPorts   = 2 // madds that start in a cycle
)

// Vec is a vector of eight words in a virtual register. A nil Vec is a vector of
// zeros that no instruction has been spent on.
type Vec = reg.VecVirtual

// Half is the half of a product that a madd adds.
type Half int

const (
	Low Half = iota
	High
)

// Program is an avo program.
type Program struct {
	*build.Context
	labels int // in use
}

// At is the vector i vectors after a pointer.
func At(base reg.Register, i int) operand.Mem {
	return operand.Mem{Base: base, Disp: VectorBytes * i}
}

// Word is word i after a pointer.
func Word(base reg.Register, i int) operand.Mem {
	return operand.Mem{Base: base, Disp: WordBytes * i}
}

// Imm is an immediate operand.
func Imm(n int) operand.Constant { return operand.Imm(uint64(n)) }

// Argument is a parameter in memory.
func (p *Program) Argument(name string) operand.Mem {
	b, err := p.Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// Read returns a vector in memory.
func (p *Program) Read(m operand.Mem) Vec {
	v := p.ZMM()
	p.VMOVDQU64(m, v)
	return v
}

// Write writes vectors to memory.
func (p *Program) Write(vs []Vec, to func(i int) operand.Mem) {
	for i, v := range vs {
		p.VMOVDQU64(v, to(i))
	}
}

// Broadcast returns a word in memory, eight times.
func (p *Program) Broadcast(m operand.Mem) Vec {
	v := p.ZMM()
	p.VPBROADCASTQ(m, v)
	return v
}

// Zeros returns a register of zeros, which no port is needed for.
func (p *Program) Zeros() Vec {
	z := p.ZMM()
	p.VPXORQ(z, z, z)
	return z
}

// AllOnes returns a register with all bits set.
func (p *Program) AllOnes() Vec {
	z := p.ZMM()
	p.VPTERNLOGD(Imm(0xff), z, z, z)
	return z
}

// Or returns v, or zeros for a nil Vec.
func (p *Program) Or(v Vec) Vec {
	if v == nil {
		return p.Zeros()
	}
	return v
}

// Sum adds y to *x.
func (p *Program) Sum(x *Vec, y Vec) {
	switch {
	case y == nil:
	case *x == nil:
		*x = y
	default:
		z := p.ZMM()
		p.VPADDQ(y, *x, z)
		*x = z
	}
}

// Tree returns the sum of all, added in pairs.
func (p *Program) Tree(all []Vec) Vec {
	for len(all) > 1 {
		var next []Vec
		for i := 0; i+1 < len(all); i += 2 {
			v := all[i]
			p.Sum(&v, all[i+1])
			next = append(next, v)
		}
		if len(all)%2 == 1 {
			next = append(next, all[len(all)-1])
		}
		all = next
	}
	return all[0]
}

// Madd adds a half of a·b to *sum.
func (p *Program) Madd(h Half, sum *Vec, a, b operand.Op) {
	*sum = p.Or(*sum)
	if h == Low {
		p.VPMADD52LUQ(a, b, *sum)
	} else {
		p.VPMADD52HUQ(a, b, *sum)
	}
}

// Loop runs the body n times.
func (p *Program) Loop(n int, body func()) {
	p.labels++
	label := fmt.Sprintf("loop%d", p.labels)
	counter := p.GP32()
	p.MOVL(operand.U32(uint32(n)), counter)
	p.Label(label)
	body()
	p.DECL(counter)
	p.JNZ(operand.LabelRef(label))
}

// Pointer returns a register that points to memory, and may be moved.
func (p *Program) Pointer(to operand.Mem) reg.GPVirtual {
	r := p.GP64()
	p.LEAQ(to, r)
	return r
}
