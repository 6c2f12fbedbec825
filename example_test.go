package residue_test

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"residue"
)

// A first program: 3^200 mod 1009.
func Example() {
	m, err := residue.NewModulusBig(big.NewInt(1009))
	if err != nil {
		fmt.Println(err)
		return
	}
	z, err := m.ExpBig(big.NewInt(3), big.NewInt(200))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(z)
	// Output: 985
}

// Results have the width of the modulus, here two bytes.
func ExampleModulus_Exp() {
	m, err := residue.NewModulus([]byte{0x01, 0x01}) // 257
	if err != nil {
		fmt.Println(err)
		return
	}
	out := make([]byte, m.Size())
	if err := m.Exp(out, []byte{3}, []byte{5}); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%x\n", out)
	// Output: 00f3
}

// Many rows with one modulus, which may well be even.
func ExampleModulus_ExpBatch() {
	m, err := residue.NewModulus([]byte{100})
	if err != nil {
		fmt.Println(err)
		return
	}
	bases := [][]byte{{2}, {3}, {7}}
	exponents := [][]byte{{10}, {20}, {0x01, 0x00}} // the last one is 256
	outs := [][]byte{{0}, {0}, {0}}
	if err := m.ExpBatch(context.Background(), outs, bases, exponents); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outs)
	// Output: [[24] [1] [1]]
}

// A negative exponent is a power of the inverse.
func ExampleModulus_ExpBig() {
	m, err := residue.NewModulusBig(big.NewInt(35))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(m.ExpBig(big.NewInt(3), big.NewInt(-1)))
	fmt.Println(m.ExpBig(big.NewInt(5), big.NewInt(-1)))
	// Output:
	// 12 <nil>
	// <nil> residue: base has no inverse
}

// A modulus for every row.
func ExampleExpBatch() {
	moduli := [][]byte{{101}, {0x7f, 0xff}, {64}}
	bases := [][]byte{{2}, {2}, {3}}
	exponents := [][]byte{{100}, {20}, {5}}
	outs := make([][]byte, len(moduli))
	for i, n := range moduli {
		outs[i] = make([]byte, len(n))
	}
	if err := residue.ExpBatch(context.Background(), outs, moduli, bases, exponents); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(outs)
	// Output: [[1] [0 32] [51]]
}

// A bad row is reported, and the others are computed.
func ExampleExpBatchBig() {
	moduli := []*big.Int{big.NewInt(11), big.NewInt(0), big.NewInt(13)}
	twos := slices.Repeat([]*big.Int{big.NewInt(2)}, 3)
	fives := slices.Repeat([]*big.Int{big.NewInt(5)}, 3)
	zs, err := residue.ExpBatchBig(context.Background(), moduli, twos, fives)
	fmt.Println(zs)

	var bad residue.RowErrors
	if errors.As(err, &bad) {
		for _, e := range bad {
			fmt.Println(e)
		}
	}
	fmt.Println(errors.Is(err, residue.ErrModulusZero))
	// Output:
	// [10 <nil> 6]
	// residue: row 1: modulus is zero
	// true
}

// Public numbers, as in the check of a signature.
func ExampleExpVartime() {
	n, e := big.NewInt(3233), big.NewInt(17)
	signature := big.NewInt(588)
	m, err := residue.ExpVartime(signature, e, n)
	fmt.Println(m, err)
	// Output: 65 <nil>
}
