package residue

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
	"time"

	"residue/batch"
)

func benchNumbers(n, bits, expBits int) (ms, xs, ys []*big.Int) {
	r := rand.New(rand.NewPCG(1, uint64(bits)))
	number := func(bits int) *big.Int {
		b := make([]byte, (bits+7)/8)
		for i := range b {
			b[i] = byte(r.Uint32())
		}
		x := new(big.Int).SetBytes(b)
		return x.SetBit(x.Rsh(x, uint(8*len(b)-bits)), bits-1, 1)
	}
	for range n {
		m := number(bits)
		ms = append(ms, m.SetBit(m, 0, 1))
		xs = append(xs, number(bits-1))
		ys = append(ys, number(expBits))
	}
	return ms, xs, ys
}

func BenchmarkPrepare(b *testing.B) {
	for _, bits := range []int{512, 1024, 2048, 4096} {
		b.Run(fmt.Sprint(bits), func(b *testing.B) {
			ms, _, _ := benchNumbers(8, bits, 8)
			var ns [][]byte
			for _, m := range ms {
				ns = append(ns, m.Bytes())
			}
			for b.Loop() {
				if _, err := batch.NewModuli(bits, ns...); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkExpBatchBig(b *testing.B) {
	for _, bits := range []int{512, 1024, 2048, 4096} {
		for _, ebits := range []int{17, 64, 256, bits} {
			for _, rows := range []int{1, 8} {
				ms, xs, ys := benchNumbers(rows, bits, ebits)
				b.Run(fmt.Sprintf("%d/%d/rows=%d", bits, ebits, rows), func(b *testing.B) {
					for b.Loop() {
						if _, err := ExpBatchBig(context.Background(), ms, xs, ys); err != nil {
							b.Fatal(err)
						}
					}
					b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*rows), "ns/row")
				})
			}
			ms, xs, ys := benchNumbers(1, bits, ebits)
			b.Run(fmt.Sprintf("%d/%d/mathbig", bits, ebits), func(b *testing.B) {
				for b.Loop() {
					new(big.Int).Exp(xs[0], ys[0], ms[0])
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N), "ns/row")
			})
		}
	}
}

// BenchmarkBreakEven does 1 to 16 rows with one modulus in each of two ways, one number
// at a time and in vectors, and in the way that the front door takes, which should be no
// slower than the better one. The three take turns on one core; figures are medians.
//
//	go test -run xxx -bench BreakEven -benchtime 60x
func BenchmarkBreakEven(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for _, bits := range []int{256, 512, 1024, 1536, 2048, 3072, 4096, 8192} {
		ms, _, _ := benchNumbers(1, bits, 8)
		m, err := NewModulusBig(ms[0])
		if err != nil {
			b.Fatal(err)
		}
		for rows := 1; rows <= 2*batch.Lanes; rows++ {
			b.Run(fmt.Sprintf("%d/rows=%d", bits, rows), func(b *testing.B) { benchWays(b, m, bits, rows) })
		}
	}
}

// benchWays does rows in all ways.
func benchWays(b *testing.B, m *Modulus, bits, rows int) {
	_, xs, ys := benchNumbers(rows, bits, bits)
	work := make([]row, rows)
	var outs, bases, exponents [][]byte
	for i := range work {
		work[i] = row{mod: &m.split, out: make([]byte, m.Size()), base: xs[i].Bytes(), exponent: ys[i].Bytes(), ebits: bits}
		outs, bases, exponents = append(outs, work[i].out), append(bases, work[i].base), append(exponents, work[i].exponent)
	}
	ws := borrowWorkspace()
	defer returnWorkspace(ws)
	ctx := context.Background()
	names := []string{"single-µs", "vectors-µs", "chosen-µs"}
	ways := []func() error{
		func() error {
			md, err := m.single()
			for i := range work {
				if err == nil {
					err = ws.expSingle(ctx, md, &work[i])
				}
			}
			return err
		},
		func() error {
			for group := range slices.Chunk(work, batch.Lanes) {
				md, err := m.vector(len(group))
				if err != nil {
					return err
				}
				for lane := range group {
					ws.rows[lane] = &group[lane]
				}
				ws.exp(ctx, md, len(group))
			}
			return nil
		},
		func() error { return m.ExpBatch(ctx, outs, bases, exponents) },
	}
	took := make([][]float64, len(ways))
	for _, way := range ways { // warm
		if err := way(); err != nil {
			b.Fatal(err)
		}
	}
	for turn := 0; b.Loop(); turn++ {
		for i := range ways {
			i = (i + turn) % len(ways) // so that each comes after each other one
			begun := time.Now()
			if err := ways[i](); err != nil {
				b.Fatal(err)
			}
			took[i] = append(took[i], float64(time.Since(begun).Nanoseconds())/1e3)
		}
	}
	var medians []float64
	for i, ts := range took {
		slices.Sort(ts)
		medians = append(medians, ts[len(ts)/2])
		b.ReportMetric(medians[i], names[i])
	}
	b.ReportMetric(medians[2]/min(medians[0], medians[1]), "of-best")
	b.ReportMetric(0, "ns/op")
}

// BenchmarkTrailingZeros measures eight powers modulo even numbers of 2048 bits, with so many
// trailing zero bits, on one core: as the front door does them, and math/big in turn.
// math-big is how many times as long that takes, by the median of neighbouring turns.
func BenchmarkTrailingZeros(b *testing.B) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	const bits = 2048
	for _, zeros := range []int{1, 64, 256, 512, 1024, 2000} {
		b.Run(fmt.Sprintf("%d/zeros=%d", bits, zeros), func(b *testing.B) {
			odd, _, _ := benchNumbers(1, bits-zeros, bits)
			n := new(big.Int).Lsh(odd[0], uint(zeros))
			_, xs, ys := benchNumbers(batch.Lanes, bits, bits)
			m, err := NewModulusBig(n)
			if err != nil {
				b.Fatal(err)
			}
			var ours time.Duration
			var ratios []float64
			w := new(big.Int)
			for b.Loop() {
				start := time.Now()
				if _, err := m.ExpBatchBig(context.Background(), xs, ys); err != nil {
					b.Fatal(err)
				}
				took := time.Since(start)
				ours += took
				start = time.Now()
				w.Exp(xs[0], ys[0], n)
				ratios = append(ratios, float64(time.Since(start)*batch.Lanes)/float64(took))
			}
			slices.Sort(ratios)
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(ours.Microseconds())/float64(b.N*batch.Lanes), "number-µs")
			b.ReportMetric(ratios[len(ratios)/2], "math-big")
		})
	}
}
