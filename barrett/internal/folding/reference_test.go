package folding

import (
	"math/big"
	"testing"
)

// reference is a Machine with words of a few bits that computes with math/big, and
// looks at what the text may and may not do: no word is used that is out of its
// range, no carry lost that the text says there is none of, no correction left out.
type reference struct {
	t        *testing.T
	width    uint
	trace    *[]int // the lengths of the operands of every operation, if not nil
	most     int    // corrections that were needed, at most
	overlaps bool   // a product's operands shared memory
}

func (m *reference) log(op int, lengths ...int) {
	if m.trace != nil {
		*m.trace = append(append(*m.trace, op), lengths...)
	}
}

func (m *reference) big(x []uint64) *big.Int {
	z := new(big.Int)
	for i := len(x) - 1; i >= 0; i-- {
		if x[i]>>m.width != 0 {
			m.t.Fatalf("word %x has more than %d bits", x[i], m.width)
		}
		z.Lsh(z, m.width).Or(z, new(big.Int).SetUint64(x[i]))
	}
	return z
}

// set sets z to x modulo its width.
func (m *reference) set(z []uint64, x *big.Int) {
	x = new(big.Int).And(x, new(big.Int).Sub(m.power(len(z)), big.NewInt(1)))
	w := new(big.Int)
	for i := range z {
		z[i] = w.Rsh(x, uint(i)*m.width).Uint64() & (1<<m.width - 1)
	}
}

func (m *reference) words(x *big.Int, n int) []uint64 {
	z := make([]uint64, n)
	m.set(z, x)
	if m.big(z).Cmp(x) != 0 {
		m.t.Fatalf("%x does not fit in %d words", x, n)
	}
	return z
}

// power returns W^i.
func (m *reference) power(i int) *big.Int { return new(big.Int).Lsh(big.NewInt(1), uint(i)*m.width) }

// carry sets z to x modulo its width, and returns whether it did not fit.
func (m *reference) carry(z []uint64, x *big.Int) Bits {
	m.set(z, x)
	if m.big(z).Cmp(x) != 0 {
		return 1
	}
	return 0
}

func (m *reference) Mul(z, x, y []uint64) {
	m.log('*', len(x), len(y))
	if len(z) != len(x)+len(y) {
		m.t.Fatalf("a product of %d and %d words has %d", len(x), len(y), len(z))
	}
	for i := range z {
		for j := range x {
			m.overlaps = m.overlaps || &z[i] == &x[j]
		}
		for j := range y {
			m.overlaps = m.overlaps || &z[i] == &y[j]
		}
	}
	m.set(z, new(big.Int).Mul(m.big(x), m.big(y)))
}

func (m *reference) check(z, x, y []uint64) {
	if len(z) != len(x) || len(y) > len(x) {
		m.t.Fatalf("%d words from %d and %d", len(z), len(x), len(y))
	}
}

func (m *reference) Add(z, x, y []uint64) Bits {
	m.log('+', len(x), len(y))
	m.check(z, x, y)
	return m.carry(z, new(big.Int).Add(m.big(x), m.big(y)))
}

func (m *reference) Sub(z, x, y []uint64) Bits {
	m.log('-', len(x), len(y))
	m.check(z, x, y)
	return m.carry(z, new(big.Int).Sub(m.big(x), m.big(y)))
}

func (m *reference) AddIf(z, x []uint64, where Bits) Bits {
	m.log('?', len(z), len(x))
	m.check(z, z, x)
	if where == 0 {
		return 0
	}
	return m.carry(z, new(big.Int).Add(m.big(z), m.big(x)))
}

func (m *reference) Correct(z, x []uint64, most int) {
	m.log('%', len(z), len(x), most)
	q, r := new(big.Int).QuoRem(m.big(z), m.big(x), new(big.Int))
	if q.Cmp(big.NewInt(int64(most))) > 0 {
		m.t.Fatalf("%v corrections, at most %d", q, most)
	}
	m.most = max(m.most, int(q.Int64()))
	m.set(z, r)
}

func (m *reference) Copy(z, x []uint64) {
	m.log('=', len(z), len(x))
	m.check(z, x, nil)
	copy(z, x)
}

func (m *reference) Both(x, y Bits) uint64 {
	m.log('&')
	if x > 1 || y > 1 {
		m.t.Fatalf("bits %b and %b", x, y)
	}
	return uint64(x & y)
}
