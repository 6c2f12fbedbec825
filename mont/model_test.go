package mont

import (
	"fmt"
	"math/big"
	"slices"
	"unsafe"

	"residue/internal/memory"
)

// newModel returns a kernel whose vector routines are written with math/big, from
// their contract: what the constants hold, which operands are allowed, that the bits
// above digits do not count, and, with slack, that a number has several
// representations, of which the model gives one that is not the usual one. Other
// lengths it leaves to the kernel generic.
func newModel(name string, shapes ...vectorShape) *Kernel {
	e := &vectorEngine{leastBits: 1}
	for _, s := range shapes {
		m := &model{s}
		e.routines = append(e.routines, vectorRoutines{s, m.mul, m.sqr, m.gather})
	}
	words := kernelNamed["generic"]
	return &Kernel{name: name, words: words.words, wordsName: words.name, vectors: e}
}

// model is the routines for a shape.
type model struct{ vectorShape }

// limit is what digits are below.
func (m *model) limit() uint64 {
	if m.digitBits == exactBits {
		return 1 << exactBits
	}
	return 1<<slackBits + 1<<13
}

func (m *model) mul(z, x, y, constants, work *uint64) {
	c := wordsAt(constants, lanes*constantVectors(m.vectors))
	m.product(z, m.operand(x), m.operand(y), c, work)
}

func (m *model) sqr(z, x, constants, work *uint64, times int) {
	c := wordsAt(constants, lanes*constantVectors(m.vectors))
	for range times {
		v := m.operand(x)
		m.product(z, v, v, c, work)
		x = z
	}
}

// product sets z to (x·y + Q·N)/R.
func (m *model) product(z *uint64, x, y *big.Int, c []uint64, work *uint64) {
	s := lanes * m.vectors
	inverse, n := bigDigits(c[:s], m.digitBits), bigDigits(c[lanes*s:][:s], m.digitBits)
	R := pow2(m.digitBits * s)
	if x.BitLen() > R.BitLen()-m.headroomBits() || y.Cmp(new(big.Int).Lsh(n, 1)) >= 0 {
		panic(fmt.Sprintf("the model was given %#x · %#x modulo %#x", x, y, n))
	}
	t := new(big.Int).Mul(x, y)
	q := new(big.Int).Mul(t, inverse)
	q.Mod(q, R)
	t.Add(t, q.Mul(q, n))
	if new(big.Int).Mod(t, R).Sign() != 0 {
		panic("the model's constants are not an inverse and a modulus")
	}
	t.Rsh(t, uint(R.BitLen()-1))
	for i := range wordsAt(work, lanes*vectorWork(m.vectors)) {
		wordsAt(work, i+1)[i] = 0xdead_beef // whatever is left there
	}
	d := wordsAt(z, s)
	split(d, bigWords(t, s), m.digitBits)
	m.redundant(d)
}

// redundant changes digits to others that stand for the same number: it takes one from
// digits that have it, if the digit below has room for what that is there, and sets
// bits that do not count.
func (m *model) redundant(d []uint64) {
	for i := range len(d) - 1 {
		if d[i]+1<<m.digitBits < m.limit() && d[i+1] > 0 {
			d[i] += 1 << m.digitBits
			d[i+1]--
		}
	}
	for i := range d {
		d[i] |= uint64(i) * 0x9e3779b97f4a7c15 &^ (1<<exactBits - 1)
	}
}

// operand returns the number at p, which must be as the contract has it.
func (m *model) operand(p *uint64) *big.Int {
	d := countingBits(wordsAt(p, lanes*m.vectors))
	for i, w := range d {
		if w >= m.limit() {
			panic(fmt.Sprintf("the model was given %#x as digit %d", w, i))
		}
	}
	return bigDigits(d, m.digitBits)
}

func (m *model) gather(z, table *uint64, entries, index int) {
	s := lanes * m.vectors
	copy(wordsAt(z, s), wordsAt(table, s*entries)[s*index:])
}

// countingBits returns words without the bits that do not count in digits.
func countingBits(d []uint64) []uint64 {
	d = slices.Clone(d)
	for i := range d {
		d[i] &= 1<<exactBits - 1
	}
	return d
}

// wordsAt returns the n words at p, which must be aligned as vectors are.
func wordsAt(p *uint64, n int) []uint64 {
	if uintptr(unsafe.Pointer(p))%memory.Alignment != 0 {
		panic("the model was given an address that is not aligned")
	}
	return unsafe.Slice(p, n)
}

// bigDigits returns the number with the digits d.
func bigDigits(d []uint64, digitBits int) *big.Int {
	v := new(big.Int)
	for i := len(d) - 1; i >= 0; i-- {
		v.Lsh(v, uint(digitBits))
		v.Add(v, new(big.Int).SetUint64(d[i]))
	}
	return v
}

// bigWords returns v in n words.
func bigWords(v *big.Int, n int) []uint64 {
	w := make([]uint64, n)
	v = new(big.Int).Set(v)
	mask := new(big.Int).SetUint64(^uint64(0))
	for i := range w {
		w[i] = new(big.Int).And(v, mask).Uint64()
		v.Rsh(v, 64)
	}
	if v.Sign() != 0 {
		panic("a number that does not fit")
	}
	return w
}
