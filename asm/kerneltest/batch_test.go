package kerneltest

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestArithmetic compares every routine of word-sliced arithmetic with math/big.
// The machine holds each to its contract on the way: what it touches, and that
// neither a branch nor an address depends on the numbers.
func TestArithmetic(t *testing.T) {
	eachBatch(t, func(t *testing.T, kernel string, s shape) {
		r := rand.New(rand.NewPCG(81, uint64(s.limbs())))
		b := newBatch(t, kernel, s, 12)
		x, y, z := b.Ints("x", b.Limbs), b.Ints("y", b.Limbs), b.Ints("z", b.Limbs)
		wide, t2 := b.Ints("product", 2*b.Limbs), b.Ints("wide", 2*b.Limbs)
		rounds := 3 + 60/s.limbs()
		for range rounds {
			bits := digitBits*b.Limbs - 3
			n := each(b.Lanes, func(int) *big.Int { return modulus(r, bits) })
			b.SetModuli(n)
			// Almost-Montgomery operands, or one that need not be reduced at all.
			bound := func(lane int) *big.Int { return multiple(n[lane], 2) }
			if r.IntN(3) == 0 {
				bound = func(int) *big.Int { return b.R() }
			}
			vx := each(b.Lanes, func(lane int) *big.Int { return below(r, bound(lane)) })
			vy := each(b.Lanes, func(lane int) *big.Int { return below(r, n[lane]) })
			vt := each(b.Lanes, func(lane int) *big.Int {
				return below(r, new(big.Int).Mul(b.R(), new(big.Int).Sub(b.R(), n[lane])))
			})
			set := func() {
				b.Set(x, vx, r.Uint64)
				b.Set(y, vy, r.Uint64)
				b.Set(t2, vt, r.Uint64)
			}
			product := func(lane int) *big.Int { return new(big.Int).Mul(vx[lane], vy[lane]) }
			square := func(lane int) *big.Int { return new(big.Int).Mul(vx[lane], vx[lane]) }
			reduced := func(f func(int) *big.Int) func(int) *big.Int {
				return func(lane int) *big.Int { return montgomery(f(lane), n[lane], digitBits*b.Limbs) }
			}
			montProduct, montSquare := reduced(product), reduced(square)
			montWide := reduced(func(lane int) *big.Int { return vt[lane] })
			squareFits := true // x² < R·(R − N)
			for lane := range n {
				squareFits = squareFits && montSquare(lane).Cmp(b.R()) < 0
			}

			set()
			do(t, b.Mul(wide, x, y))
			want(t, "Mul", wide, product)
			do(t, b.Sqr(wide, x))
			want(t, "Sqr", wide, square)
			for _, form := range []string{"", "Full"} {
				if !b.has("MulMont" + form) {
					continue
				}
				set()
				do(t, b.MulMont(form, z, x, y))
				want(t, "MulMont"+form, z, montProduct)
				do(t, b.Redc(form, z, t2))
				want(t, "Reduce"+form, z, montWide)
				do(t, b.MulMont(form, x, x, y))
				want(t, "MulMont"+form+" in place", x, montProduct)
				if !squareFits {
					continue
				}
				set()
				do(t, b.SqrMont(form, z, x, 1))
				want(t, "SquareMont"+form, z, montSquare)
				b.InTwo = true
				do(t, b.SqrMont(form, z, x, 1))
				b.InTwo = false
				want(t, "Square and Reduce"+form, z, montSquare)
				do(t, b.SqrMont(form, x, x, 1))
				want(t, "SquareMont"+form+" in place", x, montSquare)
				set()
				b.Schoolbook = true
				do(t, b.SqrMont(form, z, x, 1))
				b.Schoolbook = false
				want(t, "SquareMont"+form+" by the schoolbook", z, montSquare)
			}
			for _, block := range b.blocks() {
				for _, form := range []string{"", "Full"} {
					set()
					do(t, b.MulMontBlocks(form, block, z, x, y))
					want(t, fmt.Sprintf("a product in blocks of %d %s", block, form), z, montProduct)
					if squareFits {
						do(t, b.SqrMontBlocks(form, block, z, x))
						want(t, fmt.Sprintf("a square in blocks of %d %s", block, form), z, montSquare)
					}
				}
			}
		}
		aboutCPU(t, b.Lab)
	})
}

// blocks are the blocks that the kernel has a reduction in.
func (b *Batch) blocks() (blocks []int) {
	if b.Routines[b.Kernel+"MulLow10"] == nil {
		return nil
	}
	for block := 10; block <= b.Limbs; block += 10 {
		if b.Limbs%block == 0 {
			blocks = append(blocks, block)
		}
	}
	return blocks
}

// TestGathers compares the table lookups, alone and on the way of squares, with
// the entries.
func TestGathers(t *testing.T) {
	eachBatch(t, func(t *testing.T, kernel string, s shape) {
		r := rand.New(rand.NewPCG(82, uint64(s.limbs())))
		const most = 32
		b := newBatch(t, kernel, s, most+8)
		if s.tiles <= 2 && slices.Contains(squareTiles, s.width) {
			// The product takes other routines for some of these, but then no entry
			// would end with the last row of a first super-column, and few with others.
			b.karatsuba = newKaratsuba(b, s.width, s.tiles)
		}
		n := each(b.Lanes, func(int) *big.Int { return modulus(r, digitBits*b.Limbs-3) })
		b.SetModuli(n)
		memory := b.Ints("table", most*b.Limbs)
		x, z, index := b.Ints("x", b.Limbs), b.Ints("z", b.Limbs), b.Ints("index", 1)
		factor := b.Ints("factor", b.Limbs)
		for i := range memory.Limbs() {
			for lane := range b.Lanes {
				memory.SetDigit(i, lane, r.Uint64())
			}
		}
		memory.Define(true)
		for _, entries := range []int{2, 4, 6, 16, most} {
			for round, times := range []int{1, 3, 5, 40, 1, 5, 1, 40} {
				b.InTwo, b.Schoolbook = round == 4 || round == 5, round > 5
				wanted := each(b.Lanes, func(int) *big.Int { return big.NewInt(int64(r.IntN(entries))) })
				if round == 1 {
					wanted = each(b.Lanes, func(lane int) *big.Int { return big.NewInt(int64(lane % 2 * (entries - 1))) })
				}
				b.Set(index, wanted, noLitter)
				entry := func(lane int) *big.Int {
					e := int(wanted[lane].Int64())
					return memory.Slice(e*b.Limbs, (e+1)*b.Limbs).Big(lane, false)
				}
				do(t, b.Gather(z, memory.Slice(0, entries*b.Limbs), index))
				want(t, fmt.Sprintf("Gather of %d", entries), z, entry)

				v := each(b.Lanes, func(lane int) *big.Int { return below(r, multiple(n[lane], 2)) })
				b.Set(x, v, noLitter)
				g := &Gathering{Z: factor, Table: memory.Slice(0, entries*b.Limbs), Index: index, Entries: entries}
				out := x
				if round%2 == 0 {
					out = z
				}
				do(t, b.SqrMontTimes(out, x, times, g))
				for lane := range v {
					for range times {
						v[lane] = montgomery(v[lane].Mul(v[lane], v[lane]), n[lane], digitBits*b.Limbs)
					}
				}
				want(t, "squares with a gather", out, func(lane int) *big.Int { return v[lane] })
				want(t, fmt.Sprintf("a gather of %d in %d squares", entries, times), factor, entry)
			}
		}
		aboutCPU(t, b.Lab)
	})
}
