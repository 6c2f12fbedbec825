package negacyclic

import (
	"crypto/mlkem"
	"math/rand/v2"
	"testing"
)

func benchPrime[W Word](b *testing.B, q int64) {
	r, err := NewPrime[W](q, 256)
	if err != nil {
		b.Fatal(err)
	}
	rnd := rand.New(rand.NewPCG(1, 1))
	x, y := polynomial[W](rnd, "random", q, 256), polynomial[W](rnd, "random", q, 256)
	z, scratch := make(Poly[W], 256), make([]W, r.MulScratch())
	b.Run("product", func(b *testing.B) {
		for b.Loop() {
			r.Mul(z, x, y, scratch)
		}
	})
	b.Run("transform", func(b *testing.B) {
		for b.Loop() {
			r.Transform(NTT[W](z), x)
		}
	})
	b.Run("inverse", func(b *testing.B) {
		for b.Loop() {
			r.Inverse(z, NTT[W](x))
		}
	})
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
	for _, method := range []Method{Toom4, Karatsuba} {
		r, err := NewPowerOfTwo[int16](13, 256, method)
		if err != nil {
			b.Fatal(err)
		}
		rnd := rand.New(rand.NewPCG(1, 1))
		x, y := polynomial[int16](rnd, "random", 1<<13, 256), polynomial[int16](rnd, "random", 1<<13, 256)
		z, scratch := make(Poly[int16], 256), make([]int16, r.ClassicScratch())
		b.Run(method.String(), func(b *testing.B) {
			for b.Loop() {
				r.Mul(z, x, y, scratch)
			}
		})
		b.Run(method.String()+"/classic", func(b *testing.B) {
			for b.Loop() {
				r.MulClassic(z, x, y, scratch)
			}
		})
	}
}
