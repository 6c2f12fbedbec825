package residue

import (
	"context"
	"fmt"
	"math/big"

	"residue/internal/ct"
)

// ExpBig returns x^y mod m, in [0, m). A negative x is allowed; a negative y is a
// power of the inverse of x, and [ErrNotInvertible] if there is none. Modulo 1
// nothing has an inverse, and everything else is 0.
//
// ExpBig is constant time in the values; the lengths of x and y in bytes, their
// signs and whether an inverse that is asked for exists are public. (What math/big
// itself does with the result is not constant time: see [Modulus.Exp].)
func (m *Modulus) ExpBig(x, y *big.Int) (*big.Int, error) {
	m.check()
	zs, err := m.ExpBatchBig(context.Background(), []*big.Int{x}, []*big.Int{y})
	if err != nil {
		return nil, onlyRow(err)
	}
	return zs[0], nil
}

// onlyRow is the reason of the only row of a batch.
func onlyRow(err error) error {
	if rows, ok := err.(RowErrors); ok {
		return rows[0].Err
	}
	return err
}

// ExpBatchBig returns x^y mod m for every row. What [Modulus.ExpBig] says of
// values and [Modulus.ExpBatch] of errors holds; the result of a row that failed
// is nil.
func (m *Modulus) ExpBatchBig(ctx context.Context, xs, ys []*big.Int) ([]*big.Int, error) {
	m.check()
	if err := checkColumns("xs", len(xs), "ys", len(ys)); err != nil {
		return nil, err
	}
	b := bigRun{run: newRun(ctx, m.kernel, len(xs))}
	b.modulus = m
	return b.do(xs, ys, func(int) (*split, error) { return &m.split, nil })
}

// ExpBatchBig returns xs[i]^ys[i] mod moduli[i] for every row, as
// [Modulus.ExpBatchBig] does with one modulus. Rows whose moduli are the same
// *big.Int (not merely equal ones) share their preparation. The lengths of the
// moduli in bytes are public, and the numbers of their trailing zero bits.
//
// Columns of different numbers of rows are an [ErrLength] and nothing is done. A
// row that fails is nil and named in the error, a [RowErrors], with a reason that
// wraps [ErrModulusZero], [ErrModulusNegative], [ErrModulusTooLarge],
// [ErrNotInvertible], [ErrNil] or, when ctx ends before the row is computed,
// ctx.Err(); all other rows are computed.
func ExpBatchBig(ctx context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error) {
	if err := checkColumns("moduli", len(moduli), "xs", len(xs)); err != nil {
		return nil, err
	}
	if err := checkColumns("moduli", len(moduli), "ys", len(ys)); err != nil {
		return nil, err
	}
	k, err := defaultKernel()
	if err != nil {
		return nil, err
	}
	b := bigRun{run: newRun(ctx, k, len(xs))}
	splits := newSplits[*big.Int](len(xs))
	defer splits.wipe()
	return b.do(xs, ys, func(i int) (*split, error) {
		if err := checkModulusBig(moduli[i]); err != nil {
			return nil, err
		}
		return splits.get(moduli[i], 0, func() []byte { return b.bytes(moduli[i]) })
	})
}

func checkModulusBig(n *big.Int) error {
	switch {
	case n == nil:
		return errNil("the modulus")
	case n.Sign() < 0:
		return ErrModulusNegative
	case n.Sign() == 0:
		return ErrModulusZero
	case n.BitLen() > MaxBits:
		return errTooLarge(n.BitLen())
	}
	return nil
}

// bigRun is a run of rows of big.Int.
type bigRun struct {
	*run
	slab []byte // where the rows' numbers are in bytes; wiped at the end
	all  [][]byte
}

// do computes the rows; mod gives the modulus of each.
func (b *bigRun) do(xs, ys []*big.Int, mod func(i int) (*split, error)) ([]*big.Int, error) {
	defer b.wipe()
	zs := make([]*big.Int, len(xs))
	for i := range xs {
		r, err := b.row(xs[i], ys[i], func() (*split, error) { return mod(i) })
		if err != nil {
			b.fail(i, err)
			continue
		}
		b.add(i, r)
		zs[i] = new(big.Int)
	}
	err := b.run.do()
	for _, e := range b.failed {
		zs[e.Row] = nil
	}
	for i, z := range zs {
		if z != nil {
			z.SetBytes(b.rows[i].out)
		}
	}
	return zs, err
}

// row returns the row x^y modulo mod.
func (b *bigRun) row(x, y *big.Int, mod func() (*split, error)) (row, error) {
	s, err := mod()
	switch {
	case err != nil:
		return row{}, err
	case x == nil:
		return row{}, errNil("the base")
	case y == nil:
		return row{}, errNil("the exponent")
	case y.Sign() < 0 && s.isOne():
		return row{}, fmt.Errorf("%w modulo 1", ErrNotInvertible)
	}
	r := row{
		mod: s, out: b.take(s.size), base: b.bytes(x), exponent: b.bytes(y),
		negative: x.Sign() < 0, invert: y.Sign() < 0,
	}
	r.ebits = 8 * len(r.exponent)
	return r, nil
}

// isOne reports whether the modulus is 1, which is public: a negative exponent is
// an error then.
func (s *split) isOne() bool {
	if s.t > 0 {
		return false
	}
	var rest byte
	for _, d := range s.odd[:len(s.odd)-1] {
		rest |= d
	}
	return ct.Public(rest|(s.odd[len(s.odd)-1]^1) == 0)
}

// bytes returns |x|, big-endian.
func (b *bigRun) bytes(x *big.Int) []byte {
	return x.FillBytes(b.take((x.BitLen() + 7) / 8))
}

// take returns n bytes that are wiped at the end.
func (b *bigRun) take(n int) []byte {
	if n > len(b.slab) {
		b.slab = make([]byte, max(n, min(1<<20, 1024*len(b.rows))))
		b.all = append(b.all, b.slab)
	}
	s := b.slab[:n:n]
	b.slab = b.slab[n:]
	return s
}

func (b *bigRun) wipe() {
	for _, s := range b.all {
		clear(s)
	}
}
