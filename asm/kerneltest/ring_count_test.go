package kerneltest

import (
	"strings"
	"testing"
)

// TestRingTimings is TestTimings for the operations of rings.
func TestRingTimings(t *testing.T) {
	for kernel := range ringSets {
		for _, q := range RingRequests(kernel) {
			t.Run(strings.Join([]string{kernel, q.Ring, q.Method, q.Operation}, "/"), func(t *testing.T) {
				checkTimings(t, q.Operation, newRingWorkload(t, q))
			})
		}
	}
}

func newRingWorkload(t *testing.T, q Request) *Workload {
	t.Helper()
	kernel, err := q.kernelName()
	do(t, err)
	w, err := q.prepare(routines(t, kernel))
	do(t, err)
	return w
}

// countRing returns how many instructions of a kind an operation executes.
func countRing(t *testing.T, kernel, name, method, operation, kind string) int {
	t.Helper()
	w := newRingWorkload(t, Request{Kernel: kernel, Ring: name, Method: method, Operation: operation})
	tally, err := w.Tally(w.Run)
	do(t, err)
	do(t, w.Free())
	for _, k := range tally.Kinds() {
		if k.Name == kind {
			return k.Count
		}
	}
	return 0
}

// TestRingProducts: the routines execute as many products as their formulas say, for V
// vectors of residues.
//
// In words of 16 bits there are 7 layers of V/2 butterflies. A product by a constant takes 3,
// and to make a word small takes 2: before the first layer for the half that it does not
// multiply, after the last for all; on the way back by AVX-512 for the sums of two layers. The
// last layer back multiplies the sums by 2^-7 as well. Even and odd words of a sum of k
// products take k each, and 2 to reduce them; a factor takes a product by a constant.
//
// In words of 32 bits a sum of k products takes k, and 3 to reduce it, in vectors of 64-bit
// words by AVX-512. The products of even words are no multiply-adds.
func TestRingProducts(t *testing.T) {
	forward16 := func(v int) int { return 7*v/2*3 + v/2*2 }
	const v = 8
	back16 := 7*v/2*3 + 2*v/2*2 + v/2*3
	sum16 := func(k int) int { return v * (2*k + 4) }
	for _, tt := range []struct {
		kernel, ring, method, operation, kind string
		want                                  int
	}{
		{ringsAVX512, "ml-kem", "ntt", "forward", "products", forward16(v) + 2*v},
		{ringsAVX512, "ml-kem", "ntt", "inverse", "products", back16},
		{ringsAVX512, "ml-kem", "ntt", "base", "products", sum16(1) + 2*v},
		{ringsAVX512, "ml-kem", "ntt", "mul", "products", 2*forward16(v) + 3*v + sum16(1) + back16},
		{ringsAVX512, "ml-kem", "ntt", "matvec-ready", "products", 3 * (sum16(3) + back16)},
		{ringsAVX512, "ml-kem", "ntt", "matvec", "products", 3*forward16(v) + 3*(sum16(3)+back16)},
		{ringsAVX2, "ml-kem", "ntt", "forward", "products", forward16(16) + 2*16},
		{ringsAVX512, "ml-dsa", "ntt", "base", "multiply-adds", 16*1 + 32*3},
		{
			ringsAVX512, "ml-dsa", "ntt", "matvec-ready", "multiply-adds",
			6 * (16*5 + 32*3 + countRing(t, ringsAVX512, "ml-dsa", "ntt", "inverse", "multiply-adds")),
		},
	} {
		if got := countRing(t, tt.kernel, tt.ring, tt.method, tt.operation, tt.kind); got != tt.want {
			t.Errorf("%s, %s by %s, %s: %d %s, want %d", tt.kernel, tt.ring, tt.method, tt.operation, got, tt.kind, tt.want)
		}
	}
}
