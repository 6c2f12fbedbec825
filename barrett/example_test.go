package barrett_test

import (
	"context"
	"fmt"

	"residue/barrett"
	"residue/batch"
)

// Products and powers modulo an even number.
func ExampleModulus() {
	m, err := barrett.NewModulus(16, []byte{0x27, 0x10}) // 10000
	if err != nil {
		panic(err)
	}
	x, y := m.NewInt(), m.NewInt()
	m.SetBytes(x, []byte{0x04, 0xd2}, nil) // 1234
	m.SetBytes(y, []byte{0x16, 0x2e}, nil) // 5678
	m.Mul(x, x, y, nil)

	out := make([]byte, 2)
	m.FillBytes(out, x, nil)
	fmt.Println(int(out[0])<<8|int(out[1]), 1234*5678%10000)

	fits, err := m.ExpBytes(context.Background(), out, []byte{7}, []byte{100}, 7)
	fmt.Println(int(out[0])<<8|int(out[1]), fits, err)
	// Output:
	// 6652 6652
	// 1 true <nil>
}

// A number of twice the length, modulo two moduli in two lanes.
func ExampleModuli() {
	m, err := barrett.NewModuli(10, []byte{0x03, 0xe8}, []byte{101}) // 1000 and 101
	if err != nil {
		panic(err)
	}
	x, z := batch.NewInts(2*m.Limbs()), batch.NewInts(m.Limbs())
	for lane := range m.Lanes() {
		x.SetBytes(lane, []byte{0x0f, 0x12, 0x06}) // 987654
	}
	m.Reduce(z, x, nil)
	fmt.Println(z[0][0], z[0][1])
	// Output: 654 76
}
