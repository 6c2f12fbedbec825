package rowio

import (
	"fmt"
	"math/big"
)

// Row is one exponentiation.
type Row struct {
	Head
	Base *big.Int
	Exp  *big.Int
	Mod  *big.Int
}

// Shared is the values of fields that an exponentiation may leave out; nil where there
// is none.
type Shared struct{ Base, Exp, Mod *big.Int }

// values returns the shared values by the indices of their fields.
func (s Shared) values() [3]*big.Int { return [...]*big.Int{s.Base, s.Exp, s.Mod} }

// number returns where a row keeps the number of a field.
func (row *Row) number(f int) **big.Int {
	return [...]**big.Int{&row.Base, &row.Exp, &row.Mod}[f]
}

// powerNames are the names of an exponentiation's fields.
var powerNames = [...]string{"base", "exp", "mod"}

func (s Shared) fields() []field {
	var list []field
	for f, z := range s.values() {
		list = append(list, field{powerNames[f], "--" + powerNames[f], z != nil})
	}
	return list
}

func (Shared) columns() string { return "columns base, exp and mod" }

func (Shared) head(row *Row) *Head { return &row.Head }

func (Shared) setText(row *Row, f int, cell []byte) error {
	z, err := ParseHex(cell)
	if err != nil {
		return fmt.Errorf("%s: %w", powerNames[f], err)
	}
	*row.number(f) = z
	return nil
}

func (s Shared) setJSON(row *Row, f int, value []byte) error {
	switch value[0] {
	case '"':
		text, err := unquote(value)
		if err != nil {
			return err
		}
		return s.setText(row, f, text)
	case '{', '[', 't', 'f':
		return fmt.Errorf("%s: want a string of hex digits", powerNames[f])
	default:
		return fmt.Errorf("%s: a JSON number; write it in hex, in quotes", powerNames[f])
	}
}

func (s Shared) complete(row *Row) error {
	for f, z := range s.values() {
		own := row.number(f)
		if *own == nil {
			*own = z
		}
		if *own == nil {
			return fmt.Errorf("missing field %q", powerNames[f])
		}
	}
	return nil
}
