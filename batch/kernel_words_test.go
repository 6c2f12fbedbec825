package batch

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"residue/internal/measure"
	"residue/internal/words"
)

// eachWordKernel runs f for every kernel that works in 64-bit words.
func eachWordKernel(t *testing.T, f func(t *testing.T, k wordRoutines)) {
	t.Helper()
	eachKernel(t, func(t *testing.T, k *Kernel) {
		w, ok := k.impl.(wordwise)
		if !ok {
			t.Skip("not in words")
		}
		f(t, w.wordRoutines)
	})
}

// wordCounts are lengths around those of the strips that kernels work in, and
// those of the sizes that users have.
func wordCounts() []int {
	var ls []int
	for l := 1; l <= 34; l++ {
		ls = append(ls, l)
	}
	return append(ls, 39, 40, 41, 48, 49, 63, 64, 65, 260)
}

// wordPattern returns l words: random, all ones, or mixed with words that make
// carries run.
func wordPattern(r *rand.Rand, l int) []uint64 {
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

func wordsBig(x []uint64) *big.Int {
	v := new(big.Int)
	for _, w := range slices.Backward(x) {
		v.Lsh(v, words.WordBits).Or(v, new(big.Int).SetUint64(w))
	}
	return v
}

// guardedWords returns l words of litter between guard words, and a function that
// reports whether the guards are as they were.
func guardedWords(r *rand.Rand, l int) ([]uint64, func() bool) {
	const guard, pattern = 9, 0x5555_beef_dead_aaaa
	mem := slices.Repeat([]uint64{pattern}, l+2*guard)
	x := mem[guard : guard+l : guard+l]
	for i := range x {
		x[i] = r.Uint64()
	}
	return x, func() bool {
		bad := func(w uint64) bool { return w != pattern }
		return !slices.ContainsFunc(mem[:guard], bad) && !slices.ContainsFunc(mem[guard+l:], bad)
	}
}

func TestWordProducts(t *testing.T) {
	eachWordKernel(t, func(t *testing.T, k wordRoutines) {
		r := rand.New(rand.NewPCG(91, 92))
		for _, l := range wordCounts() {
			for range 20 {
				x, y := wordPattern(r, l), wordPattern(r, l)
				x0, y0 := slices.Clone(x), slices.Clone(y)
				check := func(what string, f func(z []uint64), want *big.Int) {
					t.Helper()
					z, ok := guardedWords(r, 2*l)
					f(z)
					if got := wordsBig(z); got.Cmp(want) != 0 {
						t.Fatalf("%s of %d words:\n    %#x\n    %#x\n got %#x\nwant %#x", what, l, x, y, got, want)
					}
					if !ok() || !slices.Equal(x, x0) || !slices.Equal(y, y0) {
						t.Fatalf("%s of %d words: an operand or the words around the result were written", what, l)
					}
				}
				a, b := wordsBig(x), wordsBig(y)
				check("product", func(z []uint64) { k.product(z, x, y) }, new(big.Int).Mul(a, b))
				check("product", func(z []uint64) { k.product(z, x, x) }, new(big.Int).Mul(a, a))
				check("square", func(z []uint64) { k.square(z, x) }, new(big.Int).Mul(a, a))
			}
		}
	})
}

// TestWordReductions reduces numbers up to the largest that fit, for every number
// of bits that can be cleared in the last word.
func TestWordReductions(t *testing.T) {
	eachWordKernel(t, func(t *testing.T, k wordRoutines) {
		r := rand.New(rand.NewPCG(93, 94))
		for _, l := range wordCounts() {
			for bits := 1; bits <= words.WordBits; bits++ {
				if l > 34 && bits%21 != 1 {
					continue
				}
				n := wordPattern(r, l)
				n[0] |= 1
				cleared := words.WordBits*(l-1) + bits
				low, N := pow2(cleared), wordsBig(n)
				v, okT := guardedWords(r, 2*l)
				copy(v, wordPattern(r, 2*l))
				sum := wordsBig(v)
				q := new(big.Int).ModInverse(N, low)
				q.Mul(q, sum).Neg(q).Mod(q, low)
				sum.Add(sum, q.Mul(q, N))

				z, okZ := guardedWords(r, l)
				if r.IntN(2) == 0 {
					z = v[l:]
				}
				k.reduce(z, v, n, words.NegInverse(n[0]), ^uint64(0)>>(words.WordBits-bits))
				want := new(big.Int).Rsh(sum, uint(words.WordBits*l))
				if sum.BitLen() > 2*l*words.WordBits {
					want.Sub(want, N)
				}
				if got := wordsBig(z); got.Cmp(want) != 0 {
					t.Fatalf("reduction by %d bits, modulus %#x: upper half\n got %#x\nwant %#x", cleared, n, got, want)
				}
				// What was to be cleared is, below the upper half, and the rest is there.
				lowest := cleared / words.WordBits
				want.Rsh(sum, uint(lowest*words.WordBits)).Mod(want, pow2(words.WordBits*(l-lowest)))
				if got := wordsBig(v[lowest:l]); got.Cmp(want) != 0 {
					t.Fatalf("reduction by %d bits, modulus %#x: lower half\n got %#x\nwant %#x", cleared, n, got, want)
				}
				if !okT() || !okZ() {
					t.Fatalf("reduction of %d words: words around the results were written", l)
				}
			}
		}
	})
}

func TestWordLookup(t *testing.T) {
	eachWordKernel(t, func(t *testing.T, k wordRoutines) {
		r := rand.New(rand.NewPCG(97, 98))
		for _, l := range wordCounts() {
			for window := 1; window <= maxWindow; window++ {
				table := make([]uint64, l<<window)
				for i := range table {
					table[i] = r.Uint64()
				}
				for _, index := range []int{0, 1, r.IntN(1 << window), 1<<window - 1} {
					z, ok := guardedWords(r, l)
					k.lookup(z, table, uint64(index))
					if !slices.Equal(z, table[index*l:(index+1)*l]) || !ok() {
						t.Fatalf("entry %d of %d of %d words is %#x", index, 1<<window, l, z)
					}
				}
			}
		}
	})
}

// TestExpWordBoundaries has moduli that fill whole words or just not: R′ has no
// bit to spare then, or nearly 64.
func TestExpWordBoundaries(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(99, 100))
		for _, bits := range []int{
			2, 3, 63, 64, 65, 127, 128, 129, 191, 192, 204, 205, 206, 255, 256, 257, 447, 448, 449, 511, 512, 513,
			520, 521, 575, 576, 577, 767, 768, 769, 1023, 1024, 1025, 1087, 1088, 1535, 1536, 2047, 2048, 2049, 2560,
		} {
			most := add(pow2(bits), -1)
			ns := []*big.Int{most, add(pow2(bits-1), 1), bigOne}
			for _, n := range []*big.Int{randomBig(r, bits), randomBig(r, bits), add(pow2(bits), -189)} {
				if n.Sign() > 0 {
					ns = append(ns, n.SetBit(n, 0, 1))
				}
			}
			bs := make([][]byte, len(ns))
			for i, n := range ns {
				n.SetBit(n, 0, 1)
				bs[i] = n.Bytes()
			}
			m, err := k.NewModuli(bits, bs...)
			if err != nil {
				t.Fatal(err)
			}
			s := m.Limbs()
			for round, ebits := range []int{1, 5, 17, 64, 133} {
				x, e, z := NewInts(s), NewInts(Limbs(ebits)), NewInts(s)
				var xs, es []*big.Int
				for lane, n := range ns {
					bound := radix(s)
					if round%2 == 0 {
						bound = n
					}
					xs, es = append(xs, below(r, bound)), append(es, below(r, pow2(ebits)))
					if round == 3 {
						xs[lane] = add(radix(s), -1)
						es[lane] = add(pow2(ebits), -1)
					}
					setBig(x, lane, xs[lane])
					setBig(e, lane, es[lane])
				}
				if err := m.Exp(context.Background(), z, x, e, ebits); err != nil {
					t.Fatal(err)
				}
				for lane, n := range ns {
					wantLane(t, z, lane, new(big.Int).Exp(xs[lane], es[lane], n), "%#x^%#x mod %#x (%d bits)", xs[lane], es[lane], n, bits)
				}
			}
		}
	})
}

// TestPrepareWords checks the constants of exponentiations in words.
func TestPrepareWords(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		if _, ok := k.impl.(wordwise); !ok {
			t.Skip("not in words")
		}
		r := rand.New(rand.NewPCG(101, 102))
		for _, bits := range []int{1, 64, 65, 205, 208, 256, 512, 1024, 1037, 2048, 4096, MaxBits} {
			n := randomBig(r, bits)
			n.SetBit(n, 0, 1)
			m, err := k.NewModuli(bits, n.Bytes(), []byte{1})
			if err != nil {
				t.Fatal(err)
			}
			one := pow2(m.wordLen * words.WordBits)
			c := new(big.Int).Mul(one, radix(m.limbs))
			wantLane(t, m.toWords, 0, c.Mod(c, n), "R·R′ mod %#x", n)
			wantLane(t, m.toWords, 1, new(big.Int), "R·R′ mod 1")
			if got := wordsBig(m.wordOne[0]); got.Cmp(one.Mod(one, n)) != 0 {
				t.Errorf("R′ mod %#x is %#x, want %#x", n, got, one)
			}
		}
	})
}

// BenchmarkWords measures the operations on one number in 64-bit words in core
// cycles, where those can be counted.
func BenchmarkWords(b *testing.B) {
	meter := measure.NewMeter()
	for _, k := range Kernels() {
		w, ok := k.impl.(wordwise)
		if !ok {
			continue
		}
		for _, l := range []int{8, 16, 24, 32, 48, 64} {
			r := rand.New(rand.NewPCG(103, uint64(l)))
			x, y, n, t, table := wordPattern(r, l), wordPattern(r, l), wordPattern(r, l), make([]uint64, 2*l), make([]uint64, 32*l)
			n[0] |= 1
			ninv := words.NegInverse(n[0])
			for _, op := range []struct {
				name string
				f    func()
			}{
				{"product", func() { w.product(t, x, y) }},
				{"square", func() { w.square(t, x) }},
				{"reduce", func() { w.reduce(t[l:], t, n, ninv, ^uint64(0)) }},
				{"lookup32", func() { w.lookup(x, table, 13) }},
			} {
				b.Run(fmt.Sprintf("%s/%s/words=%d", k.Name(), op.name, l), func(b *testing.B) {
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
