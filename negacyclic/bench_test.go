package negacyclic

import (
	"crypto/mlkem"
	"math/rand/v2"
	"testing"

	"residue/internal/cpu"
)

func benchPrime[W Word](b *testing.B, q int64) {
	for _, k := range Kernels() {
		r, err := NewPrimeOn[W](k, q, 256)
		if err != nil {
			b.Fatal(err)
		}
		if r.vector == nil && k.Name() != cpu.Generic {
			continue
		}
		b.Run(k.Name(), func(b *testing.B) { benchRing(b, r) })
	}
}

func benchRing[W Word](b *testing.B, r *Prime[W]) {
	const l = 3
	rnd := rand.New(rand.NewPCG(1, 1))
	random := func() Poly[W] { return polynomial[W](rnd, "random", r.q, r.n) }
	x, y, z, scratch := random(), random(), random(), make([]W, r.MulScratch())
	var a []NTT[W]
	var fs []Factor[W]
	var ps []Prepared[W]
	var s, t []Poly[W]
	for i := range l * l {
		a = append(a, NTT[W](random()))
		fs = append(fs, make(Factor[W], r.FactorLen()))
		r.Factor(fs[i], a[i])
		ps = append(ps, make(Prepared[W], r.PreparedLen()))
		r.Prepare(ps[i], a[i])
	}
	for range l {
		s, t = append(s, random()), append(t, random())
	}
	vector := make([]W, r.MatVecPreparedScratch(l))
	for _, op := range []struct {
		name string
		f    func()
	}{
		{"product", func() { r.Mul(z, x, y, scratch) }},
		{"transform", func() { r.Transform(NTT[W](z), x) }},
		{"inverse", func() { r.Inverse(z, NTT[W](x)) }},
		{"factor", func() { r.Factor(fs[0], a[0]) }},
		{"product of residues", func() { r.MulNTT(NTT[W](z), a[0], fs[0]) }},
		{"matrix l=3, prepared", func() { r.MatVecPrepared(t, ps, s, vector) }},
		{"matrix l=3, residues", func() { r.MatVec(t, a, fs[:l]) }},
	} {
		b.Run(op.name, func(b *testing.B) {
			for b.Loop() {
				op.f()
			}
		})
	}
}

func BenchmarkPrime(b *testing.B) {
	b.Run("q=3329", func(b *testing.B) { benchPrime[int16](b, 3329) })
	b.Run("q=8380417", func(b *testing.B) { benchPrime[int32](b, 8380417) })
}

// BenchmarkMLKEM is the standard library's decapsulation, the nearest that can be called to
// its transforms, which are internal. It has 7 transforms forward and 5 back of ML-KEM-768,
// 18 products in their domain, and hashing and sampling.
func BenchmarkMLKEM(b *testing.B) {
	key, err := mlkem.GenerateKey768()
	if err != nil {
		b.Fatal(err)
	}
	_, ciphertext := key.EncapsulationKey().Encapsulate()
	for b.Loop() {
		if _, err := key.Decapsulate(ciphertext); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPowerOfTwo(b *testing.B) {
	rnd := rand.New(rand.NewPCG(1, 1))
	x, y := polynomial[int16](rnd, "random", 1<<13, 256), polynomial[int16](rnd, "random", 1<<13, 256)
	z := make(Poly[int16], 256)
	for _, method := range []Method{Toom4, Karatsuba} {
		for _, k := range Kernels() {
			r, err := NewPowerOfTwoOn[int16](k, 13, 256, method)
			if err != nil {
				b.Fatal(err)
			}
			if r.Kernel() != k.Name() {
				continue
			}
			scratch := make([]int16, max(r.MulScratch(), r.ClassicScratch()))
			b.Run(method.String()+"/"+k.Name(), func(b *testing.B) {
				for b.Loop() {
					r.Mul(z, x, y, scratch)
				}
			})
			if k.Name() == cpu.Generic {
				b.Run(method.String()+"/classic", func(b *testing.B) {
					for b.Loop() {
						r.MulClassic(z, x, y, scratch)
					}
				})
			}
		}
	}
}

// BenchmarkSaber is of matrices of Saber, with l = 3 and secrets of at most 4, and of one
// product.
func BenchmarkSaber(b *testing.B) {
	for _, k := range Kernels() {
		b.Run("primes/"+k.Name(), func(b *testing.B) { benchSaberByPrimes(b, k) })
	}
}

func benchSaberByPrimes(b *testing.B, k *Kernel) {
	const l = 3
	c := exactCase{k: 13, n: 256, sums: l, most: 4}
	r, err := NewByPrimesOn[int16](k, c.k, c.n, c.sums, c.most)
	if err != nil {
		b.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	var a, z []Poly[int16]
	var es []Evaluated[int16]
	var fs []Factor[int16]
	s := second[int16](rnd, "random", c)
	scratch := make([]int16, max(r.MulScratch(), r.MatVecPolyScratch(l), r.FactorScratch()))
	for i := range l * l {
		a, es = append(a, polynomial[int16](rnd, "random", 1<<c.k, c.n)), append(es, make(Evaluated[int16], r.EvaluatedLen()))
		r.Evaluate(es[i], a[i])
	}
	for range l {
		z, fs = append(z, make(Poly[int16], c.n)), append(fs, make(Factor[int16], r.FactorLen()))
	}
	ss := []Poly[int16]{s, s, s}
	for _, op := range []struct {
		name string
		f    func()
	}{
		{"product", func() { r.Mul(z[0], a[0], s, scratch) }},
		{"matrix, coefficients", func() {
			r.Factors(fs, ss, scratch)
			r.MatVecPoly(z, a, fs, scratch)
		}},
		{"matrix, evaluated", func() {
			r.Factors(fs, ss, scratch)
			r.MatVec(z, es, fs, scratch)
		}},
	} {
		b.Run(op.name, func(b *testing.B) {
			for b.Loop() {
				op.f()
			}
		})
	}
}
