package batch

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// halvings is how often squares of so many limbs are halved by Karatsuba's method.
func halvings(limbs int) (n int) {
	for _, w := range []int{14, 15, 16, 18, 20} {
		for i := 1; i < 5; i++ {
			if limbs >= 40 && w<<i == limbs {
				n = i
			}
		}
	}
	return n
}

func TestSquareTiling(t *testing.T) {
	for _, s := range limbCounts(maxLimbs) {
		w, m, ok := squareTiling(s)
		if ok != (halvings(s) > 0) || ok && (w*m != s || m != 1<<halvings(s)) {
			t.Errorf("%d limbs: %d tiles of %d, %v", s, m, w, ok)
		}
	}
}

// halvedLimbs are numbers of limbs with one, two, three and four halvings.
var halvedLimbs = []int{40, 56, 60, 64, 72, 80, 120, 160, 224, 240, 320}

// halvedOperands are numbers below 2^bits for which sums of halves have a carry,
// are zero or have carries that run through all digits, at every halving.
func halvedOperands(r *rand.Rand, s, bits int) (xs []*big.Int) {
	ones := add(pow2(bits), -1)
	xs = append(xs, new(big.Int), bigOne, ones, randomBig(r, bits))
	for n := s / 2; n > 0; n /= 2 {
		low := add(radix(n), -1)
		xs = append(xs,
			low,                                 // the high half is zero
			radix(n),                            // and here the low one
			new(big.Int).Sub(ones, low),         // and here
			add(radix(n+1), -1),                 // 2^(52n) − 1, and 2^52 − 1 above it
			new(big.Int).Add(radix(n), low),     // 2^(52n) − 1 and 1: the sum is 2^(52n)
			add(new(big.Int).Sub(ones, low), 1), // all ones and 1
			new(big.Int).Rsh(new(big.Int).Mul(ones, big.NewInt(2)), uint(1+n)),
		)
		every := new(big.Int) // a digit of ones in every half
		for i := n - 1; i < s; i += n {
			every.Or(every, new(big.Int).Mul(add(pow2(DigitBits), -1), radix(i)))
		}
		xs = append(xs, every.And(every, ones))
	}
	return xs
}

// TestHalvedSquares compares squares with math/big, and both ways of squaring digit
// by digit, for operands that take sums of halves to their bounds.
func TestHalvedSquares(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(77, 78))
		for _, s := range halvedLimbs {
			bits := min(s*DigitBits-headroomBits, MaxBits)
			ns := extremeModuli(r, bits)
			// Squares are below R·(R − N) for any x below 2^(52s−1) and N below R/8.
			xs := halvedOperands(r, s, s*DigitBits-1)
			if s > 80 && (testing.Short() || raceEnabled) {
				xs = xs[:2*Lanes]
			}
			z, sc := NewInts(s), NewScratch(s)
			for i := range (len(xs) + Lanes - 1) / Lanes {
				n := eightOf(r, ns, i%3)
				m := newModuli(t, k, s, n...)
				x := eightOf(r, xs, i)
				xi := fromBig(s, x...)
				litter(r, xi, Lanes)
				litter(r, sc.work, 0)
				forms := k.Reductions(s)
				forms = slices.DeleteFunc(forms, func(f Reduction) bool { return f.Block > 1 })
				for _, form := range append(forms, Reduction{}) {
					m.SqrMontBy(form, z, xi, sc)
					for lane := range Lanes {
						want := montgomeryBig(new(big.Int).Mul(x[lane], x[lane]), n[lane], s)
						wantLane(t, z, lane, want, "%+v, %#x² / R mod %#x", form, x[lane], n[lane])
					}
				}
			}
		}
	})
}

// TestSquareChains squares over and over: what stands above the digits of a result
// goes into the next square.
func TestSquareChains(t *testing.T) {
	eachKernel(t, func(t *testing.T, k *Kernel) {
		r := rand.New(rand.NewPCG(79, 80))
		for _, s := range []int{20, 40, 60, 80, 160} {
			n := eightOf(r, extremeModuli(r, s*DigitBits-headroomBits), 0)
			m := newModuli(t, k, s, n...)
			var want [Lanes]*big.Int
			for lane := range Lanes {
				want[lane] = below(r, new(big.Int).Lsh(n[lane], 1))
			}
			z, sc := fromBig(s, want[:]...), NewScratch(s)
			for i := range 40 {
				m.SqrMont(z, z, sc)
				for lane := range Lanes {
					want[lane] = montgomeryBig(want[lane].Mul(want[lane], want[lane]), n[lane], s)
					wantLane(t, z, lane, want[lane], "square %d mod %#x", i, n[lane])
				}
			}
		}
	})
}

// TestSquareColumns adds up what each column of a square may hold, and its
// reduction adds: no column leaves 64 bits, and none that is carried before.
func TestSquareColumns(t *testing.T) {
	for _, s := range limbCounts(maxLimbs) {
		w, m, ok := squareTiling(s)
		if !ok {
			continue
		}
		low, high := squareBounds(w, m)
		for c := range high {
			// In units of β: low and high halves of quotient times modulus, bias, carry.
			most := high[c] + 2*min(s, c+1, 2*s-c) + 2*m + 1
			if limit := 1 << (63 - DigitBits); most > limit || low[c] < -limit {
				t.Fatalf("%d tiles of %d: column %d is from %dβ to %dβ", m, w, c, low[c], most)
			}
		}
	}
}

// squareBounds returns between what multiples of β the columns of a square are,
// by the identity, with columns of different squares as if they were independent.
func squareBounds(w, m int) (low, high []int) {
	n := w * m / 2
	low, high = make([]int, 2*w*m), make([]int, 2*w*m)
	if m == 1 {
		for c := range high {
			high[c] = max(0, min(c+1, 2*w-1-c)) + min(c, 2*w-c)
		}
		return low, high
	}
	l, h := squareBounds(w, m/2)
	for c := range 2 * n {
		carry := 0
		if c >= n {
			carry = 2
		}
		for _, at := range []int{0, 2 * n} {
			low[at+c] += l[c]
			high[at+c] += h[c]
		}
		low[n+c] += l[c] - 2*h[c]
		high[n+c] += h[c] + carry - 2*l[c]
	}
	if m > mostCarried {
		for c := n; c < 3*n; c++ {
			if limit := 1 << (63 - DigitBits); high[c]+2*m > limit || low[c] < -limit {
				panic("a column does not fit before it is carried")
			}
			low[c], high[c] = 0, 1
		}
		low[3*n]--
		high[3*n]++
	}
	return low, high
}
