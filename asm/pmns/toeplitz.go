package pmns

import (
	"fmt"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/operand"
	"github.com/mmcloughlin/avo/reg"

	"residue/asm/internal/gofile"
	"residue/asm/internal/ifma"
	"residue/asm/internal/schedule"
)

// Products that are split, with Montgomery reduction word by word: the method that the
// others are compared with (Méloni and others, multi-precision PMNS). With n = 8·n̄ and
// Z = X^n̄, so that Z⁸ = 2, a polynomial is
//
//	A = A₀(Z) + A₁(Z)·X + … + A_{n̄−1}(Z)·X^(n̄−1).
//
// A_j has coefficient l·n̄ + j in lane l: one vector a word. A product is one of
// polynomials in X of degree below n̄; its coefficients from n̄ on wrap, which multiplies
// them by Z. Coefficients are multiplied modulo Z⁸ − 2, by rows [2P | P] as in rows.go.
// Polynomials in X are split down to single A_j, in two parts or three (toeplitz_split.go).
//
// The sums of A_j that are multiplied are called leaves. Columns of a product are linear
// in the columns of the products of leaves. So Q·M is added to A·B leaf by leaf, and a
// column is put together when its turn comes:
//
//  1. the leaves of x, the rows of those of y, and the columns of their products;
//  2. for each word t: column t; q = column t · M′ modulo E and 2^w, for which low halves
//     do; the products of the leaves of q and M, added from column t on; column t again,
//     now a multiple of 2^w, and its carry;
//  3. columns s … 2s − 1 with carries, which are the result.
//
// Words have w < 52 bits, so that leaves and their doubles, which are not carried, have
// at most 52; w is an argument. The high half of a madd has weight 2^(52−w) in the next
// column. Columns of leaves are right modulo 2^64, and so are those of the product, which
// have less than 63 bits and a sign: docs/pmns-toeplitz.md has the bounds.
type toeplitz struct {
	*ifma.Program
	Set

	z, x, y   reg.Register
	constants reg.Register
	work      reg.Register
	lane0     reg.Register // mask
}

// ToeplitzSets are those that there are kernels for.
var ToeplitzSets = []Set{{16, 3}, {24, 2}, {24, 4}, {32, 3}, {48, 2}, {48, 4}, {64, 3}}

// ToeplitzFile returns the program.
func ToeplitzFile() gofile.File {
	f := gofile.File{
		Dir: "pmns", Base: "toeplitz_ifma512_amd64", Package: "pmns",
		Schedule: map[string]schedule.Options{},
	}
	f.Build = func(ctx *build.Context) {
		for _, s := range ToeplitzSets {
			k := &toeplitz{Program: &ifma.Program{Context: ctx}, Set: s}
			k.multiply()
			f.Schedule[k.name()] = schedule.Options{
				Window: 40,
				Live:   map[reg.Kind]int{reg.KindVector: 32, reg.KindOpmask: 7, reg.KindGP: 12},
				Load:   1,
			}
			p := &ifma.Program{Context: ctx}
			p.Gather(fmt.Sprintf("ifma512Gather%dx%d", s.Coefficients, s.Words), s.Words*s.vectors())
		}
	}
	return f
}

func (k *toeplitz) name() string {
	return fmt.Sprintf("ifma512MulToeplitz%dx%d", k.Coefficients, k.Words)
}

// Where vectors of the constants are: residue/pmns has the same.
const (
	wordMask   = iota // 2^w − 1
	wordBits          // w
	highWeight        // 52 − w
	turns             // tables of permutations: toeplitz_turn.go
)

// rowsOfInverse are the eight rows Z^i·M′ for each leaf of the lowest words of M′.
func (k *toeplitz) rowsOfInverse() int { return turns + turnTables }

// wordsOfModulus are the words of each leaf of M.
func (k *toeplitz) wordsOfModulus() int { return k.rowsOfInverse() + ifma.Lanes*k.leaves() }

// The work space has 4s vectors for each leaf, then leaves of c and q, the rows of q's, and
// what is carried into a column. Those of a leaf are s words of x and 2s vectors of rows of
// y, and then in their place the columns of the product: 2s of low halves, and 2s of high
// halves, one further up than the words that they are of.
func (k *toeplitz) stride() int    { return 4 * k.Words }
func (k *toeplitz) highHalf() int  { return 2 * k.Words }
func (k *toeplitz) quotients() int { return k.stride() * k.leaves() }
func (k *toeplitz) rowsOfQ() int   { return k.quotients() + k.leaves() }
func (k *toeplitz) carries() int   { return k.rowsOfQ() + 2*k.leaves() }

func (k *toeplitz) constant(i int) operand.Mem { return ifma.At(k.constants, i) }

// multiply generates a product.
func (k *toeplitz) multiply() {
	k.begin()
	s, n := k.Words, k.vectors()
	for w := range s {
		k.evaluate(k.strided(k.wordOf(k.x, w)), func(leaf int, v ifma.Vec) {
			k.VMOVDQU64(v, ifma.At(k.work, leaf*k.stride()+w))
		})
		k.evaluate(k.strided(k.wordOf(k.y, w)), func(leaf int, v ifma.Vec) {
			k.writeRow(v, leaf*k.stride()+s+2*w)
		})
	}
	k.eachLeaf([]step{{k.work, 0, k.stride()}}, func(p []reg.Register) {
		k.product(p[0], s, operandRows{p[0], s, 2}, s, p[0], false)
	})

	zero := k.Zeros()
	for j := range n {
		k.VMOVDQU64(zero, ifma.At(k.work, k.carries()+j))
	}
	column := k.Pointer(ifma.At(k.work, 0))
	k.Loop(s, func() {
		k.quotientWord(column)
		k.eachLeaf([]step{{k.constants, k.wordsOfModulus(), s}, {k.work, k.rowsOfQ(), 2}, {column, 0, k.stride()}}, func(p []reg.Register) {
			k.product(p[0], s, operandRows{p[1], 0, 2}, 1, p[2], true)
		})
		k.carryOut(k.addCarry(k.interpolate(func(leaf int) ifma.Vec {
			return k.Read(ifma.At(column, k.stride()*leaf))
		})))
		k.ADDQ(operand.I32(ifma.VectorBytes), column)
	})
	k.Loop(s, func() {
		c := k.column(column)
		k.carryOut(c)
		k.Write(k.contiguous(c), func(j int) operand.Mem { return ifma.At(k.z, j) })
		k.ADDQ(operand.I32(ifma.VectorBytes), column)
		k.ADDQ(operand.I32(int32(ifma.VectorBytes*n)), k.z)
	})
	k.VZEROUPPER()
	k.RET()
}

func (k *toeplitz) begin() {
	k.Function(k.name())
	k.SignatureExpr("func(z, x, y, constants, work *uint64)")
	k.Doc(fmt.Sprintf("%s sets z = x·y/φ for %d coefficients of %d words.", k.name(), k.Coefficients, k.Words))
	k.Pragma("noescape")
	k.z = k.Load(k.Param("z"), k.GP64())
	k.x = k.Load(k.Param("x"), k.GP64())
	k.y = k.Load(k.Param("y"), k.GP64())
	k.constants = k.Load(k.Param("constants"), k.GP64())
	k.work = k.Load(k.Param("work"), k.GP64())
	one := k.GP32()
	k.MOVL(operand.U32(1), one)
	k.lane0 = k.K()
	k.KMOVB(one, k.lane0)
}

// quotientWord writes the rows of the leaves of q.
func (k *toeplitz) quotientWord(column reg.Register) {
	mask := k.Read(k.constant(wordMask))
	word := func(vs []ifma.Vec) []ifma.Vec {
		for _, v := range vs {
			k.VPANDQ(mask, v, v)
		}
		return vs
	}
	k.evaluate(word(k.column(column)), func(leaf int, v ifma.Vec) {
		k.VMOVDQU64(v, ifma.At(k.work, k.quotients()+leaf))
	})
	k.eachLeaf([]step{{k.work, k.quotients(), 1}, {k.constants, k.rowsOfInverse(), ifma.Lanes}}, func(p []reg.Register) {
		var sums [2]ifma.Vec
		for i := range ifma.Lanes {
			k.Madd(ifma.Low, &sums[i%2], ifma.At(p[1], i), k.Broadcast(ifma.Word(p[0], i)))
		}
		k.VMOVDQU64(k.Tree(sums[:]), ifma.At(p[0], 0))
	})
	q := k.interpolate(func(leaf int) ifma.Vec { return k.Read(ifma.At(k.work, k.quotients()+leaf)) })
	k.evaluate(word(q), func(leaf int, v ifma.Vec) {
		k.writeRow(v, k.rowsOfQ()+2*leaf)
	})
}

// wordOf returns word w of a polynomial, without what is above it.
func (k *toeplitz) wordOf(x reg.Register, w int) (vs []ifma.Vec) {
	mask := k.Read(k.constant(wordMask))
	for j := range k.vectors() {
		v := k.ZMM()
		k.VPANDQ(ifma.At(x, w*k.vectors()+j), mask, v)
		vs = append(vs, v)
	}
	return vs
}

// writeRow writes [2v | v], from vector i of the work space on.
func (k *toeplitz) writeRow(v ifma.Vec, i int) {
	double := k.ZMM()
	k.VPADDQ(v, v, double)
	k.VMOVDQU64(double, ifma.At(k.work, i))
	k.VMOVDQU64(v, ifma.At(k.work, i+1))
}

// column returns a column of the product, of which column points to that of leaf 0, with
// what is carried into it. High halves become part of the columns of leaves, in memory as
// well.
func (k *toeplitz) column(column reg.Register) []ifma.Vec {
	weight := k.Read(k.constant(highWeight))
	return k.addCarry(k.interpolate(func(leaf int) ifma.Vec {
		at, v := k.stride()*leaf, k.ZMM()
		k.VPSLLVQ(weight, k.Read(ifma.At(column, k.highHalf()+at)), v)
		k.VPADDQ(ifma.At(column, at), v, v)
		k.VMOVDQU64(v, ifma.At(column, at))
		return v
	}))
}

func (k *toeplitz) addCarry(c []ifma.Vec) []ifma.Vec {
	for j, v := range c {
		k.VPADDQ(ifma.At(k.work, k.carries()+j), v, v)
	}
	return c
}

// carryOut writes what a column carries: what is above its word, with the sign.
func (k *toeplitz) carryOut(c []ifma.Vec) {
	bits := k.Read(k.constant(wordBits))
	for j, v := range c {
		high := k.ZMM()
		k.VPSRAVQ(bits, v, high)
		k.VMOVDQU64(high, ifma.At(k.work, k.carries()+j))
	}
}
