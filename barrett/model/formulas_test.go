package model

import (
	"fmt"
	"math"
	"testing"
)

// The closed formulas. k is the number of words, a power of two, h half of it, and
// alpha the additions of a multiplication in a schoolbook product.

// formula is a cost in the cycles of a processor with free memory.
type formula struct{ mul, alpha float64 }

// schoolbook is (m + α)·k²; Comba's method saves five additions (see
// Machine.productScanning).
func (f formula) schoolbook(k float64) float64 {
	if f.alpha == 3 {
		return (f.mul+3)*k*k - 5
	}
	return (f.mul + f.alpha) * k * k
}

// karatsuba is 3·K(h) + 9h + 3: two sums of h words; an addition of h words for each
// of two carry bits, which are there half of the time; two subtractions and an
// addition of 2h words; and what is left of carries.
func (f formula) karatsuba(k, leaf float64) float64 {
	if k <= leaf {
		return f.schoolbook(k)
	}
	return 3*f.karatsuba(k/2, leaf) + 9*k/2 + 3
}

// rectangle is a product of k words and k/2^i: 2^i products, which overlap in
// 2^i − 1 places.
func (f formula) rectangle(k, i, leaf float64) float64 {
	pieces := math.Exp2(i)
	return pieces*f.karatsuba(k/pieces, leaf) + (pieces-1)*k/pieces
}

// barrett is a product; folds, each a rectangle, its addition, and for all but the
// first a carry half of the time; the quotient, with the bit that is left out of µ;
// its product with the modulus; a subtraction and the first correction.
func (f formula) barrett(k, folds, leaf float64) float64 {
	sum := f.karatsuba(k, leaf)
	for i := 1.0; i <= folds; i++ {
		sum += f.rectangle(k, i, leaf) + k + k/math.Exp2(i)
		if i > 1 {
			sum += k / 2
		}
	}
	e := k / math.Exp2(folds)
	return sum + f.karatsuba(e, leaf) + e + f.rectangle(k, folds, leaf) + 2*k + 1
}

// montgomery is 2k² + k multiplications and the additions of Koç, Acar and Kaliski,
// table 1.
func (f formula) montgomery(a Algorithm, k float64) float64 {
	additions := map[Algorithm]float64{
		CIOS: 4*k*k + 4*k + 2,
		FIOS: 5*k*k + 3*k + 2,
		FIPS: 6*k*k + 2*k + 2,
	}[a]
	return f.mul*(2*k*k+k) + additions
}

// within fails if a count is off by more than 2 %.
func within(t *testing.T, what string, got, want float64) {
	t.Helper()
	if off := got/want - 1; math.Abs(off) > 0.02 {
		t.Errorf("%s: %.5g, want %.5g: off by %.1f %%", what, got, want, 100*off)
	}
}

func cycles(t *testing.T, p Processor, method Method, nbits int) float64 {
	t.Helper()
	c, err := p.MultiplicationCount(method, nbits)
	if err != nil {
		t.Fatal(err)
	}
	return float64(p.Cycles(c))
}

// TestFormulas: counts agree with the closed formulas.
func TestFormulas(t *testing.T) {
	const word, leaf = 8, 4
	for _, f := range []formula{{2, 2}, {2, 3}, {4, 2}} {
		p := Processor{Word: word, Mul: int(f.mul)}
		if f.alpha == 3 {
			p.Scan = Product
		}
		for k := 32; k <= 256; k *= 2 {
			for l := leaf; l <= k; l *= 4 {
				c, err := p.ProductCount(k*word, l)
				if err != nil {
					t.Fatal(err)
				}
				within(t, fmt.Sprintf("%+v: product of %d words, leaf %d", f, k, l),
					float64(p.Cycles(c)), f.karatsuba(float64(k), float64(l)))
			}
			for folds := 0; folds <= 3; folds++ {
				within(t, fmt.Sprintf("%+v: Barrett, %d words, %d folds", f, k, folds),
					cycles(t, p, Method{Algorithm: Barrett, Leaf: leaf, Folds: folds}, k*word),
					f.barrett(float64(k), float64(folds), leaf))
			}
			for _, a := range []Algorithm{CIOS, FIOS, FIPS} {
				within(t, fmt.Sprintf("%+v: %v, %d words", f, a, k),
					cycles(t, p, Method{Algorithm: a}, k*word), f.montgomery(a, float64(k)))
			}
			within(t, fmt.Sprintf("%+v: three products, %d words", f, k),
				cycles(t, p, Method{Algorithm: KaratsubaMontgomery, Leaf: leaf}, k*word),
				3*f.karatsuba(float64(k), leaf)+3*float64(k))
		}
	}
}

// TestExactCounts: where nothing depends on data, counts are known to the last
// addition. There is no tolerance, so a change of the text is a change here.
func TestExactCounts(t *testing.T) {
	const word, leaf = 8, 4
	for k := 16; k <= 128; k *= 2 {
		for scan, p := range map[string]Processor{
			"operand": {Word: word, Masked: true},
			"product": {Word: word, Masked: true, Scan: Product},
		} {
			method := Method{Algorithm: Barrett, Leaf: leaf, Folds: 2}
			got, err := p.MultiplicationCount(method, k*word)
			if err != nil {
				t.Fatal(err)
			}
			if want := maskedBarrett(p, k, 2, leaf); got.Mul != want.Mul || got.Add != want.Add {
				t.Errorf("Barrett, %s scanning, %d words: %+v, want %+v", scan, k, got, want)
			}
		}
		p := Processor{Word: word}
		for a, want := range map[Algorithm]Count{
			// The passes of CIOS have 2k and 2k + 2 additions but one of a first word,
			// and load two words for each multiplication; the correction is one
			// subtraction.
			CIOS: {
				Mul: 2*k*k + k, Add: 4*k*k + 2*k + k + 1, Carry: 4*k*k - k,
				Load: 4*k*k + 4*k + 2*k + 1, Store: 2*k*k + 3*k + k + 2 + k + 1,
			},
			// FIPS has three additions a multiplication but those for the digits of the
			// quotient, which stay in a register once.
			FIPS: {
				Mul: 2*k*k + k, Add: 6*k*k + k + 1,
				Load: 4*k*k - k + 2*k + 1, Store: 2*k + 1 + k + 1,
			},
		} {
			got, err := p.MultiplicationCount(Method{Algorithm: a}, k*word)
			if err != nil {
				t.Fatal(err)
			}
			if got != want {
				t.Errorf("%v, %d words: %+v, want %+v", a, k, got, want)
			}
		}
	}
}

// maskedProduct is the count of Karatsuba's method with masks. A level has two sums
// of h words; the product of the carry bits; two times a mask, h words masked and
// added and the carry; two subtractions of 2h words and the top word; and an addition
// to 3h words.
func maskedProduct(p Processor, k, leaf int) Count {
	if k <= leaf {
		if p.Scan == Product {
			return Count{Mul: k * k, Add: 3*k*k - 5}
		}
		return Count{Mul: k * k, Add: 2 * k * k}
	}
	h, half := k/2, maskedProduct(p, k/2, leaf)
	return Count{Mul: 3 * half.Mul, Add: 3*half.Add + 2*h + 1 + 2*(2*h+2) + 2*(2*h+1) + 3*h}
}

// maskedRectangle is the count of a product of k words and n: carries run to the end
// of each piece, which is one word times n and n words above.
func maskedRectangle(p Processor, k, n, leaf int) Count {
	if n <= leaf {
		c := Count{Mul: k * n, Add: 2 * k * n}
		if p.Scan == Product {
			c.Add = 3*k*n - 5
		}
		return c
	}
	piece := maskedProduct(p, n, leaf)
	return Count{Mul: k / n * piece.Mul, Add: k/n*piece.Add + (k/n-1)*2*n}
}

func maskedBarrett(p Processor, k, folds, leaf int) Count {
	var sum Count
	add := func(c Count) {
		sum.Mul += c.Mul
		sum.Add += c.Add
	}
	add(maskedProduct(p, k, leaf))
	e := k
	for range folds {
		e /= 2
		add(maskedRectangle(p, k, e, leaf))
		add(Count{Add: k + e + 1 + k + k + e}) // the sum; a mask, k words masked and added, e carried to
	}
	add(maskedProduct(p, e, leaf))
	add(Count{Add: e})
	add(maskedRectangle(p, k, e, leaf))
	add(Count{Add: 1 + 2*(k+1-e)}) // the quotient's highest bit times the modulus
	add(Count{Add: k + 1})
	add(Count{Add: 3 * (k + 1 + 1 + 2*k + 1)}) // corrections: subtract, and add again
	return sum
}

// TestSpeedUps: how much faster Barrett's method with folds is than Montgomery's on
// the processor of the slides. The figures are those of the closed formulas, and of
// the slides' statement: twice for 512 and 1024 bits, 3 times for 2048, 4 times for
// 4096.
func TestSpeedUps(t *testing.T) {
	slides := []float64{2, 2, 3, 4}
	for _, c := range []struct {
		montgomery Algorithm
		scan       Scan
		folds      int
		want       []float64 // for 512, 1024, … bits
		reproduces bool      // what the slides say, rounded
	}{
		{FIOS, Operand, 2, []float64{1.86, 2.40, 3.12, 4.10, 5.41, 7.17}, true},
		{CIOS, Operand, 1, []float64{1.64, 2.11, 2.76, 3.63, 4.80, 6.37}, false},
		{FIPS, Product, 1, []float64{1.82, 2.36, 3.10, 4.08, 5.40, 7.17}, true},
	} {
		if testing.Short() {
			c.want = c.want[:4]
		}
		p := Processor{Word: 8, Mul: 2, Scan: c.scan}
		leaf, err := p.BestLeaf()
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range c.want {
			nbits := 512 << i
			got := cycles(t, p, Method{Algorithm: c.montgomery}, nbits) /
				cycles(t, p, Method{Algorithm: Barrett, Leaf: leaf, Folds: c.folds}, nbits)
			within(t, fmt.Sprintf("%v, %d bits", c.montgomery, nbits), got, want)
			if c.reproduces && i < len(slides) && math.Round(got) != slides[i] {
				t.Errorf("%v, %d bits: %.2f times as fast, the slides say %v", c.montgomery, nbits, got, slides[i])
			}
		}
	}
}
