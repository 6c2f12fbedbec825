package residue

import (
	"context"
	"fmt"
	"math/big"
	"slices"
)

// ExpVartime returns x^y mod m for public numbers; see [ExpBatchVartime].
func ExpVartime(x, y, m *big.Int) (*big.Int, error) {
	zs, err := ExpBatchVartime(context.Background(), []*big.Int{m}, []*big.Int{x}, []*big.Int{y})
	if err != nil {
		return nil, onlyRow(err)
	}
	return zs[0], nil
}

// ExpBatchVartime is [ExpBatchBig] for public numbers: the results and errors are
// the same, in less time. It is not constant time. Its time depends on, and so
// may tell, anything about the moduli, bases and exponents: their lengths to the
// bit, which moduli are equal, and, for rows that are left to math/big, the values
// themselves. A signature check is a fit use; anything with a private key is not.
//
// What it gains: short exponents cost no more than their bits, moduli are not
// taken to be longer than they are, equal moduli are prepared once, and rows go to
// math/big where that is quicker: few rows, short exponents, moduli with many
// trailing zero bits, and machines without a fast kernel. A row in math/big is not
// interrupted when ctx ends.
func ExpBatchVartime(ctx context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error) {
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
	v := vartimeRun{
		bigRun: bigRun{run: newRun(ctx, k, len(xs))},
		splits: newSplits[string](len(xs)),
		moduli: moduli, xs: slices.Clone(xs), ys: slices.Clone(ys),
		zs: make([]*big.Int, len(xs)),
	}
	return v.do()
}

// vartimeRun is a run of public rows, some of which may go to math/big.
type vartimeRun struct {
	bigRun
	splits         *splits[string]
	moduli, xs, ys []*big.Int
	zs             []*big.Int
}

func (v *vartimeRun) do() ([]*big.Int, error) {
	v.elsewhere, v.elsewhereCost = v.mathBig, mathBigCost
	for i := range v.zs {
		r, err := v.row(i)
		if err != nil {
			v.fail(i, err)
			continue
		}
		v.add(i, r)
	}
	err := v.run.do()
	failed := v.failed
	for i := range v.zs {
		switch {
		case len(failed) > 0 && failed[0].Row == i:
			v.zs[i], failed = nil, failed[1:]
		case v.zs[i] == nil: // not by math/big
			v.zs[i] = new(big.Int).SetBytes(v.rows[i].out)
		}
	}
	return v.zs, err
}

// row returns row i, with a base that is below the modulus and an exponent that is
// not negative.
func (v *vartimeRun) row(i int) (row, error) {
	x, y, n := v.xs[i], v.ys[i], v.moduli[i]
	if err := checkModulusBig(n); err != nil {
		return row{}, err
	}
	switch {
	case x == nil:
		return row{}, errNil("the base")
	case y == nil:
		return row{}, errNil("the exponent")
	}
	if x.Sign() < 0 || x.Cmp(n) >= 0 {
		x = new(big.Int).Mod(x, n)
	}
	if y.Sign() < 0 {
		inverse := new(big.Int).ModInverse(x, n)
		switch {
		case n.BitLen() == 1:
			return row{}, fmt.Errorf("%w modulo 1", ErrNotInvertible)
		case inverse == nil:
			return row{}, ErrNotInvertible
		}
		x, y = inverse, new(big.Int).Neg(y)
	}
	b := v.bytes(n)
	s, err := v.splits.get(string(b), 0, func() []byte { return b })
	if err != nil {
		return row{}, err
	}
	s.oddBits = n.BitLen() - s.t
	v.xs[i], v.ys[i] = x, y
	return row{mod: s, out: v.take(s.size), base: v.bytes(x), exponent: v.bytes(y), ebits: y.BitLen()}, nil
}

// mathBig computes row i.
func (v *vartimeRun) mathBig(i int) error {
	v.zs[i] = new(big.Int).Exp(v.xs[i], v.ys[i], v.moduli[i])
	return nil
}

// mathBigCost estimates the time of math/big for a row, less what the power of two in
// its modulus would cost otherwise.
func mathBigCost(r *row) float64 {
	w := float64((r.mod.oddBits + r.mod.t + 63) / 64)
	e := float64(r.ebits)
	products := 1.25*e + 35
	if r.ebits <= 64 {
		products = 2.8 * e // long divisions instead of Montgomery reductions
	}
	t := products*(2.7*w*w+27*w+54) + 1350
	if r.mod.t > 0 {
		p := float64((r.mod.t + 63) / 64)
		t = 2*t - 4*p*p*float64(min(r.ebits, r.mod.t))
	}
	return t
}
