package residue

import (
	"fmt"
	"strings"
)

// RowError is what was wrong with one row of a batch.
type RowError struct {
	Row int // counted from 0
	Err error
}

func (e *RowError) Error() string { return fmt.Sprintf("residue: row %d: %v", e.Row, e.Err) }

// Unwrap returns the reason.
func (e *RowError) Unwrap() error { return e.Err }

// RowErrors names every row of a batch that failed, in row order. The other rows
// were computed.
type RowErrors []*RowError

func (es RowErrors) Error() string {
	var b strings.Builder
	for i, e := range es {
		if i == 10 {
			fmt.Fprintf(&b, "\nand %d more rows", len(es)-i)
			break
		}
		if i > 0 {
			b.WriteByte('\n')
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
