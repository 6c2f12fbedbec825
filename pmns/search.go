package pmns

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"time"

	"residue/internal/lattice"
)

// Options say which parameters [New] looks for. The zero value leaves all to it.
type Options struct {
	N, Words int // n and s; 0: the cheapest
	Width    int // w; 0: 52
	Lambda   int // λ; 0: the least with an n-th root
	// Additions is how many additions each operand of a product has room for at least: the
	// weight of the parameters is at least the square of one more.
	Additions int
	// Measure makes the choice by the time of products on this machine: of the cheapest
	// sets by their number of multiply-adds, the quickest.
	Measure bool
	// Progress is told what is being done, and which part of it is.
	Progress func(Progress)
}

// Progress is how far a search is.
type Progress struct {
	N, Words int     // of the set that is being made
	Done     float64 // from 0 to 1
}

// New returns parameters for the prime p: by default those for which a truncated product
// takes the fewest multiply-adds of vectors of eight. It tries sets in this order until
// one meets all conditions. For a prime of 2048 bits it takes some 0.1 s, for one of 8192
// bits and n = 8 a second, most of it to see that p is a prime.
//
// The error tells which condition the last set failed, or that no small number has an
// n-th root; it is ctx.Err() when ctx ends.
func New(ctx context.Context, p *big.Int, o *Options) (*Params, error) {
	if o == nil {
		o = new(Options)
	}
	s, err := newSearch(ctx, p, o)
	if err != nil {
		return nil, err
	}
	var found []*Params
	for _, c := range s.candidates() {
		if len(found) > 0 && float64(cost(c.n, c.s, Truncated)) > measuredShare*float64(found[0].Cost(Truncated)) {
			break
		}
		set, err := s.make(c)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			s.refused = err
		case !o.Measure:
			return set, nil
		default:
			found = append(found, set)
		}
		if len(found) == mostMeasured {
			break
		}
	}
	if len(found) == 0 {
		return nil, s.reason()
	}
	return quickest(found)
}

// What is measured: so many sets, and none that costs more than this times the cheapest.
const (
	mostMeasured  = 4
	measuredShare = 1.5
)

// search is for parameters of one prime.
type search struct {
	ctx context.Context
	p   *big.Int
	Options
	refused error // why the last candidate was
}

func newSearch(ctx context.Context, p *big.Int, o *Options) (*search, error) {
	s := &search{ctx: ctx, p: p, Options: *o}
	if s.Width == 0 {
		s.Width = MaxWidth
	}
	if s.Progress == nil {
		s.Progress = func(Progress) {}
	}
	switch {
	case s.Width < MinWidth || s.Width > MaxWidth:
		return nil, fmt.Errorf("pmns: w is %d, from %d to %d are allowed", s.Width, MinWidth, MaxWidth)
	case s.N != 0 && (s.N < 2 || s.N > MaxN):
		return nil, fmt.Errorf("pmns: n is %d, from 2 to %d are allowed", s.N, MaxN)
	case s.Words < 0:
		return nil, fmt.Errorf("pmns: s is %d, which is negative", s.Words)
	case s.Lambda != 0 && (s.Lambda < 2 || s.Lambda > MaxLambda):
		return nil, fmt.Errorf("pmns: λ is %d, from 2 to %d are allowed", s.Lambda, MaxLambda)
	case s.Additions < 0 || s.Additions > maxAdditions:
		return nil, fmt.Errorf("pmns: δ is %d, from 0 to %d are allowed", s.Additions, maxAdditions)
	case p.Sign() <= 0 || p.Bit(0) == 0 || !p.ProbablyPrime(0):
		return nil, errors.New("pmns: p is not an odd prime")
	}
	return s, nil
}

// shape is a choice of n and s.
type shape struct{ n, s int }

// maxSearchN is the largest n that is tried where none is asked for: for numbers of up to
// 16384 bits large n do not pay.
const maxSearchN = 32

// candidates returns the shapes that may have parameters, the cheapest first.
func (s *search) candidates() []shape {
	var cs []shape
	lo, hi := 2, maxSearchN
	if s.N != 0 {
		lo, hi = s.N, s.N
	}
	for n := lo; n <= hi; n++ {
		least := max(1, int(math.Ceil(s.leastPhi(n)/float64(s.Width))))
		if s.Words != 0 {
			cs = append(cs, shape{n, s.Words})
			continue
		}
		cs = append(cs, shape{n, least}, shape{n, least + 1}) // if the first has no short M
	}
	slices.SortStableFunc(cs, func(a, b shape) int {
		return cost(a.n, a.s, Truncated) - cost(b.n, b.s, Truncated)
	})
	return cs
}

// leastPhi is a bound of log2 φ that is met in practice: φ ≥ 4·n·(δ+1)²·N, where the best
// M that one finds have an N of n times the n-th root of p, or little less.
func (s *search) leastPhi(n int) float64 {
	return log2(s.p)/float64(n) + math.Log2(0.7*4*float64(n*n*s.weight()))
}

func (s *search) weight() int { return (s.Additions + 1) * (s.Additions + 1) }

// maxAdditions is how many additions are of use: an operand is rarely the sum of more.
const maxAdditions = 7

// make makes the parameters of a shape, or tells why there are none.
func (s *search) make(c shape) (*Params, error) {
	progress := func(done float64) { s.Progress(Progress{c.n, c.s, done}) }
	progress(0)
	if c.n*c.s > maxProducts {
		return nil, fmt.Errorf("pmns: n·s is %d, %d are allowed", c.n*c.s, maxProducts)
	}
	lambda, gamma := s.root(c.n)
	switch {
	case gamma != nil:
	case s.Lambda == 0:
		return nil, fmt.Errorf("pmns: no λ from 2 to %d has an n-th root modulo p for n = %d, and Xⁿ − λ without factors", MaxLambda, c.n)
	case !irreducible(s.Lambda, c.n):
		return nil, fmt.Errorf("pmns: X^%d − %d has factors", c.n, s.Lambda)
	default:
		return nil, fmt.Errorf("pmns: %d has no n-th root modulo p for n = %d", s.Lambda, c.n)
	}
	m, gamma, err := s.shortest(lambda, c.n, gamma, progress)
	if err != nil {
		return nil, err
	}
	set := &Params{P: s.p, N: c.n, Lambda: lambda, Gamma: gamma, Width: s.Width, Words: c.s, M: m}
	if err := set.Complete(); err != nil {
		return nil, fmt.Errorf("for n = %d and s = %d: %w", c.n, c.s, err)
	}
	if w := s.weight(); set.Weight() < w {
		return nil, fmt.Errorf("for n = %d and s = %d: %w", c.n, c.s,
			&ConditionError{"weight ≥ (δ+1)²", big.NewInt(int64(set.Weight())), big.NewInt(int64(w))})
	}
	progress(1)
	return set, nil
}

// shortest returns the better M of those for the n-th roots γ and, if that is another one,
// −γ of λ, and the root.
func (s *search) shortest(lambda, n int, gamma *big.Int, progress func(float64)) (m []*big.Int, best *big.Int, err error) {
	roots := []*big.Int{gamma}
	if n%2 == 0 {
		roots = append(roots, new(big.Int).Sub(s.p, gamma))
	}
	for i, g := range roots {
		form := make([]*big.Int, n-1)
		power := new(big.Int).Set(g)
		for i := range form {
			form[i] = new(big.Int).Set(power)
			power.Mul(power, g).Mod(power, s.p)
		}
		b, err := lattice.Modular(s.ctx, s.p, form, func(done float64) {
			progress((float64(i) + reductionShare*done) / float64(len(roots)))
		})
		if err != nil {
			return nil, nil, err
		}
		v, err := shortMultiple(s.ctx, b, lambda, s.p.BitLen())
		if err != nil {
			return nil, nil, err
		}
		if v != nil && (m == nil || norm(v, lambda).Cmp(norm(m, lambda)) < 0) {
			m, best = v, g
		}
	}
	if m == nil {
		return nil, nil, fmt.Errorf("pmns: no vector of the lattice without negative coefficients was found for n = %d", n)
	}
	return m, best, nil
}

// reductionShare is about which part of the time it takes to reduce the basis.
const reductionShare = 0.7

// root returns the least λ that is allowed and has an n-th root, and that; or 0.
//
// Negative λ are not tried. They would make products signed, and one finds no more roots
// with them: for odd n those of −λ are those of λ, negated, and for even n as many of the
// positive numbers have roots as of the negative ones.
func (s *search) root(n int) (lambda int, gamma *big.Int) {
	lo, hi := 2, MaxLambda
	if s.Lambda != 0 {
		lo, hi = s.Lambda, s.Lambda
	}
	for l := lo; l <= hi; l++ {
		if !irreducible(l, n) {
			continue
		}
		a := big.NewInt(int64(l))
		if gamma := root(a.Mod(a, s.p), n, s.p); gamma != nil {
			return l, gamma
		}
	}
	return 0, nil
}

// irreducible reports whether Xⁿ − l has no factor over the integers: l must not be an
// r-th power for a prime r that divides n. With a factor the lattice has a vector that is
// far too short, and so others that are too long.
func irreducible(l, n int) bool {
	for n > 1 {
		r := smallestFactor(n)
		for b := 2; ; b++ {
			p := math.Pow(float64(b), float64(r))
			if p == float64(l) {
				return false
			}
			if p > float64(l) {
				break
			}
		}
		n /= r
	}
	return true
}

// reason tells why there are no parameters.
func (s *search) reason() error {
	if s.refused == nil {
		return errors.New("pmns: no set of parameters was tried")
	}
	return s.refused
}

// cost is the number of multiply-adds of a product: n²s² word products for A·B, half of
// that for Q, and n²s² for Q·M, of which the truncated form leaves out nearly half; twice
// that, for low and high halves, and n̄ vectors for n coefficients.
func cost(n, s int, v Variant) int {
	if v == Toeplitz {
		return shape{n, s}.toeplitzCost()
	}
	vectors := (n + lanes - 1) / lanes
	madds := 5 * n * vectors * s * s
	if v != Full {
		madds -= n * vectors * (s - 1) * (s - 1)
	}
	return madds
}

// squareCost is cost with s(s + 1)/2 word products for two coefficients, instead of s².
func squareCost(n, s int, v Variant) int {
	madds := cost(n, s, v)
	if v != Full && v != Toeplitz {
		madds -= n * ((n + lanes - 1) / lanes) * s * (s - 1)
	}
	return madds
}

// quickest returns the set whose products take the least time here.
func quickest(sets []*Params) (best *Params, err error) {
	least := time.Duration(math.MaxInt64)
	for _, set := range sets {
		sys, err := NewSystem(set, Truncated)
		if err != nil {
			return nil, err
		}
		if d := productTime(sys); d < least {
			best, least = set, d
		}
	}
	return best, nil
}

// productTime returns the least time of a product of some.
func productTime(sys *System) time.Duration {
	x := sys.NewElement()
	sys.SetBytes(x, sys.params.Gamma.Bytes(), nil)
	work := sys.NewScratch()
	least := time.Duration(math.MaxInt64)
	for range 20 {
		const products = 50
		start := time.Now()
		for range products {
			sys.Mul(x, x, x, work)
		}
		least = min(least, time.Since(start)/products)
	}
	return least
}
