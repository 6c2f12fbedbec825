package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
)

// product is a product of polynomials modulo Xⁿ + 1 and q.
type product struct {
	ID string  `json:"id"`
	Q  int64   `json:"q"`
	N  int     `json:"n"`
	A  []int64 `json:"a"`
	B  []int64 `json:"b"`
}

func productLines(rows []product) []byte {
	var b bytes.Buffer
	for _, r := range rows {
		line, err := json.Marshal(r)
		if err != nil {
			panic(err)
		}
		b.Write(append(line, '\n'))
	}
	return b.Bytes()
}

// productRows are products in the rings of schemes: of what schemes multiply, and of what
// is most likely to go wrong.
func productRows(s source) []product {
	var rows []product
	for _, ring := range []struct {
		name  string
		q     int64
		n     int
		small int64 // secrets are from −small to small
	}{
		{"ML-KEM", 3329, 256, 2}, {"ML-DSA", 8380417, 256, 4}, {"Saber", 1 << 13, 256, 4},
	} {
		row := func(what string, a, b []int64) {
			rows = append(rows, product{ring.name + ": " + what, ring.q, ring.n, a, b})
		}
		all := func(v int64) []int64 { return s.coefficients(ring.n, v, v) }
		row("uniform by small", s.coefficients(ring.n, 0, ring.q-1), s.coefficients(ring.n, -ring.small, ring.small))
		row("all q - 1", all(ring.q-1), all(ring.q-1))
		row("all -q/2 by all q/2", all(-ring.q/2), all(ring.q/2))
		row("any integers", s.coefficients(ring.n, math.MinInt64, math.MaxInt64), s.coefficients(ring.n, math.MinInt64, math.MaxInt64))
	}
	monomial := func(n, i int) []int64 {
		z := make([]int64, n)
		z[i] = 1
		return z
	}
	return append(
		rows,
		product{"X^4 = -1", 17, 4, monomial(4, 1), monomial(4, 3)},
		product{"X^512 = -1", 12289, 512, monomial(512, 511), monomial(512, 1)},
		product{"modulo 2", 2, 8, s.coefficients(8, 0, 1), s.coefficients(8, 0, 1)},
		product{"modulo 2^31", 1 << 31, 16, s.coefficients(16, 0, 1<<31-1), s.coefficients(16, 0, 1<<31-1)},
		product{"modulo the largest prime", 1<<31 - 1, 16, s.coefficients(16, 0, 1<<31-2), s.coefficients(16, 0, 1<<31-2)},
	)
}

// smallProducts are products in Z_17[X]/(X⁴+1), in CSV.
func smallProducts() []byte {
	return fmt.Appendf(nil, "id,a,b\n%s\n%s\n%s\n",
		"a product,1 2 3 4,5 6 7 8",
		"by X,1 2 3 4,0 1 0 0",
		"negative coefficients,-1 -2 -3 -4,16 15 14 13")
}

// coefficients returns n numbers from least to most.
func (s source) coefficients(n int, least, most int64) []int64 {
	z := make([]int64, n)
	for i := range z {
		// The remainder of 64 bits by less than 2^31 has a bias that nobody sees; for the
		// whole range of integers there is none to take.
		v := s.Uint64()
		if width := uint64(most-least) + 1; width != 0 {
			v %= width
		}
		z[i] = least + int64(v)
	}
	return z
}
