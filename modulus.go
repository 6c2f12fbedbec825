package residue

import (
	"context"
	"math/big"
)

// MaxBits is the length of the largest modulus, in bits.
const MaxBits = 16384

// Modulus is a modulus n ≥ 1 prepared for arithmetic. It is immutable and safe
// for concurrent use.
type Modulus struct{}

// NewModulus prepares the big-endian n. Its length in bytes is public (and is the
// width of results), its value is not, except for the number of trailing zero bits.
func NewModulus(n []byte) (*Modulus, error) { panic("TODO") }

// NewModulusBig prepares n; its length in bytes becomes public.
func NewModulusBig(n *big.Int) (*Modulus, error) { panic("TODO") }

// Size returns the length of the modulus in bytes: the width of results.
func (m *Modulus) Size() int { panic("TODO") }

// Exp sets out = base^exponent mod m. All three are big-endian; out must have
// Size bytes. Constant time in the values.
func (m *Modulus) Exp(out, base, exponent []byte) error { panic("TODO") }

// ExpBatch sets outs[i] = bases[i]^exponents[i] mod m for every row i.
func (m *Modulus) ExpBatch(ctx context.Context, outs, bases, exponents [][]byte) error {
	panic("TODO")
}

// ExpBig returns x^y mod m. A negative y is a power of the inverse of x.
func (m *Modulus) ExpBig(x, y *big.Int) (*big.Int, error) { panic("TODO") }

// ExpBatchBig returns x^y mod m for every row.
func (m *Modulus) ExpBatchBig(ctx context.Context, xs, ys []*big.Int) ([]*big.Int, error) {
	panic("TODO")
}

// ExpBatch sets outs[i] = bases[i]^exponents[i] mod moduli[i] for every row i.
// Rows that fail are named in the error, a [RowErrors]; all others are computed.
func ExpBatch(ctx context.Context, outs, moduli, bases, exponents [][]byte) error { panic("TODO") }

// ExpBatchBig returns xs[i]^ys[i] mod moduli[i] for every row; a row that fails
// is nil and named in the error, a [RowErrors].
func ExpBatchBig(ctx context.Context, moduli, xs, ys []*big.Int) ([]*big.Int, error) {
	panic("TODO")
}
