package batch

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestPieces multiplies numbers of different lengths, random ones and such of extreme
// parts.
func TestPieces(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(131, 132))
		for _, n := range []int{10, 12, 14, 15, 16, 18, 20, 24, 30, 40, 60, 80, 160} {
			for _, pieces := range []int{1, 2, 3, 4, 5, 16} {
				if n*pieces > 400 && pieces > 2 {
					continue
				}
				x, y, z, sc := NewInts(n*pieces), NewInts(n), NewInts(n*pieces+n), NewScratch(n)
				for range 3 {
					var xs, ys [Lanes]*big.Int
					for lane := range Lanes {
						xs[lane], ys[lane] = partsOf(r, len(x), pieces), partsOf(r, n, 1)
						if lane%2 == 0 {
							xs[lane], ys[lane] = below(r, radix(len(x))), below(r, radix(n))
						}
						setBig(x, lane, xs[lane])
						setBig(y, lane, ys[lane])
					}
					k.MulPieces(z, litter(r, x, Lanes), litter(r, y, Lanes), sc)
					for lane := range Lanes {
						wantLane(t, z, lane, new(big.Int).Mul(xs[lane], ys[lane]), "%#x · %#x", xs[lane], ys[lane])
					}
				}
			}
		}
	})
}

func TestPiecesPanics(t *testing.T) {
	k := Kernels()[0]
	for _, n := range [][3]int{{8, 8, 16}, {15, 10, 25}, {20, 10, 20}, {170, 10, 180}, {0, 10, 10}, {22, 11, 33}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v digits: no panic", n)
				}
			}()
			k.MulPieces(NewInts(n[2]), NewInts(n[0]), NewInts(n[1]), nil)
		}()
	}
}
