package main

import lattice "github.com/tuneinsight/lattigo/v6/ring"

// lattigo is lattigo, in a ring with complete transforms. It is made for longer
// polynomials and larger primes: its words have 64 bits. A transform has a result of its
// own, so that nothing is copied.
type lattigo struct {
	ring    *lattice.Ring
	columns int
	x, y, z lattice.Poly
	a, s    []lattice.Poly
	t, u    []lattice.Poly
	step    [3]lattice.Poly
}

func newLattigo(in *operands) (multiplier, error) {
	r, err := lattice.NewRing(n, []uint64{uint64(in.q)})
	if err != nil {
		return nil, err
	}
	poly := func(x []int64) lattice.Poly {
		z := r.NewPoly()
		copy(z.Coeffs[0], words[uint64](x))
		return z
	}
	// Of two factors one is in Montgomery's form.
	factor := func(x []int64) lattice.Poly {
		z := poly(x)
		r.NTT(z, z)
		r.MForm(z, z)
		return z
	}
	l := &lattigo{ring: r, columns: in.columns, x: poly(in.x), y: poly(in.y), z: r.NewPoly(), a: vector(in.a, factor), s: vector(in.s, poly)}
	for range in.columns {
		l.t = append(l.t, r.NewPoly())
	}
	for range in.rows {
		l.u = append(l.u, r.NewPoly())
	}
	l.step = [3]lattice.Poly{poly(in.x), factor(in.y), r.NewPoly()}
	return l, nil
}

func (*lattigo) name() string { return "lattigo" }

func (l *lattigo) op(name string) func() {
	r := l.ring
	switch name {
	case opForward:
		return func() { r.NTT(l.x, l.step[2]) }
	case opBase:
		return func() { r.MulCoeffsMontgomery(l.step[0], l.step[1], l.step[2]) }
	case opInverse:
		return func() { r.INTT(l.step[0], l.step[2]) }
	case opMul:
		return func() {
			r.NTT(l.x, l.t[0])
			r.NTT(l.y, l.t[1])
			r.MulCoeffsBarrett(l.t[0], l.t[1], l.z)
			r.INTT(l.z, l.z)
		}
	case opMatVec:
		return func() {
			for j, x := range l.s {
				r.NTT(x, l.t[j])
			}
			for i, z := range l.u {
				r.MulCoeffsMontgomery(l.t[0], l.a[i*l.columns], z)
				for j := 1; j < l.columns; j++ {
					r.MulCoeffsMontgomeryThenAdd(l.t[j], l.a[i*l.columns+j], z)
				}
				r.INTT(z, z)
			}
		}
	}
	return nil
}

func (l *lattigo) product() []int64 { return words[int64](l.z.Coeffs[0]) }

func (l *lattigo) matVec() [][]int64 {
	return polys(l.u, func(p *lattice.Poly) []int64 { return words[int64](p.Coeffs[0]) })
}
