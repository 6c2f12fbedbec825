package mont

import "residue/internal/words"

// vectorEngine is the arithmetic on numbers that lie across the lanes of vectors:
// digit i is in lane i mod 8 of vector i/8. What is done there is in
// docs/algorithms.md, "One number across the lanes".
type vectorEngine struct {
	// exact and slack have the routines of each number of vectors; there may be none.
	exact, slack [maxVectors + 1]vectorRoutines
	// gather sets z to entry index of a table of entries of so many vectors each,
	// reading all of it.
	gather func(z, table *uint64, vectors, entries, index int)
	// Shorter moduli are quicker in words.
	leastBits int
}

// vectorRoutines are the routines for V vectors, with R = 2^(8kV) for digits of k
// bits and 4N ≤ R. Numbers are 8V words, below 2N; the first operand of a product
// may be any below R/2. constants is what prepare makes, and work has
// vectorWork(V) vectors. Everything is aligned to 64 bytes. z may be x or y.
type vectorRoutines struct {
	// mul sets z = (x·y + Q·N)/R for Q = −x·y/N mod R.
	mul func(z, x, y, constants, work *uint64)
	// sqr sets z = (x² + Q·N)/R, and then the same of z, times times in all.
	sqr func(z, x, constants, work *uint64, times int)
}

const (
	// lanes is the number of digits in a vector, which has as many words.
	lanes = 8
	// maxVectors is the number of vectors of the longest number.
	maxVectors = 20
	// headroomBits is how much longer than N at least R is: 4N ≤ R.
	headroomBits = 2

	// Digits are as wide as a multiply-add has them, and then each is below 2^52; or
	// narrower by a bit, and then below 2^51 + 2^12: not all carries are resolved.
	exactBits = 52
	slackBits = 51
)

// vectorWork is the work space of the routines for V vectors, in vectors.
func vectorWork(vectors int) int { return 16*vectors + 16 }

// vectorShape is how the numbers of one length lie in vectors.
type vectorShape struct {
	vectors   int
	digitBits int
	// rows is the number of digits that are not always zero.
	rows int
}

// fit returns the shape for moduli of the given length: the least number of vectors
// that there are routines for, and with slack where the digits leave room for it.
// ok says whether there is one.
func (e *vectorEngine) fit(bits int) (s vectorShape, ok bool) {
	if e == nil || bits < e.leastBits {
		return s, false
	}
	for v := 1; v <= maxVectors; v++ {
		for _, of := range []struct {
			digitBits int
			routines  *[maxVectors + 1]vectorRoutines
		}{{slackBits, &e.slack}, {exactBits, &e.exact}} {
			if of.routines[v].mul != nil && bits+headroomBits <= of.digitBits*lanes*v {
				return vectorShape{v, of.digitBits, (bits + headroomBits + of.digitBits - 1) / of.digitBits}, true
			}
		}
	}
	return s, false
}

// vectorModulus is a modulus N in vectors.
type vectorModulus struct {
	vectorShape
	vectorRoutines
	gatherEntry func(z, table *uint64, vectors, entries, index int)
	constants   []uint64
	unit        []uint64 // the number 1
}

// newModulus prepares the modulus n for a shape that fits it.
func (e *vectorEngine) newModulus(s vectorShape, n []uint64) *vectorModulus {
	m := &vectorModulus{vectorShape: s, gatherEntry: e.gather}
	m.vectorRoutines = e.exact[s.vectors]
	if s.digitBits == slackBits {
		m.vectorRoutines = e.slack[s.vectors]
	}
	m.unit = alignedWords(lanes * s.vectors)
	m.unit[0] = 1
	m.prepare(n)
	return m
}

// copies is how many times N and its inverse are there, each a digit further up: the
// eight places that a row can have in vectors.
const copies = lanes

// constantVectors is the number of vectors of a modulus' constants.
func constantVectors(v int) int { return copies*v + copies*(v+1) + 2*v }

// prepare makes the constants. In order, and with s digits and N′ = −1/N mod R:
//
//	N′ in copies c = 0 … 7 of V vectors: digit i is n′[i − c];
//	N in copies c = 0 … 7 of V + 1 vectors: digit i is n[i − c];
//	N from its top: V vectors, digit i is n[s − 1 − i];
//	the same from one below its top: V vectors, digit i is n[s − 2 − i].
//
// Digits that are not there are zero.
func (m *vectorModulus) prepare(n []uint64) {
	s, bits := lanes*m.vectors, m.log2R()
	m.constants = alignedWords(lanes * constantVectors(m.vectors))
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
}

func (m *vectorModulus) size() (number, work int) {
	return lanes * m.vectors, lanes * vectorWork(m.vectors)
}

func (m *vectorModulus) log2R() int { return m.digitBits * lanes * m.vectors }

// loadBits is such that numbers are below R/2, and have no more digits than others.
func (m *vectorModulus) loadBits() int { return m.digitBits*m.rows - 1 }

func (m *vectorModulus) load(z, w []uint64) { split(z, w, m.digitBits) }

func (m *vectorModulus) store(w, x []uint64) { join(w, x, m.digitBits) }

func (m *vectorModulus) mul(z, x, y, work []uint64) {
	m.vectorRoutines.mul(&z[0], &x[0], &y[0], &m.constants[0], &work[0])
}

func (m *vectorModulus) sqr(z, x []uint64, times int, work []uint64) {
	m.vectorRoutines.sqr(&z[0], &x[0], &m.constants[0], &work[0], times)
}

// redc multiplies by 1: for x < R, (x + Q·N)/R < N + 1.
func (m *vectorModulus) redc(z, x, work []uint64) { m.mul(z, x, m.unit, work) }

func (m *vectorModulus) gather(z, table []uint64, index uint64) {
	m.gatherEntry(&z[0], &table[0], m.vectors, len(table)/(lanes*m.vectors), int(index))
}

// cost is in cycles, as measured at 3, 5, 8 and 10 vectors.
func (m *vectorModulus) cost() operationCost {
	v := float64(m.vectors)
	return operationCost{mul: 100 + 20*v*v, sqr: 100 + 16*v*v, entry: v + 1}
}

func (m *vectorModulus) wipe() { clear(m.constants) }
