package mont

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"residue/internal/cpu"
)

// TestProducts multiplies and squares numbers up to the bounds, for every length.
func TestProducts(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(1, 2))
		for i, bits := range lengths() {
			if isModel(k) && i%8 != 0 && (bits > 2100 || !boundary(bits)) || testing.Short() && i%16 != 0 {
				continue // the model is slow, and knows no lengths
			}
			ns := extremeModuli(r, bits)
			for _, n := range []*big.Int{ns[i%2], ns[i%len(ns)]} {
				checkProducts(t, r, newModulus(t, k, bits, n), 2)
			}
		}
	})
}

func checkProducts(t *testing.T, r *rand.Rand, m *Modulus, rounds int) {
	t.Helper()
	ref := newReference(m)
	x, y, z, sc := m.NewInt(), m.NewInt(), m.NewInt(), m.NewScratch()
	for round := range rounds {
		a, b := below(r, m.bound()), below(r, m.bound())
		if round == 0 {
			a, b = add(m.bound(), -1), add(m.bound(), -1)
		}
		set := func() {
			m.setRaw(r, x, a)
			m.setRaw(r, y, b)
			litter(r, sc)
		}
		set()
		x0, y0 := slices.Clone(x.words), slices.Clone(y.words)
		m.Mul(z, x, y, sc)
		wantRaw(t, m, z, ref.montgomery(a, b), "%#x · %#x / R", a, b)
		m.Sqr(z, x, 1, sc)
		wantRaw(t, m, z, ref.montgomery(a, a), "%#x² / R", a)
		if !slices.Equal(x.words, x0) || !slices.Equal(y.words, y0) {
			t.Fatalf("%d bits: an operand was written", m.bits)
		}
		m.Mul(z, x, x, sc)
		wantRaw(t, m, z, ref.montgomery(a, a), "%#x · itself / R", a)

		// Results in place of operands.
		m.Mul(x, x, y, sc)
		wantRaw(t, m, x, ref.montgomery(a, b), "z = x: %#x · %#x / R", a, b)
		set()
		m.Mul(y, x, y, sc)
		wantRaw(t, m, y, ref.montgomery(a, b), "z = y: %#x · %#x / R", a, b)
		set()
		m.Mul(x, x, x, sc)
		wantRaw(t, m, x, ref.montgomery(a, a), "z = x = y: %#x · itself / R", a)

		set()
		times := 1 + r.IntN(5)
		want := a
		for range times {
			want = ref.montgomery(want, want)
		}
		m.Sqr(z, x, times, sc)
		wantRaw(t, m, z, want, "%#x squared %d times", a, times)
		m.Sqr(x, x, times, nil)
		wantRaw(t, m, x, want, "z = x: %#x squared %d times", a, times)
	}
}

// TestRipples makes products whose results have runs of ones, or all ones but few: a
// carry that comes in at the bottom of one runs through digits, lanes and vectors.
func TestRipples(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(3, 4))
		for _, bits := range someLengths() {
			for _, n := range extremeModuli(r, bits) {
				m := newModulus(t, k, bits, n)
				ref := newReference(m)
				x, y, z, sc := m.NewInt(), m.NewInt(), m.NewInt(), m.NewScratch()
				for range 8 {
					target := new(big.Int).Sub(pow2(r.IntN(bits+1)), pow2(r.IntN(bits+1)))
					target.Abs(target).Mod(target, n)
					b := below(r, n)
					inverse := new(big.Int).ModInverse(b, n)
					if inverse == nil {
						continue
					}
					// a·b/R is the target, and with N added where there is room for it.
					a := inverse.Mul(inverse, target)
					a.Mul(a, m.radix()).Mod(a, n)
					for _, more := range []*big.Int{new(big.Int), n} {
						if v := new(big.Int).Add(b, more); v.Cmp(m.bound()) < 0 {
							m.setRaw(r, x, a)
							m.setRaw(r, y, v)
							m.Mul(z, x, y, sc)
							wantRaw(t, m, z, target, "%#x · %#x / R", a, v)
							m.Mul(z, y, x, sc)
							wantRaw(t, m, z, target, "%#x · %#x / R", v, a)
						}
					}
				}
				// Powers of two, and one less: all digits of the products are zeros or ones.
				for range 8 {
					a, b := pow2(r.IntN(bits)), add(pow2(r.IntN(bits)+1), -1)
					a.Mod(a, m.bound())
					b.Mod(b, m.bound())
					m.setRaw(r, x, a)
					m.setRaw(r, y, b)
					m.Mul(z, x, y, sc)
					wantRaw(t, m, z, ref.montgomery(a, b), "%#x · %#x / R", a, b)
					m.Sqr(z, y, 1, sc)
					wantRaw(t, m, z, ref.montgomery(b, b), "%#x² / R", b)
				}
			}
		}
	})
}

// TestChains does thousands of operations, each with the result of the last, and looks
// at the residue now and then.
func TestChains(t *testing.T) {
	steps := 3000
	if testing.Short() {
		steps = 300
	}
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(5, 6))
		for _, bits := range []int{64, 256, 512, 1024, 1246, 2048, 3072, 4096} {
			n := randomBig(r, bits)
			n.SetBit(n, bits-1, 1).SetBit(n, 0, 1)
			m := newModulus(t, k, bits, n)
			sc := m.NewScratch()
			x, y := m.NewInt(), m.NewInt()
			a, b := below(r, n), below(r, n)
			m.SetBytes(x, a.Bytes(), sc)
			m.SetBytes(y, b.Bytes(), sc)
			for i := range steps * 256 / (bits + 200) {
				switch i % 3 {
				case 0:
					m.Mul(x, x, y, sc)
					a.Mul(a, b).Mod(a, n)
				case 1:
					m.Sqr(x, x, 1, sc)
					a.Mul(a, a).Mod(a, n)
				case 2:
					m.Mul(y, y, x, sc)
					b.Mul(b, a).Mod(b, n)
				}
				if i%100 == 0 && (m.get(t, x).Cmp(a) != 0 || m.get(t, y).Cmp(b) != 0) {
					t.Fatalf("%d bits: wrong after %d steps", bits, i+1)
				}
			}
			if m.get(t, x).Cmp(a) != 0 || m.get(t, y).Cmp(b) != 0 {
				t.Fatalf("%d bits: wrong after all steps", bits)
			}
		}
	})
}

func TestBytes(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(7, 8))
		for _, bits := range []int{1, 2, 7, 8, 9, 63, 64, 65, 400, 406, 407, 412, 413, 414, 415, 520, 1024, 2047, 2048, 2049, 5000} {
			for _, n := range extremeModuli(r, bits) {
				m := newModulus(t, k, bits, n)
				x := m.NewInt()
				for _, length := range []int{0, bits / 3, bits, bits + 1, bits + 8, bits + 63, 2*bits + 9, 3 * bits} {
					v := randomBig(r, length)
					b := v.FillBytes(make([]byte, (length+7)/8+r.IntN(2)))
					sc := m.NewScratch()
					litter(r, sc)
					m.SetBytes(x, b, sc)
					want := new(big.Int).Mod(v, n)
					wantRaw(t, m, x, new(big.Int).Mul(want, m.radix()), "%#x taken in", v)
					if got := m.get(t, x); got.Cmp(want) != 0 {
						t.Fatalf("%#x modulo %#x: %#x, want %#x", v, n, got, want)
					}
					out := make([]byte, r.IntN(len(b)+2))
					litter(r, sc)
					fits := m.FillBytes(out, x, sc)
					if want.BitLen() <= 8*len(out) != fits {
						t.Fatalf("%#x in %d bytes: fits is %v", want, len(out), fits)
					}
					if got := new(big.Int).SetBytes(out); got.Cmp(want.Mod(want, pow2(8*len(out)))) != 0 {
						t.Fatalf("the low %d bytes are %#x, want %#x", len(out), got, want)
					}
				}
			}
		}
	})
}

// TestFillBytesReduces gives out numbers from 0 up to the bound: R·N and 2R·N are 0.
func TestFillBytesReduces(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(9, 10))
		for _, bits := range someLengths() {
			for _, n := range extremeModuli(r, bits) {
				m := newModulus(t, k, bits, n)
				ref := newReference(m)
				x := m.NewInt()
				for _, v := range []*big.Int{new(big.Int), bigOne, add(n, -1), n, add(n, 1), add(m.bound(), -1), below(r, m.bound())} {
					if v.Cmp(m.bound()) >= 0 {
						continue
					}
					m.setRaw(r, x, v)
					if got, want := m.get(t, x), ref.montgomery(v, bigOne); got.Cmp(want) != 0 {
						t.Fatalf("%#x/R modulo %#x is %#x, want %#x", v, n, got, want)
					}
				}
			}
		}
	})
}

// TestSetUp checks the constants of the longest moduli and of others.
func TestSetUp(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(11, 12))
		for _, bits := range append(someLengths(), 8192, MaxBits-1, MaxBits) {
			for _, n := range extremeModuli(r, bits) {
				m := newModulus(t, k, bits, n)
				R := m.radix()
				wantRaw(t, m, &Int{m.one}, R, "R")
				wantRaw(t, m, &Int{m.rr}, new(big.Int).Mul(R, R), "R²")
				if bits > 4096 {
					break
				}
			}
		}
	})
}

// TestVectorConstants checks what prepare writes for the assembly, digit by
// digit.
func TestVectorConstants(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, k := range models {
		for _, bits := range []int{1, 300, 406, 407, 1024, 2048, 4096} {
			n := randomBig(r, bits)
			n.SetBit(n, 0, 1)
			m, ok := newModulus(t, k, bits, n).arith.(*vectorModulus)
			if !ok {
				continue // no shape of this model
			}
			s, R := lanes*m.vectors, pow2(m.log2R())
			inverse := new(big.Int).ModInverse(n, R)
			inverse.Sub(R, inverse)
			digit := func(v *big.Int, i int) uint64 {
				if i < 0 || i >= s {
					return 0
				}
				d := new(big.Int).Rsh(v, uint(i*m.digitBits))
				return d.And(d, add(pow2(m.digitBits), -1)).Uint64()
			}
			var want []uint64
			for c := range 8 {
				for i := range s {
					want = append(want, digit(inverse, i-c))
				}
			}
			for c := range 8 {
				for i := range s + 8 {
					want = append(want, digit(n, i-c))
				}
			}
			for i := range s {
				want = append(want, digit(n, s-1-i))
			}
			for i := range s {
				want = append(want, digit(n, s-2-i))
			}
			for range 8 {
				want = append(want, 1<<m.digitBits-1)
			}
			if !slices.Equal(m.constants, want) {
				t.Fatalf("%s, %d bits: constants of %#x\n got %#x\nwant %#x", k.Name(), bits, n, m.constants, want)
			}
			if len(want) != lanes*(18*m.vectors+9) {
				t.Errorf("%d words of constants", len(want))
			}
		}
	}
}

func TestFit(t *testing.T) {
	for _, tt := range []struct {
		kernel *Kernel
		bits   int
		shape  vectorShape // of no vectors: none
	}{
		{models[0], 1, vectorShape{1, slackBits, 8}},
		{models[0], 397, vectorShape{1, slackBits, 8}},
		{models[0], 398, vectorShape{2, slackBits, 16}},
		{models[0], 1024, vectorShape{3, slackBits, 21}},
		{models[0], 1047, vectorShape{3, slackBits, 21}},
		{models[0], 1048, vectorShape{4, slackBits, 32}},
		{models[0], 2048, vectorShape{5, exactBits, 40}},
		{models[0], 2078, vectorShape{5, exactBits, 40}},
		{models[0], 2079, vectorShape{8, slackBits, 64}},
		{models[0], 8318, vectorShape{20, exactBits, 160}},
		{models[0], 8319, vectorShape{}},
		{models[1], 414, vectorShape{1, exactBits, 8}},
		{models[1], 415, vectorShape{3, exactBits, 20}},
		{models[2], 2048, vectorShape{9, slackBits, 70}},
		{kernelNamed[cpu.Generic], 2048, vectorShape{}},
	} {
		var s vectorShape
		r, ok := tt.kernel.vectors.fit(tt.bits)
		if ok {
			s = r.vectorShape
		}
		if s != tt.shape || ok != (tt.shape.vectors > 0) {
			t.Errorf("%s, %d bits: %+v, %v, want %+v", tt.kernel.Name(), tt.bits, s, ok, tt.shape)
		}
		name := tt.kernel.Name()
		if !ok {
			name = cpu.Generic
		}
		if got := tt.kernel.Engine(tt.bits); got != name {
			t.Errorf("%s, %d bits: done by %s, want %s", tt.kernel.Name(), tt.bits, got, name)
		}
	}
}

func TestNewModulusErrors(t *testing.T) {
	for _, tt := range []struct {
		bits int
		n    []byte
		want string
	}{
		{0, []byte{1}, "0 bits"},
		{MaxBits + 1, []byte{1}, "16385 bits"},
		{10, nil, "zero"},
		{10, []byte{0, 0}, "zero"},
		{10, []byte{0, 4}, "even"},
		{10, []byte{4, 1}, "more than 10 bits"},
		{64, []byte{1, 0, 0, 0, 0, 0, 0, 0, 1}, "more than 64 bits"},
		{64, make([]byte, 9), "zero"},
	} {
		_, err := NewModulus(tt.bits, tt.n)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.HasPrefix(err.Error(), "mont: ") {
			t.Errorf("NewModulus(%d, %x): error %v, want one with %q", tt.bits, tt.n, err, tt.want)
		}
	}
	for _, n := range [][]byte{{1}, {3, 255}, {0, 0, 0, 0, 0, 0, 0, 0, 1, 1}} {
		if _, err := NewModulus(10, n); err != nil {
			t.Errorf("NewModulus(10, %x): %v", n, err)
		}
	}
}

func TestKernels(t *testing.T) {
	var names []string
	for _, k := range Kernels() {
		names = append(names, k.Name())
	}
	if want := cpu.Runnable(); !slices.Equal(names, want) {
		t.Errorf("kernels %v, want %v", names, want)
	}
	name, err := cpu.Chosen()
	if err != nil {
		t.Fatal(err)
	}
	if k, err := Default(); err != nil || k.Name() != name {
		t.Errorf("Default: %v, %v, want %s", k, err, name)
	}
}

// TestPanics: operands of other moduli, and numbers that make no sense.
func TestPanics(t *testing.T) {
	k := models[0]
	m, other := newModulus(t, k, 500, add(pow2(500), -1)), newModulus(t, k, 100, add(pow2(100), -1))
	x, y := m.NewInt(), other.NewInt()
	for name, f := range map[string]func(){
		"Mul":      func() { m.Mul(x, x, y, nil) },
		"Sqr":      func() { m.Sqr(y, x, 1, nil) },
		"SetBytes": func() { m.SetBytes(y, nil, nil) },
		"FillBytes": func() {
			m.FillBytes(nil, y, nil)
		},
		"scratch":       func() { m.Mul(x, x, x, other.NewScratch()) },
		"no squaring":   func() { m.Sqr(x, x, 0, nil) },
		"negative":      func() { _ = m.Exp(context.Background(), x, x, nil, -1) },
		"Exp":           func() { _ = m.Exp(context.Background(), x, y, nil, 1) },
		"zero Int":      func() { m.Mul(x, x, new(Int), nil) },
		"empty scratch": func() { m.Mul(x, x, x, new(Scratch)) },
	} {
		func() {
			defer func() {
				if v := recover(); v == nil || !strings.HasPrefix(fmt.Sprint(v), "mont: ") {
					t.Errorf("%s: panics with %v", name, v)
				}
			}()
			f()
		}()
	}
}

// TestWipe: nothing of a modulus or of a residue is left.
func TestWipe(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		for _, bits := range []int{500, 9000} {
			m := newModulus(t, k, bits, add(pow2(bits), -1))
			x := m.NewInt()
			m.SetBytes(x, []byte{77}, nil)
			y := m.NewInt()
			y.Set(x)
			x.Wipe()
			m.Wipe()
			memory := [][]uint64{m.n, m.rr, m.one, x.words}
			switch a := m.arith.(type) {
			case *vectorModulus:
				memory = append(memory, a.constants)
			case *wordModulus:
				memory = append(memory, a.N, []uint64{a.NInv})
			}
			for i, w := range memory {
				if wordsBig(w).Sign() != 0 {
					t.Errorf("%d bits: something is left in piece %d", bits, i)
				}
			}
			if wordsBig(y.words).Sign() == 0 {
				t.Error("Set did not copy")
			}
		}
	})
}

func TestConcurrent(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		n := add(pow2(521), -1)
		m := newModulus(t, k, 521, n)
		var wg sync.WaitGroup
		for g := range uint64(4) {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(15, g))
				for range 20 {
					x, e := below(r, n), randomBig(r, 80)
					out := make([]byte, 66)
					if _, err := m.ExpBytes(context.Background(), out, x.Bytes(), e.Bytes(), 80); err != nil {
						t.Error(err)
					}
					if got, want := new(big.Int).SetBytes(out), new(big.Int).Exp(x, e, n); got.Cmp(want) != 0 {
						t.Errorf("%#x^%#x = %#x, want %#x", x, e, got, want)
					}
				}
			})
		}
		wg.Wait()
	})
}
