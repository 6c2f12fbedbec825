package words

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestInverseOdd(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	one := big.NewInt(1)
	for _, n := range []int{1, 2, 3, 4, 5, 8} {
		scratch := make([]uint64, InverseScratch(n))
		moduli := append(extreme(r, n), big.NewInt(1), big.NewInt(3), big.NewInt(15))
		for _, m := range moduli {
			m = new(big.Int).SetBit(m, 0, 1)
			xs := append(extreme(r, n), big.NewInt(0), one, big.NewInt(3), new(big.Int).Sub(m, one),
				new(big.Int).Div(m, big.NewInt(3)))
			for _, x := range xs {
				x = new(big.Int).Mod(x, m)
				z := fromBig(n, x)
				ok := InverseOdd(z, z, fromBig(n, m), scratch)
				want := new(big.Int).ModInverse(x, m)
				if ok != (want != nil) {
					t.Fatalf("1/%x mod %x: there is an inverse: %v, want %x", x, m, ok, want)
				}
				if got := toBig(z); ok && got.Cmp(want) != 0 {
					t.Fatalf("1/%x mod %x = %x, want %x", x, m, got, want)
				}
			}
		}
	}
}

func FuzzInverseOdd(f *testing.F) {
	f.Add([]byte{3}, []byte{7})
	f.Add([]byte{6}, []byte{1, 0, 0, 0, 0, 0, 0, 0, 1})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		if len(a) > 64 || len(b) > 64 || len(b) == 0 {
			t.Skip()
		}
		m := new(big.Int).SetBytes(b)
		m.SetBit(m, 0, 1)
		x := new(big.Int).SetBytes(a)
		x.Mod(x, m)
		n := Len(m.BitLen())
		z := fromBig(n, x)
		ok := InverseOdd(z, z, fromBig(n, m), make([]uint64, InverseScratch(n)))
		want := new(big.Int).ModInverse(x, m)
		if ok != (want != nil) || ok && toBig(z).Cmp(want) != 0 {
			t.Fatalf("1/%x mod %x = %x, %v, want %x", x, m, toBig(z), ok, want)
		}
	})
}

func BenchmarkInverseOdd2048(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 5))
	const n = 32
	m, x, z := make([]uint64, n), make([]uint64, n), make([]uint64, n)
	for i := range m {
		m[i], x[i] = r.Uint64(), r.Uint64()
	}
	m[0] |= 1
	m[n-1] |= 1 << 63
	Mod(x, x, m)
	scratch := make([]uint64, InverseScratch(n))
	for b.Loop() {
		InverseOdd(z, x, m, scratch)
	}
}
