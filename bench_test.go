package residue

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

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
