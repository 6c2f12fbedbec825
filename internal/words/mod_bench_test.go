package words

import (
	"fmt"
	"testing"
)

func BenchmarkModPow2(b *testing.B) {
	for _, bits := range []int{512, 2048, 4096, 16384} {
		b.Run(fmt.Sprint(bits), func(b *testing.B) {
			n := make([]uint64, Len(bits))
			for i := range n {
				n[i] = 0xfedcba9876543210 + uint64(i)
			}
			r := make([]uint64, len(n))
			for b.Loop() {
				ModPow2(r, 2*bits+64, n)
			}
		})
	}
}

func BenchmarkExpPow2(b *testing.B) {
	for _, t := range []int{256, 512, 1024, 2048, 4096} {
		b.Run(fmt.Sprint(t), func(b *testing.B) {
			x, e, scratch := make([]uint64, Len(t)), make([]uint64, Len(t)), make([]uint64, Pow2Scratch(t))
			x[0] = 3
			for b.Loop() {
				ExpPow2(x, x, e, t, scratch, nil)
			}
		})
	}
}
