package batch

import (
	"bytes"
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"residue/internal/measure"
)

// BenchmarkExp measures constant-time exponentiations with exponents as long as
// the modulus, for one number and for a full vector. It reports the time for one
// number and, against math/big in the same run, how many times as fast that is.
func BenchmarkExp(b *testing.B) {
	for _, k := range Kernels() {
		for _, bits := range []int{1024, 2048, 3072, 4096} {
			for _, lanes := range []int{1, Lanes} {
				b.Run(fmt.Sprintf("%s/%d/lanes=%d", k.Name(), bits, lanes), func(b *testing.B) {
					benchmarkExp(b, k, bits, lanes)
				})
			}
		}
	}
}

func benchmarkExp(b *testing.B, k *Kernel, bits, lanes int) {
	r := rand.New(rand.NewPCG(uint64(bits), 1))
	number := func() *big.Int {
		v := new(big.Int)
		for range bits / 64 {
			v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(r.Uint64()))
		}
		return v.SetBit(v, bits-1, 1).SetBit(v, 0, 1)
	}
	var n, x, e [Lanes]*big.Int
	for lane := range n {
		n[lane], x[lane], e[lane] = number(), number(), number()
	}
	s := Limbs(bits)
	m := newModuli(b, k, s, n[:lanes]...)
	xi, ei, z := fromBig(s, x[:]...), fromBig(s, e[:]...), NewInts(s)
	exp := func() {
		if err := m.Exp(context.Background(), z, xi, ei, bits); err != nil {
			b.Fatal(err)
		}
	}
	for b.Loop() {
		exp()
	}
	// The ratio compares the quickest of alternating runs: what else the machine
	// does disturbs both alike.
	ours, theirs := time.Duration(1<<62), time.Duration(1<<62)
	w := new(big.Int)
	for range 10 {
		ours = min(ours, duration(exp))
		theirs = min(theirs, duration(func() { w.Exp(x[0], e[0], n[0]) }))
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*lanes), "ns/number")
	b.ReportMetric(float64(theirs)*float64(lanes)/float64(ours), "×math/big")
}

func duration(f func()) time.Duration {
	start := time.Now()
	f()
	return time.Since(start)
}

// BenchmarkMontgomery measures the operations that exponentiations are made of.
func BenchmarkMontgomery(b *testing.B) {
	for _, k := range Kernels() {
		for _, s := range []int{20, 40, 60, 80} {
			n := add(radix(s), -1)
			n.Rsh(n, headroomBits)
			m := newModuli(b, k, s, n, n, n, n, n, n, n, n)
			x, wide, sc := NewInts(s), NewInts(2*s), NewScratch(s)
			// Masked loads from pages that were never written are slow.
			table, index := litter(rand.New(rand.NewPCG(1, 2)), NewInts(32*s), 0), new(Vector)
			for _, op := range []struct {
				name string
				f    func()
			}{
				{"mulmont", func() { m.MulMont(x, x, x, sc) }},
				{"sqrmont", func() { m.SqrMont(x, x, sc) }},
				{"redc", func() { m.Redc(x, wide, sc) }},
				{"mul", func() { k.Mul(wide, x, x, sc) }},
				{"sqr", func() { k.Sqr(wide, x, sc) }},
				{"gather32", func() { k.impl.gather(x, table, index, 32, Lanes) }},
			} {
				b.Run(fmt.Sprintf("%s/%s/limbs=%d", k.Name(), op.name, s), func(b *testing.B) {
					for b.Loop() {
						op.f()
					}
				})
			}
		}
	}
}

// BenchmarkWindow measures a window of five squarings and a product: together, as
// exponentiations do it, with the gather of the factor riding along and one call
// for all squarings, and apart. Where cycles can be counted it reports them for
// eight numbers, and whether nobody else used the core.
func BenchmarkWindow(b *testing.B) {
	const window, entries = 5, 1 << 5
	meter := measure.NewMeter()
	for _, k := range Kernels() {
		if _, ok := k.impl.(wordwise); ok {
			continue // exponentiations in words do not gather this way
		}
		for _, s := range []int{20, 40, 60, 80} {
			n := add(radix(s), -1)
			n.Rsh(n, headroomBits)
			m := newModuli(b, k, s, n, n, n, n, n, n, n, n)
			w := m.borrowExp(window)
			litter(rand.New(rand.NewPCG(1, 2)), w.memory, 0)
			w.index = Vector{0, 1, 2, 3, 28, 29, 30, 31}
			for _, form := range []struct {
				name string
				f    func()
			}{
				{"together", func() { w.step(w.index, window) }},
				{"apart", func() {
					for range window {
						k.impl.sqrMont(w.acc, w.acc, m, w.sc)
					}
					k.impl.gather(w.factor[:s], w.table, &w.index, entries, Lanes)
					k.impl.mulMont(w.acc, w.acc, w.factor[:s], m, w.sc)
				}},
			} {
				b.Run(fmt.Sprintf("%s/limbs=%d/%s", k.Name(), s, form.name), func(b *testing.B) {
					for b.Loop() {
						form.f()
					}
					r := meter.Measure(measure.Effort{Time: time.Second / 4, Most: 2 * time.Second}, form.f)
					if r.Cycles > 0 {
						quiet := 0.0
						if r.Quiet {
							quiet = 1
						}
						b.ReportMetric(r.Cycles, "cycles")
						b.ReportMetric(quiet, "quiet")
					}
				})
			}
			w.release()
		}
	}
}

// BenchmarkNewModuli measures the set-up of eight moduli, each in memory of its own,
// and of one that all lanes share.
func BenchmarkNewModuli(b *testing.B) {
	for _, k := range Kernels() {
		for _, bits := range []int{1024, 2048, 4096} {
			n := add(pow2(bits), -1).Bytes()
			var own, shared [Lanes][]byte
			for lane := range own {
				own[lane], shared[lane] = bytes.Clone(n), n
			}
			for _, set := range []struct {
				name   string
				moduli [][]byte
			}{{"own", own[:]}, {"shared", shared[:]}} {
				b.Run(fmt.Sprintf("%s/%d/%s", k.Name(), bits, set.name), func(b *testing.B) {
					for b.Loop() {
						if _, err := k.NewModuli(bits, set.moduli...); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}
