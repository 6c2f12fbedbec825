package words

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestMulLow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for n := 1; n <= 7; n++ {
		mod := new(big.Int).Lsh(big.NewInt(1), uint(64*n))
		for _, x := range extreme(r, n) {
			for _, y := range extreme(r, n) {
				z := make([]uint64, n)
				MulLow(z, fromBig(n, x), fromBig(n, y))
				want := new(big.Int).Mul(x, y)
				if got := toBig(z); got.Cmp(want.Mod(want, mod)) != 0 {
					t.Fatalf("%d words: %x·%x = %x, want %x", n, x, y, got, want)
				}
			}
			z := make([]uint64, n)
			sqrLow(z, fromBig(n, x))
			want := new(big.Int).Mul(x, x)
			if got := toBig(z); got.Cmp(want.Mod(want, mod)) != 0 {
				t.Fatalf("%d words: %x² = %x, want %x", n, x, got, want)
			}
		}
	}
}

func TestInversePow2(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, k := range []int{1, 2, 3, 5, 31, 63, 64, 65, 127, 128, 129, 200, 320, 333} {
		mod := new(big.Int).Lsh(big.NewInt(1), uint(k))
		for _, x := range extreme(r, Len(k)) {
			x.SetBit(x, 0, 1)
			z := make([]uint64, Len(k))
			InversePow2(z, fromBig(Len(k), x), k)
			if got, want := toBig(z), new(big.Int).ModInverse(x, mod); got.Cmp(want) != 0 {
				t.Fatalf("1/%x mod 2^%d = %x, want %x", x, k, got, want)
			}
		}
	}
}

func TestExpPow2(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, k := range []int{1, 2, 3, 4, 5, 6, 31, 62, 63, 64, 65, 66, 67, 68, 127, 128, 130, 200} {
		mod := new(big.Int).Lsh(big.NewInt(1), uint(k))
		scratch := make([]uint64, Pow2Scratch(k))
		for _, x := range extreme(r, Len(k)) {
			for _, words := range []int{1, 2, 5} {
				for _, e := range append(extreme(r, words), big.NewInt(0), big.NewInt(int64(k)), big.NewInt(2)) {
					if Len(e.BitLen()) > words {
						continue
					}
					z := fromBig(Len(k), x)
					if !ExpPow2(z, z, fromBig(words, e), k, scratch, nil) {
						t.Fatal("stopped without a reason")
					}
					if got, want := toBig(z), new(big.Int).Exp(x, e, mod); got.Cmp(want) != 0 {
						t.Fatalf("%x^%x mod 2^%d = %x, want %x", x, e, k, got, want)
					}
				}
			}
		}
	}
}

func TestExpPow2Stops(t *testing.T) {
	done := make(chan struct{})
	close(done)
	z := []uint64{3}
	if ExpPow2(z, z, []uint64{1 << 63}, 64, make([]uint64, Pow2Scratch(64)), done) {
		t.Error("a closed channel does not stop it")
	}
}
