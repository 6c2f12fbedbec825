package pmns

import (
	"context"
	"fmt"
	"math/big"
	"math/rand/v2"
	"sync"
	"testing"
)

func randomBig(r *rand.Rand, bits int) *big.Int {
	v := new(big.Int)
	for range (bits + 63) / 64 {
		v.Lsh(v, 64).Or(v, new(big.Int).SetUint64(r.Uint64()))
	}
	return v.Rsh(v, uint((bits+63)/64*64-bits))
}

// below returns a number below bound: random, or one that is often handled wrong.
func below(r *rand.Rand, bound *big.Int) *big.Int {
	n := bound.BitLen()
	v := new(big.Int)
	switch r.IntN(8) {
	case 0:
		v.SetInt64(int64(r.IntN(2)))
	case 1:
		v.Sub(bound, bigOne)
	case 2:
		v.Rsh(bound, 1)
	case 3:
		v.Sub(pow2(r.IntN(n)), bigOne)
	case 4: // a run of ones
		v.Sub(pow2(r.IntN(n)), pow2(r.IntN(n)))
		v.Abs(v)
	default:
		v = randomBig(r, n)
	}
	return v.Mod(v, bound)
}

// randomPrime returns a prime of so many bits.
func randomPrime(r *rand.Rand, bits int) *big.Int {
	for {
		v := randomBig(r, bits)
		v.SetBit(v, bits-1, 1).SetBit(v, 0, 1)
		if v.ProbablyPrime(0) {
			return v
		}
	}
}

func mustNew(t testing.TB, p *big.Int, o *Options) *Params {
	t.Helper()
	set, err := New(context.Background(), p, o)
	if err != nil {
		t.Fatalf("%#x: %v", p, err)
	}
	return set
}

func mustEmbedded(t testing.TB, name string) *Params {
	t.Helper()
	set, err := Embedded(name)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func newTestSystem(t testing.TB, k *Kernel, p *Params, v Variant) *System {
	t.Helper()
	s, err := k.NewSystem(p, v)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// testSets are sets of many shapes: widths of words, λ, n that fill vectors or do not.
var testSets = sync.OnceValue(func() []*Params {
	r := rand.New(rand.NewPCG(1, 2))
	var sets []*Params
	add := func(p *big.Int, o Options) {
		set, err := New(context.Background(), p, &o)
		if err != nil {
			panic(fmt.Sprintf("%#x, %+v: %v", p, o, err))
		}
		sets = append(sets, set)
	}
	modp := mustEmbeddedPrime("modp1024")
	add(randomPrime(r, 256), Options{})
	add(randomPrime(r, 256), Options{Width: 16, Additions: 1})
	add(randomPrime(r, 300), Options{N: 5, Lambda: 3})
	add(randomPrime(r, 384), Options{N: 7, Words: 2})
	add(randomPrime(r, 384), Options{N: 9, Width: 47, Lambda: 63})
	add(randomPrime(r, 521), Options{N: 2, Additions: 3})
	add(modp, Options{N: 16, Width: 51})
	add(modp, Options{N: 28, Words: 1})
	add(modp, Options{N: 8, Width: 33})
	add(modp, Options{N: 3})
	return sets
})

func mustEmbeddedPrime(name string) *big.Int {
	p, err := Embedded(name)
	if err != nil {
		panic(err)
	}
	return p.P
}

// eachSystem runs f for systems of all test sets and some embedded ones, with all kernels
// and variants.
func eachSystem(t *testing.T, f func(t *testing.T, s *System, r *rand.Rand)) {
	t.Helper()
	sets, names := testSets(), []string{"modp1024", "modp1536", "modp2048", "modp4096", "modp4096_15x6", "modp2048_16x3", "modp2048_24x2"}
	if testing.Short() || raceEnabled { // the rest takes minutes then
		sets, names = sets[:5], names[:1]
	}
	for _, name := range names {
		sets = append(sets, mustEmbedded(t, name))
	}
	for _, set := range sets {
		for _, k := range testKernels() {
			for v := Truncated; v <= Toeplitz; v++ {
				if k.name != "generic" && !k.Has(set, v) || k.name == "generic" && v >= Karatsuba {
					continue // it is done by another one
				}
				name := fmt.Sprintf("%db/%dx%dx%d/%s/%v", set.P.BitLen(), set.N, set.Words, set.Width, k.name, v)
				t.Run(name, func(t *testing.T) {
					f(t, newTestSystem(t, k, set, v), rand.New(rand.NewPCG(uint64(set.N), uint64(set.Words))))
				})
			}
		}
	}
}

// testKernels are the kernels that this CPU can run, and the model.
func testKernels() []*Kernel { return append(Kernels(), modelKernel) }

// get returns the number that x is.
func (s *System) get(t testing.TB, x *Element) *big.Int {
	t.Helper()
	b := make([]byte, (s.params.P.BitLen()+7)/8)
	if !s.FillBytes(b, x, nil) {
		t.Fatal("a residue does not fit")
	}
	return new(big.Int).SetBytes(b)
}

// bigValue returns what the polynomial of x says, with math/big.
func (s *System) bigValue(x *Element) *big.Int {
	p := s.params
	v := evaluate(s.Polynomial(x), p.Gamma, p.P)
	v.Mul(v, new(big.Int).ModInverse(p.Phi(), p.P))
	return v.Mod(v, p.P)
}

// wantElement fails the test unless x is within its bounds and has value v.
func wantElement(t testing.TB, s *System, x *Element, v *big.Int, what string) {
	t.Helper()
	bounds := s.params.Bounds()
	for k, c := range s.Polynomial(x) {
		if c.Cmp(bounds[k].Mul(bounds[k], big.NewInt(int64(x.terms)))) > 0 {
			t.Fatalf("%s: coefficient %d is %s, at most %s for %d terms is allowed", what, k, show(c), show(bounds[k]), x.terms)
		}
	}
	v = new(big.Int).Mod(v, s.params.P)
	if got := s.bigValue(x); got.Cmp(v) != 0 {
		t.Fatalf("%s: %#x, want %#x", what, got, v)
	}
}

// litter puts something into the lanes and bits of x that do not count.
func (s *System) litter(r *rand.Rand, x *Element) {
	e := s.portable
	for i := range x.words {
		if i%e.stride() >= s.n {
			x.words[i] = r.Uint64()
		} else {
			x.words[i] = x.words[i]&e.mask() | r.Uint64()&^e.mask()
		}
	}
}

// random returns an element with random or extreme coefficients and its value.
func (s *System) random(t testing.TB, r *rand.Rand) (*Element, *big.Int) {
	t.Helper()
	a := s.params.Bounds()
	kind := r.IntN(4)
	for k, bound := range a {
		switch kind {
		case 0: // the bound itself
		case 1:
			a[k] = below(r, bound)
		case 2:
			a[k].Mul(bound, big.NewInt(int64(r.IntN(2))))
		default:
			a[k] = randomBig(r, bound.BitLen()-1)
		}
	}
	x := s.NewElement()
	if err := s.SetPolynomial(x, a); err != nil {
		t.Fatal(err)
	}
	s.litter(r, x)
	return x, s.bigValue(x)
}
