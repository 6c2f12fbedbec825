package batch

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// expLanes checks m.Exp of the given bases, below R, and exponents against
// math/big.
func expLanes(t testing.TB, r *rand.Rand, m *Moduli, n, base, exp []*big.Int, ebits int) {
	t.Helper()
	s, lanes := m.Limbs(), m.Lanes()
	x := litter(r, fromBig(s, base[:lanes]...), lanes)
	e := litter(r, fromBig((ebits+DigitBits-1)/DigitBits, exp[:lanes]...), lanes)
	z := NewInts(s)
	litter(r, z, 0)
	if err := m.Exp(context.Background(), z, x, e, ebits); err != nil {
		t.Fatal(err)
	}
	for lane := range lanes {
		want := new(big.Int).Exp(base[lane], exp[lane], n[lane])
		wantLane(t, z, lane, want, "%#x^%#x mod %#x, %d bits of exponent", base[lane], exp[lane], n[lane], ebits)
	}
}

func TestExp(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(71, 72))
		for _, s := range []int{4, 6, 8, 10, 15, 20, 40} {
			ns := extremeModuli(r, s*DigitBits-headroomBits)
			ebits := []int{0, 1, 2, 5, 51, 52, 53, 63, 64, 65, 66, 67, 68, 69, 70, 104, 157, 300}
			if s <= 10 {
				ebits = append(ebits, s*DigitBits, 2*s*DigitBits+17)
			}
			for i, eb := range ebits {
				n := eightOf(r, ns, i%4)
				base, exp := make([]*big.Int, Lanes), make([]*big.Int, Lanes)
				for lane := range Lanes {
					base[lane] = below(r, radix(s))
					if lane%3 == 0 {
						base[lane] = below(r, n[lane])
					}
					exp[lane] = below(r, pow2(eb))
				}
				base[0], base[1], base[2] = new(big.Int), n[1], add(n[2], -1)
				exp[3], exp[4] = new(big.Int), add(pow2(eb), -1)
				expLanes(t, r, newModuli(t, k, s, n[:1+i%Lanes]...), n, base, exp, eb)
				expLanes(t, r, newModuli(t, k, s, n...), n, base, exp, eb)
			}
		}
	})
}

// TestExpLarge runs one full-length exponentiation for each size that users
// have, and a short exponent for the largest.
func TestExpLarge(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(73, 74))
		for _, tt := range []struct{ bits, ebits int }{
			{1024, 1024}, {2048, 2048}, {3072, 256}, {4096, 256}, {8192, 67}, {16384, 18},
		} {
			var n, base, exp []*big.Int
			for range Lanes {
				v := randomBig(r, tt.bits)
				n = append(n, v.SetBit(v, 0, 1).SetBit(v, tt.bits-1, 1))
				base = append(base, below(r, v))
				exp = append(exp, randomBig(r, tt.ebits))
			}
			lanes := Lanes
			if tt.bits > 1024 {
				lanes = 3
			}
			expLanes(t, r, newModuli(t, k, Limbs(tt.bits), n[:lanes]...), n, base, exp, tt.ebits)
		}
	})
}

// TestExpLanesApart has lanes of very different moduli, bases and exponents in
// one vector: what one lane does must not show in another.
func TestExpLanesApart(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(75, 76))
		for _, s := range []int{10, 40} {
			bits := s*DigitBits - headroomBits
			n := []*big.Int{
				bigOne, big.NewInt(3), add(pow2(bits), -1), add(pow2(64), 13),
				add(pow2(bits/2), 1), add(pow2(DigitBits), -1), add(pow2(bits-1), 1), randomBig(r, bits),
			}
			n[7].SetBit(n[7], 0, 1)
			base := []*big.Int{
				big.NewInt(5), big.NewInt(3), add(n[2], -1), new(big.Int),
				add(radix(s), -1), n[5], bigTwo, bigOne,
			}
			exp := []*big.Int{
				add(pow2(200), -1), bigOne, add(pow2(199), 1), new(big.Int),
				add(pow2(65), -1), big.NewInt(7), pow2(150), add(pow2(200), -1),
			}
			for turn := range Lanes {
				turned := func(v []*big.Int) []*big.Int {
					return append(append([]*big.Int{}, v[turn:]...), v[:turn]...)
				}
				expLanes(t, r, newModuli(t, k, s, turned(n)...), turned(n), turned(base), turned(exp), 200)
			}
		}
	})
}

// TestExpShortExponent gives fewer digits of exponent than ebits needs, and more.
func TestExpShortExponent(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		n := add(pow2(521), -1)
		m := newModuli(t, k, 12, n)
		x, z := fromBig(12, big.NewInt(7)), NewInts(12)
		for _, tt := range []struct {
			e     Ints
			ebits int
			want  int64
		}{
			{nil, 0, 0},
			{nil, 200, 0},
			{fromBig(1, big.NewInt(77)), 500, 77},
			{fromBig(3, big.NewInt(77)), 7, 77},
		} {
			if err := m.Exp(context.Background(), z, x, tt.e, tt.ebits); err != nil {
				t.Fatal(err)
			}
			wantLane(t, z, 0, new(big.Int).Exp(big.NewInt(7), big.NewInt(tt.want), n), "7^%d", tt.want)
		}
	})
}

func TestExpInPlace(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(77, 78))
		const s = 10
		n := randomBig(r, s*DigitBits-headroomBits)
		n.SetBit(n, 0, 1)
		m := newModuli(t, k, s, n)
		xv, ev := below(r, n), below(r, n)
		want := new(big.Int).Exp(xv, ev, n)
		x, e := fromBig(s, xv), fromBig(s, ev)
		if err := m.Exp(context.Background(), x, x, e, s*DigitBits); err != nil {
			t.Fatal(err)
		}
		wantLane(t, x, 0, want, "z = x")
		if err := m.Exp(context.Background(), e, fromBig(s, xv), e, s*DigitBits); err != nil {
			t.Fatal(err)
		}
		wantLane(t, e, 0, want, "z = e")
		x = fromBig(s, xv)
		if err := m.Exp(context.Background(), x, x, x, s*DigitBits); err != nil {
			t.Fatal(err)
		}
		wantLane(t, x, 0, new(big.Int).Exp(xv, xv, n), "z = x = e")
	})
}

func TestExpEndsWithContext(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		m := newModuli(t, k, 320, add(pow2(16384), -1))
		x, e := fromBig(320, bigTwo), fromBig(320, add(pow2(16384), -1))
		z := fromBig(320, big.NewInt(12345))
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if err := m.Exp(ctx, z, x, e, 16384); !errors.Is(err, context.Canceled) {
			t.Errorf("error %v, want %v", err, context.Canceled)
		}
		ctx, cancel = context.WithTimeout(context.Background(), 5*time.Millisecond)
		defer cancel()
		start := time.Now()
		// All digits of the exponent several times: seconds of work.
		if err := m.Exp(ctx, z, x, e, 1<<20); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("error %v, want %v", err, context.DeadlineExceeded)
		}
		if d := time.Since(start); d > 2*time.Second {
			t.Errorf("Exp went on for %v", d)
		}
		wantLane(t, z, 0, big.NewInt(12345), "z after an exponentiation that was stopped")
	})
}

func TestExpConcurrent(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(79, 80))
		n := eightOf(r, extremeModuli(r, 20*DigitBits-headroomBits), 1)
		m := newModuli(t, k, 20, n...)
		var wg sync.WaitGroup
		for g := range uint64(4) {
			wg.Go(func() {
				r := rand.New(rand.NewPCG(81, g))
				for range 5 {
					var x, e [Lanes]*big.Int
					for lane := range Lanes {
						x[lane], e[lane] = below(r, n[lane]), below(r, pow2(100))
					}
					z := NewInts(20)
					if err := m.Exp(context.Background(), z, fromBig(20, x[:]...), fromBig(2, e[:]...), 100); err != nil {
						t.Error(err)
					}
					for lane := range Lanes {
						if want := new(big.Int).Exp(x[lane], e[lane], n[lane]); getBig(z, lane).Cmp(want) != 0 {
							t.Errorf("%#x^%#x mod %#x = %#x, want %#x", x[lane], e[lane], n[lane], getBig(z, lane), want)
						}
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestExpWipes(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		m := newModuli(t, k, 10, add(pow2(500), -1))
		p := m.borrowPowering(4)
		p.begin(0, fromBig(10, big.NewInt(0x1234567)))
		if err := power(context.Background(), p, fromBig(1, big.NewInt(0xabcdef)), 24, 4); err != nil {
			t.Fatal(err)
		}
		p.finish(NewInts(10))
		var memory []Ints
		var inWords []uint64
		switch p := p.(type) {
		case *expWork:
			memory = []Ints{p.memory[:cap(p.memory)], p.sc.work, p.sc.wide}
		case *wordPowering:
			memory = []Ints{p.bases, p.sc.work, p.sc.wide}
			inWords = p.memory[:cap(p.memory)]
		default:
			t.Fatalf("what does a %T leave in memory?", p)
		}
		p.release()
		if w, ok := p.(*expWork); ok && w.index != (Vector{}) {
			t.Error("the last window of the exponent is left in pooled memory")
		}
		for _, x := range memory {
			for i := range x {
				if x[i] != (Vector{}) {
					t.Fatalf("vector %d of %d of pooled memory is not zero", i, len(x))
				}
			}
		}
		for i, w := range inWords {
			if w != 0 {
				t.Fatalf("word %d of %d of pooled memory is not zero", i, len(inWords))
			}
		}
	})
}

func TestWindowBits(t *testing.T) {
	// Short exponents: no table is worth its price.
	for _, ebits := range []int{0, 1, 2} {
		if got := windowBits(ebits, 40); got != 1 {
			t.Errorf("windowBits(%d, 40) = %d, want 1", ebits, got)
		}
	}
	// Longer exponents never ask for smaller windows, and those as long as the
	// modulus for the four to six bits that the literature and the peers use.
	for _, limbs := range []int{10, 20, 40, 80, 320} {
		last := 0
		for ebits := 1; ebits < 20000; ebits *= 2 {
			w := windowBits(ebits, limbs)
			if w < last || w > maxWindow {
				t.Fatalf("windowBits(%d, %d) = %d after %d", ebits, limbs, w, last)
			}
			last = w
		}
		if w := windowBits(51*limbs, limbs); w < 4 || w > 6 {
			t.Errorf("windowBits(%d, %d) = %d, want 4 to 6", 51*limbs, limbs, w)
		}
	}
}

// TestAllocations checks that nothing allocates once the pools are warm.
func TestAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes pools forget")
	}
	eachKernel(t, func(t *testing.T, k *Kernel) {
		n := add(pow2(1024), -1)
		m := newModuli(t, k, 20, n, n, n)
		x, e, z := fromBig(20, add(n, -2), bigTwo), fromBig(2, add(pow2(100), -1)), NewInts(20)
		wide, sc := NewInts(40), NewScratch(20)
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		for _, tt := range []struct {
			name string
			f    func()
		}{
			{"Mul", func() { k.Mul(wide, x, z, sc) }},
			{"Sqr", func() { k.Sqr(wide, x, sc) }},
			{"MulMont", func() { m.MulMont(z, x, x, sc) }},
			{"SqrMont", func() { m.SqrMont(z, x, sc) }},
			{"Redc", func() { m.Redc(z, wide, sc) }},
			{"ToMontgomery", func() { m.ToMontgomery(z, x, sc) }},
			{"FromMontgomery", func() { m.FromMontgomery(z, x, sc) }},
			{"MulMont with pooled scratch", func() { m.MulMont(z, x, x, nil) }},
			{"Exp", func() {
				if err := m.Exp(ctx, z, x, e, 100); err != nil {
					t.Fatal(err)
				}
			}},
		} {
			tt.f()
			// A garbage collection during the run may empty the pools once.
			if n := testing.AllocsPerRun(100, tt.f); n != 0 {
				t.Errorf("%s: %v allocations", tt.name, n)
			}
		}
	})
}
