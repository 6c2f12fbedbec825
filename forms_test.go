package residue

import (
	"context"
	"errors"
	"fmt"
	"math/big"
)

// form is one way to compute x^y mod m.
type form struct {
	name  string
	bytes bool // natural numbers only
	exp   func(m, x, y *big.Int) (*big.Int, error)
}

// forms are all ways that the package has, the padded ones with leading zeros on
// every number, the batches between rows of other sizes.
var forms = []form{
	{"Modulus.ExpBig", false, func(m, x, y *big.Int) (*big.Int, error) {
		n, err := NewModulusBig(m)
		if err != nil {
			return nil, err
		}
		return n.ExpBig(x, y)
	}},
	{"Modulus.ExpBatchBig", false, func(m, x, y *big.Int) (*big.Int, error) {
		n, err := NewModulusBig(m)
		if err != nil {
			return nil, err
		}
		zs, err := n.ExpBatchBig(context.Background(), []*big.Int{y, x, m}, []*big.Int{big.NewInt(3), y, big.NewInt(0)})
		return zs[1], rowReason(err, 1)
	}},
	{"ExpBatchBig", false, func(m, x, y *big.Int) (*big.Int, error) {
		ms, xs, ys := amongOthers(m, x, y)
		zs, err := ExpBatchBig(context.Background(), ms, xs, ys)
		return zs[1], rowReason(err, 1)
	}},
	{"ExpVartime", false, func(m, x, y *big.Int) (*big.Int, error) { return ExpVartime(x, y, m) }},
	{"ExpBatchVartime", false, func(m, x, y *big.Int) (*big.Int, error) {
		ms, xs, ys := amongOthers(m, x, y)
		zs, err := ExpBatchVartime(context.Background(), ms, xs, ys)
		return zs[1], rowReason(err, 1)
	}},
	{"Modulus.Exp", true, func(m, x, y *big.Int) (*big.Int, error) {
		return expBytes(m.Bytes(), x.Bytes(), y.Bytes())
	}},
	{"Modulus.Exp, padded", true, func(m, x, y *big.Int) (*big.Int, error) {
		return expBytes(padded(m, 9), padded(x, 17), padded(y, 3))
	}},
	{"Modulus.Exp, base of the modulus's length", true, func(m, x, y *big.Int) (*big.Int, error) {
		return expBytes(m.Bytes(), padded(x, max(0, len(m.Bytes())-len(x.Bytes()))), y.Bytes())
	}},
	{"Modulus.ExpBatch", true, func(m, x, y *big.Int) (*big.Int, error) {
		n, err := NewModulus(m.Bytes())
		if err != nil {
			return nil, err
		}
		const rows = 3
		outs := make([][]byte, rows)
		for i := range outs {
			outs[i] = make([]byte, n.Size())
		}
		err = n.ExpBatch(context.Background(), outs,
			[][]byte{{1}, x.Bytes(), {2, 1}}, [][]byte{nil, y.Bytes(), {1, 0, 0}})
		return new(big.Int).SetBytes(outs[1]), rowReason(err, 1)
	}},
	{"ExpBatch", true, func(m, x, y *big.Int) (*big.Int, error) {
		ms := [][]byte{{7}, m.Bytes(), padded(m, 5), {0, 0, 1, 0}}
		outs := make([][]byte, len(ms))
		for i := range outs {
			outs[i] = make([]byte, len(ms[i]))
		}
		err := ExpBatch(context.Background(), outs, ms,
			[][]byte{{9}, x.Bytes(), padded(x, 3), {3}}, [][]byte{{5}, y.Bytes(), y.Bytes(), {2}})
		a, b := new(big.Int).SetBytes(outs[1]), new(big.Int).SetBytes(outs[2])
		if err == nil && a.Cmp(b) != 0 {
			return nil, fmt.Errorf("%x, but %x with leading zeros", a, b)
		}
		return a, rowReason(err, 1)
	}},
}

// amongOthers puts a row between rows of other sizes and a bad one.
func amongOthers(m, x, y *big.Int) (ms, xs, ys []*big.Int) {
	two := big.NewInt(2)
	return []*big.Int{new(big.Int).Lsh(two, 300), m, new(big.Int), big.NewInt(1)},
		[]*big.Int{two, x, two, two},
		[]*big.Int{two, y, two, two}
}

// rowReason is why a row of a batch failed.
func rowReason(err error, row int) error {
	var rows RowErrors
	if !errors.As(err, &rows) {
		return err
	}
	for _, e := range rows {
		if e.Row == row {
			return e.Err
		}
	}
	return nil
}

func expBytes(m, x, y []byte) (*big.Int, error) {
	n, err := NewModulus(m)
	if err != nil {
		return nil, err
	}
	out := make([]byte, n.Size())
	err = n.Exp(out, x, y)
	return new(big.Int).SetBytes(out), err
}

// padded returns x, big-endian, with zeros in front.
func padded(x *big.Int, zeros int) []byte {
	return append(make([]byte, zeros), x.Bytes()...)
}

// reference computes x^y mod m with math/big, with this package's answers where
// math/big has none.
func reference(m, x, y *big.Int) (*big.Int, error) {
	switch {
	case m.Sign() == 0:
		return nil, ErrModulusZero
	case m.Sign() < 0:
		return nil, ErrModulusNegative
	case y.Sign() >= 0:
		return new(big.Int).Exp(x, y, m), nil
	}
	inverse := new(big.Int).ModInverse(new(big.Int).Mod(x, m), m)
	if inverse == nil || m.Cmp(big.NewInt(1)) == 0 {
		return nil, ErrNotInvertible
	}
	return inverse.Exp(inverse, new(big.Int).Neg(y), m), nil
}

// failer is what testing and rapid have in common.
type failer interface {
	Helper()
	Errorf(format string, args ...any)
}

// checkForms checks every form against a result or an error.
func checkForms(t failer, m, x, y, want *big.Int, wantErr error) {
	t.Helper()
	for _, f := range forms {
		if f.bytes && (m.Sign() < 0 || x.Sign() < 0 || y.Sign() < 0) {
			continue
		}
		got, err := f.exp(m, x, y)
		if !errors.Is(err, wantErr) {
			t.Errorf("%s: %x^%x mod %x: error %v, want %v", f.name, x, y, m, err, wantErr)
		} else if wantErr == nil && (err != nil || got.Cmp(want) != 0) {
			t.Errorf("%s: %x^%x mod %x = %x (error %v), want %x", f.name, x, y, m, got, err, want)
		}
	}
}
