package mont

import (
	"residue/internal/window"
	"residue/internal/wordmont"
)

// wordModulus is a modulus in 64-bit words. R = 2^(64·len(N)) has room for N and
// perhaps not for one bit more; numbers are below R.
type wordModulus struct{ wordmont.Modulus }

func newWordModulus(k wordmont.Routines, n []uint64) *wordModulus {
	return &wordModulus{wordmont.NewModulus(k, n)}
}

func (m *wordModulus) size() (number, work int) { return len(m.N), 2 * len(m.N) }

func (m *wordModulus) log2R() int { return 64 * len(m.N) }

// quickSquarings is 0: to divide is about as quick as to square.
func (m *wordModulus) quickSquarings() int { return 0 }

func (m *wordModulus) loadBits() int { return 64 * len(m.N) }

func (m *wordModulus) load(z, w []uint64) { clear(z[copy(z, w):]) }

func (m *wordModulus) store(w, x []uint64) { clear(w[copy(w, x):]) }

func (m *wordModulus) mul(z, x, y, work []uint64) { m.Mul(z, x, y, work) }

func (m *wordModulus) sqr(z, x []uint64, times int, work []uint64) {
	m.Sqr(z, x, work)
	for range times - 1 {
		m.Sqr(z, z, work)
	}
}

func (m *wordModulus) redc(z, x, work []uint64) {
	clear(work[copy(work, x):])
	m.Redc(z, work)
}

func (m *wordModulus) gather(z, table []uint64, index uint64) { m.Lookup(z, table, index) }

// cost is in products of two words. A product takes as many as it has, a square
// little more than half of them, a reduction as many as a product; a fifth of one
// reads a word of the table.
func (m *wordModulus) cost() window.Cost {
	s := float64(len(m.N))
	return window.Cost{Mul: 2 * s * s, Sqr: 1.6 * s * s, Entry: s / 5}
}

func (m *wordModulus) wipe() {
	clear(m.N)
	m.NInv = 0
}
