package kerneltest

import (
	"testing"

	"residue/asm/internal/ports"
)

// TestTimings: an estimate is above both of its bounds, and not far.
func TestTimings(t *testing.T) {
	for _, kernel := range Kernels() {
		if ringSets[kernel] != "" {
			continue
		}
		for _, operation := range OperationsOf(kernel) {
			q := Request{Kernel: kernel, Operation: operation, Bits: 1024, Block: 1, Entries: 16}
			w, err := q.prepare(routines(t, kernel))
			do(t, err)
			checkTimings(t, kernel+", "+operation, w)
		}
	}
}

func checkTimings(t *testing.T, what string, w *Workload) {
	t.Helper()
	tally, err := w.Tally(w.Run)
	do(t, err)
	timings, err := w.Timings(tally.Wide(), w.Run)
	do(t, err)
	do(t, w.Free())
	for i, m := range ports.Models {
		bound, _ := tally.Bound(m)
		path, core := float64(timings[i].Path), float64(timings[i].Core)
		if core < max(bound, path) || core > 1.2*bound+path {
			t.Errorf("%s, %s: ports %.0f, path %.0f, core %.0f cycles", what, m.Name, bound, path, core)
		}
		if again := float64(timings[i].Again); core+again < 2*bound || again > 1.02*core {
			t.Errorf("%s, %s: ports %.0f, core %.0f cycles, and again %.0f", what, m.Name, bound, core, again)
		}
	}
}
