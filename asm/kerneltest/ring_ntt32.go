package kerneltest

import (
	"math/big"
	"slices"

	"residue/asm/internal/machine"
)

// NTT32 is the routines for the transforms of 256 words of 32 bits modulo a prime, put together
// as residue/negacyclic does, with constants as it makes them.
type NTT32 struct {
	*Lab
	*Transform
	prefix         string // of names
	wide           bool   // the routines are of steps, with words of 64 bits in scratch
	table, scratch machine.Span
	ones           machine.Span // of the table, for AVX2: a factor of which all words are 1
}

// The kernels of NTT32.
const (
	ntt32AVX512 = "ntt32-avx512"
	ntt32AVX2   = "ntt32-avx2"
)

const (
	ntt32Words = 256
	ntt32Terms = 16 // products of a sum at most
)

// NTT32Bytes is enough memory for an NTT32 with so many polynomials.
func NTT32Bytes(polynomials int) int { return 1<<15 + polynomials*(4*ntt32Words+256) }

// NewNTT32 makes the constants for a prime.
func NewNTT32(l *Lab, kernel string, q int64) *NTT32 {
	n := &NTT32{Lab: l, Transform: NewTransform(q, ntt32Words, 8)}
	if kernel == ntt32AVX512 {
		n.prefix, n.wide = "avx512", true
		table := n.table512()
		n.table = l.Alloc("table", len(table))
		l.Set(n.table, table, true)
		n.scratch = l.Words32("scratch", 2*ntt32Words, 0)
		return n
	}
	n.prefix = "avx2"
	table := n.table256()
	n.table = l.Words32("table", len(table), 0)
	l.SetWords32(n.table, table, true)
	n.ones = n.table.Slice(n.table.Len-4*ntt32Words, n.table.Len)
	n.scratch = l.Words32("scratch", ntt32Words, 5)
	return n
}

// Polynomial returns room for one, at any address that words may have.
func (n *NTT32) Polynomial(name string, skew int) machine.Span {
	return n.Words32(name, n.N, skew)
}

// fraction returns ⌊w·2^104/q⌋, in its high and its low 52 bits.
func (n *NTT32) fraction(w int64) (fraction, tail uint64) {
	f := new(big.Int).Lsh(big.NewInt(w), 104)
	f.Quo(f, big.NewInt(n.Q))
	return new(big.Int).Rsh(f, 52).Uint64(), new(big.Int).And(f, minus(pow2(52), 1)).Uint64()
}

// rounded is the nearest to the fraction of 52 bits.
func (n *NTT32) rounded(w int64) uint64 {
	f, tail := n.fraction(w)
	return f + tail>>51
}

// two returns the constants of two layers forward, or those by which it is undone.
func (n *NTT32) two(layer, block int, back bool) (z, u, v int64) {
	z, u, v = n.Zeta(layer, block), n.Zeta(layer+1, 2*block), n.Zeta(layer+1, 2*block+1)
	if back {
		return n.inverse(z), n.inverse(u), n.inverse(v)
	}
	return z, u, v
}

// table512 returns the table that asm/negacyclic/ntt32_avx512.go describes.
func (n *NTT32) table512() (table []uint64) {
	q := n.Q
	add := func(constants ...int64) {
		for _, w := range constants {
			table = append(table, n.rounded(n.mod(w)))
		}
	}
	one, tail := n.fraction(1)
	// The fraction of 1 is off by off/q, and so is its product with the middle of words.
	off := new(big.Int).Mul(big.NewInt(int64(n.rounded(1))), big.NewInt(q))
	off.Sub(off, pow2(52)).Mul(off, big.NewInt((1<<27+q)/2)).Quo(off, big.NewInt(q))
	half := int64(1) << 51 / q
	table = append(table, uint64(q), uint64(half), uint64(2*q), n.rounded(1), uint64(half-off.Int64()), one, tail,
		uint64(3*q*q), uint64(q*q))
	z, u, v := n.two(0, 0, false)
	add(z, -z, u, n.mod(u*z), v, -v*z)
	for block := range 4 {
		z, u, v := n.two(2, block, false)
		add(z, u, u*z, v, -v*z)
	}
	for block := range 4 {
		z, u, v := n.two(2, block, true)
		add(z, u, v, u*z, -v*z)
	}
	scale := n.inverse(256)
	z, u, v = n.two(0, 0, true)
	add(z*scale, u*scale, v*scale, u*z%q*scale, -(v * z % q * scale), scale)
	table = append(table, make([]uint64, 64-len(table))...)
	for high := int64(0); high < 32; high += 2 { // the highest bits of a word, with its sign
		small := func(high int64) uint64 {
			value := int64(int32(high << 27))
			return uint64(uint32(n.mod(value) - value))
		}
		table = append(table, small(high)|small(high+1)<<32)
	}
	for i := range uint64(8) {
		table = append(table, 4*i|(4*i+2)<<32)
	}
	// Vectors have a constant of each of eight blocks.
	vectors := func(constants func(lane int) []uint64) {
		for i := range constants(0) {
			for lane := range vectorLanes {
				table = append(table, constants(lane)[i])
			}
		}
	}
	rounded := func(ws ...int64) (fs []uint64) {
		for _, w := range ws {
			fs = append(fs, n.rounded(n.mod(w)))
		}
		return fs
	}
	for group := range 2 {
		vectors(func(lane int) []uint64 {
			z, u, v := n.two(4, 8*group+lane, false)
			return rounded(z, u, u*z, v, -v*z)
		})
		for part := range 4 {
			vectors(func(lane int) []uint64 {
				z, u, v := n.two(6, 32*group+4*lane+part, false)
				return rounded(z, -z, u, u*z, v, -v*z)
			})
		}
		for part := range 4 {
			vectors(func(lane int) (fs []uint64) {
				z, u, v := n.two(6, 32*group+4*lane+part, true)
				for _, w := range []int64{z, u, v, u * z, -v * z} {
					f, tail := n.fraction(n.mod(w))
					fs = append(fs, f, tail)
				}
				return fs
			})
		}
		vectors(func(lane int) []uint64 {
			z, u, v := n.two(4, 8*group+lane, true)
			return rounded(z, u, v, u*z, -v*z)
		})
	}
	return table
}

// times32 returns w·2^32 modulo q, centred.
func (n *NTT32) times32(w int64) int64 { return (n.mod(n.mod(w)<<32)+n.Q/2)%n.Q - n.Q/2 }

// table256 returns the table that asm/negacyclic/ntt32_avx2.go describes.
func (n *NTT32) table256() (table []int64) {
	q := n.Q
	// Vectors have a constant of each of eight blocks.
	vectors := func(constants func(lane int) []int64) {
		for i := range constants(0) {
			for lane := range 8 {
				table = append(table, constants(lane)[i])
			}
		}
	}
	all := func(constants ...int64) { vectors(func(int) []int64 { return constants }) }
	times32 := func(ws ...int64) (cs []int64) {
		for _, w := range ws {
			cs = append(cs, n.times32(w))
		}
		return cs
	}
	// layers has the constants of two layers, for the block that a lane has.
	layers := func(layer int, back bool, block func(lane int) int) {
		vectors(func(lane int) []int64 {
			z, u, v := n.two(layer, block(lane), back)
			if back {
				return times32(z, u, v, u*z, -v*z)
			}
			return times32(z, u, u*z, v, -v*z)
		})
	}
	inverse := new(big.Int).ModInverse(big.NewInt(q), pow2(32)).Int64()
	all(q, inverse, (1<<31+q/2)/q<<16, 2*q, n.times32(1<<32))
	layers(0, false, func(int) int { return 0 })
	z, u, v := n.two(0, 0, true)
	for _, scale := range []int64{n.inverse(256), n.mod(n.inverse(256) << 32)} {
		all(times32(z*scale, u*scale, v*scale, u*z%q*scale, -(v * z % q * scale), scale)...)
	}
	for group := range 4 {
		outer := func(int) int { return group }
		// Two vectors differ in bit 4, and lanes have bits 5, 2 and 3.
		var third, fourth [2]func(lane int) int
		for bit4 := range 2 {
			third[bit4] = func(lane int) int { return 4*group + 2*(lane/4) + bit4 }
			fourth[bit4] = func(lane int) int { return 4*third[bit4](lane) + 2*(lane%2) + lane/2%2 }
		}
		layers(2, false, outer)
		for _, back := range []bool{false, true} {
			steps := []func(){
				func() { layers(4, back, third[0]); layers(4, back, third[1]) },
				func() { layers(6, back, fourth[0]); layers(6, back, fourth[1]) },
			}
			if back {
				slices.Reverse(steps)
			}
			for _, step := range steps {
				step()
			}
		}
		layers(2, true, outer)
	}
	for range n.N {
		table = append(table, n.times32(1))
	}
	return table
}

func (n *NTT32) call(what string, operands map[string]Operand) error {
	operands["table"] = In(n.table)
	return n.Call(n.prefix+what+"32", operands)
}

// to is a result that may be an operand as well.
func to(z machine.Span, operands ...machine.Span) Operand {
	if overlapsAny(z, operands) {
		return InOut(z)
	}
	return OutAgain(z)
}

// Transform32 sets z to the transform of x.
func (n *NTT32) Transform32(z, x machine.Span) error {
	if !n.wide {
		return n.call("Forward", map[string]Operand{"z": to(z, x), "x": In(x)})
	}
	if err := n.call("ForwardHigh", map[string]Operand{"z": to(z, x), "x": In(x)}); err != nil {
		return err
	}
	return n.call("ForwardOrder", map[string]Operand{"z": InOut(z), "x": In(z)})
}

// Inverse32 sets z to the polynomial of which x is the transform.
func (n *NTT32) Inverse32(z, x machine.Span) error {
	if !n.wide {
		return n.call("Inverse", map[string]Operand{"z": to(z, x), "x": In(x)})
	}
	if err := n.call("BackOrder", map[string]Operand{"z": to(z, x), "x": In(x)}); err != nil {
		return err
	}
	return n.call("BackHigh", map[string]Operand{"z": InOut(z), "x": In(z)})
}

// Mul32 sets z to x·y.
func (n *NTT32) Mul32(z, x, y machine.Span) error {
	if !n.wide {
		return n.call("Mul", map[string]Operand{"z": to(z, x, y), "x": In(x), "y": In(y), "scratch": OutAgain(n.scratch)})
	}
	half := n.scratch.Slice(n.scratch.Len-4*n.N, n.scratch.Len)
	between := n.scratch.Slice(0, 4*n.N) // Multiply's result
	for _, step := range []func() error{
		func() error { return n.call("ForwardHigh", map[string]Operand{"z": OutAgain(half), "x": In(x)}) },
		func() error {
			return n.call("ForwardLow", map[string]Operand{"z": OutAgain(n.scratch), "x": In(half)})
		},
		func() error { return n.call("ForwardHigh", map[string]Operand{"z": to(z, y), "x": In(y)}) },
		func() error {
			return n.call("Multiply", map[string]Operand{"z": InOut(between), "x": In(n.scratch), "y": In(z)})
		},
		func() error { return n.call("BackHigh", map[string]Operand{"z": to(z), "x": In(between)}) },
	} {
		if err := step(); err != nil {
			return err
		}
	}
	return nil
}

// Factor32 prepares x as a factor.
func (n *NTT32) Factor32(f, x machine.Span) error {
	if n.wide {
		n.SetWords32(f, Words32At(x), false)
		return nil
	}
	return n.call("Factor", map[string]Operand{"f": Out(f), "x": In(x)})
}

// Sum32 sets z to the sum of x[j]·f[j], and adds what z was if keep is −1 and not 0. addresses
// has room for those of the operands, and of one more product.
func (n *NTT32) Sum32(z, addresses machine.Span, x, f []machine.Span, keep int) error {
	operands := map[string]Operand{"z": InOut(z)}
	if n.wide {
		operands["keep"] = Number(keep)
	} else if operands["z"] = OutAgain(z); keep != 0 { // once more what z was, times 1
		x, f = append(slices.Clip(x), z), append(slices.Clip(f), n.ones)
		operands["z"] = InOut(z)
	}
	var words []uint64
	for j := range x {
		words = append(words, x[j].Addr, f[j].Addr)
	}
	addresses = addresses.Slice(0, 8*len(words))
	n.Set(addresses, words, true)
	terms := In(addresses)
	for j := range x {
		terms = terms.With(In(x[j]), In(f[j]))
	}
	operands["terms"], operands["count"] = terms, Number(len(x))
	return n.call("Sum", operands)
}
