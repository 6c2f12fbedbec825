package mont_test

import (
	"context"
	"fmt"

	"residue/mont"
)

func Example() {
	m, err := mont.NewModulus(16, []byte{0xff, 0xf1}) // 65521
	if err != nil {
		fmt.Println(err)
		return
	}
	x, y := m.NewInt(), m.NewInt()
	m.SetBytes(x, []byte{0x12, 0x34}, nil)
	m.SetBytes(y, []byte{0x56, 0x78}, nil)
	m.Mul(x, x, y, nil)
	out := make([]byte, 2)
	m.FillBytes(out, x, nil)
	fmt.Println(int(out[0])<<8|int(out[1]), 0x1234*0x5678%65521)
	// Output: 23706 23706
}

func ExampleModulus_Exp() {
	m, err := mont.NewModulus(16, []byte{0xff, 0xf1})
	if err != nil {
		fmt.Println(err)
		return
	}
	x, out := m.NewInt(), make([]byte, 2)
	m.SetBytes(x, []byte{3}, nil)
	exponent := []byte{0xff, 0xf0} // one less than the prime
	if err := m.Exp(context.Background(), x, x, exponent, 16); err != nil {
		fmt.Println(err)
		return
	}
	m.FillBytes(out, x, nil)
	fmt.Println(out)
	// Output: [0 1]
}
