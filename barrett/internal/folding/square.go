package folding

// SqrMachine is a Machine that squares in less time than it multiplies.
type SqrMachine[E any] interface {
	Machine[E]
	// Sqr sets z = x². z has twice as many words and shares no memory with x.
	Sqr(z, x []E)
}

// SqrScratch returns the number of words of scratch that Sqr needs.
func SqrScratch(n, leaf int) int {
	need := 0
	for ; n > leaf; n = (n + 1) / 2 {
		need += 2*((n+1)/2) + 1
	}
	return need
}

// Sqr sets z = x² on the machine m, which squares numbers of up to leaf words, at
// least 1, by itself. z has twice as many words as x; it, x and scratch share no
// memory. It is the product of [Arithmetic.Mul] with
//
//	x² = x₁²·W²ʰ + ((x₀+x₁)² − x₀² − x₁²)·Wʰ + x₀².
func Sqr[E any](m SqrMachine[E], leaf int, z, x, scratch []E) {
	n := len(x)
	if n <= leaf {
		m.Sqr(z, x)
		return
	}
	h := (n + 1) / 2
	s := z[:h] // until z gets its value
	middle, scratch := scratch[:2*h+1], scratch[2*h+1:]

	c := m.Add(s, x[:h], x[h:])
	Sqr(m, leaf, middle[:2*h], s, scratch)
	middle[2*h] = m.Both(c, c)
	// (c·Wʰ + s)² = c·W²ʰ + 2·c·s·Wʰ + s² < 4·W²ʰ: the top word takes all carries.
	m.AddIf(middle[h:], s, c)
	m.AddIf(middle[h:], s, c)

	low, high := z[:2*h], z[2*h:]
	Sqr(m, leaf, low, x[:h], scratch)
	Sqr(m, leaf, high, x[h:], scratch)
	m.Sub(middle, middle, low)
	m.Sub(middle, middle, high)
	// What is left, 2·x₀·x₁, is below 2·Wⁿ and so below W^(2n−h).
	m.Add(z[h:], z[h:], middle[:min(2*h+1, 2*n-h)])
}
