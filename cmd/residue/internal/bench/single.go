package bench

import (
	"context"
	"fmt"
	"math/big"

	"residue/mont"
)

// single measures an operation of package mont. Products and squares are each of the
// result of the last one: what one number has to wait for.
func (s *session) single(ctx context.Context, j *job) ([]Record, error) {
	r := j.record
	rng := source(r.Bits)
	n := odd(rng, r.Bits)
	a, b, e := below(rng, n), below(rng, n), exactly(rng, r.Bits)
	m, err := j.mont.NewModulus(r.Bits, n.Bytes())
	if err != nil {
		return nil, err
	}
	if r.Op == OpExp {
		err := s.singleExp(ctx, m, a, e, n, &r)
		return []Record{r}, err
	}
	x, y, sc := m.NewInt(), m.NewInt(), m.NewScratch()
	m.SetBytes(x, a.Bytes(), sc)
	m.SetBytes(y, b.Bytes(), sc)
	f := func() { m.Mul(x, x, y, sc) }
	if r.Op == OpSqr {
		f = func() { m.Sqr(x, x, 1, sc) }
	}
	s.short(f, &r)
	return []Record{r}, nil
}

func (s *session) singleExp(ctx context.Context, m *mont.Modulus, a, e, n *big.Int, r *Record) error {
	base, exponent, out := a.Bytes(), e.Bytes(), make([]byte, (r.Bits+7)/8)
	f := func() error {
		_, err := m.ExpBytes(ctx, out, base, exponent, r.Bits)
		return err
	}
	if err := f(); err != nil {
		return err
	}
	z := new(big.Int)
	if z.Exp(a, e, n).Cmp(new(big.Int).SetBytes(out)) != 0 {
		return fmt.Errorf("kernel %s gives a wrong power modulo %d bits", m.Kernel().Name(), r.Bits)
	}
	return s.against(r, f, func() { z.Exp(a, e, n) })
}
