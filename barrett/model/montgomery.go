package model

// The forms of Montgomery's multiplication, z = x·y·W⁻ᵏ mod n, that Ç. K. Koç, T.
// Acar and B. S. Kaliski compare (Analyzing and comparing Montgomery multiplication
// algorithms, IEEE Micro 16, 1996). n has k words and is odd, x and y are below n,
// and inverse is −1/n mod W. They leave a number below 2n, of k + 1 words.

// coarselyIntegrated is CIOS: for every word of y a pass for x·y and one for the
// multiple of n that makes the lowest word 0. 2k² + k multiplications, 4k² + 2k
// additions.
func (m *Machine) coarselyIntegrated(x, y, n []uint64, inverse uint64) []uint64 {
	k := len(n)
	t := m.zeros(k + 2)
	for i := range y {
		yi, carry, w := m.load(y, i), uint64(0), uint64(0)
		for j := range x {
			carry, w = m.mulAdd(m.load(x, j), yi, m.load(t, j), carry)
			m.store(t, j, w)
		}
		w, carry = m.add(m.load(t, k), carry, 0)
		m.store(t, k, w)
		m.store(t, k+1, carry)

		low := m.load(t, 0)
		_, q := m.mul(low, inverse)
		high, w := m.mul(q, m.load(n, 0))
		carry, _ = m.accumulate(high, w, low)
		for j := 1; j < k; j++ {
			carry, w = m.mulAdd(m.load(n, j), q, m.load(t, j), carry)
			m.store(t, j-1, w)
		}
		w, carry = m.add(m.load(t, k), carry, 0)
		m.store(t, k-1, w)
		w, _ = m.add(m.load(t, k+1), 0, carry)
		m.store(t, k, w)
	}
	return t[:k+1]
}

// finelyIntegrated is FIOS: one pass for every word of y, in which the high word of
// x·y is added to the word after the next one's, and its carry to that after it.
// 2k² + k multiplications, 5k² + k additions, and a few where a carry runs on.
func (m *Machine) finelyIntegrated(x, y, n []uint64, inverse uint64) []uint64 {
	k := len(n)
	t := m.zeros(k + 3)
	for i := range y {
		yi := m.load(y, i)
		high, low := m.mul(m.load(x, 0), yi)
		high, low = m.accumulate(high, low, m.load(t, 0))
		m.addAt(t, 1, high)
		_, q := m.mul(low, inverse)
		carry, w := m.mul(q, m.load(n, 0))
		carry, _ = m.accumulate(carry, w, low)
		for j := 1; j < k; j++ {
			high, low = m.mulAdd(m.load(x, j), yi, m.load(t, j), carry)
			m.addAt(t, j+1, high)
			carry, w = m.mul(q, m.load(n, j))
			carry, w = m.accumulate(carry, w, low)
			m.store(t, j-1, w)
		}
		w, carry = m.add(m.load(t, k), carry, 0)
		m.store(t, k-1, w)
		w, _ = m.add(m.load(t, k+1), 0, carry)
		m.store(t, k, w)
		m.store(t, k+1, 0)
	}
	return t[:k+1]
}

// addAt adds w to a word of t, and the carry to the next one, where it ends but for
// once in the range of a word.
func (m *Machine) addAt(t []uint64, i int, w uint64) {
	var carry uint64
	for step := 0; step < 2 || carry != 0; step++ {
		w, carry = m.add(m.load(t, i+step), w, carry)
		m.store(t, i+step, w)
		w = 0
	}
}

// finelyIntegratedProducts is FIPS: the words of x·y + q·n in turn, Comba's method
// for both products, with the words of q in z as they are found. 2k² + k
// multiplications, 6k² additions, and a few where columns are so long that their
// sums need a fourth word.
func (m *Machine) finelyIntegratedProducts(x, y, n []uint64, inverse uint64) []uint64 {
	k := len(n)
	z := make([]uint64, k+1)
	sum := m.newColumn(2 * k)
	product := func(x []uint64, i int, y uint64) {
		high, low := m.mul(m.load(x, i), y)
		sum.add3(m, high, low)
	}
	for c := range k {
		for i := range c {
			product(x, i, m.load(y, c-i))
			product(n, c-i, m.load(z, i))
		}
		product(x, c, m.load(y, 0))
		_, q := m.mul(sum.low, inverse)
		m.store(z, c, q)
		product(n, 0, q)
		sum.shift()
	}
	for c := k; c < 2*k-1; c++ {
		for i := c - k + 1; i < k; i++ {
			product(x, i, m.load(y, c-i))
			product(n, c-i, m.load(z, i))
		}
		m.store(z, c-k, sum.low)
		sum.shift()
	}
	m.store(z, k-1, sum.low)
	m.store(z, k, sum.middle)
	return z
}

// zeros stores zeros.
func (m *Machine) zeros(n int) []uint64 {
	m.Count.Store += n
	return make([]uint64, n)
}
