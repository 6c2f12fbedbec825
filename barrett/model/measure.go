package model

import (
	"math/big"
	"math/rand/v2"
)

// samples returns how many operands are taken for a number of so many words: the
// more words there are, the less does chance matter.
func samples(words int) int { return max(1, 1024/words) }

// source returns random numbers that depend on the length alone.
func source(nbits int) *rand.Rand { return rand.New(rand.NewPCG(uint64(nbits), 2007)) }

// random returns a number below 2^nbits.
func random(r *rand.Rand, nbits int) *big.Int {
	b := make([]byte, (nbits+7)/8)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	z := new(big.Int).SetBytes(b)
	return z.Rsh(z, uint(8*len(b)-nbits))
}

// mean divides the count of n runs.
func (c Count) mean(n int) Count {
	half := n / 2
	return Count{(c.Mul + half) / n, (c.Add + half) / n, (c.Carry + half) / n, (c.Load + half) / n, (c.Store + half) / n}
}

// ProductCount returns what a product of two random numbers of nbits bits takes, by
// Karatsuba's method down to leaf words: a mean, of operands that are the same
// every time.
func (p Processor) ProductCount(nbits, leaf int) (Count, error) {
	m, err := NewMachine(p)
	if err != nil {
		return Count{}, err
	}
	r, n := source(nbits), samples(p.Words(nbits))
	for range n {
		m.Mul(random(r, nbits), random(r, nbits), nbits, leaf)
	}
	return m.Count.mean(n), nil
}

// MultiplicationCount returns what a multiplication modulo a random odd number of
// nbits bits takes: a mean, of operands that are the same every time.
func (p Processor) MultiplicationCount(method Method, nbits int) (Count, error) {
	m, err := NewMachine(p)
	if err != nil {
		return Count{}, err
	}
	r, runs := source(nbits), samples(p.Words(nbits))
	for range runs {
		n := random(r, nbits)
		n.SetBit(n, nbits-1, 1).SetBit(n, 0, 1)
		u, err := NewMultiplier(m, method, n)
		if err != nil {
			return Count{}, err
		}
		x, y := random(r, nbits), random(r, nbits)
		u.Mul(x.Mod(x, n), y.Mod(y, n))
	}
	return m.Count.mean(runs), nil
}

// leastSplit is the least number of words that BestLeaf halves. Below it the calls
// and jumps, which this processor does not count, would matter on a real one.
const leastSplit = 6

// BestLeaf returns the largest number of words that this processor multiplies in no
// more cycles by the schoolbook method than by halving once, and 5 at least: the best
// Leaf of [Method].
func (p Processor) BestLeaf() (int, error) {
	for n := leastSplit; ; n += 2 {
		whole, err := p.ProductCount(n*p.Word, n)
		if err != nil {
			return 0, err
		}
		halves, err := p.ProductCount(n*p.Word, n-1)
		if err != nil {
			return 0, err
		}
		if p.Cycles(halves) < p.Cycles(whole) {
			return n - 1, nil
		}
	}
}
