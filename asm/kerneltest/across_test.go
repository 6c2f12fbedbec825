package kerneltest

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"residue/asm/internal/machine"
)

// inPlace checks products and squares of which the result is an operand, or both. set
// sets the operands to values x and y, product is what the result has to be, and result
// compares.
func inPlace[V any](a *Across, x, y machine.Span, set func(), product func(x, y V) V, vx, vy V, result func(what string, z machine.Span, want V) error) error {
	for _, tt := range []struct {
		what string
		z    machine.Span
		run  func() error
		want V
	}{
		{"Mul, z = x", x, func() error { return a.Mul(x, x, y) }, product(vx, vy)},
		{"Mul, z = y", y, func() error { return a.Mul(y, x, y) }, product(vx, vy)},
		{"Mul, z = x = y", y, func() error { return a.Mul(y, y, y) }, product(vy, vy)},
		{"Sqr, z = x", y, func() error { return a.Sqr(y, y, 1) }, squares(product, vy, 1)},
		{"Sqr, 3 times, z = x", y, func() error { return a.Sqr(y, y, 3) }, squares(product, vy, 3)},
	} {
		set()
		if err := tt.run(); err != nil {
			return fmt.Errorf("%s: %w", tt.what, err)
		}
		if err := result(tt.what, tt.z, tt.want); err != nil {
			return err
		}
	}
	return nil
}

// squares returns what so many squares of x are.
func squares[V any](product func(x, y V) V, x V, times int) V {
	for range times {
		x = product(x, x)
	}
	return x
}

// checkGather reads every entry of tables of so many, with what is above digits.
func checkGather(t *testing.T, a *Across, tables []int) {
	t.Helper()
	most := tables[len(tables)-1]
	r := rand.New(rand.NewPCG(86, uint64(a.Words())))
	memory, z := a.Alloc("table", most*a.Words()), a.Number("z")
	words := make([]uint64, most*a.Words())
	for i := range words {
		words[i] = r.Uint64()
	}
	a.Set(memory, words, false)
	for _, entries := range tables {
		for index := range entries {
			do(t, a.Gather(z, memory.Slice(0, entries*z.Len), index))
			for i, w := range words[index*a.Words() : (index+1)*a.Words()] {
				if z.Word(i) != w {
					t.Fatalf("entry %d of %d: word %d is %#x, want %#x", index, entries, i, z.Word(i), w)
				}
			}
		}
	}
}
