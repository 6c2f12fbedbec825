package window

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestBits(t *testing.T) {
	r := rand.New(rand.NewPCG(61, 62))
	for range 2000 {
		e := make([]byte, r.IntN(20))
		for i := range e {
			e[i] = byte(r.Uint64())
		}
		from, n := r.IntN(200), r.IntN(10)
		v := new(big.Int).Rsh(new(big.Int).SetBytes(e), uint(from))
		want := v.And(v, big.NewInt(1<<n-1)).Uint64()
		if got := Bits(e, from, n); got != want {
			t.Fatalf("bits %d to %d of %x: %#x, want %#x", from, from+n-1, e, got, want)
		}
	}
}

// TestBest counts what exponentiations with the chosen and with all other widths cost.
func TestBest(t *testing.T) {
	for _, c := range []Cost{{1, 1, 0}, {1, 1, 0.03}, {1.3, 1, 0.01}, {1, 0.7, 0.2}} {
		for _, ebits := range []int{0, 1, 2, 17, 64, 255, 1024, 2048, 4096} {
			total := func(w int) float64 {
				t, left := 0.0, ebits
				for i := 2; i < 1<<w; i++ {
					if i%2 == 0 {
						t += c.Sqr
					} else {
						t += c.Mul
					}
				}
				entries := float64(int(1) << w)
				t += c.Entry * entries
				if left > 0 {
					left -= (left-1)%w + 1 // the first window
				}
				for ; left > 0; left -= w {
					t += float64(w)*c.Sqr + c.Entry*entries + c.Mul
				}
				return t
			}
			best := Best(ebits, c)
			for w := 1; w <= Widest; w++ {
				if total(w) < total(best)-(c.Mul+c.Sqr)/2-1e-9 { // the table's halves are averaged
					t.Errorf("%+v, %d bits: width %d costs %v, %d only %v", c, ebits, best, total(best), w, total(w))
				}
			}
		}
	}
}
