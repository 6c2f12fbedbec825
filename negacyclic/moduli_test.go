package negacyclic

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestModuli16 compares the vectors' 16-bit transforms and products with portable ones for every
// prime that a kernel takes, and says which those must be.
func TestModuli16(t *testing.T) {
	for _, k := range Kernels() {
		var taken []int64
		for q := int64(1<<8 + 1); q < 1<<15; q += 1 << 8 {
			if !isPrime(q) {
				continue
			}
			v, err := newPrimeOn[int16](k, q, n16, layers16)
			if err != nil {
				t.Fatal(err)
			}
			if v.vector == nil {
				continue
			}
			taken = append(taken, q)
			t.Run(fmt.Sprintf("%s/%d", k.Name(), q), func(t *testing.T) { compareAtEnds(t, v) })
		}
		for _, q := range []int64{257, 769, 3329, 7681} {
			if v, _ := newPrimeOn[int16](k, 3329, n16, layers16); v.vector != nil && !slices.Contains(taken, q) {
				t.Errorf("%s does not take %d", k.Name(), q)
			}
		}
	}
}

// TestModuli32 does the same in words of 32 bits, for the least and the largest primes that a
// kernel takes and some between. Beyond 2^23 it takes none.
func TestModuli32(t *testing.T) {
	for _, k := range Kernels() {
		var taken []int64
		for q := int64(1<<9 + 1); q < 1<<24; q += 1 << 9 {
			if isPrime(q) && vectorsFor[int32](k, q, n32, layers32) != nil {
				taken = append(taken, q)
			}
		}
		if len(taken) == 0 {
			continue
		}
		if last := taken[len(taken)-1]; last != 8383489 {
			t.Errorf("%s takes moduli up to %d, want 8383489", k.Name(), last)
		}
		for i, q := range taken {
			if i > 3 && i < len(taken)-4 && i%151 > 0 {
				continue
			}
			v, err := NewPrimeOn[int32](k, q, n32)
			if err != nil {
				t.Fatal(err)
			}
			t.Run(fmt.Sprintf("%s/%d", k.Name(), q), func(t *testing.T) { compareAtEnds(t, v) })
		}
	}
}

// compareAtEnds compares a ring with one by fractions, for words and residues at the ends of
// their ranges: in runs, at random, and with the signs of the powers of a root of unity, by which
// one residue becomes a sum of terms of one sign.
func compareAtEnds[W Word](t *testing.T, v *Prime[W]) {
	p, err := NewPrimeBy[W](Fraction, v.q, v.n, v.layers)
	if err != nil {
		t.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(uint64(v.q), 5))
	root := rootOfUnity(1<<v.layers, v.q)
	const trials = 24
	ends := func(least, most W, trial int) []W {
		x, z, c := make([]W, v.n), power(root, rnd.Int64N(int64(2*v.n)), v.q), rnd.Int64N(v.q)
		for i := range x {
			var high bool
			switch trial % 3 {
			case 0:
				high = (i>>(trial/3)^trial/3)&1 == 0
			case 1:
				high = rnd.IntN(2) == 0
			default:
				high, c = 2*c < v.q, c*z%v.q
			}
			if x[i] = least; high {
				x[i] = most
			}
		}
		return x
	}
	least := W(-1) << (wordBits[W]() - 1)
	words := func(trial int) []W { return ends(least, -least-1, trial) }
	residues := func(trial int) []W { return ends(0, W(v.q-1), trial) }
	z, want := make([]W, v.n), make([]W, v.n)
	for trial := range trials {
		x, y := words(trial), words(rnd.IntN(trials))
		v.Transform(z, x)
		p.Transform(want, x)
		equal(t, "transform", z, want)
		v.Mul(z, x, y, make([]W, v.MulScratch()))
		p.Mul(want, x, y, make([]W, p.MulScratch()))
		equal(t, "product", z, want)
		h := residues(trial)
		v.Inverse(z, h)
		p.Inverse(want, h)
		equal(t, "back", z, want)
	}
	// Sums of as many products as the vectors add, and of one more and less: all of them of the
	// largest residues, and of any of ends.
	for _, count := range []int{v.vector.most() - 1, v.vector.most(), v.vector.most() + 1} {
		for _, mixed := range []bool{false, true} {
			var x []NTT[W]
			var f, g []Factor[W]
			var prepared, portable []Prepared[W]
			var s []Poly[W]
			for range count {
				a, b := make([]W, v.n), make([]W, v.n)
				for i := range a {
					a[i], b[i] = W(v.q-1), W(v.q-1)
				}
				if mixed {
					a, b = residues(rnd.IntN(trials)), residues(rnd.IntN(trials))
				}
				x, s = append(x, a), append(s, words(rnd.IntN(trials)))
				f, g = append(f, make([]W, v.FactorLen())), append(g, make([]W, p.FactorLen()))
				v.Factor(f[len(f)-1], b)
				p.Factor(g[len(g)-1], b)
				prepared, portable = append(prepared, make([]W, v.PreparedLen())), append(portable, make([]W, p.PreparedLen()))
				v.Prepare(prepared[len(f)-1], b)
				p.Prepare(portable[len(g)-1], b)
			}
			rows, wants := []Poly[W]{z}, []Poly[W]{want}
			v.MatVec(rows, x, f)
			p.MatVec(wants, x, g)
			equal(t, "row", z, want)
			v.MatVecPrepared(rows, prepared, s, make([]W, v.MatVecPreparedScratch(count)))
			p.MatVecPrepared(wants, portable, s, make([]W, p.MatVecPreparedScratch(count)))
			equal(t, "row of a prepared matrix", z, want)
			copy(z, residues(1))
			copy(want, z)
			for j := range x {
				v.MulAddNTT(NTT[W](z), x[j], f[j])
				p.MulAddNTT(NTT[W](want), x[j], g[j])
			}
			equal(t, "sum", z, want)
		}
	}
}

// TestBounds16 compares the bounds of ntt16.go with the largest results there are, of all words.
func TestBounds16(t *testing.T) {
	high := func(x, y int16) int16 { return int16(int32(x) * int32(y) >> 16) }
	for _, q := range []int64{257, 769, 3329, 7681, 7937} {
		b := newBounds16(q)
		var most [17]int64 // of times, for words of up to 2^i
		var small int64
		for _, z := range zetas(q, layers16) {
			c := newConstant16(z, q)
			for v := -1 << 15; v < 1<<15; v++ {
				w := int16(v)
				r := int64(high(w, c.w)) - int64(high(w*c.companion, int16(q)))
				if z == 1 && ((r<<16)-int64(v)*int64(c.w))%q != 0 {
					t.Fatalf("q = %d: %d times 1 is %d", q, v, r)
				}
				i := 0
				for 1<<i < max(v, -v) {
					i++
				}
				most[i] = max(most[i], r, -r)
			}
		}
		for i, m := range most {
			if bound := b.times(1 << i); m > bound {
				t.Errorf("q = %d: times of words up to 2^%d is up to %d, above the bound of %d", q, i, m, bound)
			}
		}
		for v := int64(-1 << 15); v < 1<<15; v++ {
			r := v - q*((v*int64(small16(q))+1<<14)>>15)
			small = max(small, r, -r)
		}
		if small > b.small {
			t.Errorf("q = %d: words are made as small as %d, above the bound of %d", q, small, b.small)
		}
	}
}
