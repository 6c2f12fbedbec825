package batch

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestExpQuick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, k := range Kernels() {
		for _, bits := range []int{1, 2, 64, 200, 512, 1024, 2048} {
			rb := func(b int) *big.Int {
				v := new(big.Int)
				for range b/32 + 1 {
					v.Lsh(v, 32).Or(v, big.NewInt(int64(r.Uint32())))
				}
				return v.Rsh(v, uint(v.BitLen()-min(v.BitLen(), b)))
			}
			var ns [][]byte
			var bn, bx, be [8]*big.Int
			x, e := NewInts(Limbs(bits)), NewInts(bits/52+1)
			for l := range 8 {
				bn[l] = rb(bits)
				bn[l].SetBit(bn[l], 0, 1)
				bx[l], be[l] = rb(bits), rb(bits)
				ns = append(ns, bn[l].Bytes())
				x.SetBytes(l, bx[l].Bytes())
				e.SetBytes(l, be[l].Bytes())
			}
			m, err := k.NewModuli(bits, ns...)
			if err != nil {
				t.Fatal(err)
			}
			z := NewInts(m.Limbs())
			if err := m.Exp(context.Background(), z, x, e, bits); err != nil {
				t.Fatal(err)
			}
			for l := range 8 {
				b := make([]byte, bits/8+1)
				z.FillBytes(l, b)
				got, want := new(big.Int).SetBytes(b), new(big.Int).Exp(bx[l], be[l], bn[l])
				if got.Cmp(want) != 0 {
					t.Fatalf("%s %d bits lane %d: %#x^%#x mod %#x = %#x, want %#x", k.Name(), bits, l, bx[l], be[l], bn[l], got, want)
				}
			}
		}
	}
}
func BenchmarkExp1(b *testing.B) {
	bits := 2048
	n := new(big.Int).Lsh(big.NewInt(1), uint(bits))
	n.Sub(n, big.NewInt(1234567))
	xx := new(big.Int).Rsh(n, 1)
	b.Run("generic", func(b *testing.B) {
		m, _ := NewModuli(bits, n.Bytes())
		x, e, z := NewInts(m.limbs), NewInts(m.limbs), NewInts(m.limbs)
		x.SetBytes(0, xx.Bytes())
		e.SetBytes(0, xx.Bytes())
		for b.Loop() {
			m.Exp(context.Background(), z, x, e, bits)
		}
	})
	b.Run("big", func(b *testing.B) {
		for b.Loop() {
			new(big.Int).Exp(xx, xx, n)
		}
	})
}
