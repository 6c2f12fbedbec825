package residue

import (
	"context"

	"residue/internal/ct"
	"residue/internal/words"
)

// pow2Half is what the arithmetic modulo the power of two in n = 2^t·m needs.
type pow2Half struct {
	t   int
	m   []uint64
	inv []uint64 // 1/m mod 2^t
}

func newPow2Half(s *split) *pow2Half {
	p := &pow2Half{
		t:   s.t,
		m:   make([]uint64, words.LenBytes(len(s.odd))),
		inv: make([]uint64, words.Len(s.t)),
	}
	words.SetBytes(p.m, s.odd)
	words.InversePow2(p.inv, p.m, p.t)
	return p
}

// finish sets r.out = base^exponent mod n, given its residue rm modulo m in as
// many words as m has.
func (p *pow2Half) finish(ctx context.Context, r *row, rm []uint64, a *arena) error {
	r2, err := p.exp(ctx, r, a)
	if err != nil {
		return err
	}
	// rm + m·h with h = (r2 − rm)/m mod 2^t is right modulo both parts, and below
	// m + m·(2^t − 1) = n.
	low := a.take(len(r2))
	copy(low, rm)
	words.Sub(r2, r2, low)
	h := a.take(len(r2))
	words.MulLow(h, r2, p.inv)
	words.MaskPow2(h, p.t)

	z := a.take(len(p.m) + len(h))
	words.MulLow(z, p.m, h)
	wide := a.take(len(z))
	copy(wide, rm)
	words.Add(z, z, wide)
	words.FillBytes(z, r.out)
	return nil
}

// exp returns base^exponent mod 2^t.
func (p *pow2Half) exp(ctx context.Context, r *row, a *arena) ([]uint64, error) {
	x := a.take(words.Len(p.t))
	words.SetBytes(x, r.base) // what does not fit is a multiple of 2^t
	if r.negative {
		words.Sub(x, a.take(len(x)), x)
	}
	if r.invert {
		if ct.Public(x[0]&1 == 0) { // an error is public
			return nil, ErrNotInvertible
		}
		y := a.take(len(x))
		words.InversePow2(y, x, p.t)
		x = y
	}
	e := a.take(words.LenBytes(len(r.exponent)))
	words.SetBytes(e, r.exponent)
	if !words.ExpPow2(x, x, e, p.t, a.take(words.Pow2Scratch(p.t)), ctx.Done()) {
		return nil, ctx.Err()
	}
	return x, nil
}
