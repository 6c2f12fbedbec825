package batch

import (
	"bytes"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestNewModuliErrors(t *testing.T) {
	one := []byte{1}
	for _, tt := range []struct {
		name string
		bits int
		ns   [][]byte
		want string
	}{
		{"no bits", 0, [][]byte{one}, "batch: moduli of 0 bits"},
		{"negative bits", -5, [][]byte{one}, "batch: moduli of -5 bits"},
		{"too many bits", MaxBits + 1, [][]byte{one}, "batch: moduli of 16385 bits"},
		{"no moduli", 64, nil, "batch: 0 moduli"},
		{"nine moduli", 64, [][]byte{one, one, one, one, one, one, one, one, one}, "batch: 9 moduli"},
		{"empty", 64, [][]byte{one, {}}, "batch: lane 1: modulus 0"},
		{"zero", 64, [][]byte{one, one, make([]byte, 20)}, "batch: lane 2: modulus 0"},
		{"even", 64, [][]byte{{6}}, "batch: lane 0: even modulus"},
		{"one bit too long", 63, [][]byte{{1, 3}, bytes.Repeat([]byte{255}, 8)}, "batch: lane 1: modulus of more than 63 bits"},
		{"one word too long", 64, [][]byte{{1, 0, 0, 0, 0, 0, 0, 0, 1}}, "batch: lane 0: modulus of more than 64 bits"},
		{"far too long", 64, [][]byte{bytes.Repeat([]byte{255}, 3000)}, "batch: lane 0: modulus of more than 64 bits"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, err := NewModuli(tt.bits, tt.ns...)
			if m != nil || err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, %v, want an error with %q", m, err, tt.want)
			}
		})
	}
}

func TestNewModuli(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(91, 92))
		for _, bits := range []int{1, 2, 3, 49, 50, 51, 64, 65, 205, 256, 500, 521, 1024, 1037, 2048, 3072, 4099, MaxBits} {
			ns := append(extremeModuli(r, max(bits, 2)), add(pow2(bits), -1))
			if bits == 1 {
				ns = []*big.Int{bigOne}
			}
			for lanes := 1; lanes <= Lanes; lanes += 1 + r.IntN(3) {
				if bits > 5000 && lanes > 2 {
					continue
				}
				n := eightOf(r, ns, r.IntN(1+len(ns)/Lanes))[:lanes]
				n[lanes-1] = ns[len(ns)-1]
				var bs [][]byte
				for _, n := range n {
					// Leading zero bytes do not matter.
					bs = append(bs, append(make([]byte, r.IntN(12)), n.Bytes()...))
				}
				m, err := k.NewModuli(bits, bs...)
				if err != nil {
					t.Fatal(err)
				}
				if m.Kernel() != k || m.Limbs() != Limbs(bits) || m.Lanes() != lanes {
					t.Errorf("kernel %s, %d limbs, %d lanes, want %s, %d, %d",
						m.Kernel().Name(), m.Limbs(), m.Lanes(), k.Name(), Limbs(bits), lanes)
				}
				checkConstants(t, m, n)
			}
		}
	})
}

func checkConstants(t *testing.T, m *Moduli, n []*big.Int) {
	t.Helper()
	R := radix(m.limbs)
	word := pow2(DigitBits)
	for lane := range Lanes {
		v := bigOne
		if lane < len(n) {
			v = n[lane]
		}
		wantLane(t, m.n, lane, v, "modulus")
		ninv := new(big.Int).ModInverse(v, word)
		ninv.Neg(ninv).Mod(ninv, word)
		wantLane(t, m.ninv, lane, ninv, "-1/N mod 2^52 for %#x", v)
		if lane < len(n) {
			one := new(big.Int).Mod(R, v)
			wantLane(t, m.one, lane, one, "R mod %#x", v)
			rr := new(big.Int).Mul(R, R)
			wantLane(t, m.rr, lane, rr.Mod(rr, v), "R² mod %#x", v)
		}
	}
	for _, c := range []Ints{m.n, m.ninv, m.rr, m.one} {
		for i := range c {
			for lane := range Lanes {
				if c[i][lane] > digitMask {
					t.Fatalf("digit %d of lane %d of a constant is %#x, over 52 bits", i, lane, c[i][lane])
				}
			}
		}
	}
}

// TestSharedModuli: lanes whose moduli are the same slice are prepared as if each had
// its own.
func TestSharedModuli(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(93, 94))
		for _, bits := range []int{3, 64, 521, 1024, 2048} {
			n := extremeModuli(r, bits)
			a, b := n[r.IntN(len(n))].Bytes(), n[r.IntN(len(n))].Bytes()
			for _, shared := range [][][]byte{
				{a, a, a, a, a, a, a, a},
				{a, a, b, b, b, a},
				{a, b, b},
				{a, a[:len(a):len(a)], bytes.Clone(a), append([]byte{0}, a...)},
			} {
				var own [][]byte
				for _, n := range shared {
					own = append(own, bytes.Clone(n))
				}
				got, err := k.NewModuli(bits, shared...)
				if err != nil {
					t.Fatal(err)
				}
				want, err := k.NewModuli(bits, own...)
				if err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%d bits, %d lanes: shared moduli are prepared otherwise", bits, len(shared))
				}
			}
		}
		two := []byte{2}
		if _, err := k.NewModuli(8, two, two); err == nil {
			t.Error("no error for a shared even modulus")
		}
	})
}

func TestConversion(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(93, 94))
		for _, s := range []int{4, 8, 10, 16, 20, 40, 60} {
			ns := extremeModuli(r, s*DigitBits-headroomBits)
			for i := range 4 {
				n := eightOf(r, ns, i)
				m := newModuli(t, k, s, n...)
				x := make([]*big.Int, Lanes)
				for lane := range Lanes {
					x[lane] = below(r, radix(s))
					switch r.IntN(4) {
					case 0:
						x[lane] = n[lane]
					case 1:
						x[lane] = add(radix(s), -1)
					case 2:
						x[lane] = add(n[lane], -1)
					}
				}
				xi := litter(r, fromBig(s, x...), Lanes)
				mont, z, sc := NewInts(s), NewInts(s), NewScratch(s)
				m.ToMontgomery(mont, xi, sc)
				m.FromMontgomery(z, mont, sc)
				for lane := range Lanes {
					v := getBig(mont, lane)
					if v.Cmp(new(big.Int).Lsh(n[lane], 1)) >= 0 {
						t.Fatalf("Montgomery form %#x is not below 2N = 2·%#x", v, n[lane])
					}
					want := new(big.Int).Lsh(x[lane], uint(s*DigitBits))
					if want.Mod(want, n[lane]); want.Cmp(v.Mod(v, n[lane])) != 0 {
						t.Fatalf("%#x·R mod %#x = %#x, want %#x", x[lane], n[lane], v, want)
					}
					wantLane(t, z, lane, new(big.Int).Mod(x[lane], n[lane]), "%#x there and back mod %#x", x[lane], n[lane])
				}
				// FromMontgomery takes any number below R, and works in place.
				m.FromMontgomery(xi, xi, nil)
				for lane := range Lanes {
					want := new(big.Int).ModInverse(radix(s), n[lane])
					if n[lane].Cmp(bigOne) == 0 {
						want = new(big.Int)
					}
					want.Mul(want, x[lane]).Mod(want, n[lane])
					wantLane(t, xi, lane, want, "%#x/R mod %#x", x[lane], n[lane])
				}
			}
		}
	})
}

func TestLimbs(t *testing.T) {
	last := 0
	for bits := 1; bits <= MaxBits; bits++ {
		s := Limbs(bits)
		w, tiles := tiling(s)
		if w*tiles != s || w > maxTile || s > maxLimbs {
			t.Fatalf("Limbs(%d) = %d = %d·%d", bits, s, w, tiles)
		}
		if s*DigitBits < bits+headroomBits || s < last {
			t.Fatalf("Limbs(%d) = %d, after %d", bits, s, last)
		}
		last = s
	}
	for _, bits := range []int{-1, 0, MaxBits + 1} {
		if !panics(func() { Limbs(bits) }) {
			t.Errorf("Limbs(%d) does not panic", bits)
		}
	}
}

func panics(f func()) (yes bool) {
	defer func() { yes = recover() != nil }()
	f()
	return false
}

func TestWrongLengthsPanic(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		m := newModuli(t, k, 8, big.NewInt(7))
		x, short, wide := NewInts(8), NewInts(7), NewInts(16)
		for _, tt := range []struct {
			name string
			f    func()
		}{
			{"Mul, short y", func() { k.Mul(wide, x, short, nil) }},
			{"Mul, short z", func() { k.Mul(x, x, x, nil) }},
			{"Mul, 7 limbs", func() { k.Mul(NewInts(14), short, short, nil) }},
			{"Mul, 321 limbs", func() { k.Mul(NewInts(642), NewInts(321), NewInts(321), nil) }},
			{"Mul, no limbs", func() { k.Mul(nil, nil, nil, nil) }},
			{"Mul, scratch for more", func() { k.Mul(wide, x, x, NewScratch(10)) }},
			{"Sqr, short z", func() { k.Sqr(x, x, nil) }},
			{"MulMont, short z", func() { m.MulMont(short, x, x, nil) }},
			{"MulMont, short x", func() { m.MulMont(x, short, x, nil) }},
			{"MulMont, long y", func() { m.MulMont(x, x, wide, nil) }},
			{"SqrMont, short x", func() { m.SqrMont(x, short, nil) }},
			{"Redc, short t", func() { m.Redc(x, x, nil) }},
			{"ToMontgomery, short x", func() { m.ToMontgomery(x, short, nil) }},
			{"FromMontgomery, short z", func() { m.FromMontgomery(short, x, nil) }},
			{"Exp, short x", func() { _ = m.Exp(t.Context(), x, short, x, 5) }},
			{"Exp, short z", func() { _ = m.Exp(t.Context(), short, x, x, 5) }},
			{"Exp, negative length", func() { _ = m.Exp(t.Context(), x, x, x, -1) }},
			{"NewScratch, 7 limbs", func() { NewScratch(7) }},
		} {
			if !panics(tt.f) {
				t.Errorf("%s: no panic", tt.name)
			}
		}
	})
}

// TestModuliWipe checks that nothing is left of moduli, whatever fields they have.
func TestModuliWipe(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		m := newModuli(t, k, 10, add(pow2(500), -1), add(pow2(499), 1), big.NewInt(3))
		for _, r := range k.Reductions(m.limbs) { // some prepare more
			m.RedcBy(r, NewInts(m.limbs), NewInts(2*m.limbs), nil)
		}
		numbers := func() (found, zero int) {
			v := reflect.ValueOf(m).Elem()
			for i := range v.NumField() {
				switch v.Field(i).Kind() {
				case reflect.Slice, reflect.Array:
					found++
					if allZero(v.Field(i)) {
						zero++
					}
				}
			}
			return found, zero
		}
		if found, zero := numbers(); found == zero {
			t.Fatalf("%d of %d fields are zero from the beginning", zero, found)
		}
		m.Wipe()
		if found, zero := numbers(); found == 0 || found != zero {
			t.Errorf("%d of %d fields are zero", zero, found)
		}
	})
}

// allZero reports whether all numbers in a slice or array of any depth are zero.
func allZero(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			if !allZero(v.Index(i)) {
				return false
			}
		}
		return true
	default:
		return v.IsZero()
	}
}
