package barrett

import (
	"bytes"
	"math/big"
	"testing"

	"residue/batch"
)

// FuzzReduce compares reductions in both engines, with every number of folds, with
// math/big.
func FuzzReduce(f *testing.F) {
	f.Add([]byte{9}, []byte{7})
	f.Add(bytes.Repeat([]byte{255}, 24), append([]byte{128}, make([]byte, 15)...))
	f.Add(bytes.Repeat([]byte{255}, 300), bytes.Repeat([]byte{255}, 200))
	f.Fuzz(func(t *testing.T, xb, nb []byte) {
		n, x := new(big.Int).SetBytes(nb), new(big.Int).SetBytes(xb)
		bits := max(1, 8*len(nb), (8*len(xb)+1)/2)
		if n.Sign() == 0 || bits > 1600 {
			return
		}
		want := new(big.Int).Mod(x, n)
		for _, k := range Kernels() {
			for folds := range MaxFolds(bits) + 1 {
				m := newModulus(t, k, bits, n, folds)
				z := make([]uint64, m.k)
				m.Reduce(z, bigWords(x, 2*m.k), nil)
				if got := wordsBig(z); got.Cmp(want) != 0 {
					t.Errorf("%s, %d folds: %#x mod %#x = %#x, want %#x", k.Name(), folds, x, n, got, want)
				}
			}
			for folds := range LaneFolds(bits) + 1 {
				m := newModuli(t, k, bits, folds, []*big.Int{n, n})
				z, wide := batch.NewInts(m.Limbs()), batch.NewInts(2*m.Limbs())
				setBig(wide, 1, x)
				m.Reduce(z, wide, nil)
				if got := getBig(z, 1); got.Cmp(want) != 0 {
					t.Errorf("%s, lanes, %d folds: %#x mod %#x = %#x, want %#x", k.Name(), folds, x, n, got, want)
				}
			}
		}
	})
}
