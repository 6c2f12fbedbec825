package batch

import (
	"math/rand/v2"
	"testing"
	"unsafe"
)

// TestSqrMontTimes checks that squarings that gather on the way give what
// squarings and a gather give, however many squarings there are and whether or
// not their rows are enough for the gather.
func TestSqrMontTimes(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(71, 72))
		for _, s := range someLimbCounts() {
			if s > 100 && s != maxLimbs {
				continue
			}
			lanes := 1 + r.IntN(Lanes)
			m := newModuli(t, k, s, eightOf(r, extremeModuli(r, s*DigitBits-headroomBits), 1)[:lanes]...)
			for window := 1; window <= maxWindow; window++ {
				entries := 1 << window
				x := NewInts(s)
				for lane := range lanes {
					setBig(x, lane, below(r, getBig(m.n, lane)))
				}
				var g gathering
				var okT, okZ func() bool
				g.table, okT = guarded(entries*s, true)
				g.z, okZ = guarded(s, true)
				litter(r, g.table, 0)
				litter(r, g.z, 0)
				g.entries = entries
				for lane := range Lanes {
					g.index[lane] = r.Uint64N(uint64(entries))
				}
				sc, okS := guardedScratch(s)
				want := clone(x)
				for range window {
					k.impl.sqrMont(want, want, m, sc)
				}
				z, okX := guarded(s, true)
				if window%2 == 0 {
					z, okX = x, func() bool { return true }
				}
				k.impl.sqrMontTimes(z, x, window, m, sc, &g)
				for lane := range lanes {
					wantLane(t, z, lane, getBig(want, lane), "after %d squarings", window)
					e := int(g.index[lane])
					wantLane(t, g.z[:s], lane, getBig(g.table[e*s:(e+1)*s], lane), "entry %d of %d", e, entries)
				}
				if !okT() || !okZ() || !okS() || !okX() {
					t.Fatalf("%d limbs: words around the operands were written", s)
				}
			}
		}
	})
}

// TestLookupLayout checks the offsets that the assembly knows.
func TestLookupLayout(t *testing.T) {
	var l ifmaLookup
	for _, tt := range []struct {
		name      string
		got, want uintptr
	}{
		{"masks", unsafe.Offsetof(l.masks), 0},
		{"table", unsafe.Offsetof(l.table), 64},
		{"out", unsafe.Offsetof(l.out), 72},
		{"tiles", unsafe.Offsetof(l.tiles), 80},
		{"share", unsafe.Offsetof(l.share), 88},
		{"rest", unsafe.Offsetof(l.rest), 96},
		{"now", unsafe.Offsetof(l.now), 104},
	} {
		if unsafe.Sizeof(uintptr(0)) == 8 && tt.got != tt.want {
			t.Errorf("%s is at offset %d, want %d", tt.name, tt.got, tt.want)
		}
	}
}
