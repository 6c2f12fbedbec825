package lattice

import (
	"context"
	"errors"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

func randomInt(r *rand.Rand, bits int) *big.Int {
	x := new(big.Int)
	for range (bits + 63) / 64 {
		x.Lsh(x, 64).Or(x, new(big.Int).SetUint64(r.Uint64()))
	}
	x.Rsh(x, uint((bits+63)/64*64-bits))
	if r.IntN(2) == 0 {
		x.Neg(x)
	}
	return x
}

func randomBasis(r *rand.Rand, n, bits int) Basis {
	b := make(Basis, n)
	for i := range b {
		b[i] = make([]*big.Int, n)
		for j := range b[i] {
			b[i][j] = randomInt(r, bits)
		}
	}
	return b
}

// rationals returns the entries of b as fractions.
func rationals(b Basis) [][]*big.Rat {
	m := make([][]*big.Rat, len(b))
	for i, row := range b {
		for _, x := range row {
			m[i] = append(m[i], new(big.Rat).SetInt(x))
		}
	}
	return m
}

// solve returns the x with x·b = y for each y, by elimination in fractions, and the
// determinant of b.
func solve(b Basis, ys ...[]*big.Int) (xs [][]*big.Rat, det *big.Rat) {
	n := len(b)
	m := make([][]*big.Rat, n) // the transpose, and the ys
	for i := range n {
		for j := range n {
			m[i] = append(m[i], new(big.Rat).SetInt(b[j][i]))
		}
		for _, y := range ys {
			m[i] = append(m[i], new(big.Rat).SetInt(y[i]))
		}
	}
	det = big.NewRat(1, 1)
	t := new(big.Rat)
	for c := range n {
		p := c
		for p < n && m[p][c].Sign() == 0 {
			p++
		}
		if p == n {
			return nil, new(big.Rat)
		}
		if p != c {
			m[p], m[c] = m[c], m[p]
			det.Neg(det)
		}
		det.Mul(det, m[c][c])
		inv := new(big.Rat).Inv(m[c][c])
		for j := c; j < len(m[c]); j++ {
			m[c][j].Mul(m[c][j], inv)
		}
		for i := range n {
			if i == c || m[i][c].Sign() == 0 {
				continue
			}
			f := new(big.Rat).Set(m[i][c])
			for j := c; j < len(m[c]); j++ {
				m[i][j].Sub(m[i][j], t.Mul(f, m[c][j]))
			}
		}
	}
	for k := range ys {
		var x []*big.Rat
		for i := range n {
			x = append(x, m[i][n+k])
		}
		xs = append(xs, x)
	}
	return xs, det
}

func zeros(n int) []*big.Int {
	x := make([]*big.Int, n)
	for i := range x {
		x[i] = new(big.Int)
	}
	return x
}

// contains reports whether the rows are in the lattice of b.
func contains(b Basis, rows ...[]*big.Int) bool {
	xs, det := solve(b, rows...)
	for _, x := range xs {
		for _, v := range x {
			if !v.IsInt() {
				return false
			}
		}
	}
	return det.Sign() != 0
}

// isReduced is what Check decides, from a Gram–Schmidt orthogonalisation in fractions.
func isReduced(b Basis, delta, eta *big.Rat) bool {
	m := rationals(b)
	dot := func(x, y []*big.Rat) *big.Rat {
		z, t := new(big.Rat), new(big.Rat)
		for i := range x {
			z.Add(z, t.Mul(x[i], y[i]))
		}
		return z
	}
	var star [][]*big.Rat
	var norms []*big.Rat
	t := new(big.Rat)
	for i, row := range m {
		v := make([]*big.Rat, len(row))
		for c := range v {
			v[c] = new(big.Rat).Set(row[c])
		}
		var mu *big.Rat
		for j := range i {
			mu = new(big.Rat).Quo(dot(row, star[j]), norms[j])
			if new(big.Rat).Abs(mu).Cmp(eta) > 0 {
				return false
			}
			for c := range v {
				v[c].Sub(v[c], t.Mul(mu, star[j][c]))
			}
		}
		norm := dot(v, v)
		if i > 0 {
			bound := new(big.Rat).Sub(delta, mu.Mul(mu, mu))
			if norm.Cmp(bound.Mul(bound, norms[i-1])) < 0 {
				return false
			}
		}
		star, norms = append(star, v), append(norms, norm)
	}
	return true
}

// wantReduced checks b against the basis that it comes from: its rows are in that
// lattice, and as the determinant is the same, they generate it.
func wantReduced(t *testing.T, b, from Basis) {
	t.Helper()
	detSquare, err := b.Check(Delta, Eta)
	if err != nil {
		t.Fatal(err)
	}
	if len(b) > 14 { // the rest is slow
		return
	}
	if !isReduced(b, new(big.Rat).SetFloat64(Delta), new(big.Rat).SetFloat64(Eta)) {
		t.Fatal("Check says that a basis is reduced which is not")
	}
	_, det := solve(from)
	if det.Mul(det, det); !det.IsInt() || det.Num().Cmp(detSquare) != 0 {
		t.Fatalf("the square of the determinant is %v, want %v", detSquare, det)
	}
	if !contains(from, b...) {
		t.Fatal("another lattice")
	}
}

func TestReduce(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct{ n, bits int }{
		{1, 10}, {2, 5}, {2, 2000}, {3, 1}, {3, 700}, {4, 60}, {5, 64}, {5, 1500}, {8, 20}, {9, 100}, {12, 40},
	} {
		for range 2 {
			from := randomBasis(r, c.n, c.bits)
			b := from.Clone()
			err := Reduce(context.Background(), b, nil)
			if _, det := solve(from); det.Sign() == 0 {
				if !errors.Is(err, ErrDependent) {
					t.Errorf("dependent rows: %v", err)
				}
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			wantReduced(t, b, from)
		}
	}
}

// TestReduceSkewed reduces bases whose rows and columns are of very different sizes.
func TestReduceSkewed(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for n := 2; n <= 7; n++ {
		from := make(Basis, n)
		for i := range from {
			from[i] = zeros(n)
			for j := range from[i] {
				from[i][j] = randomInt(r, 1+r.IntN(60)+r.IntN(2)*700)
			}
		}
		b := from.Clone()
		if err := Reduce(context.Background(), b, nil); err != nil {
			t.Fatal(err)
		}
		wantReduced(t, b, from)
	}
}

// TestReduceHidden hides a lattice with known short vectors behind large ones.
func TestReduceHidden(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{2, 5, 10, 20} {
		from := make(Basis, n)
		for i := range from { // 1000 times the unit vectors, nearly
			from[i] = zeros(n)
			for j := range from[i] {
				from[i][j].SetInt64(int64(r.IntN(21) - 10))
			}
			from[i][i].SetInt64(1000)
		}
		b := from.Clone()
		for range 6 * n {
			i, j := r.IntN(n), r.IntN(n)
			if i == j {
				continue
			}
			q := randomInt(r, 40)
			for c := range b[i] {
				b[i][c].Add(b[i][c], new(big.Int).Mul(q, b[j][c]))
			}
		}
		if err := Reduce(context.Background(), b, nil); err != nil {
			t.Fatal(err)
		}
		wantReduced(t, b, from)
		for _, row := range b {
			if dot(row, row).Cmp(big.NewInt(1_100_000)) > 0 {
				t.Errorf("n = %d: a row of length² %d", n, dot(row, row))
			}
		}
	}
}

func randomModulus(r *rand.Rand, bits int) *big.Int {
	m := randomInt(r, bits)
	m.Abs(m)
	return m.SetBit(m.SetBit(m, bits-1, 1), 0, 1)
}

func TestModular(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	for _, c := range []struct{ n, bits int }{
		{1, 30}, {2, 1}, {2, 3}, {2, 4000}, {3, 20}, {4, 100}, {7, 2048}, {8, 512}, {12, 40}, {12, 1024}, {24, 700}, {40, 640},
	} {
		m := randomModulus(r, c.bits)
		form := zeros(c.n - 1)
		for i := range form {
			form[i].Mod(randomInt(r, c.bits+5), m)
		}
		last := 0.0
		b, err := Modular(context.Background(), m, form, func(done float64) {
			if done < last || done > 1 {
				t.Errorf("progress from %v to %v", last, done)
			}
			last = done
		})
		if err != nil {
			t.Fatal(err)
		}
		if last != 1 {
			t.Errorf("progress ends at %v", last)
		}
		wantReduced(t, b, modularBasis(m, form))
		square, _ := b.Check(Delta, Eta)
		if square.Cmp(new(big.Int).Mul(m, m)) != 0 {
			t.Errorf("the determinant is not the modulus: its square is %d", square)
		}
		for _, row := range b {
			v := new(big.Int).Set(row[0])
			for i, x := range form {
				v.Add(v, new(big.Int).Mul(x, row[i+1]))
			}
			if v.Mod(v, m).Sign() != 0 {
				t.Errorf("n = %d: the form of a row is %d", c.n, v)
			}
		}
	}
}

// TestModularLarge is the largest that the project promises, at less than its length.
func TestModularLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds")
	}
	r := rand.New(rand.NewPCG(5, 5))
	n, m := 128, randomModulus(r, 640)
	form := zeros(n - 1)
	for i := range form {
		form[i].Mod(randomInt(r, 650), m)
	}
	b, err := Modular(context.Background(), m, form, nil)
	if err != nil {
		t.Fatal(err)
	}
	// LLL finds vectors of about 1.02^n·m^(1/n) in practice.
	limit := math.Pow(1.03, float64(n)) * math.Exp2(640.0/float64(n))
	if l, _ := new(big.Float).SetInt(dot(b[0], b[0])).Float64(); math.Sqrt(l) > limit {
		t.Errorf("the first row has length %v", math.Sqrt(l))
	}
	if _, err := b.Check(Delta, Eta); err != nil {
		t.Error(err)
	}
}

func TestNearest(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, n := range []int{1, 2, 5, 9, 14} {
		b := randomBasis(r, n, 100)
		if err := Reduce(context.Background(), b, nil); err != nil {
			t.Fatal(err)
		}
		before := b.Clone()
		near, err := NewNearest(b)
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			x := zeros(n)
			for c := range x {
				x[c] = randomInt(r, 1+r.IntN(3000))
			}
			y, err := near.Plane(x)
			if err != nil {
				t.Fatal(err)
			}
			if !contains(b, y) {
				t.Fatal("not a vector of the lattice")
			}
			// Within half the box of the Gram–Schmidt vectors, and a little more.
			diff, bound := zeros(n), new(big.Int)
			for c := range diff {
				diff[c].Sub(x[c], y[c])
			}
			for _, row := range b {
				bound.Add(bound, dot(row, row))
			}
			if d := dot(diff, diff); d.Mul(d, big.NewInt(39)).Cmp(bound.Mul(bound, big.NewInt(10))) > 0 {
				t.Errorf("n = %d: not near: %d/39 of %d/10", n, d, bound)
			}
		}
		if !slices.EqualFunc(b, before, func(x, y []*big.Int) bool {
			return slices.EqualFunc(x, y, func(x, y *big.Int) bool { return x.Cmp(y) == 0 })
		}) {
			t.Error("the basis has changed")
		}
	}
}

func TestCheckFails(t *testing.T) {
	basis := func(rows ...[]int64) Basis {
		b := make(Basis, len(rows))
		for i, row := range rows {
			for _, x := range row {
				b[i] = append(b[i], big.NewInt(x))
			}
		}
		return b
	}
	for name, b := range map[string]Basis{
		"not size-reduced": basis([]int64{10, 0}, []int64{6, 10}),
		"in a bad order":   basis([]int64{10, 0}, []int64{0, 9}),
		"dependent":        basis([]int64{10, 4}, []int64{5, 2}),
		"empty":            {},
		"not square":       basis([]int64{1, 0}),
	} {
		if _, err := b.Check(Delta, Eta); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	d, err := basis([]int64{3, 1}, []int64{-1, 4}).Check(Delta, Eta)
	if err != nil || d.Int64() != 169 {
		t.Error(d, err)
	}
}

func TestErrors(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	r := rand.New(rand.NewPCG(7, 7))
	if err := Reduce(ctx, randomBasis(r, 5, 50), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Modular(ctx, big.NewInt(1001), zeros(3), nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if _, err := Modular(context.Background(), new(big.Int), zeros(3), nil); err == nil {
		t.Error("modulus 0: no error")
	}
	for name, b := range map[string]Basis{
		"zero":      {zeros(2)[:2], zeros(2)},
		"dependent": {{big.NewInt(2), big.NewInt(4)}, {big.NewInt(3), big.NewInt(6)}},
	} {
		if err := Reduce(context.Background(), b, nil); !errors.Is(err, ErrDependent) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := Reduce(context.Background(), Basis{zeros(3)}, nil); err == nil {
		t.Error("not square: no error")
	}
}

func TestLeading(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for range 2000 {
		x := randomInt(r, 1+r.IntN(300))
		m, e := leading(x)
		got, _ := new(big.Float).SetMantExp(big.NewFloat(m), e).SetPrec(400).Float64()
		want, _ := new(big.Float).SetInt(x).Float64()
		if math.Abs(got-want) > 5e-16*math.Abs(want) {
			t.Fatalf("%d: %v·2^%d", x, m, e)
		}
	}
}

func BenchmarkModular(b *testing.B) {
	for _, c := range []struct {
		name    string
		n, bits int
	}{{"7x2048", 7, 2048}, {"8x8192", 8, 8192}, {"24x8192", 24, 8192}} {
		b.Run(c.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(9, 9))
			m := randomModulus(r, c.bits)
			form := zeros(c.n - 1)
			for i := range form {
				form[i].Mod(randomInt(r, c.bits), m)
			}
			for b.Loop() {
				if _, err := Modular(context.Background(), m, form, nil); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
