package mont

import (
	"residue/internal/memory"
	"residue/internal/window"
	"residue/internal/words"
)

// vectorEngine is the arithmetic on numbers that lie across the lanes of vectors:
// digit i is in lane i mod 8 of vector i/8. What is done there is in
// docs/algorithms.md, "One number across the lanes".
type vectorEngine struct {
	routines []vectorRoutines // by length
	// Shorter moduli are quicker in words.
	leastBits int
}

// vectorShape is how the numbers of a range of lengths lie in vectors.
type vectorShape struct {
	vectors   int // V
	digitBits int // exactBits or slackBits
	// digits is the number of digits of an operand that may be other than zero.
	digits int
}

// vectorRoutines are the routines for a shape, with R = 2^(8kV) for digits of k bits
// and 2^h·N ≤ R for headroomBits h. Numbers are 8V words, below 2N; the first operand
// of a product may be any below 2R/2^h. Bits 52 to 63 of a word do not count. constants is what prepare
// makes, and work has vectorWork(V) vectors. Everything is aligned to 64 bytes. z may
// be x or y.
type vectorRoutines struct {
	vectorShape
	// mul sets z = (x·y + Q·N)/R for Q = −x·y/N mod R.
	mul func(z, x, y, constants, work *uint64)
	// sqr sets z = (x² + Q·N)/R, and then the same of z, times times in all.
	sqr func(z, x, constants, work *uint64, times int)
	// gather sets z to entry index of a table of numbers, reading all of it.
	gather func(z, table *uint64, entries, index int)
}

const (
	// lanes is the number of digits in a vector, which has as many words.
	lanes = 8

	// Digits are as wide as a multiply-add has them, and then each is below 2^52; or
	// narrower, and then below 2^50 + 2^13: not all carries are resolved.
	exactBits = 52
	slackBits = 50
)

// headroomBits is how many bits more than N operands have room for at least. 4N ≤ R
// is enough for exact digits. Those of a quotient that are not exact may make it R or
// slightly more, but less than R·(1 + 2^−36). The result is then below x·2N/R + N·(1 +
// 2^−36) for a first operand x, and so below 2N if x ≤ R/4.
func (s vectorShape) headroomBits() int {
	if s.digitBits == exactBits {
		return 2
	}
	return 3
}

// vectorWork is the work space of the routines for V vectors, in vectors.
func vectorWork(vectors int) int { return 5 * vectors }

// fit returns the routines for moduli of the given length: those for the fewest
// vectors. ok says whether there are any.
func (e *vectorEngine) fit(bits int) (r *vectorRoutines, ok bool) {
	if e == nil || bits < e.leastBits {
		return nil, false
	}
	for i := range e.routines {
		if r := &e.routines[i]; bits+r.headroomBits() <= r.digitBits*r.digits {
			return r, true
		}
	}
	return nil, false
}

// vectorModulus is a modulus N in vectors.
type vectorModulus struct {
	*vectorRoutines
	constants []uint64
	unit      []uint64 // the number 1
}

// newVectorModulus prepares the modulus n for routines that it fits.
func newVectorModulus(r *vectorRoutines, n []uint64) *vectorModulus {
	m := &vectorModulus{vectorRoutines: r}
	m.unit = memory.Aligned(lanes * r.vectors)
	m.unit[0] = 1
	m.prepare(n)
	return m
}

// copies is how many times N and its inverse are there, each a digit further up: the
// eight places that a row can have in vectors.
const copies = lanes

// constantVectors is the number of vectors of a modulus' constants.
func constantVectors(v int) int { return copies*v + copies*(v+1) + 2*v + 1 }

// prepare makes the constants. In order, and with s digits and N′ = −1/N mod R:
//
//	N′ in copies c = 0 … 7 of V vectors: digit i is n′[i − c];
//	N in copies c = 0 … 7 of V + 1 vectors: digit i is n[i − c];
//	N from its top: V vectors, digit i is n[s − 1 − i];
//	the same from one below its top: V vectors, digit i is n[s − 2 − i];
//	2^k − 1 in every lane of a vector, for digits of k bits.
//
// Digits that are not there are zero.
func (m *vectorModulus) prepare(n []uint64) {
	s, bits := lanes*m.vectors, m.log2R()
	m.constants = memory.Aligned(lanes * constantVectors(m.vectors))
	digits, inverse := make([]uint64, s), make([]uint64, words.Len(bits))
	defer clear(digits)
	defer clear(inverse)

	words.InversePow2(inverse, n, bits)
	words.Sub(inverse, make([]uint64, len(inverse)), inverse)
	split(digits, inverse, m.digitBits)
	free := m.constants
	take := func(vectors int) (x []uint64) {
		x, free = free[:lanes*vectors], free[lanes*vectors:]
		return x
	}
	for c := range copies {
		copy(take(m.vectors)[c:], digits)
	}
	split(digits, n, m.digitBits)
	for c := range copies {
		copy(take(m.vectors + 1)[c:], digits)
	}
	top, below := take(m.vectors), take(m.vectors)
	for i := range top {
		top[i] = digits[s-1-i]
	}
	copy(below, top[1:])
	mask := take(1)
	for i := range mask {
		mask[i] = 1<<m.digitBits - 1
	}
}

func (m *vectorModulus) size() (number, work int) {
	return lanes * m.vectors, lanes * vectorWork(m.vectors)
}

func (m *vectorModulus) log2R() int { return m.digitBits * lanes * m.vectors }

// quickSquarings is such that the division has hardly more to do than for R.
func (m *vectorModulus) quickSquarings() int { return 5 }

// loadBits is such that numbers have no more digits than others, and the result of a
// product with them is below 2N.
func (m *vectorModulus) loadBits() int { return m.digitBits*m.digits + 1 - m.headroomBits() }

func (m *vectorModulus) load(z, w []uint64) { split(z, w, m.digitBits) }

func (m *vectorModulus) store(w, x []uint64) { join(w, x, m.digitBits, exactBits) }

func (m *vectorModulus) mul(z, x, y, work []uint64) {
	m.vectorRoutines.mul(&z[0], &x[0], &y[0], &m.constants[0], &work[0])
}

func (m *vectorModulus) sqr(z, x []uint64, times int, work []uint64) {
	m.vectorRoutines.sqr(&z[0], &x[0], &m.constants[0], &work[0], times)
}

// redc multiplies by 1.
func (m *vectorModulus) redc(z, x, work []uint64) { m.mul(z, x, m.unit, work) }

func (m *vectorModulus) gather(z, table []uint64, index uint64) {
	m.vectorRoutines.gather(&z[0], &table[0], len(table)/(lanes*m.vectors), int(index))
}

// cost is in cycles, as measured (by BenchmarkArithmetic) from 1 to 20 vectors.
func (m *vectorModulus) cost() window.Cost {
	v := float64(m.vectors)
	return window.Cost{Mul: 100 + 20*v*v, Sqr: 100 + 16*v*v, Entry: 1.5 + v/2}
}

func (m *vectorModulus) wipe() { clear(m.constants) }
