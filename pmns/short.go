package pmns

import (
	"context"
	"math"
	"math/big"
	"math/rand/v2"

	"residue/internal/lattice"
)

// shortMultiple looks for a vector M of the lattice of b with non-negative coefficients,
// an inverse modulo E and 2, and a small norm N; nil if it finds none. b is reduced, and
// its determinant has detBits bits.
//
// There are lattice vectors near every point, with errors of about the size d of the
// coefficients of short vectors, which is the n-th root of the determinant. So the search
// starts near points whose coefficients are about d and in the ratio of the bounds, and
// goes from there to better vectors, by one or two rows of the basis at a time. Points,
// and so the result, are always the same.
func shortMultiple(ctx context.Context, b lattice.Basis, lambda, detBits int) ([]*big.Int, error) {
	near, err := lattice.NewNearest(b)
	if err != nil {
		return nil, err
	}
	s := newDescent(b, lambda, detBits)
	r := rand.New(rand.NewPCG(0, 0))
	for range max(leastStarts, someStarts/(s.n*s.n*s.n)) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		v, err := near.Plane(s.point(r))
		if err != nil {
			return nil, err
		}
		s.descend(v)
	}
	return s.best, nil
}

// For n = 8 the best of 256 starts has always been the best of 30000, and was found in the
// first ten. A descent looks at 2n² vectors for each of some n steps, so that there are fewer of them
// for large n.
const (
	leastStarts = 40
	someStarts  = 1 << 17
)

// descent is a search for shorter vectors by short steps.
type descent struct {
	n, lambda int
	weights   []float64 // θ^k

	basis lattice.Basis
	unit  int         // numbers in float64 are divided by 2^unit
	rows  [][]float64 // of the basis
	odd   []uint      // and the lowest bits of their constant coefficients

	// The vector where it is: from plus steps[i] times row i.
	from  []*big.Int
	steps []int64
	v     []float64
	vOdd  uint
	cost  float64

	next     []float64 // a vector to go to
	best     []*big.Int
	bestCost float64
}

func newDescent(b lattice.Basis, lambda, detBits int) *descent {
	n := len(b)
	s := &descent{n: n, lambda: lambda, basis: b, unit: detBits / n, bestCost: math.Inf(1)}
	for k := range n {
		s.weights = append(s.weights, math.Pow(float64(lambda), float64(k)/float64(n)))
		s.rows = append(s.rows, s.scaled(b[k]))
		s.odd = append(s.odd, b[k][0].Bit(0))
	}
	s.steps, s.v, s.next = make([]int64, n), make([]float64, n), make([]float64, n)
	return s
}

// scaled returns x/2^unit.
func (s *descent) scaled(x []*big.Int) []float64 {
	v := make([]float64, len(x))
	for i, c := range x {
		f := new(big.Float).SetInt(c)
		v[i], _ = f.SetMantExp(f, -s.unit).Float64()
	}
	return v
}

// point returns a point to start near.
func (s *descent) point(r *rand.Rand) []*big.Int {
	const bits = 20
	height := 0.3 + 1.2*r.Float64()
	x := make([]*big.Int, s.n)
	for k := range x {
		c := height/s.weights[k] + 0.4*(r.Float64()-0.5)
		x[k] = big.NewInt(int64(math.Round(c * (1 << bits))))
		x[k].Rsh(x[k].Lsh(x[k], uint(s.unit)), bits)
	}
	return x
}

// descend goes down from v for as long as there is a step that leads down.
func (s *descent) descend(v []*big.Int) {
	s.from, s.v, s.vOdd = v, s.scaled(v), v[0].Bit(0)
	clear(s.steps)
	s.cost = s.costOf(s.v)
	for s.step() {
	}
}

// step makes the best step of one row or, if none leads down, of two.
func (s *descent) step() bool {
	for _, two := range []bool{false, true} {
		cost, bi, bj, bx, by := s.cost, 0, 0, 0.0, 0.0
		s.eachStep(two, func(i, j int, x, y float64) {
			for k := range s.next {
				s.next[k] = s.v[k] + x*s.rows[i][k] + y*s.rows[j][k]
			}
			c := s.costOf(s.next)
			s.consider(c, i, j, x, y)
			if c < cost {
				cost, bi, bj, bx, by = c, i, j, x, y
			}
		})
		if cost < s.cost {
			s.cost = cost
			s.add(bi, bx)
			s.add(bj, by)
			return true
		}
	}
	return false
}

// eachStep calls f for ±row i ± row j. With one row alone, y is 0.
func (s *descent) eachStep(two bool, f func(i, j int, x, y float64)) {
	for i := range s.n {
		if !two {
			f(i, i, 1, 0)
			f(i, i, -1, 0)
			continue
		}
		for j := range i {
			for _, x := range []float64{1, -1} {
				f(i, j, x, 1)
				f(i, j, x, -1)
			}
		}
	}
}

// add goes to v + x times row i.
func (s *descent) add(i int, x float64) {
	if x == 0 {
		return
	}
	s.steps[i] += int64(x)
	for k := range s.v {
		s.v[k] += x * s.rows[i][k]
	}
	s.vOdd ^= s.odd[i]
}

// costOf is the norm N, and so much for negative coefficients that it pays to have none.
func (s *descent) costOf(v []float64) float64 {
	var total, negative float64
	for _, x := range v {
		total += x
		negative += min(x, 0)
	}
	most := math.Inf(-1)
	var upTo float64
	l := float64(s.lambda)
	for k, x := range v {
		upTo += x
		most = max(most, (upTo+l*(total-upTo))*s.weights[k])
	}
	return most - 4*float64(s.n)*l*negative
}

// consider takes next, which is a step away from v and has cost c, if it is what is looked
// for and better than all before.
func (s *descent) consider(c float64, i, j int, x, y float64) {
	if c >= s.bestCost {
		return
	}
	for _, x := range s.next {
		if x < 0 {
			return
		}
	}
	odd := s.vOdd ^ s.odd[i]
	if y != 0 {
		odd ^= s.odd[j]
	}
	if s.lambda%2 == 0 && odd == 0 {
		return // it has no inverse: this is the quick way to see it
	}
	m := make([]*big.Int, s.n)
	t := new(big.Int)
	for k := range m {
		m[k] = new(big.Int).Set(s.from[k])
		for l, q := range s.steps {
			if l == i {
				q += int64(x)
			}
			if l == j {
				q += int64(y)
			}
			if q != 0 {
				m[k].Add(m[k], t.Mul(t.SetInt64(q), s.basis[l][k]))
			}
		}
		if m[k].Sign() < 0 { // and was rounded to 0
			return
		}
	}
	if inverseMod2(m, s.lambda) == nil {
		return
	}
	s.best, s.bestCost = m, c
}
