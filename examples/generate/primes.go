package main

import "math/big"

// group is a Diffie-Hellman group of RFC 2409 (group 2) or RFC 3526 (the others),
// with the prime p = 2^bits − 2^(bits−64) − 1 + 2^64·(⌊2^(bits−130)·π⌋ + c) and
// the generator 2.
type group struct {
	number, bits int
	c            int64
}

var groups = []group{
	{2, 1024, 129093},
	{5, 1536, 741804},
	{14, 2048, 124476},
	{15, 3072, 1690314},
	{16, 4096, 240904},
	{17, 6144, 929484},
	{18, 8192, 4743158},
}

// rfc names the document that a group is from.
func (g group) rfc() string {
	if g.number == 2 {
		return "RFC 2409"
	}
	return "RFC 3526"
}

// prime returns the group's prime.
func (g group) prime() *big.Int {
	b := uint(g.bits)
	middle := pi(b - 130)
	middle.Add(middle, big.NewInt(g.c))
	p := power(b)
	p.Sub(p, power(b-64))
	p.Sub(p, big.NewInt(1))
	return p.Add(p, middle.Lsh(middle, 64))
}

// power returns 2^n.
func power(n uint) *big.Int { return new(big.Int).Lsh(big.NewInt(1), n) }

// pi returns ⌊2^bits·π⌋, by Machin's formula π = 16·arctan(1/5) − 4·arctan(1/239).
func pi(bits uint) *big.Int {
	const guard = 64 // far more than the rounding of a few thousand terms takes
	z := arctan(5, bits+guard)
	z.Lsh(z, 4)
	y := arctan(239, bits+guard)
	z.Sub(z, y.Lsh(y, 2))
	return z.Rsh(z, guard)
}

// arctan returns 2^bits·arctan(1/x), nearly, as Σ (−1)^k / ((2k+1)·x^(2k+1)).
func arctan(x int64, bits uint) *big.Int {
	term := power(bits)
	term.Quo(term, big.NewInt(x))
	sum := new(big.Int)
	square := big.NewInt(x * x)
	for k := int64(0); term.Sign() != 0; k++ {
		t := new(big.Int).Quo(term, big.NewInt(2*k+1))
		if k%2 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
		term.Quo(term, square)
	}
	return sum
}
