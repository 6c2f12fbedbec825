package negacyclic

import (
	"math/rand/v2"
	"testing"
)

// TestPairsExtremes compares pairs with fractions on words and residues at the ends of their
// ranges, which is where sums grow most.
func TestPairsExtremes(t *testing.T) {
	rnd := rand.New(rand.NewPCG(6, 6))
	for _, q := range shortPrimes {
		for _, n := range []int{16, 64, 256} {
			for layers := range maxLayers(q, n) + 1 {
				p, err := NewPrimeBy[int16](Pairs, q, n, layers)
				if err != nil {
					continue
				}
				f, err := NewPrimeBy[int16](Fraction, q, n, layers)
				if err != nil {
					t.Fatal(err)
				}
				for trial := range 300 {
					ends := [2]int16{-1 << 15, 1<<15 - 1}
					back := trial%2 == 1
					if back {
						ends = [2]int16{0, int16(q - 1)}
					}
					x := make([]int16, n)
					period := 1 << rnd.IntN(9)
					flip := rnd.IntN(2)
					for i := range x {
						x[i] = ends[(i/period+flip)&1]
						if trial%8 > 3 {
							x[i] = ends[rnd.IntN(2)]
						}
						if trial%8 == 0 || trial%8 == 1 {
							x[i] = ends[1]
						}
					}
					y, z := make([]int16, n), make([]int16, n)
					if back {
						p.Inverse(y, x)
						f.Inverse(z, x)
					} else {
						p.Transform(y, x)
						f.Transform(z, x)
					}
					if !equal(t, "pairs and fractions", y, z) {
						t.Fatalf("q = %d, n = %d, %d layers", q, n, layers)
					}
				}
			}
		}
	}
}

// TestLargestSums adds many products of the largest residues, (q−1)² each, which is 1: a
// coefficient k of a product modulo X^d − γ is k + 1 + γ(d−1−k).
func TestLargestSums(t *testing.T) {
	eachPrime(t, testLargestSum[int16], testLargestSum[int32])
}

func testLargestSum[W Word](t *testing.T, r *Prime[W]) {
	const columns = 11
	x := make(NTT[W], r.n)
	for i := range x {
		x[i] = W(r.q - 1)
	}
	f := make(Factor[W], r.FactorLen())
	r.Factor(f, x)
	var a []NTT[W]
	var s []Factor[W]
	for range columns {
		a, s = append(a, x), append(s, f)
	}
	z := []NTT[W]{make(NTT[W], r.n)}
	r.MatVecNTT(z, a, s)
	want := make(NTT[W], r.n)
	for i := range want {
		gamma, k := int64(0), int64(i%r.d)
		if r.d > 1 {
			gamma = int64(r.gammas[i/r.d])
		}
		want[i] = W((k + 1 + gamma*(int64(r.d)-1-k)%r.q) % r.q * columns % r.q)
	}
	equal(t, "sum", z[0], want)
}
