// Package adx generates the kernel of residue/internal/wordmont for amd64:
// products, squares and Montgomery reductions of one number in 64-bit words, with
// MULX, ADCX and ADOX.
//
// The number of words is an argument of the routines. The steps are in window.go;
// multiply.go, square.go and reduce.go put them together. What a reader needs to
// know first is in docs/algorithms.md, "One number in 64-bit words".
package adx

import (
	"strings"

	"github.com/mmcloughlin/avo/attr"
	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
)

// File returns the program.
func File() gofile.File {
	return gofile.File{
		Dir: "internal/wordmont", Base: "kernel_adx_amd64", Package: "wordmont",
		Build: func(ctx *build.Context) {
			newKernel(ctx).multiply()
			newKernel(ctx).square()
			newKernel(ctx).reduce()
			newKernel(ctx).gather()
		},
	}
}

// maxWidth is the number of words of the widest strip: the registers hold no more.
const maxWidth = 8

// Registers. The window is eight words; multiplier is what MULX multiplies by; lo
// and hi are the halves of a product; rows points to the words that multiply a
// strip, one a row, and sums to the word of the result that a row ends with.
// R14, which is Go's, and BP and SP are left alone.
var (
	window     = []reg.GPPhysical{reg.R8, reg.R9, reg.R10, reg.R11, reg.R12, reg.R13, reg.R15, reg.RBX}
	multiplier = reg.RDX
	lo, hi     = reg.RAX, reg.RCX
	rows       = reg.RSI
	sums       = reg.RDI
)

// kernel is an avo program for one routine. What has no register is in its frame:
// the strip, and the words named below.
type kernel struct {
	*build.Context
	strip operand.Mem
	local map[string]operand.Mem
}

func newKernel(ctx *build.Context) kernel { return kernel{Context: ctx} }

// begin starts a routine whose frame holds words of the given names.
func (k *kernel) begin(name, signature, doc string, locals ...string) {
	k.Function(name)
	k.Attributes(attr.NOSPLIT)
	k.SignatureExpr(signature)
	k.Pragma("noescape")
	k.Doc(strings.Split(doc, "\n")...)
	k.local = map[string]operand.Mem{}
	for _, l := range locals {
		k.local[l] = k.AllocLocal(8)
	}
}

// keep loads a parameter and keeps it in the frame under a name.
func (k *kernel) keep(param, name string) {
	k.Load(k.Param(param), lo)
	k.MOVQ(lo, k.local[name])
}

// word is the word i words after a pointer.
func word(base reg.Register, i int) operand.Mem { return operand.Mem{Base: base, Disp: 8 * i} }

// advance moves pointers up by n words.
func (k *kernel) advance(n int, ps ...reg.Register) {
	for _, p := range ps {
		k.ADDQ(operand.Imm(uint64(8*n)), p)
	}
}

// zero sets registers to zero and the flags with them.
func (k *kernel) zero(rs ...reg.GPPhysical) {
	for _, r := range rs {
		k.XORL(r.As32(), r.As32())
	}
}

// clearFlags clears both carries, CF and OF, and lo.
func (k *kernel) clearFlags() { k.zero(lo) }

// zeroKeepingFlags sets a register to zero and leaves both carries as they are.
func (k *kernel) zeroKeepingFlags(r reg.GPPhysical) { k.MOVL(operand.U32(0), r.As32()) }
