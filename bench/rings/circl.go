package main

import (
	kyber "github.com/cloudflare/circl/pke/kyber/residue"
	dilithium "github.com/cloudflare/circl/sign/residue"
)

// circl's routines return without VZEROUPPER. On some of Intel's CPUs the first instruction
// of SSE after them, with which Go clears a register when assembly returns, then costs some
// hundreds of cycles (docs/negacyclic.md has what that makes of its figures).

// circlKyber is circl in the ring of ML-KEM, as its public-key encryption uses it. Its
// transforms are in an order of its own, not that of FIPS 203; a transform overwrites its
// operand, so that a product copies both.
type circlKyber struct {
	x, y, z kyber.Poly
	a, s    []kyber.Poly
	t, u    []kyber.Poly
	step    [3]kyber.Poly
}

func newCirclKyber(in *operands) multiplier {
	poly := func(x []int64) kyber.Poly { return kyber.Poly(words[int16](x)) }
	transform := func(x []int64) kyber.Poly {
		z := poly(x)
		z.NTT()
		z.Normalize()
		return z
	}
	c := &circlKyber{x: poly(in.x), y: poly(in.y), a: vector(in.a, transform), s: vector(in.s, poly)}
	c.t, c.u = make([]kyber.Poly, in.columns), make([]kyber.Poly, in.rows)
	c.step[0], c.step[1] = transform(in.x), transform(in.y)
	return c
}

func (*circlKyber) name() string { return "circl" }

func (c *circlKyber) op(name string) func() {
	switch name {
	case opForward:
		return func() { c.step[0].NTT() }
	case opBase:
		return func() { c.step[2].MulHat(&c.step[0], &c.step[1]) }
	case opInverse:
		return func() { c.step[2].InvNTT() }
	case opMul:
		return func() {
			x, y := c.x, c.y
			x.NTT()
			y.NTT()
			y.BarrettReduce() // below q, and x below 7q: products are below 2^15·q
			c.z.MulHat(&x, &y)
			c.z.BarrettReduce()
			c.z.InvNTT()
			c.z.Normalize()
		}
	case opMatVec:
		return func() {
			copy(c.t, c.s)
			for j := range c.t {
				c.t[j].NTT()
				c.t[j].BarrettReduce()
			}
			for i := range c.u {
				z := &c.u[i]
				var t kyber.Poly
				*z = kyber.Poly{}
				for j := range c.t {
					t.MulHat(&c.a[i*len(c.t)+j], &c.t[j])
					z.Add(&t, z)
				}
				z.BarrettReduce()
				z.InvNTT()
				z.Normalize()
			}
		}
	}
	return nil
}

func (c *circlKyber) product() []int64 { return words[int64](c.z[:]) }

func (c *circlKyber) matVec() [][]int64 {
	return polys(c.u, func(p *kyber.Poly) []int64 { return words[int64](p[:]) })
}

// circlDilithium is circl in the ring of ML-DSA, as its signatures use it.
type circlDilithium struct {
	x, y, z dilithium.Poly
	a, s    []dilithium.Poly
	t, u    []dilithium.Poly
	step    [3]dilithium.Poly
}

func newCirclDilithium(in *operands) multiplier {
	poly := func(x []int64) dilithium.Poly { return dilithium.Poly(words[uint32](x)) }
	transform := func(x []int64) dilithium.Poly {
		z := poly(x)
		z.NTT()
		z.Normalize()
		return z
	}
	c := &circlDilithium{x: poly(in.x), y: poly(in.y), a: vector(in.a, transform), s: vector(in.s, poly)}
	c.t, c.u = make([]dilithium.Poly, in.columns), make([]dilithium.Poly, in.rows)
	c.step[0], c.step[1] = transform(in.x), transform(in.y)
	return c
}

func (*circlDilithium) name() string { return "circl" }

func (c *circlDilithium) op(name string) func() {
	switch name {
	case opForward:
		return func() { c.step[0].NTT() }
	case opBase:
		return func() { c.step[2].MulHat(&c.step[0], &c.step[1]) }
	case opInverse:
		return func() { c.step[2].InvNTT() }
	case opMul:
		return func() {
			x, y := c.x, c.y
			x.NTT() // below 18q, and 18q·18q is below 2^32·q
			y.NTT()
			c.z.MulHat(&x, &y) // below 2q
			c.z.InvNTT()
			c.z.NormalizeAssumingLe2Q()
		}
	case opMatVec:
		return func() {
			copy(c.t, c.s)
			for j := range c.t {
				c.t[j].NTT()
			}
			for i := range c.u {
				z := &c.u[i]
				var t dilithium.Poly
				*z = dilithium.Poly{}
				for j := range c.t {
					t.MulHat(&c.a[i*len(c.t)+j], &c.t[j])
					z.Add(&t, z)
				}
				z.ReduceLe2Q()
				z.InvNTT()
				z.NormalizeAssumingLe2Q()
			}
		}
	}
	return nil
}

func (c *circlDilithium) product() []int64 { return words[int64](c.z[:]) }

func (c *circlDilithium) matVec() [][]int64 {
	return polys(c.u, func(p *dilithium.Poly) []int64 { return words[int64](p[:]) })
}

// polys converts a vector of results.
func polys[P any](u []P, convert func(*P) []int64) (z [][]int64) {
	for i := range u {
		z = append(z, convert(&u[i]))
	}
	return z
}
