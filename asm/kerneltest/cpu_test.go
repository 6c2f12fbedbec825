package kerneltest

import (
	"maps"
	"slices"
	"testing"
)

// TestOnCPU says which kernels this CPU can run: every call of theirs, in all the
// tests, is then made on the CPU as well, with the same bytes, and the memory it
// leaves is compared.
func TestOnCPU(t *testing.T) {
	for _, kernel := range slices.Sorted(maps.Keys(features)) {
		t.Run(kernel, func(t *testing.T) {
			if l := newLab(t, kernel, 1<<14); l.OnCPU != nil {
				t.Skipf("in the machine only: %v", l.OnCPU)
			}
		})
	}
}
