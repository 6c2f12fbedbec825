package mont

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"residue/internal/measure"
	"residue/internal/memory"
	"residue/internal/words"
)

// reportCycles measures f in core cycles, where those can be counted.
func reportCycles(b *testing.B, meter *measure.Meter, f func()) {
	b.Helper()
	for b.Loop() {
		f()
	}
	if b.N > 1 && meter.MaddsPerCycle() > 0 {
		b.ReportMetric(meter.Measure(measure.Effort{Time: 50 * time.Millisecond, Most: 500 * time.Millisecond}, f).Cycles, "cycles")
	}
}

func benchModulus(b *testing.B, k *Kernel, bits int) (*Modulus, *big.Int) {
	r := rand.New(rand.NewPCG(51, uint64(bits)))
	n := new(big.Int).SetBit(pow2(bits-1), 0, 1)
	for i := 1; i < bits-1; i++ {
		n.SetBit(n, i, uint(r.IntN(2)))
	}
	return newModulus(b, k, bits, n), n
}

// BenchmarkArithmetic measures the operations, each on the result of the last.
func BenchmarkArithmetic(b *testing.B) {
	meter := measure.NewMeter()
	for _, k := range Kernels() {
		for _, bits := range []int{256, 320, 384, 512, 1024, 2048, 3072, 4096, 8192} {
			if k.Engine(bits) != k.Name() {
				continue // as fast as the kernel that does it
			}
			m, n := benchModulus(b, k, bits)
			x, y, sc := m.NewInt(), m.NewInt(), m.NewScratch()
			m.SetBytes(x, add(n, -2).Bytes(), sc)
			m.SetBytes(y, add(n, -3).Bytes(), sc)
			table, z := memory.Aligned(32*m.number), memory.Aligned(m.number)
			for i := range table { // pages that nobody has written are slow to read
				table[i] = uint64(i)
			}
			for _, op := range []struct {
				name string
				f    func()
			}{
				{"mul", func() { m.Mul(x, x, y, sc) }},
				{"sqr", func() { m.Sqr(x, x, 1, sc) }},
				{"sqr5", func() { m.Sqr(x, x, 5, sc) }},
				{"gather32", func() { m.arith.gather(z, table, 13) }},
			} {
				b.Run(fmt.Sprintf("%s/%s/%d", k.Name(), op.name, bits), func(b *testing.B) { reportCycles(b, meter, op.f) })
			}
		}
	}
}

// BenchmarkExp measures exponentiations, with exponents as long as the modulus.
func BenchmarkExp(b *testing.B) {
	for _, k := range Kernels() {
		for _, bits := range []int{1024, 2048, 3072, 4096} {
			if k.Engine(bits) != k.Name() {
				continue
			}
			m, n := benchModulus(b, k, bits)
			out, x, e := make([]byte, bits/8), add(n, -2).Bytes(), add(n, -9).Bytes()
			b.Run(fmt.Sprintf("%s/%d", k.Name(), bits), func(b *testing.B) {
				for b.Loop() {
					if _, err := m.ExpBytes(context.Background(), out, x, e, bits); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkSetUp measures the preparation of a modulus and its parts; those of vectors
// with the shape that its length has there, whether or not this CPU has the kernel.
func BenchmarkSetUp(b *testing.B) {
	meter := measure.NewMeter()
	for _, bits := range []int{512, 1024, 2048, 4096, 8192} {
		for _, k := range Kernels() {
			if k.Engine(bits) != k.Name() {
				continue
			}
			_, n := benchModulus(b, k, bits)
			bytes := n.Bytes()
			b.Run(fmt.Sprintf("%s/%d", k.Name(), bits), func(b *testing.B) {
				reportCycles(b, meter, func() { newModulusOf(b, k, bits, bytes) })
			})
		}
		m, _ := benchModulus(b, models[0], bits)
		shape, ok := models[0].vectors.fit(bits)
		if !ok {
			b.Fatalf("no vectors for %d bits", bits)
		}
		log2R := m.arith.log2R()
		r, inverse := make([]uint64, len(m.n)), make([]uint64, words.Len(log2R))
		for _, part := range []struct {
			name string
			f    func()
		}{
			{"division", func() { words.ModPow2(r, log2R+log2R/32, m.n) }},
			{"inverse", func() { words.InversePow2(inverse, m.n, log2R) }},
			{"constants", func() { newVectorModulus(shape, m.n) }},
			{"R² by division alone", func() { words.ModPow2(r, 2*log2R, m.n) }},
		} {
			b.Run(fmt.Sprintf("vectors/%s/%d", part.name, bits), func(b *testing.B) { reportCycles(b, meter, part.f) })
		}
	}
}

func newModulusOf(b *testing.B, k *Kernel, bits int, n []byte) {
	if _, err := k.NewModulus(bits, n); err != nil {
		b.Fatal(err)
	}
}
