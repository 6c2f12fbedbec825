package batch

import (
	"context"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"residue/internal/words"
)

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

func wordsBig(x []uint64) *big.Int {
	v := new(big.Int)
	for _, w := range slices.Backward(x) {
		v.Lsh(v, words.WordBits).Or(v, new(big.Int).SetUint64(w))
	}
	return v
}
