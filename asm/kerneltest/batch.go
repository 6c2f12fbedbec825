package kerneltest

import (
	"encoding/binary"
	"fmt"
	"math/big"

	"residue/asm/batch"
	"residue/asm/internal/machine"
)

// Batch is a kernel of word-sliced arithmetic with a modulus a lane: what
// residue/batch does with its ifma kernels, call by call.
type Batch struct {
	*Lab
	Kernel              string // ifma512 or ifma256
	Lanes, first        int
	Width, Tiles, Limbs int
	// InTwo has squares and their reductions in two routines instead of one.
	InTwo bool
	// Schoolbook has squares by the schoolbook's method where the product has them
	// by Karatsuba's.
	Schoolbook bool

	modulus, ninv, inverse Ints
	columns, raw, quotient Ints // as in batch.Scratch: 2s, 2s and s vectors
	work                   Ints
	edge, noBias, allBias  Ints
	look, noLook           machine.Span
	karatsuba              *karatsuba // nil if the product does not square so
}

// LanesOf has the lanes of the word-sliced kernels.
var LanesOf = map[string]int{"ifma512": 8, "ifma256": 4}

// The layout of the product's ifmaLookup, in bytes: masks, and then what is public
// and what the routines change.
const (
	lookMasks = 64
	lookTable = 64
	lookOut   = 72
	lookTiles = 80
	lookShare = 88
	lookRest  = 96
	lookNow   = 104
	lookBytes = 112
)

// Tiling returns the width of the tiles that the product cuts numbers of so many
// bits into, and their number, as batch.Limbs does.
func Tiling(bits int) (width, tiles int) {
	const headroom, leastOfMany = 3, 10
	least := (bits + headroom + digitBits - 1) / digitBits
	for _, w := range batch.Widths {
		n := (least + w - 1) / w
		if n > 1 && w < leastOfMany {
			continue
		}
		if width == 0 || n*w <= width*tiles {
			width, tiles = w, n
		}
	}
	return width, tiles
}

// BatchBytes is enough memory for a Batch, and for others of its numbers.
func BatchBytes(limbs, others int) int {
	return 1<<16 + vectorBytes*(24*limbs+192) + others*(vectorBytes*limbs+512)
}

// NewBatch prepares moduli, one a lane, for numbers of width·tiles digits, in the
// lanes of vectors from first on.
func NewBatch(l *Lab, kernel string, width, tiles, first int, moduli []*big.Int) *Batch {
	b := &Batch{Lab: l, Kernel: kernel, Lanes: LanesOf[kernel], first: first, Width: width, Tiles: tiles, Limbs: width * tiles}
	s := b.Limbs
	b.modulus, b.ninv, b.inverse = b.Ints("n", s), b.Ints("ninv", 1), b.Ints("inverse", s)
	b.work = b.Ints("work", 8*s+1)
	b.columns, b.raw, b.quotient = b.work.Slice(0, 2*s), b.work.Slice(2*s, 4*s), b.work.Slice(7*s, 8*s)
	b.edge, b.noBias, b.allBias = b.Ints("edge", 2*width), b.Ints("no bias", 1), b.Ints("all bias", 1)
	b.look, b.noLook = l.Alloc("look", lookBytes/8), l.Alloc("no look", lookBytes/8)
	for lane := range b.Lanes {
		for c := range width {
			b.edge.SetDigit(c, lane, 1<<(digitBits-1)-1)
			b.edge.SetDigit(width+c, lane, 0)
		}
		b.noBias.SetDigit(0, lane, 0)
		b.allBias.SetDigit(0, lane, digitMask)
	}
	clear(b.noLook.Bytes())
	for _, public := range []Ints{b.edge, b.noBias, b.allBias} {
		public.Define(false)
	}
	b.noLook.Define(false)
	b.karatsuba = karatsubaOf(b)
	b.SetModuli(moduli)
	return b
}

// Ints returns numbers of so many digits that are not set.
func (b *Batch) Ints(name string, limbs int) Ints {
	return Ints{b.Alloc(name, limbs*vectorLanes), b.first, b.Lanes}
}

// SetModuli sets the moduli, which are secrets.
func (b *Batch) SetModuli(moduli []*big.Int) {
	for lane, n := range moduli {
		r := b.R()
		inverse := new(big.Int).ModInverse(n, r)
		inverse.Sub(r, inverse)
		b.modulus.SetBig(lane, n, noLitter)
		b.inverse.SetBig(lane, inverse, noLitter)
		b.ninv.SetDigit(0, lane, b.inverse.Digit(0, lane))
	}
	for _, x := range []Ints{b.modulus, b.inverse, b.ninv} {
		x.Define(!b.Public)
	}
}

// R is 2^(52s).
func (b *Batch) R() *big.Int { return pow2(digitBits * b.Limbs) }

// Set sets numbers, which are secrets, with litter above their digits.
func (b *Batch) Set(x Ints, vs []*big.Int, litter func() uint64) {
	for lane, v := range vs {
		x.SetBig(lane, v, litter)
	}
	x.Define(!b.Public)
}

// call calls a routine of this kernel; those for a tile width have it in the name.
func (b *Batch) call(name string, operands map[string]Operand) error {
	return b.Call(b.Kernel+name, operands)
}

func (b *Batch) ofWidth(name string) string { return fmt.Sprintf("%s%d", name, b.Width) }

// has reports whether the kernel has a routine for this tile width.
func (b *Batch) has(name string) bool { return b.Routines[b.Kernel+b.ofWidth(name)] != nil }

// Mul sets z = x·y.
func (b *Batch) Mul(z, x, y Ints) error {
	return b.call(b.ofWidth("Mul"), map[string]Operand{
		"z": Out(z.Pieces()...), "x": In(x.Pieces()...), "y": In(y.Pieces()...), "tiles": Number(b.Tiles),
	})
}

// MulMont sets z = x·y/R. form is "" or "Full".
func (b *Batch) MulMont(form string, z, x, y Ints) error {
	return b.call(b.ofWidth("MulMont"+form), map[string]Operand{
		"z": Out(z.Pieces()...), "x": In(x.Pieces()...), "y": In(y.Pieces()...),
		"n": In(b.modulus.Pieces()...), "ninv": In(b.ninv.Pieces()...), "work": Work(b.quotient.Pieces()...), "tiles": Number(b.Tiles),
	})
}

// Square sets the columns to those of x², the low half of them biased.
func (b *Batch) Square(x Ints) error {
	return b.call(b.ofWidth("Square"), map[string]Operand{
		"t": Out(b.columns.Pieces()...), "x": In(x.Pieces()...), "raw": Work(b.raw.Pieces()...), "edge": In(b.edge.Pieces()...), "tiles": Number(b.Tiles),
	})
}

// Reduce sets z to the columns over R, and takes the look's gather along.
func (b *Batch) Reduce(form string, z Ints, look Operand) error {
	return b.call(b.ofWidth("Reduce"+form), map[string]Operand{
		"z": Out(z.Pieces()...), "t": In(b.columns.Pieces()...), "n": In(b.modulus.Pieces()...), "ninv": In(b.ninv.Pieces()...),
		"work": Work(b.quotient.Pieces()...), "tiles": Number(b.Tiles), "look": look,
	})
}

// SqrMont sets z = x²/R, and then z = z²/R another times − 1 times.
func (b *Batch) SqrMont(form string, z, x Ints, times int) error {
	return b.sqrMont(form, z, x, times, In(b.noLook))
}

func (b *Batch) sqrMont(form string, z, x Ints, times int, look Operand) error {
	if b.InTwo {
		return b.sqrMontInTwo(form, z, x, times, look)
	}
	if form == "" && b.byKaratsuba() {
		return b.sqrMontKaratsuba(z, x, times, look)
	}
	return b.call(b.ofWidth("SquareMont"+form), map[string]Operand{
		"z": OutAgain(z.Pieces()...), "x": In(x.Pieces()...), "t": Work(b.columns.Pieces()...), "raw": Work(b.raw.Pieces()...),
		"edge": In(b.edge.Pieces()...), "n": In(b.modulus.Pieces()...), "ninv": In(b.ninv.Pieces()...),
		"work": Work(b.quotient.Pieces()...), "tiles": Number(b.Tiles), "times": Number(times), "look": look,
	})
}

func (b *Batch) sqrMontInTwo(form string, z, x Ints, times int, look Operand) error {
	for range times {
		if err := b.Square(x); err != nil {
			return err
		}
		if err := b.Reduce(form, z, look); err != nil {
			return err
		}
		x = z
	}
	return nil
}

// digits sets z to the digits of x plus a bias.
func (b *Batch) digits(z, x, bias Ints) error {
	return b.call("Digits", map[string]Operand{
		"z": Out(z.Pieces()...), "x": In(x.Pieces()...), "addend": In(bias.Pieces()...), "limbs": Number(x.Limbs()),
	})
}

// carry makes all columns of t but the last digits.
func (b *Batch) carry(t Ints) error {
	return b.call("Carry", map[string]Operand{"t": InOut(t.Pieces()...), "columns": Number(t.Limbs() - 1)})
}

// Redc sets z = t/R for 2s digits t.
func (b *Batch) Redc(form string, z, t Ints) error {
	s := b.Limbs
	if err := b.digits(b.columns.Slice(0, s), t.Slice(0, s), b.allBias); err != nil {
		return err
	}
	if err := b.digits(b.columns.Slice(s, 2*s), t.Slice(s, 2*s), b.noBias); err != nil {
		return err
	}
	return b.Reduce(form, z, In(b.noLook))
}

// Sqr sets z = x².
func (b *Batch) Sqr(z, x Ints) error {
	if err := b.Square(x); err != nil {
		return err
	}
	for i := range z.Limbs() {
		for lane := range b.Lanes {
			z.SetDigit(i, lane, b.columns.Digit(i, lane))
		}
	}
	z.Define(!b.Public)
	b.unbias(z)
	return b.carry(z)
}

// unbias takes away the bias of the low half of a square's columns.
func (b *Batch) unbias(t Ints) {
	for lane := range b.Lanes {
		t.SetDigit(0, lane, t.Digit(0, lane)+1)
		t.SetDigit(b.Limbs, lane, t.Digit(b.Limbs, lane)-1)
	}
}

// Gather sets every lane of z to that lane of entry index of the table.
func (b *Batch) Gather(z, table, index Ints) error {
	return b.call(b.ofWidth("Gather"), map[string]Operand{
		"z": Out(z.Pieces()...), "table": In(table.Pieces()...), "index": In(index.Pieces()...),
		"entries": Number(table.Limbs() / b.Limbs), "tiles": Number(b.Tiles),
	})
}

// Gathering is a gather that Montgomery squares take along.
type Gathering struct {
	Z, Table, Index Ints
	Entries         int
}

// SqrMontTimes is SqrMont and a gather on the way.
func (b *Batch) SqrMontTimes(z, x Ints, times int, g *Gathering) error {
	return b.gathering(b.squareWidth(), times, g, func(look Operand) error { return b.sqrMont("", z, x, times, look) })
}

// gathering gathers on the way of squares, of which so many reductions take a part of
// the gather along, with tiles of a width.
func (b *Batch) gathering(width, reductions int, g *Gathering, squares func(look Operand) error) error {
	err := b.call("Masks", map[string]Operand{
		"masks": Out(b.look.Slice(0, g.Entries)), "index": In(g.Index.Pieces()...), "entries": Number(g.Entries),
	})
	if err != nil {
		return err
	}
	for field, v := range map[int]int{
		lookTable: int(g.Table.Pointer()), lookOut: int(g.Z.Pointer()), lookTiles: g.Z.Limbs() / width,
		lookShare: (g.Entries + reductions - 1) / reductions, lookRest: g.Entries, lookNow: 0,
	} {
		binary.LittleEndian.PutUint64(b.look.Bytes()[field:], uint64(v))
	}
	b.look.Slice(lookMasks, lookBytes).Define(false)
	for _, p := range g.Z.Pieces() {
		p.Undefine()
	}
	look := InOut(b.look).With(In(g.Table.Pieces()...), OutPart(g.Z.Pieces()...))
	if err := squares(look); err != nil {
		return err
	}
	for _, p := range g.Z.Pieces() {
		if !p.Defined() {
			return fmt.Errorf("kerneltest: %d reductions do not gather all of %d entries", reductions, g.Entries)
		}
	}
	return nil
}
