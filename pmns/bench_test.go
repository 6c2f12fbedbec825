package pmns

import (
	"context"
	"math/rand/v2"
	"testing"
)

// benchmarkSystems runs f for the embedded sets and what the kernel in use has for them.
func benchmarkSystems(b *testing.B, f func(b *testing.B, s *System)) {
	k, err := Default()
	if err != nil {
		b.Fatal(err)
	}
	for _, name := range EmbeddedNames() {
		set := mustEmbedded(b, name)
		for v := Truncated; v <= Toeplitz; v++ {
			if v == Truncated || k.Has(set, v) {
				b.Run(name+"/"+v.String(), func(b *testing.B) { f(b, newTestSystem(b, k, set, v)) })
			}
		}
	}
}

func BenchmarkMul(b *testing.B) {
	benchmarkSystems(b, func(b *testing.B, s *System) {
		x, _ := s.random(b, rand.New(rand.NewPCG(1, 1)))
		sc := s.NewScratch()
		for b.Loop() {
			s.Mul(x, x, x, sc)
		}
	})
}

func BenchmarkSqr(b *testing.B) {
	benchmarkSystems(b, func(b *testing.B, s *System) {
		x, _ := s.random(b, rand.New(rand.NewPCG(1, 1)))
		sc := s.NewScratch()
		for b.Loop() {
			s.Sqr(x, x, 5, sc)
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/5, "ns/square")
	})
}

func BenchmarkExp(b *testing.B) {
	benchmarkSystems(b, func(b *testing.B, s *System) {
		x, _ := s.random(b, rand.New(rand.NewPCG(1, 1)))
		e := make([]byte, s.params.P.BitLen()/8)
		rand.NewChaCha8([32]byte{}).Read(e)
		for b.Loop() {
			if err := s.Exp(context.Background(), x, x, e, 8*len(e)); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkConversions(b *testing.B) {
	benchmarkSystems(b, func(b *testing.B, s *System) {
		x, _ := s.random(b, rand.New(rand.NewPCG(1, 1)))
		sc, out := s.NewScratch(), make([]byte, (s.params.P.BitLen()+7)/8)
		for b.Loop() {
			s.FillBytes(out, x, sc)
			s.SetBytes(x, out, sc)
		}
	})
}

func BenchmarkNewSystem(b *testing.B) {
	for _, name := range []string{"modp2048", "modp4096", "modp8192", "modp8192_21x8"} {
		b.Run(name, func(b *testing.B) {
			set := mustEmbedded(b, name)
			for b.Loop() {
				if _, err := NewSystem(set, Truncated); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
