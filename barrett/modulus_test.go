package barrett

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"residue/internal/window"
	"residue/internal/words"
)

// lengths are lengths around words, and those at which there are more words than what
// products and squares are halved from.
func lengths(k *Kernel) []int {
	ls := []int{1, 2, 3, 8, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 320, 384, 448, 511, 512, 513, 1024, 1025, 2047, 2048, 2049}
	c := choices[k.Engine()]
	for _, w := range append(slices.Clone(c.least), c.leaf, c.leafSqr, 2*c.leaf, 2*c.leaf+1) {
		ls = append(ls, 64*(w-1), 64*w, 64*w+1)
	}
	slices.Sort(ls)
	return slices.Compact(ls)
}

// TestReduce reduces numbers of twice the length of the modulus, with every number of
// folds.
func TestReduce(t *testing.T) {
	eachEngine(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(1, 2))
		for _, bits := range lengths(k) {
			if testing.Short() && bits > 600 {
				continue
			}
			for folds := range MaxFolds(bits) + 1 {
				for i, n := range moduli(r, bits) {
					if bits > 600 && (i+folds)%3 != 0 {
						continue // another number of folds has it
					}
					m := newModulus(t, k, bits, n, folds)
					sc, z := m.NewScratch(), make([]uint64, m.k)
					for _, x := range dividends(r, n, bits) {
						w := bigWords(x, 2*m.k)
						m.Reduce(z, w, sc)
						if got, want := wordsBig(z), new(big.Int).Mod(x, n); got.Cmp(want) != 0 {
							t.Fatalf("%d bits, %d folds: %#x mod %#x = %#x, want %#x", bits, folds, x, n, got, want)
						}
					}
				}
			}
		}
	})
}

// TestReduceIgnores: what of x is above twice the length does not matter, and z may be
// a part of x.
func TestReduceIgnores(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, bits := range []int{1, 60, 64, 90, 200} {
		for _, n := range moduli(r, bits) {
			m, err := NewModulus(bits, n.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			x := randomBig(r, 128*m.k)
			want := new(big.Int).And(x, add(pow2(2*bits), -1))
			want.Mod(want, n)
			w := bigWords(x, 2*m.k)
			m.Reduce(w[m.k:], w, nil)
			if got := wordsBig(w[m.k:]); got.Cmp(want) != 0 {
				t.Fatalf("%d bits: %#x mod %#x = %#x, want %#x", bits, x, n, got, want)
			}
		}
	}
}

// TestProducts multiplies and squares, alone and in chains, on residues that are not
// reduced.
func TestProducts(t *testing.T) {
	eachEngine(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, bits := range lengths(k) {
			if testing.Short() && bits > 600 {
				continue
			}
			for _, n := range moduli(r, bits) {
				m := newModulus(t, k, bits, n, Auto)
				sc := m.NewScratch()
				x, y, z := m.NewInt(), m.NewInt(), m.NewInt()
				for i := range 4 {
					a, b := randomBig(r, 64*m.k), randomBig(r, 64*m.k)
					if i == 0 { // the largest that an Int can be
						a, b = add(pow2(64*m.k), -1), add(pow2(64*m.k), -1)
					}
					copy(x.words, bigWords(a, m.k))
					copy(y.words, bigWords(b, m.k))
					a.Mod(a, n)
					b.Mod(b, n)
					m.Mul(z, x, y, sc)
					want := new(big.Int).Mul(a, b)
					if got := m.get(t, z); got.Cmp(want.Mod(want, n)) != 0 {
						t.Fatalf("%d bits: %#x · %#x mod %#x = %#x, want %#x", bits, a, b, n, got, want)
					}
					times := 1 + r.IntN(4)
					m.Sqr(z, x, times, nil)
					want.Exp(a, pow2(times), n)
					if got := m.get(t, z); got.Cmp(want) != 0 {
						t.Fatalf("%d bits: %#x^(2^%d) mod %#x = %#x, want %#x", bits, a, times, n, got, want)
					}
					// In place, on and on.
					want.Set(a)
					for range 8 {
						m.Mul(x, x, y, sc)
						m.Sqr(x, x, 1, sc)
						m.Mul(x, x, x, sc)
						want.Mul(want, b).Mod(want, n).Exp(want, big.NewInt(4), n)
					}
					if got := m.get(t, x); got.Cmp(want) != 0 {
						t.Fatalf("%d bits: a chain modulo %#x gives %#x, want %#x", bits, n, got, want)
					}
				}
			}
		}
	})
}

// TestBytes: bytes of any length go in and out.
func TestBytes(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, bits := range []int{1, 7, 64, 65, 130, 512} {
		for _, n := range moduli(r, bits) {
			m, err := NewModulus(bits, n.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			x := m.NewInt()
			for size := range 4*8*m.k + 2 {
				b := randomBig(r, 8*size+1).FillBytes(make([]byte, size+1))
				m.SetBytes(x, b, nil)
				want := new(big.Int).SetBytes(b)
				if got := m.get(t, x); got.Cmp(want.Mod(want, n)) != 0 {
					t.Fatalf("%d bytes modulo %#x: %#x, want %#x", size+1, n, got, want)
				}
				out := make([]byte, size)
				fits := m.FillBytes(out, x, nil)
				if fits != (want.BitLen() <= 8*size) {
					t.Fatalf("%#x fits %d bytes: %v", want, size, fits)
				}
				if fits && new(big.Int).SetBytes(out).Cmp(want) != 0 {
					t.Fatalf("%x, want %#x", out, want)
				}
			}
			m.SetBytes(x, nil, nil)
			if got := m.get(t, x); got.Sign() != 0 {
				t.Fatalf("nothing modulo %#x: %#x", n, got)
			}
		}
	}
}

func TestExp(t *testing.T) {
	eachEngine(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(9, 10))
		ctx := context.Background()
		for _, bits := range []int{1, 2, 63, 64, 65, 200, 512, 1000} {
			for _, n := range moduli(r, bits) {
				m := newModulus(t, k, bits, n, Auto)
				for _, ebits := range []int{0, 1, 2, 17, 63, 100} {
					x, e := randomBig(r, 2*bits), randomBig(r, ebits)
					if r.IntN(8) == 0 {
						x.SetInt64(0)
					}
					want := new(big.Int).Exp(x, e, n)
					out := make([]byte, (bits+7)/8)
					fits, err := m.ExpBytes(ctx, out, x.Bytes(), e.Bytes(), ebits)
					if got := new(big.Int).SetBytes(out); err != nil || !fits || got.Cmp(want) != 0 {
						t.Fatalf("%#x^%#x mod %#x = %#x (%v, %v), want %#x", x, e, n, got, fits, err, want)
					}
					z := m.NewInt()
					m.SetBytes(z, x.Bytes(), nil)
					if err := m.Exp(ctx, z, z, e.FillBytes(make([]byte, (ebits+7)/8+3)), ebits); err != nil {
						t.Fatal(err)
					}
					if got := m.get(t, z); got.Cmp(want) != 0 {
						t.Fatalf("%#x^%#x mod %#x = %#x, want %#x", x, e, n, got, want)
					}
				}
			}
		}
	})
}

// TestWindows: every width of windows occurs, and powers are right with it.
func TestWindows(t *testing.T) {
	seen := map[int]bool{}
	n := add(pow2(130), -14)
	m, err := NewModulus(130, n.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for ebits := range 1200 {
		w := m.window(ebits)
		if seen[w] && ebits%97 != 0 {
			continue
		}
		seen[w] = true
		x, e := big.NewInt(77), add(pow2(ebits), -1)
		out := make([]byte, 17)
		if _, err := m.ExpBytes(context.Background(), out, x.Bytes(), e.Bytes(), ebits); err != nil {
			t.Fatal(err)
		}
		if got, want := new(big.Int).SetBytes(out), new(big.Int).Exp(x, e, n); got.Cmp(want) != 0 {
			t.Fatalf("%d bits of exponent: %#x, want %#x", ebits, got, want)
		}
	}
	if len(seen) != window.Widest {
		t.Errorf("windows of the widths %v", seen)
	}
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	m, err := NewModulus(100, pow2(99).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	x, z := m.NewInt(), m.NewInt()
	m.SetBytes(z, []byte{5}, nil)
	if err := m.Exp(ctx, z, x, []byte{1, 2, 3}, 24); !errors.Is(err, context.Canceled) || z.words[0] != 5 {
		t.Errorf("%v, and z is %v", err, z.words)
	}
	out := []byte{7}
	if _, err := m.ExpBytes(ctx, out, []byte{1}, []byte{1, 2, 3}, 24); !errors.Is(err, context.Canceled) || out[0] != 7 {
		t.Errorf("%v, and out is %v", err, out)
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		bits int
		n    []byte
		want string
	}{
		{0, []byte{3}, "barrett: a modulus of 0 bits, not 1 to 16384"},
		{MaxBits + 1, []byte{3}, "barrett: a modulus of 16385 bits, not 1 to 16384"},
		{10, nil, "barrett: the modulus is zero"},
		{10, []byte{0, 0}, "barrett: the modulus is zero"},
		{10, []byte{4, 0}, "barrett: a modulus of more than 10 bits"},
		{64, append([]byte{1}, make([]byte, 8)...), "barrett: a modulus of more than 64 bits"},
	} {
		if _, err := NewModulus(c.bits, c.n); err == nil || err.Error() != c.want {
			t.Errorf("%d bits, %x: %v, want %s", c.bits, c.n, err, c.want)
		}
	}
	k := Kernels()[0]
	for _, folds := range []int{-2, MaxFolds(500) + 1} {
		if _, err := k.NewModulus(500, []byte{3}, folds); err == nil || !strings.Contains(err.Error(), "folds for a modulus of 500 bits, not 0 to 3") {
			t.Errorf("%d folds: %v", folds, err)
		}
	}
}

func TestPanics(t *testing.T) {
	m, err := NewModulus(500, []byte{3})
	if err != nil {
		t.Fatal(err)
	}
	other, err := NewModulus(100, []byte{3})
	if err != nil {
		t.Fatal(err)
	}
	x, y := m.NewInt(), other.NewInt()
	for name, f := range map[string]func(){
		"operand":  func() { m.Mul(x, x, y, nil) },
		"result":   func() { m.Sqr(y, x, 1, nil) },
		"scratch":  func() { m.Mul(x, x, x, other.NewScratch()) },
		"times":    func() { m.Sqr(x, x, 0, nil) },
		"words":    func() { m.Reduce(x.words, x.words, nil) },
		"exponent": func() { m.Exp(context.Background(), x, x, nil, -1) },
	} {
		func() {
			defer func() {
				if s, ok := recover().(string); !ok || !strings.HasPrefix(s, "barrett: ") {
					t.Errorf("%s: panics with %v", name, s)
				}
			}()
			f()
		}()
	}
}

func TestWipe(t *testing.T) {
	m, err := NewModulus(700, add(pow2(699), 12).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	sc := m.NewScratch()
	x := m.NewInt()
	m.SetBytes(x, []byte{1, 2, 3}, sc)
	m.Sqr(x, x, 9, sc)
	if words.IsZero(sc.words) != 0 {
		t.Error("scratch is not used")
	}
	sc.Wipe()
	m.Wipe()
	x.Wipe()
	for _, w := range append(m.m.Folds, sc.words, m.m.N, m.m.Mu, x.words, []uint64{m.shift}) {
		if words.IsZero(w) == 0 {
			t.Errorf("%x is left", w)
		}
	}
}

// TestAllocs: nothing is allocated once the pools are warm.
func TestAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector pools drop what they get")
	}
	m, err := NewModulus(700, add(pow2(699), 12).Bytes())
	if err != nil {
		t.Fatal(err)
	}
	x, sc, out, wide := m.NewInt(), m.NewScratch(), make([]byte, 88), make([]uint64, 2*m.k)
	long := slices.Repeat([]byte{0xa5}, 300)
	for name, f := range map[string]func(){
		"SetBytes":  func() { m.SetBytes(x, long, nil) },
		"FillBytes": func() { m.FillBytes(out, x, nil) },
		"Mul":       func() { m.Mul(x, x, x, sc) },
		"Sqr":       func() { m.Sqr(x, x, 2, nil) },
		"Reduce":    func() { m.Reduce(wide[:m.k], wide, nil) },
		"ExpBytes":  func() { m.ExpBytes(context.Background(), out, long, long[:9], 72) },
	} {
		if n := testing.AllocsPerRun(20, f); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
