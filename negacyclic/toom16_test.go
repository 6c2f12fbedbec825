package negacyclic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// eachToom16 runs f for Saber's ring, and with other moduli, on every kernel.
func eachToom16(t *testing.T, f func(t *testing.T, r *PowerOfTwo[int16])) {
	for _, kernel := range Kernels() {
		for _, k := range []int{1, 13} {
			r, err := NewPowerOfTwoOn[int16](kernel, k, 256, Toom4)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprintf("%s/k=%d", kernel.Name(), k), func(t *testing.T) { f(t, r) })
		}
	}
}

// TestToom16 compares products of all pairs of kinds of polynomials with the schoolbook
// method. No slice is aligned.
func TestToom16(t *testing.T) {
	eachToom16(t, func(t *testing.T, r *PowerOfTwo[int16]) {
		rnd := rand.New(rand.NewPCG(16, uint64(r.k)))
		q := int64(1) << r.k
		scratch := littered[int16](rnd, r.MulScratch()+1)[1:]
		for kind := range kinds {
			for other := range kinds {
				x, y := polynomial[int16](rnd, kind, q, 256), polynomial[int16](rnd, other, q, 257)[1:]
				x0, y0 := slices.Clone(x), slices.Clone(y)
				z := Poly[int16](littered[int16](rnd, 256))
				r.Mul(z, x, y, scratch)
				if !equal(t, kind+"·"+other, z, reference(q, x, y)) {
					return
				}
				equal(t, "first operand afterwards", x, x0)
				equal(t, "second operand afterwards", y, y0)
			}
		}
	})
}
