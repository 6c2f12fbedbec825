package mont

import (
	"bytes"
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"residue/internal/window"
)

// checkExp checks x^e modulo m in both forms, with an exponent of ebits bits.
func checkExp(t *testing.T, m *Modulus, x, e *big.Int, ebits int) {
	t.Helper()
	n := m.modulus()
	want := new(big.Int).Exp(x, e, n)
	if e.Sign() == 0 {
		want.Mod(bigOne, n)
	}
	z := m.NewInt()
	m.SetBytes(z, x.Bytes(), nil)
	if err := m.Exp(context.Background(), z, z, e.Bytes(), ebits); err != nil {
		t.Fatal(err)
	}
	if got := m.get(t, z); got.Cmp(want) != 0 {
		t.Fatalf("Exp: %#x^%#x modulo %#x, %d bits of exponent:\n got %#x\nwant %#x", x, e, n, ebits, got, want)
	}
	out := make([]byte, (m.bits+7)/8)
	exponent := e.FillBytes(make([]byte, (ebits+7)/8))
	if fits, err := m.ExpBytes(context.Background(), out, x.Bytes(), exponent, ebits); err != nil || !fits {
		t.Fatal(fits, err)
	}
	if got := new(big.Int).SetBytes(out); got.Cmp(want) != 0 {
		t.Fatalf("ExpBytes: %#x^%#x modulo %#x, %d bits of exponent:\n got %#x\nwant %#x", x, e, n, ebits, got, want)
	}
}

func TestExp(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(31, 32))
		for _, bits := range []int{1, 2, 9, 64, 65, 192, 406, 407, 512, 1024} {
			for i, n := range extremeModuli(r, bits) {
				if (isModel(k) || testing.Short()) && i%5 != 0 {
					continue // slow, and no different
				}
				m := newModulus(t, k, bits, n)
				for _, ebits := range []int{0, 1, 2, 5, 8, 63, 64, 65, 66, 67, 68, 69, 70, 157, 300 + i} {
					x := below(r, new(big.Int).Lsh(n, 1))
					checkExp(t, m, x, below(r, pow2(ebits)), ebits)
					checkExp(t, m, x, add(pow2(ebits), -1), ebits)
				}
				checkExp(t, m, new(big.Int), new(big.Int), 17)
				checkExp(t, m, new(big.Int), bigTwo, 17)
				checkExp(t, m, n, bigOne, 17)
				checkExp(t, m, add(n, -1), add(pow2(40), -1), 40)
				checkExp(t, m, add(pow2(2*bits+30), -1), big.NewInt(0x10001), 17)
			}
		}
	})
}

// TestExpLong has the lengths that people use.
func TestExpLong(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(33, 34))
		for _, tt := range []struct{ bits, ebits int }{
			{1024, 1024}, {2048, 2048}, {3072, 512}, {4096, 512}, {8192, 130}, {MaxBits, 20},
		} {
			if testing.Short() && tt.bits > 2048 {
				continue
			}
			n := randomBig(r, tt.bits)
			n.SetBit(n, tt.bits-1, 1).SetBit(n, 0, 1)
			checkExp(t, newModulus(t, k, tt.bits, n), below(r, n), randomBig(r, tt.ebits), tt.ebits)
		}
	})
}

// TestExpInPlace has results in place of base and exponent.
func TestExpInPlace(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		n := add(pow2(521), -1)
		m := newModulus(t, k, 521, n)
		x, e := add(pow2(500), -3), add(pow2(520), -9)
		want := new(big.Int).Exp(x, e, n)
		size := 66
		base, exponent := x.FillBytes(make([]byte, size)), e.FillBytes(make([]byte, size))
		if _, err := m.ExpBytes(context.Background(), base, base, exponent, 521); err != nil {
			t.Fatal(err)
		}
		if new(big.Int).SetBytes(base).Cmp(want) != 0 {
			t.Errorf("out = base: %x, want %x", base, want)
		}
		x.FillBytes(base)
		if _, err := m.ExpBytes(context.Background(), exponent, base, exponent, 521); err != nil {
			t.Fatal(err)
		}
		if new(big.Int).SetBytes(exponent).Cmp(want) != 0 {
			t.Errorf("out = exponent: %x, want %x", exponent, want)
		}
	})
}

// TestExpShortOut: what does not fit is said.
func TestExpShortOut(t *testing.T) {
	m := newModulus(t, models[0], 100, add(pow2(100), -3))
	for _, tt := range []struct {
		x, size int
		fits    bool
	}{{255, 1, true}, {256, 1, false}, {0, 0, true}, {1, 0, false}} {
		out := make([]byte, tt.size)
		fits, err := m.ExpBytes(context.Background(), out, big.NewInt(int64(tt.x)).Bytes(), []byte{1}, 1)
		if err != nil || fits != tt.fits {
			t.Errorf("%d in %d bytes: %v, %v, want %v", tt.x, tt.size, fits, err, tt.fits)
		}
	}
}

func TestExpEndsWithContext(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		m := newModulus(t, k, 2048, add(pow2(2048), -1))
		x, z, long := m.NewInt(), m.NewInt(), bytes.Repeat([]byte{0xff}, 1<<17)
		m.SetBytes(x, []byte{2}, nil)
		m.SetBytes(z, []byte{77}, nil)
		out := []byte{77}
		check := func(ctx context.Context, want error) {
			t.Helper()
			if err := m.Exp(ctx, z, x, long, 8*len(long)); !errors.Is(err, want) {
				t.Errorf("Exp: error %v, want %v", err, want)
			}
			if _, err := m.ExpBytes(ctx, out, []byte{2}, long, 8*len(long)); !errors.Is(err, want) {
				t.Errorf("ExpBytes: error %v, want %v", err, want)
			}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		check(ctx, context.Canceled)
		ctx, cancel = context.WithTimeout(context.Background(), 5*time.Millisecond)
		defer cancel()
		start := time.Now()
		check(ctx, context.DeadlineExceeded) // a megabit of exponent is seconds of work
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("it went on for %v", d)
		}
		if got := m.get(t, z); got.Cmp(big.NewInt(77)) != 0 || out[0] != 77 {
			t.Errorf("results of exponentiations that were stopped: %v, %v", got, out)
		}
	})
}

// TestExpWipes: nothing is left in the memory that goes back to the pool.
func TestExpWipes(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		m := newModulus(t, k, 500, add(pow2(500), -1))
		p := m.borrowPowering(24)
		m.enter(p.acc, []byte{1, 2, 3}, p.sc)
		p.begin(p.acc)
		if err := p.power(context.Background(), []byte{0xab, 0xcd, 0xef}, 24); err != nil {
			t.Fatal(err)
		}
		m.leave(make([]byte, 63), p.acc, p.sc)
		p.release()
		for _, s := range []*Scratch{p.sc, p.memory} {
			for i, w := range s.words[:cap(s.words)] {
				if w != 0 {
					t.Fatalf("word %d of %d of pooled memory is not zero", i, len(s.words))
				}
			}
		}
	})
}

func TestWindowBits(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		for _, bits := range []int{256, 1024, 2048, 4096, 8192} {
			cost := newModulus(t, k, bits, add(pow2(bits), -1)).arith.cost()
			// Short exponents: no table is worth its price.
			for _, ebits := range []int{0, 1} {
				if got := window.Best(ebits, cost); got != 1 {
					t.Errorf("%d bits, an exponent of %d: windows of %d bits, want 1", bits, ebits, got)
				}
			}
			// Those as long as the modulus: four to six, as in the literature.
			if got := window.Best(bits, cost); got < 4 && bits > 256 || got > window.Widest {
				t.Errorf("%d bits, an exponent as long: windows of %d bits", bits, got)
			}
		}
	})
}

// TestAllocations checks that nothing allocates once the pools are warm.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools forget")
	}
	for _, k := range Kernels() {
		t.Run(k.Name(), func(t *testing.T) {
			n := add(pow2(1024), -1)
			m := newModulus(t, k, 1024, n)
			x, z, sc := m.NewInt(), m.NewInt(), m.NewScratch()
			base, long, e := add(n, -2).Bytes(), add(pow2(3000), -1).Bytes(), add(pow2(100), -1).Bytes()
			out := make([]byte, 128)
			m.SetBytes(x, base, sc)
			ctx, cancel := context.WithCancel(context.Background())
			defer cancel()
			for name, f := range map[string]func(){
				"SetBytes":       func() { m.SetBytes(x, base, sc) },
				"SetBytes, long": func() { m.SetBytes(x, long, sc) },
				"FillBytes":      func() { m.FillBytes(out, x, sc) },
				"Mul":            func() { m.Mul(z, x, x, sc) },
				"Sqr":            func() { m.Sqr(z, x, 3, sc) },
				"Mul, pooled":    func() { m.Mul(z, x, x, nil) },
				"Exp": func() {
					if err := m.Exp(ctx, z, x, e, 100); err != nil {
						t.Fatal(err)
					}
				},
				"ExpBytes": func() {
					if _, err := m.ExpBytes(ctx, out, base, e, 100); err != nil {
						t.Fatal(err)
					}
				},
			} {
				f()
				if n := testing.AllocsPerRun(100, f); n != 0 {
					t.Errorf("%s: %v allocations", name, n)
				}
			}
		})
	}
}
