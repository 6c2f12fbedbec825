package residue

import (
	"context"
	"math/big"
	"math/rand/v2"
	"testing"
)

func TestQuick(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rnd := func(bits int) *big.Int {
		b := make([]byte, (bits+7)/8)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		x := new(big.Int).SetBytes(b)
		return x.Rsh(x, uint(8*len(b)-bits))
	}
	var ms, xs, ys []*big.Int
	for range 300 {
		m := rnd(1 + r.IntN(700))
		m.Add(m, big.NewInt(1))
		if r.IntN(2) == 0 {
			m.Lsh(m, uint(r.IntN(100)))
		}
		x, y := rnd(r.IntN(1000)), rnd(r.IntN(300))
		if r.IntN(3) == 0 {
			x.Neg(x)
		}
		if r.IntN(3) == 0 {
			y.Neg(y)
		}
		ms, xs, ys = append(ms, m), append(xs, x), append(ys, y)
	}
	zs, err := ExpBatchBig(context.Background(), ms, xs, ys)
	t.Log(err)
	for i, z := range zs {
		want := new(big.Int).Exp(xs[i], ys[i], ms[i])
		if y := ys[i]; y.Sign() < 0 {
			inv := new(big.Int).ModInverse(new(big.Int).Mod(xs[i], ms[i]), ms[i])
			want = nil
			if inv != nil && ms[i].Cmp(big.NewInt(1)) != 0 {
				want = inv.Exp(inv, new(big.Int).Neg(y), ms[i])
			}
		}
		if (z == nil) != (want == nil) || z != nil && z.Cmp(want) != 0 {
			t.Errorf("row %d: %x^%x mod %x = %x, want %x", i, xs[i], ys[i], ms[i], z, want)
		}
	}
}
