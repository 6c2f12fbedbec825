package batch_test

import (
	"context"
	"fmt"
	"log"

	"residue/batch"
)

// Three exponentiations at once, each with its own modulus, base and exponent.
func ExampleModuli_Exp() {
	m, err := batch.NewModuli(16, []byte{0x01, 0x01}, []byte{13}, []byte{0xff, 0xf1}) // 257, 13, 65521
	if err != nil {
		log.Fatal(err)
	}
	x, e, z := batch.NewInts(m.Limbs()), batch.NewInts(1), batch.NewInts(m.Limbs())
	for lane, row := range [][2]byte{{3, 10}, {7, 5}, {2, 100}} {
		x.SetBytes(lane, row[:1])
		e.SetBytes(lane, row[1:])
	}
	if err := m.Exp(context.Background(), z, x, e, 8); err != nil {
		log.Fatal(err)
	}
	for lane := range m.Lanes() {
		out := make([]byte, 2)
		z.FillBytes(lane, out)
		fmt.Println(int(out[0])<<8 | int(out[1]))
	}
	// Output:
	// 196
	// 11
	// 36099
}
