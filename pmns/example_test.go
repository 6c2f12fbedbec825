package pmns_test

import (
	"context"
	"fmt"
	"math/big"

	"residue/pmns"
)

func Example() {
	params, err := pmns.Embedded("modp2048") // RFC 3526, group 14
	if err != nil {
		fmt.Println(err)
		return
	}
	sys, err := pmns.NewSystem(params, pmns.Truncated)
	if err != nil {
		fmt.Println(err)
		return
	}
	x := sys.NewElement()
	sys.SetBytes(x, []byte{2}, nil)
	if err := sys.Exp(context.Background(), x, x, []byte{0x01, 0x2c}, 16); err != nil { // 2^300
		fmt.Println(err)
		return
	}
	out := make([]byte, 256)
	sys.FillBytes(out, x, nil)
	fmt.Println(new(big.Int).SetBytes(out).BitLen())
	// Output: 301
}

func ExampleNew() {
	p, _ := new(big.Int).SetString("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff", 16)
	params, err := pmns.New(context.Background(), p, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("E = X^%d − %d, coefficients of %d words of %d bits\n", params.N, params.Lambda, params.Words, params.Width)
	// Output: E = X^6 − 7, coefficients of 1 words of 52 bits
}

func ExampleParams_Verify() {
	params, err := pmns.Embedded("modp2048")
	if err != nil {
		fmt.Println(err)
		return
	}
	params.Width = 49
	fmt.Println(params.Complete())
	// Output: pmns: the parameters do not meet the condition φ ≥ 4·n·N: 2^294.000 and 2^300.420
}
