package kerneltest

import (
	"math/big"

	"residue/asm/internal/machine"
)

// MontWork is the memory of an exponentiation across lanes.
type MontWork struct {
	acc, factor, rr, unit, table machine.Span
	window                       int
}

// NewWork returns memory for windows of so many bits.
func (m *Mont) NewWork(window int) *MontWork {
	return &MontWork{
		acc: m.Number("acc"), factor: m.Number("factor"), rr: m.Number("rr"), unit: m.Number("unit"),
		table: m.Alloc("table", m.Words()<<window), window: window,
	}
}

// MontWorkNumbers is how many numbers this is.
func MontWorkNumbers(window int) int { return 4 + 1<<window }

// Exp sets z to x^e modulo N, below 2N, for exponents of so many bits: an
// exponentiation as residue/mont does it. rr is R² mod N. All of it is a secret but
// bits.
func (m *Mont) Exp(w *MontWork, z, x machine.Span, rr, e *big.Int, bits int) error {
	m.SetDigits(w.rr, m.split(rr), noLitter)
	m.SetDigits(w.unit, m.split(big.NewInt(1)), noLitter)
	if err := m.powers(w, x); err != nil {
		return err
	}
	from := max(0, (bits-1)/w.window*w.window)
	index := func(n int) int { return int(bitsFrom([]*big.Int{e}, from, n)[0].Int64()) }
	if err := m.Gather(w.acc, w.table, index(bits-from)); err != nil {
		return err
	}
	for from > 0 {
		from -= w.window
		if err := m.Sqr(w.acc, w.acc, w.window); err != nil {
			return err
		}
		if err := m.Gather(w.factor, w.table, index(w.window)); err != nil {
			return err
		}
		if err := m.Mul(w.acc, w.acc, w.factor); err != nil {
			return err
		}
	}
	return m.Mul(z, w.acc, w.unit)
}

// powers sets entry i of the table to x^i·R modulo N.
func (m *Mont) powers(w *MontWork, x machine.Span) error {
	size := 8 * m.Words()
	entry := func(i int) machine.Span { return w.table.Slice(i*size, (i+1)*size) }
	if err := m.Mul(entry(0), w.rr, w.unit); err != nil {
		return err
	}
	if err := m.Mul(entry(1), x, w.rr); err != nil {
		return err
	}
	for i := 2; i < 1<<w.window; i++ {
		var err error
		if i%2 == 0 {
			err = m.Sqr(entry(i), entry(i/2), 1)
		} else {
			err = m.Mul(entry(i), entry(i-1), entry(1))
		}
		if err != nil {
			return err
		}
	}
	return nil
}
