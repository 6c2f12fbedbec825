package negacyclic

import (
	"math/rand/v2"
	"sync"
	"testing"
)

// TestConcurrent multiplies in one ring of every kind from many goroutines, each with scratch
// and results of its own and with operands of all.
func TestConcurrent(t *testing.T) {
	for _, k := range Kernels() {
		for _, q := range []int64{3329, 12289} {
			concurrentPrime[int16](t, k, q)
		}
		for _, q := range []int64{8380417, 2013265921} {
			concurrentPrime[int32](t, k, q)
		}
		concurrentPowersOfTwo[int16](t, k)
		concurrentPowersOfTwo[int32](t, k)
	}
}

func concurrentPrime[W Word](t *testing.T, k *Kernel, q int64) {
	r, err := NewPrimeOn[W](k, q, 256)
	if err != nil {
		t.Fatal(err)
	}
	concurrently[W](t, k, 256, q, q, func(z, x, y Poly[W]) { r.Mul(z, x, y, make([]W, r.MulScratch())) })
}

func concurrentPowersOfTwo[W Word](t *testing.T, k *Kernel) {
	const bits, small = 13, 4
	r, err := NewPowerOfTwoOn[W](k, bits, 256, Toom4)
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewByPrimesOn[W](k, bits, 256, 1, small)
	if err != nil {
		t.Fatal(err)
	}
	concurrently[W](t, k, 256, 1<<bits, 1<<bits, func(z, x, y Poly[W]) { r.Mul(z, x, y, make([]W, r.MulScratch())) })
	concurrently[W](t, k, 256, 1<<bits, small+1, func(z, x, y Poly[W]) { p.Mul(z, x, y, make([]W, p.MulScratch())) })
}

// concurrently checks products of an x of [0, q) and a y of [0, most).
func concurrently[W Word](t *testing.T, k *Kernel, n int, q, most int64, mul func(z, x, y Poly[W])) {
	rnd := rand.New(rand.NewPCG(uint64(q), 8))
	x, y := make(Poly[W], n), make(Poly[W], n)
	for i := range x {
		x[i], y[i] = W(rnd.Int64N(q)), W(rnd.Int64N(most))
	}
	want := reference(q, x, y)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 30 {
				z := make(Poly[W], n)
				if mul(z, x, y); !equal(t, "product on "+k.Name(), z, want) {
					return
				}
			}
		})
	}
	wait.Wait()
}
