package kerneltest

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestKaratsuba squares numbers that are halved up to four times, and compares the
// results with math/big and the traces with one another. Run 1 has all digits ones,
// so that every sum of halves has a carry, in every lane.
func TestKaratsuba(t *testing.T) {
	for _, kernel := range []string{"ifma512", "ifma256"} {
		if routines(t, kernel) == nil {
			continue
		}
		t.Run(kernel, func(t *testing.T) {
			for _, width := range squareTiles {
				for _, tiles := range []int{4, 8, 16} {
					s := shape{width, tiles}
					t.Run(s.String(), func(t *testing.T) { testKaratsuba(t, kernel, s) })
				}
			}
		})
	}
}

func testKaratsuba(t *testing.T, kernel string, s shape) {
	b := newBatch(t, kernel, s, 4)
	x, z := b.Ints("x", b.Limbs), b.Ints("z", b.Limbs)
	r := rand.New(rand.NewPCG(83, uint64(s.limbs())))
	square := func(run int) error {
		secrets := newSecrets(run)
		n := each(b.Lanes, func(int) *big.Int { return secrets.modulus(digitBits*b.Limbs - 3) })
		b.SetModuli(n)
		v := each(b.Lanes, func(int) *big.Int { return secrets.below(pow2(digitBits*b.Limbs - 1)) })
		if run > 1 { // every other half, and then some
			for lane := range v {
				half := digitBits * b.Limbs >> (1 + lane%4)
				v[lane].Rsh(v[lane], uint(r.IntN(half)))
				v[lane].Or(v[lane], minus(pow2(half), 1))
			}
		}
		b.Set(x, v, secrets.litter)
		if err := b.SqrMont("", z, x, 1); err != nil {
			return err
		}
		want(t, "a square", z, func(lane int) *big.Int {
			return montgomery(new(big.Int).Mul(v[lane], v[lane]), n[lane], digitBits*b.Limbs)
		})
		return nil
	}
	do(t, square(2)) // with marks: no branch and no address depends on a secret
	b.Public = true
	if err := b.SameTraces(runs, square); err != nil {
		t.Error(err)
	}
	aboutCPU(t, b.Lab)
}
