package pmns

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"residue/internal/memory"
	"residue/internal/testvectors"
)

// eachToeplitz runs f for the routines that split products, and widths of words that they
// take.
func eachToeplitz(t *testing.T, f func(t *testing.T, v *vectorRoutines, width int, r *rand.Rand)) {
	t.Helper()
	ran := false
	for _, k := range Kernels() {
		for i := range k.routines {
			v := &k.routines[i]
			if v.variant != Toeplitz {
				continue
			}
			ran = true
			for _, width := range []int{v.toeplitzWidth(), 46, MinWidth} {
				t.Run(fmt.Sprintf("%s/%dx%dx%d", k.name, v.n, v.s, width), func(t *testing.T) {
					f(t, v, width, rand.New(rand.NewPCG(uint64(v.n), uint64(width))))
				})
			}
		}
	}
	if !ran {
		t.Skip("this CPU has none")
	}
}

// TestToeplitzRoutines has any M for which results fit, words that are all ones, and
// litter above them. Results are the polynomials that other variants have.
func TestToeplitzRoutines(t *testing.T) {
	eachToeplitz(t, func(t *testing.T, v *vectorRoutines, width int, r *rand.Rand) {
		phi := pow2(v.s * width)
		// Below φ/8n, so that Q·M/φ is below φ/4; and operands below φ/2^h, of which
		// products divided by φ are below φ/2.
		short := new(big.Int).Quo(phi, big.NewInt(int64(8*v.n)))
		operand := new(big.Int).Rsh(phi, 5)
		polynomial := func(below *big.Int, kind int) []*big.Int {
			a := zeroPolynomial(v.n)
			for _, c := range a {
				switch kind {
				case 0: // all ones below the highest word
					c.Sub(pow2((v.s-1)*width), bigOne)
					c.Or(c, new(big.Int).Sub(below, bigOne))
				case 1: // ones, and a highest word of zeros
					c.Sub(pow2((v.s-1)*width), bigOne)
				case 2:
					c.Mul(new(big.Int).Sub(below, bigOne), big.NewInt(int64(r.IntN(2))))
				default:
					c.Mod(randomBig(r, below.BitLen()+64), below)
				}
			}
			return a
		}
		for kind := range 20 {
			p := &Params{N: v.n, Words: v.s, Width: width, Lambda: 2, M: polynomial(short, kind%5)}
			p.M[0].SetBit(p.M[0], 0, 1)
			p.MPrime = negInverse(p.M, 2, v.s*width)
			constants := newToeplitzConstants(p)
			a, b := polynomial(operand, kind/5), polynomial(operand, kind%3)
			if kind == 0 {
				b = a
			}
			want := (&representer{Params: p, phi: phi}).redc(mulMod(a, b, 2))
			for _, c := range want {
				if c.Cmp(phi) >= 0 {
					t.Fatal("a result does not fit")
				}
			}
			z := memory.Aligned(lanes * v.elementVectors())
			x, y := memory.Aligned(len(z)), memory.Aligned(len(z))
			work := memory.Aligned(lanes * v.workVectors())
			for i := range x {
				z[i], x[i], y[i] = r.Uint64(), r.Uint64(), r.Uint64()
			}
			for i := range work {
				work[i] = r.Uint64()
			}
			v.put(x, a, width)
			v.put(y, b, width)
			to := &z[0]
			switch kind % 4 {
			case 1:
				to = &x[0]
			case 2:
				to = &y[0]
			}
			v.mul(to, &x[0], &y[0], &constants[0], &work[0])
			for i, c := range v.polynomial(wordsAt(to, len(z)), width) {
				if c.Cmp(want[i]) != 0 {
					t.Fatalf("kind %d: coefficient %d is %#x, want %#x", kind, i, c, want[i])
				}
			}
		}
	})
}

// put sets the words of x, and leaves what is above them.
func (s shape) put(x []uint64, a []*big.Int, width int) {
	words := make([]uint64, len(x))
	for i, c := range a {
		setWords(words[i:], lanes*s.coefficientVectors(), s.s, width, c)
	}
	for i, w := range words {
		x[i] = x[i]&^(1<<width-1) | w
	}
}

func (s shape) polynomial(x []uint64, width int) []*big.Int {
	a := zeroPolynomial(s.n)
	for i, c := range a {
		for w := s.s - 1; w >= 0; w-- {
			c.Lsh(c, uint(width))
			c.Or(c, new(big.Int).SetUint64(x[w*lanes*s.coefficientVectors()+i]&(1<<width-1)))
		}
	}
	return a
}

// toeplitzChain makes products and squares, each of earlier results, from elements that are
// random or at their bounds.
func toeplitzChain(t *testing.T, set *Params, steps int) {
	t.Helper()
	for _, k := range Kernels() {
		if !k.Has(set, Toeplitz) {
			continue
		}
		s := newTestSystem(t, k, set, Toeplitz)
		r := rand.New(rand.NewPCG(15, uint64(s.n)))
		sc, x, y := s.NewScratch(), s.NewElement(), s.NewElement()
		if err := s.SetPolynomial(x, set.Bounds()); err != nil {
			t.Fatal(err)
		}
		y.Set(x)
		xv := s.bigValue(x)
		yv := new(big.Int).Set(xv)
		for i := range steps {
			if r.IntN(2) == 0 {
				s.Mul(x, x, y, sc)
				xv.Mul(xv, yv).Mod(xv, set.P)
			} else {
				s.Sqr(y, x, 1, sc)
				yv.Mul(xv, xv).Mod(yv, set.P)
			}
			if i%(steps/5) == 0 || i == steps-1 {
				wantElement(t, s, x, xv, "x")
				wantElement(t, s, y, yv, "y")
			}
		}
	}
}

// TestToeplitzEmbedded makes chains with all sets for routines that split products.
func TestToeplitzEmbedded(t *testing.T) {
	for _, name := range EmbeddedNames() {
		set := mustEmbedded(t, name)
		if set.Width == MaxWidth {
			continue
		}
		if set.Width > set.shape().toeplitzWidth() {
			t.Errorf("%s: words of %d bits leave no room for sums", name, set.Width)
		}
		t.Run(name, func(t *testing.T) { toeplitzChain(t, set, 2000) })
	}
}

// TestToeplitzPublished makes chains with the sets of the authors of the method.
func TestToeplitzPublished(t *testing.T) {
	for _, name := range []string{"palma_2048_n16_s3", "palma_4096_n32_s3"} {
		var d published
		if err := json.Unmarshal(testvectors.Read(t, "vectors", "pmns", name+".json"), &d); err != nil {
			t.Fatal(err)
		}
		set := d.params(t)
		if err := set.Complete(); err != nil {
			t.Fatal(err)
		}
		t.Run(name, func(t *testing.T) { toeplitzChain(t, set, 2000) })
	}
}

// TestBoundIsNeeded: a set whose φ is below the bound is refused. A product with it is
// right, but in a chain coefficients exceed φ, and then an element's words do not hold
// them.
func TestBoundIsNeeded(t *testing.T) {
	set := mustEmbedded(t, "modp2048_24x2").clone()
	set.Width -= 3
	var condition *ConditionError
	if err := set.Complete(); !errors.As(err, &condition) || condition.Left.Cmp(set.Phi()) != 0 {
		t.Fatalf("φ = 2^%d: %v", set.Width*set.Words, err)
	}
	ref := newRepresenter(set)
	a := ref.representation(big.NewInt(3))
	within := func() bool {
		for _, c := range a {
			if c.Cmp(ref.phi) >= 0 {
				return false
			}
		}
		return true
	}
	steps := 0
	for ; within(); steps++ {
		if steps == 400 {
			t.Fatal("coefficients stay below φ")
		}
		v := evaluate(a, set.Gamma, set.P)
		v.Mul(v, v).Mod(v, set.P)
		a = ref.redc(mulMod(a, a, set.Lambda))
		got := evaluate(a, set.Gamma, set.P)
		if got.Mul(got, ref.phi).Mod(got, set.P).Cmp(v) != 0 {
			t.Fatal("a product is wrong")
		}
	}
	if steps < 2 {
		t.Error("the first product has coefficients above φ")
	}
	t.Logf("%d squares", steps)
}

// TestToeplitzColumns: columns of a product are below 2^63, with a sign.
//
// A column is a sum of columns of leaves, each with a factor. Let F be the sum of the
// positive factors, or that of the negative ones. Low halves are below 2^52, and a leaf has
// at most 8s of them in a column from A·B, and 8s from Q·M. High halves are 2^−52 times
// the products of words, less a fraction: weighted as they are in the next column, their
// sum is at most n·s·2^(w+3) by the former, and F·16s·2^(52−w) by the latter. What is
// carried in is smaller by 2^w.
func TestToeplitzColumns(t *testing.T) {
	for _, s := range []shape{{16, 3}, {24, 2}, {24, 4}, {32, 3}, {48, 2}, {48, 4}, {64, 3}} {
		w, f := s.toeplitzWidth(), float64(mostFactors(s.coefficientVectors()))
		halves := float64(16 * s.s)
		bound := f*halves*(1<<52) + float64(s.n*s.s)*math.Exp2(float64(w+3)) + f*halves*math.Exp2(float64(52-MinWidth))
		bound += math.Exp2(float64(64 - MinWidth))
		if bound >= 1<<63 {
			t.Errorf("%v: 2^%.2f", s, math.Log2(bound))
		}
		t.Logf("%v: F = %v, columns below 2^%.2f", s, f, math.Log2(bound))
	}
}

// mostFactors returns the largest sum of factors of one sign that columns of leaves have
// in one of the n̄ coefficients.
func mostFactors(vectors int) int {
	leaf := 0
	type factors map[int]int // by leaf
	add := func(z, x factors, times int) {
		for l, f := range x {
			z[l] += times * f
		}
	}
	var product func(n int, split []int) []factors
	product = func(n int, split []int) []factors {
		if n == 1 {
			leaf++
			return []factors{{leaf: 1}}
		}
		h := n / split[0]
		z := make([]factors, 2*n-1)
		for i := range z {
			z[i] = factors{}
		}
		var parts [][]factors
		for i := range split[0] {
			parts = append(parts, product(h, split[1:]))
			for k, x := range parts[i] {
				add(z[2*i*h+k], x, 1)
			}
		}
		for i := range parts {
			for j := i + 1; j < len(parts); j++ {
				for k, x := range product(h, split[1:]) {
					add(z[(i+j)*h+k], x, 1)
					add(z[(i+j)*h+k], parts[i][k], -1)
					add(z[(i+j)*h+k], parts[j][k], -1)
				}
			}
		}
		return z
	}
	z := product(vectors, splits(vectors))
	most := 0
	for k := range vectors {
		if k+vectors < len(z) {
			add(z[k], z[k+vectors], 2) // a lane is doubled
		}
		positive, negative := 0, 0
		for _, f := range z[k] {
			positive += max(f, 0)
			negative -= min(f, 0)
		}
		most = max(most, positive, negative)
	}
	return most
}
