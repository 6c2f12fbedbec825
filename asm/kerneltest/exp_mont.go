package kerneltest

import (
	"math/big"

	"residue/asm/internal/machine"
)

// MontWork is the memory of an exponentiation modulo N.
type MontWork struct {
	*Windows
	rr, unit machine.Span
}

// NewWork returns memory for windows of so many bits.
func (m *Mont) NewWork(window int) *MontWork {
	return &MontWork{Windows: m.NewWindows(window), rr: m.Number("rr"), unit: m.Number("unit")}
}

// MontWorkNumbers is how many numbers this is.
func MontWorkNumbers(window int) int { return 2 + WindowsNumbers(window) }

// Exp sets z to x^e modulo N, below 2N, for exponents of so many bits: an
// exponentiation as residue/mont does it. rr is R² mod N. All of it is a secret but
// bits.
func (m *Mont) Exp(w *MontWork, z, x machine.Span, rr, e *big.Int, bits int) error {
	m.SetDigits(w.rr, m.split(rr), noLitter)
	m.SetDigits(w.unit, m.split(big.NewInt(1)), noLitter)
	if err := m.Mul(w.entry(0), w.rr, w.unit); err != nil {
		return err
	}
	if err := m.Mul(w.entry(1), x, w.rr); err != nil {
		return err
	}
	if err := m.powers(w.Windows); err != nil {
		return err
	}
	if err := m.power(w.Windows, e, bits); err != nil {
		return err
	}
	return m.Mul(z, w.acc, w.unit)
}
