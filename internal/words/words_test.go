package words

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

func toBig(x []uint64) *big.Int {
	z := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		z.Lsh(z, 64).Or(z, new(big.Int).SetUint64(x[i]))
	}
	return z
}

// fromBig returns v in n words; it must fit.
func fromBig(n int, v *big.Int) []uint64 {
	x := make([]uint64, n)
	if !SetBytes(x, v.Bytes()) {
		panic("too large")
	}
	return x
}

// extreme returns values that fit n words: 0, 1, 2^k and 2^k ± 1, all ones, runs
// of ones and zeros, and random values of random lengths.
func extreme(r *rand.Rand, n int) []*big.Int {
	one := big.NewInt(1)
	vs := []*big.Int{new(big.Int), one}
	add := func(v *big.Int) {
		if v.Sign() >= 0 && v.BitLen() <= 64*n {
			vs = append(vs, v)
		}
	}
	for _, k := range []int{1, 31, 32, 63, 64, 65, 127, 128, 64*n - 65, 64*n - 64, 64*n - 63, 64*n - 1, 64 * n} {
		if k < 1 {
			continue
		}
		p := new(big.Int).Lsh(one, uint(k))
		add(p)
		add(new(big.Int).Sub(p, one))
		add(new(big.Int).Add(p, one))
	}
	for range 6 {
		v := new(big.Int)
		for range n {
			v.Lsh(v, 64)
			w := r.Uint64()
			switch r.IntN(4) {
			case 0:
				w = 0
			case 1:
				w = ^uint64(0)
			case 2:
				w = 1 << 63
			}
			v.Or(v, new(big.Int).SetUint64(w))
		}
		add(v)
		add(new(big.Int).Rsh(v, uint(r.IntN(64*n))))
	}
	return vs
}

func TestMod(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, ln := range []int{1, 2, 3, 4, 5, 8, 13} {
		for _, lx := range []int{0, 1, 2, 3, 4, 5, 9, 17, 26} {
			for _, n := range extreme(r, ln) {
				if n.Sign() == 0 {
					continue
				}
				xs := extreme(r, max(lx, 1))
				for _, k := range extreme(r, max(lx-ln, 1)) {
					m := new(big.Int).Mul(n, k)
					xs = append(xs, m, new(big.Int).Sub(m, big.NewInt(1)), new(big.Int).Add(m, big.NewInt(1)))
				}
				for _, x := range xs {
					if x.Sign() < 0 || x.BitLen() > 64*lx {
						continue
					}
					got := make([]uint64, ln)
					Mod(got, fromBig(lx, x), fromBig(ln, n))
					if want := new(big.Int).Mod(x, n); toBig(got).Cmp(want) != 0 {
						t.Fatalf("%d by %d words: %#x mod %#x = %#x, want %#x", lx, ln, x, n, toBig(got), want)
					}
				}
			}
		}
	}
}

func TestModPow2(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, ln := range []int{1, 2, 3, 5, 8} {
		for _, n := range extreme(r, ln) {
			if n.Sign() == 0 {
				continue
			}
			for _, k := range []int{0, 1, 51, 52, 63, 64, 65, 64*ln - 1, 64 * ln, 64*ln + 1, 128 * ln, 128*ln + 52} {
				got := make([]uint64, ln)
				ModPow2(got, k, fromBig(ln, n))
				want := new(big.Int).Lsh(big.NewInt(1), uint(k))
				if want.Mod(want, n); toBig(got).Cmp(want) != 0 {
					t.Fatalf("2^%d mod %#x = %#x, want %#x", k, n, toBig(got), want)
				}
			}
		}
	}
}

func TestModDoesNotCrashForZero(t *testing.T) {
	for n := range 4 {
		Mod(make([]uint64, n), []uint64{1, 2, 3}, make([]uint64, n))
		ModPow2(make([]uint64, n), 100, make([]uint64, n))
	}
}
