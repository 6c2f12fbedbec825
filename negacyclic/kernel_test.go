package negacyclic

import (
	"slices"
	"testing"

	"residue/internal/cpu"
)

// TestKernels checks that every kernel makes rings, and that a ring names the kernel whose
// routines it has.
func TestKernels(t *testing.T) {
	var names []string
	for _, k := range Kernels() {
		names = append(names, k.Name())
		named := func(what, got string, vectors bool) {
			t.Helper()
			want := cpu.Generic
			if vectors {
				want = k.Name()
			}
			if got != want {
				t.Errorf("%s on %s: kernel %s, want %s", what, k.Name(), got, want)
			}
		}
		for _, n := range []int{16, 256, 1024} {
			p, err := NewPrimeOn[int16](k, 3329, min(n, 256))
			if err != nil {
				t.Fatal(err)
			}
			named("prime", p.Kernel(), p.vector != nil)
			r, err := NewPowerOfTwoOn[int16](k, 13, n, Toom4)
			if err != nil {
				t.Fatal(err)
			}
			named("power of two", r.Kernel(), r.vector != nil)
			b, err := NewByPrimesOn[int32](k, 13, n, 1, 4)
			if err != nil {
				t.Fatal(err)
			}
			named("by primes", b.Kernel(), b.rings[0].vector != nil)
		}
	}
	if !slices.Equal(names, cpu.RunnableForRings()) {
		t.Errorf("kernels %v, want %v", names, cpu.RunnableForRings())
	}
	if k, err := Default(); err != nil || !slices.Contains(names, k.Name()) {
		t.Errorf("the kernel in use is %v, %v", k, err)
	}
	if p, err := NewPrimeBy[int16](Fraction, 3329, 256, 7); err != nil || p.Kernel() != cpu.Generic {
		t.Errorf("by a form: %v, %v", p.Kernel(), err)
	}
}
