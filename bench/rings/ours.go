package main

import "residue/negacyclic"

// ours is package negacyclic on a kernel.
type ours[W negacyclic.Word] struct {
	ring             *negacyclic.Prime[W]
	x, y, z          negacyclic.Poly[W]
	tx, tz           negacyclic.NTT[W]
	fy               negacyclic.Factor[W]
	a                []negacyclic.Prepared[W]
	s, zs            []negacyclic.Poly[W]
	scratch, columns []W
}

func newOurs(k *negacyclic.Kernel, in *operands) (multiplier, error) {
	if in.q < 1<<15 {
		return newOursOf[int16](k, in)
	}
	return newOursOf[int32](k, in)
}

func newOursOf[W negacyclic.Word](k *negacyclic.Kernel, in *operands) (multiplier, error) {
	r, err := negacyclic.NewPrimeOn[W](k, in.q, n)
	if err != nil {
		return nil, err
	}
	poly := func(x []int64) negacyclic.Poly[W] { return words[W](x) }
	ntt := func(x []int64) negacyclic.NTT[W] {
		z := make(negacyclic.NTT[W], n)
		r.Transform(z, poly(x))
		return z
	}
	prepared := func(x []int64) negacyclic.Prepared[W] {
		p := make(negacyclic.Prepared[W], r.PreparedLen())
		r.Prepare(p, ntt(x))
		return p
	}
	factor := func(x []int64) negacyclic.Factor[W] {
		f := make(negacyclic.Factor[W], r.FactorLen())
		r.Factor(f, ntt(x))
		return f
	}
	o := &ours[W]{
		ring: r, x: poly(in.x), y: poly(in.y), z: make(negacyclic.Poly[W], n),
		tx: ntt(in.x), tz: make(negacyclic.NTT[W], n), fy: factor(in.y),
		a: vector(in.a, prepared), s: vector(in.s, poly),
		scratch: make([]W, r.MulScratch()), columns: make([]W, r.MatVecPreparedScratch(in.columns)),
	}
	for range in.rows {
		o.zs = append(o.zs, make(negacyclic.Poly[W], n))
	}
	return o, nil
}

func (o *ours[W]) name() string { return o.ring.Kernel() }

func (o *ours[W]) op(name string) func() {
	switch name {
	case opForward:
		return func() { o.ring.Transform(o.tx, o.x) }
	case opBase:
		return func() { o.ring.MulNTT(o.tz, o.tx, o.fy) }
	case opInverse:
		return func() { o.ring.Inverse(o.z, o.tx) }
	case opMul:
		return func() { o.ring.Mul(o.z, o.x, o.y, o.scratch) }
	case opMatVec:
		return func() { o.ring.MatVecPrepared(o.zs, o.a, o.s, o.columns) }
	}
	return nil
}

func (o *ours[W]) product() []int64 { return words[int64](o.z) }

func (o *ours[W]) matVec() (z [][]int64) {
	for _, x := range o.zs {
		z = append(z, words[int64](x))
	}
	return z
}
