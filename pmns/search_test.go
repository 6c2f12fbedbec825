package pmns

import (
	"context"
	"errors"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestNew makes parameters for primes of many lengths, and computes with them.
func TestNew(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, bits := range []int{40, 64, 100, 256, 257, 300, 448, 512, 640, 1000} {
		p := randomPrime(r, bits)
		var last Progress
		set := mustNew(t, p, &Options{Progress: func(now Progress) {
			if now.Done < 0 || now.Done > 1 || now.N == last.N && now.Words == last.Words && now.Done < last.Done {
				t.Errorf("progress from %v to %v", last, now)
			}
			last = now
		}})
		if last.Done != 1 || last.N != set.N || last.Words != set.Words {
			t.Errorf("progress ends at %v", last)
		}
		if err := set.Verify(); err != nil {
			t.Fatal(err)
		}
		s := newTestSystem(t, kernelNamed["generic"], set, Truncated)
		x, v := s.random(t, r)
		for range 300 {
			y, w := s.random(t, r)
			s.Mul(x, x, y, nil)
			s.Sqr(x, x, 1, nil)
			v.Mul(v, w).Mod(v, p)
			v.Mul(v, v).Mod(v, p)
		}
		wantElement(t, s, x, v, "a chain")
	}
}

func TestOptions(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	p := randomPrime(r, 256)
	set := mustNew(t, p, &Options{N: 5, Words: 3, Width: 40, Additions: 2})
	if set.N != 5 || set.Words != 3 || set.Width != 40 || set.Weight() < 9 {
		t.Errorf("n = %d, s = %d, w = %d, weight %d", set.N, set.Words, set.Width, set.Weight())
	}
	if set := mustNew(t, p, &Options{Lambda: 5}); set.Lambda != 5 {
		t.Errorf("λ = %d", set.Lambda)
	}
	// Nothing that was measured costs much more than the cheapest.
	least, measured := mustNew(t, p, nil), mustNew(t, p, &Options{Measure: true})
	if float64(measured.Cost(Truncated)) > measuredShare*float64(least.Cost(Truncated)) {
		t.Errorf("measured, %d multiply-adds, and at least %d", measured.Cost(Truncated), least.Cost(Truncated))
	}
}

func TestNewRefuses(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	p := randomPrime(r, 256)
	var condition *ConditionError
	for name, c := range map[string]struct {
		p       *big.Int
		o       Options
		message string
	}{
		"composite":       {new(big.Int).Mul(p, p), Options{}, "not an odd prime"},
		"two":             {big.NewInt(2), Options{}, "not an odd prime"},
		"negative":        {new(big.Int).Neg(p), Options{}, "not an odd prime"},
		"zero":            {new(big.Int), Options{}, "not an odd prime"},
		"n":               {p, Options{N: 129}, "n is 129"},
		"s":               {p, Options{Words: -1}, "s is -1"},
		"too many words":  {p, Options{N: 8, Words: 1000}, "n·s is 8000"},
		"w":               {p, Options{Width: 60}, "w is 60"},
		"λ":               {p, Options{Lambda: 100}, "λ is 100"},
		"δ":               {p, Options{Additions: 100}, "δ is 100"},
		"too few words":   {p, Options{N: 4, Words: 1}, "φ ≥ 4·n·N"},
		"room for sums":   {p, Options{N: 5, Words: 2, Width: 30, Additions: 7}, "weight ≥ (δ+1)²"},
		"no root":         {big.NewInt(61), Options{N: 60, Lambda: 2}, "2 has no n-th root"}, // 2 generates all
		"a power with n":  {p, Options{N: 6, Lambda: 4}, "X^6 − 4 has factors"},
		"a power with n³": {p, Options{N: 9, Lambda: 8}, "X^9 − 8 has factors"},
	} {
		_, err := New(context.Background(), c.p, &c.o)
		if err == nil || !strings.Contains(err.Error(), c.message) || !strings.Contains(err.Error(), "pmns: ") {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(c.message, "≥") && !errors.As(err, &condition) {
			t.Errorf("%s: %v is not a condition", name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := New(ctx, p, nil); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestCost compares with the counts of the paper, table 2, and others.
func TestCost(t *testing.T) {
	for _, c := range []struct {
		n, s            int
		truncated, full int
	}{{7, 6, 1085, 1260}, {15, 6, 4650, 5400}, {21, 8, 17073, 20160}, {8, 10, 3352, 4000}, {7, 3, 287, 315}} {
		if got := cost(c.n, c.s, Truncated); got != c.truncated {
			t.Errorf("(%d, %d) truncated: %d, want %d", c.n, c.s, got, c.truncated)
		}
		if got := cost(c.n, c.s, Full); got != c.full {
			t.Errorf("(%d, %d) full: %d, want %d", c.n, c.s, got, c.full)
		}
	}
}
