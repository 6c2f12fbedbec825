package wordmont

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"residue/internal/cpu"
	"residue/internal/measure"
	"residue/internal/words"
)

// eachKernel runs f for every kernel that this CPU can run.
func eachKernel(t *testing.T, f func(t *testing.T, k Routines)) {
	t.Helper()
	for _, name := range cpu.Runnable() {
		if k, ok := Named(name); ok {
			t.Run(name, func(t *testing.T) { f(t, k) })
		}
	}
}

// pow2 returns 2^k.
func pow2(k int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(k)) }

// lengths are lengths around those of the strips that kernels work in, and
// those of the sizes that users have.
func lengths() []int {
	var ls []int
	for l := 1; l <= 34; l++ {
		ls = append(ls, l)
	}
	return append(ls, 39, 40, 41, 48, 49, 63, 64, 65, 260)
}

// pattern returns l words: random, all ones, or mixed with words that make
// carries run.
func pattern(r *rand.Rand, l int) []uint64 {
	x := make([]uint64, l)
	kind := r.IntN(4)
	for i := range x {
		switch {
		case kind == 0:
			x[i] = r.Uint64()
		case kind == 1:
			x[i] = ^uint64(0)
		default:
			x[i] = []uint64{0, 1, 1 << 63, ^uint64(0), ^uint64(0) - 1, r.Uint64()}[r.IntN(6)]
		}
	}
	return x
}

func toBig(x []uint64) *big.Int {
	v := new(big.Int)
	for _, w := range slices.Backward(x) {
		v.Lsh(v, words.WordBits).Or(v, new(big.Int).SetUint64(w))
	}
	return v
}

// guarded returns l words of litter between guard words, and a function that
// reports whether the guards are as they were.
func guarded(r *rand.Rand, l int) ([]uint64, func() bool) {
	const guard, mark = 9, 0x5555_beef_dead_aaaa
	mem := slices.Repeat([]uint64{mark}, l+2*guard)
	x := mem[guard : guard+l : guard+l]
	for i := range x {
		x[i] = r.Uint64()
	}
	return x, func() bool {
		bad := func(w uint64) bool { return w != mark }
		return !slices.ContainsFunc(mem[:guard], bad) && !slices.ContainsFunc(mem[guard+l:], bad)
	}
}

func TestProducts(t *testing.T) {
	eachKernel(t, func(t *testing.T, k Routines) {
		r := rand.New(rand.NewPCG(91, 92))
		for _, l := range lengths() {
			for range 20 {
				x, y := pattern(r, l), pattern(r, l)
				x0, y0 := slices.Clone(x), slices.Clone(y)
				check := func(what string, f func(z []uint64), want *big.Int) {
					t.Helper()
					z, ok := guarded(r, 2*l)
					f(z)
					if got := toBig(z); got.Cmp(want) != 0 {
						t.Fatalf("%s of %d words:\n    %#x\n    %#x\n got %#x\nwant %#x", what, l, x, y, got, want)
					}
					if !ok() || !slices.Equal(x, x0) || !slices.Equal(y, y0) {
						t.Fatalf("%s of %d words: an operand or the words around the result were written", what, l)
					}
				}
				a, b := toBig(x), toBig(y)
				check("product", func(z []uint64) { k.Product(z, x, y) }, new(big.Int).Mul(a, b))
				check("product", func(z []uint64) { k.Product(z, x, x) }, new(big.Int).Mul(a, a))
				add := pattern(r, l)
				check("product and sum", func(z []uint64) {
					copy(z, add)
					k.MulAdd(z, x, y)
				}, new(big.Int).Add(toBig(add), new(big.Int).Mul(a, b)))
				check("square", func(z []uint64) { k.Square(z, x) }, new(big.Int).Mul(a, a))
			}
		}
	})
}

// TestWordReductions reduces numbers up to the largest that fit, for every number
// of bits that can be cleared in the last word.
func TestReductions(t *testing.T) {
	eachKernel(t, func(t *testing.T, k Routines) {
		r := rand.New(rand.NewPCG(93, 94))
		for _, l := range lengths() {
			for bits := 1; bits <= words.WordBits; bits++ {
				if l > 34 && bits%21 != 1 {
					continue
				}
				n := pattern(r, l)
				n[0] |= 1
				cleared := words.WordBits*(l-1) + bits
				low, N := pow2(cleared), toBig(n)
				v, okT := guarded(r, 2*l)
				copy(v, pattern(r, 2*l))
				sum := toBig(v)
				q := new(big.Int).ModInverse(N, low)
				q.Mul(q, sum).Neg(q).Mod(q, low)
				sum.Add(sum, q.Mul(q, N))

				z, okZ := guarded(r, l)
				if r.IntN(2) == 0 {
					z = v[l:]
				}
				k.Reduce(z, v, n, words.NegInverse(n[0]), ^uint64(0)>>(words.WordBits-bits))
				want := new(big.Int).Rsh(sum, uint(words.WordBits*l))
				if sum.BitLen() > 2*l*words.WordBits {
					want.Sub(want, N)
				}
				if got := toBig(z); got.Cmp(want) != 0 {
					t.Fatalf("reduction by %d bits, modulus %#x: upper half\n got %#x\nwant %#x", cleared, n, got, want)
				}
				// What was to be cleared is, below the upper half, and the rest is there.
				lowest := cleared / words.WordBits
				want.Rsh(sum, uint(lowest*words.WordBits)).Mod(want, pow2(words.WordBits*(l-lowest)))
				if got := toBig(v[lowest:l]); got.Cmp(want) != 0 {
					t.Fatalf("reduction by %d bits, modulus %#x: lower half\n got %#x\nwant %#x", cleared, n, got, want)
				}
				if !okT() || !okZ() {
					t.Fatalf("reduction of %d words: words around the results were written", l)
				}
			}
		}
	})
}

func TestLookup(t *testing.T) {
	eachKernel(t, func(t *testing.T, k Routines) {
		r := rand.New(rand.NewPCG(97, 98))
		for _, l := range lengths() {
			for window := 1; window <= 6; window++ {
				table := make([]uint64, l<<window)
				for i := range table {
					table[i] = r.Uint64()
				}
				for _, index := range []int{0, 1, r.IntN(1 << window), 1<<window - 1} {
					z, ok := guarded(r, l)
					k.Lookup(z, table, uint64(index))
					if !slices.Equal(z, table[index*l:(index+1)*l]) || !ok() {
						t.Fatalf("entry %d of %d of %d words is %#x", index, 1<<window, l, z)
					}
				}
			}
		}
	})
}

// TestPowering raises numbers below R to powers, one after the other in the same
// memory, and looks at what is left there.
func TestPowering(t *testing.T) {
	eachKernel(t, func(t *testing.T, k Routines) {
		r := rand.New(rand.NewPCG(95, 96))
		var p Powering
		for _, l := range []int{9, 1, 2, 3, 8, 16, 17} {
			for window := 1; window <= 6; window++ {
				n := pattern(r, l)
				n[0] |= 1
				m, R, N := NewModulus(k, n), pow2(words.WordBits*l), toBig(n)
				p.Reset(m, window)
				one, base, acc := make([]uint64, l), pattern(r, l), make([]uint64, 2*l)
				words.ModPow2(one, words.WordBits*l, n)
				p.Begin(one, base)
				e := new(big.Int)
				for i := range 4 {
					bits := r.Uint64() & (1<<window - 1)
					if i == 0 {
						p.Start(acc[:l], bits)
					} else {
						p.Step(acc[:l], bits, window)
					}
					e.Lsh(e, uint(window)).Or(e, new(big.Int).SetUint64(bits))
				}
				m.Redc(acc[l:], acc)
				got := toBig(acc[l:])
				if got.Cmp(N) > 0 {
					t.Fatalf("%#x is above the modulus %#x", got, N)
				}
				x := new(big.Int).ModInverse(R, N)
				if x == nil { // modulo 1
					x = new(big.Int)
				}
				x.Mul(x, toBig(base))
				if want := x.Exp(x, e, N); got.Mod(got, N).Cmp(want) != 0 {
					t.Fatalf("%#x/R to the power %v modulo %#x: %#x, want %#x", base, e, N, got, want)
				}
				p.Wipe()
				if slices.ContainsFunc(p.memory[:cap(p.memory)], func(w uint64) bool { return w != 0 }) || p.m.N != nil {
					t.Fatal("something is left in memory")
				}
			}
		}
	})
}

// BenchmarkWords measures the operations on one number in 64-bit words in core
// cycles, where those can be counted.
func BenchmarkWords(b *testing.B) {
	meter := measure.NewMeter()
	for _, name := range cpu.Runnable() {
		k, ok := Named(name)
		if !ok {
			continue
		}
		for _, l := range []int{8, 16, 24, 32, 48, 64} {
			r := rand.New(rand.NewPCG(103, uint64(l)))
			x, y, n, t, table := pattern(r, l), pattern(r, l), pattern(r, l), make([]uint64, 2*l), make([]uint64, 32*l)
			n[0] |= 1
			ninv := words.NegInverse(n[0])
			for _, op := range []struct {
				name string
				f    func()
			}{
				{"product", func() { k.Product(t, x, y) }},
				{"square", func() { k.Square(t, x) }},
				{"reduce", func() { k.Reduce(t[l:], t, n, ninv, ^uint64(0)) }},
				{"lookup32", func() { k.Lookup(x, table, 13) }},
			} {
				b.Run(fmt.Sprintf("%s/%s/words=%d", name, op.name, l), func(b *testing.B) {
					for b.Loop() {
						op.f()
					}
					if b.N > 1 && meter.MaddsPerCycle() > 0 {
						m := meter.Measure(measure.Effort{Time: 50 * time.Millisecond, Most: 500 * time.Millisecond}, op.f)
						b.ReportMetric(m.Cycles, "cycles")
					}
				})
			}
		}
	}
}
