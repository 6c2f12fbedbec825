package residue

import (
	"errors"
	"fmt"
	"strings"
)

// The reasons for which an operation can fail. What is returned wraps one of
// them and says more; test with [errors.Is]. A batch that is cut short wraps
// [context.Canceled] or [context.DeadlineExceeded].
var (
	// ErrModulusZero is a modulus of 0 (an empty one, in bytes).
	ErrModulusZero = errors.New("residue: modulus is zero")
	// ErrModulusNegative is a modulus below 0.
	ErrModulusNegative = errors.New("residue: modulus is negative")
	// ErrModulusTooLarge is a modulus of more than MaxBits bits.
	ErrModulusTooLarge = errors.New("residue: modulus is too large")
	// ErrNotInvertible is a negative exponent of a base that has no inverse: one
	// that shares a factor with the modulus, or any base modulo 1.
	ErrNotInvertible = errors.New("residue: base has no inverse")
	// ErrLength is a result of a length that is not the modulus's, or columns of a
	// batch that do not have the same number of rows.
	ErrLength = errors.New("residue: length does not match")
	// ErrNil is a nil *big.Int.
	ErrNil = errors.New("residue: nil number")
)

// RowError is what was wrong with one row of a batch.
type RowError struct {
	Row int // counted from 0
	Err error
}

func (e *RowError) Error() string {
	return fmt.Sprintf("residue: row %d: %s", e.Row, strings.TrimPrefix(e.Err.Error(), "residue: "))
}

// Unwrap returns the reason.
func (e *RowError) Unwrap() error { return e.Err }

// RowErrors names every row of a batch that failed, in row order. The other rows
// were computed.
type RowErrors []*RowError

// maxRowsShown is how many rows an error text names.
const maxRowsShown = 10

// Error names the first rows, one a line, and counts the others.
func (es RowErrors) Error() string {
	var b strings.Builder
	for i, e := range es {
		if i > 0 {
			b.WriteByte('\n')
		}
		if i == maxRowsShown {
			fmt.Fprintf(&b, "residue: and %d more rows", len(es)-i)
			break
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

// Unwrap returns the errors row by row, for errors.Is and errors.As.
func (es RowErrors) Unwrap() []error {
	out := make([]error, len(es))
	for i, e := range es {
		out[i] = e
	}
	return out
}

func errTooLarge(bits int) error {
	return fmt.Errorf("%w: %d bits, at most %d", ErrModulusTooLarge, bits, MaxBits)
}

func errOutLength(got, want int) error {
	return fmt.Errorf("%w: out has %d bytes, the modulus %d", ErrLength, got, want)
}

func errNil(what string) error { return fmt.Errorf("%w: %s", ErrNil, what) }
