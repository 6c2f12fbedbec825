package bench

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"residue/internal/cpu"
	"residue/pmns"
)

// NewSetsPlan plans the measurements that a choice asks for with the given parameters:
// those of package pmns, for all variants that a kernel has.
func NewSetsPlan(c Choice, sets []*pmns.Params) (*Plan, error) {
	c.Systems = []string{SystemPMNS}
	if len(c.Ops) == 0 {
		c.Ops = singleOps
	}
	c.Rows = 1
	if err := c.check(); err != nil {
		return nil, err
	}
	p := &Plan{choice: c}
	for _, set := range sets {
		p.addSet(set)
	}
	if len(p.jobs) == 0 {
		return nil, errors.New("no kernel has this combination of operations, kernels and variants for these parameters")
	}
	return p, nil
}

// addEmbedded plans operations of package pmns with the embedded parameters for primes of
// RFC 2409 and 3526 of the chosen lengths.
func (p *Plan) addEmbedded() {
	if len(p.choice.Blocks) > 0 {
		return // it has none
	}
	for _, bits := range p.lengths() {
		first, err := pmns.Embedded(fmt.Sprintf("modp%d", bits))
		if err != nil {
			continue // there are none
		}
		for _, set := range pmns.EmbeddedFor(first.P) {
			p.addSet(set)
		}
	}
}

// addSet plans the operations with a set of parameters.
func (p *Plan) addSet(set *pmns.Params) {
	for _, k := range pmns.Kernels() {
		if !slices.Contains(p.choice.numberKernels, k.Name()) {
			continue
		}
		for _, op := range singleOps {
			if !slices.Contains(p.choice.Ops, op) {
				continue
			}
			for _, v := range []pmns.Variant{pmns.Truncated, pmns.Full, pmns.Karatsuba, pmns.Toeplitz} {
				if len(p.choice.Variants) > 0 && !slices.Contains(p.choice.Variants, v.String()) {
					continue
				}
				own := k.Has(set, v) || k.Name() == cpu.Generic && v < pmns.Karatsuba
				if !own || op == OpExp && v == pmns.Full {
					continue
				}
				r := Record{
					System: SystemPMNS, Op: op, Bits: set.P.BitLen(), Set: set.Name, N: set.N, S: set.Words,
					Lanes: 1, Kernel: k.Name(), Variant: v.String(),
				}
				p.jobs = append(p.jobs, job{record: r, pmns: k, set: set, variant: v})
			}
		}
	}
}

// pmns measures an operation of package pmns, each product or square of the result of
// the last one.
func (s *session) pmns(ctx context.Context, j *job) ([]Record, error) {
	r := j.record
	sys, err := j.pmns.NewSystem(j.set, j.variant)
	if err != nil {
		return nil, err
	}
	rng := source(r.Bits)
	p := j.set.P
	a, b, e := below(rng, p), below(rng, p), exactly(rng, r.Bits)
	x, y, sc := sys.NewElement(), sys.NewElement(), sys.NewScratch()
	sys.SetBytes(x, a.Bytes(), sc)
	sys.SetBytes(y, b.Bytes(), sc)
	var f func()
	switch r.Op {
	case OpExp:
		err := s.pmnsExp(ctx, sys, a, e, p, &r)
		return []Record{r}, err
	case OpMul:
		f = func() { sys.Mul(x, x, y, sc) }
		if j.variant != pmns.Karatsuba { // how many that saves is the kernel's
			r.Madds = j.set.Cost(j.variant)
		}
	case OpSqr:
		f = func() { sys.Sqr(x, x, 1, sc) }
		r.Madds = j.set.SquareCost(j.variant)
	}
	if r.Kernel == cpu.Generic {
		r.Madds = 0
	}
	s.short(f, &r)
	return []Record{r}, nil
}

func (s *session) pmnsExp(ctx context.Context, sys *pmns.System, a, e, p *big.Int, r *Record) error {
	base, exponent, out := a.Bytes(), e.Bytes(), make([]byte, (r.Bits+7)/8)
	x, sc := sys.NewElement(), sys.NewScratch()
	f := func() error {
		sys.SetBytes(x, base, sc)
		if err := sys.Exp(ctx, x, x, exponent, r.Bits); err != nil {
			return err
		}
		sys.FillBytes(out, x, sc)
		return nil
	}
	if err := f(); err != nil {
		return err
	}
	z := new(big.Int)
	if z.Exp(a, e, p).Cmp(new(big.Int).SetBytes(out)) != 0 {
		return fmt.Errorf("kernel %s gives a wrong power with the parameters %s", r.Kernel, r.Set)
	}
	return s.against(r, f, func() { z.Exp(a, e, p) })
}
