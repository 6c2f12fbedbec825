package model

// schoolbook sets z = x·y, of len(x) + len(y) words.
func (m *Machine) schoolbook(z, x, y []uint64) {
	if m.processor.Scan == Product {
		m.productScanning(z, x, y)
	} else {
		m.operandScanning(z, x, y)
	}
}

// operandScanning adds every word of y times x to z, which is 0 at first. A
// multiplication has two additions: of the word of z and of the carry.
func (m *Machine) operandScanning(z, x, y []uint64) {
	clear(z)
	m.Count.Store += len(x)
	for i := range y {
		yi, carry, w := m.load(y, i), uint64(0), uint64(0)
		for j := range x {
			carry, w = m.mulAdd(m.load(x, j), yi, m.load(z, i+j), carry)
			m.store(z, i+j, w)
		}
		m.store(z, i+len(x), carry)
	}
}

// productScanning makes the words of z in turn. A product of two words has three
// additions, to the three words of the column's sum.
//
// Five are not needed. In column 0 the sum is 0 before. In column 1 it is below W,
// and in the last one what is left of the product: with the first product of the
// one and the only one of the other it has two words.
func (m *Machine) productScanning(z, x, y []uint64) {
	sum := m.newColumn(min(len(x), len(y)))
	last := len(z) - 2
	for c := 0; c <= last; c++ {
		from, to := max(0, c-len(y)+1), min(c, len(x)-1)
		for i := from; i <= to; i++ {
			high, low := m.mul(m.load(x, i), m.load(y, c-i))
			switch {
			case c == 0:
				sum.middle, sum.low = high, low
			case c == 1 && i == from || c == last:
				sum.add2(m, high, low)
			default:
				sum.add3(m, high, low)
			}
		}
		m.store(z, c, sum.low)
		sum.shift()
	}
	m.store(z, last+1, sum.low)
}

// column is the sum of a column of products of words.
type column struct {
	top, high, middle, low uint64
	// long says that a column may have so many products that three words are not
	// enough for it.
	long bool
}

// newColumn returns the sum of no products, for columns of up to so many. What the
// column before leaves is a W-th of a sum as large: with P products a sum is at most
// P·(W − 1)²·W/(W − 1), which is below W³ for P ≤ W.
func (m *Machine) newColumn(products int) column {
	return column{long: uint64(products) > 1<<min(m.width(), 63)}
}

// add3 adds a product to three words. If the column is long there may be a carry
// into a fourth; a machine that branches adds it when there is one.
func (s *column) add3(m *Machine, high, low uint64) {
	var carry uint64
	s.low, carry = m.add(s.low, low, 0)
	s.middle, carry = m.add(s.middle, high, carry)
	s.high, carry = m.add(s.high, 0, carry)
	if carry != 0 || s.long && m.processor.Masked {
		s.top, _ = m.add(s.top, 0, carry)
	}
}

// add2 adds a product to a sum that is known to keep within two words.
func (s *column) add2(m *Machine, high, low uint64) {
	var carry uint64
	s.low, carry = m.add(s.low, low, 0)
	s.middle, _ = m.add(s.middle, high, carry)
}

// shift goes on to the next column.
func (s *column) shift() { s.top, s.high, s.middle, s.low = 0, s.top, s.high, s.middle }
