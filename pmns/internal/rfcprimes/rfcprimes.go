// Package rfcprimes has the primes of RFC 2409, 3526 and 7919, computed from their
// definitions:
//
//	p = 2^b − 2^(b−64) − 1 + 2^64·(⌊2^(b−130)·c⌋ + k)
//
// with c = π for the groups of RFC 2409 and 3526 and c = e for those of RFC 7919, and the
// least k that makes p a safe prime and p ≡ 7 modulo 8.
package rfcprimes

import "math/big"

// Prime is one of them.
type Prime struct {
	Name string
	Bits int
	// The definition.
	Pi bool // c = π, and else e
	K  int64
}

// All are the primes of 1024 bits and more.
var All = []Prime{
	{"modp1024", 1024, true, 129093},   // RFC 2409, section 6.2
	{"modp1536", 1536, true, 741804},   // RFC 3526, sections 2 to 7
	{"modp2048", 2048, true, 124476},   //
	{"modp3072", 3072, true, 1690314},  //
	{"modp4096", 4096, true, 240904},   //
	{"modp6144", 6144, true, 929484},   //
	{"modp8192", 8192, true, 4743158},  //
	{"ffdhe2048", 2048, false, 560316}, // RFC 7919, appendix A
	{"ffdhe3072", 3072, false, 2625351},
	{"ffdhe4096", 4096, false, 5736041},
	{"ffdhe6144", 6144, false, 15705020},
	{"ffdhe8192", 8192, false, 10965728},
}

// Named returns the prime of a name, or nil.
func Named(name string) *big.Int {
	for _, p := range All {
		if p.Name == name {
			return p.Value()
		}
	}
	return nil
}

// Value returns the prime.
func (p Prime) Value() *big.Int {
	b := uint(p.Bits)
	c := scaledE
	if p.Pi {
		c = scaledPi
	}
	one := big.NewInt(1)
	v := c(b - 130)
	v.Add(v, big.NewInt(p.K))
	v.Lsh(v, 64)
	v.Add(v, new(big.Int).Lsh(one, b))
	v.Sub(v, new(big.Int).Lsh(one, b-64))
	return v.Sub(v, one)
}

// guard is bits for rounding.
const guard = 64

// scaledPi returns ⌊2^bits·π⌋, by Machin's formula π/4 = 4·arctan(1/5) − arctan(1/239).
func scaledPi(bits uint) *big.Int {
	v := arctan(5, bits+guard)
	v.Mul(v, big.NewInt(4))
	v.Sub(v, arctan(239, bits+guard))
	return v.Rsh(v, guard-2)
}

// arctan returns about 2^bits·arctan(1/x): the sum of (−1)^i/((2i+1)·x^(2i+1)).
func arctan(x int64, bits uint) *big.Int {
	power := new(big.Int).Lsh(big.NewInt(1), bits)
	power.Quo(power, big.NewInt(x))
	sum, t, square := new(big.Int), new(big.Int), big.NewInt(x*x)
	for i := int64(0); power.Sign() != 0; i++ {
		t.Quo(power, big.NewInt(2*i+1))
		if i%2 == 0 {
			sum.Add(sum, t)
		} else {
			sum.Sub(sum, t)
		}
		power.Quo(power, square)
	}
	return sum
}

// scaledE returns ⌊2^bits·e⌋: the sum of 1/i!.
func scaledE(bits uint) *big.Int {
	term := new(big.Int).Lsh(big.NewInt(1), bits+guard)
	sum := new(big.Int)
	for i := int64(1); term.Sign() != 0; i++ {
		sum.Add(sum, term)
		term.Quo(term, big.NewInt(i))
	}
	return sum.Rsh(sum, guard)
}

// Shape is n, s and w of parameters.
type Shape struct{ N, Words, Width int }

// Shapes returns those of the embedded parameters for the prime: first the one with the
// fewest multiply-adds, then others to compare it with, by that number. Words of fewer
// than 52 bits are for products that are split.
func (p Prime) Shapes() []Shape {
	shapes := map[int][]Shape{
		1024: {{7, 3, 52}},
		1536: {{8, 4, 52}},
		2048: {{7, 6, 52}},
		3072: {{8, 8, 52}},
		4096: {{8, 10, 52}, {8, 11, 52}, {15, 6, 52}},
		6144: {{8, 15, 52}},
		8192: {{8, 20, 52}, {21, 8, 52}},
	}[p.Bits]
	if p.Pi {
		shapes = append(shapes, map[int][]Shape{
			2048: {{16, 3, 50}, {24, 2, 50}},
			4096: {{24, 4, 50}, {32, 3, 49}},
			8192: {{48, 4, 49}, {64, 3, 48}},
		}[p.Bits]...)
	}
	return shapes
}
