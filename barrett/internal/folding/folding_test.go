package folding

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// guard is what stands behind every buffer.
const guard = 0xdead

// buffer returns n words of rubbish, and a function that fails if anything was
// written behind them.
func (m *reference) buffer(n int) (words []uint64, check func()) {
	b := make([]uint64, n+1)
	for i := range b {
		b[i] = uint64(i) & (1<<m.width - 1)
	}
	b[n] = guard
	return b[:n:n], func() {
		if b[n] != guard {
			m.t.Fatalf("written behind a buffer of %d words", n)
		}
	}
}

// numbers returns numbers of n words that are likely to find faults: the extremes
// of their bits and words, and random ones.
func (m *reference) numbers(r *rand.Rand, n int) []*big.Int {
	one, all := big.NewInt(1), new(big.Int).Sub(m.power(n), big.NewInt(1))
	list := []*big.Int{new(big.Int), one, all, new(big.Int).Sub(all, one), new(big.Int).Rsh(m.power(n), 1)}
	for _, i := range []int{1, n / 2, n - 1} {
		if i == 0 || i == n {
			continue
		}
		list = append(list, m.power(i), new(big.Int).Sub(m.power(n), m.power(i)), new(big.Int).Sub(m.power(i), one))
	}
	for range 2 {
		list = append(list, m.random(r, n))
	}
	return list
}

func (m *reference) random(r *rand.Rand, n int) *big.Int {
	z := make([]uint64, n)
	for i := range z {
		z[i] = r.Uint64() & (1<<m.width - 1)
	}
	return m.big(z)
}

func TestMul(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	m := &reference{t: t, width: 4}
	for leaf := 1; leaf <= 3; leaf++ {
		a := &Arithmetic[uint64]{Machine: m, Leaf: leaf}
		for nx := 1; nx <= 7; nx++ {
			for ny := 1; ny <= 7; ny++ {
				for _, x := range m.numbers(r, nx) {
					for _, y := range m.numbers(r, ny) {
						z, zEnd := m.buffer(nx + ny)
						scratch, scratchEnd := m.buffer(a.MulScratch(nx, ny))
						a.Mul(z, m.words(x, nx), m.words(y, ny), scratch)
						zEnd()
						scratchEnd()
						if want := new(big.Int).Mul(x, y); m.big(z).Cmp(want) != 0 {
							t.Fatalf("leaf %d, %d by %d words: %x·%x = %x, want %x", leaf, nx, ny, x, y, m.big(z), want)
						}
					}
				}
			}
		}
	}
	if m.overlaps {
		t.Error("a product shares memory with a factor")
	}
}

// TestMulLong: lengths at which many levels of halves are odd.
func TestMulLong(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	m := &reference{t: t, width: 16}
	for _, n := range [][2]int{{31, 31}, {32, 32}, {33, 33}, {37, 23}, {23, 37}, {64, 16}, {65, 16}, {63, 16}, {65, 33}} {
		for _, leaf := range []int{1, 2, 5, 16} {
			a := &Arithmetic[uint64]{Machine: m, Leaf: leaf}
			all := func(n int) *big.Int { return new(big.Int).Sub(m.power(n), big.NewInt(1)) }
			for _, f := range [][2]*big.Int{{m.random(r, n[0]), m.random(r, n[1])}, {all(n[0]), all(n[1])}} {
				z, zEnd := m.buffer(n[0] + n[1])
				scratch, scratchEnd := m.buffer(a.MulScratch(n[0], n[1]))
				a.Mul(z, m.words(f[0], n[0]), m.words(f[1], n[1]), scratch)
				zEnd()
				scratchEnd()
				if want := new(big.Int).Mul(f[0], f[1]); m.big(z).Cmp(want) != 0 {
					t.Fatalf("leaf %d, %d by %d words: wrong product", leaf, n[0], n[1])
				}
			}
		}
	}
}

// modulus returns what Reduce needs of n, of k words.
func (m *reference) modulus(n *big.Int, k, folds int) *Modulus[uint64] {
	z := &Modulus[uint64]{N: m.words(n, k)}
	for i := 1; i <= folds; i++ {
		c := m.power(k + Above(k, i))
		z.Folds = append(z.Folds, m.words(c.Mod(c, n), k))
	}
	e := Above(k, folds)
	mu := new(big.Int).Sub(m.power(k+e), big.NewInt(1))
	z.Mu = m.words(mu.Sub(mu.Div(mu, n), m.power(e)), e)
	return z
}

func (m *reference) checkReduce(a *Arithmetic[uint64], x, n *big.Int, modulus *Modulus[uint64]) {
	m.t.Helper()
	k, folds := len(modulus.N), len(modulus.Folds)
	z, zEnd := m.buffer(k)
	scratch, scratchEnd := m.buffer(a.ReduceScratch(k, folds))
	a.Reduce(z, m.words(x, 2*k), modulus, scratch)
	zEnd()
	scratchEnd()
	if want := new(big.Int).Mod(x, n); m.big(z).Cmp(want) != 0 {
		m.t.Fatalf("%d words, %d folds: %x mod %x = %x, want %x", k, folds, x, n, m.big(z), want)
	}
}

// TestReduceAll: every number of up to twice three words of two bits, modulo every
// modulus of one and two words and some of three, with all numbers of folds.
func TestReduceAll(t *testing.T) {
	m := &reference{t: t, width: 2}
	a := &Arithmetic[uint64]{Machine: m, Leaf: 1}
	for k := 1; k <= 3; k++ {
		for folds := 0; folds <= MaxFolds(k); folds++ {
			end := m.power(k).Int64()
			for n := end / 2; n < end; n++ {
				if k == 3 && n != end/2 && n != 47 && n != end-1 {
					continue
				}
				modulus := m.modulus(big.NewInt(n), k, folds)
				for x := range end * end {
					m.checkReduce(a, big.NewInt(x), big.NewInt(n), modulus)
				}
			}
		}
	}
}

// TestReduceExtremes: moduli at both ends of their range and between, numbers around
// multiples of them, for all numbers of folds. The estimate of the quotient must be
// seen to miss by as much as the bound allows.
func TestReduceExtremes(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	m := &reference{t: t, width: 8}
	one := big.NewInt(1)
	for _, k := range []int{1, 2, 3, 4, 5, 8, 9} {
		half := new(big.Int).Rsh(m.power(k), 1)
		moduli := []*big.Int{half, new(big.Int).Add(half, one), new(big.Int).Sub(m.power(k), one)}
		for _, n := range m.numbers(r, k) {
			moduli = append(moduli, n.SetBit(n, k*8-1, 1))
		}
		for folds := 0; folds <= MaxFolds(k); folds++ {
			a := &Arithmetic[uint64]{Machine: m, Leaf: 2}
			for _, n := range moduli {
				modulus := m.modulus(n, k, folds)
				quotients := m.numbers(r, k)
				last := new(big.Int).Sub(m.power(2*k), one)
				for _, q := range append(quotients, new(big.Int).Sub(n, one), last.Div(last, n)) {
					x := new(big.Int).Mul(q, n)
					for _, x := range []*big.Int{
						x, new(big.Int).Sub(x, one), new(big.Int).Add(x, one),
						new(big.Int).Sub(new(big.Int).Add(x, n), one),
					} {
						if x.Sign() >= 0 && x.Cmp(m.power(2*k)) < 0 {
							m.checkReduce(a, x, n, modulus)
						}
					}
				}
				for _, x := range m.numbers(r, 2*k) {
					m.checkReduce(a, x, n, modulus)
				}
			}
		}
	}
	if m.most < 2 {
		t.Errorf("the estimate was off by %d at most", m.most)
	}
	t.Logf("the estimate was off by up to %d", m.most)
}

// TestTrace: what is executed depends on lengths alone.
func TestTrace(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, k := range []int{8, 9, 13} {
		for folds := 0; folds <= 3; folds++ {
			var want []int
			for i := range 4 {
				var trace []int
				m := &reference{t: t, width: 8}
				n := m.random(r, k)
				n.SetBit(n, 8*k-1, 1)
				x := m.random(r, 2*k)
				if i == 0 {
					n, x = new(big.Int).Rsh(m.power(k), 1), new(big.Int)
				}
				modulus := m.modulus(n, k, folds)
				m.trace = &trace
				m.checkReduce(&Arithmetic[uint64]{Machine: m, Leaf: 2}, x, n, modulus)
				if i == 0 {
					want = trace
				} else if !slices.Equal(trace, want) {
					t.Fatalf("%d words, %d folds: two numbers take two ways", k, folds)
				}
			}
		}
	}
}
