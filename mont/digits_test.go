package mont

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 22))
	for range 3000 {
		k := 48 + r.IntN(6)
		d := make([]uint64, 1+r.IntN(30))
		w := make([]uint64, 1+r.IntN(20))
		v := randomBig(r, 64*len(w))
		copy(w, bigWords(v, len(w)))
		split(d, w, k)
		for i, x := range d {
			if x>>k != 0 {
				t.Fatalf("digit %d of %d bits is %#x", i, k, x)
			}
		}
		want := new(big.Int).Mod(v, pow2(k*len(d)))
		if got := bigDigits(d, k); got.Cmp(want) != 0 {
			t.Fatalf("digits of %d bits of %#x: %#x", k, v, got)
		}

		// Redundant ones, up to the widest, whose carries run far.
		for i := range d {
			switch r.IntN(4) {
			case 0:
				d[i] = 1<<63 - 1
			case 1:
				d[i] = 1<<k - 1
			case 2:
				d[i] = r.Uint64() >> 1
			}
		}
		v = bigDigits(d, k)
		for i := range d {
			d[i] |= r.Uint64() & (1 << 63) // does not count
		}
		join(w, d, k, 63)
		want.Mod(v, pow2(min(64*len(w), k*len(d))))
		if got := wordsBig(w); got.Cmp(want) != 0 {
			t.Fatalf("the number of %d digits of %d bits, %#x, in %d words: %#x", len(d), k, v, len(w), got)
		}
	}
}
