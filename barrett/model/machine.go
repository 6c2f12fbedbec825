package model

import (
	"math/big"
	"math/bits"
)

// Machine is a running processor. It is not safe for concurrent use.
type Machine struct {
	// Count is what has been executed so far. It may be set at any time.
	Count Count

	processor Processor
}

// NewMachine returns a machine that has executed nothing.
func NewMachine(p Processor) (*Machine, error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return &Machine{processor: p}, nil
}

// Cycles returns what was executed, in cycles.
func (m *Machine) Cycles() int { return m.processor.Cycles(m.Count) }

// width returns the number of bits of a word.
func (m *Machine) width() uint { return uint(m.processor.Word) }

// word returns x modulo the range of a word.
func (m *Machine) word(x uint64) uint64 { return x & (1<<m.width() - 1) }

// add returns x + y + c as a word and a carry.
func (m *Machine) add(x, y, c uint64) (sum, carry uint64) {
	m.Count.Add++
	sum, carry = bits.Add64(x, y, c)
	return m.word(sum), carry | sum>>m.width()
}

// sub returns x − y − b as a word and a borrow.
func (m *Machine) sub(x, y, b uint64) (difference, borrow uint64) {
	m.Count.Add++
	difference, borrow = bits.Sub64(x, y, b)
	return m.word(difference), borrow
}

// and returns x & y.
func (m *Machine) and(x, y uint64) uint64 {
	m.Count.Add++
	return x & y
}

// mul returns the two words of x·y.
func (m *Machine) mul(x, y uint64) (high, low uint64) {
	m.Count.Mul++
	high, low = bits.Mul64(x, y)
	return high<<(64-m.width()) | low>>m.width(), m.word(low)
}

// accumulate returns the two words of high·W + low + x, which the caller knows to
// be enough.
func (m *Machine) accumulate(high, low, x uint64) (uint64, uint64) {
	low, carry := m.add(low, x, 0)
	m.Count.Carry++
	return high + carry, low
}

// mulAdd returns the two words of x·y + s + t. That is at most
// (W − 1)² + 2·(W − 1) = W² − 1.
func (m *Machine) mulAdd(x, y, s, t uint64) (high, low uint64) {
	high, low = m.mul(x, y)
	high, low = m.accumulate(high, low, s)
	return m.accumulate(high, low, t)
}

func (m *Machine) load(x []uint64, i int) uint64 {
	m.Count.Load++
	return x[i]
}

func (m *Machine) store(z []uint64, i int, w uint64) {
	m.Count.Store++
	z[i] = w
}

// fromBig returns the n words of x, which has no more.
func (m *Machine) fromBig(x *big.Int, n int) []uint64 {
	z := make([]uint64, n)
	x = new(big.Int).Set(x)
	low := new(big.Int)
	mask := new(big.Int).SetUint64(m.word(^uint64(0)))
	for i := range z {
		z[i] = low.And(x, mask).Uint64()
		x.Rsh(x, m.width())
	}
	if x.Sign() != 0 {
		panic("model: a number is too long for its words")
	}
	return z
}

// toBig returns the number of the words x.
func (m *Machine) toBig(x []uint64) *big.Int {
	z, w := new(big.Int), new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		z.Lsh(z, m.width()).Or(z, w.SetUint64(x[i]))
	}
	return z
}
