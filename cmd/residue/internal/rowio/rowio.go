// Package rowio reads the rows that the command works on, and writes their results:
// JSON lines or CSV, one row a line. Rows are exponentiations, with numbers in hex, or
// products of polynomials, with decimal coefficients.
//
// A line that is not a good row is a [Row] with an error, never the end of the
// input: whatever is wrong with one line, the lines after it are read.
package rowio

import (
	"errors"
	"fmt"
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

// Head is what rows of every kind have.
type Head struct {
	File string
	Line int // in its file, counted from 1
	ID   ID
	Err  error // why the row cannot be computed; its values are then unspecified
	Size int   // how many bytes of input the row took, with the blank lines before it
}

// kind is a kind of rows R: the fields that they have beside an id, and the values that
// a row may leave out because all share them. A row's own value comes first.
type kind[R any] interface {
	// fields are in the order in which they are reported missing.
	fields() []field
	// columns says which fields a file must have, in messages.
	columns() string
	head(row *R) *Head
	// setText sets a field, by its index, from a CSV cell that is not empty, and setJSON
	// from a JSON value other than null. Their errors name the field.
	setText(row *R, f int, cell []byte) error
	setJSON(row *R, f int, value []byte) error
	// complete fills in the shared values, and reports the first field that the row
	// still lacks.
	complete(row *R) error
}

// field is a column that has a meaning.
type field struct {
	name string
	// flag gives its value to rows that have none; "" if none does. given tells that it is
	// there, or that there need be no value.
	flag  string
	given bool
}

// What a column can be, beside the index of a field.
const (
	fieldID    = -1
	fieldOther = -2 // ignored
)

// fieldNamed returns what the column of a name is.
func fieldNamed(fields []field, name []byte) int {
	if string(name) == "id" {
		return fieldID
	}
	for i := range fields {
		if string(name) == fields[i].name { // the conversion does not allocate
			return i
		}
	}
	return fieldOther
}

// errUTF16 is the error for a file that starts with UTF-16's byte order mark.
var errUTF16 = errors.New("the file is UTF-16; rows are read in UTF-8")
