package negacyclic_test

import (
	"fmt"

	"residue/negacyclic"
)

// X⁷·X⁷ = −X⁶ modulo X⁸ + 1.
func ExamplePrime_Mul() {
	r, err := negacyclic.NewPrime[int16](3329, 8)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := negacyclic.Poly[int16]{7: 1}
	z := make(negacyclic.Poly[int16], r.N())
	r.Mul(z, x, x, make([]int16, r.MulScratch()))
	fmt.Println(z)
	// Output: [0 0 0 0 0 0 3328 0]
}

// A secret vector is evaluated once, for all rows of a matrix.
func ExamplePowerOfTwo_MatVecPoly() {
	r, err := negacyclic.NewPowerOfTwo[int16](13, 4, negacyclic.Toom4)
	if err != nil {
		fmt.Println(err)
		return
	}
	s := []negacyclic.Poly[int16]{{1, 0, -1, 2}, {0, 3, 0, -4}}
	values := make([]negacyclic.Evaluated[int16], len(s))
	for i, x := range s {
		values[i] = make(negacyclic.Evaluated[int16], r.EvaluatedLen())
		r.Evaluate(values[i], x)
	}
	a := []negacyclic.Poly[int16]{{1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 0, 0, 1}}
	z := []negacyclic.Poly[int16]{make(negacyclic.Poly[int16], 4), make(negacyclic.Poly[int16], 4)}
	r.MatVecPoly(z, a, values, make([]int16, r.MatVecScratch()))
	fmt.Println(z)
	// Output: [[5 0 2 2] [8191 0 2 4]]
}
