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

// Key generation of ML-KEM computes t = A·s + e, where A is sampled in the domain of transforms
// and t stays there. Here polynomials have 4 coefficients, and t is shown as those.
func ExamplePrime_MatVecNTT() {
	r, err := negacyclic.NewPrime[int16](3329, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	a := []negacyclic.NTT[int16]{{2580, 17, 3328, 0}, {1, 2, 3, 4}, {5, 0, 0, 5}, {1729, 9, 10, 11}}
	s := []negacyclic.Poly[int16]{{1, 0, -1, 2}, {0, 1, 0, -2}}
	e := []negacyclic.Poly[int16]{{-1, 0, 0, 1}, {2, -2, 0, 0}}

	// s is the second operand of all products, and prepared for that.
	hat := make(negacyclic.NTT[int16], r.N())
	factors := make([]negacyclic.Factor[int16], len(s))
	for j, x := range s {
		r.Transform(hat, x)
		factors[j] = make(negacyclic.Factor[int16], r.FactorLen())
		r.Factor(factors[j], hat)
	}
	t := []negacyclic.NTT[int16]{make(negacyclic.NTT[int16], r.N()), make(negacyclic.NTT[int16], r.N())}
	r.MatVecNTT(t, a, factors)
	for i, x := range e {
		r.Transform(hat, x)
		r.Add(t[i], t[i], hat)
	}

	z := make(negacyclic.Poly[int16], r.N())
	for _, x := range t {
		r.Inverse(z, x)
		fmt.Println(z)
	}
	// Output:
	// [2197 1631 2838 1290]
	// [1354 2547 7 3201]
}

// A matrix that is used often is prepared, and takes vectors of coefficients.
func ExamplePrime_MatVecPrepared() {
	r, err := negacyclic.NewPrime[int32](8380417, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	a := []negacyclic.Poly[int32]{{1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 0, 0, 1}}
	prepared := make([]negacyclic.Prepared[int32], len(a))
	hat := make(negacyclic.NTT[int32], r.N())
	for i, x := range a {
		r.Transform(hat, x)
		prepared[i] = make(negacyclic.Prepared[int32], r.PreparedLen())
		r.Prepare(prepared[i], hat)
	}

	s := []negacyclic.Poly[int32]{{1, 0, -1, 2}, {0, 3, 0, -4}}
	z := []negacyclic.Poly[int32]{make(negacyclic.Poly[int32], 4), make(negacyclic.Poly[int32], 4)}
	r.MatVecPrepared(z, prepared, s, make([]int32, r.MatVecPreparedScratch(len(s))))
	fmt.Println(z)
	// Output: [[5 0 2 2] [8380416 0 2 4]]
}

// Products are added before they are transformed back: 1·X + X·X².
func ExamplePrime_MulAddNTT() {
	r, err := negacyclic.NewPrime[int16](3329, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []negacyclic.Poly[int16]{{1, 0, 0, 0}, {0, 1, 0, 0}}
	y := []negacyclic.Poly[int16]{{0, 1, 0, 0}, {0, 0, 1, 0}}
	sum, hat := make(negacyclic.NTT[int16], r.N()), make(negacyclic.NTT[int16], r.N())
	factor := make(negacyclic.Factor[int16], r.FactorLen())
	for i := range x {
		r.Transform(hat, y[i])
		r.Factor(factor, hat)
		r.Transform(hat, x[i])
		r.MulAddNTT(sum, hat, factor)
	}
	z := make(negacyclic.Poly[int16], r.N())
	r.Inverse(z, sum)
	fmt.Println(z)
	// Output: [0 1 0 1]
}

// The ring of Saber, by Toom-Cook: X²⁵⁵·X² = −X modulo X²⁵⁶ + 1.
func ExamplePowerOfTwo_Mul() {
	r, err := negacyclic.NewPowerOfTwo[int16](13, 256, negacyclic.Toom4)
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y, z := make(negacyclic.Poly[int16], 256), make(negacyclic.Poly[int16], 256), make(negacyclic.Poly[int16], 256)
	x[255], y[2] = 1, 1
	r.Mul(z, x, y, make([]int16, r.MulScratch()))
	fmt.Println(z[:4])
	// Output: [0 8191 0 0]
}

// Products are added before they are interpolated: 1·X + X·X².
func ExamplePowerOfTwo_MulAdd() {
	r, err := negacyclic.NewPowerOfTwo[int16](13, 4, negacyclic.Toom4)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := []negacyclic.Poly[int16]{{1, 0, 0, 0}, {0, 1, 0, 0}}
	y := []negacyclic.Poly[int16]{{0, 1, 0, 0}, {0, 0, 1, 0}}
	sum := make(negacyclic.Products[int16], r.EvaluatedLen())
	u, v := make(negacyclic.Evaluated[int16], r.EvaluatedLen()), make(negacyclic.Evaluated[int16], r.EvaluatedLen())
	scratch := make([]int16, r.ProductScratch())
	for i := range x {
		r.Evaluate(u, x[i])
		r.Evaluate(v, y[i])
		r.MulAdd(sum, u, v, scratch)
	}
	z := make(negacyclic.Poly[int16], r.N())
	r.Interpolate(z, sum)
	fmt.Println(z)
	// Output: [0 1 0 1]
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

// The same by primes, for secrets whose coefficients are from −4 to 4. They are prepared once.
func ExampleByPrimes_MatVecPoly() {
	s := []negacyclic.Poly[int16]{{1, 0, -1, 2}, {0, 3, 0, -4}}
	r, err := negacyclic.NewByPrimes[int16](13, 4, len(s), 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	factors := make([]negacyclic.Factor[int16], len(s))
	for i := range factors {
		factors[i] = make(negacyclic.Factor[int16], r.FactorLen())
	}
	r.Factors(factors, s, make([]int16, r.FactorScratch()))
	a := []negacyclic.Poly[int16]{{1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 0, 0, 1}}
	z := []negacyclic.Poly[int16]{make(negacyclic.Poly[int16], 4), make(negacyclic.Poly[int16], 4)}
	r.MatVecPoly(z, a, factors, make([]int16, r.MatVecPolyScratch(len(s))))
	fmt.Println(z)
	// Output: [[5 0 2 2] [8191 0 2 4]]
}

// The bound of second operands says how large sums can be. Words of 16 bits have room for small
// ones only.
func ExampleNewByPrimes() {
	_, err := negacyclic.NewByPrimes[int16](13, 256, 3, 5)
	fmt.Println(err)
	r, err := negacyclic.NewByPrimes[int32](13, 256, 3, 4096)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Primes(), "primes")
	// Output:
	// negacyclic: no primes for k = 13, n = 256 and sums of 3: second operands of at most 5, want at most 4
	// 2 primes
}

// Every kernel gives the same results.
func ExampleKernels() {
	x := make(negacyclic.Poly[int16], 256)
	x[255] = 1
	right := true
	for _, k := range negacyclic.Kernels() {
		r, err := negacyclic.NewPrimeOn[int16](k, 3329, 256)
		if err != nil {
			fmt.Println(err)
			return
		}
		z := make(negacyclic.Poly[int16], 256)
		r.Mul(z, x, x, make([]int16, r.MulScratch()))
		right = right && z[254] == 3328
	}
	fmt.Println("X²⁵⁵·X²⁵⁵ = −X²⁵⁴ on all of them:", right)
	// Output: X²⁵⁵·X²⁵⁵ = −X²⁵⁴ on all of them: true
}
