package x86

import (
	"fmt"
	"math/bits"
)

// Reg is a register or a flag. All have one numbering, so that a set of them is
// one word.
type Reg uint8

// General registers, in the order in which instructions number them.
const (
	AX Reg = iota
	CX
	DX
	BX
	SP
	BP
	SI
	DI
	R8
	R9
	R10
	R11
	R12
	R13
	R14
	R15
)

// The first vector register of 32, the first mask of 8, and the flags.
const (
	V0   Reg = 16
	K0   Reg = 48
	CF   Reg = 56
	ZF   Reg = 57
	SF   Reg = 58
	OF   Reg = 59
	NoRg Reg = 63 // no register: an address without a base or an index
)

// IsGeneral reports whether r is a general register.
func (r Reg) IsGeneral() bool { return r < V0 }

// IsVector reports whether r is a vector register.
func (r Reg) IsVector() bool { return r >= V0 && r < K0 }

// IsMask reports whether r is a mask register.
func (r Reg) IsMask() bool { return r >= K0 && r < CF }

// Num is the number of the register among those of its kind.
func (r Reg) Num() int {
	switch {
	case r.IsGeneral():
		return int(r)
	case r.IsVector():
		return int(r - V0)
	case r.IsMask():
		return int(r - K0)
	}
	return int(r - CF)
}

var generalNames = [16]string{"AX", "CX", "DX", "BX", "SP", "BP", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"}

// String is the name that Go's assembler has for the register. Vector registers
// are named for their 512-bit form.
func (r Reg) String() string {
	switch {
	case r.IsGeneral():
		return generalNames[r]
	case r.IsVector():
		return fmt.Sprintf("Z%d", r.Num())
	case r.IsMask():
		return fmt.Sprintf("K%d", r.Num())
	case r <= OF:
		return [...]string{"CF", "ZF", "SF", "OF"}[r-CF]
	}
	return "none"
}

// Set is a set of registers and flags.
type Set uint64

// SetOf returns the set of the given registers.
func SetOf(regs ...Reg) (s Set) {
	for _, r := range regs {
		s |= 1 << r
	}
	return s
}

// Has reports whether r is in the set.
func (s Set) Has(r Reg) bool { return s>>r&1 != 0 }

// First is the register of the lowest number in the set, which is not empty.
func (s Set) First() Reg { return Reg(bits.TrailingZeros64(uint64(s))) }

// Flags is the set of all flags that the package knows. Parity and auxiliary
// carry are not among them: what would read them is not decoded.
const Flags = Set(1<<CF | 1<<ZF | 1<<SF | 1<<OF)
