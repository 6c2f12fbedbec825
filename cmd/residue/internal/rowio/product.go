package rowio

import (
	"errors"
	"fmt"
	"strconv"
)

// Product is one product of polynomials modulo X^N + 1 and Q.
type Product struct {
	Head
	A, B []int64 // coefficients, of X^0 first
	Q    int64
	N    int
}

// SharedProduct is the values of fields that a product may leave out; nil and 0 where
// there is none.
type SharedProduct struct {
	B []int64
	Q int64
	N int
}

// The fields of a product.
const (
	fieldA = iota
	fieldB
	fieldQ
	fieldN
)

var productNames = [...]string{"a", "b", "q", "n"}

func (s SharedProduct) fields() []field {
	return []field{
		fieldA: {name: productNames[fieldA]},
		fieldB: {productNames[fieldB], "--b", s.B != nil},
		fieldQ: {productNames[fieldQ], "--q or --ring", s.Q != 0},
		fieldN: {productNames[fieldN], "--n", s.N != 0},
	}
}

func (SharedProduct) columns() string { return "columns a and b" }

func (SharedProduct) head(row *Product) *Head { return &row.Head }

func (SharedProduct) setText(row *Product, f int, text []byte) (err error) {
	switch f {
	case fieldA:
		row.A, err = ParseCoefficients(text)
	case fieldB:
		row.B, err = ParseCoefficients(text)
	case fieldQ:
		row.Q, err = ParseModulus(text)
	case fieldN:
		if row.N, err = strconv.Atoi(string(text)); err != nil || row.N < 1 {
			err = fmt.Errorf("%q is not a number of coefficients", text)
		}
	}
	if err != nil {
		return fmt.Errorf("%s: %w", productNames[f], err)
	}
	return nil
}

func (s SharedProduct) setJSON(row *Product, f int, value []byte) error {
	ring := f == fieldQ || f == fieldN
	switch {
	case ring && value[0] == '"':
		text, err := unquote(value)
		if err != nil {
			return err
		}
		return s.setText(row, f, text)
	case ring || value[0] == '[':
		return s.setText(row, f, value)
	}
	return fmt.Errorf("%s: %w", productNames[f], errNoArray)
}

var errNoArray = errors.New("want an array of integers")

func (s SharedProduct) complete(row *Product) error {
	if row.B == nil {
		row.B = s.B
	}
	if row.Q == 0 {
		row.Q = s.Q
	}
	if row.N == 0 {
		row.N = s.N
	}
	for f, missing := range [...]bool{row.A == nil, row.B == nil, row.Q == 0, row.N == 0} {
		if !missing {
			continue
		}
		if own := s.fields()[f]; own.flag != "" {
			return fmt.Errorf("missing field %q, and %s is not given", own.name, own.flag)
		}
		return fmt.Errorf("missing field %q", productNames[f])
	}
	return nil
}
