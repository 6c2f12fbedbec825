// Package rings makes rings Z_q[X]/(Xⁿ+1) of package negacyclic from what a user says of
// them, and multiplies in them whatever integers coefficients are.
package rings

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strings"

	"residue/internal/cpu"
	"residue/negacyclic"
)

// Method is a way to multiply.
type Method string

// The methods. Auto is one of the others.
const (
	Auto      Method = "auto"
	NTT       Method = "ntt"       // q prime: transforms
	Toom4     Method = "toom4"     // q = 2^k: striding Toom-Cook 4
	Karatsuba Method = "karatsuba" // q = 2^k: Karatsuba's method, striding
	Primes    Method = "primes"    // q = 2^k: transforms modulo primes, exact products
)

// Methods has all, Auto first.
var Methods = []Method{Auto, NTT, Toom4, Karatsuba, Primes}

// ParseMethod returns the method of a name, in letters of either case.
func ParseMethod(name string) (Method, error) {
	if m := Method(strings.ToLower(name)); slices.Contains(Methods, m) {
		return m, nil
	}
	var known []string
	for _, m := range Methods {
		known = append(known, string(m))
	}
	return "", fmt.Errorf("unknown method %q (known: %s)", name, strings.Join(known, ", "))
}

// Ring is a ring with a method to multiply in it.
type Ring struct {
	Q      int64
	N      int
	Method Method // not Auto
	Bits   int    // of a word
	Kernel string // whose routines compute
	Detail string // what else there is to know of the method
	// Scratch is the bytes of scratch of a product, beside operands and result.
	Scratch int

	multiplier func() Multiplier
}

// Multiplier multiplies in a ring, in memory of its own: it is for one goroutine.
type Multiplier interface {
	// Mul sets z to x·y, with coefficients in [0, q). Those of x and y may be any integers.
	// All have n coefficients.
	Mul(z, x, y []int64)
}

// Multiplier returns a multiplier.
func (r *Ring) Multiplier() Multiplier { return r.multiplier() }

// New returns the ring for q, prime or a power of two, and n, on a kernel.
func New(k *negacyclic.Kernel, q int64, n int, method Method) (*Ring, error) {
	if method == Auto {
		return auto(k, q, n)
	}
	if q < 2 || q > 1<<31 || q&(q-1) != 0 && method != NTT || q&(q-1) == 0 && method == NTT {
		return nil, badModulus(q, method)
	}
	r := &Ring{Q: q, N: n, Method: method}
	if method == NTT {
		if !isPrime(q) {
			return nil, badModulus(q, method)
		}
		if q < 1<<15 {
			return prime[int16](r, k)
		}
		return prime[int32](r, k)
	}
	exponent := bits.TrailingZeros64(uint64(q))
	switch {
	case method == Primes:
		ring, err := negacyclic.NewByPrimesOn[int32](k, exponent, n, 1, 1<<(exponent-1))
		if err != nil {
			return nil, err
		}
		r.Kernel, r.Detail = ring.Kernel(), count(ring.Primes(), "prime")
		return finish(r, ring), nil
	case method == Toom4 && exponent <= 13, method == Karatsuba && exponent <= 15:
		return powerOfTwo[int16](r, k, exponent)
	}
	return powerOfTwo[int32](r, k, exponent)
}

// primesFrom is the n from which transforms modulo primes are quicker than Toom-Cook in
// portable Go, as measured.
const primesFrom = 512

// auto returns the ring with the method that is quickest for it.
func auto(k *negacyclic.Kernel, q int64, n int) (*Ring, error) {
	switch {
	case q < 2 || q > 1<<31:
		return nil, badModulus(q, Auto)
	case q&(q-1) != 0:
		if !isPrime(q) {
			return nil, badModulus(q, Auto)
		}
		return New(k, q, n, NTT)
	}
	order := []Method{Toom4, Karatsuba}
	if n >= primesFrom {
		order = []Method{Primes, Toom4, Karatsuba}
	}
	var r *Ring
	var err error
	for _, method := range order { // the last one takes all
		if r, err = New(k, q, n, method); err == nil {
			break
		}
	}
	if err == nil && r.Method != Primes && r.Kernel == cpu.Generic {
		// Vectors for transforms are quicker than portable Toom-Cook.
		if p, err := New(k, q, n, Primes); err == nil && p.Kernel != cpu.Generic {
			return p, nil
		}
	}
	return r, err
}

// isPrime says whether q is prime, for q below 2^63.
func isPrime(q int64) bool { return big.NewInt(q).ProbablyPrime(0) } // which is exact below 2^64

func badModulus(q int64, method Method) error {
	switch method {
	case Auto:
		return fmt.Errorf("q is %d, want an odd prime below 2^31 or a power of two from 2 to 2^31", q)
	case NTT:
		return fmt.Errorf("q is %d, want an odd prime below 2^31 for %s", q, method)
	}
	return fmt.Errorf("q is %d, want a power of two from 2 to 2^31 for %s", q, method)
}

func prime[W negacyclic.Word](r *Ring, k *negacyclic.Kernel) (*Ring, error) {
	ring, err := negacyclic.NewPrimeOn[W](k, r.Q, r.N)
	if err != nil {
		return nil, err
	}
	r.Kernel = ring.Kernel()
	r.Detail = count(ring.Layers(), "layer")
	return finish(r, ring), nil
}

func powerOfTwo[W negacyclic.Word](r *Ring, k *negacyclic.Kernel, exponent int) (*Ring, error) {
	method := negacyclic.Toom4
	if r.Method == Karatsuba {
		method = negacyclic.Karatsuba
	}
	ring, err := negacyclic.NewPowerOfTwoOn[W](k, exponent, r.N, method)
	if err != nil {
		return nil, err
	}
	r.Kernel = ring.Kernel()
	return finish(r, ring), nil
}

func count(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

// multiplies is what rings of all types have.
type multiplies[W negacyclic.Word] interface {
	Mul(z, x, y negacyclic.Poly[W], scratch []W)
	MulScratch() int
}

// finish fills in what the ring says of itself.
func finish[W negacyclic.Word](r *Ring, ring multiplies[W]) *Ring {
	r.Bits = 16
	if _, wide := any(W(0)).(int32); wide {
		r.Bits = 32
	}
	r.Scratch = ring.MulScratch() * r.Bits / 8
	r.multiplier = func() Multiplier {
		poly := func() negacyclic.Poly[W] { return make(negacyclic.Poly[W], r.N) }
		return &multiplier[W]{r.Q, ring, poly(), poly(), poly(), make([]W, ring.MulScratch())}
	}
	return r
}

// multiplier is a ring with words to multiply in.
type multiplier[W negacyclic.Word] struct {
	q       int64
	ring    multiplies[W]
	x, y, z negacyclic.Poly[W]
	scratch []W
}

func (m *multiplier[W]) Mul(z, x, y []int64) {
	m.reduce(m.x, x)
	m.reduce(m.y, y)
	m.ring.Mul(m.z, m.x, m.y, m.scratch)
	for i, v := range m.z {
		z[i] = int64(v)
	}
}

// reduce sets z to x modulo q: the remainder with the sign of x, which a word has room for,
// because q is at most 2^(B−1) in words of B bits.
func (m *multiplier[W]) reduce(z negacyclic.Poly[W], x []int64) {
	for i, v := range x {
		z[i] = W(v % m.q)
	}
}

// Centre moves coefficients from [0, q) to [−q/2, q/2).
func Centre(z []int64, q int64) {
	for i, v := range z {
		z[i] = v - q&((q-q/2-1-v)>>63) // less q if v ≥ ⌈q/2⌉
	}
}
