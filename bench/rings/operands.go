package main

import "math/rand/v2"

const n = 256

// ring is Z_q[X]/(X²⁵⁶+1), with the shape of a matrix that its scheme has.
type ring struct {
	name          string
	q             int64
	rows, columns int
}

// operands are those of products in a ring, with coefficients in [0, q).
type operands struct {
	ring
	x, y []int64
	a, s [][]int64 // a matrix, row by row, and a vector
}

// random returns operands that are the same in every run.
func (r ring) random() *operands {
	rng := rand.New(rand.NewPCG(uint64(r.q), 0))
	poly := func() []int64 {
		z := make([]int64, n)
		for i := range z {
			z[i] = rng.Int64N(r.q)
		}
		return z
	}
	in := &operands{ring: r, x: poly(), y: poly()}
	for range r.rows * r.columns {
		in.a = append(in.a, poly())
	}
	for range r.columns {
		in.s = append(in.s, poly())
	}
	return in
}
