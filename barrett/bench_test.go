package barrett

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"residue/barrett/internal/folding"
	"residue/batch"
	"residue/internal/measure"
)

// randomWords returns n random words, the last of them with its highest bit.
func randomWords(r *rand.Rand, n int) []uint64 {
	w := make([]uint64, n)
	for i := range w {
		w[i] = r.Uint64()
	}
	w[n-1] |= 1 << 63
	return w
}

// compare runs forms of an operation in turns, and reports their core cycles.
func compare(b *testing.B, meter *measure.Meter, names []string, fs []func()) {
	for b.Loop() {
		for _, f := range fs {
			f()
		}
	}
	if b.N == 1 {
		return
	}
	for i, f := range fs {
		m := meter.Measure(measure.Effort{Time: 20 * time.Millisecond, Most: 200 * time.Millisecond}, f)
		b.ReportMetric(m.Nanoseconds, "ns:"+names[i])
	}
}

// BenchmarkLeaf measures products and squares that are halved once against those that
// are not, in words: where the first are quicker is the leaf.
func BenchmarkLeaf(b *testing.B) {
	meter := measure.NewMeter()
	for _, k := range Kernels() {
		if k.Name() != k.Engine() {
			continue
		}
		m := wordMachine{k.words}
		for _, n := range []int{12, 16, 20, 24, 32, 40, 48, 56, 64, 80, 96} {
			r := rand.New(rand.NewPCG(1, uint64(n)))
			x, y, z := randomWords(r, n), randomWords(r, n), make([]uint64, 2*n)
			scratch := make([]uint64, 16*n)
			halved := folding.Arithmetic[uint64]{Machine: m, Leaf: n/2 + n%2}
			b.Run(fmt.Sprintf("%s/words=%d", k.Name(), n), func(b *testing.B) {
				compare(b, meter, []string{"product", "halved", "square", "halvedsquare"}, []func(){
					func() { m.Mul(z, x, y) },
					func() { halved.Mul(z, x, y, scratch) },
					func() { m.Sqr(z, x) },
					func() { folding.Sqr[uint64](m, n/2+n%2, z, x, scratch) },
				})
			})
		}
	}
}

// BenchmarkFolds measures reductions with all numbers of folds up to four, against
// math/big.
func BenchmarkFolds(b *testing.B) {
	meter := measure.NewMeter()
	for _, k := range Kernels() {
		if k.Name() != k.Engine() {
			continue
		}
		for _, bits := range []int{512, 640, 768, 896, 1024, 2048, 2304, 2560, 3072, 4096, 6144, 7168, 8192, 12288, 16384} {
			r := rand.New(rand.NewPCG(2, uint64(bits)))
			n := randomWords(r, bits/64)
			nb := wordsBig(n)
			x := bigWords(new(big.Int).Mul(add(nb, -1), add(nb, -2)), 2*len(n))
			xb, zb := wordsBig(x), new(big.Int)
			names, fs := []string{"big"}, []func(){func() { zb.Mod(xb, nb) }}
			for folds := range min(4, MaxFolds(bits)) + 1 {
				m, err := k.NewModulus(bits, nb.Bytes(), folds)
				if err != nil {
					b.Fatal(err)
				}
				z, sc := make([]uint64, len(n)), m.NewScratch()
				names = append(names, fmt.Sprint(folds))
				fs = append(fs, func() { m.Reduce(z, x, sc) })
			}
			b.Run(fmt.Sprintf("%s/bits=%d", k.Name(), bits), func(b *testing.B) { compare(b, meter, names, fs) })
		}
	}
}

// BenchmarkLanes measures reductions of eight numbers with all numbers of folds, against
// math/big for one.
func BenchmarkLanes(b *testing.B) {
	meter := measure.NewMeter()
	for _, k := range Kernels()[:min(2, len(Kernels()))] {
		for _, bits := range []int{512, 768, 1024, 1248, 1536, 2048, 3072, 4096, 6144, 8192, 16384} {
			r := rand.New(rand.NewPCG(3, uint64(bits)))
			nb := wordsBig(randomWords(r, bits/64))
			xb, zb := new(big.Int).Mul(add(nb, -1), add(nb, -2)), new(big.Int)
			names, fs := []string{"big"}, []func(){func() { zb.Mod(xb, nb) }}
			for folds := range LaneFolds(bits) + 1 {
				m, err := k.NewModuli(bits, folds, slices.Repeat([][]byte{nb.Bytes()}, batch.Lanes)...)
				if err != nil || m.Limbs() > bits/batch.DigitBits*5/4 {
					continue
				}
				z, x, sc := batch.NewInts(m.Limbs()), batch.NewInts(2*m.Limbs()), m.NewScratch()
				for lane := range batch.Lanes {
					setBig(x, lane, xb)
				}
				names = append(names, fmt.Sprint(folds))
				fs = append(fs, func() { m.Reduce(z, x, sc) })
			}
			f, _ := formOf(bits, Auto)
			b.Run(fmt.Sprintf("%s/bits=%d/auto=%dx%d", k.Name(), bits, f.limbs, f.folds), func(b *testing.B) { compare(b, meter, names, fs) })
		}
	}
}
