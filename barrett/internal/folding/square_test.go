package folding

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// Sqr makes a machine with squares of reference.
func (m *reference) Sqr(z, x []uint64) { m.Mul(z, x, x) }

func TestSqr(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, width := range []uint{2, 4, 16} {
		m := &reference{t: t, width: width}
		for leaf := 1; leaf <= 5; leaf++ {
			for n := 1; n <= 13; n++ {
				for _, x := range m.numbers(r, n) {
					z, zEnd := m.buffer(2 * n)
					scratch, scratchEnd := m.buffer(SqrScratch(n, leaf))
					Sqr(m, leaf, z, m.words(x, n), scratch)
					zEnd()
					scratchEnd()
					if want := new(big.Int).Mul(x, x); m.big(z).Cmp(want) != 0 {
						t.Fatalf("leaf %d, %d words: %x² = %x, want %x", leaf, n, x, m.big(z), want)
					}
				}
			}
		}
		if m.overlaps {
			t.Error("a square shares memory with its root")
		}
	}
}
