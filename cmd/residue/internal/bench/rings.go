package bench

import (
	"fmt"
	"math/bits"
	"math/rand/v2"
	"slices"

	"residue/internal/cpu"
	"residue/negacyclic"
)

// ring is a ring that is measured, with the shape of a matrix that its scheme has.
type ring struct {
	name          string
	q             int64
	rows, columns int
}

const ringLength = 256

var measuredRings = []ring{
	{"ml-kem", 3329, 3, 3},
	{"ml-dsa", 8380417, 6, 5},
	{"saber", 1 << 13, 3, 3},
}

func ringNames() (names []string) {
	for _, r := range measuredRings {
		names = append(names, r.name)
	}
	return names
}

// The methods of rings. The classic forms are there for their memory.
const (
	methodNTT    = "ntt"
	methodPrimes = "primes"
	classic      = "-classic"
)

func ringMethods() []string {
	toom, karatsuba := negacyclic.Toom4.String(), negacyclic.Karatsuba.String()
	return []string{methodNTT, toom, karatsuba, methodPrimes, toom + classic, karatsuba + classic}
}

// addRings plans the operations of package negacyclic, in the rings and by the methods of
// each kernel that has routines of its own for them.
func (p *Plan) addRings() error {
	for _, g := range measuredRings {
		if len(p.choice.Rings) > 0 && !slices.Contains(p.choice.Rings, g.name) {
			continue
		}
		for _, k := range negacyclic.Kernels() {
			if !slices.Contains(p.choice.ringKernels, k.Name()) {
				continue
			}
			if err := p.addRing(g, k); err != nil {
				return err
			}
		}
	}
	return nil
}

func (p *Plan) addRing(g ring, k *negacyclic.Kernel) error {
	exponent := bits.TrailingZeros64(uint64(g.q))
	switch {
	case exponent == 0 && g.q < 1<<15:
		return addPrime[int16](p, g, k)
	case exponent == 0:
		return addPrime[int32](p, g, k)
	}
	for _, m := range []negacyclic.Method{negacyclic.Toom4, negacyclic.Karatsuba} {
		if err := addPowerOfTwo[int16](p, g, k, exponent, m); err != nil {
			return err
		}
	}
	if err := addByPrimes[int16](p, g, k, exponent, saberSecret); err != nil {
		return err
	}
	return addByPrimes[int32](p, g, k, exponent, 1<<(exponent-1))
}

// saberSecret is what coefficients of secrets of Saber are at most, with three columns.
const saberSecret = 4

// ringPlan adds what there is to measure of one ring.
type ringPlan[W negacyclic.Word] struct {
	plan          *Plan
	ring          ring
	record        Record
	rng           *rand.Rand
	rows, columns int
}

func newRingPlan[W negacyclic.Word](p *Plan, g ring, method, kernel string) *ringPlan[W] {
	word := 16
	if _, wide := any(W(0)).(int32); wide {
		word = 32
	}
	return &ringPlan[W]{
		plan: p, ring: g, rng: rand.New(rand.NewPCG(uint64(g.q), 0)), rows: g.rows, columns: g.columns,
		record: Record{
			System: SystemNegacyclic, Bits: bits.Len64(uint64(g.q - 1)), Lanes: 1, Kernel: kernel,
			Ring: g.name, Q: g.q, N: ringLength, Method: method, Word: word,
		},
	}
}

// add plans an operation that works in so many words of scratch, if it is chosen.
func (p *ringPlan[W]) add(op string, scratch int, call func(scratch []W)) {
	c := &p.plan.choice
	if !slices.Contains(c.ringOps, op) || len(c.Methods) > 0 && !slices.Contains(c.Methods, p.record.Method) {
		return
	}
	r := p.record
	r.Op = op
	switch op {
	case OpMatVec, OpMatVecPoly, OpMatVecReady:
		r.Matrix = fmt.Sprintf("%d×%d", p.rows, p.columns)
	}
	bytes := scratch * r.Word / 8
	r.Scratch = &bytes
	memory := make([]W, scratch)
	p.plan.jobs = append(p.plan.jobs, job{record: r, call: func() { call(memory) }})
}

// poly returns a polynomial with coefficients in [0, q).
func (p *ringPlan[W]) poly() negacyclic.Poly[W] {
	z := make(negacyclic.Poly[W], ringLength)
	for i := range z {
		z[i] = W(p.rng.Int64N(p.ring.q))
	}
	return z
}

func (p *ringPlan[W]) polys(n int) (z []negacyclic.Poly[W]) {
	for range n {
		z = append(z, p.poly())
	}
	return z
}

// addPrime plans what there is of a ring of prime modulus.
func addPrime[W negacyclic.Word](plan *Plan, g ring, k *negacyclic.Kernel) error {
	r, err := negacyclic.NewPrimeOn[W](k, g.q, ringLength)
	if err != nil || r.Kernel() != k.Name() {
		return err
	}
	p := newRingPlan[W](plan, g, methodNTT, k.Name())
	ntt := func() negacyclic.NTT[W] {
		x := make(negacyclic.NTT[W], ringLength)
		r.Transform(x, p.poly())
		return x
	}
	factor := func() negacyclic.Factor[W] {
		f := make(negacyclic.Factor[W], r.FactorLen())
		r.Factor(f, ntt())
		return f
	}
	x, y, z, t, f := p.poly(), p.poly(), p.poly(), ntt(), factor()
	var a, u []negacyclic.NTT[W]
	var fs []negacyclic.Factor[W]
	var ps []negacyclic.Prepared[W]
	for i := range p.rows * p.columns {
		a, ps = append(a, ntt()), append(ps, make(negacyclic.Prepared[W], r.PreparedLen()))
		r.Prepare(ps[i], a[i])
	}
	for range p.columns {
		fs = append(fs, factor())
	}
	for range p.rows {
		u = append(u, ntt())
	}
	s, zs := p.polys(p.columns), p.polys(p.rows)
	p.add(OpMul, r.MulScratch(), func(scratch []W) { r.Mul(z, x, y, scratch) })
	p.add(OpForward, 0, func([]W) { r.Transform(t, x) })
	p.add(OpBase, 0, func([]W) { r.MulNTT(u[0], t, f) })
	p.add(OpInverse, 0, func([]W) { r.Inverse(z, t) })
	p.add(OpMatVecReady, 0, func([]W) { r.MatVec(zs, a, fs) })
	p.add(OpMatVec, r.MatVecPreparedScratch(p.columns), func(scratch []W) { r.MatVecPrepared(zs, ps, s, scratch) })
	return nil
}

// addPowerOfTwo plans what there is of q = 2^exponent by a method.
func addPowerOfTwo[W negacyclic.Word](plan *Plan, g ring, k *negacyclic.Kernel, exponent int, m negacyclic.Method) error {
	r, err := negacyclic.NewPowerOfTwoOn[W](k, exponent, ringLength, m)
	if err != nil || r.Kernel() != k.Name() {
		return err
	}
	p := newRingPlan[W](plan, g, m.String(), k.Name())
	values := func() negacyclic.Evaluated[W] {
		e := make(negacyclic.Evaluated[W], r.EvaluatedLen())
		r.Evaluate(e, p.poly())
		return e
	}
	x, y, z, e, sum := p.poly(), p.poly(), p.poly(), values(), make(negacyclic.Products[W], r.EvaluatedLen())
	var ae, es []negacyclic.Evaluated[W]
	for range p.rows * p.columns {
		ae = append(ae, values())
	}
	for range p.columns {
		es = append(es, values())
	}
	a, s, zs := p.polys(p.rows*p.columns), p.polys(p.columns), p.polys(p.rows)
	evaluate := func() {
		for j, x := range s {
			r.Evaluate(es[j], x)
		}
	}
	p.add(OpMul, r.MulScratch(), func(scratch []W) { r.Mul(z, x, y, scratch) })
	p.add(OpEvaluate, 0, func([]W) { r.Evaluate(e, x) })
	p.add(OpBase, r.ProductScratch(), func(scratch []W) { r.MulAdd(sum, e, es[0], scratch) })
	p.add(OpInterpolate, 0, func([]W) { r.Interpolate(z, sum) })
	p.add(OpMatVecReady, r.MatVecScratch(), func(scratch []W) { r.MatVec(zs, ae, es, scratch) })
	p.add(OpMatVec, r.MatVecScratch(), func(scratch []W) { evaluate(); r.MatVec(zs, ae, es, scratch) })
	p.add(OpMatVecPoly, r.MatVecScratch(), func(scratch []W) { evaluate(); r.MatVecPoly(zs, a, es, scratch) })
	if k.Name() == cpu.Generic {
		p.record.Method += classic
		p.add(OpMul, r.ClassicScratch(), func(scratch []W) { r.MulClassic(z, x, y, scratch) })
	}
	return nil
}

// addByPrimes plans what there is of q = 2^exponent by transforms modulo primes, with second
// operands of at most most.
func addByPrimes[W negacyclic.Word](plan *Plan, g ring, k *negacyclic.Kernel, exponent, most int) error {
	r, err := negacyclic.NewByPrimesOn[W](k, exponent, ringLength, g.columns, most)
	if err != nil || r.Kernel() != k.Name() {
		return err
	}
	p := newRingPlan[W](plan, g, methodPrimes, k.Name())
	x, y, z := p.poly(), p.small(most), p.poly()
	e, sum := make(negacyclic.Evaluated[W], r.EvaluatedLen()), make(negacyclic.Products[W], r.EvaluatedLen())
	r.Evaluate(e, x)
	var ae []negacyclic.Evaluated[W]
	for range p.rows * p.columns {
		ae = append(ae, slices.Clone(e))
	}
	var s []negacyclic.Poly[W]
	var fs []negacyclic.Factor[W]
	for range p.columns {
		s, fs = append(s, p.small(most)), append(fs, make(negacyclic.Factor[W], r.FactorLen()))
	}
	r.Factors(fs, s, make([]W, r.FactorScratch()))
	a, zs := p.polys(p.rows*p.columns), p.polys(p.rows)
	p.add(OpMul, r.MulScratch(), func(scratch []W) { r.Mul(z, x, y, scratch) })
	p.add(OpEvaluate, 0, func([]W) { r.Evaluate(e, x) })
	p.add(OpBase, 0, func([]W) { r.MulAdd(sum, e, fs[0]) })
	p.add(OpInterpolate, r.InterpolateScratch(), func(scratch []W) { r.Interpolate(z, sum, scratch) })
	p.add(OpMatVecReady, r.MatVecScratch(), func(scratch []W) { r.MatVec(zs, ae, fs, scratch) })
	p.add(OpMatVec, max(r.FactorScratch(), r.MatVecScratch()), func(scratch []W) {
		r.Factors(fs, s, scratch)
		r.MatVec(zs, ae, fs, scratch)
	})
	p.add(OpMatVecPoly, max(r.FactorScratch(), r.MatVecPolyScratch(p.columns)), func(scratch []W) {
		r.Factors(fs, s, scratch)
		r.MatVecPoly(zs, a, fs, scratch)
	})
	return nil
}

// small returns a polynomial with coefficients of at most most in absolute value.
func (p *ringPlan[W]) small(most int) negacyclic.Poly[W] {
	z := make(negacyclic.Poly[W], ringLength)
	for i := range z {
		z[i] = W(p.rng.IntN(2*most+1) - most)
	}
	return z
}
