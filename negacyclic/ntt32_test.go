package negacyclic

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// primes32 are the prime of FIPS 204, and others at the ends of what kernels take and beyond.
var primes32 = []int64{8380417, 8383489, 8392193, 262657, 260609, 12289, 7681}

// TestVectors32 compares every kernel's transforms of 32-bit words with portable ones, for words
// and residues of every kind and for those that make sums the largest, in any place of memory.
func TestVectors32(t *testing.T) {
	for _, k := range Kernels() {
		for _, q := range primes32 {
			p, err := NewPrimeBy[int32](Fraction, q, n32, layers32)
			if q%(2*n32) != 1 || !isPrime(q) {
				t.Fatalf("%d is no prime for n = %d", q, n32)
			}
			if err != nil {
				t.Fatal(err)
			}
			v, err := NewPrimeOn[int32](k, q, n32)
			if err != nil {
				t.Fatal(err)
			}
			if v.vector != nil {
				t.Run(fmt.Sprintf("%s/%d", k.Name(), q), func(t *testing.T) { testVectors32(t, v, p) })
			}
		}
	}
}

func testVectors32(t *testing.T, v, p *Prime[int32]) {
	rnd := rand.New(rand.NewPCG(32, uint64(v.q)))
	place := func(words []int32) []int32 { // not aligned to more than a word
		skip := rnd.IntN(16)
		return append(make([]int32, skip, skip+len(words)), words...)[skip:]
	}
	random := func() []int32 { return place(polynomial[int32](rnd, "random", v.q, n32)) }
	scratch := place(make([]int32, max(v.MulScratch(), p.MulScratch())))
	want := make([]int32, n32)
	for kind := range kinds {
		x, y := place(polynomial[int32](rnd, kind, v.q, n32)), place(polynomial[int32](rnd, "any word", v.q, n32))
		z := place(make([]int32, n32))
		v.Transform(z, x)
		p.Transform(want, x)
		equal(t, kind, z, want)
		p.Mul(want, x, y, scratch)
		v.Mul(z, x, y, scratch)
		equal(t, kind+", product", z, want)
		for what, operand := range map[string][]int32{"first": x, "second": y} {
			copied := slices.Clone(operand)
			if what == "first" {
				v.Mul(copied, copied, y, scratch)
			} else {
				v.Mul(copied, x, copied, scratch)
			}
			equal(t, kind+", in place of the "+what, copied, want)
		}
		p.Mul(want, x, x, scratch)
		v.Mul(x, x, x, scratch)
		equal(t, kind+", square in place", x, want)
	}
	ends := []int32{0, int32(v.q - 1)}
	for trial := range 200 {
		x, bit := place(make([]int32, n32)), trial%9
		for i := range x {
			x[i] = ends[i>>bit&1]
			if trial > 100 {
				x[i] = ends[rnd.IntN(2)]
			}
		}
		z := place(make([]int32, n32))
		v.Inverse(z, x)
		p.Inverse(want, x)
		equal(t, "inverse of ends", z, want)
		v.Inverse(x, x)
		equal(t, "in place", x, want)
	}
	for _, count := range []int{1, 2, 15, 16, 17, 40} {
		var x []NTT[int32]
		var f, portable []Factor[int32]
		for j := range count {
			a, b := random(), random()
			if j%3 > 0 {
				for i := range a {
					a[i], b[i] = ends[1], ends[1]
				}
			}
			x, f, portable = append(x, a), append(f, place(make([]int32, n32))), append(portable, b)
			v.Factor(f[j], b)
		}
		z := random()
		v.MatVecNTT([]NTT[int32]{z}, x, f)
		p.MatVecNTT([]NTT[int32]{want}, x, portable)
		equal(t, "sum", z, want)
		v.MulAddNTT(z, x[0], f[0])
		p.MulAddNTT(want, x[0], portable[0])
		equal(t, "sum with another", z, want)
		v.MatVec([]Poly[int32]{z}, x, f)
		p.MatVec([]Poly[int32]{want}, x, portable)
		equal(t, "row", z, want)
	}
}

// TestFraction52 compares fractions with rational numbers, and the bounds that the proof of
// ntt32.go takes from the modulus.
func TestFraction52(t *testing.T) {
	rnd := rand.New(rand.NewPCG(52, 52))
	for _, q := range append(primes32, mostModulus32-1) {
		if q >= mostModulus32 {
			continue
		}
		for _, w := range []int64{0, 1, q / 2, q/2 + 1, q - 1, rnd.Int64N(q)} {
			exact := new(big.Int).Lsh(big.NewInt(w), 2*fractionBits)
			exact.Quo(exact, big.NewInt(q))
			f, tail := fractionAndTail(uint64(w), uint64(q))
			got := new(big.Int).SetUint64(f)
			got.Lsh(got, fractionBits).Add(got, new(big.Int).SetUint64(tail))
			if got.Cmp(exact) != 0 {
				t.Errorf("%d/%d: %d and %d, want %d", w, q, f, tail, exact)
			}
			exact.Add(exact, new(big.Int).Lsh(big.NewInt(1), fractionBits-1))
			if r := fraction52(uint64(w), uint64(q)); r != exact.Rsh(exact, fractionBits).Uint64() {
				t.Errorf("%d/%d: rounded %d, want %d", w, q, r, exact)
			}
		}
		half := int64(1) << (fractionBits - 1) / q
		// |b| of a sum, in halves of errors.
		for what, words := range map[string]int64{
			"layers 7 and 6": 7 * (1<<27 + q) / 2, "layers 1 and 0": 4 * 7 * q, "layers 6 and 7 back": 64 * q,
		} {
			if words/2 > half-1 {
				t.Errorf("q = %d: words of %d in a sum of %s", q, words, what)
			}
		}
		// The fraction of 1, for words at the ends, is within the same bound once its error in the
		// middle is taken off.
		off, _ := new(big.Float).Sub(new(big.Float).SetInt64(int64(fraction52(1, uint64(q)))),
			new(big.Float).Quo(big.NewFloat(1<<fractionBits), new(big.Float).SetInt64(q))).Float64()
		for _, b := range []int64{0, 1<<27 + q - 1} {
			e := float64(b)*off + float64(int64(halfAny52(uint64(q)))-half)
			if most := float64(1<<27+q)/4 + 2; e > most || e < -most {
				t.Errorf("q = %d: an error of %g for %d, want at most %g", q, e, b, most)
			}
		}
	}
}
