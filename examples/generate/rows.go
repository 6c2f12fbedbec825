package main

import (
	"fmt"
	"math/big"
	"math/rand/v2"
)

// source is a stream of random bytes that is the same on every run.
type source struct{ *rand.ChaCha8 }

func newSource(name string) source {
	var seed [32]byte
	copy(seed[:], name)
	return source{rand.NewChaCha8(seed)}
}

// below returns a number below n.
func (s source) below(n *big.Int) *big.Int {
	// 64 bits more than n has make the bias of the remainder invisible.
	return new(big.Int).Mod(s.number(n.BitLen()+64), n)
}

// number returns a number of exactly the given length in bits.
func (s source) number(bits int) *big.Int {
	b := make([]byte, (bits+7)/8)
	s.Read(b)
	z := new(big.Int).SetBytes(b)
	z.Rsh(z, uint(len(b)*8-bits))
	return z.SetBit(z, bits-1, 1)
}

// odd returns an odd number of the given length.
func (s source) odd(bits int) *big.Int {
	z := s.number(bits)
	return z.SetBit(z, 0, 1)
}

// prime returns a prime of the given length with its two top bits set, and with
// p−1 prime to e.
func (s source) prime(bits int, e *big.Int) *big.Int {
	p := s.odd(bits)
	p.SetBit(p, bits-2, 1)
	two, one := big.NewInt(2), big.NewInt(1)
	for {
		if p.ProbablyPrime(20) {
			p1 := new(big.Int).Sub(p, one)
			if new(big.Int).GCD(nil, nil, p1, e).Cmp(one) == 0 {
				return p
			}
		}
		p.Add(p, two)
	}
}

// exampleRows are rows of the sizes and kinds that people have.
func exampleRows(s source) []row {
	var rows []row
	for _, g := range groups {
		if g.bits <= 4096 {
			rows = append(rows, s.diffieHellman(g)...)
		}
	}
	for _, bits := range []int{1024, 2048, 3072, 4096} {
		rows = append(rows, s.rsa(bits)...)
	}
	for _, bits := range []int{1024, 1536, 2048} {
		rows = append(rows, s.paillier(bits)...)
	}
	for _, bits := range []int{1024, 1536, 2048, 3072, 4096} {
		rows = append(rows, s.even(bits)...)
	}
	return append(rows, s.edges()...)
}

// diffieHellman is an exchange of keys: the last two results are the same. The
// first two rows are what a careful peer checks of the prime.
func (s source) diffieHellman(g group) []row {
	p, two := g.prime(), big.NewInt(2)
	name := fmt.Sprintf("%s group %d, %d bits: ", g.rfc(), g.number, g.bits)
	p1 := new(big.Int).Sub(p, big.NewInt(1))
	a, b := s.number(256), s.below(p1)
	publicA, publicB := new(big.Int).Exp(two, a, p), new(big.Int).Exp(two, b, p)
	return []row{
		{name + "Fermat, 3^(p-1)", big.NewInt(3), p1, p},
		{name + "order of the generator, 2^((p-1)/2)", two, new(big.Int).Rsh(p1, 1), p},
		{name + "public key, short exponent", two, a, p},
		{name + "public key, full exponent", two, b, p},
		{name + "shared key, short exponent", publicB, a, p},
		{name + "shared key, full exponent", publicA, b, p},
	}
}

// rsa is a signature, its two halves as the Chinese remainder theorem has them,
// its check, and an encryption with the smallest exponent.
func (s source) rsa(bits int) []row {
	e, one := big.NewInt(0x10001), big.NewInt(1)
	p, q := s.prime(bits/2, e), s.prime(bits/2, e)
	n := new(big.Int).Mul(p, q)
	p1, q1 := new(big.Int).Sub(p, one), new(big.Int).Sub(q, one)
	phi := new(big.Int).Mul(p1, q1)
	d := new(big.Int).ModInverse(e, phi)
	message := s.below(n)
	signature := new(big.Int).Exp(message, d, n)
	name := fmt.Sprintf("RSA-%d: ", bits)
	return []row{
		{name + "sign", message, d, n},
		{name + "sign modulo p", message, new(big.Int).Mod(d, p1), p},
		{name + "sign modulo q", message, new(big.Int).Mod(d, q1), q},
		{name + "verify", signature, e, n},
		{name + "encrypt with exponent 3", s.below(n), big.NewInt(3), n},
	}
}

// paillier is the two exponentiations of Paillier's encryption and one of its
// homomorphism, modulo N².
func (s source) paillier(bits int) []row {
	one := big.NewInt(1)
	n := new(big.Int).Mul(s.prime(bits/2, one), s.prime(bits/2, one))
	n2 := new(big.Int).Mul(n, n)
	name := fmt.Sprintf("Paillier, N of %d bits: ", bits)
	return []row{
		{name + "(1+N)^m mod N^2", new(big.Int).Add(n, one), s.below(n), n2},
		{name + "r^N mod N^2", s.below(n), n, n2},
		{name + "ciphertext times a 128-bit number", s.below(n2), s.number(128), n2},
	}
}

// even is moduli that Montgomery's arithmetic has to be helped with.
func (s source) even(bits int) []row {
	once := s.number(bits)
	once.SetBit(once, 0, 0).SetBit(once, 1, 1)
	half := s.odd(bits / 2)
	half.Lsh(half, uint(bits-bits/2))
	two := power(uint(bits - 1))
	name := fmt.Sprintf("even modulus of %d bits: ", bits)
	return []row{
		{name + "twice an odd number", s.below(once), s.number(bits), once},
		{name + "half its bits are zeros at the end", s.below(half), s.number(bits), half},
		{name + "a power of two", s.below(two), s.number(bits), two},
	}
}

// edges is rows of awkward lengths and values.
func (s source) edges() []row {
	n := s.odd(2048)
	below := new(big.Int).Sub(n, big.NewInt(1))
	ones := power(2048)
	ones.Sub(ones, big.NewInt(1))
	mersenne := power(2203)
	mersenne.Sub(mersenne, big.NewInt(1))
	zero, one, minus := new(big.Int), big.NewInt(1), big.NewInt(-1)
	rows := []row{
		{"exponent 0", s.below(n), zero, n},
		{"exponent 1", s.below(n), one, n},
		{"base 0", zero, s.number(2048), n},
		{"base 1", one, s.number(2048), n},
		{"base one below the modulus", below, s.number(2048), n},
		{"base as large as the modulus", n, s.number(2048), n},
		{"base of twice the modulus' length", s.number(4096), s.number(2048), n},
		{"negative base", new(big.Int).Neg(s.below(n)), s.odd(2048), n},
		{"inverse", s.unit(n), minus, n},
		{"negative exponent", s.unit(n), new(big.Int).Neg(s.number(2048)), n},
		{"exponent of twice the modulus' length", s.below(n), s.number(4096), n},
		{"exponent of 65 bits", s.below(n), s.number(65), n},
		{"modulus of ones, 2^2048-1", s.below(ones), s.number(2048), ones},
		{"Mersenne prime 2^2203-1", s.below(mersenne), s.number(2203), mersenne},
	}
	for _, bits := range []int{1023, 1025, 1999, 2047, 2049, 3333} {
		n := s.odd(bits)
		rows = append(rows, row{fmt.Sprintf("modulus of %d bits", bits), s.below(n), s.number(bits), n})
	}
	return rows
}

// unit returns a number below n that has an inverse.
func (s source) unit(n *big.Int) *big.Int {
	for {
		x := s.below(n)
		if new(big.Int).GCD(nil, nil, x, n).Cmp(big.NewInt(1)) == 0 {
			return x
		}
	}
}

// smallRows are rows that can be checked by hand.
func smallRows() []row {
	small := func(id string, base, exp, mod int64) row {
		return row{id, big.NewInt(base), big.NewInt(exp), big.NewInt(mod)}
	}
	return []row{
		small("a power", 2, 10, 0x3e9),
		small("little Fermat", 3, 0x10000, 0x10001),
		small("an even modulus", 7, 5, 0x64),
		small("an inverse", 3, -1, 0xb),
		small("a negative base", -2, 3, 0xb),
		small("modulo 1", 5, 0, 1),
	}
}

// selftestRows are rows of many sizes for every kernel: primes with exponents
// that give 1, extreme digits, and random numbers.
func selftestRows(s source) []row {
	var rows []row
	for _, g := range groups {
		p := g.prime()
		p1 := new(big.Int).Sub(p, big.NewInt(1))
		name := fmt.Sprintf("%s group %d: ", g.rfc(), g.number)
		rows = append(rows, row{name + "2 to a random exponent", big.NewInt(2), s.number(160), p})
		if g.bits <= 3072 {
			rows = append(rows,
				row{name + "2^(p-1) is 1", big.NewInt(2), p1, p},
				row{name + "random", s.below(p), s.below(p), p})
		}
	}
	for _, bits := range []int{2, 8, 52, 53, 64, 104, 255, 512, 521, 768, 1000} {
		n := s.odd(bits)
		ones := power(uint(bits))
		ones.Sub(ones, big.NewInt(1))
		next := power(uint(bits - 1))
		next.Add(next, big.NewInt(1))
		rows = append(rows,
			row{fmt.Sprintf("random, %d bits", bits), s.below(n), s.number(bits), n},
			row{fmt.Sprintf("2^%d-1, largest base", bits), new(big.Int).Sub(ones, big.NewInt(1)), s.odd(bits), ones},
			row{fmt.Sprintf("2^%d+1, random", bits-1), s.below(next), s.number(bits), next})
	}
	n := s.odd(16384)
	rows = append(rows, row{"random, 16384 bits", s.below(n), big.NewInt(0x10001), n})
	return append(rows, s.frontDoor()...)
}

// frontDoor is rows that need more than Montgomery's arithmetic.
func (s source) frontDoor() []row {
	n := s.odd(1024)
	even := new(big.Int).Lsh(s.odd(700), 324)
	return []row{
		{"modulus 1", big.NewInt(5), new(big.Int), big.NewInt(1)},
		{"exponent 0", s.below(n), new(big.Int), n},
		{"inverse", s.unit(n), big.NewInt(-1), n},
		{"negative base and exponent", new(big.Int).Neg(s.unit(n)), new(big.Int).Neg(s.odd(300)), n},
		{"base longer than the modulus", s.number(3000), s.number(100), n},
		{"even modulus", s.below(even), s.number(1024), even},
		{"power of two", s.below(power(1023)), s.number(1024), power(1023)},
	}
}
