// Package rowio reads the rows of exponentiations that the command works on, and
// writes their results: JSON lines or CSV, one row a line, numbers in hex.
//
// A line that is not a good row is a [Row] with an error, never the end of the
// input: whatever is wrong with one line, the lines after it are read.
package rowio

import (
	"errors"
	"fmt"
	"math/big"
)

// Format is the layout of the rows in a file.
type Format int

// The formats.
const (
	Auto Format = iota // decided from the first byte that is not blank
	JSON               // one object a line
	CSV                // a header line, then one record a line
)

// ParseFormat returns the format that a flag names.
func ParseFormat(name string) (Format, error) {
	switch name {
	case "auto", "":
		return Auto, nil
	case "json", "jsonl":
		return JSON, nil
	case "csv":
		return CSV, nil
	}
	return Auto, fmt.Errorf("unknown format %q", name)
}

// Row is one exponentiation.
type Row struct {
	File string
	Line int // in its file, counted from 1
	ID   ID
	Base *big.Int
	Exp  *big.Int
	Mod  *big.Int
	Err  error // why the row cannot be computed; the numbers are then unspecified
	Size int   // how many bytes of input the row took, with the blank lines before it
}

// Shared is the values of fields that a row may leave out; nil where there is
// none. A row's own value comes first.
type Shared struct{ Base, Exp, Mod *big.Int }

// field is a column that has a meaning.
type field int

const (
	fieldBase field = iota
	fieldExp
	fieldMod
	fieldID
	fieldCount
	fieldOther field = -1 // a column that is ignored
)

var fieldNames = [fieldCount]string{"base", "exp", "mod", "id"}

func fieldNamed(name []byte) field {
	// The switch on a conversion does not allocate.
	switch string(name) {
	case "base":
		return fieldBase
	case "exp":
		return fieldExp
	case "mod":
		return fieldMod
	case "id":
		return fieldID
	}
	return fieldOther
}

// number returns where row keeps the number of a field other than the id.
func (row *Row) number(f field) **big.Int {
	return [...]**big.Int{&row.Base, &row.Exp, &row.Mod}[f]
}

// setNumber parses the text of a number field.
func (row *Row) setNumber(f field, text []byte) error {
	z, err := ParseHex(text)
	if err != nil {
		return fmt.Errorf("%s: %w", fieldNames[f], err)
	}
	*row.number(f) = z
	return nil
}

// complete fills in the shared values, and reports the first field that the row
// still lacks.
func (row *Row) complete(shared *Shared) error {
	for f, z := range [...]*big.Int{shared.Base, shared.Exp, shared.Mod} {
		own := row.number(field(f))
		if *own == nil {
			*own = z
		}
		if *own == nil {
			return fmt.Errorf("missing field %q", fieldNames[f])
		}
	}
	return nil
}

// errUTF16 is the error for a file that starts with UTF-16's byte order mark.
var errUTF16 = errors.New("the file is UTF-16; rows are read in UTF-8")
