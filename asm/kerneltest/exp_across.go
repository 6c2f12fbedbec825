package kerneltest

import (
	"math/big"

	"residue/asm/internal/machine"
)

// Windows is the memory of an exponentiation with windows of so many bits. Who sets
// entries 0 and 1 of the table, to what the powers 0 and 1 are, has the other powers made,
// and then the one that is wanted, in acc.
type Windows struct {
	acc, factor, table machine.Span
	bits               int
}

// NewWindows returns memory for windows of so many bits.
func (a *Across) NewWindows(bits int) *Windows {
	return &Windows{acc: a.Number("acc"), factor: a.Number("factor"), table: a.Alloc("table", a.words<<bits), bits: bits}
}

// WindowsNumbers is how many numbers this is.
func WindowsNumbers(bits int) int { return 2 + 1<<bits }

func (w *Windows) entry(i int) machine.Span {
	size := w.acc.Len
	return w.table.Slice(i*size, (i+1)*size)
}

// powers sets the entries from 2 on.
func (a *Across) powers(w *Windows) error {
	for i := 2; i < 1<<w.bits; i++ {
		var err error
		if i%2 == 0 {
			err = a.Sqr(w.entry(i), w.entry(i/2), 1)
		} else {
			err = a.Mul(w.entry(i), w.entry(i-1), w.entry(1))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// power sets acc to power e, for exponents of so many bits. e is a secret, bits is not.
func (a *Across) power(w *Windows, e *big.Int, bits int) error {
	from := max(0, (bits-1)/w.bits*w.bits)
	index := func(n int) int { return int(bitsFrom([]*big.Int{e}, from, n)[0].Int64()) }
	if err := a.Gather(w.acc, w.table, index(bits-from)); err != nil {
		return err
	}
	for from > 0 {
		from -= w.bits
		if err := a.Sqr(w.acc, w.acc, w.bits); err != nil {
			return err
		}
		if err := a.Gather(w.factor, w.table, index(w.bits)); err != nil {
			return err
		}
		if err := a.Mul(w.acc, w.acc, w.factor); err != nil {
			return err
		}
	}
	return nil
}
