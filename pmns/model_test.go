package pmns

import (
	"fmt"
	"math/big"
	"unsafe"

	"residue/internal/memory"
)

// modelKernel has routines for vectors that are written with math/big, from their
// contract: what the constants are and where, that operands fit, and that lanes from n on
// and bits from 52 on do not count, in which it leaves something.
var modelKernel = func() *Kernel {
	k := &Kernel{name: "model"}
	for _, s := range []shape{{7, 3}, {7, 2}, {8, 4}, {7, 6}, {8, 10}, {15, 6}} {
		for v := Truncated; v <= Karatsuba; v++ {
			m := &model{s}
			k.routines = append(k.routines, vectorRoutines{s, v, m.mul, m.sqr, m.gather})
		}
	}
	return k
}()

type model struct{ shape }

func (m *model) mul(z, x, y, constants, work *uint64) {
	m.product(z, m.polynomial(x), m.polynomial(y), constants, work)
}

func (m *model) sqr(z, x, constants, work *uint64, times int) {
	for range times {
		v := m.polynomial(x)
		m.product(z, v, v, constants, work)
		x = z
	}
}

// product sets z = (x·y + Q·M)/φ with M and M′ as the constants have them.
func (m *model) product(z *uint64, x, y []*big.Int, constants, work *uint64) {
	c := wordsAt(constants, lanes*m.constantVectors())
	rows := m.s * lanes * m.rowVectors()
	mPrime, mm := m.fromRows(c[:rows]), m.fromRows(c[rows:2*rows])
	for _, w := range c[2*rows:] {
		if w != 1<<MaxWidth-1 {
			panic("the model's constants do not end with a mask")
		}
	}
	k := MaxWidth * m.s
	p := mulMod(x, y, 2)
	q := make([]*big.Int, m.n)
	for i := range q {
		q[i] = new(big.Int).Set(p[i])
		if y[i].BitLen() >= k {
			panic("the model's operand is too large to be doubled")
		}
	}
	truncate(q, k)
	q = mulMod(q, mPrime, 2)
	truncate(q, k)
	t := mulMod(q, mm, 2)
	for i := range t {
		t[i].Add(t[i], p[i])
		if t[i].TrailingZeroBits() < uint(k) && t[i].Sign() != 0 {
			panic("the model's constants are not M and −1/M")
		}
		if t[i].Rsh(t[i], uint(k)); t[i].BitLen() > k {
			panic("the model's result does not fit")
		}
	}
	for i, w := range wordsAt(work, lanes*m.workVectors()) {
		wordsAt(work, i+1)[i] = w ^ 0xdead_beef // whatever is left there
	}
	to := wordsAt(z, lanes*m.elementVectors())
	stride := lanes * m.coefficientVectors()
	for i, v := range t {
		setWords(to[i:], stride, m.s, MaxWidth, v)
	}
	for i := range to {
		litter := uint64(i+1) * 0x9e3779b97f4a7c15
		if i%stride >= m.n {
			to[i] = litter
		} else {
			to[i] |= litter &^ (1<<MaxWidth - 1)
		}
	}
}

// fromRows returns the polynomial that rows are of. All vectors that a routine may take
// from them must be those of Xⁱ·P.
func (m *model) fromRows(rows []uint64) []*big.Int {
	words, stride := lanes*m.rowVectors(), lanes*m.coefficientVectors()
	p := zeroPolynomial(m.n)
	for w := m.s - 1; w >= 0; w-- {
		for i, v := range p {
			v.Lsh(v, MaxWidth).Or(v, new(big.Int).SetUint64(rows[w*words+m.n+i]))
		}
		if m.n+stride > words {
			panic("a row is shorter than the vectors in it")
		}
	}
	doubled := make([]*big.Int, m.n)
	for i := range p {
		doubled[i] = new(big.Int).Lsh(p[i], 1)
	}
	truncate(doubled, MaxWidth*m.s)
	for i, v := range doubled {
		for w := range m.s {
			d := new(big.Int).Rsh(v, uint(MaxWidth*w))
			if got := rows[w*words+i]; got != d.And(d, new(big.Int).SetUint64(1<<MaxWidth-1)).Uint64() {
				panic(fmt.Sprintf("word %d of coefficient %d in front of a row is %#x", w, i, got))
			}
		}
	}
	return p
}

// polynomial returns the one at x.
func (m *model) polynomial(x *uint64) []*big.Int {
	stride := lanes * m.coefficientVectors()
	w := wordsAt(x, lanes*m.elementVectors())
	p := zeroPolynomial(m.n)
	for i, v := range p {
		for j := m.s - 1; j >= 0; j-- {
			v.Lsh(v, MaxWidth).Or(v, new(big.Int).SetUint64(w[j*stride+i]&(1<<MaxWidth-1)))
		}
	}
	return p
}

func (m *model) gather(z, table *uint64, entries, index int) {
	vectors := m.elementVectors()
	copy(wordsAt(z, lanes*vectors), wordsAt(table, lanes*vectors*entries)[lanes*vectors*index:])
}

// wordsAt returns the n words at p, which must be aligned as vectors are.
func wordsAt(p *uint64, n int) []uint64 {
	if uintptr(unsafe.Pointer(p))%memory.Alignment != 0 {
		panic("the model was given an address that is not aligned")
	}
	return unsafe.Slice(p, n)
}
