package model

import (
	"fmt"
	"math/big"

	"residue/barrett/internal/folding"
)

// Algorithm is a method of modular multiplication.
type Algorithm int

const (
	// CIOS, FIOS and FIPS are Montgomery's multiplication: the coarsely and the finely
	// integrated operand scanning, and the finely integrated product scanning.
	CIOS Algorithm = iota
	FIOS
	FIPS
	// KaratsubaMontgomery is Montgomery's multiplication in three products of whole
	// numbers, each by Karatsuba's method.
	KaratsubaMontgomery
	// Barrett is Barrett's, with folds, and with products by Karatsuba's method.
	Barrett
)

var algorithmNames = [...]string{"cios", "fios", "fips", "karatsuba-montgomery", "barrett"}

// String returns the name of the algorithm.
func (a Algorithm) String() string {
	if a < 0 || int(a) >= len(algorithmNames) {
		return fmt.Sprintf("Algorithm(%d)", int(a))
	}
	return algorithmNames[a]
}

// Method is an algorithm with its parameters.
type Method struct {
	Algorithm Algorithm
	// Leaf is the number of words from which on Karatsuba's method halves no more, at
	// least 1. See [Processor.BestLeaf]. CIOS, FIOS and FIPS do not use it.
	Leaf int
	// Folds is the number of folds of Barrett, 0 to [Processor.MaxFolds].
	Folds int
}

// MaxFolds returns the largest number of folds that Barrett can make with a modulus
// of nbits bits.
func (p Processor) MaxFolds(nbits int) int { return folding.MaxFolds(p.Words(nbits)) }

// Multiplier multiplies modulo a number on a machine. It is not safe for concurrent
// use.
type Multiplier struct {
	machine *Machine
	n       *big.Int
	k       int       // the words of n
	shift   uint      // Barrett: what makes n's highest bit that of a word
	domain  *big.Int  // Montgomery: Wᵏ mod n, or nil
	leave   *big.Int  // Montgomery: its inverse
	mul     operation // of numbers in the machine's words
}

// operation is a modular multiplication of numbers of k words.
type operation func(x, y []uint64) []uint64

// NewMultiplier prepares for multiplications modulo n, which costs no cycles. n is
// at least 1, and odd and at least 3 but for Barrett.
func NewMultiplier(m *Machine, method Method, n *big.Int) (*Multiplier, error) {
	if n.Sign() <= 0 {
		return nil, fmt.Errorf("model: modulus %v is less than 1", n)
	}
	karatsuba := method.Algorithm == KaratsubaMontgomery || method.Algorithm == Barrett
	if karatsuba && method.Leaf < 1 {
		return nil, fmt.Errorf("model: a leaf of %d words (at least 1)", method.Leaf)
	}
	u := &Multiplier{machine: m, n: n, k: m.processor.Words(n.BitLen())}
	switch method.Algorithm {
	case CIOS, FIOS, FIPS, KaratsubaMontgomery:
		if n.Bit(0) == 0 || n.BitLen() < 2 {
			return nil, fmt.Errorf("model: %v needs an odd modulus of at least 3", method.Algorithm)
		}
		u.enterDomain()
		u.mul = u.montgomery(method)
	case Barrett:
		if most := folding.MaxFolds(u.k); method.Folds < 0 || method.Folds > most {
			return nil, fmt.Errorf("model: %d folds of a modulus of %d words (0 to %d)", method.Folds, u.k, most)
		}
		u.shift = uint(u.k)*m.width() - uint(n.BitLen())
		u.mul = u.barrett(method)
	default:
		return nil, fmt.Errorf("model: unknown %v", method.Algorithm)
	}
	return u, nil
}

// Mul returns x·y mod n, for x and y from 0 to n − 1, and counts what the machine
// executes for one multiplication. Ways into Montgomery's domain and out of it are
// not counted, nor is the shift for a modulus whose highest bit is not that of a
// word.
func (u *Multiplier) Mul(x, y *big.Int) *big.Int {
	if x.Sign() < 0 || x.Cmp(u.n) >= 0 || y.Sign() < 0 || y.Cmp(u.n) >= 0 {
		panic("model: a factor is not below the modulus")
	}
	if u.domain != nil {
		x, y = u.modular(x, u.domain), u.modular(y, u.domain)
	}
	// x·2^shift·y modulo n·2^shift is 2^shift·(x·y mod n).
	x = new(big.Int).Lsh(x, u.shift)
	z := u.machine.toBig(u.mul(u.machine.fromBig(x, u.k), u.machine.fromBig(y, u.k)))
	z.Rsh(z, u.shift)
	if u.domain != nil {
		z = u.modular(z, u.leave)
	}
	return z
}

// modular returns x·y mod n, uncounted.
func (u *Multiplier) modular(x, y *big.Int) *big.Int {
	z := new(big.Int).Mul(x, y)
	return z.Mod(z, u.n)
}

// power returns W^i.
func (u *Multiplier) power(i int) *big.Int {
	return new(big.Int).Lsh(big.NewInt(1), uint(i)*u.machine.width())
}

// enterDomain sets the constants of Montgomery's domain.
func (u *Multiplier) enterDomain() {
	u.domain = u.power(u.k)
	u.domain.Mod(u.domain, u.n)
	u.leave = new(big.Int).ModInverse(u.domain, u.n)
}

// montgomery returns Montgomery's multiplication in one of its forms.
func (u *Multiplier) montgomery(method Method) operation {
	m, r := u.machine, u.power(u.k)
	n := m.fromBig(u.n, u.k)
	inverse := m.fromBig(r.Sub(r, new(big.Int).ModInverse(u.n, r)), u.k) // −1/n mod Wᵏ
	var form func(x, y []uint64) []uint64
	switch method.Algorithm {
	case CIOS:
		form = func(x, y []uint64) []uint64 { return m.coarselyIntegrated(x, y, n, inverse[0]) }
	case FIOS:
		form = func(x, y []uint64) []uint64 { return m.finelyIntegrated(x, y, n, inverse[0]) }
	case FIPS:
		form = func(x, y []uint64) []uint64 { return m.finelyIntegratedProducts(x, y, n, inverse[0]) }
	default:
		a := m.arithmetic(method.Leaf)
		form = func(x, y []uint64) []uint64 { return m.separated(a, x, y, n, inverse) }
	}
	return func(x, y []uint64) []uint64 {
		z := form(x, y)
		numbers{m}.Correct(z, n, 1)
		return z[:u.k]
	}
}

// barrett returns a product followed by Barrett's reduction.
func (u *Multiplier) barrett(method Method) operation {
	m, k := u.machine, u.k
	n := new(big.Int).Lsh(u.n, u.shift)
	modulus := &folding.Modulus[uint64]{N: m.fromBig(n, k)}
	for i := 1; i <= method.Folds; i++ {
		c := u.power(k + folding.Above(k, i))
		modulus.Folds = append(modulus.Folds, m.fromBig(c.Mod(c, n), k))
	}
	e := folding.Above(k, method.Folds)
	mu := u.power(k + e)
	mu.Sub(mu, big.NewInt(1)).Div(mu, n).Sub(mu, u.power(e))
	modulus.Mu = m.fromBig(mu, e)

	a := m.arithmetic(method.Leaf)
	scratch := make([]uint64, max(a.MulScratch(k, k), a.ReduceScratch(k, method.Folds)))
	return func(x, y []uint64) []uint64 {
		t, z := make([]uint64, 2*k), make([]uint64, k)
		a.Mul(t, x, y, scratch)
		a.Reduce(z, t, modulus, scratch)
		return z
	}
}
