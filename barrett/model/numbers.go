package model

import "residue/barrett/internal/folding"

// numbers is the machine's arithmetic on numbers, which the text of folding is made
// of: a [folding.Machine].
type numbers struct{ *Machine }

var _ folding.Machine[uint64] = numbers{}

// Mul sets z = x·y by the schoolbook method.
func (m numbers) Mul(z, x, y []uint64) { m.schoolbook(z, x, y) }

// Add sets z = x + y and returns the carry.
func (m numbers) Add(z, x, y []uint64) folding.Bits {
	var w, carry uint64
	for i := range y {
		w, carry = m.add(m.load(x, i), m.load(y, i), carry)
		m.store(z, i, w)
	}
	return m.carryOn(z, x, len(y), carry, m.add)
}

// Sub sets z = x − y and returns the borrow.
func (m numbers) Sub(z, x, y []uint64) folding.Bits {
	var w, borrow uint64
	for i := range y {
		w, borrow = m.sub(m.load(x, i), m.load(y, i), borrow)
		m.store(z, i, w)
	}
	return m.carryOn(z, x, len(y), borrow, m.sub)
}

// AddIf sets z = z + x if where has bit 0. A machine that
// masks does the same work in any case.
func (m numbers) AddIf(z, x []uint64, where folding.Bits) folding.Bits {
	if !m.processor.Masked {
		if where == 0 {
			return 0
		}
		return m.Add(z, z, x)
	}
	mask, _ := m.sub(0, uint64(where), 0)
	var w, carry uint64
	for i := range x {
		w, carry = m.add(m.load(z, i), m.and(m.load(x, i), mask), carry)
		m.store(z, i, w)
	}
	return m.carryOn(z, z, len(x), carry, m.add)
}

// carryOn takes a carry through the words of x from the given one, by adding to them
// or subtracting from them, and returns what is left of it. On a machine that masks
// it runs to the end, and otherwise as far as it goes.
func (m numbers) carryOn(z, x []uint64, from int, carry uint64,
	step func(x, y, c uint64) (word, carry uint64),
) folding.Bits {
	var w uint64
	for i := from; i < len(z); i++ {
		if carry == 0 && !m.processor.Masked {
			if &z[0] != &x[0] {
				m.Copy(z[i:], x[i:])
			}
			break
		}
		w, carry = step(m.load(x, i), 0, carry)
		m.store(z, i, w)
	}
	return folding.Bits(carry)
}

// Correct sets z = z mod x by at most so many subtractions.
// A machine that branches ends with the first that gives less than 0.
func (m numbers) Correct(z, x []uint64, most int) {
	rest := make([]uint64, len(z))
	for range most {
		less := m.Sub(rest, z, x)
		if m.processor.Masked {
			m.AddIf(rest, x, less)
		} else if less != 0 {
			return
		}
		copy(z, rest) // not executed: the two change their names
	}
}

// Copy sets z = x.
func (m numbers) Copy(z, x []uint64) {
	m.Count.Load += len(z)
	m.Count.Store += len(z)
	copy(z, x)
}

// Both returns x & y as a word.
func (m numbers) Both(x, y folding.Bits) uint64 {
	m.Count.Store++
	return m.and(uint64(x), uint64(y))
}
