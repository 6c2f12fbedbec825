package folding

// Arithmetic multiplies and reduces numbers on a machine.
type Arithmetic[E any] struct {
	Machine Machine[E]
	// Leaf is the number of words, at least 1, up to which the machine multiplies by
	// itself. Longer factors are halved until they are that short.
	Leaf int
}

// MulScratch returns the number of words of scratch that Mul needs for factors of
// these lengths.
func (a *Arithmetic[E]) MulScratch(nx, ny int) int {
	if nx < ny {
		nx, ny = ny, nx
	}
	switch half := (nx + 1) / 2; {
	case ny <= a.Leaf:
		return 0
	case nx == ny:
		return 2*half + 1 + a.MulScratch(half, half)
	default:
		return ny + max(a.MulScratch(ny, ny), a.MulScratch(ny, nx%ny))
	}
}

// Mul sets z = x·y. z has len(x) + len(y) words; it, the factors and scratch share
// no memory.
func (a *Arithmetic[E]) Mul(z, x, y, scratch []E) {
	if len(x) < len(y) {
		x, y = y, x
	}
	switch {
	case len(y) <= a.Leaf:
		a.Machine.Mul(z, x, y)
	case len(x) == len(y):
		a.karatsuba(z, x, y, scratch)
	default:
		a.rectangle(z, x, y, scratch)
	}
}

// karatsuba sets z = x·y for factors of the same length n > 1, from three products
// of half that length:
//
//	x·y = x₁·y₁·W²ʰ + ((x₀+x₁)·(y₀+y₁) − x₀·y₀ − x₁·y₁)·Wʰ + x₀·y₀
//
// with W the range of a word and h = ⌈n/2⌉.
//
// The sums have h words and a carry bit each, c and d. They are multiplied without:
//
//	(c·Wʰ + s)·(d·Wʰ + t) = c·d·W²ʰ + (c·t + d·s)·Wʰ + s·t
//
// so that no product on the way down is longer than h words.
func (a *Arithmetic[E]) karatsuba(z, x, y, scratch []E) {
	n := len(x)
	h := (n + 1) / 2
	s, t := z[:h], z[h:2*h] // until z gets its value
	middle, scratch := scratch[:2*h+1], scratch[2*h+1:]

	c := a.Machine.Add(s, x[:h], x[h:])
	d := a.Machine.Add(t, y[:h], y[h:])
	a.Mul(middle[:2*h], s, t, scratch)
	middle[2*h] = a.Machine.Both(c, d)
	// (c·Wʰ + s)·(d·Wʰ + t) < 4·W²ʰ: the top word, at most 3, takes all carries.
	a.Machine.AddIf(middle[h:], t, c)
	a.Machine.AddIf(middle[h:], s, d)

	low, high := z[:2*h], z[2*h:]
	a.Mul(low, x[:h], y[:h], scratch)
	a.Mul(high, x[h:], y[h:], scratch)
	a.Machine.Sub(middle, middle, low)
	a.Machine.Sub(middle, middle, high)
	// What is left, x₀·y₁ + x₁·y₀, is below 2·Wⁿ and so below W^(2n−h), the width of
	// the words that it is added to.
	a.Machine.Add(z[h:], z[h:], middle[:min(2*h+1, 2*n-h)])
}

// rectangle sets z = x·y for an x that is longer than y: x is cut into pieces of y's
// length, and their products are added where they overlap.
func (a *Arithmetic[E]) rectangle(z, x, y, scratch []E) {
	n := len(y)
	upper, scratch := scratch[:n], scratch[n:]
	a.Mul(z[:2*n], x[:n], y, scratch)
	for at := n; at < len(x); at += n {
		piece := x[at:min(at+n, len(x))]
		product := z[at : at+n+len(piece)]
		a.Machine.Copy(upper, product[:n])
		a.Mul(product, piece, y, scratch)
		a.Machine.Add(product, product, upper)
	}
}
