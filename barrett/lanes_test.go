package barrett

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"residue/barrett/internal/folding"
	"residue/batch"
)

// setBig sets a lane of x to v, which fits.
func setBig(x []batch.Vector, lane int, v *big.Int) {
	if !batch.Ints(x).SetBytes(lane, v.Bytes()) {
		panic("a number that does not fit")
	}
}

// getBig returns the number in a lane of x.
func getBig(x []batch.Vector, lane int) *big.Int {
	b := make([]byte, (len(x)*batch.DigitBits+7)/8)
	batch.Ints(x).FillBytes(lane, b)
	return new(big.Int).SetBytes(b)
}

// litter puts random bits into bits 52 to 63 of every digit, where they carry no value,
// and random digits into the lanes from lanes up.
func litter(r *rand.Rand, x []batch.Vector, lanes int) batch.Ints {
	for i := range x {
		for lane := range batch.Lanes {
			if lane >= lanes {
				x[i][lane] = r.Uint64()
			}
			x[i][lane] = x[i][lane]&digitMask | r.Uint64()&^digitMask
		}
	}
	return x
}

// TestLinear compares the routines of every kernel with math/big: on random digits and
// on such that make carries run, in place and not.
func TestLinear(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(21, 22))
		l := linearOf(k.lanes)
		for n := 1; n <= 12; n++ {
			mod := pow2(n * batch.DigitBits)
			for ny := 1; ny <= n; ny++ {
				for range 20 {
					x, y, z := batch.NewInts(n), batch.NewInts(ny), batch.NewInts(n+1)
					var xs, ys [batch.Lanes]*big.Int
					for lane := range batch.Lanes {
						xs[lane], ys[lane] = randomBig(r, n*batch.DigitBits), randomBig(r, ny*batch.DigitBits)
						if r.IntN(4) == 0 {
							xs[lane] = add(mod, -1)
						}
						setBig(x, lane, xs[lane])
						setBig(y, lane, ys[lane])
					}
					where := []folding.Bits{everywhere, 0, folding.Bits(r.IntN(256))}[r.IntN(3)]
					litter(r, x, batch.Lanes)
					litter(r, y, batch.Lanes)
					litter(r, z, 0)
					guard := z[n]
					out := []batch.Vector(z[:n])
					if r.IntN(3) == 0 {
						out = x
					}
					op, sign := l.add, int64(1)
					if r.IntN(2) == 0 {
						op, sign = l.sub, -1
					}
					carries := op(out, x, y, where)
					for lane := range batch.Lanes {
						want := new(big.Int).Set(xs[lane])
						if where>>lane&1 == 1 {
							want.Add(want, new(big.Int).Mul(ys[lane], big.NewInt(sign)))
						}
						carry := want.Sign() < 0 || want.Cmp(mod) >= 0
						want.Mod(want, mod)
						if got := getBig(out, lane); got.Cmp(want) != 0 || carry != (carries>>lane&1 == 1) {
							t.Fatalf("%d and %d digits, lane %d of %b: %#x %+d·%#x = %#x, carry %v; want %#x", n, ny, lane, where, xs[lane], sign, ys[lane], got, carries>>lane&1, want)
						}
					}
					if carries>>batch.Lanes != 0 || z[n] != guard {
						t.Fatal("bits of no lane, or the digits behind the result are written")
					}
					clean(t, out)
				}
			}
		}
	})
}

// clean checks that digits have nothing above their bits.
func clean(t *testing.T, x []batch.Vector) {
	t.Helper()
	for i := range x {
		for _, d := range x[i] {
			if d > digitMask {
				t.Fatalf("digit %d is %#x", i, d)
			}
		}
	}
}

func TestLaneShifts(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(23, 24))
		l := linearOf(k.lanes)
		for n := 1; n <= 5; n++ {
			for first := range uint64(batch.DigitBits) {
				x, z := batch.NewInts(n), batch.NewInts(n)
				var xs [batch.Lanes]*big.Int
				var count batch.Vector
				for lane := range batch.Lanes {
					xs[lane] = randomBig(r, n*batch.DigitBits)
					setBig(x, lane, xs[lane])
					count[lane] = (first + uint64(lane)*uint64(n)) % batch.DigitBits
				}
				litter(r, x, batch.Lanes)
				for _, z := range []batch.Ints{z, x} { // not in place, and in place
					l.shiftRight(z, x, &count)
					for lane, n := range count {
						if got, want := getBig(z, lane), new(big.Int).Rsh(xs[lane], uint(n)); got.Cmp(want) != 0 {
							t.Fatalf("%#x >> %d = %#x, want %#x", xs[lane], n, got, want)
						}
					}
					clean(t, z)
				}
				for lane := range batch.Lanes {
					setBig(x, lane, xs[lane])
				}
				litter(r, x, batch.Lanes)
				for _, z := range []batch.Ints{z, x} {
					l.shiftLeft(z, x, &count)
					for lane, c := range count {
						want := new(big.Int).Lsh(xs[lane], uint(c))
						want.Mod(want, pow2(n*batch.DigitBits))
						if got := getBig(z, lane); got.Cmp(want) != 0 {
							t.Fatalf("%#x << %d = %#x, want %#x", xs[lane], c, got, want)
						}
					}
					clean(t, z)
				}
			}
		}
	})
}

func TestForms(t *testing.T) {
	for bits := 1; bits <= MaxBits; bits += 1 + bits/50 {
		for folds := Auto; folds <= LaneFolds(bits); folds++ {
			f, ok := formOf(bits, folds)
			if !ok {
				t.Errorf("%d bits, %d folds: no form", bits, folds)
				continue
			}
			if folds != Auto && f.folds != folds || f.limbs*batch.DigitBits < bits || !f.valid() {
				t.Errorf("%d bits, %d folds: %+v", bits, folds, f)
			}
		}
	}
	for bits, want := range map[int]laneForm{1: {4, 0}, 512: {10, 0}, 1024: {20, 0}, 2048: {40, 1}, 2100: {42, 0}, 5000: {100, 1}, 8192: {160, 2}} {
		if f, _ := formOf(bits, Auto); f != want {
			t.Errorf("%d bits: %+v, want %+v", bits, f, want)
		}
	}
	for n := range uint64(1 << 16) {
		if q, r := divideByDigit(n); q != n/batch.DigitBits || r != n%batch.DigitBits {
			t.Fatalf("%d by 52: %d, %d", n, q, r)
		}
	}
}

// laneLengths are lengths around those that take more digits, with and without folds.
func laneLengths() []int {
	return []int{1, 2, 51, 52, 53, 104, 200, 208, 209, 510, 512, 519, 520, 521, 1024, 1039, 1040, 1041, 1247, 1248, 1249, 2048, 2080, 2081}
}

func newModuli(t *testing.T, k *Kernel, bits, folds int, ns []*big.Int) *Moduli {
	t.Helper()
	var bs [][]byte
	for _, n := range ns {
		bs = append(bs, n.Bytes())
	}
	m, err := k.NewModuli(bits, folds, bs...)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// eightOf cuts moduli into batches, the last of which may be shorter.
func eightOf(ns []*big.Int) [][]*big.Int { return slices.Collect(slices.Chunk(ns, batch.Lanes)) }

// TestLaneReduce reduces numbers of twice the length of the moduli, with every number
// of folds: moduli of one length, for which there is one reduction, and mixed ones.
func TestLaneReduce(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(25, 26))
		for _, bits := range append(laneLengths(), 4160) {
			if testing.Short() && bits > 600 && bits != 1040 {
				continue
			}
			all := moduli(r, bits)
			full := slices.DeleteFunc(slices.Clone(all), func(n *big.Int) bool { return n.BitLen() < bits })
			for folds := range LaneFolds(bits) + 1 {
				for i, ns := range append(eightOf(all), eightOf(full)...) {
					if bits > 600 && (i+folds)%3 != 0 {
						continue // another number of folds has them
					}
					m := newModuli(t, k, bits, folds, ns)
					s, sc := m.Limbs(), m.NewScratch()
					xs := make([][]*big.Int, len(ns))
					rounds := 0
					for lane, n := range ns {
						xs[lane] = dividends(r, n, bits)
						rounds = max(rounds, len(xs[lane]))
					}
					z, wide := batch.NewInts(s), batch.NewInts(2*s)
					for round := range rounds {
						for lane := range ns {
							setBig(wide, lane, xs[lane][round%len(xs[lane])])
						}
						m.Reduce(z, litter(r, wide, len(ns)), sc)
						for lane, n := range ns {
							x := xs[lane][round%len(xs[lane])]
							if got, want := getBig(z, lane), new(big.Int).Mod(x, n); got.Cmp(want) != 0 {
								t.Fatalf("%d bits, %d folds, %d lanes: %#x mod %#x = %#x, want %#x", bits, folds, len(ns), x, n, got, want)
							}
						}
					}
				}
			}
		}
	})
}

// TestLaneReduceIgnores: what of x is above twice the length does not matter.
func TestLaneReduceIgnores(t *testing.T) {
	r := rand.New(rand.NewPCG(27, 28))
	for _, bits := range []int{1, 50, 52, 500, 1030} {
		for _, n := range moduli(r, bits) {
			m := newModuli(t, Kernels()[0], bits, Auto, []*big.Int{n})
			z, wide := batch.NewInts(m.Limbs()), batch.NewInts(2*m.Limbs())
			x := randomBig(r, 2*m.Limbs()*batch.DigitBits)
			setBig(wide, 0, x)
			m.Reduce(z, litter(r, wide, 1), nil)
			want := new(big.Int).And(x, add(pow2(2*bits), -1))
			if got := getBig(z, 0); got.Cmp(want.Mod(want, n)) != 0 {
				t.Fatalf("%d bits: %#x mod %#x = %#x, want %#x", bits, x, n, got, want)
			}
		}
	}
}

// TestLaneProducts multiplies and squares residues that are not reduced, on and on.
func TestLaneProducts(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(29, 30))
		for _, bits := range append(laneLengths(), 4096) {
			if testing.Short() && bits > 1100 {
				continue
			}
			for _, ns := range eightOf(moduli(r, bits)) {
				m := newModuli(t, k, bits, Auto, ns)
				s, sc := m.Limbs(), m.NewScratch()
				x, y, z := batch.NewInts(s), batch.NewInts(s), batch.NewInts(s)
				var want, ys [batch.Lanes]*big.Int
				for lane := range ns {
					want[lane], ys[lane] = randomBig(r, s*batch.DigitBits), randomBig(r, s*batch.DigitBits)
					if r.IntN(3) == 0 {
						want[lane], ys[lane] = add(pow2(s*batch.DigitBits), -1), add(pow2(s*batch.DigitBits), -1)
					}
					setBig(x, lane, want[lane])
					setBig(y, lane, ys[lane])
				}
				litter(r, x, len(ns))
				litter(r, y, len(ns))
				check := func(what string, z batch.Ints, f func(lane int)) {
					t.Helper()
					for lane, n := range ns {
						f(lane)
						want[lane].Mod(want[lane], n)
						got := getBig(z, lane)
						if got.Mod(got, n).Cmp(want[lane]) != 0 {
							t.Fatalf("%s, %d bits, lane %d, modulo %#x: %#x, want %#x", what, bits, lane, n, got, want[lane])
						}
					}
				}
				m.Mul(z, x, y, sc)
				check("product", z, func(lane int) { want[lane].Mul(want[lane], ys[lane]) })
				m.Sqr(x, z, nil)
				check("square", x, func(lane int) { want[lane].Mul(want[lane], want[lane]) })
				for range 5 {
					m.Mul(x, x, y, sc)
					m.Sqr(x, x, sc)
					m.Mul(x, x, x, sc)
				}
				check("chain", x, func(lane int) {
					for range 5 {
						want[lane].Mul(want[lane], ys[lane]).Exp(want[lane], big.NewInt(4), ns[lane])
					}
				})
			}
		}
	})
}

func TestLaneExp(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(31, 32))
		for _, bits := range []int{1, 2, 52, 64, 200, 520, 1024, 1300} {
			if testing.Short() && bits > 600 {
				continue
			}
			for _, ns := range eightOf(moduli(r, bits)) {
				m := newModuli(t, k, bits, Auto, ns)
				s := m.Limbs()
				for _, ebits := range []int{0, 1, 2, 17, 53, 130} {
					x, e, z := batch.NewInts(s), batch.NewInts(ebits/batch.DigitBits+1), batch.NewInts(s)
					var xs, es [batch.Lanes]*big.Int
					for lane := range ns {
						xs[lane], es[lane] = randomBig(r, s*batch.DigitBits), randomBig(r, ebits)
						if r.IntN(6) == 0 {
							xs[lane].SetInt64(0)
						}
						setBig(x, lane, xs[lane])
						setBig(e, lane, es[lane])
					}
					if r.IntN(3) == 0 {
						z = x
					}
					if err := m.Exp(context.Background(), z, litter(r, x, len(ns)), litter(r, e, len(ns)), ebits); err != nil {
						t.Fatal(err)
					}
					for lane, n := range ns {
						if got, want := getBig(z, lane), new(big.Int).Exp(xs[lane], es[lane], n); got.Cmp(want) != 0 {
							t.Fatalf("%d bits, lane %d: %#x^%#x mod %#x = %#x, want %#x", bits, lane, xs[lane], es[lane], n, got, want)
						}
					}
				}
			}
		}
	})
}

func TestLaneErrors(t *testing.T) {
	one := []byte{1}
	for _, c := range []struct {
		bits, folds int
		ns          [][]byte
		want        string
	}{
		{0, Auto, [][]byte{one}, "barrett: moduli of 0 bits, not 1 to 16384"},
		{MaxBits + 1, Auto, [][]byte{one}, "barrett: moduli of 16385 bits, not 1 to 16384"},
		{9, Auto, nil, "barrett: 0 moduli, not 1 to 8"},
		{9, Auto, slices.Repeat([][]byte{one}, 9), "barrett: 9 moduli, not 1 to 8"},
		{9, Auto, [][]byte{one, {0}}, "barrett: lane 1: the modulus is zero"},
		{9, Auto, [][]byte{one, one, {2, 0}}, "barrett: lane 2: a modulus of more than 9 bits"},
		{9, 1, [][]byte{one}, "barrett: 1 folds for eight moduli of 9 bits, not 0 to 0"},
		{MaxBits, -2, [][]byte{one}, "barrett: -2 folds for eight moduli of 16384 bits, not 0 to 3"},
	} {
		if _, err := Kernels()[0].NewModuli(c.bits, c.folds, c.ns...); err == nil || err.Error() != c.want {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

func TestLanePanics(t *testing.T) {
	k := Kernels()[0]
	m := newModuli(t, k, 500, Auto, []*big.Int{bigOne})
	other := newModuli(t, k, 1000, Auto, []*big.Int{bigOne})
	x, y := batch.NewInts(m.Limbs()), batch.NewInts(other.Limbs())
	for name, f := range map[string]func(){
		"operand":  func() { m.Mul(x, x, y, nil) },
		"result":   func() { m.Sqr(y, x, nil) },
		"scratch":  func() { m.Mul(x, x, x, other.NewScratch()) },
		"wide":     func() { m.Reduce(x, x, nil) },
		"exponent": func() { m.Exp(context.Background(), x, x, x, -1) },
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
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := m.Exp(ctx, x, x, x, 300); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestLaneWipe: nothing is left, neither in moduli nor in scratch.
func TestLaneWipe(t *testing.T) {
	m := newModuli(t, Kernels()[0], 1100, Auto, []*big.Int{add(pow2(1099), 12), big.NewInt(77)})
	sc := m.NewScratch()
	x := batch.NewInts(m.Limbs())
	litter(rand.New(rand.NewPCG(1, 1)), x, 0)
	m.Mul(x, x, x, sc)
	sc.Wipe()
	m.Wipe()
	for _, w := range append(m.m.Folds, sc.memory, m.m.N, m.m.Mu, []batch.Vector{m.digits, m.rest}) {
		for i := range w {
			if w[i] != (batch.Vector{}) {
				t.Fatalf("%x is left", w[i])
			}
		}
	}
}

func TestLaneAllocs(t *testing.T) {
	if raceEnabled {
		t.Skip("under the race detector pools drop what they get")
	}
	m := newModuli(t, Kernels()[0], 1100, Auto, []*big.Int{add(pow2(1099), 12), big.NewInt(77)})
	x, wide := batch.NewInts(m.Limbs()), batch.NewInts(2*m.Limbs())
	for name, f := range map[string]func(){
		"Mul":    func() { m.Mul(x, x, x, nil) },
		"Sqr":    func() { m.Sqr(x, x, nil) },
		"Reduce": func() { m.Reduce(x, wide, nil) },
		"Exp":    func() { m.Exp(context.Background(), x, x, x, 70) },
	} {
		if n := testing.AllocsPerRun(20, f); n > 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
